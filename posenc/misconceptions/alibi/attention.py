"""The exercise ``alibi_attention(q, k, v, slopes)`` and its mistakes: causal, biased, with a cache.

Wrong on purpose, each in one way. Only a softmax sees the bias here, so two habits are right that would be
wrong for `alibi_bias`: a constant more in each row, and the slope times the key's index.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.alibi import alibi_bias, alibi_slopes
from posenc.attention import attention, softmax
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]


def _reference(q: Array, k: Array, v: Array, slopes: Array) -> Array:
    return attention(q, k, v, bias=alibi_bias(q.shape[-2], k.shape[-2], slopes))


def _inside(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where an average is not between its values."""
    v = args[2]
    low, high = v.min(axis=1, keepdims=True) - 1e-6, v.max(axis=1, keepdims=True) + 1e-6
    if ((low <= got) & (got <= high)).all():
        return None
    return (
        "Every output is an average of values, so it lies between the smallest and the largest of its "
        "column: here it does not. Do the weights sum to 1?"
    )


def _waves(h: int, n_q: int, n_k: int, d: int, d_v: int) -> tuple[Array, Array, Array]:
    a, b, c = (np.arange(h * n * width).reshape(h, n, width) for n, width in ((n_q, d), (n_k, d), (n_k, d_v)))
    return 2 * np.sin(1 + a**1.5), 2 * np.cos(1 + 2 * b**1.5), 3 * np.sin(2 + 3 * c**1.5)


PROBES = (
    Probe(
        (*_waves(2, 1, 1, 4, 3), np.array([0.5, 0.0625])),
        "With one key there is nothing to choose: the output must be its value.",
    ),
    Probe(
        (np.zeros((2, 5, 3)), *_waves(2, 5, 5, 3, 4)[1:], np.array([0.5, 2.0])),
        "Where all contents are equal, a key must have exp(-slope) times the weight of the one after it, up "
        "to the query's own position, and none beyond.",
    ),
    Probe(
        (*_waves(2, 5, 5, 4, 3), np.array([0.5, 0.0625])),
        "The weights must be the softmax of q @ k.T / sqrt(d) minus slope times distance, over the keys up "
        "to the query's own position.",
    ),
    Probe(
        (*_waves(3, 1, 6, 2, 5), np.array([0.25, 0.0625, 0.3])),
        "A single query with a cache must stand at the last key's position, and see every key.",
    ),
    Probe(
        (*_waves(2, 3, 7, 6, 4), np.array([1.0, 0.125])),
        "The queries must be the last n_q of the n_k positions: the first of them stands at n_k - n_q.",
    ),
    Probe(
        (*_waves(1, 7, 7, 2, 3), np.array([2000.0])),
        "However steep the slope, the future must have no weight at all: -inf hides, a large number only "
        "discourages.",
    ),
)

ALIBI_ATTENTION = Family("alibi_attention", _reference, PROBES, invariant=_inside)


def _scores(q: Array, k: Array) -> Array:
    return np.asarray(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2]))  # (h, n_q, n_k)


def _r(q: Array, k: Array, shift: int | None = None) -> Array:
    """Return key minus query position, (n_q, n_k); the first query stands at `shift`, or n_k - n_q."""
    n_q, n_k = q.shape[1], k.shape[1]
    first = n_k - n_q if shift is None else shift
    return np.arange(n_k) - (first + np.arange(n_q))[:, None]


def _bias(slopes: Array, r: Array) -> Array:
    """Return the penalty alone, (h, n_q, n_k)."""
    return np.asarray(-slopes[:, None, None] * np.abs(r))


def _attend(scores: Array, seen: Array, v: Array) -> Any:
    """Weigh values by the softmax of scores, in which a row that sees nothing is all NaN."""
    hidden = np.where(seen, scores, -np.inf)
    weights = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


# --- the bias


