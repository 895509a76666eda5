"""The exercises of lesson 6 that the catalogue cannot judge: numbers by hand, and a check of any score."""

import numpy as np
import pytest

RIGHT = {
    "score_0_2": -0.4161,
    "score_3_5": -0.4161,
    "q_at_3": [-0.99, 0.1411],
    "k_at_5": [0.2837, -0.9589],
}
SLIPS = {
    "degrees": ({"score_0_2": np.cos(np.radians(2)), "score_3_5": np.cos(np.radians(2))}, "degrees"),
    "sum of positions": ({"score_3_5": -0.1455}, "subtract"),
    "sign": ({"score_0_2": 0.4161}, "quarter turn"),
    "sine": ({"score_0_2": 0.9093}, "cosine"),
    "no turn": ({"score_3_5": 1}, "not at all"),
}


def outcomes(lesson, cell, **answers):
    return [lesson.fault(f"{cell}_test", **answers), lesson.fault(f"{cell}_hidden", **answers)]


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"score_0_2": np.cos(2), "score_3_5": np.float32(-0.416)},
        {"score_0_2": -0.41614684 + 0.00099, "score_3_5": -0.41614684 - 0.00099},
        {"q_at_3": (-0.99, 0.141), "k_at_5": np.array([0.2837, -0.9589])},
    ],
)
def test_numbers_within_the_stated_tolerance_pass(lesson, other):
    assert outcomes(lesson, "hand", **RIGHT | other) == [None, None]


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named(lesson, slip):
    answers, hint = SLIPS[slip]
    shown, hidden = outcomes(lesson, "hand", **RIGHT | answers)
    assert hint in str(shown) and hidden is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"score_0_2": -0.41614684 + 0.00101},
        {"score_3_5": -0.42},
        {"score_3_5": np.nan},
        {"score_0_2": "-0.4161"},
        {"score_0_2": [-0.4161]},
        {"q_at_3": [-0.99, -0.1411]},
        {"q_at_3": [-0.99, 0.1411, 0.0]},
        {"k_at_5": [0.9962, 0.0872]},
        {"k_at_5": None},
        {"q_at_3": [np.nan, np.nan]},
    ],
)
def test_other_numbers_fail(lesson, wrong):
    assert any(outcomes(lesson, "hand", **RIGHT | wrong))


# --- is_relative


def loop(score, q, k, offsets, shifts):
    for r in offsets:
        first = score(q, k, 0, r)
        for s in shifts:
            if not np.isclose(score(q, k, s, s + r), first):
                return False
    return True


def at_once(score, q, k, offsets, shifts):
    scores = np.array([[score(q, k, s, s + r) for s in [0, *shifts]] for r in offsets])
    return np.isclose(scores, scores[:, :1]).all()


@pytest.mark.parametrize("right", [loop, at_once])
def test_right_checks_pass(lesson, right):
    assert outcomes(lesson, "is_relative", is_relative=right) == [None, None]


def _values(score, q, k, offsets, shifts):
    return np.array([[score(q, k, s, s + r) for s in [0, *shifts]] for r in offsets], dtype=float)


def own_score(lesson):
    def check(score, q, k, offsets, shifts):
        return loop(lesson.solved()["score"], q, k, offsets, shifts)

    return check


WRONG = {
    "always": lambda f, q, k, offsets, shifts: True,
    "never": lambda f, q, k, offsets, shifts: False,
    "nan": lambda f, q, k, offsets, shifts: np.nan,
    "none": lambda f, q, k, offsets, shifts: None,
    "first offset only": lambda f, q, k, offsets, shifts: loop(f, q, k, offsets[:1], shifts),
    "first shift only": lambda f, q, k, offsets, shifts: loop(f, q, k, offsets, shifts[:1]),
    "last shift only": lambda f, q, k, offsets, shifts: loop(f, q, k, offsets, shifts[-1:]),
    "last offset only": lambda f, q, k, offsets, shifts: loop(f, q, k, offsets[-1:], shifts),
    "last comparison decides": lambda f, q, k, offsets, shifts: loop(f, q, k, offsets[-1:], shifts[-1:]),
    "any instead of all": lambda f, q, k, offsets, shifts: any(loop(f, q, k, [r], shifts) for r in offsets),
    "exactly equal": lambda f, q, k, offsets, shifts: bool(
        np.ptp(_values(f, q, k, offsets, shifts), axis=1).max() == 0
    ),
    "sizes only": lambda f, *rest: loop(lambda *a: abs(f(*a)), *rest),
    "offsets alike": lambda f, *rest: bool(np.isclose(_values(f, *rest), _values(f, *rest)[0, 0]).all()),
    "coarse": lambda f, *rest: bool(np.ptp(_values(f, *rest), axis=1).max() < 0.1),
    "nan is equal": lambda f, *rest: bool(
        np.isclose(_values(f, *rest), _values(f, *rest)[:, :1], equal_nan=True).all()
    ),
    "only key shifted": lambda f, q, k, offsets, shifts: all(
        np.isclose(f(q, k, 0, s + r), f(q, k, 0, r)) for r in offsets for s in shifts
    ),
    "key and query exchanged": lambda f, *rest: loop(lambda q, k, pq, pk: f(q, k, pk, pk), *rest),
    "not against 0": lambda f, q, k, offsets, shifts: all(
        np.isclose(f(q, k, s, s + r), f(q, k, shifts[0], shifts[0] + r)) for r in offsets for s in shifts
    ),
    "differences of scores": lambda f, *rest: bool(
        np.isclose(np.diff(_values(f, *rest), axis=0), np.diff(_values(f, *rest), axis=0)[:, :1]).all()
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_checks_fail(lesson, wrong):
    with np.errstate(all="ignore"):
        assert any(outcomes(lesson, "is_relative", is_relative=WRONG[wrong]))


def test_a_check_of_ones_own_score_whatever_came_fails(lesson):
    assert any(outcomes(lesson, "is_relative", is_relative=own_score(lesson)))
