"""Answers to lesson 6 that must pass, and wrong ones beyond the catalogue's."""

import functools

import numpy as np

from tests.lessons.exercise import Exercise


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


def _values(score, q, k, offsets, shifts):
    return np.array([[score(q, k, s, s + r) for s in [0, *shifts]] for r in offsets], dtype=float)


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

ROPES = {
    "lesson text": text_rope,
    "complex": complex_rope,
    "matrix": matrix_rope,
    "stacked": stacked_rope,
    "loop": loop_rope,
}
HAND = {
    "score_0_2": -0.4161,
    "score_3_5": -0.4161,
    "q_at_3": [-0.99, 0.1411],
    "k_at_5": [0.2837, -0.9589],
}

EXERCISES = {
    "hand": Exercise(
        "hand",
        right={
            "as written": HAND,
            "exact": HAND | {"score_0_2": np.cos(2), "score_3_5": np.float32(-0.416)},
            "at the edge of the tolerance": HAND
            | {"score_0_2": -0.41614684 + 0.00099, "score_3_5": -0.41614684 - 0.00099},
            "tuple and array": HAND | {"q_at_3": (-0.99, 0.141), "k_at_5": np.array([0.2837, -0.9589])},
        },
        wrong={
            label: HAND | slip
            for label, slip in {
                "degrees": {"score_0_2": np.cos(np.radians(2)), "score_3_5": np.cos(np.radians(2))},
                "sum of positions": {"score_3_5": -0.1455},
                "sign": {"score_0_2": 0.4161},
                "sine": {"score_0_2": 0.9093},
                "no turn": {"score_3_5": 1},
                "past the tolerance": {"score_0_2": -0.41614684 + 0.00101},
                "coarse": {"score_3_5": -0.42},
                "nan": {"score_3_5": np.nan},
                "text": {"score_0_2": "-0.4161"},
                "list": {"score_0_2": [-0.4161]},
                "clockwise": {"q_at_3": [-0.99, -0.1411]},
                "three numbers": {"q_at_3": [-0.99, 0.1411, 0.0]},
                "degrees in a vector": {"k_at_5": [0.9962, 0.0872]},
                "not written": {"k_at_5": None},
                "nan in a vector": {"q_at_3": [np.nan, np.nan]},
            }.items()
        },
        hints={
            "degrees": "degrees",
            "sum of positions": "subtract",
            "sign": "quarter turn",
            "sine": "cosine",
            "no turn": "not at all",
        },
    ),
    "rope": Exercise("rope", "rope", "rope", right=ROPES),
    "score": Exercise(
        "score",
        "score",
        "score",
        right={
            "lesson text": lambda q, k, pq, pk: text_rope(q, pq) @ text_rope(k, pk),
            "key alone": lambda q, k, pq, pk: float(complex_rope(k, pk - pq) @ q),
            "loop": lambda q, k, pq, pk: sum(
                a * b for a, b in zip(loop_rope(q, pq), loop_rope(k, pk), strict=True)
            ),
        },
    ),
    "is_relative": Exercise(
        "is_relative", "is_relative", right={"loop": loop, "at once": at_once}, wrong=WRONG
    ),
    "rotate": Exercise(
        "rotate",
        "rotate",
        "rotate",
        right={style: functools.partial(loop_rotate, rope) for style, rope in ROPES.items()},
    ),
    "to_half": Exercise(
        "layouts",
        "to_half",
        "to_half",
        right={
            "index": lambda x: x[..., [*range(0, x.shape[-1], 2), *range(1, x.shape[-1], 2)]],
            "reshape": lambda x: np.swapaxes(x.reshape(*x.shape[:-1], -1, 2), -1, -2).reshape(x.shape),
        },
    ),
    "permute": Exercise(
        "layouts",
        "permute_weights",
        "permute",
        right={
            "index": index_permute,
            "split": lambda W, h: np.concatenate(
                [rows for head in np.split(W, h) for rows in (head[0::2], head[1::2])]
            ),
        },
    ),
    "decode": Exercise(
        "decode",
        "decode",
        "decode",
        right={
            "full pass": full_decode,
            "full pass of lists": lambda Q, K, V: np.array(list(full_decode(Q, K, V))),
        },
    ),
}
