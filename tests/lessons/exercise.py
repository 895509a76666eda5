"""What the tests know of an exercise: right answers in several styles, and wrong ones.

Plain data and its counting; the tests beside it judge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from posenc import misconceptions

Answers = dict[str, Any]


@dataclass(frozen=True)
class Exercise:
    """An exercise of a lesson, or one of several functions that one exercise asks for."""

    #: The cells are `{cell}_test` and `{cell}_hidden`.
    cell: str
    #: The function that the student writes, or "" where they write numbers or choices.
    function: str = ""
    #: The exercise of the catalogue, for `posenc.checks.explain`, or "".
    family: str = ""
    #: Answers that must pass, by style: what to bind, on top of the solution's own.
    right: dict[str, Any] = field(default_factory=dict)
    #: Answers beyond the catalogue that must fail: what to bind.
    wrong: dict[str, Any] = field(default_factory=dict)
    #: For those of `wrong` whose mistake is named: words that the visible test's message has.
    hints: dict[str, str] = field(default_factory=dict)

    def answers(self, given: Any) -> Answers:
        """Return what to bind for one of `right` or `wrong`: a function goes by its own name."""
        return given if isinstance(given, dict) else {self.function: given}

    def mistakes(self) -> list[misconceptions.Misconception]:
        """Return the catalogue's wrong answers."""
        return list(misconceptions.for_exercise(self.family)) if self.family else []
