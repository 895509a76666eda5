"""Pictures of encodings, in one line each: every function takes an `ax`, draws on it and returns it.

This room draws what it is given and computes no encoding, so that it works where a lesson withholds one. It
makes no figure unless asked to, shows none and saves none.
"""

from __future__ import annotations

from posenc.draw.curves import lines, score_against_offset, slopes, staircase, wavelengths
from posenc.draw.diagrams import permutation, places
from posenc.draw.marks import marks
from posenc.draw.matrices import gram, heat_map
from posenc.draw.measured import bars, by_length, coloured_text
from posenc.draw.panels import comparison, side_by_side
from posenc.draw.plane import circle
from posenc.draw.repairs import repair

__all__ = [
    "bars",
    "by_length",
    "circle",
    "coloured_text",
    "comparison",
    "gram",
    "heat_map",
    "lines",
    "marks",
    "permutation",
    "places",
    "repair",
    "score_against_offset",
    "side_by_side",
    "slopes",
    "staircase",
    "wavelengths",
]
