"""Every lesson on the command line: `autograder check` grades it, and a fresh Python runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import config

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
COURSE = config.load(ROOT)
LESSONS = COURSE.lessons()
# As in a notebook, the figures of a cell are closed after it.
RUN = """
import json, pathlib, sys
import matplotlib.pyplot as plt
namespace = {"__name__": "__main__"}
for cell in json.loads(pathlib.Path(sys.argv[1]).read_bytes())["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), namespace)
        plt.close("all")
"""


def python(*words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


def notebook(step, lesson):
    return COURSE.folder(step, lesson) / f"{lesson}.ipynb"


def check(step):
    """Check every lesson's notebook in one call; return what it says, by lesson."""
    done = python("-m", "autograder", "check", "--json", *(notebook(step, lesson) for lesson in LESSONS))
    assert done.returncode == 0, done.stderr
    return dict(zip(LESSONS, json.loads(done.stdout), strict=True))


@pytest.fixture(scope="module")
def solutions():
    return check(COURSE.source)


@pytest.fixture(scope="module")
def releases():
    return check(COURSE.release)


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_solution_gets_all_points(lesson, solutions):
    found = solutions[lesson]
    assert [cell for cell in found["cells"] if cell["verdict"] not in ("PASSED", "MANUAL")] == []
    assert found["score"] == found["max_score"] > 0


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_release_gets_none_for_nothing_is_written(lesson, releases):
    found = releases[lesson]
    assert [cell for cell in found["cells"] if cell["verdict"] not in ("UNTOUCHED", "MANUAL")] == []
    assert found["score"] == 0 < found["max_score"]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_solution_runs_without_a_warning(lesson):
    done = python("-W", "error", "-c", RUN, notebook(COURSE.source, lesson))
    assert (done.returncode, done.stderr) == (0, "")
