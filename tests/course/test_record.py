"""Rows of ours against the rows that nbgrader's own preprocessors write for the same executed notebook."""

import datetime
import shutil
import sqlite3
import sys

import nbformat
import pytest
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades

from autograder.course import config
from autograder.course.config import CourseError
from autograder.course.record import Recorder
from autograder.report import CellResult, Report, Verdict

LESSON = "01_tiny"
MONDAY = datetime.datetime(2026, 1, 5, 12)
HOUR = datetime.timedelta(hours=1)
PLUGIN = "c.LateSubmissionPlugin.penalty_method = 'zero'\n"

ROWS = {
    "grade": """
        SELECT student_id, notebook.name, base_cell.name, auto_score, manual_score, extra_credit,
               needs_manual_grade
        FROM grade JOIN base_cell ON base_cell.id = grade.cell_id
        JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id""",
    "comment": """
        SELECT student_id, notebook.name, base_cell.name, auto_comment, manual_comment
        FROM comment JOIN base_cell ON base_cell.id = comment.cell_id
        JOIN submitted_notebook ON submitted_notebook.id = comment.notebook_id""",
    "submitted_notebook": """
        SELECT student_id, notebook.name, flagged, late_submission_penalty, timestamp, extension
        FROM submitted_notebook""",
}
WHOSE = """
    JOIN notebook ON notebook.id = submitted_notebook.notebook_id
    JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id"""


def rows(course):
    """Everything that grading writes, without the random ids."""
    found = {}
    gradebook = sqlite3.connect(course.root / "gradebook.db")
    for table, query in ROWS.items():
        found[table] = sorted(gradebook.execute(query + WHOSE).fetchall(), key=repr)
    found["student"] = sorted(gradebook.execute("SELECT id, first_name, last_name, email FROM student"))
    gradebook.close()
    return found


def submission(course, *, answered=(), failed=(), partial=()):
    """The release with some answers typed in and the outputs that running it would have left."""
    path = course.folder(course.release, LESSON) / f"{LESSON}.ipynb"
    node = nbformat.read(path, as_version=4)
    for cell in node.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in answered:
            cell.source = f"my own {name}"
        if name in failed:
            cell.outputs = [nbformat.v4.new_output("error", ename="E", evalue="no", traceback=[])]
        if name in partial:
            cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "0.5"})]
    return node


def report(node):
    """The report whose scores are nbgrader's own."""
    cells = []
    for cell in node.cells:
        meta = cell.metadata.get("nbgrader", {})
        if meta.get("task"):
            cells.append(CellResult(meta["grade_id"], None, meta["points"], Verdict.MANUAL))
        elif meta.get("grade"):
            score, most = utils.determine_grade(cell)
            verdict = Verdict.MANUAL if meta["solution"] else Verdict.PASSED if score else Verdict.FAILED
            cells.append(CellResult(meta["grade_id"], score, most, verdict))
    return Report(f"{LESSON}.ipynb", "", None, cells)


def record(course, node, student="bo", moment=MONDAY):
    with Recorder(course) as recorder:
        recorder.record(student, LESSON, {LESSON: report(node)}, moment, answers={LESSON: node})


def record_by_nbgrader(course, node, student="bo", moment=MONDAY):
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.update_or_create_student(student)
        gradebook.update_or_create_submission(LESSON, student, timestamp=str(moment))
    names = {"notebook": LESSON, "assignment": LESSON, "student": student, "db_url": course.db_url}
    for kind in (SaveAutoGrades, AssignLatePenalties):
        kind(config=course.config).preprocess(node, {"nbgrader": names})


def change(course, query, *values):
    gradebook = sqlite3.connect(course.root / "gradebook.db")
    with gradebook:
        gradebook.execute(query, values)
    gradebook.close()


def set_due(course, moment):
    change(course, "UPDATE assignment SET duedate = ?", moment.isoformat(" ") + ".000000")


def configured(course, line):
    file = course.root / "nbgrader_config.py"
    file.write_text(file.read_text() + line)
    return config.load(course.root)


