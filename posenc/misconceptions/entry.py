"""What an entry of the catalogue is, and what an exercise's part of it holds.

Plain data. Nothing here runs a wrong implementation or judges an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Answer: TypeAlias = Callable[..., Any]


@dataclass(frozen=True)
class Misconception:
    """A mistake that people make: its name, a program that makes it, and the sentence that helps.

    The line never quotes an input, a value or a shape: hidden tests say it too.
    """

    id: str
    exercise: str
    line: str
    wrong: Answer


@dataclass(frozen=True)
class Probe:
    """One call that tells answers apart, and the claim that a right answer keeps there."""

    args: tuple[Any, ...]
    claim: str


@dataclass
class Family:
    """An exercise with its reference, its probes and the mistakes known for it."""

    exercise: str
    reference: Answer
    probes: tuple[Probe, ...]
    keeps_dtype: bool = False
    #: Says what an answer breaks that holds on every probe, or nothing: ``(args, got) -> sentence | None``.
    invariant: Callable[[tuple[Any, ...], Any], str | None] = lambda args, got: None
    entries: list[Misconception] = field(default_factory=list)

    def add(self, name: str, line: str) -> Callable[[Answer], Answer]:
        """Enter the decorated function as a wrong implementation of this exercise."""

        def enter(wrong: Answer) -> Answer:
            self.entries.append(Misconception(f"{self.exercise}-{name}", self.exercise, line, wrong))
            return wrong

        return enter


def waves(*shape: int, start: float = 1.0) -> NDArray[np.float64]:
    """Return numbers for a probe, of no pattern that a mistake could hide in."""
    return np.asarray(2 * np.sin(start + np.arange(np.prod(shape)) ** 1.5).reshape(shape))
