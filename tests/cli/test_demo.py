"""The demo, and how it tells of a class."""

import re

import pytest
from rich.console import Console

from autograder.cli import demo
from autograder.cli.tables import graded
from autograder.report import CellResult, Report, Verdict

P, F, U = Verdict.PASSED, Verdict.FAILED, Verdict.UNTOUCHED


def printed(reports, width=100):
    console = Console(width=width, record=True, file=open("/dev/null", "w"))
    with console.file:
        console.print(graded(reports))
    return [" ".join(line.split()) for line in console.export_text().splitlines() if line.strip()]


def report(student, *cells):
    return Report("n.ipynb", "n.ipynb", student, [CellResult(*cell) for cell in cells])


def test_the_table():
    ada = report("ada", ("a_test", 1.0, 1.0, P), ("a_hidden", 1.0, 1.0, P), ("b_test", 1.0, 1.0, P))
    bob = report(
        "bob",
        ("a_test", 0.0, 1.0, F, "first line\nsecond line"),
        ("a_hidden", 0.0, 1.0, F, "named", "the-mistake"),
        ("b_test", 1.0, 1.0, P),
        ("why", None, 2.0, Verdict.MANUAL),
    )
    cem = report("cem", ("a_test", 0.0, 1.0, U, "Nothing."), ("b_test", 0.0, 1.0, U, "Nothing."))
    lines = printed([cem, bob, ada])
    assert lines[0] == "student score exercises verdict reason"
    assert lines[2:] == [
        "ada 3/3 all 2 PASSED",
        "bob 1/3 a FAILED named",
        "b PASSED",
        "cem 0/2 all 2 UNTOUCHED Nothing.",
        "A person gives up to 2 points more.",
    ]


@pytest.mark.parametrize("width", [80, 100, 120])
def test_it_fits(width):
    long = report("x" * 40, ("e" * 40, 0.0, 1.0, F, "[bold]" + "word " * 100))
    lines = printed([long], width)
    assert max(map(len, lines)) <= width
    assert "[bold]word" in " ".join(lines)
    assert "…" in " ".join(lines)


def test_a_folder_that_is_somebodys_is_left_alone(call, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    result = call("demo", "--course", tmp_path)
    assert result.exit_code == 2
    assert "must be a new or an empty folder" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_without_a_checkout(call, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "ROSTER", tmp_path / "roster.py")
    result = call("demo")
    assert result.exit_code == 1
    assert "the demo must run from a checkout of the course" in result.stderr


@pytest.mark.slow
def test_end_to_end(call, tmp_path):
    result = call("demo", "--course", tmp_path / "course", env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.stderr
    assert re.search(r"^  ada +12/12 +all 7 +PASSED", result.stdout, re.MULTILINE)
    pages = list((tmp_path / "course" / "feedback").glob("*/06_rotary/06_rotary.html"))
    assert len(pages) == len(list((tmp_path / "course" / "submitted").iterdir())) >= 16
    assert (tmp_path / "course" / "gradebook.db").is_file()
    again = call("demo", "--course", tmp_path / "course", env={"COLUMNS": "100"})
    assert again.stdout == result.stdout
