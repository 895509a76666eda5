"""The drop-in, with a grader that answers what the test wants: what runs is tested where it runs."""

import sqlite3

import nbformat
import pytest
from nbgrader import utils
from nbgrader.converters import Autograde

from autograder.course import engine
from autograder.course.config import load
from autograder.course.converter import ConverterError, convert
from autograder.report import CellResult, Report, Verdict
from autograder.supervise import Graded

LESSON = "01_tiny"
OURS = """
c.Autograde.autograde_preprocessors = [
    "autograder.course.engine.Execute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
"""


def stream(name, text):
    return {"output_type": "stream", "name": name, "text": text}


def error(text):
    return {"output_type": "error", "ename": "FAILED", "evalue": text, "traceback": [text]}


@pytest.fixture
def answers(monkeypatch):
    """Outputs by grade_id that the grader is to give, and what it was asked."""
    wanted = {"asked": [], "verdict": Verdict.PASSED}

    class Grader:
        def __init__(self, options):
            self.options = options

        def close(self):
            pass

        def grade(self, source, submission, *, files):
            wanted["asked"].append((self.options, source, submission, files))
            node = nbformat.reads(submission.decode(), as_version=4)
            for cell in node.cells:
                name = cell.metadata.get("nbgrader", {}).get("grade_id")
                if name == "double_hidden":
                    cell.source = "# Hidden tests are not shown."
                if cell.cell_type == "code":
                    cell.outputs, cell.execution_count = wanted.get(name, []), 1
            for cell in wanted.get("missing", []):
                node.cells.append(cell)
            cells = [CellResult("double_test", None, 2.0, wanted["verdict"], "because")]
            return Graded(node, Report("", "", None, cells))

    monkeypatch.setattr(engine, "Grader", Grader)
    monkeypatch.setattr(engine, "_kept", {})
    return wanted


@pytest.fixture
def handed_in(course):
    """A course with our engine and one submission, the release as it is."""
    file = course.root / "nbgrader_config.py"
    file.write_text(file.read_text() + OURS)
    folder = course.folder(course.submitted, LESSON, "bo")
    folder.mkdir(parents=True)
    release = course.folder(course.release, LESSON) / f"{LESSON}.ipynb"
    (folder / release.name).write_bytes(release.read_bytes())
    return load(course.root)


def autograde(course):
    convert(Autograde, course, LESSON, students=["bo"])
    path = course.folder(course.autograded, LESSON, "bo") / f"{LESSON}.ipynb"
    return nbformat.read(path, as_version=4)


def scores(course):
    gradebook = sqlite3.connect(course.root / "gradebook.db")
    query = "SELECT name, auto_score FROM grade JOIN base_cell ON base_cell.id = grade.cell_id"
    found = dict(gradebook.execute(query).fetchall())
    gradebook.close()
    return found


def by_id(node):
    return {cell.metadata.nbgrader.grade_id: cell for cell in node.cells if "nbgrader" in cell.metadata}


def test_nbgrader_reads_our_scores_from_the_outputs(handed_in, answers):
    answers["double_test"] = [error("double(2) must be 4")]
    answers["double_hidden"] = [stream("stdout", "PASSED")]

    node = autograde(handed_in)

    assert scores(handed_in) == {"double_test": 0.0, "double_hidden": 1.0, "why": 0.0, "draw": None}
    assert by_id(node)["double_test"].outputs[0].evalue == "double(2) must be 4"


def test_the_grader_gets_the_source_the_submission_and_the_settings(handed_in, answers):
    file = handed_in.root / "nbgrader_config.py"
    file.write_text(file.read_text() + "c.Execute.timeout = 7\n")
    (handed_in.folder(handed_in.source, LESSON) / "data.csv").write_text("1,2\n")

    autograde(load(handed_in.root))

    ((options, source, submission, files),) = answers["asked"]
    assert (options.rules.cell_timeout, options.rules.test_timeout) == (7, 7)
    assert source == handed_in.notebooks(LESSON)[0].read_bytes()
    assert b"YOUR CODE HERE" in submission
    assert files == {"data.csv": b"1,2\n"}


def test_no_hidden_test_is_left_in_the_graded_notebook(handed_in, answers):
    node = autograde(handed_in)

    assert by_id(node)["double_hidden"].source == "# Hidden tests are not shown."
    graded = handed_in.folder(handed_in.autograded, LESSON, "bo") / f"{LESSON}.ipynb"
    assert "SECRET" not in graded.read_text()


def test_a_warning_in_a_test_costs_nothing(handed_in, answers):
    answers["double_test"] = [stream("stderr", "a warning\n"), stream("stdout", "PASSED")]

    autograde(handed_in)

    assert scores(handed_in)["double_test"] == 2.0


def test_a_test_that_the_student_deleted_comes_back_with_its_score(handed_in, answers):
    path = handed_in.folder(handed_in.submitted, LESSON, "bo") / f"{LESSON}.ipynb"
    node = nbformat.read(path, as_version=4)
    gone = by_id(node)["double_test"]
    node.cells.remove(gone)
    nbformat.write(node, path)
    answers["missing"] = [{**gone, "outputs": [error("no")], "execution_count": 1}]

    graded = autograde(handed_in)

    assert scores(handed_in)["double_test"] == 0.0
    assert utils.determine_grade(by_id(graded)["double_test"]) == (0, 2.0)


def test_internal_is_no_grade_and_takes_the_old_one_back(handed_in, answers):
    autograde(handed_in)
    assert scores(handed_in)["double_test"] == 2.0
    answers["verdict"] = Verdict.INTERNAL

    with pytest.raises(ConverterError, match="01_tiny of bo must be graded again, got: double_test: because"):
        autograde(handed_in)

    assert set(scores(handed_in).values()) == {None}


def test_a_course_without_source_is_told_so(handed_in, answers):
    handed_in.notebooks(LESSON)[0].unlink()

    with pytest.raises(ConverterError, match="must have its source, got no 01_tiny.ipynb in solutions"):
        autograde(handed_in)


def test_one_grader_serves_a_process(handed_in, answers):
    autograde(handed_in)
    autograde(handed_in)

    assert len(engine._kept) == 1
