"""nbgrader's own commands, with our engine at work in its place: nothing is replaced by a stand-in here."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder import sandbox
from autograder.course.engine import Execute

ROOT = Path(__file__).parents[2]
LESSON = "01_tiny"
RIGHT = "import warnings\n\ndef double(x):\n    warnings.warn('slow')\n    return x + x"
WRONG = "def double(x):\n    return 4"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sandbox.supported().sufficient, reason="student code cannot be closed off here"),
]


@pytest.fixture
def graded(course):
    """The submissions of two students, graded by ``nbgrader autograde``."""
    ours = f"{Execute.__module__}.{Execute.__qualname__}"
    file = course.root / "nbgrader_config.py"
    file.write_text(
        f"{file.read_text()}\n"
        "from nbgrader.converters import Autograde\n"
        f"steps = ['{ours}', *Autograde.autograde_preprocessors.default()[1:]]\n"
        "c.Autograde.autograde_preprocessors = steps\n"
    )
    for student, answer in (("right", RIGHT), ("wrong", WRONG)):
        hand_in(course, student, answer)
    nbgrader(course, "autograde", LESSON)
    return course


def hand_in(course, student, answer):
    release = course.folder(course.release, LESSON) / f"{LESSON}.ipynb"
    node = nbformat.read(release, as_version=4)
    for cell in node.cells:
        if cell.id == "double":
            cell.source = answer
    folder = course.folder(course.submitted, LESSON, student)
    folder.mkdir(parents=True)
    nbformat.write(node, folder / release.name)


def nbgrader(course, *words):
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "nbgrader", *words]
    done = subprocess.run(
        command, cwd=course.root, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_autograde_scores_right_and_wrong(graded):
    gradebook = sqlite3.connect(graded.root / "gradebook.db")
    query = """
        SELECT student_id, name, auto_score FROM grade
        JOIN base_cell ON base_cell.id = grade.cell_id
        JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
        JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
        WHERE name LIKE 'double%'"""
    found = {(student, name): score for student, name, score in gradebook.execute(query)}
    gradebook.close()

    assert found == {
        ("right", "double_test"): 2.0,
        ("right", "double_hidden"): 1.0,
        ("wrong", "double_test"): 2.0,
        ("wrong", "double_hidden"): 0.0,
    }


def test_feedback_and_export_work_on_the_result(graded):
    nbgrader(graded, "generate_feedback", LESSON)
    nbgrader(graded, "export", "--to=grades.csv")

    pages = sorted(graded.feedback.rglob("*.html"))
    assert [page.parent.parent.name for page in pages] == ["right", "wrong"]
    assert not any("SECRET" in page.read_text() for page in pages)
    rows = [line.split(",") for line in (graded.root / "grades.csv").read_text().splitlines()]
    assert [(row[3], row[7]) for row in rows[1:]] == [("right", "3.0"), ("wrong", "2.0")]
