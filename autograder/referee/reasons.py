"""The nearer reason for a failed test: an answer cell that is untouched, or one that stopped."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograder.referee import sentences
from autograder.referee.plan import Step
from autograder.referee.proxies import tidy
from autograder.referee.source import Source
from autograder.report import CellResult, Verdict

_BUILTIN = {
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}


def of_cell(problem: Any, steps: Sequence[Step], *, shown: bool) -> str:
    """Say why one of the student's cells stopped."""
    if not isinstance(problem, dict):
        return "an error"
    kinds = problem.get("kinds")
    kind = (
        next((kind for kind in kinds if kind in _BUILTIN), "Exception")
        if isinstance(kinds, list)
        else "Exception"
    )
    places = [
        tuple(place) for place in problem.get("steps", []) if isinstance(place, list) and len(place) == 2
    ]
    where = sentences.at_line(steps, [place for place in places if all(type(part) is int for part in place)])
    told = f": {problem.get('message')}" if shown else ""
    return tidy(f"{kind}{told}{where}", 300)


def nearer(
    result: CellResult,
    step: Step,
    steps: Sequence[Step],
    source: Source,
    stopped: Mapping[int, str],
) -> CellResult:
    """Give the nearer reason for a failed test: an answer cell that is untouched, or that stopped."""
    if result.verdict is Verdict.PASSED or step.at is None:
        return result
    asked = source.facts[step.at].read
    for answer in steps:
        if (
            answer.at is None
            or answer.ours is None
            or not answer.ours.solution
            or answer.number > step.number
        ):
            continue
        if not source.facts[answer.at].bound & asked:
            continue
        if answer.untouched:
            return replace(result, verdict=Verdict.UNTOUCHED, message=sentences.UNTOUCHED, misconception=None)
        if result.verdict is Verdict.MISSING and answer.number in stopped:
            return replace(
                result, message=tidy(f"{result.message} Your cell stopped with {stopped[answer.number]}.")
            )
    return result
