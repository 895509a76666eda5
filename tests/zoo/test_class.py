"""Each student of the sample class gets what the first lines of their file say, from one real grader."""

import ast
import json
import re

import pytest

from autograder.referee import names
from autograder.referee.referee import Rules
from autograder.supervise import Grader, Options, modules_of
from tests.zoo import roster

CLASS = {student.name: student for student in roster.students()}
FENCED = re.compile(r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", re.DOTALL)


@pytest.fixture(scope="module")
def source():
    return roster.source()


@pytest.fixture(scope="module")
def released(source):
    return roster.release(source)


@pytest.fixture(scope="module")
def graded(source, released):
    """Grade the whole class with one grader, in the order of their names."""
    options = Options(preload=modules_of([source]), rules=Rules(cell_timeout=2, test_timeout=2))
    with Grader(options) as grader:
        files = roster.submissions(released)
        return {name: grader.grade(source, data, student=name) for name, data in files.items()}


def secrets(source, released):
    """Return the lines and the long numbers of hidden tests that the release has not, to four digits either."""
    texts = ["".join(cell["source"]) for cell in json.loads(source)["cells"]]
    hidden = "\n".join(part for text in texts for part in FENCED.findall(text))
    known = "\n".join(cell["source"] for cell in released["cells"])
    found = [line.strip() for line in hidden.splitlines()] + re.findall(r"\d+\.\d{6,}", hidden)
    lines = [text for text in found if len(text) > 7 and text not in known]
    return [text for text in lines if not (text[0].isdigit() and text[:6] in known)]


def test_the_class_has_everybody_that_a_grader_must_cope_with():
    assert len(CLASS) >= 16
    assert sum(student.expected == {"*": "PASSED"} for student in CLASS.values()) >= 4
    assert sum(bool(student.misconceptions) for student in CLASS.values()) >= 5
    verdicts = {verdict for student in CLASS.values() for verdict in student.expected.values()}
    assert verdicts >= {
        "PASSED",
        "FAILED",
        "RAISED",
        "TIMEOUT",
        "MEMORY",
        "CRASHED",
        "MALFORMED",
        "UNTOUCHED",
    }


@pytest.mark.parametrize("name", CLASS)
def test_verdicts_are_as_expected(name, graded):
    cells = [cell for cell in graded[name].report.cells if cell.verdict != "MANUAL"]
    expected = {cell.grade_id: CLASS[name].verdict(cell.grade_id) for cell in cells}
    assert {cell.grade_id: cell.verdict.value for cell in cells} == expected
    assert CLASS[name].expected.keys() - {"*"} <= expected.keys()


@pytest.mark.parametrize("name", CLASS)
def test_points_follow_from_verdicts(name, graded):
    for cell in graded[name].report.automatic:
        assert cell.score == (cell.max_score if cell.verdict == "PASSED" else 0)
        assert cell.message or cell.verdict == "PASSED"


@pytest.mark.parametrize("name", [name for name, student in CLASS.items() if student.misconceptions])
def test_misconceptions_are_named(name, graded):
    named = {cell.grade_id: cell.misconception for cell in graded[name].report.cells if cell.misconception}
    assert named == CLASS[name].misconceptions


def test_an_honest_answer_is_told_no_misconception(graded):
    right = [name for name, student in CLASS.items() if student.expected == {"*": "PASSED"}]
    assert not [
        c for name in right for c in graded[name].report.cells if c.misconception or c.verdict == "FAILED"
    ]


@pytest.mark.parametrize("name", CLASS)
def test_nothing_of_a_hidden_test_is_told(name, graded, source, released):
    told = json.dumps([graded[name].report.to_json(), graded[name].notebook], ensure_ascii=False)
    handed_in = roster.write(CLASS[name], released).decode()
    assert [text for text in secrets(source, released) if text in told and text not in handed_in] == []


def test_there_is_something_to_keep_secret(source, released):
    assert len(secrets(source, released)) > 40


def test_the_spy_found_its_visible_inputs_and_nothing_else(graded):
    told = json.dumps(graded["ngozi"].notebook)
    assert "FOUND []" in told
    assert "SEEN [" in told


def test_no_helper_of_a_student_is_overwritten_by_the_lesson():
    """In one process, as under plain nbgrader, a test that binds a student's helper's name breaks the answer."""
    ours, answers = set(), set()
    for cell in json.loads(roster.source())["cells"]:
        if cell["cell_type"] == "code":
            bound = names.bound(names.parse("".join(cell["source"])))
            if cell["metadata"]["nbgrader"]["solution"]:
                answers |= bound
            else:
                ours |= bound
    for student in roster.students():
        trees = [names.parse(text) for text in roster.answers(student).values()]
        helpers = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert not (helpers - answers) & ours, student.name
