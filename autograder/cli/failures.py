"""What a person sees when a command cannot do its work: one line on standard error, and the exit status.

The status is 2 where the call's words are wrong, and 1 where they are right and the work is not done.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import click

NOT_DONE = 1
WRONG_WORDS = 2


class Failure(click.ClickException):
    """A command that ends here since the work is not done; the message says what must hold, and what came."""

    exit_code = NOT_DONE

    def __init__(self, message: object) -> None:
        super().__init__(" ".join(str(message).split()))


class WrongWords(Failure):
    """A command that ends here since there is no such thing as the call asks for."""

    exit_code = WRONG_WORDS


@contextlib.contextmanager
def failures(*, debug: bool) -> Iterator[None]:
    """Turn what the rooms below raise into one line, or let it pass if `debug`."""
    try:
        yield
    except click.UsageError as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            raise
        raise WrongWords(f"{error.format_message()} See {_path(error)} --help.") from None
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        if debug:
            raise
        raise _kind(error)(f"{_name(error)}{error}") from error


def _path(error: click.UsageError) -> str:
    return error.ctx.command_path if error.ctx is not None else "autograder"


def _kind(error: Exception) -> type[Failure]:
    from autograder.course.config import CourseError

    # Of the kinds of CourseError, the bare one is about what was asked for.
    return WrongWords if type(error) is CourseError else Failure


def _name(error: Exception) -> str:
    """Return the type of an error that was not meant for people to read."""
    ours = type(error).__module__.startswith("autograder.")
    return "" if ours else f"the grader failed, {type(error).__name__}: "
