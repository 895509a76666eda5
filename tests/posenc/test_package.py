"""Importing: cheap, lazy, and possible where a lesson withholds the references."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import posenc


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_import_loads_nothing_else():
    assert run("import sys, posenc; print('numpy' in sys.modules, 'matplotlib' in sys.modules)") == [
        "False",
        "False",
    ]


def test_submodules_load_on_first_use():
    assert run("import posenc; print(posenc.rotary.rope([3.0, 5.0], 0)[0])") == ["3.0"]
    assert {"rotary", "draw", "__version__"} <= set(dir(posenc))
    assert all(getattr(posenc, name).__name__ == f"posenc.{name}" for name in posenc.SUBMODULES)
    with pytest.raises(AttributeError, match="module 'posenc' has no attribute 'rotarie'"):
        _ = posenc.rotarie


def test_rotary_loads_no_matplotlib():
    assert run("import sys, posenc.rotary; print('matplotlib' in sys.modules)") == ["False"]


WITHHELD = """
import sys
sys.modules["posenc.rotary"] = sys.modules["posenc.misconceptions"] = None
from posenc import alibi, attention, checks, draw, sinusoidal
from posenc.checks import close, explain
close(1.0, 1.0, "one")
try:
    explain("rope", None)
except ImportError:
    print("withheld")
"""


def test_checks_and_draw_work_where_references_are_withheld():
    assert run(WITHHELD) == ["withheld"]


#: The modules that a lesson asks for, where their name is not the lesson's.
TOPICS = {"order": "attention", "debugging": "(rotary|alibi|scaling|learned|attention)"}
FREE = {"extrapolation", "choosing"}  # lessons that withhold nothing


def test_every_module_that_holds_references_is_withheld_with_them():
    """What loads a withheld module must say so in its own source, submodules included."""
    folder = Path(posenc.__file__).parent / "misconceptions"
    rooms = {path for path in folder.iterdir() if (path / "__init__.py").exists() and path.name not in FREE}
    for room in sorted(rooms):
        topic = TOPICS.get(room.name, room.name)
        chain = re.compile(rf"^from posenc\.({topic}|misconceptions\.{room.name}\.\w+) import", re.M)
        for path in room.glob("*.py"):
            assert chain.search(path.read_text()) or "HERE: tuple[Family, ...] = ()" in path.read_text(), path
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", "entry"}
