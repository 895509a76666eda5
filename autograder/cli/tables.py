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
# Long enough for a sentence of ours, short enough for a class on a screen.
REASON = 200


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
    table.add_column("exercises", overflow="fold", max_width=18)
    table.add_column("verdict", no_wrap=True)
    table.add_column("reason", overflow="fold", ratio=1)
    for report in sorted(reports, key=lambda one: (-one.score, one.student or "")):
        who, score = Text(report.student or report.path), Text(points(report.score, report.max_score))
        rows = _rows(report)
        for row in rows:
            table.add_row(who, score, *row)
            who = score = Text()
        if len(rows) > 1:
            table.add_section()
    return table


def _rows(report: Report) -> list[tuple[Text, Text, Text]]:
    """Return what came of the exercises, those alike in one row: what did not pass first."""
    exercises: dict[str, list[CellResult]] = {}
    for cell in report.automatic:
        exercises.setdefault(TEST.sub("", cell.grade_id), []).append(cell)
    alike: dict[_Line, list[str]] = {}
    for name, cells in exercises.items():
        alike.setdefault(_line(cells), []).append(name)
    ordered = sorted(alike.items(), key=lambda item: item[0].verdict is Verdict.PASSED)
    return [_row_of(line, names, len(exercises)) for line, names in ordered]


def _row_of(line: _Line, names: Sequence[str], of: int) -> tuple[Text, Text, Text]:
    verdict, listed = Text(line.verdict.value, style=style(line.verdict)), Text(", ".join(names))
    if len(names) == of > 1:
        return Text(f"all {of}"), verdict, Text(line.reason)
    if len(names) > 1 and line.verdict is Verdict.PASSED:
        listed.stylize("dim")
        return Text(f"{len(names)} others"), verdict, listed
    return listed, verdict, Text(line.reason)


def _line(cells: Sequence[CellResult]) -> _Line:
    """Return the worst of an exercise's tests: one that names a misconception, else the first not passed."""
    wrong = [cell for cell in cells if cell.verdict is not Verdict.PASSED]
    named = [cell for cell in wrong if cell.misconception]
    told = (named or wrong or list(cells))[0]
    first = next(iter(told.message.strip().splitlines()), "")
    return _Line(told.verdict, first if len(first) <= REASON else first[: REASON - 1] + "…")


def _by_hand(reports: Sequence[Report]) -> Text | None:
    most = max((report.manual_max_score for report in reports), default=0.0)
    return Text(f"A person gives up to {most:g} points more.") if most else None
