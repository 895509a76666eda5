"""The registers and needle tables: every ordering that is wide, from models trained here, of three seeds."""

import ast
import contextlib

import pytest

from benchmarks.extrapolation import accuracies, registers
from posenc.lab import Needle, Registers
from tests.lessons.text import lesson

pytestmark = pytest.mark.slow
LENGTHS = (32, 64, 128, 256)


@pytest.fixture(scope="module")
def models():
    """Return the trained models, three of each encoding; a thousand steps show all that is wide."""
    return registers(steps=1000)


def test_the_registers_table(models):
    got = accuracies(models, Registers(), LENGTHS)
    for name in ("learned", "sinusoidal", "RoPE", "ALiBi"):
        assert (got[name][32] > 0.97).all(), name
    assert (got["T5"][32] > 0.93).all() and (got["NoPE"][32] < 0.7).all()
    assert (got["learned"][128] < 0.3).all() and (got["sinusoidal"][128] < 0.3).all()
    assert ((got["RoPE"][128] > 0.5) & (got["RoPE"][128] < 0.9)).all()
    assert (got["ALiBi"][256] > 0.95).all()
    assert (got["T5"][256] > 0.6).all()
    pi, ntk, yarn = (got[f"RoPE + {method}, s = 4"] for method in ("PI", "NTK", "YaRN"))
    assert (pi[128] > 0.9).all() and (yarn[128] > 0.9).all()
    assert (pi[32] < ntk[32]).all() and (ntk[128] < pi[128]).all()


def test_the_needle_table(models):
    got = accuracies(models, Needle(), (16, *LENGTHS))
    for name, rows in got.items():
        assert (rows[16] > 0.95).all(), name
    assert (got["ALiBi"][64] < 0.3).all() and (got["ALiBi"][256] < 0.3).all()
    assert (got["learned"][256] < 0.3).all()
    assert (got["T5"][256] > 0.95).all() and (got["NoPE"][256] > 0.9).all()
    assert (got["RoPE"][64] > 0.8).all()


def told(name, cell):
    """Return the dictionaries of numbers that a cell of a lesson prints, by their names."""
    found = {}
    for node in ast.parse(lesson(name).source[cell]).body:
        if isinstance(node, ast.Assign | ast.AugAssign) and isinstance(node.value, ast.Dict):
            target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
            with contextlib.suppress(ValueError):  # not of numbers alone
                found[target.id] = found.get(target.id, {}) | ast.literal_eval(node.value)
    return found


NAMES = {name: f"RoPE + {name}, s = 4" for name in ("PI", "NTK", "YaRN")}
NAMES |= {"RoPE + YaRN": NAMES["YaRN"], "none": "NoPE", "none (causal)": "NoPE"}


def printed():
    """Yield what lessons 5, 7 and 10 print of these models: the task, its lengths, and rows by name."""
    alibi = told("05_alibi", "lesson8_picture")["accuracy"]
    yield "registers", LENGTHS, {"ALiBi": alibi["recency"]}
    yield "needle", LENGTHS, {"ALiBi": alibi["needle"]}
    yield "registers", LENGTHS, told("07_scaling", "reach_picture")["accuracy"]
    yield "registers", (32, 256), told("10_choosing", "same_length_picture")["registers"]
    choosing = told("10_choosing", "needs_picture")
    yield "registers", (256,), {name: [number] for name, number in choosing["recent"].items()}
    yield "needle", (64,), {name: [number] for name, number in choosing["needle"].items()}


def test_lessons_5_7_and_10_print_what_these_models_reach(models):
    """Theirs trained half as long again: means of three runs, apart by what runs differ in."""
    tables = {"registers": accuracies(models, Registers(), LENGTHS)}
    tables["needle"] = accuracies(models, Needle(), LENGTHS)
    for task, lengths, rows in printed():
        assert rows
        for name, row in rows.items():
            for n, number in zip(lengths, row, strict=True):
                off = tables[task][NAMES.get(name, name)][n].mean() - number
                assert abs(off) < {"registers": 0.1, "needle": 0.4}[task], (task, name, n)
