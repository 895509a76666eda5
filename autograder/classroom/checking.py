"""Grades single notebooks against their sources, outside of any course: no gradebook, no folder of results.

It reads the notebook and the files beside it, and writes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import folder, lesson
from autograder.classroom.absent import FAULT, explained
from autograder.classroom.desk import Desk, How
from autograder.classroom.lesson import NOTEBOOK_LIMIT, Page
from autograder.classroom.submissions import STUDENT_FILES_LIMIT, Handed
from autograder.course.config import CourseError
from autograder.report import Report, Verdict
from autograder.supervise import SourceError

log = logging.getLogger("autograder")


@dataclass(frozen=True)
class Checked:
    """The report of one notebook, and remarks."""

    report: Report
    notes: Sequence[str] = ()


def check(pairs: Sequence[tuple[str, Path]], how: How) -> Iterator[Checked]:
    """Yield what becomes of each notebook, given as its path and that of its source.

    Raises
    ------
    CourseError
        If a source is no notebook.
    SourceError
        If a source's own answers do not pass its tests.
    """
    pages = {source: lesson.page(source) for _, source in pairs}
    with closing(Desk(how)) as desk:
        for path, source in pairs:
            yield _check(desk, path, pages[source], _beside(Path(path), source), how)


def _check(desk: Desk, path: str, page: Page, extra: Mapping[str, bytes], how: How) -> Checked:
    blank = Report(Path(path).name, path, None, [], how.isolation, how.sandboxed)
    try:
        graded = desk.grade(page, _read(Path(path)), extra, blank)
    except SourceError:
        raise
    except Exception as error:
        log.debug("%s", path, exc_info=True)
        note = f"the grader failed: {type(error).__name__}: {error}"
        return Checked(explained(page, blank, FAULT, Verdict.INTERNAL).report, [note])
    notes = [f"the grader failed: {graded.fault}"] if graded.fault else []
    return Checked(graded.report, notes)


def _read(path: Path) -> Handed:
    try:
        # A person who names a link means the file; nobody else's folder is read here.
        return Handed(path, folder.read(path.resolve(), NOTEBOOK_LIMIT))
    except folder.OddFileError as odd:
        return Handed(path, None, f"{path.name} could not be read: {odd}", Verdict.MALFORMED)


def _beside(path: Path, source: Path) -> Mapping[str, bytes]:
    """Return the data files beside a notebook that lies in a folder of its lesson, as in a course."""
    place = path.resolve().parent
    if place.name != source.resolve().parent.name or place == source.resolve().parent:
        return {}
    try:
        return lesson.beside(place, STUDENT_FILES_LIMIT)
    except CourseError:
        return {}
