"""Runs one of nbgrader's converters on one lesson: in this process, without its chatter.

What nbgrader logs is kept back and becomes the message of the exception when it fails. Nothing here knows
what the converter is for.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from nbgrader.converters import BaseConverter
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.course.config import Course, CourseError


class ConverterError(CourseError):
    """A step of nbgrader's failed; the message is the last thing it said."""


@contextlib.contextmanager
def environment(course: Course) -> Iterator[None]:
    """Give nbgrader what its own command line has: ``alembic`` on PATH, the course on ``sys.path``.

    nbgrader runs the bare command ``alembic`` to make a gradebook, so calling an environment's python by its
    path is not enough.
    """
    path, modules, root = os.environ.get("PATH", ""), list(sys.path), str(course.root)
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), path])
    sys.path.append(root)
    try:
        yield
    finally:
        os.environ["PATH"] = path
        sys.path[:] = modules


class _Kept(logging.Handler):
    """Keeps what was logged, for the message of an exception."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            self.lines += record.getMessage().rstrip().splitlines()

    def reason(self) -> str:
        """Return the last line of the last traceback, which names the cause, else the last line."""
        errors = [at for at, line in enumerate(self.lines) if line.startswith("Traceback (most recent")]
        after = self.lines[errors[-1] + 1 :] if errors else []
        # The exception follows its stack, which is indented.
        return next((line for line in after if line[:1].strip()), self.lines[-1] if self.lines else "")


def convert(
    kind: type[BaseConverter],
    course: Course,
    lesson: str,
    *,
    students: Sequence[str] = (".",),
    config: Config | None = None,
    ignore: Sequence[str] = (),
) -> None:
    """Run the converter `kind` on `lesson`, replacing what is there; files named `ignore` are not copied.

    Source and release belong to the student ``.``. One run for several students costs less than one for each.

    Raises
    ------
    ConverterError
        If nbgrader failed, with its reason.
    """
    chosen = config or course.config
    # Not a registered logger: two calls must not share a handler.
    log, kept = logging.Logger("autograder.course"), _Kept()
    log.addHandler(kept)
    with environment(course):
        try:
            folders = CourseDirectory(config=chosen, root=str(course.root), db_url=course.db_url, log=log)
            folders.assignment_id = lesson
            folders.ignore = [*folders.ignore, *ignore]
            converter = kind(coursedir=folders, config=chosen, log=log)
            converter.force = True
            _choose(converter, lesson, students)
            converter.start()
        except (Exception, SystemExit) as error:
            raise ConverterError(f"{lesson}: {kept.reason() or error}") from error


def _choose(converter: BaseConverter, lesson: str, students: Sequence[str]) -> None:
    """Give the converter its notebooks: it would take names such as ``ps [1]`` for patterns."""
    chosen = {}
    for student in students:
        folder = converter.coursedir.format_path(converter._input_directory, student, lesson)
        chosen[folder] = [os.path.join(folder, path.name) for path in sorted(Path(folder).glob("*.ipynb"))]
        if not chosen[folder]:
            raise ConverterError(f"there must be a notebook in {folder}, got none")
    converter.assignments = chosen
    converter.init_notebooks = lambda: None
