"""The bug of the heads axis: positions counted along the heads (lesson 9), and mistakes in mending it.

After facebookresearch/xformers#841 and mlfoundations/open_lm#4. Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.debugging.bug import Bug, outer, turn
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.plain import Array
from posenc.rotary import rope
from posenc.sinusoidal import frequencies


def _reference(q: Array, k: Array) -> Array:
    p = np.arange(len(q))[:, None]  # (n, 1), for all heads alike
    return _scores(rope(q, p, layout="half"), rope(k, p, layout="half"))


def _scores(q: Array, k: Array) -> Array:
    return np.asarray(np.einsum("ihd,jhd->hij", q, k) / np.sqrt(q.shape[-1]))


def _pair(n: int, h: int, d: int) -> tuple[Array, Array]:
    q, k = waves(2, n, h, d)
    return q, k


PROBES = (
    Probe(_pair(1, 3, 4), "One token has the offset 0 to itself: its scores are q . k / sqrt(d)."),
    Probe(
        _pair(4, 3, 4),
        "Token i must be turned to position i in every head, and scores[h, i, j] is q of token i with k of "
        "token j, over sqrt(d).",
    ),
    Probe(_pair(5, 1, 2), "With one head positions still belong to the tokens."),
    Probe(_pair(3, 5, 6), "Any number of heads, tokens and features follows the same rule."),
)

FAMILY = Family("head_scores", _reference, PROBES)

HEADS = Bug(
    FAMILY,
    needs=(
        (
            lambda q, k: all(a.ndim == 3 and a.size and a.dtype.kind == "f" for a in (q, k)),
            "q and k must be float arrays (n, h, d): tokens, heads, features.",
        ),
        (lambda q, k: q.shape == k.shape, "q and k must have the same shape."),
        (lambda q, k: q.shape[-1] % 2 == 0, "The number of features, d, must be even."),
        (lambda q, k: q.size <= 2000, "q and k are larger than they need be: a few tokens show it."),
    ),
    blind=(
        (
            lambda q, k: len(q) == 1,
            "You have one token: its only offset is 0, and no turn changes that score. Take more tokens.",
        ),
        (lambda q, k: not q.any() or not k.any(), "Your q or your k is 0 everywhere, so all scores are 0."),
    ),
)


def _turned(x: Array, positions: Array) -> Array:
    return turn(x, outer(positions, frequencies(x.shape[-1])))


def _by_token(x: Array) -> Array:
    return _turned(x, np.arange(len(x))[:, None])


@FAMILY.add(
    "shipped",
    "Tokens have no position in these scores: each head turns all of its tokens alike. Axis 0 holds the "
    "tokens: count positions along it.",
)
def _shipped(q: Array, k: Array) -> Any:
    return _scores(*(_turned(x, np.arange(x.shape[-2])) for x in (q, k)))


@FAMILY.add(
    "query-only", "The queries are mended, the keys are not: both are turned by the token's position."
)
def _query_only(q: Array, k: Array) -> Any:
    return _scores(_by_token(q), _turned(k, np.arange(k.shape[-2])))


@FAMILY.add("key-only", "The keys are mended, the queries are not: both are turned by the token's position.")
def _key_only(q: Array, k: Array) -> Any:
    return _scores(_turned(q, np.arange(q.shape[-2])), _by_token(k))


@FAMILY.add(
    "flat",
    "Positions run through all heads of a token before they reach the next. Every head of a token has the "
    "same position.",
)
def _flat(q: Array, k: Array) -> Any:
    return _scores(*(_turned(x, np.arange(x[..., 0].size).reshape(x.shape[:-1])) for x in (q, k)))


@FAMILY.add(
    "reshaped",
    "The axes were relabelled, not exchanged: reshape keeps the numbers in their order and mixes tokens "
    "with heads. Use swapaxes, or give the angles an axis.",
)
def _reshaped(q: Array, k: Array) -> Any:
    n, h, d = q.shape
    q, k = (_turned(x.reshape(h, n, d), np.arange(n)) for x in (q, k))
    return q @ k.swapaxes(-1, -2) / np.sqrt(d)


@FAMILY.add(
    "reversed", "Positions are counted from the last token back. The first token stands at position 0."
)
def _reversed(q: Array, k: Array) -> Any:
    return _scores(*(_turned(x, np.arange(len(x))[::-1, None]) for x in (q, k)))


@FAMILY.add(
    "roles",
    "Rows and columns are exchanged: scores[h, i, j] is the query of token i with the key of token j.",
)
def _roles(q: Array, k: Array) -> Any:
    return _reference(q, k).swapaxes(-1, -2)


@FAMILY.add("not-scaled", "The scores are not divided by the square root of d, as the shipped program does.")
def _not_scaled(q: Array, k: Array) -> Any:
    return _reference(q, k) * np.sqrt(q.shape[-1])


@FAMILY.add(
    "all-heads-wide",
    "The frequencies are those of all heads together. Each head starts anew: d is the width of one head.",
)
def _all_heads_wide(q: Array, k: Array) -> Any:
    d = q.shape[-1]
    theta = frequencies(d * q.shape[-2])[: d // 2]
    return _scores(*(turn(x, outer(np.arange(len(x))[:, None], theta)) for x in (q, k)))


@FAMILY.add(
    "heads-last",
    "The numbers are right, but the heads stand last. Return (h, n, n): heads, queries, keys.",
)
def _heads_last(q: Array, k: Array) -> Any:
    return np.moveaxis(_reference(q, k), 0, -1)


@FAMILY.add(
    "twice",
    "Positions count twice: the offset in these scores is double. Is the old turn still there beside the new "
    "one? One is enough.",
)
def _twice(q: Array, k: Array) -> Any:
    return _scores(*(_by_token(_by_token(x)) for x in (q, k)))


@FAMILY.add(
    "old-turn-left",
    "The queries still have the old turn on top of the new one: the number of the head moves them. Turn "
    "once, by the token's position.",
)
def _old_turn_left(q: Array, k: Array) -> Any:
    return _scores(_turned(_by_token(q), np.arange(q.shape[-2])), _by_token(k))
