"""The exercise ``biased_attention(q, k, v, bias)`` and its mistakes: where a bias goes, and for which head.

Wrong on purpose, each in one way. Right is ``softmax(q @ k.T / sqrt(d) + bias) @ v`` for every head.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.attention import attention, softmax
from posenc.misconceptions.entry import Family, Probe
from posenc.relative import t5_bucket

Array = NDArray[Any]


def _waves(*shape: int, start: float = 1.0) -> Any:
    """Return numbers of no pattern that a mistake could hide in."""
    return np.asarray(2 * np.sin(start + np.arange(np.prod(shape)) ** 1.5).reshape(shape))


def _from_table(h: int, n_q: int, n_k: int) -> Any:
    """Return a bias as T5 makes it: a number for each bucket and head."""
    r = np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]
    table = _waves(8, h, start=0.3)
    return np.moveaxis(table[t5_bucket(r, bidirectional=True, n_buckets=8, max_distance=16)], -1, 0)


def _causal(bias: Array) -> Any:
    n_q, n_k = bias.shape[-2:]
    return np.where(np.tri(n_q, n_k, n_k - n_q, dtype=np.bool_), bias, -np.inf)


PROBES = (
    Probe(
        (np.zeros((1, 1, 2)), np.zeros((1, 2, 2)), np.array([[[1.0], [5.0]]]), np.log([[[1.0, 3.0]]])),
        "With q = 0 the weights must be the softmax of the bias alone, along the keys.",
    ),
    Probe(
        (_waves(2, 4, 3), _waves(2, 4, 3, start=2), _waves(2, 4, 5, start=3), np.zeros((2, 4, 4))),
        "With a bias of 0 this must be plain attention: scores q . k divided by sqrt(d), softmax over "
        "the keys.",
    ),
    Probe(
        (_waves(2, 4, 3), _waves(2, 4, 3, start=2), _waves(2, 4, 5, start=3), _from_table(2, 4, 4)),
        "The bias must be added to the scores after they are divided by sqrt(d) and before the softmax, "
        "each head its own.",
    ),
    Probe(
        (_waves(3, 2, 6), _waves(3, 5, 6, start=2), _waves(3, 5, 4, start=3), _from_table(3, 2, 5)),
        "Rows of the bias belong to queries, columns to keys, also where there are fewer queries than keys.",
    ),
    Probe(
        (_waves(2, 3, 2), _waves(2, 4, 2, start=2), _waves(2, 4, 3, start=3), _causal(_from_table(2, 3, 4))),
        "A bias of minus infinity must hide that key from that query, and change nothing else.",
    ),
)


def _between_the_values(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where an output is no average of the values."""
    v = args[2]
    low, high = v.min(axis=-2, keepdims=True) - 1e-9, v.max(axis=-2, keepdims=True) + 1e-9
    if ((low <= got) & (got <= high)).all():
        return None
    return (
        "The weights of a query must be positive and sum to 1, so an output lies between the smallest and "
        "the largest value: here one does not."
    )


def _reference(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return attention(q, k, v, bias=bias)


BIASED_ATTENTION = Family("biased_attention", _reference, PROBES, invariant=_between_the_values)


def _scores(q: Array, k: Array) -> Any:
    return np.asarray(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))


# --- where the bias goes


@BIASED_ATTENTION.add(
    "after-softmax",
    "The bias was added to the weights, after the softmax: they no longer sum to 1. Add it to the "
    "scores, before the softmax.",
)
def _after_softmax(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return (softmax(_scores(q, k)) + bias) @ v


@BIASED_ATTENTION.add(
    "after-softmax-normalised",
    "The bias was added to the weights, which were then divided by their sum. Weights can turn negative "
    "that way. Add it to the scores, before the softmax.",
)
def _after_softmax_normalised(q: Array, k: Array, v: Array, bias: Array) -> Any:
    weights = softmax(_scores(q, k)) + bias
    return weights / weights.sum(axis=-1, keepdims=True) @ v


@BIASED_ATTENTION.add(
    "before-scaling",
    "The bias was divided by sqrt(d) as well: it was added before the scaling. Scale the scores "
    "first, then add it.",
)
def _before_scaling(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax((q @ k.swapaxes(-1, -2) + bias) / np.sqrt(q.shape[-1])) @ v


@BIASED_ATTENTION.add(
    "multiplied",
    "The scores were multiplied by the bias, so its effect depends on their sign. Add it.",
)
def _multiplied(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) * bias) @ v


@BIASED_ATTENTION.add(
    "weights-multiplied",
    "The weights were multiplied by the bias after the softmax. Add it to the scores, before the softmax.",
)
def _weights_multiplied(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k)) * bias @ v


@BIASED_ATTENTION.add(
    "subtracted",
    "The bias was subtracted. Add it: its sign is already in the table.",
)
def _subtracted(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) - bias) @ v


@BIASED_ATTENTION.add(
    "ignored",
    "The bias has no effect: this is plain attention. Add it to the scaled scores, before the softmax.",
)
def _ignored(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k)) @ v


