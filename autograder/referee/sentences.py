"""What the student reads: one sentence for each way in which a graded cell can end.

In the graded run nothing that student code made may be quoted, and nothing of a hidden test: only fixed
sentences, the built-in kind of an exception, and lines of the student's own text.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.referee import names
from autograder.referee.plan import Step
from autograder.referee.proxies import MESSAGE_LIMIT, StudentError, tidy
from autograder.report import Verdict

HIDDEN = "A hidden test of this exercise does not pass yet."
UNTOUCHED = "Nothing has been written here yet."
MANUAL = "A person marks this answer."
NO_RESPONSE = "No response."
UNUSABLE = "The test could not work with what your code gave it"


def at_line(steps: Sequence[Step], places: Sequence[tuple[int, int]]) -> str:
    """Return where in the student's own text an exception came from, or nothing."""
    for number, line in reversed(places):
        # The places are the student's own claim: the line of a test must not be had by naming it.
        if 0 <= number < len(steps) and steps[number].for_student:
            lines = steps[number].cell.source.split("\n")
            if 1 <= line <= len(lines):
                name = steps[number].cell.grade_id
                where = f"line {line} of your cell {name}" if name else f"line {line} of your cell"
                return f", at {where}: {tidy(lines[line - 1].strip(), 120)}"
    return ""


def raised(error: StudentError, steps: Sequence[Step], *, shown: bool) -> tuple[Verdict, str]:
    """Say what the student's code raised."""
    where = at_line(steps, error.steps)
    if error.name == "WithheldError" and shown:
        return Verdict.FORBIDDEN, f"{error.text}{where}."
    if error.kind == "MemoryError":
        return Verdict.MEMORY, f"{error.function} asked for more memory than there is for it{where}."
    if error.kind in ("PermissionError", "BlockingIOError"):
        return Verdict.FORBIDDEN, f"{error.function} tried something that grading does not allow{where}."
    kind = error.name if shown else error.kind
    told = f": {error.text}" if shown and error.text else ""
    return Verdict.RAISED, f"{error.function} raised {kind}{told}{where}."


@dataclass(frozen=True)
class Claim:
    """What a test's own exception may say."""

    sentences: frozenset[str]
    shown: bool

    def failed(self, error: BaseException, step: Step) -> str:
        """Return the message of a check that does not hold."""
        text = _text(error)
        if misconception(error) is not None:
            return tidy(text)
        if self.shown:
            return tidy(text) if text else _line(error, step)
        said = [sentence for sentence in self.sentences if sentence in text]
        return tidy(max(said, key=len)) if said else HIDDEN

    def unusable(self, error: BaseException) -> str:
        """Return the message of a test that broke on what the student's code gave it."""
        if not self.shown:
            return UNUSABLE + "."
        return tidy(f"{UNUSABLE} ({type(error).__name__}: {_text(error)}).")


def claim(step: Step, *, shown: bool) -> Claim:
    """Return what the test `step` may say."""
    return Claim(frozenset(names.sentences(names.parse(step.cell.source))), shown)


def misconception(error: BaseException) -> str | None:
    """Return the misconception that a check has named: never one that came from the student's process."""
    named = None if isinstance(error, StudentError) else getattr(error, "misconception", None)
    return tidy(named, 80) if isinstance(named, str) else None


def _text(error: BaseException) -> str:
    try:
        return str(error)[: 4 * MESSAGE_LIMIT].strip()
    except Exception:
        return ""


def _line(error: BaseException, step: Step) -> str:
    """Return the line of a visible test that does not hold."""
    lines = step.cell.source.split("\n")
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_code.co_filename == filename(step) and 1 <= line <= len(lines):
            return tidy(f"This does not hold: {lines[line - 1].strip().removeprefix('assert').strip()}")
    return "A check does not hold."


def filename(step: Step) -> str:
    """Return the name under which the test `step` is compiled."""
    return f"<test {step.cell.grade_id}>"