def twin(course, tmp_path):
    """The same course again, for nbgrader to write into."""
    root = tmp_path / "theirs"
    shutil.copytree(course.root, root)
    return config.load(root)


CASES = {
    "untouched": {"failed": ["double_test", "double_hidden"]},
    "right": {"answered": ["double", "why"]},
    "half done": {"answered": ["double"], "failed": ["double_hidden"]},
    "partial credit": {"answered": ["double", "why", "draw"], "partial": ["double_test"]},
}


@pytest.mark.parametrize("case", CASES)
def test_the_rows_are_those_of_nbgrader(course, tmp_path, case):
    theirs = twin(course, tmp_path)
    node = submission(course, **CASES[case])

    record(course, node)
    record_by_nbgrader(theirs, node)

    assert rows(course) == rows(theirs)
    assert len(rows(course)["grade"]) == 4


def test_a_regrade_gives_the_rows_of_nbgraders_regrade(course, tmp_path):
    theirs = twin(course, tmp_path)
    for case in ("right", "untouched"):
        node = submission(course, **CASES[case])
        record(course, node)
        record_by_nbgrader(theirs, node)
        for one in (course, theirs):
            # A person marked the essay, praised it and flagged the notebook in between.
            change(one, "UPDATE grade SET manual_score = 1.5, extra_credit = 0.5 WHERE auto_score IS NULL")
            change(one, "UPDATE comment SET manual_comment = 'good'")
            change(one, "UPDATE submitted_notebook SET flagged = 1")

    assert rows(course) == rows(theirs)
    assert any(row[4] == 1.5 and row[6] for row in rows(course)["grade"])


def test_a_late_penalty_comes_and_goes_as_nbgraders_does(course, tmp_path):
    course = configured(course, PLUGIN)
    theirs = twin(course, tmp_path)
    node = submission(course, **CASES["right"])
    penalties = []
    for due in (MONDAY - HOUR, MONDAY + HOUR):
        for one, write in ((course, record), (theirs, record_by_nbgrader)):
            set_due(one, due)
            write(one, node)
        assert rows(course) == rows(theirs)
        penalties.append(rows(course)["submitted_notebook"][0][3])

    assert penalties == [3.0, None]


def test_the_date_of_the_new_version_counts(course):
    course = configured(course, PLUGIN)
    set_due(course, MONDAY)
    node = submission(course, **CASES["right"])
    penalties = []
    for moment in (MONDAY, MONDAY + HOUR, None):
        record(course, node, moment=moment)
        penalties.append(rows(course)["submitted_notebook"][0][3:5])

    late = (3.0, "2026-01-05 13:00:00.000000")
    assert penalties == [(None, "2026-01-05 12:00:00.000000"), late, late]


def test_an_extension_counts(course):
    course = configured(course, PLUGIN)
    set_due(course, MONDAY - HOUR)
    node = submission(course, **CASES["right"])
    record(course, node)
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.grant_extension(LESSON, "bo", hours=2)
    assert rows(course)["submitted_notebook"][0][3] == 3.0

    record(course, node)

    assert rows(course)["submitted_notebook"][0][3] is None


@pytest.mark.parametrize(("asked", "taken"), [(-1.0, 0.0), (2.0, 2.0), (99.0, 3.0)])
def test_a_penalty_is_within_the_score(course, asked, taken):
    (course.root / "penalties.py").write_text(
        "from nbgrader.plugins import BasePlugin\n"
        "class Plugin(BasePlugin):\n"
        f"    def late_submission_penalty(self, student, score, late):\n        return {asked}\n"
    )
    course = configured(course, "c.AssignLatePenalties.plugin_class = 'penalties.Plugin'\n")
    set_due(course, MONDAY - HOUR)
    sys.modules.pop("penalties", None)

    record(course, submission(course, **CASES["right"]))

    assert rows(course)["submitted_notebook"][0][3] == taken


