"""Mistakes in ``biased_attention(q, k, v, bias)`` about the scale of the scores, and what comes back.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.attention import attention, softmax
from posenc.misconceptions.relative.biased_attention import Array, right, scaled_scores
from posenc.misconceptions.relative.biased_attention_sum import BIASED_ATTENTION

__all__ = ["BIASED_ATTENTION"]  # by now with all its mistakes


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
    return (scaled_scores(q, k) + bias) @ v


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
    return softmax(scaled_scores(q, k) + bias)


@BIASED_ATTENTION.add(
    "heads-joined",
    "The heads were joined into one width. Joining belongs to the layer around; return (h, n_q, d_v).",
)
def _heads_joined(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return np.concatenate(list(right(q, k, v, bias)), axis=-1)


@BIASED_ATTENTION.add(
    "heads-added",
    "The heads were added up. Return one output for each head: (h, n_q, d_v).",
)
def _heads_added(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return np.asarray(right(q, k, v, bias).sum(axis=0))


@BIASED_ATTENTION.add(
    "in-place",
    "The numbers are right, but the bias was changed. Every layer adds the same bias again: add into "
    "a new array.",
)
def _in_place(q: Array, k: Array, v: Array, bias: Array) -> Any:
    out = right(q, k, v, bias)
    bias += scaled_scores(q, k)
    return out
