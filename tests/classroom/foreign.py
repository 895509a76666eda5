"""A course of somebody else's, in nbgrader's own layout, made by code; and students who hand things in."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from autograder.course import config
from autograder.course.config import Course
from autograder.supervise import Graded, Grader

RIGHT, WRONG = "return 2 * x", "return x + 2"
STUB = "    raise NotImplementedError()"
REGION = "### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
CONFIG = """
c = get_config()
c.LateSubmissionPlugin.penalty_method = "zero"
"""


def cell(kind: str, source: str, **marks: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source}
    if marks:
        flags = {"grade": False, "solution": False, "task": False, "locked": False, "schema_version": 3}
        made["metadata"]["nbgrader"] = {**flags, "cell_type": kind, **marks}
        made["id"] = marks["grade_id"]
    else:
        made["id"] = f"plain-{abs(hash(source)) % 10**8}"
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def notebook(name: str = "double", test: str = "assert double(2) == 4 and double(3) == 6") -> dict[str, Any]:
    checks = test.replace("double", name)
    cells = [
        cell("markdown", f"# {name}"),
        cell("code", f"def {name}(x):\n    {REGION}", grade_id=name, solution=True),
        cell("code", checks, grade_id=f"{name}_test", grade=True, locked=True, points=2),
        cell("markdown", "Because.", grade_id=f"{name}_why", grade=True, solution=True, points=3),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}


def answered(body: str = RIGHT, name: str = "double") -> dict[str, Any]:
    """What a student hands in: the release with an answer in it."""
    made = notebook(name)
    made["cells"][1]["source"] = f"def {name}(x):\n    {body}"
    made["cells"][3]["source"] = "YOUR ANSWER HERE"
    return made


def make(root: Path, lessons: dict[str, list[str]]) -> Course:
    (root / "nbgrader_config.py").parent.mkdir(parents=True, exist_ok=True)
    (root / "nbgrader_config.py").write_text(CONFIG)
    for lesson, names in lessons.items():
        folder = root / "source" / lesson
        folder.mkdir(parents=True)
        for name in names:
            (folder / f"{name}.ipynb").write_text(json.dumps(notebook(name)))
        (folder / "given.csv").write_text("1,2\n")
    return config.load(root)


def hand_in(
    course: Course, student: str, content: Any = None, *, lesson: str = "ps1", file: str = "double.ipynb"
) -> Path:
    """Put a file into a submission, and return its folder; without content only the folder."""
    folder = course.submitted / student / lesson
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(content, dict):
        content = json.dumps(content)
    if isinstance(content, str):
        content = content.encode()
    if content is not None:
        (folder / file).write_bytes(content)
    return folder


def scores(course: Course, student: str, lesson: str = "ps1") -> dict[str, float | None]:
    query = """
        SELECT base_cell.name, grade.auto_score FROM grade
        JOIN base_cell ON base_cell.id = grade.cell_id
        JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
        JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
        JOIN assignment ON assignment.id = submitted_assignment.assignment_id
        WHERE submitted_assignment.student_id = ? AND assignment.name = ?"""
    return dict(ask(course, query, student, lesson))


def ask(course: Course, query: str, *values: Any) -> list[tuple[Any, ...]]:
    gradebook = sqlite3.connect(course.root / "gradebook.db")
    try:
        with gradebook:
            return gradebook.execute(query, values).fetchall()
    finally:
        gradebook.close()


class Quick(Grader):
    """Grades by looking for the right answer's text, so that a test starts no process."""

    calls: list[dict[str, Any]]
    broken: Exception | None = None

    def grade(self, source: bytes, submission: bytes, **words: Any) -> Graded:
        type(self).calls.append({"submission": submission, **words})
        if type(self).broken is not None:
            raise type(self).broken
        from autograder.notebook import UnreadableError, read
        from autograder.report import CellResult, Report, Verdict

        parsed = self._parse(source, words.get("files"))
        try:
            found = json.dumps(read(submission))
        except UnreadableError as error:
            found, verdict, message = "", Verdict.MALFORMED, str(error)
        else:
            verdict, message = Verdict.FAILED, "double(2) must be 4"
        if RIGHT in found:
            verdict, message = Verdict.PASSED, ""
        cells = [
            CellResult(one.grade_id, None, one.points, Verdict.MANUAL)
            if one.is_manual
            else CellResult(one.grade_id, 2.0 * (RIGHT in found), one.points, verdict, message)
            for one in parsed.graded
        ]
        return Graded(answered(), Report(words["name"], "", None, cells, sandbox=self.options.sandboxed))
