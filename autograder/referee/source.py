"""The instructor's notebook, read once: roles, answers' names, what is withheld, what is to be loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autograder.notebook import Cell, cells, digest
from autograder.referee import names


@dataclass(frozen=True)
class Source:
    """A source notebook with its solutions and hidden tests; `files` are the data files beside it."""

    notebook: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict)

    @cached_property
    def cells(self) -> Sequence[Cell]:
        """The cells in order."""
        return cells(self.notebook)

    @cached_property
    def facts(self) -> Sequence[names.Facts]:
        """What each cell says of names; nothing for prose."""
        return [names.Facts(names.parse(cell.source if cell.kind == "code" else "")) for cell in self.cells]

    @cached_property
    def graded(self) -> Sequence[Cell]:
        """The cells that make up a report."""
        return [cell for cell in self.cells if cell.grade_id is not None and (cell.is_test or cell.is_manual)]

    @cached_property
    def fingerprint(self) -> str:
        """What a result depends on, as far as the source goes."""
        parts: list[str | bytes] = []
        for cell, raw in zip(self.cells, self.notebook["cells"], strict=True):
            parts += [cell.kind, cell.source, repr(raw["metadata"])]
        parts += [item for name in sorted(self.files) for item in (name, self.files[name])]
        return digest([*parts, repr(sorted(self.withheld))])

    @cached_property
    def withheld(self) -> frozenset[str]:
        """The modules that this lesson asks the student to write."""
        settings = self.notebook.get("metadata", {}).get("autograder", {})
        named = settings.get("withhold", []) if isinstance(settings, dict) else []
        return frozenset(name for name in named if isinstance(name, str))

    @cached_property
    def modules(self) -> frozenset[str]:
        """The modules that the source imports anywhere: worth loading before the fork."""
        found: set[str] = set()
        for facts in self.facts:
            found |= names.modules(facts.tree)
        return frozenset(found)

    @cached_property
    def problems(self) -> Sequence[str]:
        """What is wrong with the source itself: two cells of one name, a test without a name."""
        found = []
        seen: set[str] = set()
        for cell in self.cells:
            if cell.grade_id in seen:
                found.append(f"two cells have the grade_id {cell.grade_id}")
            if cell.grade_id is not None:
                seen.add(cell.grade_id)
            elif cell.grade or cell.solution or cell.task:
                found.append("a graded cell has no grade_id")
        return found
