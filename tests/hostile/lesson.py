"""A small lesson with secrets in it, and attacks on it as data. Grades nothing.

`cells.py` holds the lesson, `families/` the attacks, both as blocks ``# %% name``. An attack is what a
student writes into the answer cell `shout`, after wrong stubs of its functions. What follows ``# later`` goes
into a cell of its own further down. ``# deserves: shout_test`` names tests that the code passes honestly;
``# loses`` names honest ones that it takes down: whoever wrecks their own process has themselves to blame.
``# may lose`` names those that it takes down when its thread is quick enough.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CANARY = "canary-7d1f"
NUMBER = "90210.4375"
ATTACKED = {"shout_test", "shout_hidden", "total_test", "total_hidden", "maker_hidden", "quote_test"}
ATTACKED |= {"each_test", "each_hidden"}
KEPT = {"half_test", "half_hidden", "late_test"}
STUBS = """\
def shout(text):
    return "wrong"


def total(xs):
    return -1.0


def maker(text):
    return None


def each(f, xs):
    return []


KEPT = []
"""
HONEST = "def half(x):\n    return 0.5 * x\n"
_BLOCK = re.compile(r"^# %% (.+)\n", re.MULTILINE)
_KEY = re.compile(r"^# (deserves|loses|may lose): (.*)$", re.MULTILINE)
_FENCED = re.compile(r"### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", re.DOTALL)


@dataclass(frozen=True)
class Attack:
    """What one hostile student writes."""

    name: str
    code: str
    later: str = ""
    deserves: frozenset[str] = field(default_factory=frozenset)
    loses: frozenset[str] = field(default_factory=frozenset)
    may_lose: frozenset[str] = field(default_factory=frozenset)


def blocks(path: Path) -> list[tuple[str, str]]:
    """Return the named blocks of a file of data."""
    _, *parts = _BLOCK.split(path.read_text(encoding="utf-8"))
    return [(name, text.strip("\n")) for name, text in zip(parts[0::2], parts[1::2], strict=True)]


CELLS = dict(blocks(HERE / "cells.py"))
TESTS = [name for name in CELLS if name.endswith(("_test", "_hidden"))]


def attacks() -> list[Attack]:
    """Read every family's file."""
    return [
        _attack(f"{path.stem}: {name}", text)
        for path in sorted((HERE / "families").glob("*.py"))
        for name, text in blocks(path)
    ]


def _attack(name: str, text: str) -> Attack:
    keys = {key.replace(" ", "_"): frozenset(value.split()) for key, value in _KEY.findall(text)}
    code, _, later = text.partition("\n# later\n")
    return Attack(name, code, later, **keys)


def source() -> dict[str, Any]:
    """Return the lesson with its answers and tests."""
    cells = [cell(name, text) for name, text in CELLS.items()]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}


def cell(name: str, text: str) -> dict[str, Any]:
    """Return a code cell with nbgrader's metadata."""
    answer, test = name in ("shout", "half"), name in TESTS
    marks: dict[str, Any] = {"grade_id": name, "grade": test, "solution": answer, "task": False}
    marks |= {
        "locked": not answer,
        "schema_version": 3,
        "cell_type": "code",
        **({"points": 1} if test else {}),
    }
    kept = {"outputs": [], "execution_count": None, "metadata": {"nbgrader": marks}}
    return {"cell_type": "code", "id": name, "source": text, **kept}


def submission(attack: Attack, paths: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the notebook of a student who attacks in one exercise and answers the other honestly."""
    notebook = source()
    for one in notebook["cells"]:
        one["source"] = _FENCED.sub("", one["source"])
    by_name = {one["id"]: one for one in notebook["cells"]}
    by_name["shout"]["source"] = f"{STUBS}PATHS = {json.dumps(paths or {})}\n{attack.code}"
    by_name["half"]["source"] = HONEST
    if attack.later:
        at = notebook["cells"].index(by_name["half_hidden"]) + 1
        notebook["cells"].insert(at, cell("later", attack.later) | {"metadata": {}})
    return notebook
