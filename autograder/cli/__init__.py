"""The command line: reads the call's words, has the rooms below do the work, prints what came of it.

Nothing is decided here but what a person sees. Each command is a module, loaded when it is called.
"""

from __future__ import annotations

import importlib
import logging

import click

from autograder.cli.failures import failures

COMMANDS = ("build", "release", "check", "grade", "feedback", "doctor", "demo")


class _Commands(click.Group):
    """The commands, in the order of a lesson's life."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"autograder.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        with failures(debug=bool(ctx.params.get("debug"))):
            return super().invoke(ctx)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-v", "--debug", is_flag=True, help="Show tracebacks.")
@click.version_option(package_name="posenc", prog_name="autograder")
def main(debug: bool) -> None:
    """Grade notebooks in nbgrader's format, away from what students wrote."""
    if debug:
        logging.basicConfig(level=logging.WARNING)
        logging.getLogger("autograder").setLevel(logging.DEBUG)
