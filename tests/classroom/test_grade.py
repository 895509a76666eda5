"""A class is graded whole, again and again, and a fault of ours is never a score."""

import datetime
import json
import time

import pytest

from autograder.classroom import How, grade, results
from autograder.course import config, record
from autograder.course.config import CourseError
from autograder.supervise import Grader, SourceError
from tests.classroom import foreign
from tests.classroom.foreign import RIGHT, WRONG, answered, hand_in

HOW = How(sandboxed=False)


def graded(course, **words):
    outcome = grade(course, how=How(sandboxed=False, **words))
    assert outcome.problems == []
    return {one.student: one for one in outcome.results}


def report_of(course, student="ada", lesson="ps1"):
    return json.loads((course.autograded / student / lesson / "report.json").read_text())


def test_what_is_written(course, quick):
    folder = hand_in(course, "ada", answered(RIGHT))
    (folder / "submission_secret.txt").write_text("s")
    told = []
    outcome = grade(course, how=HOW, progress=lambda *what: told.append(what))
    assert [(done, total, result.student) for done, total, result in told] == [(1, 1, "ada")]
    assert outcome.results[0].fresh
    report = report_of(course)
    assert report["notebook"] == "double.ipynb"
    assert report["path"] == "submitted/ada/ps1/double.ipynb"
    assert report["student"] == "ada"
    assert (report["score"], report["max_score"], report["sandbox"]) == (2.0, 2.0, False)
    assert set(report["hashes"]) == {"result", "files"}
    assert (course.autograded / "ada" / "ps1" / "submission_secret.txt").read_text() == "s"
    assert foreign.scores(course, "ada")["double_test"] == 2.0
    assert not list(course.autograded.glob(".*"))


def test_a_fault_of_ours_is_no_score(course, quick, monkeypatch):
    hand_in(course, "ada", answered(RIGHT))
    hand_in(course, "bob", answered(RIGHT))
    grade(course, how=HOW)
    hand_in(course, "ada", answered(WRONG))
    usual = quick.grade

    def grade_or_fail(self, source, submission, **words):
        if WRONG.encode() in submission:
            raise RuntimeError("the moon")
        return usual(self, source, submission, **words)

    monkeypatch.setattr(quick, "grade", grade_or_fail)
    ada = graded(course, force=True)
    assert ada["ada"].internal and not ada["bob"].internal
    assert ada["ada"].notes == ["the grader failed on double.ipynb: RuntimeError: the moon"]
    assert {cell["verdict"] for cell in report_of(course)["cells"]} == {"INTERNAL"}
    assert "moon" not in json.dumps(report_of(course))
    assert foreign.scores(course, "ada") == {"double_test": None, "double_why": None}
    assert foreign.ask(course, "SELECT needs_manual_grade FROM grade WHERE auto_score IS NULL") != []
    assert foreign.scores(course, "bob")["double_test"] == 2.0
    monkeypatch.setattr(quick, "grade", usual)
    assert graded(course)["ada"].reports[0].cells[0].verdict == "FAILED"


def test_a_result_that_cannot_be_written_leaves_no_older_one(course, quick, monkeypatch):
    hand_in(course, "ada", answered(RIGHT))
    grade(course, how=HOW)
    hand_in(course, "ada", answered(WRONG))

    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(results, "_fill", full)
    ada = graded(course)["ada"]
    assert ada.internal
    assert not (course.autograded / "ada" / "ps1").exists()
    assert not list(course.autograded.glob(".*"))
    assert foreign.scores(course, "ada")["double_test"] is None


def test_a_gradebook_that_refuses_costs_one_submission(course, quick, monkeypatch):
    hand_in(course, "ada", answered(RIGHT))
    hand_in(course, "bob", answered(RIGHT))
    usual = record.Recorder.record

    def refuse(self, student, *rest):
        if student == "ada":
            raise RuntimeError("database is locked")
        usual(self, student, *rest)

    monkeypatch.setattr(record.Recorder, "record", refuse)
    found = graded(course)
    assert found["ada"].internal and not found["bob"].internal
    assert not (course.autograded / "ada" / "ps1").exists()
    assert (course.autograded / "bob" / "ps1").exists()
    monkeypatch.setattr(record.Recorder, "record", usual)
    assert graded(course)["ada"].fresh
    assert foreign.scores(course, "ada")["double_test"] == 2.0


def test_half_a_character_is_no_reason_to_fail(course, quick, monkeypatch):
    usual = quick.grade

    def with_half(self, *words, **more):
        graded = usual(self, *words, **more)
        graded.notebook["cells"][0]["source"] = "half: \ud800"
        return graded

    monkeypatch.setattr(quick, "grade", with_half)
    hand_in(course, "ada", answered(RIGHT))
    assert not graded(course)["ada"].internal
    made = json.loads((course.autograded / "ada" / "ps1" / "double.ipynb").read_text("utf-8"))
    assert made["cells"][0]["source"] == "half: ?"


