"""What all pictures share: colours, line styles, markers, and ticks.

Colours are safe for colour-blind readers; what colour says, a marker, a line style or a label says too, so
that pictures can be read in grey.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axis import Axis

__all__ = ["BOTH_WAYS", "COLOURS", "LINES", "MARKERS", "ONE_WAY", "whole_numbers"]

#: Okabe and Ito's colours, the ones that differ most in lightness first.
COLOURS = ("#0072B2", "#E69F00", "#000000", "#CC79A7", "#009E73", "#56B4E9")
LINES = ("-", "--", ":", "-.")
MARKERS = ("o", "s", "^", "D")
#: For values, and for differences: white at 0, orange below, purple above.
ONE_WAY, BOTH_WAYS = "cividis", "PuOr"


def whole_numbers(*axis: Axis) -> None:
    """Put ticks at whole numbers only: there is no position and a half."""
    from matplotlib.ticker import MaxNLocator

    for each in axis:
        each.set_major_locator(MaxNLocator(integer=True))
