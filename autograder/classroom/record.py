"""Keeps the gradebook in step with what is graded, and knows when it already is.

The rows are written by `autograder.course.record`, from one thread. A submission is recorded again when its
row is not there, or anything that it depends on has changed: the scores, the date, the due date, an
extension.
"""

from __future__ import annotations

import datetime
import importlib
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from autograder.course.config import Course, CourseError
from autograder.course.stamps import Stamps, rows, stamp
from autograder.notebook import digest
from autograder.report import Report

if TYPE_CHECKING:
    from autograder.course.record import Recorder

ROWS = """
    SELECT submitted_assignment.student_id, submitted_assignment.timestamp, submitted_assignment.extension,
           assignment.duedate, notebook.name, base_cell.name, grade.auto_score,
           submitted_notebook.late_submission_penalty
    FROM submitted_assignment
    JOIN assignment ON assignment.id = submitted_assignment.assignment_id
    LEFT JOIN submitted_notebook ON submitted_notebook.assignment_id = submitted_assignment.id
    LEFT JOIN notebook ON notebook.id = submitted_notebook.notebook_id
    LEFT JOIN grade ON grade.notebook_id = submitted_notebook.id
    LEFT JOIN base_cell ON base_cell.id = grade.cell_id
    WHERE assignment.name = ?
    ORDER BY notebook.name, base_cell.name
"""
RELEASED = "SELECT name FROM assignment WHERE name = ?"


@lru_cache(maxsize=1)
def load_ahead() -> None:
    """Begin to load nbgrader, which takes two seconds, while the first submission is being graded."""
    threading.Thread(target=importlib.import_module, args=("autograder.course.record",), daemon=True).start()


class Gradebook:
    """The gradebook of a course while one lesson is graded; it is opened when there is something to write."""

    def __init__(self, course: Course, lesson: str) -> None:
        self._course = course
        self._lesson = lesson
        self._stamps = Stamps(course, "grade")
        # Asking for the versions of packages takes longer than all the rest: once for the class.
        self._base = stamp(course, lesson)
        self._before = self._rows()
        self._recorder: Recorder | None = None
        self._written: dict[str, Sequence[object]] = {}

    def check(self) -> None:
        """Raise CourseError if the gradebook can be seen not to have the lesson."""
        is_file = self._course.db_url.startswith("sqlite:///")
        if is_file and not rows(self._course, RELEASED, self._lesson):
            lesson = self._lesson
            raise CourseError(
                f"{lesson} must be released before it is graded: run `autograder release {lesson}`"
            )

    def holds(self, student: str, reports: Sequence[Report], submitted: datetime.datetime | None) -> bool:
        """Say whether the rows of `student` are those of `reports`, as they were left."""
        there = self._before.get(student)
        if not there:
            return False
        return self._stamps.holds(self._name(student), self._stamp(there, _facts(reports, submitted)))

    def record(
        self,
        student: str,
        reports: Sequence[Report],
        submitted: datetime.datetime | None,
        answers: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """Write what became of a submission."""
        if self._recorder is None:
            # Loading nbgrader takes two seconds, too long for finding out that there is nothing to do.
            from autograder.course.record import Recorder

            self._recorder = Recorder(self._course).__enter__()
        named = {report.notebook.removesuffix(".ipynb"): report for report in reports}
        self._recorder.record(student, self._lesson, named, submitted, answers)
        self._written[student] = _facts(reports, submitted)

    def close(self) -> None:
        """Remember how the rows were left."""
        if self._recorder is not None:
            self._recorder.__exit__(None, None, None)
        after = self._rows() if self._written else {}
        for student, facts in self._written.items():
            if after.get(student):
                self._stamps.remember(self._name(student), self._stamp(after[student], facts))

    def _stamp(self, there: Sequence[object], facts: Sequence[object]) -> str:
        return digest([self._base, repr(there), repr(facts)])

    def _name(self, student: str) -> str:
        return f"{self._lesson}/{student}"

    def _rows(self) -> dict[str, list[tuple[Any, ...]]]:
        found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for student, *row in rows(self._course, ROWS, self._lesson):
            found[student].append(tuple(row))
        return found


def _facts(reports: Sequence[Report], submitted: datetime.datetime | None) -> Sequence[object]:
    return [repr(submitted), *(report.to_json() for report in reports)]
