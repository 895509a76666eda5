"""nbgrader's own fixture notebooks, from the installed package: the same points as it gives them."""

from __future__ import annotations

from pathlib import Path

import nbgrader
import pytest

from autograder.referee.referee import Rules
from autograder.supervise import Grader, Options, SourceError

FILES = Path(nbgrader.__file__).parent / "tests" / "apps" / "files"
# In the course that these fixtures are of, the changed submission has every answer right.
SOURCE = "submitted-changed.ipynb"


def fixture(name):
    return (FILES / name).read_bytes()


@pytest.fixture(scope="module")
def grader():
    with Grader(Options(rules=Rules(cell_timeout=2, test_timeout=2))) as made:
        yield made


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("submitted-changed.ipynb", {"foo": 1, "bar": 1, "baz": None, "quux": None}),
        ("submitted-unchanged.ipynb", {"foo": 1, "bar": 0, "baz": 0, "quux": 0}),
        ("submitted-cheat-attempt.ipynb", {"foo": 1, "bar": 0, "baz": None, "quux": None}),
        ("submitted-cheat-attempt-alternative.ipynb", {"foo": 1, "bar": 0, "baz": None, "quux": None}),
        ("submitted-locked-cell-changed.ipynb", {"foo": 1, "bar": 0, "baz": 0, "quux": 0}),
        ("submitted-grade-cell-changed.ipynb", {"foo": 1, "bar": 0, "baz": 0, "quux": 0}),
    ],
)
def test_submissions_have_the_points_that_nbgrader_gives(grader, name, scores):
    graded = grader.grade(fixture(SOURCE), fixture(name))
    found = {cell.grade_id: cell.score for cell in graded.report.cells}
    assert found == scores


def test_tests_that_reach_into_the_namespace_are_refused_with_the_way_out(grader):
    with pytest.raises(SourceError, match=r"sum_of_squares_uses_squares: .*--isolation=kernel"):
        grader.grade(fixture("test.ipynb"), fixture("test.ipynb"))


def test_and_graded_where_they_may():
    with Grader(Options(rules=Rules(isolation="kernel"))) as kernel:
        report = kernel.grade(fixture("test.ipynb"), fixture("test.ipynb")).report
    assert (report.score, report.max_score, report.isolation) == (3, 3, "kernel")


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.glob("*.ipynb")))
def test_every_fixture_ends_in_a_row_for_each_cell(grader, name):
    report = grader.grade(fixture(SOURCE), fixture(name)).report
    assert [cell.grade_id for cell in report.cells] == ["foo", "bar", "baz", "quux"]
    assert not report.internal
