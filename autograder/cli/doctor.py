"""``autograder doctor``: what this machine can enforce, each thing tried rather than assumed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich import box
from rich.table import Table
from rich.text import Text

from autograder.cli import console
from autograder.cli.failures import NOT_DONE

if TYPE_CHECKING:
    from autograder.sandbox import Support
    from autograder.sandbox.probe import Finding

# What every student's process may import.
PACKAGES = ("numpy", "matplotlib", "IPython")
SAID = {True: ("held", "green"), False: ("BROKEN", "bold red"), None: ("not here", "dim")}


@click.command("doctor")
def command() -> None:
    """Attack the sandbox from inside, and say what held."""
    from autograder.sandbox import supported

    support = supported()
    findings = _probe() if support.sufficient else []
    if findings:
        console.out().print(_table(findings))
    for line in _summary(support, findings):
        click.echo(line)
    if not support.sufficient or any(finding.held is False for finding in findings):
        raise click.exceptions.Exit(NOT_DONE)


def _probe() -> list[Finding]:
    from autograder.sandbox import policy
    from autograder.sandbox.probe import probe

    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        return probe(policy(PACKAGES, (), Path(scratch)))


def _table(findings: list[Finding]) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("protection", overflow="fold")
    table.add_column("when attacked", no_wrap=True)
    table.add_column("what happened", overflow="fold")
    for finding in findings:
        word, style = SAID[finding.held]
        table.add_row(Text(finding.name), Text(word, style=style), Text(finding.detail))
    return table


def _summary(support: Support, findings: list[Finding]) -> list[str]:
    lines = [f"missing: {reason}" for reason in support.missing]
    broken = [finding.name for finding in findings if finding.held is False]
    if not support.sufficient:
        lines.append("Student code cannot be closed off here: `grade` refuses without --sandbox=off.")
    elif broken:
        lines.append(f"The sandbox does not hold here: {', '.join(broken)}.")
    else:
        lines.append(
            f"The sandbox holds here (Landlock ABI {support.landlock}, seccomp): `grade` will use it."
        )
    return lines
