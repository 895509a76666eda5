"""The catalogue: every mistake is seen, told apart from the reference and from every other, and named."""

import itertools
import re

import numpy as np
import pytest

from posenc.checks import Misconceived, explain
from posenc.misconceptions import CATALOGUE, FAMILIES, PROBES, for_exercise
from posenc.rotary import rope
from posenc.trial import same, trial

ids = [entry.id for entry in CATALOGUE]


def agree(mine, theirs, keeps_dtype):
    """Say whether two mistakes answer alike on every probe."""
    pairs = zip(mine, theirs, strict=True)
    return all(
        issubclass(a, b) if isinstance(a, type) and isinstance(b, type) else same(a, b, keeps_dtype)
        for a, b in pairs
    )


@pytest.mark.parametrize("exercise", FAMILIES)
def test_probes_tell_every_two_apart(exercise):
    """Also from the reference; an in-place mistake gives the right numbers and is seen by what it changed."""
    known = trial(exercise)
    answers = {entry.id: answers for entry, answers in known.mistakes}
    answers["the reference"] = known.wants
    alike = {
        pair
        for pair in itertools.combinations(answers, 2)
        if agree(answers[pair[0]], answers[pair[1]], known.family.keeps_dtype)
    }
    assert alike == {(name, "the reference") for name in answers if name == f"{exercise}-in-place"}


@pytest.mark.parametrize("entry", CATALOGUE, ids=ids)
def test_every_mistake_is_named(entry):
    with np.errstate(all="ignore"), pytest.raises(Misconceived) as caught:
        explain(entry.exercise, entry.wrong)
    assert caught.value.misconception == entry.id
    assert str(caught.value) == entry.line


def test_ids_are_unique_and_read():
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9_]+(-[a-z0-9]+)+", name) for name in ids)
    assert all(entry.id.startswith(f"{entry.exercise}-") for entry in CATALOGUE)


@pytest.mark.parametrize("entry", CATALOGUE, ids=ids)
def test_lines_are_kind_and_short(entry):
    assert 1 <= entry.line.count(". ") + 1 <= 4
    assert len(entry.line) < 330
    assert entry.line.endswith(".") or entry.line.endswith("...")
    assert not re.search(r"\b(simply|just|obviously|bad|stupid)\b", entry.line)
    assert "\n" not in entry.line


def test_the_opposite_direction_is_called_valid():
    """As in karpathy/nanochat#489: equivalent for training, but checkpoints break."""
    line = next(entry.line for entry in for_exercise("rope") if entry.id == "rope-clockwise")
    assert "a valid rotation, but in the other direction: checkpoints would not load" in line


def test_signatures_of_the_table():
    """Numbers that known wrong answers give, so that a mistake here stays the mistake that it names."""
    wrong = {entry.id: entry.wrong for entry in for_exercise("rope")}
    pair, four = np.array([3.0, 5.0]), np.arange(1.0, 5.0)
    for name, want in {
        "clockwise": [3.298, -4.809],
        "no-minus": [3.298, 0.647],
        "even-overwritten": [-5.795, -7.350],
        "cosine-only": [-1.248, -2.081],
        "degrees": [2.824, 5.102],
        "swapped-sine-cosine": [4.809, 3.298],
        "twice": [1.823, -5.539],
    }.items():
        np.testing.assert_allclose(wrong[f"rope-{name}"](pair, 2), want, atol=1e-3)
    for name, want in {
        "half-layout": [-1.984, 1.960, 2.462, 4.020],
        "tiled-angles": [-1.1426, 2.0099, -1.745, 4.0298],
        "repeated-angles": [-1.984, -2.285, 3.010, 4.020],
        "half-exponent": [-1.1426, 1.9221, 2.5857, 4.2795],
        "model-width": [-1.1426, 1.9221, 1.6073, 4.7346],
        "positive-exponent": [-1.1426, 1.9221, 4.6124, 1.9302],
        "one-angle": [-1.1426, 1.9221, -1.745, 4.6856],
        "not-interleaved": [-1.1426, 2.9599, 1.9221, 4.0298],
    }.items():
        np.testing.assert_allclose(wrong[f"rope-{name}"](four, 1), want, atol=1e-3)
    for base in (1000, 500000):
        np.testing.assert_allclose(wrong[f"rope-base-{base}"](four, 1), rope(four, 1, base=base))
    score = next(entry.wrong for entry in for_exercise("score") if entry.id == "score-key-not-rotated")
    q, k = np.array([1.0, 0.0]), np.array([1.0, 1.0])
    assert (score(q, k, 2, 0), score(q, k, 5, 3)) == pytest.approx((0.4932, -0.6753), abs=1e-4)


def probe_arrays():
    args = [a for probes in PROBES.values() for probe in probes for a in probe.args]
    return [a for a in args if isinstance(a, np.ndarray)]


def test_probes_are_never_changed():
    before = [a.copy() for a in probe_arrays()]
    for entry in CATALOGUE:
        with np.errstate(all="ignore"), pytest.raises(AssertionError):
            explain(entry.exercise, entry.wrong)
    for a, b in zip(before, probe_arrays(), strict=True):
        np.testing.assert_array_equal(a, b)


def test_claims_quote_no_result():
    assert all(probe.claim.endswith(".") for probes in PROBES.values() for probe in probes)


def test_unknown_exercise():
    with pytest.raises(KeyError, match="exercise must be one of .*rope, .*, got 'alibi'"):
        for_exercise("alibi")
