"""A course of one small lesson, made by code: built, released, and copied for each test."""

import shutil
from pathlib import Path

import pytest

from autograder.course import config
from autograder.course.build import build
from autograder.course.release import release

LESSON = "01_tiny"

CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "tiny"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
"""

TEXT = """\
# ---
# jupyter:
#   autograder:
#     withhold: [posenc.rotary]
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # Double a number
#
# What does *double* mean?

# %% nbgrader={"grade_id": "double", "solution": true}
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% autograder={"picture": true}
double(1)

# %% nbgrader={"grade_id": "double_test", "grade": true, "points": 2}
assert double(2) == 4, "double(2) must be 4"

# %% nbgrader={"grade_id": "double_hidden", "grade": true, "points": 1} autograder={"timeout": 5}
### BEGIN HIDDEN TESTS
SECRET = 0.125
assert double(SECRET) == 0.25
### END HIDDEN TESTS

# %% [markdown] nbgrader={"grade_id": "why", "grade": true, "solution": true, "points": 2}
# Because of the sum.

# %% [markdown] nbgrader={"grade_id": "draw", "task": true, "points": 3}
# Draw it.
"""


@pytest.fixture(scope="session")
def _released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build and release once: nbgrader takes two seconds to load, and a gradebook one to make."""
    root = tmp_path_factory.mktemp("course") / "tiny"
    (root / "solutions").mkdir(parents=True)
    (root / "nbgrader_config.py").write_text(CONFIG)
    (root / "solutions" / f"{LESSON}.py").write_text(TEXT)
    course = config.load(root)
    build(course)
    release(course)
    return root


@pytest.fixture
def course(_released: Path, tmp_path: Path) -> config.Course:
    """A course of its own for each test."""
    root = tmp_path / "tiny"
    shutil.copytree(_released, root)
    return config.load(root)
