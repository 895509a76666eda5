"""Remembers what a step was last made from, so that one with nothing to do is instant.

A stamp is a hash of everything that goes into a step and of what came out. Nothing here imports nbgrader,
which takes longer to load than the step takes to find that it is up to date.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.course.config import Course

FOLDER = ".autograder"


class Stamps:
    """The stamps of one step of one course, kept in a file beside its gradebook."""

    def __init__(self, course: Course, step: str) -> None:
        self._path = course.root / FOLDER / f"{step}.json"
        try:
            self._known = dict(json.loads(self._path.read_text()))
        except (OSError, ValueError):
            self._known = {}

    def holds(self, name: str, current: str | None) -> bool:
        """Say whether `name` was last left with the stamp `current`."""
        return current is not None and self._known.get(name) == current

    def remember(self, name: str, current: str | None) -> None:
        """Keep `current` for `name`."""
        self._known[name] = current
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text(json.dumps(self._known, indent=1, sort_keys=True) + "\n")


def stamp(course: Course, *parts: object) -> str:
    """Return a hash of `parts`, of the configuration and of the versions that do the work."""
    digest = hashlib.sha256()
    for name in ("nbgrader", "nbconvert", "nbformat"):
        digest.update(f"{name} {metadata.version(name)}\n".encode())
    digest.update(repr(sorted(course.config.items())).encode())
    for part in parts:
        digest.update(repr(part).encode())
    return digest.hexdigest()


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file under `folder` but what editors and interpreters leave there."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".ipynb_checkpoints", "__pycache__"} & set(path.parts)
    }


def rows(course: Course, query: str, *values: str) -> list[tuple[Any, ...]]:
    """Ask the gradebook, if it is a file that can be read without nbgrader; else there are no rows."""
    kind, _, path = course.db_url.partition(":///")
    if kind != "sqlite" or not Path(path).is_file():
        return []
    address = f"{Path(path).absolute().as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as gradebook:
            return gradebook.execute(query, values).fetchall()
    except sqlite3.Error:
        return []
