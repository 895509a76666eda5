"""Finds the instructor's notebook for a student's, by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.cli.failures import WrongWords
from autograder.course import config

# What browsers and JupyterLab make of a name that is taken.
COPY = re.compile(r"(\s*\(\d+\)|-Copy\d+)+$")


def find(notebook: Path) -> Path:
    """Return the source of `notebook` in the course that it lies in, or that the working folder is in.

    Raises
    ------
    WrongWords
        If there is no course, or no such notebook in it.
    """
    looked = []
    for course in _courses(notebook):
        for name in dict.fromkeys((notebook.stem, COPY.sub("", notebook.stem))):
            for lesson in (name, *course.lessons()):
                path = course.folder(course.source, lesson) / f"{name}.ipynb"
                if path.is_file():
                    return path
        if (course.source / f"{notebook.stem}.py").is_file():
            raise WrongWords(f"{notebook.stem} must be built first: run `autograder build {notebook.stem}`")
        looked.append(str(course.source))
    where = " or ".join(looked) or "a course at or above it"
    raise WrongWords(f"{notebook.name} must have its source, got none in {where}; try --source FILE")


def _courses(notebook: Path) -> Iterator[config.Course]:
    seen = set()
    for start in (notebook.resolve().parent, Path.cwd()):
        for place in (start, *start.parents):
            if place not in seen and (place / f"{config.CONFIG_FILE}.py").is_file():
                yield config.load(place)
            seen.add(place)
