"""Mistakes in scaled frequencies (lesson 7): interpolation, a larger base, and the three steps of YaRN."""

from __future__ import annotations

from posenc.misconceptions.scaling.blend import BLEND
from posenc.misconceptions.scaling.dynamic_base import DYNAMIC_BASE
from posenc.misconceptions.scaling.interpolate import INTERPOLATE
from posenc.misconceptions.scaling.ntk_base_exponent import NTK_BASE
from posenc.misconceptions.scaling.ramp_shape import RAMP
from posenc.misconceptions.scaling.temperature import TEMPERATURE

__all__ = ["HERE"]

HERE = (INTERPOLATE, NTK_BASE, DYNAMIC_BASE, RAMP, BLEND, TEMPERATURE)
