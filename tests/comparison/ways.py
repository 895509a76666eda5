"""The sample class, graded three ways, each in a course folder of its own. The test beside it compares.

The ways: plain ``nbgrader autograde``; the same with our engine in place of Execute; ``autograder grade``.
"""

from __future__ import annotations

import html
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
LESSON = "06_rotary"
STOCK, ENGINE, OURS = "nbgrader", "nbgrader with our engine", "autograder grade"
MEMORY = 8 * 2**30
SECONDS = 5
CONFIG = f"""
c = get_config()
c.CourseDirectory.course_id = "three"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "report.json"]
c.Execute.timeout = {SECONDS}
c.ExecutePreprocessor.timeout = {SECONDS}
"""
OUR_ENGINE = """
c.Autograde.autograde_preprocessors = [
    "autograder.course.engine.Execute" if name == "nbgrader.preprocessors.Execute" else name for name in STEPS
]
"""


@dataclass
class Graded:
    """What one way made of the class: scores by student and grade_id; None where nbgrader has no score."""

    course: Path
    seconds: float = 0.0
    scores: dict[str, dict[str, float | None]] = field(default_factory=dict)
    log: str = ""

    def total(self, student: str) -> float | None:
        """Return a student's automatic points, or None if the submission was dropped."""
        cells = self.scores.get(student)
        return None if cells is None else sum(score or 0.0 for score in cells.values())


def prepare(course: Path, handed_in: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """Build and release lesson 6 in `course`, and hand in the sample class or `handed_in`."""
    from autograder.course import config
    from autograder.course.build import build
    from autograder.course.release import release
    from tests.zoo import roster

    (course / "solutions").mkdir(parents=True)
    shutil.copy(ROOT / "solutions" / f"{LESSON}.py", course / "solutions")
    (course / "nbgrader_config.py").write_text(CONFIG)
    built = config.load(course)
    build(built)
    release(built)
    given = json.loads((course / "notebooks" / LESSON / f"{LESSON}.ipynb").read_bytes())
    handed_in = handed_in or roster.submissions(given)
    for student, data in handed_in.items():
        folder = course / "submitted" / student / LESSON
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.ipynb").write_bytes(data)
    return dict(handed_in)


def grade(way: str, prepared: Path, course: Path) -> Graded:
    """Copy the course `prepared` to `course`, grade it there, and read its gradebook."""
    shutil.copytree(prepared, course)
    if way == ENGINE:
        from nbgrader.apps import AutogradeApp  # noqa: F401  (nbgrader's traits need its apps loaded first)
        from nbgrader.converters import Autograde

        steps = [
            f"{step.__module__}.{step.__name__}" for step in Autograde.autograde_preprocessors.default_args[0]
        ]
        steps = ["nbgrader.preprocessors.Execute" if step.endswith(".Execute") else step for step in steps]
        with (course / "nbgrader_config.py").open("a") as file:
            file.write(f"STEPS = {steps}\n{OUR_ENGINE}")
    found = Graded(course)
    start = time.perf_counter()
    if way == OURS:
        done = run(course, sys.executable, "-m", "autograder", "grade", LESSON, "--jobs", "1")
    else:
        done = run(course, "nbgrader", "autograde", LESSON)
    found.seconds, found.log = time.perf_counter() - start, done.stdout + done.stderr
    found.scores = scores(course)
    return found


def run(course: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in `course`, with less memory than would take this machine down."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": paths, "JUPYTER_CONFIG_DIR": str(course / ".jupyter")}
    return subprocess.run(
        words, cwd=course, env=environment, preexec_fn=bound, capture_output=True, text=True, timeout=1800
    )


def scores(course: Path) -> dict[str, dict[str, float | None]]:
    """Return the automatic scores in the gradebook of the students whose submission was not dropped."""
    from nbgrader.api import Gradebook

    found: dict[str, dict[str, float | None]] = {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for submission in gradebook.assignment_submissions(LESSON):
            student = submission.student.id
            if (course / "autograded" / student / LESSON / f"{LESSON}.ipynb").is_file():
                grades = submission.notebooks[0].grades
                found[student] = {one.name: one.auto_score for one in grades if one.name != "fade"}
    return found


def reading(page: str) -> str:
    """Return an HTML page as it reads: no styles, scripts, tags or escapes."""
    page = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", page))
