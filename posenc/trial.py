"""A trial of an answer: an exercise's probes, what the reference says to them, and what known mistakes say.

Loads the catalogue when a trial is first asked for, never before. Judges nobody: `posenc.checks` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from posenc.plain import distance, plain, tolerances

if TYPE_CHECKING:
    from posenc.misconceptions import Family, Misconception

#: What a call came to: what it returned, or the exception that it raised.
Outcome: TypeAlias = Any
#: An outcome to compare with: an array, or the type of an exception.
Want: TypeAlias = Any


@dataclass(frozen=True)
class Trial:
    """An exercise's family, with the answers of its reference and of its mistakes computed once."""

    family: Family

    @cached_property
    def wants(self) -> tuple[Want, ...]:
        """What the reference answers to each probe."""
        return self._answers(self.family.reference)

    @cached_property
    def mistakes(self) -> tuple[tuple[Misconception, tuple[Want, ...]], ...]:
        """Every known mistake with what it answers to each probe."""
        with np.errstate(all="ignore"):
            return tuple((entry, self._answers(entry.wrong)) for entry in self.family.entries)

    def mistakes_like(self, outcomes: list[Outcome]) -> list[Misconception]:
        """Return the mistakes that answer as these outcomes do, as far as they go."""
        keeps = self.family.keeps_dtype
        return [
            entry
            for entry, answers in self.mistakes
            if all(same(got, want, keeps) for got, want in zip(outcomes, answers, strict=False))
        ]

    def _answers(self, f: Callable[..., Any]) -> tuple[Want, ...]:
        outcomes = (call(f, probe.args)[0] for probe in self.family.probes)
        return tuple(type(o) if isinstance(o, Exception) else np.array(o) for o in outcomes)


@cache
def trial(exercise: str) -> Trial:
    """Return the trial of an exercise; it depends on nothing but the library's own constants."""
    from posenc.misconceptions import FAMILIES

    if exercise not in FAMILIES:
        raise ValueError(f"exercise must be one of {', '.join(FAMILIES)}, got {exercise!r}")
    return Trial(FAMILIES[exercise])


def call(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Outcome, bool]:
    """Call `f` with copies; return what came, and whether it changed an argument."""
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    try:
        outcome = f(*copies)
    except Exception as error:
        outcome = error
    return outcome, any(
        isinstance(a, np.ndarray) and a.tobytes() != b.tobytes() for a, b in zip(args, copies, strict=True)
    )


def same(got: Outcome, want: Want, keeps_dtype: bool) -> bool:
    """Say whether an outcome is the one wanted, up to 1e-6 (more in half and single precision)."""
    if isinstance(want, type):
        return isinstance(got, want)
    array = plain(got)
    if array is None or array.shape != want.shape or array.dtype.kind == "c":
        return False
    if keeps_dtype and array.dtype != want.dtype:
        return False
    # In half and single precision, right answers that round at different steps differ by a few units.
    return bool((distance(array, want) <= max(1e-6, 5 * tolerances(want.dtype)[1])).all())
