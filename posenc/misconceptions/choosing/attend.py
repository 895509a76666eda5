"""The exercise ``attend(cache, x, W, s, original)`` and its mistakes: one query against a cache.

Wrong on purpose, each in one way. The query is the cache's last token.
"""

from __future__ import annotations

import numpy as np

from posenc.attention import attention, attention_weights
from posenc.misconceptions.choosing.block import (
    at,
    attend,
    split,
    turn_heads,
    turned_by,
    waves,
    weights,
)
from posenc.misconceptions.choosing.turn_heads import factor_twice, without_factor
from posenc.misconceptions.entry import Family, Probe
from posenc.plain import Array
from posenc.rotary import rope

PROBES = (
    Probe(
        (waves(2, 3, 1, 6), waves(18), weights(18), 2, 100),
        "With one token in the cache the output is its value, heads side by side, through the output matrix.",
    ),
    Probe(
        (waves(2, 3, 5, 6, phase=1), waves(18, phase=2), weights(18, phase=3), 2, 100),
        "The query stands at the last token's position; each head attends by itself, with scores "
        "divided by the root "
        "of its own width.",
    ),
    Probe(
        (waves(2, 2, 9, 16, phase=4), waves(32, phase=5), weights(32, phase=6), 4, 256),
        "Any number of heads, any head's width, any stretch: the query is turned as the keys in the "
        "cache were.",
    ),
)


ATTEND = Family("attend", attend, PROBES)


