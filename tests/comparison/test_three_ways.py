"""Plain nbgrader, with our engine, and ``autograder grade``: honest work gets the same points, cell by cell.

Where nbgrader is fooled, drops a submission or loses points, the table below states it.
"""

import csv
import json

import pytest

from tests.comparison import ways
from tests.zoo import roster
from tests.zoo.test_class import secrets

pytestmark = pytest.mark.slow
WAYS = (ways.STOCK, ways.ENGINE, ways.OURS)
CLASS = {student.name: student for student in roster.students()}
#: What plain nbgrader gives where it does not agree, None for a submission that it drops, and why.
STOCK = {
    "bjorn": (7, "what a test cell writes to standard error costs all its points"),
    "priya": (None, "the kernel died with the student's process"),
    "quentin": (None, "the file is no notebook"),
    "renata": (0, "without metadata no cell is found, and nothing is said of it"),
    "wei": (7, "fooled: the shell runs no assert"),
    "ximena": (9, "fooled: the checks were replaced"),
    "yusuf": (None, "the kernel cannot run without its builtins"),
    "zofia": (None, "a copied cell is taken for the format of an older nbgrader"),
}
#: What nbgrader drops before our engine is asked.
DROPPED = {"quentin", "zofia"}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root = tmp_path_factory.mktemp("three")
    ways.prepare(root / "course")
    return {way: ways.grade(way, root / "course", root / way.replace(" ", "-")) for way in WAYS}


def test_ours_is_what_the_roster_expects(graded):
    for name, student in CLASS.items():
        cells = graded[ways.OURS].scores[name]
        passed = {grade_id for grade_id, score in cells.items() if score}
        assert passed == {grade_id for grade_id in cells if student.verdict(grade_id) == "PASSED"}, name


@pytest.mark.parametrize("name", sorted(CLASS.keys() - STOCK.keys()))
def test_three_ways_agree_cell_by_cell(name, graded):
    assert graded[ways.STOCK].scores[name] == graded[ways.OURS].scores[name]
    assert graded[ways.ENGINE].scores[name] == graded[ways.OURS].scores[name]


@pytest.mark.parametrize("name", sorted(STOCK))
def test_plain_nbgrader_does_what_the_table_says(name, graded):
    assert graded[ways.STOCK].total(name) == STOCK[name][0], STOCK[name][1]


@pytest.mark.parametrize("name", sorted(STOCK.keys() - DROPPED))
def test_our_engine_mends_plain_nbgrader(name, graded):
    assert graded[ways.ENGINE].scores[name] == graded[ways.OURS].scores[name]


def test_what_nbgrader_drops_has_a_row_with_us(graded):
    assert graded[ways.ENGINE].scores.keys() == CLASS.keys() - DROPPED
    assert graded[ways.OURS].scores.keys() == CLASS.keys()


@pytest.mark.parametrize("way", [ways.ENGINE, ways.OURS])
def test_nbgrader_exports_our_scores(way, graded):
    done = ways.run(graded[way].course, "nbgrader", "export")
    assert done.returncode == 0, done.stderr
    with (graded[way].course / "grades.csv").open() as file:
        exported = {row["student_id"]: float(row["score"] or 0) for row in csv.DictReader(file)}
    assert {name: exported[name] for name in graded[way].scores} == {
        name: graded[way].total(name) for name in graded[way].scores
    }


@pytest.mark.parametrize("way", [ways.ENGINE, ways.OURS])
def test_nbgrader_makes_feedback_without_a_line_of_a_hidden_test(way, graded):
    course = graded[way].course
    done = ways.run(course, "nbgrader", "generate_feedback", ways.LESSON)
    assert done.returncode == 0, done.stderr
    pages = {page.parts[-3]: page.read_text() for page in course.glob("feedback/*/*/*.html")}
    assert pages.keys() == graded[way].scores.keys()
    release = json.loads((course / "notebooks" / ways.LESSON / f"{ways.LESSON}.ipynb").read_bytes())
    for cell in release["cells"]:
        cell["source"] = "".join(cell["source"])
    hidden = secrets((course / "solutions" / ways.LESSON / f"{ways.LESSON}.ipynb").read_bytes(), release)
    assert len(hidden) > 40
    for name, page in pages.items():
        try:
            cells = json.loads(roster.write(CLASS[name], release))["cells"]
        except ValueError:
            cells = []  # no notebook, and so nothing of the student's on the page
        answers, told = "\n".join("".join(cell["source"]) for cell in cells), ways.reading(page)
        assert [text for text in hidden if text in told and text not in answers] == [], name


def test_our_release_is_nbgraders(graded):
    """Hold the sample class's quick release to the one that nbgrader makes."""
    course = graded[ways.OURS].course
    made = json.loads((course / "notebooks" / ways.LESSON / f"{ways.LESSON}.ipynb").read_bytes())
    quick = roster.release(roster.source())
    assert ["".join(cell["source"]).strip() for cell in made["cells"]] == [
        cell["source"].strip() for cell in quick["cells"]
    ]
