"""``autograder feedback``: a page for each student and lesson."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import console, words

if TYPE_CHECKING:
    from autograder.course import config
    from autograder.course.config import Submission


@click.command("feedback")
@words.lessons
@words.course
@click.option("--student", "students", multiple=True, metavar="ID", help="Only for this student.")
@words.force
def command(lessons: tuple[str, ...], folder: Path | None, students: tuple[str, ...], force: bool) -> None:
    """Write the feedback pages of LESSONs, or of all that is graded."""
    from autograder.course import config

    course = config.find(folder)
    course.lessons(lessons)
    written, total = write(course, lessons, students, force=force)
    same = total - written
    click.echo(f"{written} of {total} written, {same} up to date, in {course.feedback}")


def write(
    course: config.Course,
    lessons: tuple[str, ...],
    students: tuple[str, ...] = (),
    *,
    force: bool = False,
    quiet: bool = False,
) -> tuple[int, int]:
    """Write the pages, with progress; return of how many submissions, and of how many there are."""
    from autograder.cli.failures import Failure
    from autograder.course.config import CourseError
    from autograder.course.feedback import feedback

    total = len(course.submissions(lessons, students, step=course.autograded))
    said = {True: "written", False: "up to date"}
    done: list[bool] = []
    with console.progress(quiet=quiet) as tell:

        def progress(graded: Submission, changed: bool) -> None:
            done.append(changed)
            tell(len(done), total, f"{graded.student} {graded.lesson} {said[changed]}")

        try:
            feedback(course, lessons, students, force=force, progress=progress)
        except CourseError as error:
            raise Failure(error) from error
    return sum(done), total
