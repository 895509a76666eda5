"""What the gradebook says of a released lesson: its cells, as plain data that outlives a transaction.

Only reads.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nbgrader import api
from sqlalchemy import select
from sqlalchemy.orm import Session

from autograder.course.config import CourseError


@dataclass(frozen=True)
class Notebook:
    """A released notebook: the database ids of its cells by their grade_id."""

    id: str
    graded: Mapping[str, str]
    commented: Mapping[str, str]
    sources: Mapping[str, str]


@dataclass(frozen=True)
class Lesson:
    """A released assignment: when it is due, and its notebooks by name."""

    id: str
    due: datetime.datetime | None
    notebooks: Mapping[str, Notebook]

    def seconds_late(
        self, submitted: datetime.datetime | None, extension: datetime.timedelta | None
    ) -> float:
        """Return by how much `submitted` is past the due date, at least 0."""
        if submitted is None or self.due is None:
            return 0.0
        return max(0.0, (submitted - self.due - (extension or datetime.timedelta())).total_seconds())


def read(db: Session, name: str) -> Lesson:
    """Read the lesson `name`.

    Raises
    ------
    CourseError
        If it was not released: without that the gradebook has no cells to grade.
    """
    query = select(api.Assignment.id, api.Assignment.duedate).where(api.Assignment.name == name)
    found = db.execute(query).one_or_none()
    if found is None:
        raise CourseError(f"{name} must be released before it is graded: run `autograder release {name}`")
    keys = _pairs(db, api.Notebook.id, api.Notebook.name, api.Notebook.assignment_id == found.id)
    return Lesson(found.id, found.duedate, {name: _notebook(db, key) for name, key in keys.items()})


def _notebook(db: Session, key: str) -> Notebook:
    grades, answers, tasks = (
        _pairs(db, kind.id, kind.name, kind.notebook_id == key)
        for kind in (api.GradeCell, api.SolutionCell, api.TaskCell)
    )
    cell = api.SourceCell
    sources = _pairs(db, cell.source, cell.name, cell.notebook_id == key)
    # "No response." is never said of a task: it has no answer of its own.
    kept = {name: source for name, source in sources.items() if name not in tasks}
    return Notebook(key, {**grades, **tasks}, {**answers, **tasks}, kept)


def _pairs(db: Session, value: Any, name: Any, condition: Any) -> dict[str, str]:
    return {row[0]: row[1] for row in db.execute(select(name, value).where(condition)).all()}
