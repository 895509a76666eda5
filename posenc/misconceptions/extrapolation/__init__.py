"""Mistakes in the lab (lesson 8): in playing the registers, in measuring, and in the bias of all heads.

A rotation that is plugged in is judged by lesson 6's family.
"""

from __future__ import annotations

from posenc.misconceptions.extrapolation.alibi_heads import ALIBI_HEADS
from posenc.misconceptions.extrapolation.read_registers import READ_REGISTERS
from posenc.misconceptions.extrapolation.second_half import SECOND_HALF

__all__ = ["HERE"]

HERE = (READ_REGISTERS, SECOND_HALF, ALIBI_HEADS)
