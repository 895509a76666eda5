"""The sample class of lesson 6: reads submissions that lie beside this file as data. It grades nobody.

A submission starts with comments, ``# key: value``:

- ``expect``: what must come of it, ``*=PASSED rope_test=FAILED``; ``*`` is every automatic cell that is not named
- ``misconception``: which mistake must be named where
- ``about``: one sentence for people
- ``like``: the student whose answers stand where this file has none
- ``notebook``: what else became of the file: ``stripped``, ``tampered``, or ``text`` that is no notebook
- ``honest: none`` where no answer is meant seriously

and goes on with cells: ``# %% rope`` is the answer of that grade_id, ``# %% +after rope`` a cell that the student added.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_CELL = re.compile(r"^# %% (\+after )?([\w-]+)\n", re.MULTILINE)
_KEY = re.compile(r"^# (\w+): (.*)$", re.MULTILINE)
_PROSE = {"fade", "file"}
Notebook = dict[str, Any]


@dataclass
class Submission:
    """One student's file, as it is written."""

    name: str
    about: str = ""
    like: str | None = None
    notebook: str = "plain"
    honest: bool = True
    expected: dict[str, str] = field(default_factory=dict)
    misconceptions: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    added: dict[str, list[str]] = field(default_factory=dict)

    def verdict(self, grade_id: str) -> str:
        """Return the verdict that this student must get for an automatic cell."""
        return self.expected.get(grade_id, self.expected["*"])


def read(name: str) -> Submission:
    """Read the file of the student `name`."""
    head, *parts = _CELL.split((HERE / f"{name}.py").read_text(encoding="utf-8"))
    found = Submission(name)
    for key, value in _KEY.findall(head):
        if key == "expect":
            found.expected |= _pairs(value)
        elif key == "misconception":
            found.misconceptions |= _pairs(value)
        elif key == "honest":
            found.honest = value != "none"
        elif key in ("about", "like", "notebook"):
            setattr(found, key, value)
        elif key != "fmt":
            raise ValueError(f"{name}.py must have the keys of the roster, got {key}")
    for added, grade_id, text in zip(parts[0::3], parts[1::3], parts[2::3], strict=True):
        source = text.strip("\n")
        if grade_id in _PROSE:
            source = re.sub(r"^# ?", "", source, flags=re.MULTILINE)
        if added:
            found.added.setdefault(grade_id, []).append(source)
        else:
            found.answers[grade_id] = source
    return found


def _pairs(text: str) -> dict[str, str]:
    return dict(item.split("=", 1) for item in text.split())


def source() -> bytes:
    """Build lesson 6 from its text, with answers and hidden tests."""
    from autograder.course.build import notebook

    return notebook(HERE.parents[1] / "solutions" / "06_rotary.py").encode()


def release(source: bytes) -> Notebook:
    """Return the notebook that students get of `source`."""
    from autograder.notebook import cells, read, released

    notebook: Notebook = json.loads(source)
    for cell, known in zip(notebook["cells"], cells(read(source)), strict=True):
        cell["source"] = released(known)
    return notebook


def students() -> list[Submission]:
    """Return the class in alphabetical order."""
    mine = ("roster", "conftest")
    names = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("test_"))
    return [read(name) for name in names if name not in mine]


def submissions(release: Mapping[str, Any]) -> dict[str, bytes]:
    """Return what each student hands in for the released notebook `release`, as the bytes of a file."""
    return {student.name: write(student, release) for student in students()}


def write(student: Submission, release: Mapping[str, Any]) -> bytes:
    """Return one student's file."""
    if student.notebook == "text":
        return student.answers["file"].encode()
    notebook = fill(release, answers(student), student.added)
    if student.notebook != "plain":
        _EDITS[student.notebook](notebook)
    return json.dumps(notebook, indent=1).encode()


def answers(student: Submission) -> dict[str, str]:
    """Return what a student wrote into answer cells, with what was taken over from another."""
    inherited = answers(read(student.like)) if student.like else {}
    return inherited | student.answers


def fill(
    release: Mapping[str, Any], answers: Mapping[str, str], added: Mapping[str, list[str]] | None = None
) -> Notebook:
    """Return a copy of `release` with these answers and added cells; a grade_id that it lacks is a KeyError."""
    notebook: Notebook = copy.deepcopy(dict(release))
    cells = []
    for cell in notebook["cells"]:
        name = grade_id(cell)
        cell["source"] = answers.get(name, "".join(cell["source"]))
        cells.append(cell)
        cells += [_code(f"added-{name}-{i}", text) for i, text in enumerate((added or {}).get(name, []))]
    lacking = {*answers, *(added or {})} - {grade_id(cell) for cell in cells}
    if lacking:
        raise KeyError(f"the release must have the cells that a student answers, lacks {sorted(lacking)}")
    notebook["cells"] = cells
    return notebook


def grade_id(cell: Mapping[str, Any]) -> str:
    """Return the grade_id of a cell, or the empty string."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def _code(name: str, source: str) -> Notebook:
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None
    }  # fmt: skip


def _strip(notebook: Notebook) -> None:
    """Do what an editor does that knows nothing of metadata."""
    notebook["metadata"] = {}
    notebook["nbformat_minor"] = 4
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        cell.pop("id", None)


def _tamper(notebook: Notebook) -> None:
    """Do what the metadata lets a student do: points, roles, locked text, copies, deletions, order, settings."""
    by_id = {grade_id(cell): cell for cell in notebook["cells"] if grade_id(cell)}
    by_id["rope_test"]["source"] = "assert True"
    by_id["rope_test"]["metadata"]["nbgrader"] |= {"points": 100, "locked": False}
    by_id["rope_hidden"]["metadata"]["nbgrader"] |= {"grade": False}
    by_id["rope_hidden"]["cell_type"] = "markdown"
    by_id["imports"]["source"] += "\nclose = explain = print"
    gone = [by_id["score_test"], by_id["rotate_hidden"]]
    notebook["cells"] = [cell for cell in notebook["cells"] if not any(cell is one for one in gone)]
    copied = copy.deepcopy(by_id["decode_test"]) | {"id": "decode_copy", "source": "pass"}
    notebook["cells"].append(copied)
    notebook["cells"].insert(0, notebook["cells"].pop(notebook["cells"].index(by_id["layouts_hidden"])))
    notebook["metadata"]["autograder"] = {"withhold": [], "timeout": 10**9, "points": {"rope_test": 100}}
    notebook["metadata"]["celltoolbar"] = "Create Assignment"


_EDITS = {"stripped": _strip, "tampered": _tamper}
