"""``autograder build``: from the text of the lessons to their notebooks."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli import words


@click.command("build")
@words.lessons
@words.course
def command(lessons: tuple[str, ...], folder: Path | None) -> None:
    """Build the notebooks of LESSONs, or of all, from their texts."""
    from autograder.course import build, config

    course = config.find(folder)
    changed = build.build(course, lessons)
    for lesson in lessons or build.texts(course):
        click.echo(f"{lesson}: {'built' if lesson in changed else 'up to date'}")
