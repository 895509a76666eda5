"""Reports as tables for people: nothing is decided here, and no markup in a message is believed."""

from __future__ import annotations

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
