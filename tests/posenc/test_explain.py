"""`explain` names the mistake behind a wrong answer, or the property that fails first, and quotes nothing."""

import numpy as np
import pytest

from posenc.checks import Misconceived, explain
from posenc.misconceptions import FAMILIES
from posenc.rotary import rope


@pytest.mark.parametrize("exercise", FAMILIES)
def test_the_reference_is_right(exercise):
    assert explain(exercise, FAMILIES[exercise].reference) is None


def test_a_misconception_is_named_by_its_line_alone():
    entry = next(m for m in FAMILIES["rope"].entries if m.id == "rope-half-layout")
    with pytest.raises(Misconceived) as caught:
        explain("rope", entry.wrong)
    assert caught.value.misconception == "rope-half-layout"
    assert str(caught.value) == entry.line
    assert isinstance(caught.value, AssertionError)


def test_changing_the_argument_is_told():
    def wrong(x, position):
        out = rope(x, position)
        x += 1
        return out

    with pytest.raises(Misconceived, match="x itself was changed") as caught:
        explain("rope", wrong)
    assert caught.value.misconception == "rope-in-place"

    def spoils_and_errs(x, position):
        x += 1
        return rope(x, position)

    with pytest.raises(AssertionError, match="arguments must not be changed"):
        explain("rope", spoils_and_errs)


def test_a_named_mistake_is_named_also_when_the_argument_changed():
    def wrong(x, position):
        x[...] = rope(x, -position)
        return x

    with pytest.raises(Misconceived) as caught:
        explain("rope", wrong)
    assert caught.value.misconception == "rope-clockwise"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda x, p: None, "Is the return missing"),
        (lambda x, p: "no", "must be real numbers"),
        (lambda x, p: rope(x, p) + 0j, "must be real numbers"),
        (lambda x, p: rope(x, p)[..., :1], "wrong shape"),
        (lambda x, p: rope(x, p) * np.nan, "some of it is NaN"),
        (lambda x, p: rope(x, p + 0.1), "Position 0 must leave x unchanged"),
        (lambda x, p: rope(x, 1.1 * p), "one pair, and it must turn counter-clockwise"),
        (lambda x, p: rope(x, p) * (1 + 0.1 * (p > 0)), "keeps the length of every pair"),
        (lambda x, p: rope(x, p, base=9999.0), "Pair i is features 2i and 2i"),
        (lambda x, p: rope(x, p % 4000), "Far positions must be exact"),
        (lambda x, p: rope(x, int(p)), "A position may be any number"),
    ],
)
def test_other_mistakes_meet_the_property_that_fails_first(wrong, sentence):
    with pytest.raises(AssertionError, match=sentence) as caught:
        explain("rope", wrong)
    assert not isinstance(caught.value, Misconceived)
    assert "[" not in str(caught.value)


def test_dtypes_of_a_sequence():
    def wrong(X, positions):
        return rope(X, positions).astype(np.float32)

    with pytest.raises(AssertionError, match="float16, float32 and float64 must stay"):
        explain("rotate", wrong)


def test_an_odd_width_must_raise():
    def accepts(X, positions):
        return rope(X, positions) if X.shape[-1] % 2 == 0 else X + 1.0

    with pytest.raises(AssertionError, match="An odd d must raise ValueError"):
        explain("rotate", accepts)


def test_what_the_answer_raises_propagates():
    def untouched(x, position):
        raise NotImplementedError

    def broken(x, position):
        return x.no_such_thing

    def late(x, position):
        if x.ndim > 1:
            raise ValueError("one vector at a time")  # as a known mistake does there ...
        return rope(x, position) if position < 4000 else x  # ... but not this

    with pytest.raises(NotImplementedError):
        explain("rope", untouched)
    with pytest.raises(AttributeError, match="no_such_thing"):
        explain("rope", broken)
    with pytest.raises(ValueError, match="one vector at a time"):
        explain("rope", late)


def test_what_a_known_mistake_raises_names_it():
    def one_vector(x, position):
        theta = 10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
        out = np.empty(x.shape)
        out[0::2] = x[0::2] * np.cos(position * theta) - x[1::2] * np.sin(position * theta)
        out[1::2] = x[0::2] * np.sin(position * theta) + x[1::2] * np.cos(position * theta)
        return out

    with pytest.raises(Misconceived) as caught:
        explain("rope", one_vector)
    assert caught.value.misconception == "rope-one-vector"


def test_unknown_exercise():
    with pytest.raises(ValueError, match="exercise must be one of .*rope, score, .*, got 'rops'"):
        explain("rops", rope)


def test_lists_and_other_right_styles_pass():
    def loops(x, position):
        flat = x.reshape(-1, x.shape[-1])
        d = x.shape[-1]
        rows = []
        for row in flat.tolist():
            out = []
            for i in range(d // 2):
                angle = position / 10000 ** (2 * i / d)
                a, b = row[2 * i], row[2 * i + 1]
                out += [a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)]
            rows.append(out)
        return np.array(rows).reshape(x.shape)

    def complex_numbers(x, position):
        theta = 10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
        z = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * position * theta)
        return np.stack([z.real, z.imag], -1).reshape(x.shape)

    def matrix(x, position):
        d = x.shape[-1]
        R = np.zeros((d, d))
        for i in range(d // 2):
            c, s = np.cos(position * 10000 ** (-2 * i / d)), np.sin(position * 10000 ** (-2 * i / d))
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
        return np.einsum("ij,...j->...i", R, x)

    for right in (loops, complex_numbers, matrix):
        explain("rope", right)