@BIASED_ATTENTION.add(
    "bias-alone",
    "The queries and keys have no effect: the weights come from the bias alone. Add it to the scores.",
)
def _bias_alone(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(bias) @ v


@BIASED_ATTENTION.add(
    "softmax-twice",
    "The scores went through a softmax before the bias was added, and again after it. Add the bias to "
    "the scores themselves: one softmax, at the end.",
)
def _softmax_twice(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(softmax(_scores(q, k)) + bias) @ v


@BIASED_ATTENTION.add(
    "two-softmaxes",
    "Scores and bias went through a softmax each, and the two were added. Add scores and bias, then "
    "take one softmax of the sum.",
)
def _two_softmaxes(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return (softmax(_scores(q, k)) + softmax(bias)) @ v


# --- which head, which axis


@BIASED_ATTENTION.add(
    "first-head-for-all",
    "Every head got the bias of the first one. Each head has its own: bias[h] goes to head h.",
)
def _first_head_for_all(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias[0]) @ v


@BIASED_ATTENTION.add(
    "mean-over-heads",
    "Every head got the average bias of all heads. Each head has its own: keep the head axis.",
)
def _mean_over_heads(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias.mean(axis=0)) @ v


@BIASED_ATTENTION.add(
    "sum-over-heads",
    "Every head got the biases of all heads, added up. Each head has its own: keep the head axis.",
)
def _sum_over_heads(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias.sum(axis=0)) @ v


@BIASED_ATTENTION.add(
    "heads-reversed",
    "The heads got each other's bias, in reverse order. bias[h] goes to head h.",
)
def _heads_reversed(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias[::-1]) @ v


@BIASED_ATTENTION.add(
    "bias-transposed",
    "Rows and columns of the bias are exchanged. It comes as (h, n_q, n_k), like the scores: add it "
    "as it is.",
)
def _bias_transposed(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias.swapaxes(-1, -2)) @ v


@BIASED_ATTENTION.add(
    "keys-reversed",
    "The bias runs along the keys in reverse. Column j belongs to key j.",
)
def _keys_reversed(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias[..., ::-1]) @ v


@BIASED_ATTENTION.add(
    "one-row-for-all",
    "Every query got the bias of the last one. Each query has its own row of the bias.",
)
def _one_row_for_all(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias[:, -1:]) @ v


@BIASED_ATTENTION.add(
    "softmax-over-queries",
    "The softmax runs along the queries. A query shares its attention out among the keys: the last axis.",
)
def _softmax_over_queries(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias, axis=-2) @ v


@BIASED_ATTENTION.add(
    "softmax-over-heads",
    "The softmax runs along the heads. A query shares its attention out among the keys: the last axis.",
)
def _softmax_over_heads(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias, axis=0) @ v


@BIASED_ATTENTION.add(
    "softmax-over-all",
    "One softmax runs over all queries and keys of a head, or of all heads. Every row must sum to 1 by "
    "itself: use the last axis.",
)
def _softmax_over_all(q: Array, k: Array, v: Array, bias: Array) -> Any:
    scores = _scores(q, k) + bias
    return softmax(scores.reshape(len(scores), -1)).reshape(scores.shape) @ v


# --- the attention around it


@BIASED_ATTENTION.add(
    "not-scaled",
    "The scores were not divided by sqrt(d). T5 leaves that out, but this function keeps it: scale, "
    "then add the bias.",
)
def _not_scaled(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(q @ k.swapaxes(-1, -2) + bias) @ v


@BIASED_ATTENTION.add(
    "scaled-by-d",
    "The scores were divided by d. Divide them by its square root.",
)
def _scaled_by_d(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(q @ k.swapaxes(-1, -2) / q.shape[-1] + bias) @ v


@BIASED_ATTENTION.add(
    "scaled-by-keys",
    "The scores were divided by the square root of the number of keys. Divide by that of d, the width "
    "of q and k.",
)
def _scaled_by_keys(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(k.shape[-2]) + bias) @ v


@BIASED_ATTENTION.add(
    "scaled-by-values",
    "The scores were divided by the square root of the values' width. Divide by that of d, the width "
    "of q and k.",
)
def _scaled_by_values(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(v.shape[-1]) + bias) @ v


@BIASED_ATTENTION.add(
    "scaled-by-all-heads",
    "The scores were divided by the square root of the width of all heads together. Divide by that of d, "
    "the width of one head.",
)
def _scaled_by_all_heads(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[0] * q.shape[-1]) + bias) @ v


@BIASED_ATTENTION.add(
    "no-softmax",
    "The values are weighted by scores and bias themselves. Put their sum through a softmax first.",
)
def _no_softmax(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return (_scores(q, k) + bias) @ v


@BIASED_ATTENTION.add(
    "keys-reshaped",
    "The keys were reshaped where they should be transposed: their features got mixed. Exchange the "
    "last two axes, as k.swapaxes(-1, -2) does.",
)
def _keys_reshaped(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(q @ k.reshape(len(k), k.shape[2], k.shape[1]) / np.sqrt(q.shape[-1]) + bias) @ v


@BIASED_ATTENTION.add(
    "future-hidden",
    "Keys after the query are hidden, though the bias does not say so. Where a mask is wanted, the bias "
    "holds minus infinity.",
)
def _future_hidden(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return attention(q, k, v, bias=bias, causal=True)


# --- what comes back


@BIASED_ATTENTION.add(
    "weights-returned",
    "The attention weights came back. Return what they make of the values: weights @ v.",
)
def _weights_returned(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(_scores(q, k) + bias)


@BIASED_ATTENTION.add(
    "heads-joined",
    "The heads were joined into one width. Joining belongs to the layer around; return (h, n_q, d_v).",
)
def _heads_joined(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return np.concatenate(list(_reference(q, k, v, bias)), axis=-1)


@BIASED_ATTENTION.add(
    "heads-added",
    "The heads were added up. Return one output for each head: (h, n_q, d_v).",
)
def _heads_added(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return np.asarray(_reference(q, k, v, bias).sum(axis=0))


@BIASED_ATTENTION.add(
    "in-place",
    "The numbers are right, but the bias was changed. Every layer adds the same bias again: add into "
    "a new array.",
)
def _in_place(q: Array, k: Array, v: Array, bias: Array) -> Any:
    out = _reference(q, k, v, bias)
    bias += _scores(q, k)
    return out