def test_a_regrade_that_fails_takes_the_old_score_back(course):
    record(course, submission(course, **CASES["right"]))
    broken = [CellResult("double_test", None, 2.0, Verdict.INTERNAL, "ours")]
    with Recorder(course) as recorder:
        recorder.record("bo", LESSON, {LESSON: Report(f"{LESSON}.ipynb", "", "bo", broken)}, MONDAY + HOUR)

    assert [row[3] for row in rows(course)["grade"]] == [None] * 4
    assert all(row[6] for row in rows(course)["grade"])


def test_a_score_can_be_withdrawn(course):
    record(course, submission(course, **CASES["right"]))
    with Recorder(course) as recorder:
        recorder.withdraw("bo", LESSON, LESSON)

    assert {(row[3], row[6]) for row in rows(course)["grade"]} == {(None, 1)}


def test_a_notebook_that_was_not_handed_in_has_nothing(course):
    with Recorder(course) as recorder:
        recorder.record("bo", LESSON, {}, MONDAY)

    assert {(row[3], row[6]) for row in rows(course)["grade"]} == {(0.0, 0)}


def test_a_submission_is_recorded_whole_or_not_at_all(course, monkeypatch):
    record(course, submission(course, **CASES["right"]))
    before = rows(course)
    with Recorder(course) as recorder:
        monkeypatch.setattr(recorder, "_penalise", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            recorder.record("bo", LESSON, {}, MONDAY + HOUR)
        monkeypatch.undo()
        assert rows(course) == before
        # The next submission does not carry the half of this one in.
        recorder.record("al", LESSON, {}, MONDAY)

    after = rows(course)
    assert [row[0] for row in after["student"]] == ["al", "bo"]
    assert [row for row in after["grade"] if row[0] == "bo"] == before["grade"]


def test_what_was_never_released_is_refused(course):
    with Recorder(course) as recorder:
        with pytest.raises(CourseError, match="02_big must be released before it is graded"):
            recorder.record("bo", "02_big", {}, MONDAY)
        with pytest.raises(CourseError, match="must have been released with other"):
            recorder.record("bo", LESSON, {"other": Report("other.ipynb", "", None, [])}, MONDAY)

    assert rows(course)["student"] == []


def test_a_zone_is_taken_into_account(course):
    zone = datetime.timezone(HOUR)
    record(course, submission(course), moment=MONDAY.replace(tzinfo=zone))

    assert rows(course)["submitted_notebook"][0][4] == "2026-01-05 11:00:00.000000"


def test_metadata_of_the_student_does_not_hide_that_there_is_no_answer(course):
    node = submission(course)
    for cell in node.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "why":
            cell.metadata.nbgrader = {"grade_id": "why", "points": 99}
    with Recorder(course) as recorder:
        recorder.record("bo", LESSON, {LESSON: report(submission(course))}, MONDAY, answers={LESSON: node})

    assert ("bo", LESSON, "why", "No response.", None) in rows(course)["comment"]


def test_a_gradebook_is_made_where_there_is_none(course):
    (course.root / "gradebook.db").unlink()

    with Recorder(course) as recorder, pytest.raises(CourseError, match="must be released"):
        recorder.record("bo", LESSON, {}, MONDAY)

    assert (course.root / "gradebook.db").is_file()


def test_nbgraders_export_reads_the_rows(course, tmp_path):
    from nbgrader.plugins import CsvExportPlugin

    record(course, submission(course, **CASES["right"]))
    record(course, submission(course, **CASES["untouched"]), student="zoë")
    plugin = CsvExportPlugin()
    plugin.to = str(tmp_path / "grades.csv")
    with Gradebook(course.db_url, course.course_id) as gradebook:
        plugin.export(gradebook)

    lines = [line.split(",") for line in (tmp_path / "grades.csv").read_text().splitlines()]
    found = [(line[3], line[7], line[10]) for line in lines[1:]]
    assert found == [("bo", "3.0", "8.0"), ("zoë", "0.0", "8.0")]
