"""What a grade is: verdicts, one result a cell, one report a notebook.

Pure data, known to every room above. Nothing here runs, reads or writes anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """How one graded cell ended. The set is closed."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    RAISED = "RAISED"
    TIMEOUT = "TIMEOUT"
    MEMORY = "MEMORY"
    CRASHED = "CRASHED"
    FORBIDDEN = "FORBIDDEN"
    MALFORMED = "MALFORMED"
    MISSING = "MISSING"
    UNTOUCHED = "UNTOUCHED"
    MANUAL = "MANUAL"
    INTERNAL = "INTERNAL"


@dataclass(frozen=True)
class CellResult:
    """The outcome of one graded cell.

    `score` is None for a cell that waits for a person, and for INTERNAL: a fault of ours is never a zero.
    """

    grade_id: str
    score: float | None
    max_score: float
    verdict: Verdict
    message: str = ""
    misconception: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "grade_id": self.grade_id,
            "score": self.score,
            "max_score": self.max_score,
            "verdict": self.verdict.value,
            "message": self.message,
            "misconception": self.misconception,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CellResult:
        return cls(
            grade_id=data["grade_id"],
            score=data["score"],
            max_score=data["max_score"],
            verdict=Verdict(data["verdict"]),
            message=data["message"],
            misconception=data["misconception"],
        )


@dataclass(frozen=True)
class Report:
    """What became of one submitted notebook: one explained row for every graded cell."""

    notebook: str
    path: str
    student: str | None
    cells: Sequence[CellResult]
    isolation: str = "process"
    sandbox: bool = True
    hashes: Mapping[str, str] = field(default_factory=dict)

    @property
    def automatic(self) -> list[CellResult]:
        return [cell for cell in self.cells if cell.verdict is not Verdict.MANUAL]

    @property
    def manual(self) -> list[CellResult]:
        return [cell for cell in self.cells if cell.verdict is Verdict.MANUAL]

    @property
    def score(self) -> float:
        return float(sum(cell.score or 0.0 for cell in self.automatic))

    @property
    def max_score(self) -> float:
        return float(sum(cell.max_score for cell in self.automatic))

    @property
    def needs_manual(self) -> bool:
        return any(cell.score is None for cell in self.manual)

    @property
    def manual_max_score(self) -> float:
        return float(sum(cell.max_score for cell in self.manual))

    @property
    def internal(self) -> bool:
        return any(cell.verdict is Verdict.INTERNAL for cell in self.cells)

    def named(self, *, path: str, student: str | None = None) -> Report:
        """Return the same report for a notebook that lies at `path` and belongs to `student`."""
        return replace(self, path=path, student=student)

    def to_json(self) -> dict[str, Any]:
        """Return the object that ``--json`` prints; `from_json` reads it back."""
        return {
            "notebook": self.notebook,
            "path": self.path,
            "student": self.student,
            "score": self.score,
            "max_score": self.max_score,
            "needs_manual": self.needs_manual,
            "manual_max_score": self.manual_max_score,
            "isolation": self.isolation,
            "sandbox": self.sandbox,
            "cells": [cell.to_json() for cell in self.cells],
            **({"hashes": dict(self.hashes)} if self.hashes else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Report:
        return cls(
            notebook=data["notebook"],
            path=data["path"],
            student=data["student"],
            cells=[CellResult.from_json(cell) for cell in data["cells"]],
            isolation=data["isolation"],
            sandbox=data["sandbox"],
            hashes=data.get("hashes", {}),
        )
