"""The exercise ``decode(Q, K, V)`` and its mistakes: causal attention with RoPE and a cache, by token.

Wrong on purpose, each in one way. Row t of a right answer equals row t of the full causal pass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.attention import attention
from posenc.misconceptions.entry import Family, Probe
from posenc.misconceptions.rotary.rope import Array
from posenc.rotary import rope

#: Says how the query of step t and the keys up to t are turned.
Turned = Callable[[Array, int], Array]


def _waves(n: int, d: int) -> tuple[Array, Array, Array]:
    phases = np.arange(n * d).reshape(n, d) ** 1.5
    return 2 * np.sin(phases), 2 * np.cos(1 + 2 * phases), 3 * np.sin(2 + 3 * phases)


PROBES = (
    Probe(_waves(1, 4), "With one token there is one key, so the output is its value."),
    Probe(
        _waves(5, 2),
        "Step t must equal row t of the full causal pass: the query stands at position t, key j at "
        "position j, values are not turned, and scores are scaled by 1 / sqrt(d).",
    ),
    Probe(_waves(7, 6), "Decoding must equal the full causal pass for any n and any even d."),
)


def _reference(Q: Array, K: Array, V: Array) -> Any:
    p = np.arange(len(Q))
    return attention(rope(Q, p), rope(K, p), V, causal=True)


DECODE = Family("decode", _reference, PROBES)


def _query(q: Array, t: int) -> Array:
    return rope(q, t)


def _keys(K: Array, t: int) -> Array:
    return rope(K, np.arange(t + 1))


def _steps(
    Q: Array, K: Array, V: Array, query: Turned = _query, keys: Turned = _keys, scale: Any = None
) -> Any:
    """Decode step by step, each query and the keys so far turned as told."""
    rows = [
        attention(query(Q[t], t)[None], keys(K[: t + 1], t), V[: t + 1], scale=scale) for t in range(len(Q))
    ]
    return np.concatenate(rows)


@DECODE.add(
    "keys-rotated-again",
    "Cached keys are turned again at every step. Turn a key once, by its own position, when it "
    "enters the cache.",
)
def _keys_rotated_again(Q: Array, K: Array, V: Array) -> Any:
    # Key j has been through t - j + 1 steps, and each turned it by j.
    return _steps(Q, K, V, keys=lambda K, t: rope(K, np.arange(t + 1) * (t + 1 - np.arange(t + 1))))


@DECODE.add(
    "keys-turned-by-step",
    "At every step the whole cache is turned by the new position. Turn a key once, by its own "
    "position, when it enters.",
)
def _keys_turned_by_step(Q: Array, K: Array, V: Array) -> Any:
    # Key j has been turned by j, j + 1, ..., t.
    def keys(K: Array, t: int) -> Array:
        j = np.arange(t + 1)
        return rope(K, t * (t + 1) / 2 - j * (j - 1) / 2)

    return _steps(Q, K, V, keys=keys)


@DECODE.add(
    "query-at-0",
    "Every query is turned as position 0, or not at all. The query of step t stands at position t: "
    "the length of the cache before it.",
)
def _query_at_0(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, query=lambda q, t: q)


@DECODE.add(
    "key-at-0",
    "Every key is turned as position 0, or not at all. Key j stands at position j: the length of "
    "the cache when it enters.",
)
def _key_at_0(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, keys=lambda K, t: K)


@DECODE.add(
    "no-position",
    "Positions have no effect: queries and keys are not turned, or all by the same position. Step t"
    " stands at position t.",
)
def _no_position(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, query=lambda q, t: q, keys=lambda K, t: K)


@DECODE.add(
    "query-one-ahead",
    "The query stands one position too far: its position is the length of the cache before its own "
    "key enters, t and not t + 1.",
)
def _query_one_ahead(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, query=lambda q, t: rope(q, t + 1))


@DECODE.add(
    "query-one-behind",
    "The query stands one position behind its own key. At step t both stand at position t.",
)
def _query_one_behind(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, query=lambda q, t: rope(q, t - 1))


@DECODE.add(
    "keys-reversed",
    "Keys are numbered from the newest back. Key j stands at position j, counted from the start of "
    "the sequence.",
)
def _keys_reversed(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, keys=lambda K, t: rope(K, np.arange(t + 1)[::-1]))


@DECODE.add(
    "values-rotated",
    "The values were turned as well. Values carry content and stay as they are: only queries and "
    "keys are turned.",
)
def _values_rotated(Q: Array, K: Array, V: Array) -> Any:
    return _reference(Q, K, rope(V, np.arange(len(V))))


@DECODE.add(
    "clockwise",
    "Queries and keys turn clockwise, so the offset has the wrong sign. Turn counter-clockwise.",
)
def _clockwise(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, query=lambda q, t: rope(q, -t), keys=lambda K, t: rope(K, -np.arange(t + 1)))


@DECODE.add(
    "half-layout",
    "Features are paired as i and i + d/2, the half-split layout. Here pairs are neighbours: "
    "features 2i and 2i+1.",
)
def _half_layout(Q: Array, K: Array, V: Array) -> Any:
    return _steps(
        Q,
        K,
        V,
        query=lambda q, t: rope(q, t, layout="half"),
        keys=lambda K, t: rope(K, np.arange(t + 1), layout="half"),
    )


@DECODE.add(
    "not-scaled",
    "The scores were not scaled. Multiply them by 1 / sqrt(d) before the softmax.",
)
def _not_scaled(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, scale=1.0)


@DECODE.add(
    "scaled-by-d",
    "The scores were divided by d. Divide by its square root.",
)
def _scaled_by_d(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, scale=1 / Q.shape[1])


@DECODE.add(
    "scaled-by-length",
    "The scores were divided by the square root of the number of tokens. Divide by that of d, the "
    "number of features.",
)
def _scaled_by_length(Q: Array, K: Array, V: Array) -> Any:
    return _steps(Q, K, V, scale=len(Q) ** -0.5)


@DECODE.add(
    "no-softmax",
    "Values are weighted by the scores themselves. Put the scores through a softmax first.",
)
def _no_softmax(Q: Array, K: Array, V: Array) -> Any:
    p = np.arange(len(Q))
    return np.tril(rope(Q, p) @ rope(K, p).T / np.sqrt(Q.shape[1])) @ V


@DECODE.add(
    "sees-the-future",
    "Every token attends to all keys, later ones too. At step t the cache holds keys 0 to t only.",
)
def _sees_the_future(Q: Array, K: Array, V: Array) -> Any:
    p = np.arange(len(Q))
    return attention(rope(Q, p), rope(K, p), V)


@DECODE.add(
    "misses-itself",
    "A token does not attend to itself. Append its key and value to the cache before computing the scores.",
)
def _misses_itself(Q: Array, K: Array, V: Array) -> Any:
    p = np.arange(len(Q))
    before = np.where(np.tri(len(Q), k=-1), 0.0, -np.inf)
    return attention(rope(Q, p), rope(K, p), V, bias=before)


@DECODE.add(
    "only-itself",
    "A token attends to itself only: the cache seems to be emptied at each step. Append, and keep "
    "what is there.",
)
def _only_itself(Q: Array, K: Array, V: Array) -> Any:
    return V.copy()


@DECODE.add(
    "last-row-only",
    "Only the last token's output came back. Collect the output of every step, one row a token.",
)
def _last_row_only(Q: Array, K: Array, V: Array) -> Any:
    return _reference(Q, K, V)[-1]


@DECODE.add(
    "extra-axis",
    "The rows carry an axis of length 1 too many. Stack rows of shape (d,), or concatenate rows of "
    "shape (1, d).",
)
def _extra_axis(Q: Array, K: Array, V: Array) -> Any:
    return _reference(Q, K, V)[:, None]


@DECODE.add(
    "in-place",
    "The numbers are right, but Q, K or V was changed. Keep turned keys in the cache, not in K.",
)
def _in_place(Q: Array, K: Array, V: Array) -> Any:
    out = _reference(Q, K, V)
    Q[:], K[:] = (rope(x, np.arange(len(x))) for x in (Q, K))
    return out
