"""Where a course lies and how its folders are named, from nbgrader's own configuration.

Reads ``nbgrader_config.py`` and lists folders. It never writes, and never imports nbgrader.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_config_path
from traitlets.config.loader import Config, ConfigFileNotFound, JSONFileConfigLoader, PyFileConfigLoader

CONFIG_FILE = "nbgrader_config"
STRUCTURE = os.path.join("{nbgrader_step}", "{student_id}", "{assignment_id}")


class CourseError(Exception):
    """A course, a lesson or a gradebook is not what the call needs it to be."""


@dataclass(frozen=True)
class Submission:
    """The folder that a student handed in for a lesson."""

    student: str
    lesson: str
    path: Path


@dataclass(frozen=True)
class Course:
    """The folders of one nbgrader course; `config` is its whole configuration."""

    root: Path
    source: Path
    release: Path
    submitted: Path
    autograded: Path
    feedback: Path
    db_url: str
    course_id: str
    config: Config
    structure: str = STRUCTURE

    def folder(self, step: Path, lesson: str, student: str = ".") -> Path:
        """Return where `lesson` lies in `step`, one of the folders of this course.

        Source and release belong to no student: nbgrader puts ``.`` there.
        """
        names = {"nbgrader_step": str(step), "student_id": student, "assignment_id": lesson}
        return self.root / self.structure.format(**names)

    @property
    def timeout(self) -> float | None:
        """The seconds that the course allows a cell, nbgrader's ``c.Execute.timeout``, where it sets them."""
        for section in ("Execute", "ExecutePreprocessor"):
            value = self.config.get(section, {}).get("timeout")
            if isinstance(value, int | float) and value > 0:
                return float(value)
        return None

    def lessons(self, only: Sequence[str] = ()) -> list[str]:
        """Return the names of the lessons that have a source notebook, or check that `only` do."""
        there = sorted(one.lesson for one in self._find(self.source, ".") if any(one.path.glob("*.ipynb")))
        for lesson in only:
            if lesson not in there:
                raise CourseError(f"a lesson must be one of {', '.join(there) or 'none'}, got {lesson}")
        return sorted(only) or there

    def notebooks(self, lesson: str) -> list[Path]:
        """Return the source notebooks of `lesson`."""
        return sorted(self.folder(self.source, lesson).glob("*.ipynb"))

    def submissions(
        self, lessons: Sequence[str] = (), students: Sequence[str] = (), *, step: Path | None = None
    ) -> list[Submission]:
        """Return what was handed in, or lies in another `step`, in the order of lesson and student."""
        found = [
            one
            for one in self._find(step or self.submitted)
            if (not lessons or one.lesson in lessons) and (not students or one.student in students)
        ]
        return sorted(found, key=lambda one: (one.lesson, one.student))

    def _find(self, step: Path, student: str = "(?P<student>.+)") -> Iterator[Submission]:
        """Walk the folders of `step`, whatever order of names the course's structure has."""
        marks = {"nbgrader_step": str(step), "student_id": "\0s", "assignment_id": "\0a"}
        if student == ".":
            marks["student_id"] = "."
        pattern = Path(self.structure.format(**marks))
        for path, names in _walk(self.root / pattern.anchor, pattern.relative_to(pattern.anchor).parts):
            yield Submission(names.get("student", "."), names.get("lesson", "."), path)


def _walk(folder: Path, parts: Sequence[str]) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield the folders that match `parts`, with the names that stand in place of the marks."""
    if not parts:
        yield folder, {}
        return
    part, rest = parts[0], parts[1:]
    if "\0" not in part:
        if (folder / part).is_dir():
            yield from _walk(folder / part, rest)
        return
    regex = re.escape(part).replace("\0s", "(?P<student>.+)").replace("\0a", "(?P<lesson>.+)")
    for child in sorted(folder.iterdir()) if folder.is_dir() else ():
        match = re.fullmatch(regex, child.name)
        if match and not child.name.startswith(".") and child.is_dir():
            for path, names in _walk(child, rest):
                yield path, {**match.groupdict(), **names}


def find(folder: Path | str | None = None) -> Course:
    """Find the course in `folder`, or the nearest one at or above the working folder.

    Raises
    ------
    CourseError
        If `folder` is not there, or there is no ``nbgrader_config.py`` at or above the working folder.
    """
    if folder is not None:
        if not Path(folder).is_dir():
            raise CourseError(f"a course must be a folder, got {folder}")
        return load(Path(folder))
    here = Path.cwd()
    for candidate in (here, *here.parents):
        if (candidate / f"{CONFIG_FILE}.py").is_file():
            return load(candidate)
    raise CourseError(f"a course must have {CONFIG_FILE}.py here or above, got none; try --course DIR")


def load(folder: Path) -> Course:
    """Read the configuration of the course in `folder`; what it does not set is as nbgrader has it."""
    folder = folder.resolve()
    config = _config(folder)
    section = config.CourseDirectory if "CourseDirectory" in config else Config()
    root = Path(section.get("root") or folder).resolve()

    def step(name: str) -> Path:
        return root / str(section.get(f"{name}_directory", name))

    return Course(
        root=root,
        source=step("source"),
        release=step("release"),
        submitted=step("submitted"),
        autograded=step("autograded"),
        feedback=step("feedback"),
        db_url=section.get("db_url") or f"sqlite:///{root / 'gradebook.db'}",
        course_id=section.get("course_id", "").strip(),
        config=config,
        structure=section.get("directory_structure", STRUCTURE),
    )


def _config(folder: Path) -> Config:
    """Merge what nbgrader would read: the machine's configuration first, the course's own last."""
    config = Config()
    for place in (*reversed(jupyter_config_path()), str(folder)):
        for loader in (
            PyFileConfigLoader(f"{CONFIG_FILE}.py", path=place),
            JSONFileConfigLoader(f"{CONFIG_FILE}.json", path=place),
        ):
            try:
                config.merge(loader.load_config())
            except ConfigFileNotFound:
                continue
            except Exception as error:
                raise CourseError(f"{loader.full_filename} must load, got {error!r}") from error
    return config
