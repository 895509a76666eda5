"""The source of a lesson, read once for the whole class: its notebooks and the data files beside them.

Reads; never runs or changes anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder import notebook
from autograder.classroom import folder
from autograder.course.config import Course, CourseError
from autograder.referee.source import Source

NOTEBOOK_LIMIT = 24 * 2**20
# What a student's process is sent in one message, less the notebooks.
FILES_LIMIT = 16 * 2**20


@dataclass(frozen=True)
class Page:
    """A source notebook: its name without the ending, its content, and the data files of its lesson."""

    name: str
    data: bytes
    files: Mapping[str, bytes]

    @property
    def file(self) -> str:
        """The name of the file that students hand in."""
        return f"{self.name}.ipynb"

    @cached_property
    def source(self) -> Source:
        """The notebook as the grader reads it."""
        return self.with_files({})

    def with_files(self, extra: Mapping[str, bytes]) -> Source:
        """Return the source beside which a student's own files lie; those of the lesson come first."""
        try:
            return Source(notebook.read(self.data), self.together(extra))
        except notebook.UnreadableError as error:
            raise CourseError(f"the source {self.file} must be a notebook: {error}") from None

    def together(self, extra: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the lesson's files and those of `extra` that are in the way of none of them."""
        return {**{name: data for name, data in extra.items() if not self._taken(name)}, **self.files}

    def _taken(self, name: str) -> bool:
        return any(
            f"{ours}/".startswith(f"{name}/") or f"{name}/".startswith(f"{ours}/") for ours in self.files
        )

    @cached_property
    def grade_ids(self) -> frozenset[str]:
        """The names of the cells that nbgrader knows."""
        return frozenset(cell.grade_id for cell in self.source.cells if cell.grade_id is not None)

    @cached_property
    def tests(self) -> frozenset[str]:
        """The text of the tests as students get it, to know a notebook by that lost its metadata."""
        return frozenset(cell.stem for cell in self.source.cells if cell.is_test and cell.stem)


@dataclass(frozen=True)
class Lesson:
    """The source of one assignment."""

    name: str
    pages: tuple[Page, ...]
    files: Mapping[str, bytes]


def read(course: Course, name: str) -> Lesson:
    """Read the lesson `name` of `course`."""
    files = beside(course.folder(course.source, name))
    pages = tuple(page(path, files) for path in course.notebooks(name))
    return Lesson(name, pages, files)


def page(path: Path, files: Mapping[str, bytes] | None = None) -> Page:
    """Read the source notebook at `path`, and the data files beside it unless `files` are given.

    Raises
    ------
    CourseError
        If it is no notebook.
    """
    made = Page(path.stem, path.read_bytes(), beside(path.parent) if files is None else files)
    made.source  # noqa: B018  fails now rather than at the first submission
    return made


def beside(place: Path, limit: int = FILES_LIMIT) -> dict[str, bytes]:
    """Return the data files in `place`: all but notebooks.

    Raises
    ------
    CourseError
        If they are more than a student's process is sent.
    """
    found: dict[str, bytes] = {}
    for name in folder.names(place):
        if name.endswith(".ipynb"):
            continue
        try:
            found[name] = folder.read(place / name, limit - sum(map(len, found.values())))
        except folder.OddFileError:
            raise CourseError(
                f"the data files in {place} must be at most {limit >> 20} MB together"
            ) from None
    return found
