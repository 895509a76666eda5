"""What right and wrong sinusoids are made of: the angles of every pair, and the columns made of them.

A mistake is written once, for positions of any shape and any d, and entered for each exercise that it fits.
The mistakes are in `angles` and `columns`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from posenc.misconceptions.entry import Answer, Family
from posenc.sinusoidal import at, shift_matrix

__all__ = [
    "BASE",
    "Array",
    "Slip",
    "angles",
    "at",
    "columns",
    "enter",
    "exponent",
    "pair_lengths",
    "shift_matrix",
    "waves",
]

Array: TypeAlias = NDArray[Any]
BASE = 10000.0


@dataclass(frozen=True)
class Slip:
    """A mistake before it is entered for an exercise: ``wrong(p, d)`` gives angles or columns."""

    name: str
    line: str
    wrong: Answer


def exponent(d: int) -> Any:
    """Return 2i/d for each pair i; with odd d the last pair is a sine alone."""
    return np.arange(0, d, 2) / d


def angles(p: Any, d: int) -> Any:
    """Return the right angle of each pair, (..., pairs) in radians."""
    return np.asarray(p, dtype=np.float64)[..., None] * BASE ** -exponent(d)


def columns(first: Array, second: Array, d: int) -> Any:
    """Interleave two features a pair, and drop what is past d."""
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)[..., :d]


def waves(a: Array, d: int) -> Any:
    """Return sines and cosines of the angles."""
    return columns(np.sin(a), np.cos(a), d)


def enter(family: Family, slips: tuple[Slip, ...], lift: Any) -> None:
    """Enter mistakes for an exercise, each made into an answer by `lift`."""
    for slip in slips:
        family.add(slip.name, slip.line)(lift(slip.wrong))


def pair_lengths(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where the squares of a pair do not add up to 1."""
    d = got.shape[-1] // 2 * 2
    squares = got[..., 0:d:2] ** 2 + got[..., 1:d:2] ** 2
    if np.allclose(squares, 1, atol=0.01):
        return None
    return (
        "In columns 2i and 2i+1 stand the sine and the cosine of one angle, so their squares add up to 1: "
        "here they do not."
    )
