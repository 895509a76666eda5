"""The tests of lesson 6 pass every right answer, whatever its style, and no wrong one.

Right: `VARIANTS`. Wrong: every entry of the catalogue, with its probes in the tests and without; answers that
only look right; answers that look up what the visible test asked.
"""

import functools

import numpy as np
import pytest

from posenc import checks, misconceptions

#: An exercise of the catalogue, the cells that test it, and the name that the student binds.
CELLS = {
    "rope": ("rope", "rope"),
    "score": ("score", "score"),
    "rotate": ("rotate", "rotate"),
    "to_half": ("layouts", "to_half"),
    "permute": ("layouts", "permute_weights"),
    "decode": ("decode", "decode"),
}
MISTAKES = [pytest.param(m, id=m.id) for m in misconceptions.CATALOGUE if m.exercise in CELLS]
EACH = pytest.mark.parametrize("exercise", CELLS)


def faults(lesson, exercise, f):
    """Return what the visible and the hidden test raise with `f` as the answer."""
    cell, name = CELLS[exercise]
    with np.errstate(all="ignore"):
        return [lesson.fault(f"{cell}_{part}", **{name: f}) for part in ("test", "hidden")]


def test_the_catalogue_knows_every_exercise():
    assert set(CELLS) <= set(misconceptions.FAMILIES)


# --- wrong answers that people write


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_by_the_visible_and_the_hidden_test(lesson, mistake):
    for fault in faults(lesson, mistake.exercise, mistake.wrong):
        assert isinstance(fault, checks.Misconceived)
        assert (fault.misconception, str(fault)) == (mistake.id, mistake.line)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_goldens_catch_a_mistake_without_the_catalogue(lesson, mistake):
    cell, name = CELLS[mistake.exercise]
    namespace = lesson.solved() | {name: mistake.wrong, "explain": lambda exercise, f: None}
    with np.errstate(all="ignore"), pytest.raises(Exception):  # noqa: B017 - a mistake may break in any way
        exec(lesson.hidden(cell), namespace)


# --- answers that only look right


class AlwaysEqual:
    """Equal to everything, whatever is done to it."""

    dtype, shape, ndim = np.dtype(float), (7, 6), 2
    __hash__ = None

    def _self(self, *args):
        return self

    def _true(self, *args):
        return True

    __getitem__ = __sub__ = __rsub__ = __abs__ = __matmul__ = __rmatmul__ = _self
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _true


class AllClose(np.ndarray):
    """An array for which NumPy's own functions say yes."""

    def __array_function__(self, func, types, args, kwargs):
        return True


LAZY = {
    "none": lambda x, *rest: None,
    "zeros": lambda x, *rest: np.zeros_like(x),
    "identity": lambda x, *rest: x,
    "scalar": lambda x, *rest: 0.5,
    "broadcast": lambda x, *rest: np.zeros((*np.shape(x), 1)),
    "nan": lambda x, *rest: np.full_like(np.asarray(x, float), np.nan),
    "object": lambda x, *rest: np.asarray(x).astype(object),
    "masked": lambda x, *rest: np.ma.masked_all_like(np.asarray(x, float)),
    "always equal": lambda x, *rest: AlwaysEqual(),
    "all close": lambda x, *rest: np.zeros(np.shape(x)).view(AllClose),
}


@EACH
@pytest.mark.parametrize("lazy", LAZY)
def test_a_lazy_answer_fails_both_tests(lesson, exercise, lazy):
    assert all(faults(lesson, exercise, LAZY[lazy]))


@EACH
def test_a_table_of_what_the_visible_test_asked_fails_the_hidden_one(lesson, exercise):
    cell, name = CELLS[exercise]
    right, table = lesson.solved()[name], {}

    def key(args):
        return tuple((np.asarray(a).tobytes(), np.shape(a)) for a in args)

    def recorded(*args):
        return table.setdefault(key(args), right(*args))

    def looked_up(*args):
        return table.get(key(args), np.zeros_like(args[0]))

    assert lesson.fault(f"{cell}_test", **{name: recorded}) is None
    assert table
    assert isinstance(lesson.fault(f"{cell}_hidden", **{name: looked_up}), AssertionError)


