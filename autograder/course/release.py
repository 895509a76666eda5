"""What students get: nbgrader's release of each lesson, and the rows of the gradebook that go with it.

nbgrader cuts the solutions and hidden tests out and records the cells. It works in a folder of its own, so
that a release that fails, or that comes out the same, leaves the old one as it is. This room never cuts
anything itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path

from traitlets.config import Config

from autograder.course.config import Course

STAMPS = Path(".autograder") / "release.json"


def release(
    course: Course,
    lessons: Sequence[str] = (),
    *,
    force: bool = False,
    progress: Callable[[str, bool], None] = lambda lesson, changed: None,
) -> list[str]:
    """Release `lessons`, or all, and return the names of those that changed.

    `progress` is called after each lesson with its name and whether it changed. A lesson whose source,
    release and gradebook are as the last release left them is not touched, unless `force` is given.

    Raises
    ------
    CourseError
        If there is no such lesson, or nbgrader refuses it: cells cannot be added or removed once there are
        submissions, for example.
    """
    changed = []
    for lesson in course.lessons(lessons):
        stamp, new = _stamp(course, lesson), False
        if force or stamp is None or stamp != _stamps(course).get(lesson):
            new = _release(course, lesson)
            _remember(course, lesson)
        if new:
            changed.append(lesson)
        progress(lesson, new)
    return changed


def _release(course: Course, lesson: str) -> bool:
    # Loading nbgrader takes two seconds, too long for finding out that there is nothing to do.
    from nbgrader.converters import GenerateAssignment

    from autograder.course.converter import convert

    with tempfile.TemporaryDirectory() as folder:
        config = Config(course.config)
        config.CourseDirectory.release_directory = folder
        convert(GenerateAssignment, course, lesson, student=".", config=config)
        made = course.folder(Path(folder), lesson)
        target = course.folder(course.release, lesson)
        if _contents(made) == _contents(target):
            return False
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)
    return True


def _contents(folder: Path) -> dict[str, bytes]:
    """Return every file under `folder` but what editors leave there."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".ipynb_checkpoints", "__pycache__"} & set(path.parts)
    }


def _stamp(course: Course, lesson: str) -> str | None:
    """Return a hash of all that a release depends on and makes, or None if the gradebook lacks it."""
    if not _recorded(course, lesson):
        return None
    digest = hashlib.sha256()
    for name in ("nbgrader", "nbconvert", "nbformat"):
        digest.update(f"{name} {metadata.version(name)}\n".encode())
    digest.update(repr(sorted(course.config.items())).encode())
    for step in (course.source, course.release):
        for path, content in _contents(course.folder(step, lesson)).items():
            digest.update(f"{path}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


def _recorded(course: Course, lesson: str) -> bool:
    """Look the lesson up in the gradebook, if that is a file that can be looked into without nbgrader."""
    kind, _, path = course.db_url.partition(":///")
    if kind != "sqlite" or not Path(path).is_file():
        return False
    try:
        with contextlib.closing(sqlite3.connect(Path(path).as_uri() + "?mode=ro", uri=True)) as gradebook:
            query = "SELECT 1 FROM assignment WHERE name = ?"
            return gradebook.execute(query, (lesson,)).fetchone() is not None
    except sqlite3.Error:
        return False


def _stamps(course: Course) -> dict[str, str | None]:
    path = course.root / STAMPS
    try:
        return dict(json.loads(path.read_text()))
    except (OSError, ValueError):
        return {}


def _remember(course: Course, lesson: str) -> None:
    stamps = {**_stamps(course), lesson: _stamp(course, lesson)}
    path = course.root / STAMPS
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(stamps, indent=1, sort_keys=True) + "\n")
