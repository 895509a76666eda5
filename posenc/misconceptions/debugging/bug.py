"""What a bug that shipped is: the exercise that mends it, and the inputs that cannot see it.

Holds the rotation that the shipped programs share, and judges no input: `posenc.exposure` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from posenc.misconceptions.entry import Answer, Family
from posenc.plain import Array
from posenc.rotary import rotate

#: What may hold of the arguments of a call, and the sentence for an input of which it does, or does not.
Rule: TypeAlias = tuple[Callable[..., Any], str]


@dataclass(frozen=True)
class Bug:
    """A bug that shipped, told by what it takes to see it.

    The sentences never quote an input, a value or a shape.
    """

    #: Its entry ``<exercise>-shipped`` is the program that shipped, its reference the right one.
    family: Family
    #: What an input must be, each with the sentence for one that is not. They hold in this order.
    needs: tuple[Rule, ...]
    #: Families of inputs on which the shipped program is right; the first that an input belongs to is told.
    blind: tuple[Rule, ...]
    #: How far apart the two must come out, as a share of the largest right number.
    clearly: float = 1e-3

    @property
    def shipped(self) -> Answer:
        """The program that shipped."""
        name = f"{self.family.exercise}-shipped"
        return next(entry.wrong for entry in self.family.entries if entry.id == name)


def turn(x: Array, angle: Array) -> Array:
    """Turn features i and i + d/2 by ``angle[..., i]`` radians, as the lesson's own helper does."""
    return rotate(x, np.exp(1j * np.asarray(angle)), layout="half")


def outer(positions: Any, frequencies: Any) -> Array:
    """Return the angle of every pair at every position, (..., d/2)."""
    return np.asarray(np.multiply.outer(positions, frequencies))


def whole(value: Any, low: int, high: int) -> bool:
    """Say whether a value is one whole number within bounds."""
    return type(value) is int and low <= value <= high


def matrices(*arrays: Any) -> bool:
    """Say whether arguments are matrices with at least one number, of floats."""
    return all(np.ndim(a) == 2 and np.size(a) and a.dtype.kind == "f" for a in arrays)


def alike(rows: Array) -> bool:
    """Say whether all rows are equal."""
    return bool((rows == rows[:1]).all())
