"""A second run does what has changed, and nothing else."""

import json

import pytest

from autograder.classroom import How, grade
from autograder.course import record
from tests.classroom import foreign
from tests.classroom.foreign import RIGHT, WRONG, answered, hand_in

HOW = How(sandboxed=False)


def graded(course, **words):
    outcome = grade(course, how=How(sandboxed=False, **words))
    assert outcome.problems == []
    return {one.student: one for one in outcome.results}


def test_a_second_run_has_nothing_to_do(course, quick, monkeypatch):
    hand_in(course, "ada", answered(RIGHT))
    grade(course, how=HOW)

    def refuse(*_):
        raise AssertionError("the gradebook was opened")

    monkeypatch.setattr(record, "Recorder", refuse)
    quick.calls.clear()
    again = graded(course)["ada"]
    assert not again.fresh
    assert [report.score for report in again.reports] == [2.0]
    assert quick.calls == []


def test_force_grades_again(course, quick):
    hand_in(course, "ada", answered(RIGHT))
    grade(course, how=HOW)
    assert graded(course, force=True)["ada"].fresh
    assert len(quick.calls) == 2


@pytest.mark.parametrize("change", ["notebook", "file", "source", "isolation"])
def test_what_a_result_depends_on(course, quick, change):
    folder = hand_in(course, "ada", answered(RIGHT))
    grade(course, how=HOW)
    if change == "notebook":
        hand_in(course, "ada", answered(WRONG))
    if change == "file":
        (folder / "mine.csv").write_text("1")
    if change == "source":
        source = foreign.notebook(test="assert double(5) == 10")
        (course.source / "ps1" / "double.ipynb").write_text(json.dumps(source))
    words = {"isolation": "kernel"} if change == "isolation" else {}
    assert graded(course, **words)["ada"].fresh
    assert len(quick.calls) == 2


def test_why_there_is_nothing_to_grade_may_change(course, quick):
    hand_in(course, "ada")
    assert graded(course)["ada"].reports[0].cells[0].verdict == "MISSING"
    hand_in(course, "ada", b"")
    assert graded(course)["ada"].reports[0].cells[0].verdict == "MALFORMED"


def test_a_lost_row_is_recorded_again_without_grading(course, quick):
    hand_in(course, "ada", answered(RIGHT))
    grade(course, how=HOW)
    foreign.ask(course, "UPDATE grade SET auto_score = 99")
    assert graded(course)["ada"].fresh
    assert foreign.scores(course, "ada")["double_test"] == 2.0
    assert len(quick.calls) == 1
    assert not graded(course)["ada"].fresh


def test_a_new_due_date_takes_the_penalty_back(course, quick):
    folder = hand_in(course, "ada", answered(RIGHT))
    (folder / "timestamp.txt").write_text("2026-01-05 12:00:00 UTC")
    foreign.ask(course, "UPDATE assignment SET duedate = '2026-01-05 11:00:00.000000'")
    penalty = "SELECT late_submission_penalty FROM submitted_notebook"
    grade(course, how=HOW)
    assert foreign.ask(course, penalty) == [(2.0,)]
    foreign.ask(course, "UPDATE assignment SET duedate = '2026-01-05 13:00:00.000000'")
    assert graded(course)["ada"].fresh
    assert foreign.ask(course, penalty) == [(None,)]


def test_a_new_date_is_recorded(course, quick):
    folder = hand_in(course, "ada", answered(RIGHT))
    for day in ("2026-01-05", "2026-01-06"):
        (folder / "timestamp.txt").write_text(f"{day} 12:00:00 UTC")
        assert graded(course)["ada"].fresh
        assert foreign.ask(course, "SELECT timestamp FROM submitted_assignment") == [
            (f"{day} 12:00:00.000000",)
        ]
