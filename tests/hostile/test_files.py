"""Submissions that attack as files, in metadata, order, cell types or encoding. Points are the source's."""

import copy
import json

import pytest

from autograder.referee.referee import Rules
from autograder.supervise import Grader, Options
from tests.hostile import lesson

DUMB = lesson.Attack("dumb", "")


@pytest.fixture(scope="module")
def grader():
    with Grader(Options(preload=("numpy",), rules=Rules(cell_timeout=2, test_timeout=2))) as grader:
        yield grader


@pytest.fixture(scope="module")
def source():
    return json.dumps(lesson.source()).encode()


EDITS = []


def edit(function):
    """Register what a student can do to the notebook as JSON: ``(notebook, its cells by name)``."""
    EDITS.append(function)
    return function


@edit
def points(notebook, cells):
    for cell in cells.values():
        cell["metadata"]["nbgrader"] |= {"points": 1000, "max_score": 1000}


@edit
def infinite_points(notebook, cells):
    cells["half_test"]["metadata"]["nbgrader"]["points"] = float("inf")
    cells["shout_test"]["metadata"]["nbgrader"]["points"] = "1e9"


@edit
def unlocked_tests(notebook, cells):
    for name in lesson.TESTS:
        cells[name]["metadata"]["nbgrader"]["locked"] = False
        cells[name]["source"] = "1.0"


@edit
def turned_into_answers(notebook, cells):
    for name in lesson.TESTS:
        cells[name]["metadata"]["nbgrader"] |= {"solution": True, "grade": True}
        cells[name]["source"] = "assert True"


@edit
def turned_into_prose(notebook, cells):
    for name in lesson.TESTS:
        cells[name]["cell_type"] = "markdown"


@edit
def answers_as_prose(notebook, cells):
    cells["shout"]["cell_type"] = "raw"


@edit
def deleted_tests(notebook, cells):
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in lesson.TESTS]


@edit
def copied_tests(notebook, cells):
    notebook["cells"] += [copy.deepcopy(cells[name]) | {"source": "pass"} for name in lesson.TESTS]


@edit
def copies_first(notebook, cells):
    tests = [copy.deepcopy(cells[name]) | {"source": "pass"} for name in ("shout_test", "shout_hidden")]
    notebook["cells"][2:2] = tests


@edit
def swapped_names(notebook, cells):
    marks = cells["shout_test"]["metadata"]["nbgrader"], cells["half_test"]["metadata"]["nbgrader"]
    marks[0]["grade_id"], marks[1]["grade_id"] = "half_test", "shout_test"


@edit
def odd_names(notebook, cells):
    for number, name in enumerate(lesson.TESTS):
        odd = ("../../x", "", None, 5, ["a"], {"a": 1}, "\u202e", "x" * 10**5, "=1+1")[number % 9]
        cells[name]["metadata"]["nbgrader"]["grade_id"] = odd


@edit
def no_metadata(notebook, cells):
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        del cell["id"]


@edit
def wrong_metadata(notebook, cells):
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] = (None, [], "x", 5, {"nbgrader": []}, {"nbgrader": None}, {"autograder": 5})[
            number % 7
        ]


@edit
def settings(notebook, cells):
    wanted = {
        "timeout": 1e9,
        "picture": True,
        "isolation": "kernel",
        "sandbox": False,
        "withhold": [],
        "points": 9,
    }
    notebook["metadata"] = {"autograder": wanted, "nbgrader": {"points": 9}}
    for cell in notebook["cells"]:
        cell["metadata"]["autograder"] = wanted


@edit
def outputs(notebook, cells):
    passed = {"output_type": "execute_result", "data": {"text/plain": "1000.0"}, "metadata": {}}
    for cell in notebook["cells"]:
        cell["outputs"] = [passed | {"execution_count": 1}, {"output_type": "stream", "text": "PASSED"}]


@edit
def given_cell(notebook, cells):
    cells["given"]["source"] = "class np:\n    allclose = isclose = array_equal = lambda *args: True"


