"""Whether student code is closed off, as the call says and as this machine can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from autograder.cli.console import say
from autograder.cli.failures import WrongWords


def option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option; ``auto`` closes student code off where that is possible."""
    choices = ["on", "off"] if default == "on" else [default, "on", "off"]
    return click.option(
        "--sandbox",
        type=click.Choice(choices),
        default=default,
        show_default=True,
        help="Close student code off from files, network and processes.",
    )


def decide(choice: str) -> bool:
    """Say whether to close student code off.

    Raises
    ------
    WrongWords
        If it must be, and this machine cannot close off files, network and processes.
    """
    if choice == "off":
        say("The sandbox is off: student code can read and change what you can.")
        return False
    from autograder.sandbox import supported

    support = supported()
    if support.sufficient:
        return True
    missing = "; ".join(support.missing) or "something is missing, see `autograder doctor`"
    if choice == "on":
        raise WrongWords(
            f"student code must be closed off from files, network and processes, got: {missing}. "
            "--sandbox=off grades without protection."
        )
    say(f"There is no sandbox here ({missing}): the notebook's code can read and change what you can.")
    return False
