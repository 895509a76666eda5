import datetime
import sqlite3

import nbformat
import pytest

from autograder.course.config import CourseError
from autograder.course.feedback import feedback
from autograder.course.record import Recorder
from autograder.report import CellResult, Report, Verdict

LESSON = "01_tiny"


def graded(course, student="bo"):
    """What grading leaves: an executed notebook, a report, and the rows."""
    folder = course.folder(course.autograded, LESSON, student)
    folder.mkdir(parents=True)
    node = nbformat.read(course.folder(course.release, LESSON) / f"{LESSON}.ipynb", as_version=4)
    for cell in node.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "double_test":
            said = "double(2) must be 4, got 5"
            cell.outputs = [nbformat.v4.new_output("error", ename="FAILED", evalue=said, traceback=[said])]
    nbformat.write(node, folder / f"{LESSON}.ipynb")
    (folder / "report.json").write_text("{}")
    (folder / "timestamp.txt").write_text("2026-01-05 12:00:00")
    cells = [
        CellResult("double_test", 0.0, 2.0, Verdict.FAILED, "double(2) must be 4, got 5"),
        CellResult("double_hidden", 1.0, 1.0, Verdict.PASSED),
        CellResult("why", 0.0, 2.0, Verdict.MANUAL),
    ]
    with Recorder(course) as recorder:
        found = Report(f"{LESSON}.ipynb", "", student, cells)
        recorder.record(student, LESSON, {LESSON: found}, datetime.datetime(2026, 1, 5), {LESSON: node})
    return folder


def test_a_page_shows_score_reason_and_comment(course):
    graded(course)

    (page,) = feedback(course)

    text = page.read_text()
    assert page == course.feedback / "bo" / LESSON / f"{LESSON}.html"
    assert "(Score: 1.0 / 8.0)" in text
    assert "double(2) must be 4, got 5" in text
    assert "No response." in text
    assert "SECRET" not in text


def test_only_the_page_and_the_timestamp_go_to_the_student(course):
    graded(course)

    (page,) = feedback(course)

    assert sorted(path.name for path in page.parent.iterdir()) == [page.name, "timestamp.txt"]


def test_nothing_to_do_is_found_without_nbgrader(course, monkeypatch):
    graded(course)
    feedback(course)
    monkeypatch.setattr("autograder.course.feedback._convert", lambda *_: pytest.fail("written again"))

    assert feedback(course) == []


def test_a_mark_by_a_person_is_something_to_do(course):
    graded(course)
    feedback(course)
    with sqlite3.connect(course.root / "gradebook.db") as gradebook:
        gradebook.execute("UPDATE comment SET manual_comment = 'Well put.'")
    gradebook.close()

    (page,) = feedback(course)

    assert "Well put." in page.read_text()


def test_lesson_and_student_can_be_chosen(course):
    graded(course, "al")
    graded(course, "bo")
    seen = []

    (page,) = feedback(course, [LESSON], ["bo"], progress=lambda one, new: seen.append((one.student, new)))

    assert page.parent.parent.name == "bo"
    assert seen == [("bo", True)]
    assert feedback(course, ["02_big"]) == []


def test_one_that_fails_is_named_and_the_others_are_written(course):
    (graded(course, "al") / f"{LESSON}.ipynb").write_text("no notebook")
    graded(course, "bo")

    with pytest.raises(CourseError, match="al, 01_tiny: .*NotJSON"):
        feedback(course)

    assert (course.feedback / "bo" / LESSON / f"{LESSON}.html").is_file()
    assert not (course.feedback / "al" / LESSON / f"{LESSON}.html").exists()
