"""What students get: nbgrader's release of each lesson, and the rows of the gradebook that go with it.

nbgrader cuts the solutions and hidden tests out and records the cells. It works in a folder of its own, so
that a release that fails, or that comes out the same, leaves the old one as it is. This room never cuts
anything itself.
"""

from __future__ import annotations

import copy
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.course.config import Course
from autograder.course.stamps import Stamps, contents, rows, stamp


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
    changed, stamps = [], Stamps(course, "release")
    for lesson in course.lessons(lessons):
        new = False
        if force or not stamps.holds(lesson, _stamp(course, lesson)):
            new = _release(course, lesson)
            stamps.remember(lesson, _stamp(course, lesson))
        if new:
            changed.append(lesson)
        progress(lesson, new)
    return changed


def _release(course: Course, lesson: str) -> bool:
    # Loading nbgrader takes two seconds, too long for finding out that there is nothing to do.
    from nbgrader.converters import GenerateAssignment

    from autograder.course.converter import convert

    with tempfile.TemporaryDirectory() as folder:
        config = copy.deepcopy(course.config)
        config.CourseDirectory.release_directory = folder
        convert(GenerateAssignment, course, lesson, config=config)
        made = course.folder(Path(folder), lesson)
        target = course.folder(course.release, lesson)
        if contents(made) == contents(target):
            return False
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)
    return True


def _stamp(course: Course, lesson: str) -> str | None:
    """Return a hash of all that a release depends on and makes, or None if the gradebook lacks it."""
    if not rows(course, "SELECT 1 FROM assignment WHERE name = ?", lesson):
        return None
    folders = [course.folder(step, lesson) for step in (course.source, course.release)]
    return stamp(course, *(contents(folder) for folder in folders))
