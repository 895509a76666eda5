"""The one writer of the gradebook: puts reports into the rows that nbgrader reads.

Writes what nbgrader's SaveAutoGrades and AssignLatePenalties would have written, in one transaction a
submission where nbgrader takes one a cell. A submission is in the gradebook as a whole or as it was before.
What a person entered (manual score, comment, extra credit, flag) is never touched.
"""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Self

from nbgrader import api
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import Table, bindparam, insert, select, update

from autograder.course import released, timestamp
from autograder.course.config import Course, CourseError
from autograder.course.converter import environment
from autograder.report import CellResult, Report

NO_RESPONSE = "No response."


class _Submission(NamedTuple):
    id: str
    timestamp: datetime.datetime | None
    extension: datetime.timedelta | None


class Recorder:
    """Holds the gradebook open; use it in a ``with`` statement, from one thread of one process.

    Parameters
    ----------
    course : Course
        Whose gradebook is written; it is made if it is not there.
    """

    def __init__(self, course: Course) -> None:
        self._course = course
        self._lessons: dict[str, released.Lesson] = {}

    def __enter__(self) -> Self:
        with environment(self._course):
            # nbgrader's own default, for the courses that have no id.
            name = self._course.course_id or "default_course"
            self._gradebook = api.Gradebook(self._course.db_url, name)
            self._late = AssignLatePenalties(config=self._course.config)
            self._late.init_plugin()
        self._db = self._gradebook.db
        return self

    def __exit__(self, *exception: object) -> None:
        self._gradebook.close()

    def record(
        self,
        student: str,
        lesson: str,
        reports: Mapping[str, Report],
        submitted: datetime.datetime | None = None,
        answers: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        """Write what became of a submission.

        Parameters
        ----------
        student, lesson : str
            Whose, and of what. A student that is not in the gradebook is put there.
        reports : mapping of str to Report
            By notebook name, without the ending. A released notebook that is not in it was not handed in and
            has 0 in every cell. A cell that its report leaves out, or calls INTERNAL, loses the score it had.
        submitted : datetime, optional
            When it was handed in; naive ones are in UTC. None leaves what the gradebook has.
        answers : mapping of str to mapping, optional
            The notebooks that the students wrote, by name: where an answer is still as released, its comment
            becomes "No response.".

        Raises
        ------
        CourseError
            If the lesson was not released, or a report's notebook is not in it.
        """
        with self._transaction():
            facts = self._lesson(lesson)
            unknown = set(reports) - set(facts.notebooks)
            if unknown:
                raise CourseError(f"{lesson} must have been released with {', '.join(sorted(unknown))}")
            moment = None if submitted is None else timestamp.naive(submitted)
            submission = self._submission(facts, student, moment)
            late = facts.seconds_late(submission.timestamp, submission.extension)
            for name, notebook in facts.notebooks.items():
                row = self._submitted(submission.id, notebook)
                self._grade(row, notebook, reports.get(name))
                self._comment(row, notebook, reports.get(name), (answers or {}).get(name))
                self._penalise(row, student, late)

    def withdraw(self, student: str, lesson: str, notebook: str) -> None:
        """Take back the automatic scores of a notebook that could not be graded; a person has to look."""
        with self._transaction():
            facts = self._lesson(lesson)
            submission = self._submission(facts, student, None)
            row = self._submitted(submission.id, facts.notebooks[notebook])
            table = _table(api.Grade)
            lost = update(table).where(table.c.notebook_id == row)
            self._db.execute(lost.values(auto_score=None, needs_manual_grade=True))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._db.rollback()
            raise
        self._db.commit()

    def _lesson(self, name: str) -> released.Lesson:
        if name not in self._lessons:
            self._lessons[name] = released.read(self._db, name)
        return self._lessons[name]

    def _submission(
        self, lesson: released.Lesson, student: str, moment: datetime.datetime | None
    ) -> _Submission:
        """Find or add the student and the submission, and date it."""
        people, table = _table(api.Student), _table(api.SubmittedAssignment)
        if self._db.execute(select(people.c.id).where(people.c.id == student)).first() is None:
            self._db.execute(insert(people).values(id=student))
        columns = select(table.c.id, table.c.timestamp, table.c.extension)
        mine = (table.c.assignment_id == lesson.id, table.c.student_id == student)
        found = self._db.execute(columns.where(*mine)).one_or_none()
        if found is None:
            row = {"id": api.new_uuid(), "assignment_id": lesson.id, "student_id": student}
            self._db.execute(insert(table).values(**row, timestamp=moment))
            return _Submission(row["id"], moment, None)
        if moment is not None:
            self._db.execute(update(table).where(table.c.id == found.id).values(timestamp=moment))
        return _Submission(found.id, moment or found.timestamp, found.extension)

    def _submitted(self, submission: str, notebook: released.Notebook) -> str:
        table = _table(api.SubmittedNotebook)
        mine = (table.c.assignment_id == submission, table.c.notebook_id == notebook.id)
        found = self._db.execute(select(table.c.id).where(*mine)).scalar_one_or_none()
        if found is not None:
            return str(found)
        key = str(api.new_uuid())
        row = {"id": key, "assignment_id": submission, "notebook_id": notebook.id, "flagged": False}
        self._db.execute(insert(table).values(row))
        return key

    def _grade(self, row: str, notebook: released.Notebook, report: Report | None) -> None:
        """Write the automatic score of every graded cell, and whether a person has to look at it."""
        table = _table(api.Grade)
        query = select(table.c.cell_id, table.c.manual_score).where(table.c.notebook_id == row)
        manual = {key: score for key, score in self._db.execute(query).all()}
        results = {} if report is None else {cell.grade_id: cell for cell in report.cells}
        written = []
        for grade_id, cell in notebook.graded.items():
            score = 0.0 if report is None else _score(results.get(grade_id))
            waits = report is not None and (manual.get(cell) is not None or score is None)
            written.append({"key": cell, "auto_score": score, "needs_manual_grade": waits})
        self._write(table, row, set(manual), written)

    def _comment(
        self, row: str, notebook: released.Notebook, report: Report | None, answers: Mapping[str, Any] | None
    ) -> None:
        """Say "No response." of every answer that is still as released, and nothing of the others."""
        if report is None:
            return
        table = _table(api.Comment)
        known = set(self._db.execute(select(table.c.cell_id).where(table.c.notebook_id == row)).scalars())
        silent = _unanswered(notebook, answers) if answers else set()
        written = [
            {"key": cell, "auto_comment": NO_RESPONSE if grade_id in silent else None}
            for grade_id, cell in notebook.commented.items()
        ]
        self._write(table, row, known, written)

    def _write(self, table: Table, row: str, known: set[str], written: list[dict[str, Any]]) -> None:
        """Update the rows that are there, and add the others."""
        new = [one for one in written if one["key"] not in known]
        old = [one for one in written if one["key"] in known]
        if old:
            mine = (table.c.notebook_id == row, table.c.cell_id == bindparam("key"))
            changed: dict[str, Any] = {name: bindparam(name) for name in old[0] if name != "key"}
            self._db.connection().execute(update(table).where(*mine).values(changed), old)
        if new:
            place = {"notebook_id": row}
            rows = [{"id": api.new_uuid(), **place, "cell_id": one.pop("key"), **one} for one in new]
            self._db.connection().execute(insert(table), rows)

    def _penalise(self, row: str, student: str, late: float) -> None:
        """Write the penalty that the course's own plugin asks for, or take back an earlier one."""
        penalty = None
        if late > 0:
            book = api.SubmittedNotebook
            score = self._db.execute(select(book.score).where(book.id == row)).scalar_one()
            asked = self._late.plugin_inst.late_submission_penalty(student, score, late)
            # A penalty is never a gift, and never more than there is to take.
            penalty = None if asked is None else min(max(asked, 0.0), score)
        table = _table(api.SubmittedNotebook)
        self._db.execute(update(table).where(table.c.id == row).values(late_submission_penalty=penalty))


def _table(kind: Any) -> Table:
    table: Table = kind.__table__
    return table


def _score(result: CellResult | None) -> float | None:
    return None if result is None else result.score


def _unanswered(notebook: released.Notebook, answers: Mapping[str, Any]) -> set[str]:
    """Return the grade_ids of the cells of `answers` that are still as they were released.

    nbgrader compares checksums, of which the student's own metadata is a part; the text alone cannot lie.
    """
    silent = set()
    for cell in answers["cells"]:
        grade_id = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")
        if isinstance(grade_id, str) and "".join(cell["source"]) == notebook.sources.get(grade_id):
            silent.add(grade_id)
    return silent
