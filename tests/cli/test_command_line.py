"""What holds for every command."""

import subprocess
import sys

import pytest

from autograder.cli import COMMANDS
from autograder.course import config


def test_the_commands_are_those_of_the_design(call):
    result = call("--help")
    assert result.exit_code == 0
    assert COMMANDS == ("build", "release", "check", "grade", "feedback", "doctor", "demo")
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_each_says_what_it_does(call, name):
    result = call(name, "--help")
    assert result.exit_code == 0
    assert len(result.stdout.split("\n\n")[1].strip()) > 20


def test_an_unknown_command(call):
    result = call("chekc")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "No such command 'chekc'" in result.stderr


def test_a_fault_is_one_line_unless_it_is_asked_for(call, course, monkeypatch):
    def fail(_):
        raise RuntimeError("the moon\nand the stars")

    monkeypatch.setattr(config, "find", fail)
    result = call("build")
    assert result.exit_code == 1
    assert result.stderr == "Error: the grader failed, RuntimeError: the moon and the stars\n"
    with pytest.raises(RuntimeError, match="the moon"):
        call("--debug", "build")


def test_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("autograder, version ")
