"""Mistakes in linear biases (lesson 5): in the bias of a head, the slopes of all, and in biased attention."""

from __future__ import annotations

from posenc.misconceptions.alibi.attention_weights import ALIBI_ATTENTION
from posenc.misconceptions.alibi.bias_slope import ALIBI_BIAS
from posenc.misconceptions.alibi.slopes_heads import ALIBI_SLOPES

__all__ = ["HERE"]

HERE = (ALIBI_BIAS, ALIBI_SLOPES, ALIBI_ATTENTION)
