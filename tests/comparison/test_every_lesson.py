"""Every lesson graded by plain nbgrader and by ``autograder grade``: the same points, cell by cell.

Two students hand in every lesson: `full` has the solution's answers, `half` those to every other exercise.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.comparison import ways
from tests.lessons.text import FOLDER, NAMES, lesson
from tests.zoo.test_class import secrets

pytestmark = pytest.mark.slow
STUDENTS = ("full", "half")
PARTS = ("test", "hidden")
# `nbgrader autograde` and `nbgrader generate_feedback`; a process for each call takes twice as long.
NBGRADER = """
import sys
from nbgrader.apps import AutogradeApp, GenerateFeedbackApp
student, *lessons = sys.argv[1:]
for command in (AutogradeApp, GenerateFeedbackApp):
    for lesson in lessons:
        app = command()
        app.initialize([lesson, "--student", student])
        app.start()
"""
# Lesson 8 trains models in a cell.
CONFIG = ways.CONFIG.replace(f"timeout = {ways.SECONDS}", "timeout = 300")


@dataclass(frozen=True)
class Lesson:
    """A lesson in a course, read from its files."""

    course: Path
    name: str

    def file(self, step: str, student: str = "") -> Path:
        return self.course / step / student / self.name / f"{self.name}.ipynb"

    def read(self, step: str, student: str = "") -> dict:
        notebook = json.loads(self.file(step, student).read_bytes())
        for cell in notebook["cells"]:
            cell["source"] = "".join(cell["source"])
        return notebook

    def marked(self) -> list[tuple[dict, str]]:
        """Return nbgrader's marks on the cells of the source, and their text."""
        cells = self.read("solutions")["cells"]
        return [
            (cell["metadata"]["nbgrader"], cell["source"]) for cell in cells if "nbgrader" in cell["metadata"]
        ]

    def automatic(self) -> dict[str, float]:
        """Return the points of the cells that need no person, by grade_id."""
        graded = [marks for marks, _ in self.marked() if marks["grade"] and not marks["solution"]]
        return {marks["grade_id"]: marks["points"] for marks in graded}

    def answers(self, student: str) -> dict[str, str]:
        """Return the answers that a student has: `half` to the second exercise, the fourth, and so on."""
        exercise, chosen = 0, {}
        for marks, text in self.marked():
            if marks["solution"] and (student == "full" or exercise % 2):
                chosen[marks["grade_id"]] = text
            exercise += marks["grade_id"].endswith("_test")
        return chosen

    def hand_in(self, student: str) -> None:
        """Write a student's notebook: the release, with the answers that they have."""
        answers, notebook = self.answers(student), self.read("notebooks")
        for cell in notebook["cells"]:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            cell["source"] = answers.get(name, cell["source"])
        self.file("submitted", student).parent.mkdir(parents=True)
        self.file("submitted", student).write_text(json.dumps(notebook))


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """One course with every lesson, released, and handed in by both students."""
    from autograder.course import config
    from autograder.course.build import build
    from autograder.course.release import release

    course = tmp_path_factory.mktemp("every") / "course"
    (course / "solutions").mkdir(parents=True)
    (course / "nbgrader_config.py").write_text(CONFIG)
    for name in NAMES:
        shutil.copy(FOLDER / f"{name}.py", course / "solutions")
    build(config.load(course))
    release(config.load(course))
    for name in NAMES:
        for student in STUDENTS:
            Lesson(course, name).hand_in(student)
    return course


@pytest.fixture(scope="module")
def plain(handed_in):
    """The course after nbgrader's own commands, with nothing of ours in them: one for each student."""
    courses = {student: handed_in.with_name(f"plain-{student}") for student in STUDENTS}
    running = {}
    for student, course in courses.items():
        shutil.copytree(handed_in, course)
        words = [sys.executable, "-c", NBGRADER, student, *NAMES]
        environment = os.environ | {"JUPYTER_CONFIG_DIR": str(course / ".jupyter")}
        with (course / "log").open("w") as log:
            running[student] = subprocess.Popen(words, cwd=course, env=environment, stdout=log, stderr=log)
    for student, process in running.items():
        assert process.wait(600) == 0, (courses[student] / "log").read_text()
    return courses


@pytest.fixture(scope="module")
def ours(handed_in):
    """The course after our commands."""
    course = handed_in.with_name("ours")
    shutil.copytree(handed_in, course)
    for verb in ("grade", "feedback"):
        call(course, sys.executable, "-m", "autograder", verb)
    return course


def call(course: Path, *words: str) -> None:
    done = ways.run(course, *words)
    assert done.returncode == 0, done.stdout + done.stderr


def scores(course: Lesson) -> dict[str, dict[str, float | None]]:
    """Return the automatic scores in the gradebook, by student and grade_id."""
    from nbgrader.api import Gradebook

    found = {}
    with Gradebook(f"sqlite:///{course.course / 'gradebook.db'}") as gradebook:
        for submission in gradebook.assignment_submissions(course.name):
            grades = {grade.name: grade.auto_score for grade in submission.notebooks[0].grades}
            found[submission.student.id] = {name: grades[name] for name in course.automatic()}
    return found


def exported(course: Path) -> dict[tuple[str, str], float]:
    """Return what ``nbgrader export`` writes: the score of each lesson and student."""
    call(course, "nbgrader", "export")
    with (course / "grades.csv").open() as file:
        return {
            (row["assignment"], row["student_id"]): float(row["score"] or 0) for row in csv.DictReader(file)
        }


def reading(lesson: Lesson, student: str) -> str:
    """Return a feedback page as it reads."""
    return ways.reading(lesson.file("feedback", student).with_suffix(".html").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_both_give_the_same_points_cell_by_cell(name, plain, ours):
    found = scores(Lesson(ours, name))
    assert found.keys() == set(STUDENTS)
    for student, cells in found.items():
        assert scores(Lesson(plain[student], name)) == {student: cells}
    assert found["full"] == Lesson(ours, name).automatic()
    earned = {cell for cell, score in found["half"].items() if score}
    assert earned
    assert earned <= {f"{exercise}_{part}" for exercise in lesson(name).exercises()[1::2] for part in PARTS}


def test_nbgrader_exports_the_same_scores_of_both(plain, ours):
    assert exported(plain["full"]) | exported(plain["half"]) == exported(ours)
    assert exported(ours) == {
        (name, student): sum(cells.values())
        for name in NAMES
        for student, cells in scores(Lesson(ours, name)).items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_both_make_feedback_and_ours_has_no_line_of_a_hidden_test(name, plain, ours):
    course = Lesson(ours, name)
    hidden = secrets(course.file("solutions").read_bytes(), course.read("notebooks"))
    for student in STUDENTS:
        known = "\n".join(cell["source"] for cell in course.read("submitted", student)["cells"])
        secret = [text for text in hidden if text not in known]
        assert len(secret) >= 15
        assert [text for text in secret if text in reading(course, student)] == []
        assert [text for text in secret if text not in reading(Lesson(plain[student], name), student)] == []
