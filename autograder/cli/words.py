"""The words that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

lessons: Decorator = click.argument("lessons", nargs=-1, metavar="[LESSON…]")
course: Decorator = click.option(
    "--course",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The course; else the nearest folder at or above this one that has nbgrader_config.py.",
)
force: Decorator = click.option("--force", is_flag=True, help="Do it again, even if nothing has changed.")
as_json: Decorator = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
figures: Decorator = click.option("--figures", is_flag=True, help="Render the figures that students draw.")
isolation: Decorator = click.option(
    "--isolation",
    type=click.Choice(["process", "kernel"]),
    default="process",
    show_default=True,
    help="Where tests run: away from the student's code, or in its process.",
)


def cores() -> int:
    """Return how many processes can run at a time here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
