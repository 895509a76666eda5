"""Mistakes in what a decoding block remembers and how it is stretched: its cache, its positions, its rows.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.attention import attention
from posenc.misconceptions.choosing import block
from posenc.misconceptions.choosing.block import append, attend, extend_cache, norm, split, turn_heads
from posenc.misconceptions.choosing.decode_block import decoded, pre_norm
from posenc.misconceptions.choosing.decode_block_wiring import DECODE_BLOCK
from posenc.plain import Array
from posenc.rotary import rope

__all__ = ["DECODE_BLOCK"]


def _empty(X: Array, h: int) -> Array:
    return np.zeros((2, h, 0, X.shape[1] // h))


def _stepped(extend: Any, ask: Any) -> Any:
    """Return the exercise with other steps: how the cache is extended, and how it is asked."""

    def wrong(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
        cache, rows = _empty(X, h), []
        for x in X:
            cache = extend(cache, norm(x), W, s, original)
            a = x + ask(cache, norm(x), W, s, original)
            rows.append(a + block.mlp(norm(a), U, D))
        return np.array(rows)

    return wrong


def _turned(turn: Any) -> Any:
    """Return the exercise with queries and keys turned in another way."""
    return _stepped(lambda *args: extend_cache(*args, turn=turn), lambda *args: attend(*args, turn=turn))


DECODE_BLOCK.add(
    "cache-forgotten",
    "Every token sees itself alone: the cache is empty again at each step. Keep what extend_cache returns.",
)(_stepped(lambda cache, *rest: extend_cache(cache[:, :, :0], *rest), attend))
DECODE_BLOCK.add(
    "cache-asked-before",
    "A token asks the cache before its own key and value are in it. Extend first, then attend.",
)(
    _stepped(
        extend_cache,
        lambda cache, x, *rest: attend(cache[:, :, :-1] if cache.shape[2] > 1 else 0 * cache, x, *rest),
    )
)
DECODE_BLOCK.add(
    "keys-turned-again",
    "Cached keys are turned again at every step. A key is turned once, when it enters.",
)(
    _stepped(
        lambda cache, x, W, s, original: np.stack(
            [
                turn_heads(
                    append(cache, *(split(x @ W[i], cache.shape[1]) for i in (1, 2)))[0],
                    np.arange(cache.shape[2] + 1), s, original,
                ),
                append(cache, *(split(x @ W[i], cache.shape[1]) for i in (1, 2)))[1],
            ]
        ),
        attend,
    )
)  # fmt: skip
DECODE_BLOCK.add(
    "no-position",
    "Positions have no effect: all tokens stand at the same one. Token t stands at t.",
)(_turned(lambda x, p, s, original: turn_heads(x, 0, s, original)))
DECODE_BLOCK.add(
    "not-stretched",
    "Everything is turned by plain RoPE: s has no effect. Hand s and original on at every step.",
)(_turned(lambda x, p, s, original: rope(x, p)))
DECODE_BLOCK.add(
    "extended-length",
    "The extended length is handed on. `original` is the length that the model was trained with.",
)(_turned(lambda x, p, s, original: turn_heads(x, p, s, original * s)))


@DECODE_BLOCK.add(
    "length-for-original",
    "The length of this text is handed on as the original length. Hand on `original`, whatever the text.",
)
def _length_for_original(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    return decoded(X, W, U, D, h, s, len(X))


@DECODE_BLOCK.add(
    "one-head",
    "There is one wide head here. Make the empty cache for h heads, of shape (2, h, 0, d // h).",
)
def _one_head(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    return decoded(X, W, U, D, 1, s, original)


@DECODE_BLOCK.add(
    "cache-of-plain-rows",
    "Keys and values are made from the row as it is, and the query from the normalised one. All "
    "three read norm(x).",
)
def _cache_of_plain_rows(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    cache, rows = _empty(X, h), []
    for x in X:
        cache = extend_cache(cache, x, W, s, original)
        a = x + attend(cache, norm(x), W, s, original)
        rows.append(a + block.mlp(norm(a), U, D))
    return np.array(rows)


@DECODE_BLOCK.add(
    "query-of-plain-row",
    "The query is made from the row as it is, keys and values from the normalised one. All three "
    "read norm(x).",
)
def _query_of_plain_row(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    cache, rows = _empty(X, h), []
    for x in X:
        cache = extend_cache(cache, norm(x), W, s, original)
        a = x + attend(cache, x, W, s, original)
        rows.append(a + block.mlp(norm(a), U, D))
    return np.array(rows)


@DECODE_BLOCK.add(
    "norm-over-tokens",
    "The norm runs over the tokens, so a row knows of those after it. It runs over the features of one row.",
)
def _norm_over_tokens(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    rows = iter(norm(X.T).T)

    def wiring(x: Array, attention: Any, feed: Any) -> Any:
        a = x + attention(next(rows))
        return a + feed(norm(a))

    return decoded(X, W, U, D, h, s, original, wiring=wiring)


@DECODE_BLOCK.add(
    "sees-the-future",
    "Every token sees all others, later ones too. At step t the cache holds tokens 0 to t.",
)
def _sees_the_future(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    cache = _empty(X, h)
    for x in X:
        cache = extend_cache(cache, norm(x), W, s, original)

    def asked(t: int) -> Array:
        q = turn_heads(split(norm(X[t]) @ W[0], h), [t], s, original)
        return np.asarray(attention(q, cache[0], cache[1]).reshape(-1) @ W[3])

    a = X + np.array([asked(t) for t in range(len(X))])
    return np.asarray(a + block.mlp(norm(a), U, D))


@DECODE_BLOCK.add(
    "outputs-fed-back",
    "Each step reads the last step's output. The rows of X are all given: step t reads row t.",
)
def _outputs_fed_back(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    last = [np.zeros(X.shape[1])]

    def wiring(x: Array, attention: Any, feed: Any) -> Array:
        last[0] = pre_norm(last[0] + x * (not last[0].any()), attention, feed)
        return last[0]

    return decoded(X, W, U, D, h, s, original, wiring=wiring)


@DECODE_BLOCK.add(
    "last-row-only",
    "Only the last token's output came back. Collect the output of every step, one row a token.",
)
def _last_row_only(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    return np.asarray(decoded(X, W, U, D, h, s, original)[-1])


@DECODE_BLOCK.add("extra-axis", "The rows carry an axis of length 1 too many. Return (n, d).")
def _extra_axis(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    return decoded(X, W, U, D, h, s, original)[:, None]


@DECODE_BLOCK.add("in-place", "The numbers are right, but X was changed. Write into new rows.")
def _in_place(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    X[...] = decoded(X, W, U, D, h, s, original)
    return X
