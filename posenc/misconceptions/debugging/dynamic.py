"""The bug of stale keys: a base that grows while cached keys keep the old one (lesson 9), and its mending.

After huggingface/transformers#25104. Wrong on purpose, each in one way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.attention import attention
from posenc.misconceptions.debugging.bug import Bug, alike, matrices, whole
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.plain import Array
from posenc.rotary import rope
from posenc.scaling import dynamic_ntk

#: Says how long the text is taken to be at step t of n, for a query or for key j.
Length = Callable[[int, Any, int], float]


def _spectrum(d: int, length: float, original: int) -> Array:
    return dynamic_ntk(d, 1, length, original=original)[0]


def _turned(x: Array, positions: Any, length: float, original: int) -> Array:
    return rope(x, positions, frequencies=_spectrum(x.shape[-1], length, original), layout="half")


def _now(t: int, j: Any, n: int) -> float:
    return t + 1


def _decoded(Q: Array, K: Array, V: Array, original: int, query: Length = _now, key: Length = _now) -> Array:
    """Decode token by token, with the base of the lengths told."""
    n, out = len(Q), []
    for t in range(n):
        q = _turned(Q[t], t, query(t, t, n), original)
        keys = np.array([_turned(K[j], j, key(t, j, n), original) for j in range(t + 1)])
        out.append(attention(q[None], keys, V[: t + 1])[0])
    return np.array(out)


def _probe(n: int, d: int, original: int, claim: str) -> Probe:
    Q, K, V = waves(3, n, d)
    return Probe((Q, K, V, original), claim)


PROBES = (
    _probe(4, 4, 8, "Up to the original length decoding must be that of plain RoPE, with base 10000."),
    _probe(
        9,
        6,
        3,
        "Step t must equal the last row of a full pass over t + 1 tokens: query and all keys turned by the "
        "base for the length t + 1.",
    ),
    _probe(7, 8, 5, "Any number of features and any original length follow the same rule."),
)

FAMILY = Family("decode_dynamic", _decoded, PROBES)

DYNAMIC = Bug(
    FAMILY,
    needs=(
        (
            lambda Q, K, V, o: matrices(Q, K, V) and Q.shape == K.shape and len(V) == len(Q),
            "Q and K must be float arrays of one shape (n, d), and V one with n rows.",
        ),
        (lambda Q, K, V, o: Q.shape[1] % 2 == 0 and Q.shape[1] > 2, "d must be even, and at least 4."),
        (lambda Q, K, V, o: len(Q) <= 64, "The text is longer than it need be: 64 tokens are plenty."),
        (lambda Q, K, V, o: whole(o, 1, 10**6), "original must be a whole number, at least 1."),
    ),
    blind=(
        (
            lambda Q, K, V, o: len(Q) <= o,
            "Your text is not longer than the original length: the base never grows, and no key grows "
            "stale. Decode past it.",
        ),
        (
            lambda Q, K, V, o: alike(V),
            "All your values are equal, so every weighted average of them is the same. Let the values "
            "differ.",
        ),
        (
            lambda Q, K, V, o: not Q.any() or not K.any(),
            "Your Q or your K is 0 everywhere: all scores are equal, whatever the base.",
        ),
    ),
)


@FAMILY.add(
    "shipped",
    "This is still the shipped program: a cached key keeps the base of the day it entered. Keep the keys "
    "unturned, and turn them all by the present base at each step.",
)
def _shipped(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, key=lambda t, j, n: j + 1)


@FAMILY.add(
    "never-grows",
    "The base never grows: this is plain RoPE, with nothing done for long texts. Past the original length "
    "the base is that of the present length.",
)
def _never_grows(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, lambda t, j, n: 1, lambda t, j, n: 1)


@FAMILY.add(
    "static",
    "Every step has the base of the whole text's length. Decoding does not know how long the text will "
    "become: step t has the base for t + 1 tokens.",
)
def _static(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, lambda t, j, n: n, lambda t, j, n: n)


@FAMILY.add(
    "query-plain",
    "Keys have the present base now, and the query plain RoPE's. A score is relative only if both turn by "
    "the same frequencies.",
)
def _query_plain(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, query=lambda t, j, n: 1)


@FAMILY.add(
    "keys-plain",
    "Queries have the present base, and keys plain RoPE's. A score is relative only if both turn by the "
    "same frequencies.",
)
def _keys_plain(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, key=lambda t, j, n: 1)


@FAMILY.add(
    "shipped-one-short",
    "Cached keys still keep the base of the day they entered, and each length is one too short now. Turn "
    "all keys anew, by the base for t + 1 tokens.",
)
def _shipped_one_short(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, lambda t, j, n: max(t, 1), lambda t, j, n: max(j, 1))


@FAMILY.add(
    "one-short",
    "The length is taken without the new token: at step t there are t + 1 tokens.",
)
def _one_short(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, lambda t, j, n: max(t, 1), lambda t, j, n: max(t, 1))


@FAMILY.add(
    "one-long",
    "The length is taken one too long: at step t there are t + 1 tokens, counted from step 0.",
)
def _one_long(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, lambda t, j, n: t + 2, lambda t, j, n: t + 2)


@FAMILY.add(
    "newest-key-only",
    "The newest key has the present base, all older ones plain RoPE's. Turn every key anew from its "
    "unturned self.",
)
def _newest_key_only(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original, key=lambda t, j, n: t + 1 if j == t else 1)


@FAMILY.add(
    "turned-on-top",
    "Cached keys are turned by the present base on top of their old turn. Keep them unturned in the cache.",
)
def _turned_on_top(Q: Array, K: Array, V: Array, original: int) -> Any:
    twice = np.array([_turned(K[j], j, j + 1, original) for j in range(len(K))])
    out = []
    for t in range(len(Q)):
        keys = np.array([_turned(twice[j] if j < t else K[j], j, t + 1, original) for j in range(t + 1)])
        out.append(attention(_turned(Q[t], t, t + 1, original)[None], keys, V[: t + 1])[0])
    return np.array(out)


@FAMILY.add(
    "values-rotated", "The values are turned as well. Only queries and keys are; values carry content."
)
def _values_rotated(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, rope(V, np.arange(len(V)), layout="half"), original)


@FAMILY.add(
    "last-row-only", "Only the last step came back. Return the output of every step, one row a token."
)
def _last_row_only(Q: Array, K: Array, V: Array, original: int) -> Any:
    return _decoded(Q, K, V, original)[-1]
