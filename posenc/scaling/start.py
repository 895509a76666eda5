"""Where every scaling starts: the plain frequencies, and what has to hold of the arguments.

Knows no scaling of its own.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from posenc.plain import need_even
from posenc.sinusoidal import frequencies

Float64: TypeAlias = NDArray[np.float64]
#: Frequencies in radians per position, and what cosine and sine are multiplied by.
Scaled: TypeAlias = tuple[Float64, float]


def plain_frequencies(d: int, base: float) -> Float64:
    """Return ``base ** (-2 * i / d)`` for the d/2 pairs; ValueError for odd `d`, or a base not above 0."""
    need_even(d)
    return frequencies(d, base=base)


def need_stretch(s: float) -> None:
    """Raise ValueError if `s` would shrink, as the inverse of a stretch does."""
    if not s >= 1:
        raise ValueError(f"s must be at least 1, got {s}")


def need_length(name: str, length: float) -> None:
    """Raise ValueError unless a length in positions is positive."""
    if not length > 0:
        raise ValueError(f"{name} must be positive, got {length}")
