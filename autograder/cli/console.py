"""Where things are printed: results on standard output, everything else on standard error.

Consoles are made when they are needed, since tests and pipes exchange the streams.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.report import Report

Tell = Callable[[int, int, str], None]


def out() -> Console:
    """Return standard output, as wide as the terminal."""
    return Console(highlight=False, markup=False, emoji=False)


def err() -> Console:
    """Return standard error."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def say(line: str) -> None:
    """Print a remark, on standard error."""
    err().print(line, soft_wrap=True)


def print_json(reports: Sequence[Report]) -> None:
    """Print the objects of the contract: reports without the hashes that only their files have."""
    objects = [replace(report, hashes={}).to_json() for report in reports]
    click.echo(json.dumps(objects, ensure_ascii=True, indent=1))


@contextlib.contextmanager
def progress(*, quiet: bool = False) -> Iterator[Tell]:
    """Show how many are done, and how long the others will take: a bar, or plain lines if not on a terminal.

    `quiet` keeps standard output free, which progress has to itself otherwise where it is no terminal.
    """
    console = err()
    if not console.is_terminal:
        yield lambda done, total, line: click.echo(f"{done}/{total} {line}", err=quiet)
        return
    columns = (
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, line: bar.update(task, completed=done, total=total, description=line)
