r"""Rotary position embedding (RoPE): a position turns each pair of features by an angle.

Pure functions. Nothing here changes its input, draws, checks an answer or remembers a call.

A pair :math:`(x_0, x_1)` at position :math:`p` becomes :math:`(x_0 + i x_1) e^{i p w}`: counter-clockwise by
:math:`p w` radians. Two layouts say which features form pair `i` of `d`: ``"interleaved"``, neighbours
(2i, 2i+1), and ``"half"``, (i, i + d/2). Angles are computed in float64 and cast last, whatever the dtype.

A lesson that withholds this package withholds all of its modules: no rotation may lie outside of it.
"""

from __future__ import annotations

from posenc.rotary.axes import mrope, rope_2d
from posenc.rotary.decay import xpos
from posenc.rotary.layouts import permute_weights, to_half, to_interleaved
from posenc.rotary.pairs import rope, rotate, table

__all__ = [
    "mrope",
    "permute_weights",
    "rope",
    "rope_2d",
    "rotate",
    "table",
    "to_half",
    "to_interleaved",
    "xpos",
]