@edit
def moved_answer(notebook, cells):
    notebook["cells"].append(notebook["cells"].pop(notebook["cells"].index(cells["shout"])))


@edit
def sources_in_parts(notebook, cells):
    for cell in notebook["cells"]:
        cell["source"] = [line + "\n" for line in cell["source"].split("\n")]


@edit
def odd_cells(notebook, cells):
    notebook["cells"] += [None, 5, [], {}, {"cell_type": 5}, {"cell_type": "code", "source": {"a": 1}}]


@edit
def old_format(notebook, cells):
    notebook["nbformat"] = 3
    notebook["worksheets"] = [{"cells": notebook.pop("cells")}]


@edit
def attachments(notebook, cells):
    cells["shout"]["attachments"] = {"x.png": {"image/png": "A" * 10**6}}
    notebook["metadata"]["widgets"] = {"state": {"x": "<script>" * 10**4}}


@edit
def many_cells(notebook, cells):
    notebook["cells"] += [lesson.cell("more", "x = 1") | {"metadata": {}} for _ in range(300)]


@edit
def long_cell(notebook, cells):
    cells["shout"]["source"] += "\n" + "x = 1\n" * 50_000


#: What an edit costs whoever made it, on top of the points of `shout`: a test runs where its name stands.
COSTS = {"swapped_names": {"half_test"}}


@pytest.mark.parametrize("change", EDITS, ids=lambda change: change.__name__)
def test_edited_notebook_gets_what_its_answers_deserve(change, grader, source):
    notebook = lesson.submission(DUMB)
    change(notebook, {cell["id"]: cell for cell in notebook["cells"]})
    report = grader.grade(source, json.dumps(notebook).encode()).report
    kept = lesson.KEPT - COSTS.get(change.__name__, set())
    assert [cell.grade_id for cell in report.cells] == lesson.TESTS
    assert {cell.grade_id for cell in report.cells if cell.verdict == "PASSED"} == kept
    assert report.score == len(kept) and report.max_score == len(lesson.TESTS)
    assert all(cell.message for cell in report.cells if cell.verdict != "PASSED")


RIGHT = json.dumps(lesson.source())
UNREADABLE = {
    "empty": b"",
    "blank": b" \n\n ",
    "zeros": bytes(1000),
    "truncated": RIGHT[: len(RIGHT) // 2].encode(),
    "not JSON": b"<html>Sign in</html>",
    "a number": b"5",
    "null": b"null",
    "a list": b"[]",
    "no cells": b'{"nbformat": 4, "metadata": {}}',
    "cells that are no list": b'{"cells": {"a": 1}}',
    "nested": b"[" * 10**6,
    "nested cells": b'{"cells": ' + b"[" * 10**6,
    "a huge number": b'{"cells": [], "x": ' + b"9" * 10**6,
    "gzip": b"\x1f\x8b\x08\x00" + bytes(100),
    "zip": b"PK\x03\x04" + bytes(100),
    "pickle": b"cos\nsystem\n(S'touch pwned'\ntR.",
    "latin-1": '{"cells": "\xe9"}'.encode("latin-1"),
    "merge conflict": b"<<<<<<< HEAD\n" + RIGHT.encode() + b"\n=======\n",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_file_that_cannot_be_read_gets_a_row_a_cell(name, grader, source):
    report = grader.grade(source, UNREADABLE[name]).report
    assert [cell.grade_id for cell in report.cells] == lesson.TESTS
    assert {(cell.verdict.value, cell.score) for cell in report.cells} == {("MALFORMED", 0.0)}
    assert all("read" in cell.message and len(cell.message) < 300 for cell in report.cells)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings_of_json_are_read(encoding, grader, source):
    """Editors on Windows write these, and JSON's own rules tell them apart."""
    report = grader.grade(source, RIGHT.encode(encoding)).report
    assert {cell.verdict.value for cell in report.cells} == {"PASSED"}


def test_an_honest_grade_follows_every_bad_file(grader, source):
    for data in UNREADABLE.values():
        grader.grade(source, data)
    assert grader.grade(source, RIGHT.encode()).report.score == len(lesson.TESTS)
