"""Reports as tables for people: nothing is decided here, and no markup in a message is believed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich import box
from rich.table import Table
from rich.text import Text

from autograder.report import CellResult, Report, Verdict

STYLES = {
    Verdict.PASSED: "green",
    Verdict.MANUAL: "blue",
    Verdict.UNTOUCHED: "dim",
    Verdict.MISSING: "dim",
    Verdict.INTERNAL: "bold magenta",
}
WRONG = "red"


# An exercise has several tests: rotate_test, rotate_hidden.
TEST = re.compile(r"_(test|hidden)s?(_?\d+)?$")


def style(verdict: Verdict) -> str:
    """Return the colour of a verdict."""
    return STYLES.get(verdict, WRONG)


def points(score: float | None, most: float) -> str:
    """Return points of points; a dash where a person has still to say."""
    return f"{'–' if score is None else f'{score:g}'}/{most:g}"


def checked(report: Report) -> Table:
    """Return one notebook: exercise, points, verdict, reason."""
    title = Text(f"{report.path}  {points(report.score, report.max_score)}", style="bold")
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, caption=_caption(report))
    table.add_column("exercise", overflow="fold", max_width=24)
    table.add_column("points", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("reason", overflow="fold", ratio=1)
    table.expand = any(cell.message for cell in report.cells)
    for cell in report.cells:
        table.add_row(*_row(cell))
    return table


def _row(cell: CellResult) -> tuple[Text, Text, Text, Text]:
    return (
        Text(cell.grade_id),
        Text(points(cell.score, cell.max_score)),
        Text(cell.verdict.value, style=style(cell.verdict)),
        Text(cell.message.strip()),
    )


def _caption(report: Report) -> Text | None:
    if not report.needs_manual:
        return None
    return Text(f"{report.manual_max_score:g} more points are for a person to give.")


class _Line(NamedTuple):
    """What is said of an exercise, or of several alike."""

    verdict: Verdict
    reason: str


def graded(reports: Sequence[Report]) -> Table:
    """Return a class, the best first: student, score, and what came of each exercise."""
    table = Table(box=box.SIMPLE_HEAD, caption=_by_hand(reports), expand=True)
    table.add_column("student", overflow="fold", max_width=16, style="bold")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("exercises", overflow="fold", ratio=2)
    table.add_column("verdict", no_wrap=True)
    table.add_column("reason", overflow="fold", ratio=5)
    for report in sorted(reports, key=lambda one: (-one.score, one.student or "")):
        who, score = Text(report.student or report.path), Text(points(report.score, report.max_score))
        for line, names in _lines(report).items():
            verdict = Text(line.verdict.value, style=style(line.verdict))
            table.add_row(who, score, Text(_listed(names)), verdict, Text(line.reason))
            who = score = Text()
        table.add_section()
    return table


def _lines(report: Report) -> dict[_Line, list[str]]:
    """Return what is said of the exercises, each with the names that it is said of, in the report's order."""
    exercises: dict[str, list[CellResult]] = {}
    for cell in report.automatic:
        exercises.setdefault(TEST.sub("", cell.grade_id), []).append(cell)
    lines: dict[_Line, list[str]] = {}
    for name, cells in exercises.items():
        lines.setdefault(_line(cells), []).append(name)
    return lines


def _line(cells: Sequence[CellResult]) -> _Line:
    """Return the worst of an exercise's tests: one that names a misconception, else the first not passed."""
    wrong = [cell for cell in cells if cell.verdict is not Verdict.PASSED]
    named = [cell for cell in wrong if cell.misconception]
    told = (named or wrong or list(cells))[0]
    return _Line(told.verdict, next(iter(told.message.strip().splitlines()), ""))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _by_hand(reports: Sequence[Report]) -> Text | None:
    most = max((report.manual_max_score for report in reports), default=0.0)
    return Text(f"A person gives up to {most:g} points more.") if most else None
