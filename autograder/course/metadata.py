"""What the metadata of a lesson may say, checked before nbgrader ever sees it.

nbgrader's own validator speaks of schemas and drops the whole assignment; this one names the cell and what
must hold. It never changes a cell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

FLAGS = ("grade", "solution", "locked", "task")
NBGRADER = {*FLAGS, "grade_id", "points", "schema_version", "cell_type", "checksum"}
GRADE_ID = re.compile(r"[a-zA-Z0-9_-]+")
# The delimiters that nbgrader cuts at, and what a cell must be for its cut to be taken.
REGIONS = {"SOLUTION": "solution", "HIDDEN TESTS": "grade", "MARK SCHEME": "task"}


class MetadataError(Exception):
    """A cell says of itself what nbgrader or the autograder would not take."""


def complete(written: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in what nbgrader wants spelled out: a lesson's text may say only what is particular to a cell."""
    flags: dict[str, Any] = {"grade": False, "solution": False, "task": False, "schema_version": 3}
    flags["locked"] = not written.get("solution", False)
    return {**flags, **written}


def validate(notebook: Mapping[str, Any], cells: Sequence[Mapping[str, Any]]) -> None:
    """Raise `MetadataError` for the first thing that is wrong."""
    withheld = notebook.get("autograder", {})
    _must(set(withheld) <= {"withhold"}, "the notebook", "autograder metadata must be withhold", withheld)
    names = withheld.get("withhold", [])
    listed = isinstance(names, list) and all(isinstance(name, str) for name in names)
    _must(listed, "the notebook", "withhold must be a list of module names", names)
    grade_ids: set[str | None] = set()
    ids: set[str] = set()
    for number, cell in enumerate(cells, 1):
        where = f"cell {number} ({_label(cell)})"
        _check_cell(where, cell)
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        _must(grade_id is None or grade_id not in grade_ids, where, "grade_id must be unique", grade_id)
        _must(cell["id"] not in ids, where, "id must be unique", cell["id"])
        grade_ids.add(grade_id)
        ids.add(cell["id"])


def _label(cell: Mapping[str, Any]) -> str:
    """Return what a person finds the cell by: its grade_id, else its first line."""
    first = next(iter(cell["source"].splitlines()), "empty")
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id") or first[:40])


def _must(holds: bool, where: str, what: str, got: object) -> None:
    if not holds:
        raise MetadataError(f"{where}: {what}, got {got!r}")


def _check_cell(where: str, cell: Mapping[str, Any]) -> None:
    metadata = cell["metadata"]
    allowed = {"nbgrader", "autograder", "tags", "id"}
    _must(set(metadata) <= allowed, where, "metadata must be nbgrader, autograder, tags or id", set(metadata))
    _check_ours(where, metadata.get("autograder", {}))
    if "nbgrader" in metadata:
        _check_nbgrader(where, metadata["nbgrader"], cell["cell_type"])
    _check_regions(where, cell["source"], metadata.get("nbgrader", {}))


def _check_ours(where: str, ours: Mapping[str, Any]) -> None:
    known = set(ours) <= {"timeout", "picture"}
    _must(known, where, "autograder metadata must be timeout or picture", set(ours))
    timeout, picture = ours.get("timeout", 1), ours.get("picture", True)
    number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool) and timeout > 0
    _must(number, where, "timeout must be a positive number of seconds", timeout)
    _must(isinstance(picture, bool), where, "picture must be true or false", picture)


def _check_nbgrader(where: str, meta: Mapping[str, Any], cell_type: str) -> None:
    _must(set(meta) <= NBGRADER, where, f"nbgrader metadata must be among {sorted(NBGRADER)}", set(meta))
    _must(meta["schema_version"] == 3, where, "schema_version must be 3", meta["schema_version"])
    grade_id = meta.get("grade_id")
    named = isinstance(grade_id, str) and GRADE_ID.fullmatch(grade_id)
    _must(bool(named), where, "grade_id must be letters, digits, _ and -", grade_id)
    for flag in FLAGS:
        _must(isinstance(meta[flag], bool), where, f"{flag} must be true or false", meta[flag])
    points = meta.get("points")
    scored = isinstance(points, (int, float)) and not isinstance(points, bool) and points >= 0
    graded = meta["grade"] or meta["task"]
    _must(scored == graded, where, "points must be there if and only if the cell is graded", points)
    if meta["task"]:
        _must(cell_type == "markdown", where, "a task must be a markdown cell", cell_type)
    elif cell_type == "markdown":
        both = meta["grade"] == meta["solution"]
        _must(both, where, "a markdown cell must be grade and solution together", dict(meta))


def _check_regions(where: str, source: str, meta: Mapping[str, Any]) -> None:
    """Check that what is to be cut out is delimited, and lies in a cell where nbgrader cuts it out."""
    for region, flag in REGIONS.items():
        marks = re.findall(rf"(BEGIN|END) {region}", source)
        pairs = marks == ["BEGIN", "END"] * (len(marks) // 2)
        _must(pairs, where, f"BEGIN and END {region} must come in pairs", marks)
        inside = not marks or bool(meta.get(flag))
        _must(inside, where, f"{region} must be in a cell marked {flag}", dict(meta))
