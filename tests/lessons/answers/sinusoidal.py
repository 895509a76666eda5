"""Answers to lesson 2 that must pass, and wrong ones beyond the catalogue's."""

import math

import numpy as np

from tests.lessons.exercise import Exercise

# --- sinusoidal(N, d)


def text_sinusoidal(N, d):
    pe = np.zeros((N, d))
    pos = np.arange(N)[:, None]
    div = np.exp(np.arange(0, d, 2) * -(np.log(10000.0) / d))
    pe[:, 0::2] = np.sin(pos * div)
    pe[:, 1::2] = np.cos(pos * div)
    return pe


def loop_sinusoidal(N, d):
    pe = np.empty((N, d))
    for p in range(N):
        for i in range(d // 2):
            pe[p, 2 * i] = math.sin(p / 10000 ** (2 * i / d))
            pe[p, 2 * i + 1] = math.cos(p / 10000 ** (2 * i / d))
    return pe


def list_sinusoidal(N, d):
    wave = (math.sin, math.cos)
    return [[wave[j % 2](p / 10000 ** (2 * (j // 2) / d)) for j in range(d)] for p in range(N)]


def complex_sinusoidal(N, d):
    turn = np.exp(1j * np.multiply.outer(np.arange(N), 10000.0 ** (-2 * np.arange(d // 2) / d)))
    return np.stack([turn.imag, turn.real], axis=-1).reshape(N, d)


def einsum_sinusoidal(N, d):
    angle = np.einsum("p,i->pi", np.arange(N), 1 / np.power(10000, np.arange(0, d, 2) / d))
    return np.concatenate([np.sin(angle)[..., None], np.cos(angle)[..., None]], axis=2).reshape(N, d)


def shifted_sine(N, d):
    j = np.arange(d)
    return np.sin(np.arange(N)[:, None] / 10000 ** (j // 2 * 2 / d) + (j % 2) * np.pi / 2)


# --- encode(positions, d)


def loop_encode(positions, d):
    p = np.asarray(positions)
    out = np.zeros((*p.shape, d))
    for j in range(d):
        out[..., j] = (np.cos if j % 2 else np.sin)(p / 10000 ** ((j - j % 2) / d))
    return out


def complex_encode(positions, d):
    turn = np.exp(1j * np.multiply.outer(positions, 10000.0 ** (-np.arange(0, d, 2) / d)))
    return np.stack([turn.imag, turn.real], axis=-1).reshape(*np.shape(positions), -1)[..., :d]


def flat_encode(positions, d):
    p = np.array(positions, dtype=float)
    rows = [
        [math.sin(q / 10000 ** (j // 2 * 2 / d) + j % 2 * math.pi / 2) for j in range(d)] for q in p.ravel()
    ]
    return np.array(rows).reshape((*p.shape, d))


def repeated_encode(positions, d):
    w = np.repeat(10000.0 ** (-np.arange(0, d, 2) / d), 2)[:d]
    angle = np.expand_dims(positions, -1) * w
    return np.where(np.arange(d) % 2 == 0, np.sin(angle), np.cos(angle))


# --- shift_matrix(k, d)


def complex_shift(k, d):
    w = 10000.0 ** (-np.arange(0, d, 2) / d)
    return (np.eye(d).view(complex) * np.exp(-1j * k * w)).view(float).T


def diagonals_shift(k, d):
    angle = np.repeat(k * 10000.0 ** (-np.arange(0, d, 2) / d), 2)
    beside = np.sin(angle[1:]) * (np.arange(d - 1) % 2 == 0)
    return np.diag(np.cos(angle)) + np.diag(beside, 1) - np.diag(beside, -1)


def list_shift(k, d):
    M = [[0.0] * d for _ in range(d)]
    for i in range(d // 2):
        a = k * 10000 ** (-2 * i / d)
        M[2 * i][2 * i] = M[2 * i + 1][2 * i + 1] = math.cos(a)
        M[2 * i][2 * i + 1], M[2 * i + 1][2 * i] = math.sin(a), -math.sin(a)
    return M


def einsum_shift(k, d):
    a = k * np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    pair = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.einsum("abi,ij->iajb", pair, np.eye(d // 2)).reshape(d, d)


def half_by_half(k, d):
    M = np.eye(d)
    a = 10000.0 ** (-np.arange(0, d, 2) / d)
    for i, w in enumerate(a):
        M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = np.linalg.matrix_power(
            [[np.cos(k * w / 2), np.sin(k * w / 2)], [-np.sin(k * w / 2), np.cos(k * w / 2)]], 2
        )
    return M


def ridge_shift(rows):
    """Return an answer that is fitted on the first rows, with a penalty."""

    def fitted(k, d):
        now, then = loop_encode(np.arange(rows), d), loop_encode(np.arange(rows) + k, d)
        return np.linalg.solve(now.T @ now + 1e-9 * np.eye(d), now.T @ then).T

    return fitted


def least_squares_shift(rows):
    """Return an answer that is fitted on many rows, and right for narrow codes."""

    def fitted(k, d):
        now, then = loop_encode(np.arange(rows), d), loop_encode(np.arange(rows) + k, d)
        return np.linalg.lstsq(now, then, rcond=None)[0].T

    return fitted


HAND = {"pe_0": [0, 1, 0, 1], "pe_1": [0.8415, 0.5403, 0.01, 1]}
FROM_ONE = {"pe_0": [0.8415, 0.5403, 0.01, 1], "pe_1": [0.9093, -0.4161, 0.02, 0.9998]}

EXERCISES = {
    "hand": Exercise(
        "hand",
        right={
            "as the lesson text rounds": HAND,
            "exact": {"pe_0": np.eye(1, 4, 1)[0] + np.eye(1, 4, 3)[0], "pe_1": text_sinusoidal(2, 4)[1]},
            "tuples of floats": {"pe_0": (0.0, 1.0, 0.0, 1.0), "pe_1": (0.841, 0.540, 0.01, 0.99995)},
            "computed": {
                "pe_0": [np.sin(0), np.cos(0), np.sin(0), np.cos(0)],
                "pe_1": [np.sin(1), np.cos(1), np.sin(0.01), np.cos(0.01)],
            },
            "at the edge of the tolerance": HAND
            | {"pe_1": [0.84147 + 0.00097, 0.5403 - 0.00099, 0.00999983 + 0.00098, 0.99995 - 0.0009]},
        },
        wrong={
            label: HAND | slip
            for label, slip in {
                "degrees": {"pe_1": [0.01745, 0.99985, 0.00017, 1.0]},
                "position 1 first": FROM_ONE,
                "sine and cosine swapped": {"pe_0": [1, 0, 1, 0], "pe_1": [0.5403, 0.8415, 1, 0.01]},
                "exponent i/d": {"pe_1": [0.8415, 0.5403, 0.0998, 0.995]},
                "blocks": {"pe_0": [0, 0, 1, 1], "pe_1": [0.8415, 0.01, 0.5403, 1]},
                "cosine of 0 is 0": {"pe_0": [0, 0, 0, 0]},
                "power of the quotient": {"pe_0": [0.8415, 0.5403, 0, 1]},
                "a frequency for each column": {"pe_1": [0.8415, 0.9950, 0.01, 1]},
                "double exponent": {"pe_1": [0.8415, 0.5403, 0.0001, 1]},
                "product": {"pe_1": [0.8415, 0.5403, 0.0002, 1]},
                "tensor2tensor": {"pe_0": [0, 0, 1, 1], "pe_1": [0.8415, 0.0001, 0.5403, 1]},
                "positive exponent": {"pe_1": [0.8415, 0.5403, -0.5064, 0.8623]},
                "base 1000": {"pe_1": [0.8415, 0.5403, 0.0316, 0.9995]},
                "one frequency": {"pe_1": [0.8415, 0.5403, 0.8415, 0.5403]},
                "rows exchanged": {"pe_0": HAND["pe_1"], "pe_1": HAND["pe_0"]},
                "coarse": {"pe_1": [0.84, 0.54, 0.01, 1]},
                "past the tolerance": {"pe_1": [0.84147 + 0.00103, 0.5403, 0.01, 1]},
                "angles": {"pe_1": [1, 1, 0.01, 0.01]},
                "two numbers": {"pe_0": [0, 1]},
                "a table": {"pe_0": [[0, 1], [0, 1]]},
                "a number": {"pe_1": 0.8415},
                "text": {"pe_0": "0101"},
                "nan": {"pe_1": [np.nan] * 4},
                "one not written": {"pe_1": None},
                "both not written": {"pe_0": None, "pe_1": None},
            }.items()
        },
        hints={
            "degrees": "radians",
            "position 1 first": "counted from 0",
            "sine and cosine swapped": "sine comes first",
            "exponent i/d": "2/4",
            "blocks": "in blocks",
            "cosine of 0 is 0": "its cosine is 1",
            "power of the quotient": "Only 10000 takes the exponent",
            "a frequency for each column": "share one frequency",
            "double exponent": "which gives 100",
            "product": "which gives 100",
            "tensor2tensor": "in blocks",
            "positive exponent": "slower one",
            "base 1000": "1000",
            "one frequency": "its own frequency",
            "rows exchanged": "counted from 0",
            "two numbers": "4 numbers",
            "a table": "4 numbers",
            "a number": "4 numbers",
            "text": "4 numbers",
            "one not written": "in place of None",
            "both not written": "in place of None",
        },
    ),
    "sinusoidal": Exercise(
        "sinusoidal",
        "sinusoidal",
        "sinusoidal",
        right={
            "lesson text": text_sinusoidal,
            "loop": loop_sinusoidal,
            "list": list_sinusoidal,
            "complex": complex_sinusoidal,
            "einsum": einsum_sinusoidal,
            "cosine as a shifted sine": shifted_sine,
        },
        wrong={
            "two decimals": lambda N, d: text_sinusoidal(N, d).round(2),
            "one column for each pair": lambda N, d: (
                text_sinusoidal(N, d)[:, 0::2] + text_sinusoidal(N, d)[:, 1::2]
            ),
            "sine times cosine": lambda N, d: text_sinusoidal(N, d) * text_sinusoidal(N, d)[:, ::-1],
            "first row repeated": lambda N, d: text_sinusoidal(1, d).repeat(N, axis=0),
            "positions doubled": lambda N, d: text_sinusoidal(2 * N, d)[::2],
            "base 2": lambda N, d: loop_encode(np.arange(N) * 2.0, d),
            "all in one list": lambda N, d: text_sinusoidal(N, d).ravel(),
            "complex numbers": lambda N, d: text_sinusoidal(N, d) + 0j,
            "text": lambda N, d: str(text_sinusoidal(N, d)),
            "no return": lambda N, d: None,
        },
        hints={
            "no return": "must return",
            "complex numbers": "real numbers",
            "text": "real numbers",
            "one column for each pair": "wrong shape",
            "all in one list": "wrong shape",
            "sine times cosine": "squares add up to 1",
        },
    ),
    "encode": Exercise(
        "encode",
        "encode",
        "encode",
        right={
            "loop over columns": loop_encode,
            "complex": complex_encode,
            "flat": flat_encode,
            "repeated frequencies": repeated_encode,
            "lists": lambda positions, d: flat_encode(positions, d).tolist(),
        },
        wrong={
            "two decimals": lambda positions, d: loop_encode(positions, d).round(2),
            "a table of 10000 rows": lambda positions, d: text_sinusoidal(10000, d)[positions],
            "positions one by one, reversed": lambda positions, d: loop_encode(positions, d)[..., ::-1],
            "no return": lambda positions, d: None,
        },
        hints={"no return": "must return"},
    ),
    "shift_matrix": Exercise(
        "shift_matrix",
        "shift_matrix",
        "shift_matrix",
        right={
            "complex": complex_shift,
            "three diagonals": diagonals_shift,
            "lists": list_shift,
            "einsum": einsum_shift,
            "two half steps": half_by_half,
        },
        wrong={
            "fitted on 8 rows": ridge_shift(8),
            "fitted on 64 rows": ridge_shift(64),
            "fitted on 500 rows, exactly": least_squares_shift(500),
            "fitted on 5000 rows, exactly": least_squares_shift(5000),
            "twice as long": lambda k, d: 2 * complex_shift(k, d),
            "from the right": lambda k, d: complex_shift(k, d).T,
            "first row only": lambda k, d: complex_shift(k, d)[0],
            "projection": lambda k, d: complex_shift(k, d) * np.tri(d),
            "no return": lambda k, d: None,
        },
        hints={
            "fitted on 64 rows": "fits only those",
            "fitted on 500 rows, exactly": "fits only those",
            "fitted on 5000 rows, exactly": "fits only those",
            "twice as long": "keeps the length",
            "from the right": "steps backwards",
            "first row only": "wrong shape",
            "no return": "must return",
        },
    ),
}
