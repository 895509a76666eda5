"""Whatever lies in a submission's folder, it ends in one explained row a graded cell."""

import json
import os

import pytest

from autograder.classroom import How, grade
from tests.classroom import foreign
from tests.classroom.foreign import RIGHT, WRONG, answered, hand_in

pytestmark = pytest.mark.usefixtures("quick")


def one(course, student="ada", lessons=("ps1",)):
    """Grade one student; return verdict and message of the test, and the remarks."""
    outcome = grade(course, lessons, [student], How(sandboxed=False))
    assert outcome.problems == []
    (result,) = outcome.results
    (report,) = result.reports
    by_id = {cell.grade_id: cell for cell in report.cells}
    assert set(by_id) == {"double_test", "double_why"}
    test = by_id["double_test"]
    assert foreign.scores(course, student)["double_test"] == test.score
    return test.verdict.value, test.message, " / ".join(result.notes)


def test_that_has_the_right_name(course):
    hand_in(course, "ada", answered(RIGHT))
    assert one(course) == ("PASSED", "", "")


@pytest.mark.parametrize("name", ["double (1).ipynb", "Double.ipynb", "ps1-final [2].ipynb"])
def test_that_was_renamed(course, name):
    hand_in(course, "ada", answered(RIGHT), file=name)
    assert one(course) == ("PASSED", "", f"graded {name} as double.ipynb")


def test_that_was_renamed_and_lost_its_metadata(course):
    bare = answered(RIGHT)
    for cell in bare["cells"]:
        cell["metadata"] = {}
    hand_in(course, "ada", bare, file="mine.ipynb")
    assert one(course)[0] == "PASSED"


def test_several_that_were_renamed_give_the_newest(course):
    old = hand_in(course, "ada", answered(WRONG), file="z.ipynb") / "z.ipynb"
    os.utime(old, (1, 1))
    hand_in(course, "ada", answered(RIGHT), file="a.ipynb")
    verdict, _, notes = one(course)
    assert verdict == "PASSED"
    assert "skipped z.ipynb" in notes


def test_that_is_missing(course):
    hand_in(course, "ada")
    assert one(course)[:2] == ("MISSING", "No notebook double.ipynb was handed in.")


def test_another_notebook_is_no_substitute(course):
    scratch = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [foreign.cell("code", "1")]}
    hand_in(course, "ada", scratch, file="scratch.ipynb")
    verdict, message, notes = one(course)
    assert verdict == "MISSING"
    assert message == "No notebook double.ipynb was handed in; there is scratch.ipynb."
    assert notes == "skipped scratch.ipynb: no notebook of ps1"


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"not JSON", json.dumps(answered()).encode()[:400], b"\xff" * 9]
)
def test_that_cannot_be_read(course, content):
    hand_in(course, "ada", content)
    verdict, message, _ = one(course)
    assert verdict == "MALFORMED"
    assert message


def test_that_is_huge_is_not_even_opened(course, quick):
    path = hand_in(course, "ada", b"") / "double.ipynb"
    os.truncate(path, 10**11)
    verdict, message, _ = one(course)
    assert verdict == "MALFORMED"
    assert message == "Double.ipynb could not be read: it has 95367 MB, more than 24 MB."
    assert quick.calls == []


def test_a_link_to_a_notebook_is_not_followed(course, tmp_path, quick):
    (tmp_path / "else.ipynb").write_text(json.dumps(answered(RIGHT)))
    (hand_in(course, "ada") / "double.ipynb").symlink_to(tmp_path / "else.ipynb")
    verdict, message, _ = one(course)
    assert verdict == "MALFORMED"
    assert "symbolic link" in message
    assert quick.calls == []


@pytest.mark.parametrize("which", ["student", "lesson"])
def test_a_link_to_a_folder_is_not_followed(course, quick, which):
    hand_in(course, "eve", answered(RIGHT))
    if which == "student":
        (course.submitted / "ada").symlink_to(course.submitted / "eve")
    else:
        (course.submitted / "ada").mkdir()
        (course.submitted / "ada" / "ps1").symlink_to(course.submitted / "eve" / "ps1")
    verdict, message, _ = one(course)
    assert (verdict, message) == ("MALFORMED", "The submission must be a folder, got a symbolic link.")
    assert quick.calls == []


def test_a_pipe_does_not_stop_the_class(course):
    os.mkfifo(hand_in(course, "ada") / "double.ipynb")
    verdict, message, _ = one(course)
    assert (verdict, message) == ("MALFORMED", "Double.ipynb could not be read: it is not a regular file.")


