"""Which cells run, in which order: a submission laid over its source.

Roles, points, locked text and settings come from the source; the submission gives the student's own text and
the order. A cell that the student deleted, or whose metadata is lost, goes where the source has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.notebook import Cell, cells
from autograder.referee.source import Source

_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True)
class Step:
    """One cell of the graded notebook: its place, its text, and the cell of the source that it stands for."""

    number: int
    cell: Cell
    ours: Cell | None = None
    at: int | None = None

    @property
    def given(self) -> bool:
        """A cell of the instructor's that is as it was given."""
        return self.trusted and self.ours is not None and self.cell.source == self.ours.source

    @property
    def trusted(self) -> bool:
        """A cell of the instructor's, which the trusted side may run in its own version."""
        return (
            self.ours is not None and self.ours.kind == "code" and not (self.ours.solution or self.ours.grade)
        )

    @property
    def untouched(self) -> bool:
        """An answer cell in which the student wrote nothing."""
        if self.ours is None or not self.ours.solution:
            return False
        return self.cell.source.strip() in ("", self.ours.stem)

    @property
    def for_student(self) -> bool:
        """Whether the student's process runs this cell."""
        drawn = self.given and self.cell.settings.get("picture") is True
        return (
            self.cell.kind == "code"
            and not self.cell.is_test
            and not drawn
            and bool(self.cell.source.strip())
        )

    @property
    def timeout(self) -> float | None:
        """The seconds that the source allows this cell, where it says so."""
        value = self.cell.settings.get("timeout")
        return (
            float(value)
            if isinstance(value, int | float) and not isinstance(value, bool) and value > 0
            else None
        )


@dataclass(frozen=True)
class Plan:
    """The steps in order, and the notebook that they make."""

    steps: Sequence[Step]
    notebook: Mapping[str, Any] = field(repr=False)


def lay(source: Source, submission: Mapping[str, Any]) -> Plan:
    """Lay `submission` over `source`."""
    handed_in = cells(submission)
    matches = _match(source.cells, handed_in)
    order = _order(source.cells, matches, len(handed_in))
    steps: list[Step] = []
    raw: list[dict[str, Any]] = []
    for number, (at_source, at_submission) in enumerate(order):
        theirs = None if at_submission is None else handed_in[at_submission]
        if at_source is None:
            assert theirs is not None and at_submission is not None
            step = Step(number, Cell(theirs.kind, theirs.source, theirs.cell_id))
            metadata = {}
        else:
            ours = source.cells[at_source]
            step = Step(number, replace(ours, source=_text(ours, theirs)), ours, at_source)
            metadata = source.notebook["cells"][at_source]["metadata"]
        steps.append(step)
        pictures = {} if theirs is None else submission["cells"][at_submission].get("attachments", {})
        raw.append(_raw(step, metadata, pictures))
    _name_cells(raw, [step.cell.cell_id for step in steps], source.notebook)
    return Plan(steps, {**source.notebook, "cells": raw})


def _text(ours: Cell, theirs: Cell | None) -> str:
    """Return the text that counts: the student's where it is the student's to write, else the source's."""
    if theirs is not None and (ours.solution or not (ours.locked or ours.grade or ours.task)):
        return theirs.source
    return "" if ours.solution else ours.source


def _raw(step: Step, metadata: Mapping[str, Any], pictures: Mapping[str, Any]) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": step.cell.kind,
        "metadata": dict(metadata),
        "source": step.cell.source,
    }
    if step.cell.kind == "code":
        cell |= {"outputs": [], "execution_count": None}
    elif step.cell.kind == "markdown" and pictures:
        cell["attachments"] = dict(pictures)
    return cell


def _name_cells(
    raw: Sequence[dict[str, Any]], ids: Sequence[str | None], notebook: Mapping[str, Any]
) -> None:
    """Give each cell an id of its own, where the format has ids: a student's file may say anything."""
    if (notebook.get("nbformat", 4), notebook.get("nbformat_minor", 0)) < (4, 5):
        return
    taken: set[str] = set()
    for number, (cell, name) in enumerate(zip(raw, ids, strict=True)):
        good = name is not None and _ID.fullmatch(name) is not None and name not in taken
        cell["id"] = name if good and name is not None else f"cell-{number}"
        taken.add(cell["id"])


def _match(ours: Sequence[Cell], theirs: Sequence[Cell]) -> dict[int, int]:
    """Return which cell of the submission stands for which cell of the source, the surest signs first."""
    matches: dict[int, int] = {}
    taken: set[int] = set()

    def pair(key_ours: Any, key_theirs: Any) -> None:
        known: dict[Any, list[int]] = {}
        for at, cell in enumerate(ours):
            if at not in matches and (key := key_ours(cell)) is not None:
                known.setdefault(key, []).append(at)
        for at, cell in enumerate(theirs):
            key = key_theirs(cell)
            if at not in taken and key is not None and known.get(key):
                matches[known[key].pop(0)] = at
                taken.add(at)

    pair(lambda cell: cell.grade_id, lambda cell: cell.grade_id)
    pair(lambda cell: cell.cell_id, lambda cell: cell.cell_id)
    pair(lambda cell: cell.stem or None, lambda cell: cell.source.strip())
    return matches


def _order(
    ours: Sequence[Cell], matches: Mapping[int, int], length: int
) -> list[tuple[int | None, int | None]]:
    """Return pairs (place in the source, place in the submission) in the order of the graded notebook.

    A cell that is missing goes before the next cell of the source that is there, else to the end: after
    whatever the student wrote in its stead. Prose that is missing stays away.
    """
    at_source = {there: here for here, there in matches.items()}
    before: dict[int, list[int]] = {}
    last: list[int] = []
    for here, cell in enumerate(ours):
        if here in matches or not (cell.kind == "code" or cell.is_manual or cell.solution):
            continue
        following = [matches[later] for later in range(here + 1, len(ours)) if later in matches]
        before.setdefault(following[0], []).append(here) if following else last.append(here)
    order: list[tuple[int | None, int | None]] = []
    for there in range(length):
        order += [(here, None) for here in before.get(there, [])]
        order.append((at_source.get(there), there))
    return order + [(here, None) for here in last]
