import json
import os
import sqlite3

import pytest

from autograder.course.build import build, texts
from autograder.course.converter import ConverterError
from autograder.course.record import Recorder
from autograder.course.release import release


def released(course):
    return course.folder(course.release, "01_tiny") / "01_tiny.ipynb"


def edit(course, old, new):
    text = texts(course)["01_tiny"]
    assert old in text.read_text()
    text.write_text(text.read_text().replace(old, new))
    build(course)


def test_answers_become_stubs_and_hidden_tests_go(course):
    node = json.loads(released(course).read_text())
    cells = {cell["id"]: "".join(cell["source"]) for cell in node["cells"]}

    assert cells["double"] == "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    assert cells["why"] == "YOUR ANSWER HERE"
    assert "assert double(2) == 4" in cells["double_test"]
    assert cells["double_hidden"] == ""
    assert "SECRET" not in released(course).read_text()


def test_the_gradebook_keeps_the_hidden_tests(course):
    with sqlite3.connect(course.root / "gradebook.db") as gradebook:
        sources = dict(gradebook.execute("SELECT name, source FROM source_cell").fetchall())
    gradebook.close()

    assert "SECRET" in sources["double_hidden"]


def test_the_text_is_not_given_to_students(course):
    assert [path.name for path in course.release.rglob("*")] == ["01_tiny", "01_tiny.ipynb"]


def test_a_release_is_the_same_every_time(course):
    before = released(course).read_bytes()
    ids = [cell["id"] for cell in json.loads(before)["cells"]]
    source = [cell["id"] for cell in json.loads(course.notebooks("01_tiny")[0].read_text())["cells"]]

    assert release(course, force=True) == []
    released(course).unlink()
    assert release(course, force=True) == ["01_tiny"]
    assert released(course).read_bytes() == before
    assert before.endswith(b"}\n")
    assert ids == source


def test_nothing_to_do_is_found_without_nbgrader(course, monkeypatch):
    release(course)
    monkeypatch.setattr("autograder.course.release._release", lambda *_: pytest.fail("released again"))

    assert release(course) == []


def test_a_change_in_source_release_or_gradebook_is_something_to_do(course):
    release(course)
    edit(course, "# Double a number", "# Double any number")
    assert release(course) == ["01_tiny"]

    released(course).write_text("edited by hand")
    assert release(course) == ["01_tiny"]

    (course.root / "gradebook.db").unlink()
    assert release(course) == []
    assert (course.root / "gradebook.db").is_file()


def test_alembic_is_found_when_its_folder_is_not_on_path(course, monkeypatch):
    (course.root / "gradebook.db").unlink()
    monkeypatch.setenv("PATH", os.devnull)

    release(course)

    assert (course.root / "gradebook.db").is_file()
    assert os.environ["PATH"] == os.devnull


def test_a_release_that_fails_leaves_the_old_one_and_says_why(course):
    before = released(course).read_bytes()
    source = course.notebooks("01_tiny")[0]
    source.write_text(source.read_text().replace("### END SOLUTION", "### end"))

    with pytest.raises(ConverterError, match="^01_tiny: RuntimeError: no end solution statement found$"):
        release(course)

    assert released(course).read_bytes() == before


def test_nothing_is_printed_and_the_working_folder_stays(course, capfd):
    here = os.getcwd()

    release(course, force=True)

    assert capfd.readouterr() == ("", "")
    assert os.getcwd() == here


def test_a_name_with_brackets_is_no_pattern(course):
    course.folder(course.source, "01_tiny").rename(course.source / "ps [1]")

    assert release(course) == ["ps [1]"]
    assert (course.release / "ps [1]" / "01_tiny.ipynb").is_file()


def test_the_configuration_is_left_alone(course):
    before = repr(course.config)

    release(course, force=True)

    assert repr(course.config) == before


def test_cells_cannot_change_once_there_are_submissions(course):
    before = released(course).read_bytes()
    with Recorder(course) as recorder:
        recorder.record("bo", "01_tiny", {})
    edit(course, '"grade_id": "double_hidden"', '"grade_id": "double_concealed"')

    with pytest.raises(ConverterError, match="Cannot add or remove cells .* there are submissions"):
        release(course)

    assert released(course).read_bytes() == before
