"""Finds what was handed in for a lesson, whatever it is called, and says what is not there.

Every submission becomes something to grade or a reason why not; none is dropped. Nothing in it is trusted
to be what its name says.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder import notebook
from autograder.classroom import folder
from autograder.classroom.lesson import NOTEBOOK_LIMIT, Lesson, Page
from autograder.course import timestamp
from autograder.course.config import Course, CourseError, Submission
from autograder.report import Verdict

STUDENT_FILES_LIMIT = 8 * 2**20
# What travels on to the graded work, as nbgrader bounds it; how many files are looked into for a renamed one.
COPY_LIMIT = 100 * 2**20
CANDIDATES = 20
# nbgrader's own files: they travel on, but are nothing to the student's code.
LABELS = ("timestamp.txt", "submission_secret.txt")
REPORT = "report.json"


@dataclass(frozen=True)
class Handed:
    """What was handed in for one source notebook: `data`, or the `reason` why there is none."""

    path: Path
    data: bytes | None = None
    reason: str = ""
    verdict: Verdict = Verdict.MISSING


@dataclass(frozen=True)
class Opened:
    """A submission, read: what is graded for each source notebook, files that travel on, remarks.

    `files` are what the student's process is sent; `others` are all the regular files but notebooks.
    """

    student: str
    lesson: str
    folder: Path
    notebooks: Mapping[str, Handed]
    files: Mapping[str, bytes] = field(default_factory=dict)
    others: Sequence[str] = ()
    submitted: datetime.datetime | None = None
    notes: Sequence[str] = ()


def find(course: Course, lesson: str, students: Sequence[str] = ()) -> list[Submission]:
    """Return what was handed in for `lesson`, in the order of the students' names.

    Raises
    ------
    CourseError
        If one of `students` handed nothing in.
    """
    found = course.submissions([lesson], students)
    return [one for one in found if not one.student.startswith(".")]


def check_students(course: Course, lessons: Sequence[str], students: Sequence[str]) -> None:
    """Raise CourseError unless each of `students` handed something in for one of `lessons`."""
    there = {one.student for one in course.submissions(lessons)}
    for student in students:
        if student not in there:
            raise CourseError(f"a student must have handed in {', '.join(lessons)}, got {student}")


def open_(course: Course, lesson: Lesson, submission: Submission) -> Opened:
    """Read `submission`."""
    if folder.is_linked(submission.path, course.submitted):
        reason = "the submission must be a folder, got a symbolic link"
        lost = {
            page.name: Handed(submission.path / page.file, None, reason, Verdict.MALFORMED)
            for page in lesson.pages
        }
        return Opened(submission.student, lesson.name, submission.path, lost, notes=[reason])
    there = list(folder.names(submission.path, _ignored(course)))
    notebooks, notes = _match(lesson, submission.path, [name for name in there if _is_notebook(name)])
    others, left_behind = _kept(submission.path, [name for name in there if not name.endswith(".ipynb")])
    files, left_out = _sent(submission.path, others)
    return Opened(
        submission.student,
        lesson.name,
        submission.path,
        notebooks,
        files,
        others,
        timestamp.read(submission.path),
        [*notes, *left_behind, *left_out],
    )


def _ignored(course: Course) -> Sequence[str]:
    section = course.config.get("CourseDirectory", {})
    configured = section.get("ignore", folder.IGNORED)
    return [*folder.IGNORED, *(pattern for pattern in configured if isinstance(pattern, str))]


def _is_notebook(name: str) -> bool:
    return name.endswith(".ipynb") and "/" not in name


def _match(lesson: Lesson, place: Path, there: Sequence[str]) -> tuple[dict[str, Handed], list[str]]:
    """Find the student's notebook for each of the lesson's: by name, else by what is in it."""
    matched: dict[str, Handed] = {}
    notes: list[str] = []
    taken = {page.file for page in lesson.pages}
    for page in lesson.pages:
        handed = _read(place / page.file)
        if handed is None:
            name = _renamed(page, place, [name for name in there if name not in taken])
            handed = (name and _read(place / name)) or _missing(page, place, there)
            if name:
                taken.add(name)
                notes.append(f"graded {name} as {page.file}")
        matched[page.name] = handed
    notes += [f"skipped {name}: no notebook of {lesson.name}" for name in there if name not in taken]
    return matched, notes


def _missing(page: Page, place: Path, there: Sequence[str]) -> Handed:
    instead = f"; there is {', '.join(name[:60] for name in there[:3])}" if there else ""
    return Handed(place / page.file, None, f"no notebook {page.file} was handed in{instead}")


def _read(path: Path) -> Handed | None:
    """Read a notebook file; None if there is none."""
    try:
        return Handed(path, folder.read(path, NOTEBOOK_LIMIT))
    except FileNotFoundError:
        return None
    except folder.OddFileError as odd:
        return Handed(path, None, f"{path.name} could not be read: {odd}", Verdict.MALFORMED)


def _renamed(page: Page, place: Path, names: Sequence[str]) -> str | None:
    """Return which of `names` has the cells of `page`; of several the one with most, then the newest."""
    ranked = [
        (shared, (place / name).lstat().st_mtime, name)
        for name in names[:CANDIDATES]
        if (shared := _shared(page, _read(place / name)))
    ]
    return max(ranked)[2] if ranked else None


def _shared(page: Page, handed: Handed | None) -> int:
    """Count the cells in common with `page`, by their names or the text of their tests."""
    if handed is None or handed.data is None:
        return 0
    try:
        cells = notebook.cells(notebook.read(handed.data))
    except notebook.UnreadableError:
        return 0
    named = {cell.grade_id for cell in cells} & page.grade_ids
    return len(named) + len({cell.source.strip() for cell in cells} & page.tests)


def _kept(place: Path, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return which files travel on, as many as fit, and a remark on the others."""
    kept, total = [], 0
    for name in names:
        size = (place / name).lstat().st_size
        if name != REPORT and total + size <= COPY_LIMIT:
            kept.append(name)
            total += size
    lost = sorted(set(names) - set(kept) - {REPORT})
    remark = f"left out {', '.join(lost[:3])}{' and more' * (len(lost) > 3)}: at most 100 MB are kept"
    return kept, [remark] if lost else []


def _sent(place: Path, others: Sequence[str]) -> tuple[dict[str, bytes], list[str]]:
    """Return the student's own data files, as many as fit, and which of them do not."""
    files: dict[str, bytes] = {}
    notes = []
    for name in others:
        if name in LABELS:
            continue
        try:
            files[name] = folder.read(place / name, STUDENT_FILES_LIMIT - sum(map(len, files.values())))
        except folder.OddFileError as odd:
            notes.append(f"{name} was not given to the student's code: {odd}")
    return files, notes
