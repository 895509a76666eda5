"""Notebooks as cells: reading what people hand in, and what nbgrader's metadata says of a cell.

Nothing here runs code, and nothing in a submission is believed: roles and points are read from the source.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SIZE_LIMIT = 50 * 2**20
HIDDEN = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")
SOLUTION = ("BEGIN SOLUTION", "END SOLUTION")
STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
TEXT_STUB = "YOUR ANSWER HERE"


_PICTURES = ("image/png", "image/jpeg", "image/gif")
CELLS_LIMIT = 3_000


class UnreadableError(ValueError):
    """A file that is not a notebook; the message is for the student."""


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook, with what nbgrader's metadata and ours say of it."""

    kind: str
    source: str
    cell_id: str | None = None
    grade_id: str | None = None
    grade: bool = False
    solution: bool = False
    task: bool = False
    locked: bool = False
    points: float = 0.0
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_test(self) -> bool:
        """A cell that grades automatically."""
        return self.grade and not self.solution and not self.task and self.kind == "code"

    @property
    def is_manual(self) -> bool:
        """A cell that a person marks."""
        return self.task or (self.grade and not self.is_test)

    @property
    def hidden(self) -> bool:
        """Whether a part of this cell is withheld from students."""
        return HIDDEN[0] in self.source

    @property
    def stem(self) -> str:
        """The text that identifies this cell: what a student was given of it, without outer white space."""
        return released(self).strip()


def read(data: bytes) -> dict[str, Any]:
    """Return the notebook in `data` as nbformat 4; raise UnreadableError where there is none."""
    if len(data) > SIZE_LIMIT:
        raise UnreadableError(f"a notebook must be at most {SIZE_LIMIT >> 20} MB, got {len(data) >> 20} MB")
    if not data.strip():
        raise UnreadableError("the file is empty")
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError):
        raise UnreadableError("the file is not a notebook: it does not hold JSON") from None
    if isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list):
        notebook["cells"] = [
            cell
            for sheet in notebook["worksheets"]
            if isinstance(sheet, dict)
            for cell in sheet.get("cells", [])
        ]
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise UnreadableError("the file is not a notebook: it has no list of cells")
    if len(notebook["cells"]) > CELLS_LIMIT:
        raise UnreadableError(
            f"a notebook must have at most {CELLS_LIMIT} cells, got {len(notebook['cells'])}"
        )
    notebook["cells"] = [tidy for cell in notebook["cells"] if (tidy := _tidy(cell)) is not None]
    return notebook


def _tidy(cell: Any) -> dict[str, Any] | None:
    """Return a cell in which source is text and metadata a dict, or None for what is no cell."""
    if not isinstance(cell, dict):
        return None
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        source = ""
    kind = cell.get("cell_type")
    metadata = cell.get("metadata")
    pictures = _pictures(cell.get("attachments")) if kind == "markdown" else {}
    return {
        **({"attachments": pictures} if pictures else {}),
        **({"id": cell["id"]} if isinstance(cell.get("id"), str) else {}),
        "cell_type": kind if kind in ("code", "markdown", "raw") else "raw",
        "metadata": metadata if isinstance(metadata, dict) else {},
        "source": source,
    }


def _pictures(attachments: Any) -> dict[str, dict[str, str]]:
    """Return the pictures that were pasted into a text, and nothing else that may hang on it."""
    kept: dict[str, dict[str, str]] = {}
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        if isinstance(bundle, dict):
            found = {mime: bundle[mime] for mime in _PICTURES if isinstance(bundle.get(mime), str)}
            if found:
                kept[str(name)] = found
    return kept


def cells(notebook: Mapping[str, Any]) -> list[Cell]:
    """Return the cells of a notebook that `read` returned."""
    return [_cell(cell) for cell in notebook["cells"]]


def _cell(cell: Mapping[str, Any]) -> Cell:
    marks = cell["metadata"].get("nbgrader")
    marks = marks if isinstance(marks, dict) else {}
    settings = cell["metadata"].get("autograder")
    points = marks.get("points", 0)
    return Cell(
        kind=cell["cell_type"],
        source=cell["source"],
        cell_id=cell.get("id"),
        grade_id=marks["grade_id"] if isinstance(marks.get("grade_id"), str) else None,
        grade=marks.get("grade") is True,
        solution=marks.get("solution") is True,
        task=marks.get("task") is True,
        locked=marks.get("locked") is True,
        points=float(points) if isinstance(points, int | float) and points == points else 0.0,
        settings=settings if isinstance(settings, dict) else {},
    )


def released(cell: Cell) -> str:
    """Return the text of a source cell as students get it."""
    if cell.solution:
        stub = STUB if cell.kind == "code" else TEXT_STUB
        text, found = _replace(cell.source, SOLUTION, stub)
        return text if found else stub
    return without_hidden(cell.source)


def without_hidden(source: str, mark: str | None = None) -> str:
    """Return `source` without its hidden tests; `mark` stands in their place where it is given."""
    text, _ = _replace(source, HIDDEN, mark)
    return text


def _replace(source: str, fences: tuple[str, str], stub: str | None) -> tuple[str, bool]:
    """Replace each fenced block by `stub`, indented as the block was; an open block ends with the cell."""
    kept: list[str] = []
    inside = found = False
    for line in source.split("\n"):
        if not inside and fences[0] in line:
            inside = found = True
            indent = re.match(r"\s*", line)
            if stub is not None and indent is not None:
                kept.extend(indent.group() + text for text in stub.split("\n"))
        elif inside and fences[1] in line:
            inside = False
        elif not inside:
            kept.append(line)
    return "\n".join(kept), found


def digest(parts: Iterable[str | bytes]) -> str:
    """Return a fingerprint of `parts`, for the question whether anything has changed."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()
