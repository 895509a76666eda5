"""The lesson that a test is about: the one that its file names in LESSON, or each of them in turn."""

import sys

import pytest

from tests.lessons.text import NAMES, lesson


def pytest_generate_tests(metafunc):
    if "lesson" in metafunc.fixturenames:
        named = getattr(metafunc.module, "LESSON", None)
        names = NAMES if named is None else [named]
        metafunc.parametrize("lesson", [lesson(name) for name in names], ids=names, scope="session")


@pytest.fixture
def without_widgets(monkeypatch):
    """Run a lesson as where ipywidgets is not installed, and close its figures."""
    import matplotlib.pyplot as plt

    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    yield
    plt.close("all")
