"""The registers and needle tables: every ordering that is wide, from models trained here, of three seeds."""

import re

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


def test_lesson_5_prints_what_alibi_reaches(models):
    told = lesson("05_alibi").source["lesson8_picture"]
    for name, task, spread in (("recency", Registers(), 0.02), ("needle", Needle(), 0.3)):
        numbers = [float(x) for x in re.search(rf'"{name}": \[(.*?)\]', told)[1].split(",")]
        measured = accuracies({"ALiBi": models["ALiBi"]}, task, LENGTHS)["ALiBi"]
        for got, number in zip(measured.values(), numbers, strict=True):
            assert abs(got.mean() - number) < spread
