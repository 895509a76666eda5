"""The course of the class-room tests, and a runner that keeps the two streams apart."""

import pytest
from click.testing import CliRunner

from autograder.cli import main
from tests.classroom.conftest import _released, course, quick

__all__ = ["_released", "course", "quick"]


@pytest.fixture
def call():
    """Call the command line; the result has `exit_code`, `stdout` and `stderr`."""

    def run(*words, env=None):
        result = CliRunner(env={"COLUMNS": "80", **(env or {})}).invoke(main, [str(word) for word in words])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run
