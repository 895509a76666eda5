"""Runs one of nbgrader's converters on one lesson: in this process, without its chatter.

What nbgrader logs is kept back and becomes the message of the exception when it fails. Nothing here knows
what the converter is for.
"""

from __future__ import annotations

import contextlib
import glob
import logging
import os
import sys
import sysconfig
from collections.abc import Iterator
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


def directory(course: Course, *, config: Config | None = None) -> CourseDirectory:
    """Return nbgrader's own view of `course`."""
    chosen = config or course.config
    return CourseDirectory(config=chosen, root=str(course.root), db_url=course.db_url, log=_quiet()[0])


def convert(
    kind: type[BaseConverter],
    course: Course,
    lesson: str,
    *,
    student: str = "*",
    config: Config | None = None,
) -> None:
    """Run the converter `kind` on `lesson`, replacing what is there.

    Raises
    ------
    ConverterError
        If nbgrader failed, with its reason.
    """
    log, kept = _quiet()
    folders = directory(course, config=config)
    # nbgrader takes both for patterns; a name like "ps [1]" is to match itself.
    folders.assignment_id = glob.escape(lesson)
    folders.student_id = student if student == "*" else glob.escape(student)
    converter = kind(coursedir=folders, config=folders.config, log=log)
    converter.force = True
    with environment(course), _kept_working_folder():
        try:
            converter.start()
        except (Exception, SystemExit) as error:
            raise ConverterError(f"{lesson}: {kept.reason() or error}") from error


@contextlib.contextmanager
def _kept_working_folder() -> Iterator[None]:
    """Return to the working folder, and put nbgrader's own paths right, whatever a configuration did."""
    before = Path.cwd()
    try:
        yield
    finally:
        os.chdir(before)


def _quiet() -> tuple[logging.Logger, _Kept]:
    """Make a logger that prints nothing; not a registered one, so that two calls share no handler."""
    log, kept = logging.Logger("autograder.course"), _Kept()
    log.addHandler(kept)
    return log, kept
