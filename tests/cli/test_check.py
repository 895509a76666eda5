"""`autograder check`: what it finds, what it says, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import sandbox
from autograder.sandbox import Support
from autograder.supervise import SourceError
from tests.classroom.foreign import RIGHT, WRONG, answered

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def mine(course, quick, monkeypatch):
    """A notebook of a student's, in the released folder of the course, which is where they work."""
    monkeypatch.chdir(course.root)
    path = course.release / "ps1" / "double.ipynb"
    path.write_text(json.dumps(answered(WRONG)))
    return path


@pytest.fixture(autouse=True)
def sandboxed(monkeypatch):
    enough = Support(files=True, network=True, processes=True)
    monkeypatch.setattr(sandbox, "supported", lambda: enough)


def test_a_table_that_fits(mine, call):
    result = call("check", "release/ps1/double.ipynb")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["release/ps1/double.ipynb", "0/2"]
    assert ["double_test", "0/2", "FAILED", "double(2)", "must", "be", "4"] in [
        line.split() for line in lines
    ]
    assert result.stderr == ""


def test_json(mine, call, course):
    right = course.root / "double.ipynb"
    right.write_text(json.dumps(answered(RIGHT)))
    result = call("check", "--json", right, "release/ps1/double.ipynb")
    first, second = json.loads(result.stdout)
    assert (first["path"], first["notebook"], first["student"]) == (str(right), "double.ipynb", None)
    assert (first["score"], second["score"]) == (2.0, 0.0)
    assert second["path"] == "release/ps1/double.ipynb"
    assert "hashes" not in first
    assert first["sandbox"] is True


@pytest.mark.parametrize("name", ["double.ipynb", "double (1).ipynb", "double-Copy1.ipynb"])
def test_the_source_is_found_by_name(mine, call, tmp_path, name):
    elsewhere = tmp_path / name
    elsewhere.write_text(json.dumps(answered(RIGHT)))
    (found,) = json.loads(call("check", "--json", elsewhere).stdout)
    assert (found["notebook"], found["score"]) == (name, 2.0)


def test_a_notebook_of_an_assignment_with_several(course, quick, call):
    right = course.release / "ps2" / "right.ipynb"
    right.write_text(json.dumps(answered(RIGHT, "right")))
    (found,) = json.loads(call("check", "--json", right).stdout)
    assert [cell["grade_id"] for cell in found["cells"]] == ["right_test", "right_why"]


def test_no_source(mine, call, course, tmp_path, monkeypatch):
    stray = tmp_path / "stray.ipynb"
    stray.write_text(json.dumps(answered(RIGHT)))
    result = call("check", stray)
    assert result.exit_code == 2
    assert result.stderr == (
        f"Error: stray.ipynb must have its source, got none in {course.source}; try --source FILE\n"
    )
    monkeypatch.chdir(tmp_path)
    assert "got none in a course at or above it" in call("check", stray).stderr
    source = course.source / "ps1" / "double.ipynb"
    (found,) = json.loads(call("check", "--source", source, stray, "--json").stdout)
    assert (found["notebook"], found["score"]) == ("stray.ipynb", 2.0)


@pytest.mark.parametrize(
    "words", [["nowhere.ipynb"], [], ["--source", "nowhere.ipynb", "nbgrader_config.py"]]
)
def test_wrong_words(mine, call, words):
    result = call("check", *words)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_source_that_is_none(mine, call):
    result = call("check", "--source", "nbgrader_config.py", mine)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: the source nbgrader_config.ipynb must be a notebook")


def test_a_source_that_fails_its_own_tests(mine, call, quick):
    quick.broken = SourceError("the source's own answers must pass every test, got double_test: FAILED")
    result = call("check", mine)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: the source's own answers must pass every test")


def test_a_file_that_is_no_notebook_has_its_rows(mine, call):
    mine.write_text("not JSON")
    result = call("check", mine, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)[0]["cells"][0]["verdict"] == "MALFORMED"


def test_a_fault_of_ours(mine, call, quick):
    quick.broken = RuntimeError("the moon")
    result = call("check", "--json", mine)
    assert result.exit_code == 1
    (found,) = json.loads(result.stdout)
    assert {cell["verdict"] for cell in found["cells"]} == {"INTERNAL"}
    assert {cell["score"] for cell in found["cells"]} == {None}
    assert "RuntimeError: the moon" in result.stderr


def test_without_a_sandbox_it_says_so(mine, call, monkeypatch):
    monkeypatch.setattr(sandbox, "supported", lambda: Support(missing=("no Landlock",)))
    result = call("check", "--json", mine)
    assert result.exit_code == 0
    assert json.loads(result.stdout)[0]["sandbox"] is False
    assert "There is no sandbox here (no Landlock)" in result.stderr
    assert call("check", "--sandbox=on", mine).exit_code == 2
    assert "The sandbox is off" in call("check", "--sandbox=off", mine).stderr


def test_markup_in_a_message_is_text(mine, call, quick, monkeypatch):
    usual = quick.grade

    def shout(self, *words, **more):
        graded = usual(self, *words, **more)
        cell = graded.report.cells[0]
        object.__setattr__(cell, "message", "[bold red]loud[/] :smile: [/]")
        return graded

    monkeypatch.setattr(quick, "grade", shout)
    assert "[bold red]loud[/] :smile: [/]" in call("check", mine).stdout


def test_the_real_thing_in_a_folder_with_a_forged_numpy(course, tmp_path):
    """A student's folder is the working folder: nothing in it may run in the grader."""
    for name in ("numpy", "click", "json", "nbgrader", "rich"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('forged')")
    (tmp_path / "double.ipynb").write_text(json.dumps(answered(RIGHT)))
    source = str(course.source / "ps1" / "double.ipynb")
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "check", "--json", "--source", source, "double.ipynb"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)
    assert (found["path"], found["score"]) == ("double.ipynb", 2.0)
    assert found["cells"][1]["verdict"] == "MANUAL"
