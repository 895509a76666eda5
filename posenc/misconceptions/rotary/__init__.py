"""Mistakes in rotary encodings (lesson 6): in `rope`, in a score, a sequence, the layouts, and decoding."""

from __future__ import annotations

from posenc.misconceptions.rotary.decode import DECODE
from posenc.misconceptions.rotary.layouts import PERMUTE, TO_HALF
from posenc.misconceptions.rotary.rope_angles import ROPE
from posenc.misconceptions.rotary.rotate import ROTATE
from posenc.misconceptions.rotary.score import SCORE

__all__ = ["HERE"]

HERE = (ROPE, SCORE, ROTATE, TO_HALF, PERMUTE, DECODE)