def _query(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    """Return the right query, (h, 1, w)."""
    return turn_heads(split(x @ W[0], cache.shape[1]), [cache.shape[2] - 1], s, original)


ATTEND.add(
    "query-not-turned",
    "The query is not turned. Keys are turned already: a query that is not sees absolute positions.",
)(turned_by(attend, lambda x, p, s, original: x))
ATTEND.add(
    "query-at-0",
    "The query is turned to position 0. It belongs to the last token of the cache.",
)(at(attend, lambda cache: 0))
ATTEND.add(
    "query-one-ahead",
    "The query stands one position too far. Its own key is in the cache already, so of t + 1 tokens "
    "it is at t.",
)(at(attend, lambda cache: cache.shape[2]))
ATTEND.add(
    "query-one-behind",
    "The query stands one position behind its own key. Both belong to the last token of the cache.",
)(at(attend, lambda cache: cache.shape[2] - 2))
ATTEND.add(
    "position-is-len",
    "The position comes from len(cache), which is 2 however long the text. Tokens lie along axis 2.",
)(at(attend, lambda cache: len(cache) - 1))
ATTEND.add(
    "position-is-heads",
    "The position comes from the number of heads. The cache is (2, h, t, w): tokens lie along axis 2.",
)(at(attend, lambda cache: cache.shape[1] - 1))
ATTEND.add(
    "not-stretched",
    "The query is turned by plain RoPE. Use turn_heads, as for the keys.",
)(turned_by(attend, lambda x, p, s, original: rope(x, p)))
ATTEND.add(
    "factor-missing",
    "The attention factor is missing from the query. Keys have it already, and queries carry it too.",
)(turned_by(attend, without_factor))
ATTEND.add(
    "factor-twice",
    "The attention factor is in the scores once more. Query and key carry it, and that is all.",
)(
    turned_by(
        attend,
        factor_twice,
    )
)
ATTEND.add(
    "extended-length",
    "The extended length goes into the turning. Hand on the original length as it came.",
)(turned_by(attend, lambda x, p, s, original: turn_heads(x, p, s, original * s)))


@ATTEND.add(
    "query-turned-unsplit",
    "The query is turned before it is cut into heads, so pairs get the model's speeds. Cut first, "
    "then turn each head.",
)
def _query_turned_unsplit(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    _, h, count, _ = cache.shape
    q = split(turn_heads((x @ W[0])[None, None], [count - 1], s, original), h)
    return np.asarray(attention(q, cache[0], cache[1]).reshape(-1) @ W[3])


@ATTEND.add(
    "keys-turned-again",
    "The keys are turned once more. They were turned when they entered the cache.",
)
def _keys_turned_again(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    turned = turn_heads(cache[0], np.arange(cache.shape[2]), s, original)
    return attend(np.stack([turned, cache[1]]), x, W, s, original)


@ATTEND.add("values-turned", "The values are turned. They carry content and stay as they are.")
def _values_turned(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    turned = turn_heads(cache[1], np.arange(cache.shape[2]), s, original)
    return attend(np.stack([cache[0], turned]), x, W, s, original)


@ATTEND.add(
    "scaled-by-model",
    "The scores are divided by the root of the model's width. Each head divides by the root of its "
    "own width.",
)
def _scaled_by_model(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    q = _query(cache, x, W, s, original)
    return np.asarray(attention(q, cache[0], cache[1], scale=len(x) ** -0.5).reshape(-1) @ W[3])


@ATTEND.add(
    "not-scaled", "The scores are not divided by the root of the head's width. attention does it by itself."
)
def _not_scaled(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    q = _query(cache, x, W, s, original)
    return np.asarray(attention(q, cache[0], cache[1], scale=1.0).reshape(-1) @ W[3])


@ATTEND.add(
    "output-matrix-missing", "The output matrix is missing: multiply the joined heads by W[3] at the end."
)
def _output_matrix_missing(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return np.asarray(attention(_query(cache, x, W, s, original), cache[0], cache[1]).reshape(-1))


@ATTEND.add(
    "matrices-transposed", "The matrices are used from the wrong side: rows go on the left, x @ W[0]."
)
def _matrices_transposed(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return attend(cache, x, W.swapaxes(1, 2), s, original)


@ATTEND.add(
    "wrong-matrix", "The query comes from the key matrix. W[0] makes queries, W[1] keys, W[2] values."
)
def _wrong_matrix(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return attend(cache, x, W[[1, 1, 2, 3]], s, original)


@ATTEND.add(
    "heads-interleaved",
    "Features are dealt out to the heads one by one. A head is a run of neighbours: reshape to (h, "
    "1, w), heads first.",
)
def _heads_interleaved(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    h, w = cache.shape[1], cache.shape[3]
    dealt = W.reshape(4, h * w, w, h).swapaxes(2, 3).reshape(W.shape)
    return attend(cache, x, np.stack([dealt[0], *W[1:]]), s, original)


@ATTEND.add(
    "heads-joined-across",
    "The heads are joined feature by feature. Put them side by side: all of head 0, then all of head 1.",
)
def _heads_joined_across(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    out = attention(_query(cache, x, W, s, original), cache[0], cache[1])
    return np.asarray(out[:, 0].T.reshape(-1) @ W[3])


@ATTEND.add(
    "one-softmax",
    "The heads share their weights: scores are added over the heads. Each head has a softmax of its own.",
)
def _one_softmax(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    q, (k, v) = _query(cache, x, W, s, original), cache
    joined = attention_weights(
        np.concatenate(q, axis=-1), np.concatenate(k, axis=-1), scale=q.shape[-1] ** -0.5
    )
    return np.asarray((joined @ v).reshape(-1) @ W[3])


@ATTEND.add("keys-averaged", "The weights average the keys. They average the values, cache[1].")
def _keys_averaged(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return np.asarray(attention(_query(cache, x, W, s, original), cache[0], cache[0]).reshape(-1) @ W[3])


@ATTEND.add(
    "misses-itself",
    "The token does not see itself. Its own key and value, the last of the cache, count too.",
)
def _misses_itself(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    q = _query(cache, x, W, s, original)
    hidden = np.where(np.arange(cache.shape[2]) == cache.shape[2] - 1, -np.inf, 0.0)
    return np.asarray(attention(q, cache[0], cache[1], bias=hidden).reshape(-1) @ W[3])


@ATTEND.add("residual-added", "x itself is added to the result. That is for the block to do.")
def _residual_added(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return x + attend(cache, x, W, s, original)


@ATTEND.add("axes-kept", "The numbers are right, in too many axes. Return one row of d features.")
def _axes_kept(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return attend(cache, x, W, s, original)[None]
