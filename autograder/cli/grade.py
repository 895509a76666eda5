"""``autograder grade``: what a class handed in, into ``autograded/`` and the gradebook."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.classroom import How, Outcome, Result
from autograder.classroom import grade as grade_class
from autograder.cli import console, sandboxing, words
from autograder.cli.failures import NOT_DONE
from autograder.course import config


@click.command("grade")
@words.lessons
@words.course
@click.option("--student", "students", multiple=True, metavar="ID", help="Only this student; repeatable.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="How many at a time; else one a core.")
@words.isolation
@words.figures
@words.force
@sandboxing.option("on")
@words.as_json
def command(
    lessons: tuple[str, ...],
    folder: Path | None,
    students: tuple[str, ...],
    jobs: int | None,
    isolation: str,
    figures: bool,
    force: bool,
    sandbox: str,
    as_json: bool,
) -> None:
    """Grade what was handed in for LESSONs, or for all, and record it in the gradebook."""
    course = config.find(folder)
    how = How(jobs or words.cores(), sandboxing.decide(sandbox), isolation, figures, force)
    outcome = run(course, lessons, students, how, quiet=as_json)
    if as_json:
        console.print_json([report for result in outcome.results for report in result.reports])
    summarise(course, outcome, quiet=as_json)
    if outcome.problems or any(result.internal for result in outcome.results):
        raise click.exceptions.Exit(NOT_DONE)


def run(
    course: config.Course, lessons: tuple[str, ...], students: tuple[str, ...], how: How, *, quiet: bool
) -> Outcome:
    """Grade with progress, and say what an instructor should know of single submissions."""
    with console.progress(quiet=quiet) as tell:

        def progress(done: int, total: int, result: Result) -> None:
            if result.fresh or result.internal:
                tell(done, total, _line(result))

        outcome = grade_class(course, lessons, students, how, progress)
    for result in outcome.results:
        for note in result.notes if result.fresh else ():
            console.say(f"{result.student} {result.lesson}: {note}")
    for problem in outcome.problems:
        console.say(f"Error: {problem}")
    return outcome


def _line(result: Result) -> str:
    score = sum(report.score for report in result.reports)
    most = sum(report.max_score for report in result.reports)
    marks = "INTERNAL" if result.internal else f"{score:g}/{most:g}"
    return f"{result.student} {result.lesson} {marks}"


def summarise(course: config.Course, outcome: Outcome, *, quiet: bool) -> None:
    """Say how many were graded, or that there was nothing to do."""
    fresh = sum(result.fresh for result in outcome.results)
    broken = sum(result.internal for result in outcome.results)
    there = len(outcome.results)
    if not there and not outcome.problems:
        line = f"nothing to do: nothing was handed in, in {course.submitted}"
    elif not fresh and not outcome.problems:
        line = f"nothing to do: {there} of {there} up to date"
    else:
        line = f"{fresh} graded, {there - fresh} up to date"
    if broken:
        line += f"; {broken} must be graded again (INTERNAL)"
    click.echo(line, err=quiet)
