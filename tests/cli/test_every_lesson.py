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


def otherwise(found, *verdicts):
    """Return the cells that a person need not mark and that have none of these verdicts."""
    return [cell for cell in found["cells"] if cell["verdict"] not in (*verdicts, "MANUAL")]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_solution_gets_all_points_and_the_release_none(lesson):
    files = notebook(COURSE.source, lesson), notebook(COURSE.release, lesson)
    done = python("-m", "autograder", "check", "--json", *files)
    assert done.returncode == 0, done.stderr
    solution, release = json.loads(done.stdout)
    assert otherwise(solution, "PASSED") == []
    assert solution["score"] == solution["max_score"] > 0
    assert otherwise(release, "UNTOUCHED") == []
    assert (release["score"], release["max_score"]) == (0, solution["max_score"])


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_solution_runs_without_a_warning(lesson):
    done = python("-W", "error", "-c", RUN, notebook(COURSE.source, lesson))
    assert (done.returncode, done.stderr) == (0, "")
