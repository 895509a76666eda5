"""A class room in one process: the referee here, the real interpreter over plain `exec` there."""

from __future__ import annotations

import linecache
from typing import Any

from autograder.referee.channels import TwinChannel
from autograder.referee.referee import Outcome, Rules, judge
from autograder.referee.source import Source
from autograder.student.interpreter import Interpreter
from autograder.student.problems import Places


class PlainCells:
    """Runs cells with `exec`, without IPython, so that a test leaves pytest's own streams alone."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self._places = Places()

    def run(self, number: int, source: str) -> dict[str, Any]:
        name = self._places.name(number)
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        try:
            exec(compile(source, name, "exec", dont_inherit=True), self.names)
        except BaseException as error:
            return {"outputs": [], "error": self.problem(error)}
        return {"outputs": [], "error": None}

    def problem(self, error: BaseException) -> dict[str, Any]:
        return self._places.describe(error)


def channel() -> TwinChannel:
    return TwinChannel(lambda ask: Interpreter(PlainCells(), ask))


def given(source: str, **settings: Any) -> dict[str, Any]:
    return _cell("code", source, settings)


def answer(grade_id: str, source: str) -> dict[str, Any]:
    return _cell("code", source, {}, grade_id, solution=True)


def check(grade_id: str, source: str, points: float = 2, **settings: Any) -> dict[str, Any]:
    return _cell("code", source, settings, grade_id, grade=True, locked=True, points=points)


def hidden(grade_id: str, source: str, points: float = 2, **settings: Any) -> dict[str, Any]:
    fenced = f"### BEGIN HIDDEN TESTS\n{source}\n### END HIDDEN TESTS"
    return check(grade_id, fenced, points, **settings)


def manual(grade_id: str, source: str, points: float = 1) -> dict[str, Any]:
    return _cell("markdown", source, {}, grade_id, grade=True, solution=True, points=points)


def _cell(
    kind: str, source: str, settings: dict[str, Any], grade_id: str = "", **marks: Any
) -> dict[str, Any]:
    metadata: dict[str, Any] = {"autograder": settings} if settings else {}
    if grade_id:
        roles = {"grade": False, "solution": False, "task": False, "locked": False, **marks}
        metadata["nbgrader"] = {"grade_id": grade_id, "schema_version": 3, "cell_type": kind, **roles}
    return {"cell_type": kind, "metadata": metadata, "source": source}


def notebook(*cells: dict[str, Any]) -> dict[str, Any]:
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}


def handed_in(source: dict[str, Any], **answers: str) -> dict[str, Any]:
    """Return `source` with other texts in its answer cells."""
    cells = []
    for cell in source["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cells.append({**cell, "source": answers.get(name, cell["source"])})
    return {**source, "cells": cells}


def grade(source: dict[str, Any], submission: dict[str, Any] | None = None, **rules: Any) -> Outcome:
    return judge(Source(source), submission or source, channel, Rules(**rules))


def verdicts(outcome: Outcome) -> dict[str, str]:
    return {result.grade_id: result.verdict.value for result in outcome.results}
