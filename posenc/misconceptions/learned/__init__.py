"""Mistakes in learned encodings (lesson 3): reading a table, counting tokens, resizing a grid."""

from __future__ import annotations

from posenc.misconceptions.learned.counting_axes import COUNTING
from posenc.misconceptions.learned.lookup_rows import LOOKUP
from posenc.misconceptions.learned.resize_places import RESIZE

__all__ = ["HERE"]

HERE = (LOOKUP, COUNTING, RESIZE)
