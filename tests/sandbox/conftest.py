"""What the tests of the sandbox share. All of them need Linux."""

import sys

import pytest

from autograder import sandbox


def pytest_collection_modifyitems(items):
    if not sys.platform.startswith("linux"):
        for item in items:
            item.add_marker(pytest.mark.skip(reason="the sandbox needs Linux"))


@pytest.fixture
def scratch(tmp_path):
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder.resolve()


@pytest.fixture
def policy(scratch):
    return sandbox.policy((), (), scratch)


@pytest.fixture
def caged():
    """Run a function in a caged child; return what it returns as text, or the name and text of its error."""
    from autograder.sandbox import trial

    def run(policy, act, **options):
        cage = sandbox.Cage(policy, **options)

        def enter(report):
            try:
                cage.enter(keep={report})
                return str(act())
            except BaseException as failure:
                return f"{type(failure).__name__}: {failure}"

        return trial.start(enter).finish(20).report

    return run