@ALIBI_ATTENTION.add(
    "plus-sign",
    "Far keys are rewarded. Distance is a penalty: subtract slope times distance from the scores.",
)
def _plus_sign(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _attend(_scores(q, k) - _bias(slopes, _r(q, k)), _r(q, k) <= 0, v)


@ALIBI_ATTENTION.add(
    "no-bias",
    "The slopes have no effect: this is plain causal attention. Subtract slope times distance from the "
    "scores.",
)
def _no_bias(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, causal=True)


@ALIBI_ATTENTION.add(
    "first-slope-for-all",
    "All heads use the first slope. Each has its own: give the slopes two more axes, slopes[:, None, None].",
)
def _first_slope_for_all(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _reference(q, k, v, np.full_like(slopes, slopes[0]))


@ALIBI_ATTENTION.add(
    "mean-slope",
    "All heads use the mean of the slopes. Each has its own: give the slopes two more axes, slopes[:, None, "
    "None].",
)
def _mean_slope(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _reference(q, k, v, np.full_like(slopes, slopes.mean()))


@ALIBI_ATTENTION.add(
    "slopes-reversed",
    "The slopes reach the heads in reverse. Slope number i belongs to head number i.",
)
def _slopes_reversed(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _reference(q, k, v, slopes[::-1])


@ALIBI_ATTENTION.add(
    "own-slopes",
    "The slopes that came were not used: these are the standard ones for so many heads. Use the argument.",
)
def _own_slopes(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _reference(q, k, v, alibi_slopes(len(slopes)))


@ALIBI_ATTENTION.add(
    "squared-distance",
    "The distance was squared. The penalty is a straight line: slope times distance.",
)
def _squared_distance(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return _attend(_scores(q, k) + _bias(slopes, r**2), r <= 0, v)


@ALIBI_ATTENTION.add(
    "bias-scaled",
    "The bias was divided by the square root of d along with the scores. Scale q @ k.T first, then add the "
    "bias.",
)
def _bias_scaled(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _reference(q, k, v, slopes / np.sqrt(q.shape[2]))


@ALIBI_ATTENTION.add(
    "bias-multiplied",
    "The scores were multiplied by the bias, so that what a penalty does hangs on the sign of a score. Add "
    "it.",
)
def _bias_multiplied(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return _attend(_scores(q, k) * _bias(slopes, r), r <= 0, v)


@ALIBI_ATTENTION.add(
    "bias-after-softmax",
    "The bias was added to the weights, which then no longer sum to 1. Add it to the scores, before the "
    "softmax.",
)
def _bias_after_softmax(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    weights = softmax(np.where(r <= 0, _scores(q, k), -np.inf))
    return (weights + np.where(r <= 0, _bias(slopes, r), 0)) @ v


@ALIBI_ATTENTION.add(
    "bias-on-keys",
    "The keys themselves were lowered by slope times position. The bias belongs to the scores: one number "
    "for each query and key.",
)
def _bias_on_keys(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    n = k.shape[1]
    return attention(q, k - slopes[:, None, None] * np.arange(n)[::-1, None], v, causal=True)


@ALIBI_ATTENTION.add(
    "bias-on-values",
    "The values were changed by the distance. They carry content and stay as they are: the bias belongs to "
    "the scores.",
)
def _bias_on_values(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    n = k.shape[1]
    return attention(q, k, v - slopes[:, None, None] * np.arange(n)[::-1, None], causal=True)


@ALIBI_ATTENTION.add(
    "weights-decay-twice",
    "The bias enters twice. Once is enough: minus slope times distance.",
)
def _twice(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _reference(q, k, v, 2 * slopes)


# --- the mask


@ALIBI_ATTENTION.add(
    "sees-the-future",
    "Queries attend to keys after them, as in an encoder. This attention is causal: set those scores to "
    "-inf.",
)
def _sees_the_future(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=_bias(slopes, _r(q, k)))


@ALIBI_ATTENTION.add(
    "future-rewarded",
    "Keys after the query are visible, and rewarded for being far ahead. Slope times (j - i) is a penalty "
    "in the past only: set scores with j > i to -inf.",
)
def _future_rewarded(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=slopes[:, None, None] * _r(q, k))


@ALIBI_ATTENTION.add(
    "finite-mask",
    "The future is discouraged by a large number, and a steep or long line climbs over it. Use -inf, which "
    "nothing can outweigh.",
)
def _finite_mask(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return attention(q, k, v, bias=slopes[:, None, None] * r + np.where(r <= 0, 0.0, -1e4))


@ALIBI_ATTENTION.add(
    "zero-mask",
    "Scores of later keys were set to 0, and exp(0) is 1: they still have weight. Set them to -inf.",
)
def _zero_mask(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return softmax(np.where(r <= 0, _scores(q, k) + _bias(slopes, r), 0.0)) @ v


@ALIBI_ATTENTION.add(
    "mask-after-softmax",
    "The future was cut out after the softmax, so the weights that are left no longer sum to 1. Hide it "
    "before: -inf in the scores.",
)
def _mask_after_softmax(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return (softmax(_scores(q, k) + _bias(slopes, r)) * (r <= 0)) @ v


@ALIBI_ATTENTION.add(
    "misses-itself",
    "A query does not see the key at its own position. Hide the keys with j > i only; distance 0 stays.",
)
def _misses_itself(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return _attend(_scores(q, k) + _bias(slopes, r), r < 0, v)


@ALIBI_ATTENTION.add(
    "sees-the-future-only",
    "The mask is turned over: each query sees the keys after it, not those before. Rows are queries i, "
    "columns keys j; hide j > i.",
)
def _sees_the_future_only(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return _attend(_scores(q, k) + _bias(slopes, r), r >= 0, v)


# --- the cache


@ALIBI_ATTENTION.add(
    "queries-at-start",
    "With a cache the queries are taken for the first positions. They are the last: query number i stands "
    "at n_k - n_q + i, for the bias and for the mask.",
)
def _queries_at_start(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k, 0)
    return _attend(_scores(q, k) + _bias(slopes, r), r <= 0, v)


@ALIBI_ATTENTION.add(
    "distance-from-start",
    "The mask is right, but distances take the queries for the first positions. With a cache they are the "
    "last: query number i stands at n_k - n_q + i.",
)
def _distance_from_start(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _attend(_scores(q, k) + _bias(slopes, _r(q, k, 0)), _r(q, k) <= 0, v)


@ALIBI_ATTENTION.add(
    "one-ahead",
    "The queries stand one position too far, and see one key of the future. The last query and the last key "
    "share a position: query number i stands at n_k - n_q + i.",
)
def _one_ahead(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k, k.shape[1] - q.shape[1] + 1)
    return _attend(_scores(q, k) + _bias(slopes, r), r <= 0, v)


@ALIBI_ATTENTION.add(
    "no-mask-for-one-query",
    "With fewer queries than keys the mask is left out. A single query may see every key, but of several "
    "each sees only up to its own position.",
)
def _no_mask_for_one_query(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    seen = r <= 0 if q.shape[1] == k.shape[1] else r <= k.shape[1]
    return _attend(_scores(q, k) + _bias(slopes, r), seen, v)


# --- the attention around it


@ALIBI_ATTENTION.add(
    "not-scaled",
    "The scores were not scaled. Divide q @ k.T by the square root of d, then add the bias.",
)
def _not_scaled(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=alibi_bias(q.shape[1], k.shape[1], slopes), scale=1.0)


@ALIBI_ATTENTION.add("scaled-by-d", "The scores were divided by d. Divide by its square root.")
def _scaled_by_d(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=alibi_bias(q.shape[1], k.shape[1], slopes), scale=1 / q.shape[2])


@ALIBI_ATTENTION.add(
    "scaled-by-length",
    "The scores were divided by the square root of the number of keys. d is the number of features, the "
    "last axis of q.",
)
def _scaled_by_length(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=alibi_bias(q.shape[1], k.shape[1], slopes), scale=k.shape[1] ** -0.5)


@ALIBI_ATTENTION.add(
    "scaled-by-model-width",
    "The scores were divided by the square root of the width of all heads together. d is the width of one "
    "head, the last axis of q.",
)
def _scaled_by_model_width(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    scale = (q.shape[0] * q.shape[2]) ** -0.5
    return attention(q, k, v, bias=alibi_bias(q.shape[1], k.shape[1], slopes), scale=scale)


@ALIBI_ATTENTION.add(
    "softmax-over-heads",
    "The weights sum to 1 over the heads. They sum to 1 over the keys of each query: the softmax runs along "
    "the last axis.",
)
def _softmax_over_heads(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return softmax(np.where(r <= 0, _scores(q, k) + _bias(slopes, r), -np.inf), axis=0) @ v


@ALIBI_ATTENTION.add(
    "softmax-over-queries",
    "The weights sum to 1 over the queries. They sum to 1 over the keys of each query: the softmax runs "
    "along the last axis.",
)
def _softmax_over_queries(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return softmax(np.where(r <= 0, _scores(q, k) + _bias(slopes, r), -np.inf), axis=1) @ v


@ALIBI_ATTENTION.add(
    "softmax-over-everything",
    "The weights of all heads and queries sum to 1 together. They sum to 1 for each query: the softmax runs "
    "along the last axis.",
)
def _softmax_over_everything(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    scores = np.where(r <= 0, _scores(q, k) + _bias(slopes, r), -np.inf)
    return softmax(scores.ravel()).reshape(scores.shape) @ v


@ALIBI_ATTENTION.add(
    "no-softmax",
    "Values are weighted by the scores themselves. Put scores and bias through a softmax first.",
)
def _no_softmax(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return np.where(r <= 0, _scores(q, k) + _bias(slopes, r), 0.0) @ v


@ALIBI_ATTENTION.add(
    "weights",
    "These are the weights. Multiply them by the values: weights @ v.",
)
def _weights(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = _r(q, k)
    return softmax(np.where(r <= 0, _scores(q, k) + _bias(slopes, r), -np.inf))


@ALIBI_ATTENTION.add(
    "heads-summed",
    "The heads were added up. Each keeps its own output: the shape is (h, n_q, d_v).",
)
def _heads_summed(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _reference(q, k, v, slopes).sum(axis=0)


@ALIBI_ATTENTION.add(
    "heads-inside",
    "The axes of heads and queries have changed places. Keep the heads in front: (h, n_q, d_v).",
)
def _heads_inside(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return _reference(q, k, v, slopes).swapaxes(0, 1)


@ALIBI_ATTENTION.add(
    "heads-joined",
    "The outputs of the heads stand side by side, as before the output projection. Here they stay apart: "
    "(h, n_q, d_v).",
)
def _heads_joined(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return np.concatenate(list(_reference(q, k, v, slopes)), axis=-1)


@ALIBI_ATTENTION.add(
    "in-place",
    "The numbers are right, but an argument was changed. Leave q, k, v and slopes as they came: a cache is "
    "used again.",
)
def _in_place(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    out = _reference(q, k, v, slopes)
    q /= np.sqrt(q.shape[2])
    return out
