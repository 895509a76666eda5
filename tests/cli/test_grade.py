"""`autograder grade`, `build`, `release` and `feedback` on a course of somebody else's."""

import json
import re

import pytest

from autograder import sandbox
from autograder.sandbox import Support
from tests.classroom.foreign import RIGHT, WRONG, answered, hand_in

ENOUGH = Support(files=True, network=True, processes=True)


@pytest.fixture(autouse=True)
def sandboxed(monkeypatch):
    monkeypatch.setattr(sandbox, "supported", lambda: ENOUGH)


@pytest.fixture
def graded(course, quick, call):
    hand_in(course, "ada", answered(RIGHT))
    hand_in(course, "bob", answered(WRONG), file="double (1).ipynb")
    return lambda *words: call("grade", "--course", course.root, *words)


def test_plain_lines_where_there_is_no_terminal(graded):
    result = graded("--jobs", 1)
    assert result.exit_code == 0
    first, second, last = result.stdout.splitlines()
    assert {first, second} <= {
        f"{k}/2 {student}" for k in (1, 2) for student in ("ada ps1 2/2", "bob ps1 0/2")
    }
    assert last == "2 graded, 0 up to date"
    assert result.stderr == "bob ps1: graded double (1).ipynb as double.ipynb\n"


def test_a_bar_where_there_is_a_terminal(graded, call, course):
    graded("--student", "ada")
    result = call("grade", "--course", course.root, "--jobs", 1, env={"FORCE_COLOR": "1", "COLUMNS": "100"})
    assert result.stdout == "1 graded, 1 up to date\n"
    bar = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", result.stderr)
    assert re.search(r"━ 2/2 0:00:00 bob ps1 0/2", bar)


def test_json_is_all_there_is_on_standard_output(graded):
    result = graded("--json")
    found = json.loads(result.stdout)
    assert [(one["student"], one["score"], one["max_score"]) for one in found] == [
        ("ada", 2.0, 2.0),
        ("bob", 0.0, 2.0),
    ]
    keys = "notebook path student score max_score needs_manual manual_max_score isolation sandbox cells"
    assert list(found[0]) == keys.split()
    assert found[1]["path"] == "submitted/bob/ps1/double (1).ipynb"
    assert "2/2 " in result.stderr


def test_nothing_to_do_still_has_its_json(graded, quick):
    graded()
    quick.calls.clear()
    again = graded("ps1", "--json")
    assert len(json.loads(again.stdout)) == 2
    assert again.stderr == "nothing to do: 2 of 2 up to date\n"
    assert graded("--student", "ada").stdout == "nothing to do: 1 of 1 up to date\n"
    assert quick.calls == []


def test_options_reach_the_grader(graded, quick):
    graded("--isolation", "kernel", "--figures", "--student", "ada", "--student", "bob")
    assert len(quick.calls) == 2
    graded("--isolation", "kernel", "--figures", "--force", "--student", "ada")
    assert len(quick.calls) == 3


def test_a_fault_of_ours_has_status_1(graded, quick):
    quick.broken = RuntimeError("the moon")
    result = graded("--json")
    assert result.exit_code == 1
    assert [one["cells"][0]["verdict"] for one in json.loads(result.stdout)] == ["INTERNAL"] * 2
    assert "ada ps1: the grader failed on double.ipynb: RuntimeError: the moon" in result.stderr
    assert "2 must be graded again (INTERNAL)" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ps3"], "Error: a lesson must be one of ps1, ps2, got ps3\n"),
        (["--student", "eve"], "Error: a student must have handed in ps1, ps2, got eve\n"),
        (["--jobs", "0"], "Error: Invalid value for '--jobs'"),
        (["--nonsense"], "Error: No such option"),
    ],
)
def test_wrong_words_have_status_2_and_one_line(graded, words, said):
    result = graded(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_no_course(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("grade")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: a course must have nbgrader_config.py here or above")
    assert call("grade", "--course", tmp_path / "none").exit_code == 2


def test_without_a_sandbox_it_refuses(graded, monkeypatch, quick):
    monkeypatch.setattr(sandbox, "supported", lambda: Support(missing=("no Landlock",)))
    result = graded()
    assert result.exit_code == 2
    assert "got: no Landlock. --sandbox=off grades without protection." in result.stderr
    assert quick.calls == []
    off = graded("--sandbox=off", "--json")
    assert off.exit_code == 0
    assert {one["sandbox"] for one in json.loads(off.stdout)} == {False}


def test_nothing_handed_in(call, course):
    result = call("grade", "--course", course.root)
    assert result.exit_code == 0
    assert result.stdout.startswith("nothing to do: nothing was handed in")


def test_feedback_follows(graded, call, course):
    graded()
    result = call("feedback", "--course", course.root)
    assert result.exit_code == 0
    assert "2 of 2 written, 0 up to date" in result.stdout
    assert (course.feedback / "ada" / "ps1" / "double.html").is_file()
    assert "0 of 2 written, 2 up to date" in call("feedback", "ps1", "--course", course.root).stdout
    assert call("feedback", "ps9", "--course", course.root).exit_code == 2


def test_release(call, course):
    result = call("release", "ps1", "--course", course.root)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "0 of 1 released, 1 up to date"


def test_build(call, course):
    (course.source / "03_new.py").write_text("# %% [markdown]\n# # New\n")
    assert call("build", "--course", course.root).stdout == "03_new: built\n"
    assert call("build", "--course", course.root).stdout == "03_new: up to date\n"
    assert call("build", "04_old", "--course", course.root).exit_code != 0
