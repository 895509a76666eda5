"""From the text of a lesson to the notebook that nbgrader reads.

The text is the truth, so this is a function of the text alone: no outputs, no dates, the same cell ids every
time. It never runs a cell and never reads the notebook it replaces, except to see whether it changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from autograder.course.config import Course, CourseError
from autograder.course.metadata import MetadataError, complete, validate

LESSON = re.compile(r"\d\d_\w+")
CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# A kernel's own metadata would differ from machine to machine.
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class BuildError(CourseError):
    """A lesson's text cannot become a notebook; the message names the file and the cell."""


def texts(course: Course) -> dict[str, Path]:
    """Return the lessons that are kept as text, by name: the ``NN_noun.py`` that lie flat in the source."""
    return {path.stem: path for path in sorted(course.source.glob("*.py")) if LESSON.fullmatch(path.stem)}


def build(course: Course, lessons: Sequence[str] = ()) -> list[str]:
    """Build the notebooks of `lessons`, or of all, and return the names of those that changed."""
    there = texts(course)
    for lesson in lessons:
        if lesson not in there:
            raise BuildError(f"a lesson must be one of {', '.join(there) or 'none'}, got {lesson}")
    changed = []
    for lesson in lessons or there:
        target = course.folder(course.source, lesson) / f"{lesson}.ipynb"
        if _write_if_new(target, notebook(there[lesson])):
            changed.append(lesson)
    return changed


def _write_if_new(target: Path, content: str) -> bool:
    """Write `content` unless `target` has it already, so that "up to date" is visible in its date too."""
    data = content.encode()
    if target.is_file() and target.read_bytes() == data:
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return True


def notebook(text: Path) -> str:
    """Return the notebook that `text` describes, as JSON that ends with a newline.

    Raises
    ------
    BuildError
        If the metadata is not what nbgrader and the autograder take, or the text is not a notebook.
    """
    try:
        parsed = jupytext.read(text, fmt="py:percent")
        node: Any = nbformat.from_dict(_assemble(parsed))  # type: ignore[no-untyped-call]
        nbformat.validate(node)
    except MetadataError as error:
        raise BuildError(f"{text.name}, {error}") from error
    except nbformat.ValidationError as error:
        raise BuildError(f"{text.name} must be a notebook, got {error.message}") from error
    return f"{nbformat.writes(node)}\n"  # type: ignore[no-untyped-call]


def _assemble(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """Make a plain notebook out of what jupytext read."""
    metadata = {**NOTEBOOK_METADATA}
    if "autograder" in parsed["metadata"]:
        metadata["autograder"] = parsed["metadata"]["autograder"]
    cells = [_cell(cell) for cell in parsed["cells"]]
    for cell, name in zip(cells, _ids(cells), strict=True):
        cell["id"] = name
    validate(metadata, cells)
    for cell in cells:
        cell["metadata"].pop("id", None)
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


def _cell(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the source and the metadata that a person wrote, and drop jupytext's own."""
    kept = {key: value for key, value in parsed["metadata"].items() if key != "lines_to_next_cell"}
    cell = {"cell_type": parsed["cell_type"], "metadata": kept, "source": parsed["source"].rstrip("\n")}
    if "nbgrader" in kept:
        cell["metadata"] = {**kept, "nbgrader": complete(kept["nbgrader"])}
    if parsed["cell_type"] == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell


def _ids(cells: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Name each cell: as written, else by its grade_id, else by its content.

    None of the three depends on the other cells, unless two have the same content, so that an edit moves no
    other id.
    """
    wanted = [_named(cell["metadata"]) for cell in cells]
    taken = {name for name in wanted if name}
    for cell, name in zip(cells, wanted, strict=True):
        yield name or _hashed(cell, taken)


def _named(metadata: Mapping[str, Any]) -> str | None:
    for name in (metadata.get("id"), metadata.get("nbgrader", {}).get("grade_id")):
        if isinstance(name, str) and CELL_ID.fullmatch(name):
            return name
    return None


def _hashed(cell: Mapping[str, Any], taken: set[str]) -> str:
    for repeat in range(len(taken) + 1):
        name = hashlib.sha256(f"{cell['cell_type']}\0{repeat}\0{cell['source']}".encode()).hexdigest()[:8]
        if name not in taken:
            break
    taken.add(name)
    return name