def test_a_source_that_fails_its_own_tests_grades_nobody(course, quick):
    hand_in(course, "ada", answered(RIGHT))
    quick.broken = SourceError("the source's own answers must pass every test")
    outcome = grade(course, how=HOW)
    assert outcome.results == []
    assert outcome.problems == ["ps1: the source's own answers must pass every test"]
    assert not (course.autograded / "ada").exists()


def test_a_students_files_are_not_blamed_on_the_source(course, quick, monkeypatch):
    (hand_in(course, "ada", answered(RIGHT)) / "double.py").write_text("raise SystemExit")
    usual = quick.grade

    def fail_beside_it(self, source, submission, **words):
        if "double.py" in words["files"]:
            raise SourceError("the source's own answers must pass every test")
        return usual(self, source, submission, **words)

    monkeypatch.setattr(quick, "grade", fail_beside_it)
    assert graded(course)["ada"].reports[0].score == 2.0


def test_several_notebooks(course, quick):
    hand_in(course, "ada", answered(RIGHT, "left"), lesson="ps2", file="left.ipynb")
    outcome = grade(course, how=HOW)
    assert [report.score for report in outcome.results[0].reports] == [2.0, 0.0]
    left, right = report_of(course, lesson="ps2")
    assert left["notebook"] == "left.ipynb"
    assert [cell["verdict"] for cell in right["cells"]] == ["MISSING", "MANUAL"]
    assert not graded(course)["ada"].fresh


def test_a_lesson_that_was_not_released(course, quick):
    foreign.ask(course, "UPDATE assignment SET name = 'other' WHERE name = 'ps1'")
    hand_in(course, "ada", answered(RIGHT))
    (problem,) = grade(course, how=HOW).problems
    assert problem == "ps1 must be released before it is graded: run `autograder release ps1`"
    assert quick.calls == []


def test_words_that_name_nothing(course, quick):
    with pytest.raises(CourseError, match="a lesson must be one of ps1, ps2, got ps3"):
        grade(course, ["ps3"])
    with pytest.raises(CourseError, match="a student must have handed in ps1, got ada"):
        grade(course, ["ps1"], ["ada"])


def test_an_answer_left_as_it_was_has_no_response(course, quick):
    hand_in(course, "ada", answered(RIGHT))
    grade(course, how=HOW)
    said = foreign.ask(course, "SELECT auto_comment FROM comment WHERE auto_comment IS NOT NULL")
    assert ("No response.",) in said


@pytest.mark.parametrize("jobs", [1, 2])
def test_real_graders(course, jobs):
    """Two at a time give what one at a time gives, duplicate cells and all."""
    hand_in(course, "ada", answered(RIGHT))
    hand_in(course, "bob", answered(WRONG))
    twice = answered(RIGHT)
    twice["cells"] += [dict(twice["cells"][2], id="again", source="pass")]
    hand_in(course, "cem", twice)
    hand_in(course, "dee", b"not JSON")
    hand_in(course, "eve", answered("import os; os._exit(0)"))
    found = graded(course, jobs=jobs)
    verdicts = {name: one.reports[0].cells[0].verdict.value for name, one in found.items()}
    assert verdicts == {
        "ada": "PASSED",
        "bob": "FAILED",
        "cem": "PASSED",
        "dee": "MALFORMED",
        "eve": "CRASHED",
    }
    assert {name: foreign.scores(course, name)["double_test"] for name in found} == {
        "ada": 2.0, "bob": 0.0, "cem": 2.0, "dee": 0.0, "eve": 0.0
    }  # fmt: skip


def test_a_cell_may_take_as_long_as_the_course_says(course):
    with (course.root / "nbgrader_config.py").open("a") as file:
        file.write("c.Execute.timeout = 1\n")
    hand_in(course, "ada", answered("while True: pass"))
    start = time.monotonic()
    found = graded(config.load(course.root))
    assert found["ada"].reports[0].cells[0].verdict.value == "TIMEOUT"
    assert time.monotonic() - start < 15


def test_the_stand_in_grades_as_the_real_one_does(course):
    """`Quick` is believed above; here is why."""
    source = (course.source / "ps1" / "double.ipynb").read_bytes()
    with Grader(HOW.options(type("Page", (), {"data": source}))) as grader:
        for body, score in ((RIGHT, 2.0), (WRONG, 0.0)):
            report = grader.grade(source, json.dumps(answered(body)).encode()).report
            assert report.score == score


def test_moments_are_kept_as_nbgrader_keeps_them(course, quick):
    (hand_in(course, "ada", answered(RIGHT)) / "timestamp.txt").write_text("2026-01-03 00:00:00 +0100")
    grade(course, how=HOW)
    ((kept,),) = foreign.ask(course, "SELECT timestamp FROM submitted_assignment")
    assert datetime.datetime.fromisoformat(kept) == datetime.datetime(2026, 1, 2, 23)
