"""``autograder release``: from the lessons' notebooks to those that students get."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli import console, words


@click.command("release")
@words.lessons
@words.course
@words.force
def command(lessons: tuple[str, ...], folder: Path | None, force: bool) -> None:
    """Release LESSONs, or all: without solutions and hidden tests, through nbgrader."""
    from autograder.course import config
    from autograder.course.release import release

    course = config.find(folder)
    names = course.lessons(lessons)
    said = {True: "released", False: "up to date"}
    with console.progress() as tell:
        done: list[str] = []

        def progress(lesson: str, changed: bool) -> None:
            done.append(lesson)
            tell(len(done), len(names), f"{lesson}: {said[changed]}")

        changed = release(course, names, force=force, progress=progress)
    click.echo(f"{len(changed)} of {len(names)} released, {len(names) - len(changed)} up to date")
