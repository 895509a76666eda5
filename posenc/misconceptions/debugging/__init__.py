"""Bugs that shipped (lesson 9): ten programs after public reports, and mistakes in mending them.

`BUGS` says of each which inputs cannot see it; `posenc.checks.exposes` asks.
"""

from __future__ import annotations

from posenc.misconceptions.debugging.bug import Bug
from posenc.misconceptions.debugging.cache import CACHE
from posenc.misconceptions.debugging.dynamic import DYNAMIC
from posenc.misconceptions.debugging.factor import FACTOR
from posenc.misconceptions.debugging.grid import GRID
from posenc.misconceptions.debugging.heads import HEADS
from posenc.misconceptions.debugging.layout import LAYOUT
from posenc.misconceptions.debugging.padding import PADDING
from posenc.misconceptions.debugging.precision import PRECISION
from posenc.misconceptions.debugging.ratio import RATIO
from posenc.misconceptions.debugging.slopes import SLOPES

__all__ = ["BUGS", "HERE"]

_IN_ORDER = (PRECISION, LAYOUT, HEADS, CACHE, DYNAMIC, SLOPES, FACTOR, PADDING, GRID, RATIO)
#: By exercise, in the order of the lesson.
BUGS: dict[str, Bug] = {bug.family.exercise: bug for bug in _IN_ORDER}
HERE = tuple(bug.family for bug in _IN_ORDER)
