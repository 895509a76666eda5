"""``autograder check``: a notebook against its source, without a course or a gradebook."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.classroom import How, checking
from autograder.cli import console, sandboxing, sources, words
from autograder.cli.failures import NOT_DONE, WrongWords
from autograder.cli.tables import checked
from autograder.supervise import SourceError


@click.command("check")
@click.argument(
    "notebooks", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False), metavar="NOTEBOOK…"
)
@click.option(
    "--source",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The instructor's notebook; else the one of the same name in the course.",
)
@words.isolation
@sandboxing.option("auto")
@words.as_json
def command(
    notebooks: tuple[str, ...], source: Path | None, isolation: str, sandbox: str, as_json: bool
) -> None:
    """Grade each NOTEBOOK against its source, and say what is wrong and why."""
    pairs = [(path, source or sources.find(Path(path))) for path in notebooks]
    how = How(sandboxed=sandboxing.decide(sandbox), isolation=isolation)
    try:
        results = list(checking.check(pairs, how))
    except SourceError as error:
        raise WrongWords(error) from error
    for result in results:
        for note in result.notes:
            console.say(f"{result.report.path}: {note}")
    reports = [result.report for result in results]
    if as_json:
        console.print_json(reports)
    else:
        for report in reports:
            console.out().print(checked(report))
    if any(report.internal for report in reports):
        raise click.exceptions.Exit(NOT_DONE)