def test_a_folder_in_place_of_the_notebook(course):
    (hand_in(course, "ada") / "double.ipynb").mkdir()
    (hand_in(course, "ada") / "double.ipynb" / "x.txt").write_text("in the way")
    assert one(course)[:2] == ("MALFORMED", "Double.ipynb could not be read: it is a folder.")
    assert (course.autograded / "ada" / "ps1" / "double.ipynb").is_file()


@pytest.mark.parametrize("student", ["a+b", "o'brien", "zoë", "[x]", "a b", "{0}", "100%", "x;y", "*"])
def test_odd_names(course, student):
    hand_in(course, student, answered(RIGHT))
    assert one(course, student)[0] == "PASSED"
    assert (course.autograded / student / "ps1" / "report.json").is_file()


def test_hidden_folders_are_nobody(course):
    hand_in(course, ".git", answered(RIGHT))
    hand_in(course, "ada", answered(RIGHT))
    assert [one.student for one in grade(course, how=How(sandboxed=False)).results] == ["ada"]


def test_data_files_of_both_and_the_lessons_come_first(course, quick):
    folder = hand_in(course, "ada", answered(RIGHT))
    (folder / "given.csv").write_text("forged")
    (folder / "own").mkdir()
    (folder / "own" / "mine.csv").write_text("3,4")
    (folder / "secret").symlink_to(course.root / "gradebook.db")
    (folder / "timestamp.txt").write_text("2026-01-05 12:00:00 UTC")
    (folder / ".hidden").write_text("no")
    one(course)
    assert quick.calls[0]["files"] == {"given.csv": b"1,2\n", "own/mine.csv": b"3,4"}
    graded = course.autograded / "ada" / "ps1"
    found = sorted(path.relative_to(graded).as_posix() for path in graded.rglob("*") if path.is_file())
    assert found == ["double.ipynb", "given.csv", "own/mine.csv", "report.json", "timestamp.txt"]
    assert (graded / "given.csv").read_text() == "1,2\n"


def test_a_folder_in_the_way_of_a_file_of_the_lesson(course, quick):
    folder = hand_in(course, "ada", answered(RIGHT))
    (folder / "given.csv").mkdir()
    (folder / "given.csv" / "x").write_text("in the way")
    (folder / "report.json").mkdir()
    (folder / "report.json" / "x").write_text("in the way")
    assert one(course)[0] == "PASSED"
    assert "given.csv/x" not in quick.calls[0]["files"]
    assert (course.autograded / "ada" / "ps1" / "given.csv").read_text() == "1,2\n"


def test_a_file_in_the_way_of_a_folder_of_the_lesson(course, quick):
    (course.source / "ps1" / "data").mkdir()
    (course.source / "ps1" / "data" / "a.csv").write_text("5,6")
    (hand_in(course, "ada", answered(RIGHT)) / "data").write_text("in the way")
    assert one(course)[0] == "PASSED"
    assert set(quick.calls[0]["files"]) == {"given.csv", "data/a.csv"}
    assert (course.autograded / "ada" / "ps1" / "data" / "a.csv").read_text() == "5,6"


def test_own_files_have_a_bound(course, quick):
    folder = hand_in(course, "ada", answered(RIGHT))
    (folder / "large.bin").write_bytes(b"")
    os.truncate(folder / "large.bin", 9 * 2**20)
    verdict, _, notes = one(course)
    assert verdict == "PASSED"
    assert notes == "large.bin was not given to the student's code: it has 9 MB, more than 8 MB"
    assert set(quick.calls[0]["files"]) == {"given.csv"}


def test_what_is_far_too_large_stays_behind(course):
    folder = hand_in(course, "ada", answered(RIGHT))
    for name in ("a.bin", "z.txt"):
        (folder / name).write_bytes(b"1")
    os.truncate(folder / "a.bin", 10**10)
    verdict, _, notes = one(course)
    assert (verdict, notes) == ("PASSED", "left out a.bin: at most 100 MB are kept")
    assert not (course.autograded / "ada" / "ps1" / "a.bin").exists()
    assert (course.autograded / "ada" / "ps1" / "z.txt").exists()


def test_a_timestamp_that_is_none_drops_nothing(course):
    (hand_in(course, "ada", answered(RIGHT)) / "timestamp.txt").write_bytes(b"\xff\xfe yesterday")
    assert one(course)[0] == "PASSED"
