"""Cases, and how far an answer of posenc is from the one that is wanted.

A case is data: a name in posenc, its arguments, and what other people's code makes of the same. So the same
cases serve `make conformance` and, kept as JSON, the tests that run without torch. Never imports torch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

#: Of the largest number in a vector, or of each entry for what has no vector: frequencies, slopes.
TOLERANCES = {"float64": 1e-6, "float32": 1e-4}


@dataclass(frozen=True)
class Case:
    """Arguments, and what must come of them: as many arrays as the function returns."""

    arguments: Mapping[str, Any]
    want: tuple[Any, ...]


@dataclass(frozen=True)
class Group:
    """Cases of one function against one reference; `by_vector` says what an error is a fraction of."""

    function: str
    about: str
    reference: str
    cases: Callable[[np.random.Generator, str], Iterator[Case]]
    by_vector: bool = False


@dataclass
class Agreement:
    """How many cases agreed, how far the worst was off, and the first few that did not agree."""

    tried: int = 0
    agreed: int = 0
    worst: float = 0.0
    disagreements: list[str] = field(default_factory=list)

    def add(self, off: float, tolerance: float, what: str) -> None:
        """Count one case."""
        agrees = off <= tolerance
        self.tried += 1
        self.agreed += agrees
        self.worst = max(self.worst, off)
        if not agrees and len(self.disagreements) < 3:
            self.disagreements.append(f"off by {off:.1e}: {what[:400]}")


def call(function: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what ``posenc.<function>`` returns, as a tuple of arrays."""
    module, name = function.rsplit(".", 1)
    got = getattr(import_module(f"posenc.{module}"), name)(**arguments)
    return tuple(map(np.asarray, got if isinstance(got, tuple) else (got,)))


def distance(got: tuple[Any, ...], want: tuple[Any, ...], *, by_vector: bool) -> float:
    """Return the largest relative error; infinite where shapes differ, or whole numbers at all."""
    if len(got) != len(want):
        return math.inf
    return max(_distance(np.asarray(g), np.asarray(w), by_vector) for g, w in zip(got, want, strict=True))


def _distance(got: Any, want: Any, by_vector: bool) -> float:
    if got.shape != want.shape:
        return math.inf
    if want.dtype.kind in "iu":
        return 0.0 if got.dtype.kind in "iu" and np.array_equal(got, want) else math.inf
    same = got == want  # the infinities of a mask are; they are no part of what follows
    size = np.abs(np.where(np.isfinite(want), want, 0.0).astype(np.float64))
    if by_vector and size.ndim:
        size = size.max(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.where(same, 0.0, np.abs(got.astype(np.float64) - want) / size)
    return float(np.where(np.isnan(off), np.inf, off).max(initial=0.0))


def compare(group: Group, cases: Iterator[Case], dtype: str) -> tuple[Agreement, list[Case]]:
    """Ask posenc each case; return how it went, and the cases."""
    agreement, asked = Agreement(), []
    for case in cases:
        asked.append(case)
        what = repr(dict(case.arguments))
        try:
            off = distance(call(group.function, case.arguments), case.want, by_vector=group.by_vector)
        except Exception as error:  # whatever posenc raises where the reference has an answer
            off, what = math.inf, f"{type(error).__name__}: {error} for {what}"
        agreement.add(off, TOLERANCES[dtype], what)
    return agreement, asked
