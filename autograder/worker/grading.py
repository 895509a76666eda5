"""Grades submissions in this process: one zygote a lesson, the source's own answers first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograder.notebook import UnreadableError, read
from autograder.referee.outputs import assemble
from autograder.referee.plan import lay
from autograder.referee.referee import Outcome, Rules, judge
from autograder.referee.source import Source
from autograder.report import CellResult, Verdict
from autograder.worker.processes import Setup, Zygote, importers

_HINT = " (a course whose tests reach into the student's namespace needs --isolation=kernel)"
Announce = Callable[[str, float], None]


class SourceError(ValueError):
    """The source notebook cannot be graded against: its own answers do not pass its own tests."""


class Bench:
    """A place to grade: keeps the zygote of the lesson that was graded last."""

    def __init__(
        self, *, sandboxed: bool, figures: bool, rules: Rules, preload: Callable[[], None] = lambda: None
    ) -> None:
        self._sandboxed = sandboxed
        self._figures = figures
        self._rules = rules
        self._preload = preload
        self._zygote: Zygote | None = None
        self._source: Source | None = None

    def open(self, source: Source, announce: Announce = lambda *_: None) -> None:
        """Make ready for `source`; raise SourceError where its own answers do not pass."""
        if self._source is not None and self._source.fingerprint == source.fingerprint:
            return
        self.close()
        if source.problems:
            raise SourceError("; ".join(source.problems))
        withheld = importers(source.withheld)
        setup = Setup(source.modules - withheld, withheld, self._sandboxed, self._figures)
        self._zygote = Zygote(setup)
        self._preload()  # while the zygote loads what it needs

        def about(name: str, seconds: float) -> None:
            announce("the source's own answers", seconds)

        outcome = judge(source, source.notebook, self._zygote.student, self._rules, about, frank=True)
        failed = [
            result for result in outcome.results if result.verdict not in (Verdict.PASSED, Verdict.MANUAL)
        ]
        if failed:
            self.close()
            told = "; ".join(f"{result.grade_id}: {result.verdict} {result.message}" for result in failed)
            hint = "" if self._rules.isolation == "kernel" else _HINT
            raise SourceError(f"the source's own answers must pass every test, got {told}{hint}")
        self._source = source

    def grade(
        self,
        data: bytes,
        announce: Announce = lambda *_: None,
        verdicts: Mapping[str, CellResult] | None = None,
    ) -> Outcome:
        """Grade the notebook in `data` against the source that is open."""
        assert self._source is not None and self._zygote is not None
        try:
            submission = read(data)
        except UnreadableError as error:
            return unreadable(self._source, f"This could not be read: {error}.")
        return judge(self._source, submission, self._zygote.student, self._rules, announce, verdicts)

    def close(self) -> None:
        if self._zygote is not None:
            self._zygote.close()
        self._zygote = self._source = None


def unreadable(source: Source, reason: str, verdict: Verdict = Verdict.MALFORMED) -> Outcome:
    """Return the outcome of a file that is no notebook: an explained row for every graded cell."""
    results = []
    for cell in source.graded:
        assert cell.grade_id is not None
        score = None if verdict is Verdict.INTERNAL else 0.0
        kind = Verdict.MANUAL if cell.is_manual and verdict is not Verdict.INTERNAL else verdict
        results.append(CellResult(cell.grade_id, score, cell.points, kind, reason))
    empty: dict[str, Any] = {"cells": []}
    return Outcome(assemble(lay(source, empty), {}, results), results)
