"""Mistakes in attention without positions (lesson 1): in `softmax`, `attention` and `is_equivariant`."""

from __future__ import annotations

from posenc.misconceptions.entry import Family
from posenc.misconceptions.order.attention_roles import ATTENTION
from posenc.misconceptions.order.equivariance_comparison import EQUIVARIANCE
from posenc.misconceptions.order.softmax_weights import SOFTMAX

__all__ = ["HERE"]

HERE: tuple[Family, ...] = (SOFTMAX, ATTENTION, EQUIVARIANCE)
