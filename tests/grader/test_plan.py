from __future__ import annotations

import copy

import pytest

from autograder.referee.plan import lay
from autograder.referee.source import Source
from tests.grader.twin import answer, check, given, grade, handed_in, hidden, notebook, verdicts

SOURCE = notebook(
    given("import math"),
    answer("f", "def f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION"),
    check("f_test", "assert f(1) == 1"),
    hidden("f_hidden", "assert f(2) == 2"),
    answer("g", "def g(x):\n    ### BEGIN SOLUTION\n    return -x\n    ### END SOLUTION"),
    check("g_test", "assert g(1) == -1"),
)
PASSED = dict.fromkeys(("f_test", "f_hidden", "g_test"), "PASSED")
ANSWERS = {"f": "def f(x):\n    return x", "g": "def g(x):\n    return -x"}


def submission():
    made = copy.deepcopy(handed_in(SOURCE, **ANSWERS))
    for cell in made["cells"]:
        if "HIDDEN" in cell["source"]:
            cell["source"] = ""
    return made


def test_a_plain_submission():
    assert verdicts(grade(SOURCE, submission())) == PASSED


@pytest.mark.parametrize("gone", [2, 3, 5])
def test_a_deleted_test_runs_where_the_source_has_it(gone):
    made = submission()
    del made["cells"][gone]
    assert verdicts(grade(SOURCE, made)) == PASSED


def test_a_deleted_answer_is_missing_and_costs_its_own_tests_only():
    made = submission()
    del made["cells"][1]
    assert verdicts(grade(SOURCE, made)) == {
        "f_test": "UNTOUCHED",
        "f_hidden": "UNTOUCHED",
        "g_test": "PASSED",
    }


def test_an_answer_rewritten_in_a_new_cell_counts():
    made = submission()
    made["cells"][1] = given(ANSWERS["f"])
    assert verdicts(grade(SOURCE, made)) == PASSED


def test_lost_metadata_is_found_again():
    made = submission()
    for cell in made["cells"]:
        cell["metadata"] = {}
    assert verdicts(grade(SOURCE, made)) == PASSED


def test_a_copied_cell_does_not_drop_the_submission():
    made = submission()
    made["cells"].insert(2, copy.deepcopy(made["cells"][1]))
    made["cells"].append(copy.deepcopy(made["cells"][3]))
    assert verdicts(grade(SOURCE, made)) == PASSED


def test_what_the_submission_says_of_points_and_roles_is_not_believed():
    made = submission()
    for cell in made["cells"][1:]:
        cell["metadata"]["nbgrader"] |= {"points": 1000, "grade": False, "solution": True, "locked": False}
        cell["metadata"]["autograder"] = {"picture": True, "timeout": 10_000}
        cell["cell_type"] = "markdown"
    outcome = grade(SOURCE, made)
    assert verdicts(outcome) == PASSED
    assert [result.max_score for result in outcome.results] == [2, 2, 2]


def test_a_test_that_the_student_rewrote_is_the_sources_again():
    made = submission()
    made["cells"][1]["source"] = "def f(x):\n    return 0"
    made["cells"][2]["source"] = "pass"
    assert verdicts(grade(SOURCE, made))["f_test"] == "FAILED"


def test_an_unknown_grade_id_is_the_students_own_cell():
    made = submission()
    made["cells"][1]["metadata"]["nbgrader"]["grade_id"] = "renamed"
    assert verdicts(grade(SOURCE, made)) == PASSED


def test_pictures_are_not_run_unless_the_student_changed_them():
    source = notebook(given("x = 1", picture=True), answer("f", "y = 2"), check("t", "assert y == 2"))
    assert not lay(Source(source), source).steps[0].for_student
    made = copy.deepcopy(source)
    made["cells"][0]["source"] = "y = 2"
    made["cells"][1]["source"] = "z = 3"
    assert lay(Source(source), made).steps[0].for_student


def test_a_submission_without_cells_has_a_row_for_every_test():
    assert verdicts(grade(SOURCE, notebook())) == dict.fromkeys(PASSED, "UNTOUCHED")
