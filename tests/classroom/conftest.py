"""A released course for each test; graders that start no process unless a test asks for real ones."""

import shutil

import pytest

from autograder.classroom import desk
from autograder.course import config
from autograder.course.release import release
from tests.classroom import foreign


@pytest.fixture(scope="session")
def _released(tmp_path_factory):
    """Release once: a gradebook takes a second to make."""
    root = tmp_path_factory.mktemp("foreign") / "course [x]"
    made = foreign.make(root, {"ps1": ["double"], "ps2": ["left", "right"]})
    release(made)
    return root


@pytest.fixture
def course(_released, tmp_path):
    root = tmp_path / "course [x]"
    shutil.copytree(_released, root)
    return config.load(root)


@pytest.fixture
def quick(monkeypatch):
    """Graders that start no process; `calls` is what they were asked for."""
    kind = type("Quick", (foreign.Quick,), {"calls": []})
    monkeypatch.setattr(desk, "Grader", kind)
    return kind
