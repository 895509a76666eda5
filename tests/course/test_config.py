from pathlib import Path

import pytest

from autograder.course import config
from autograder.course.config import CourseError


def test_a_foreign_course_has_nbgraders_own_layout(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")

    course = config.find(tmp_path)

    folders = [course.source, course.release, course.submitted, course.autograded, course.feedback]
    assert [folder.name for folder in folders] == ["source", "release", "submitted", "autograded", "feedback"]
    assert {folder.parent for folder in folders} == {tmp_path.resolve()}
    assert course.db_url == f"sqlite:///{tmp_path.resolve()}/gradebook.db"
    assert course.course_id == ""


def test_the_defaults_are_those_of_the_nbgrader_that_is_installed(tmp_path):
    from nbgrader.coursedir import CourseDirectory

    course, theirs = config.load(tmp_path), CourseDirectory(root=str(tmp_path.resolve()))

    for step in ("source", "release", "submitted", "autograded", "feedback"):
        assert getattr(course, step).name == getattr(theirs, f"{step}_directory")
    assert course.structure == theirs.directory_structure
    assert course.db_url == theirs.db_url


def test_settings_of_the_course_count(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\n"
        "c.CourseDirectory.source_directory = 'solutions'\n"
        "c.CourseDirectory.db_url = 'sqlite:///elsewhere.db'\n"
        "c.CourseDirectory.course_id = ' m2 '\n"
    )

    course = config.load(tmp_path)

    assert course.source == tmp_path.resolve() / "solutions"
    assert (course.db_url, course.course_id) == ("sqlite:///elsewhere.db", "m2")


def test_a_course_is_found_from_a_folder_inside_it(course, monkeypatch):
    monkeypatch.chdir(course.root / "notebooks")

    assert config.find().root == course.root


def test_no_course_above_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(CourseError, match=r"got none; try --course DIR"):
        config.find()


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CourseError, match="must be a folder, got .*absent"):
        config.find(tmp_path / "absent")


def test_a_broken_configuration_is_named(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("1 / 0\n")

    with pytest.raises(CourseError, match=r"nbgrader_config.py must load, got ZeroDivisionError"):
        config.load(tmp_path)


def test_lessons_are_folders_with_a_notebook(course):
    (course.source / "notes").mkdir()

    assert course.lessons() == ["01_tiny"]
    with pytest.raises(CourseError, match="must be one of 01_tiny, got 02_big"):
        course.lessons(["02_big"])


@pytest.mark.parametrize(
    ("structure", "place"),
    [
        ("{nbgrader_step}/{student_id}/{assignment_id}", "submitted/zoë [1]/ps (1)"),
        ("{nbgrader_step}/{assignment_id}/{student_id}", "submitted/ps (1)/zoë [1]"),
        ("{nbgrader_step}/{assignment_id}/by-{student_id}", "submitted/ps (1)/by-zoë [1]"),
    ],
)
def test_submissions_are_found_in_any_structure_and_under_any_name(tmp_path, structure, place):
    (tmp_path / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.directory_structure = {structure!r}\n"
    )
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / "a.ipynb").write_text("{}")
    course = config.load(tmp_path)

    (found,) = course.submissions()

    assert (found.student, found.lesson) == ("zoë [1]", "ps (1)")
    assert found.path == course.folder(course.submitted, "ps (1)", "zoë [1]")
    assert course.submissions(students=["bo"]) == course.submissions(lessons=["ps 2"]) == []


def test_hidden_folders_and_files_are_no_submissions(tmp_path):
    for place in ("submitted/.git/ps1", "submitted/bo/.ipynb_checkpoints"):
        (tmp_path / place).mkdir(parents=True)
    Path(tmp_path / "submitted" / "bo" / "ps2").write_text("a file")

    assert config.load(tmp_path).submissions() == []
