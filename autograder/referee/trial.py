"""One test cell, run on the trusted side or, for courses that need it, in the student's process."""

from __future__ import annotations

import ast
import contextlib
import io
import math
import numbers
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

from autograder.referee import names, outputs, sentences
from autograder.referee.namespace import Namespace
from autograder.referee.plan import Step
from autograder.referee.proxies import StudentError, tidy
from autograder.referee.session import Gone, Message, Missing, NotPlain, Session
from autograder.report import CellResult, Verdict
from autograder.wire import Malformed, Unsendable

_PRINTED = 10_000


@dataclass(frozen=True)
class Ending:
    """How a test ended: what it raised, the value of its last expression, what it printed."""

    error: BaseException | None
    value: object = None
    printed: str = ""


class _Sink(io.StringIO):
    def write(self, text: str) -> int:
        if self.tell() < _PRINTED:
            super().write(text[:_PRINTED])
        return len(text)


@lru_cache(maxsize=1024)
def _compiled(source: str, filename: str) -> tuple[CodeType, CodeType | None]:
    """Compile a test cell: its body, and apart from it the last expression, which may be partial credit."""
    tree = names.parse(source)
    last: ast.Expr | None = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        tree.body.pop()
    body = compile(tree, filename, "exec", dont_inherit=True)
    if last is None:
        return body, None
    return body, compile(ast.Expression(last.value), filename, "eval", dont_inherit=True)


def run(step: Step, namespace: Namespace) -> Ending:
    """Run a test cell in `namespace`; what it prints stays off this process's own streams."""
    body, last = _compiled(step.cell.source, sentences.filename(step))
    sink, aside = _Sink(), _Sink()
    error: BaseException | None = None
    value = None
    with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(aside), warnings.catch_warnings():
        try:
            exec(body, namespace)
            if last is not None:
                value = eval(last, namespace)
        except BaseException as caught:
            error = caught
    return Ending(error, value, tidy(sink.getvalue(), _PRINTED))


def conclude(
    ending: Ending, step: Step, session: Session, steps: Sequence[Step], *, shown: bool
) -> CellResult:
    """Return what the end of a test is worth, and why."""
    error = ending.error
    if session.gone is not None:
        return _zero(step, session.gone.verdict, _gone(session.gone, session))
    if error is None:
        return award(step, ending.value)
    if isinstance(error, Gone):
        return _zero(step, error.verdict, error.message)
    if isinstance(error, Missing):
        return _zero(step, Verdict.MISSING, f"{error.name} is not defined.")
    if isinstance(error, NotPlain):
        return _zero(step, Verdict.MALFORMED, error.message + "." if shown else _malformed(session))
    if isinstance(error, StudentError):
        return _zero(step, *sentences.raised(error, steps, shown=shown))
    if session.opaque is not None:
        return _zero(
            step, Verdict.MALFORMED, f"Your code returned {session.opaque}." if shown else _malformed(session)
        )
    if isinstance(error, MemoryError):
        return _zero(step, Verdict.MEMORY, "What your code returned is too large to be tested.")
    claim = sentences.claim(step, shown=shown)
    if isinstance(error, AssertionError):
        named = sentences.misconception(error)
        return _zero(step, Verdict.FAILED, claim.failed(error, step), named)
    if isinstance(error, Malformed | Unsendable):
        return _zero(step, Verdict.MALFORMED, claim.unusable(error))
    return _zero(step, Verdict.FAILED, claim.unusable(error))


def _malformed(session: Session) -> str:
    return (
        "Your code returned something that is not plain data; return a number, a list or a plain NumPy array."
    )


def _gone(end: Gone, session: Session) -> str:
    subject = session.calling or "your code"
    return f"{subject}: {end.message}."


def _zero(step: Step, verdict: Verdict, message: str, named: str | None = None) -> CellResult:
    assert step.cell.grade_id is not None
    return CellResult(step.cell.grade_id, 0.0, step.cell.points, verdict, tidy(message), named)


def award(step: Step, value: object) -> CellResult:
    """Return full marks, or the partial credit that the test's last expression names."""
    assert step.cell.grade_id is not None
    most = step.cell.points
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return CellResult(step.cell.grade_id, most, most, Verdict.PASSED)
    score = float(value)
    if not math.isfinite(score):
        return _zero(step, Verdict.FAILED, "The test counted no points: its result is not a finite number.")
    score = min(max(score, 0.0), most)
    if score == most:
        return CellResult(step.cell.grade_id, most, most, Verdict.PASSED)
    return CellResult(
        step.cell.grade_id, score, most, Verdict.FAILED, f"Partly right: {score:g} of {most:g} points."
    )


def run_there(step: Step, session: Session) -> Message:
    """Run a test cell in the student's process, for a course that cannot be graded otherwise."""
    return session.run(step.number, step.cell.source)


def conclude_there(reply: Message, step: Step, *, shown: bool) -> CellResult:
    """Return what a test that ran in the student's process is worth; the reply is made harmless first."""
    shown_outputs = outputs.clean(reply, _PRINTED)
    problem = next((output for output in shown_outputs if output["output_type"] == "error"), None)
    if problem is None and reply.get("error") is None:
        return award(step, _number(shown_outputs))
    message = "" if problem is None else problem["evalue"]
    verdict = Verdict.FAILED if _is_assertion(reply["error"]) else Verdict.RAISED
    if not shown:
        said = [text for text in names.sentences(names.parse(step.cell.source)) if text in message]
        message = max(said, key=len) if said else sentences.HIDDEN
    return _zero(step, verdict, message or "A check does not hold.")


def _is_assertion(problem: Any) -> bool:
    kinds = problem.get("kinds") if isinstance(problem, dict) else None
    return isinstance(kinds, list) and "AssertionError" in kinds


def _number(shown_outputs: Sequence[outputs.Output]) -> float | None:
    """Return the value of the cell's last expression, where it is a number."""
    for output in shown_outputs:
        if output["output_type"] == "execute_result":
            with contextlib.suppress(ValueError):
                return float(output["data"].get("text/plain", ""))
    return None
