"""What is generated is what would be generated now: nobody edited it, nobody forgot to build."""

import shutil
from pathlib import Path

import pytest

from autograder.course import config
from autograder.course.build import notebook, texts
from autograder.course.release import release

ROOT = Path(__file__).parents[2]
COURSE = config.load(ROOT)
LESSONS = texts(COURSE)


def test_there_is_a_lesson():
    assert LESSONS


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_source_notebook_is_built_from_its_text(lesson):
    built = COURSE.folder(COURSE.source, lesson) / f"{lesson}.ipynb"

    assert built.read_text() == notebook(LESSONS[lesson]), "run `make release`"


def test_every_source_notebook_has_its_text():
    assert sorted(COURSE.lessons()) == sorted(LESSONS)


def test_the_release_is_made_from_the_source_notebooks(tmp_path):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    shutil.copytree(COURSE.source, tmp_path / COURSE.source.name)
    fresh = config.load(tmp_path)
    release(fresh)

    assert files(fresh.release) == files(COURSE.release), "run `make release`"


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }
