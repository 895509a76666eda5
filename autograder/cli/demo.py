"""``autograder demo``: a sample class, graded end to end in a course folder of its own.

The lesson and the class are those of the checkout that this package lies in; an installation without one
has none.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from autograder.classroom import How, Outcome
from autograder.cli import console, sandboxing, words
from autograder.cli.failures import NOT_DONE, Failure, WrongWords
from autograder.cli.feedback import write as write_feedback
from autograder.cli.grade import run
from autograder.cli.tables import graded
from autograder.course import config

CHECKOUT = Path(__file__).resolve().parents[2]
LESSON = "06_rotary"
ROSTER = CHECKOUT / "tests" / "zoo" / "roster.py"
MARK = Path(".autograder") / "demo"

Submissions = Callable[[Mapping[str, Any]], dict[str, bytes]]


@click.command("demo")
@click.option(
    "--course",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where to make the course; else in a temporary folder.",
)
@sandboxing.option("on")
def command(folder: Path | None, sandbox: str) -> None:
    """Release a lesson to a sample class, grade what it hands in, and write feedback."""
    sandboxed = sandboxing.decide(sandbox)
    course = _make(folder or Path(tempfile.mkdtemp(prefix="autograder-demo-")))
    _release(course)
    _hand_in(course)
    console.say("Grading …")
    outcome = run(course, (LESSON,), (), How(words.cores(), sandboxed), quiet=True)
    console.say("Writing feedback …")
    write_feedback(course, (LESSON,), quiet=True)
    _show(course, outcome)
    if outcome.problems or any(result.internal for result in outcome.results):
        raise click.exceptions.Exit(NOT_DONE)


def _make(folder: Path) -> config.Course:
    """Make the course's folder, with this checkout's configuration and the text of the lesson."""
    for needed in (ROSTER, CHECKOUT / "solutions" / f"{LESSON}.py"):
        if not needed.is_file():
            raise Failure(f"the demo must run from a checkout of the course, got no {needed}")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise WrongWords(f"the course of the demo must be a new or an empty folder, got {folder}")
    (folder / MARK).parent.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    shutil.copy(CHECKOUT / f"{config.CONFIG_FILE}.py", folder)
    course = config.load(folder)
    course.source.mkdir(exist_ok=True)
    shutil.copy(CHECKOUT / "solutions" / f"{LESSON}.py", course.source)
    return course


def _release(course: config.Course) -> None:
    console.say(f"Building and releasing {LESSON} …")
    from autograder.course.build import build
    from autograder.course.release import release

    build(course, [LESSON])
    release(course, [LESSON])


def _hand_in(course: config.Course) -> None:
    notebook = course.folder(course.release, LESSON) / f"{LESSON}.ipynb"
    handed_in = _submissions()(json.loads(notebook.read_bytes()))
    for student, data in handed_in.items():
        folder = course.folder(course.submitted, LESSON, student)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / notebook.name).write_bytes(data)


def _submissions() -> Submissions:
    """Load the sample class, which is data of the tests and no part of this package."""
    spec = importlib.util.spec_from_file_location("autograder_demo_roster", ROSTER)
    assert spec is not None and spec.loader is not None
    roster = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = roster
    spec.loader.exec_module(roster)
    submissions: Submissions = roster.submissions
    return submissions


def _show(course: config.Course, outcome: Outcome) -> None:
    reports = [report for result in outcome.results for report in result.reports]
    console.out().print(graded(reports))
    click.echo(f"course     {course.root}")
    click.echo(f"gradebook  {course.db_url}")
    click.echo(f"feedback   {course.feedback}")