# --- right answers in other styles


def text_rope(x, position):
    d = x.shape[-1]
    theta = 10000.0 ** (-np.arange(0, d, 2) / d)
    cos = np.cos(position * theta)
    sin = np.sin(position * theta)
    x_even, x_odd = x[..., 0::2], x[..., 1::2]
    out = np.empty_like(x)
    out[..., 0::2] = x_even * cos - x_odd * sin
    out[..., 1::2] = x_even * sin + x_odd * cos
    return out


def complex_rope(x, position):
    d = x.shape[-1]
    turn = np.exp(1j * position * 10000.0 ** (-2 * np.arange(d // 2) / d))
    return (np.ascontiguousarray(x, dtype=float).view(complex) * turn).view(float)


def matrix_rope(x, position):
    d = x.shape[-1]
    blocks = np.zeros((d, d))
    for i in range(d // 2):
        c, s = np.cos(position / 10000 ** (2 * i / d)), np.sin(position / 10000 ** (2 * i / d))
        blocks[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    return np.einsum("ij,...j->...i", blocks, x)


def stacked_rope(x, position):
    d = x.shape[-1]
    a = position * np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    x0, x1 = np.moveaxis(x.reshape(*x.shape[:-1], d // 2, 2), -1, 0)
    pairs = np.stack([x0 * np.cos(a) - x1 * np.sin(a), x0 * np.sin(a) + x1 * np.cos(a)], axis=-1)
    return pairs.reshape(x.shape)


def loop_rope(x, position):
    out = x.astype(float)
    for i in range(0, x.shape[-1], 2):
        c, s = np.cos(position / 10000 ** (i / x.shape[-1])), np.sin(position / 10000 ** (i / x.shape[-1]))
        out[..., i], out[..., i + 1] = x[..., i] * c - x[..., i + 1] * s, x[..., i] * s + x[..., i + 1] * c
    return out


def loop_rotate(rope, X, positions):
    if X.shape[-1] % 2 == 1:
        raise ValueError("odd")
    wide = X.astype(np.float64)
    rows = [rope(wide[..., j, :], float(p)) for j, p in enumerate(positions)]
    out = np.stack(rows, axis=-2)
    return out.astype(X.dtype) if X.dtype in (np.float16, np.float32) else out


def index_permute(W, h):
    d = len(W) // h
    rows = [head * d + j for head in range(h) for j in [*range(0, d, 2), *range(1, d, 2)]]
    return W[rows]


def full_decode(Q, K, V):
    n, d = Q.shape
    q, k = (np.array([stacked_rope(row, t) for t, row in enumerate(rows)]) for rows in (Q, K))
    scores = np.where(np.tri(n, dtype=bool), q @ k.T / d**0.5, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V


ROPES = [text_rope, complex_rope, matrix_rope, stacked_rope, loop_rope]
VARIANTS = {
    "rope": ROPES,
    "score": [
        lambda q, k, pq, pk: text_rope(q, pq) @ text_rope(k, pk),
        lambda q, k, pq, pk: float(complex_rope(k, pk - pq) @ q),
        lambda q, k, pq, pk: sum(a * b for a, b in zip(loop_rope(q, pq), loop_rope(k, pk), strict=True)),
    ],
    "rotate": [functools.partial(loop_rotate, rope) for rope in ROPES],
    "to_half": [
        lambda x: x[..., [*range(0, x.shape[-1], 2), *range(1, x.shape[-1], 2)]],
        lambda x: np.swapaxes(x.reshape(*x.shape[:-1], -1, 2), -1, -2).reshape(x.shape),
    ],
    "permute": [index_permute],
    "decode": [full_decode],
}


@EACH
def test_right_answers_in_other_styles_pass(lesson, exercise):
    for variant in VARIANTS[exercise]:
        assert faults(lesson, exercise, variant) == [None, None], variant


def test_the_lesson_texts_own_code_gets_full_marks(lesson):
    answers = {"rope": text_rope, "score": lambda q, k, pq, pk: text_rope(q, pq) @ text_rope(k, pk)}
    for cell in ("rope_test", "rope_hidden", "score_test", "score_hidden"):
        assert lesson.fault(cell, **answers) is None
