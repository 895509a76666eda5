"""The folder of graded work, ``autograded/<student>/<lesson>``: written as a whole or not at all.

Holds the executed notebooks, ``report.json`` (the report; a list of them where a lesson has several
notebooks), and the files that came with the submission. Never touches the gradebook.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.classroom import folder
from autograder.classroom.lesson import Lesson
from autograder.classroom.submissions import COPY_LIMIT, REPORT, Opened
from autograder.course.config import Course
from autograder.report import Report
from autograder.supervise import Graded


def place(course: Course, lesson: str, student: str) -> Path:
    """Return the folder of graded work."""
    return course.folder(course.autograded, lesson, student)


def read(course: Course, lesson: str, student: str) -> list[Report]:
    """Return the reports that lie there; none if they cannot be read."""
    try:
        found = json.loads((place(course, lesson, student) / REPORT).read_bytes())
        return [Report.from_json(one) for one in (found if isinstance(found, list) else [found])]
    except (OSError, ValueError, LookupError, TypeError):
        return []


def answers(course: Course, lesson: str, student: str, reports: Sequence[Report]) -> dict[str, Any]:
    """Return the executed notebooks that lie there, by name."""
    here = place(course, lesson, student)
    return {Path(one.notebook).stem: json.loads((here / one.notebook).read_bytes()) for one in reports}


def write(course: Course, lesson: Lesson, opened: Opened, graded: Mapping[str, Graded]) -> None:
    """Put the results of a submission in place of earlier ones, which go only once the new ones are whole."""
    target = place(course, lesson.name, opened.student)
    target.parent.mkdir(parents=True, exist_ok=True)
    course.autograded.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=course.autograded) as scratch:
        made = Path(scratch) / "made"
        made.mkdir()
        _fill(made, lesson, opened, graded)
        if os.path.lexists(target):
            target.rename(Path(scratch) / "old")
        made.rename(target)


def remove(course: Course, lesson: str, student: str) -> None:
    """Take earlier results away: they are not those of what is handed in now."""
    shutil.rmtree(place(course, lesson, student), ignore_errors=True)


def _fill(made: Path, lesson: Lesson, opened: Opened, graded: Mapping[str, Graded]) -> None:
    for name in opened.others:
        _copy(opened.folder / name, made / name)
    for name, data in lesson.files.items():
        _put(made, name, data)
    for page in lesson.pages:
        _put(made, page.file, _json(graded[page.name].notebook))
    reports = [graded[page.name].report.to_json() for page in lesson.pages]
    _put(made, REPORT, _json(reports[0] if len(reports) == 1 else reports))


def _json(content: object) -> bytes:
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    # A lone surrogate in what a student printed is no text: it is replaced, never a reason to fail.
    return text.encode("utf-8", "replace")


def _put(made: Path, name: str, data: bytes) -> None:
    """Write one of our files, in place of a student's file or folder that is in its way."""
    path = made / name
    for part in reversed(path.parents[: len(path.relative_to(made).parts) - 1]):
        if part.is_file():
            part.unlink()
    if path.is_dir():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _copy(source: Path, target: Path) -> None:
    try:
        file = folder.open_file(source, COPY_LIMIT)
    except folder.OddFileError:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with file, target.open("wb") as copy:
        shutil.copyfileobj(file, copy)


def fingerprint(opened: Opened) -> str:
    """Return a hash of the files that came with a submission beside its notebooks."""
    total = hashlib.sha256()
    for name in opened.others:
        try:
            with folder.open_file(opened.folder / name, COPY_LIMIT) as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
        except folder.OddFileError as odd:
            content = str(odd)
        total.update(f"{name}\0{content}\0".encode())
    return total.hexdigest()
