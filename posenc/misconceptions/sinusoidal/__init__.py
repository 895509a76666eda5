"""Mistakes in sinusoidal encodings (lesson 2): the table, codes of any positions, the shift matrix."""

from __future__ import annotations

from posenc.misconceptions.sinusoidal.encode import ENCODE
from posenc.misconceptions.sinusoidal.shift import SHIFT_MATRIX
from posenc.misconceptions.sinusoidal.table import SINUSOIDAL

__all__ = ["HERE"]

HERE = (SINUSOIDAL, ENCODE, SHIFT_MATRIX)
