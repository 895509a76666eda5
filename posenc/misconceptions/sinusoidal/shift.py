"""The exercise ``shift_matrix(k, d)`` and its mistakes: the matrix with M @ PE(p) = PE(p + k) for every p.

Wrong on purpose, each in one way. Mistakes about frequencies and units are those of `angles`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer, Family, Probe
from posenc.misconceptions.sinusoidal.angles import FREQUENCIES, PRECISION, UNITS
from posenc.misconceptions.sinusoidal.codes import Array, angles, at, enter, shift_matrix

PROBES = (
    Probe((0, 4), "A shift by 0 moves nothing: the matrix must be the identity."),
    Probe(
        (1, 2),
        "With d = 2 the matrix must take (sin p, cos p) to (sin (p + k), cos (p + k)), for every p.",
    ),
    Probe(
        (3, 8),
        "M @ PE(p) must be PE(p + k) for every p: each pair of features is moved on by k times its own "
        "frequency, and by nothing else.",
    ),
    Probe((-2, 6), "A negative k must move back, by the same formula."),
    Probe((0.5, 4), "k may be any number, half a position too, and must be used as it is."),
    Probe((7, 16), "For every even d, pair i must be moved on by k * 10000 ** (-2i/d) radians."),
    # Least squares on a few hundred positions finds the matrix for d = 16, and does not for d = 64.
    Probe((-3, 64), "In a wide code too, each pair turns by k times its own frequency, at every position."),
    Probe((2049, 10), "Far shifts must be exact too: compute angles in float64."),
)


def _moves(M: Array, k: float, d: int, positions: Any) -> bool:
    """Say whether M moves the codes of these positions on by k."""
    p = np.asarray(positions)
    return bool(np.allclose(at(p, d) @ M.T, at(p + k, d), atol=1e-4))


def _every_position(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where a matrix moves some positions right and others not, or changes lengths."""
    k, d = args
    if _moves(got, k, d, range(3)) and not _moves(got, k, d, np.r_[900:1000, 60000:60100]):
        return (
            "The first positions are moved as they should be, and later ones are not: the matrix was made "
            "from some positions, and fits only those. Build it from k alone."
        )
    if not np.allclose(got @ got.T, np.eye(d), atol=0.01):
        return (
            "A shift keeps the length of every code, so M @ M.T must be the identity: here it is not. Each "
            "pair is turned, neither stretched nor mixed with another."
        )
    return None


SHIFT_MATRIX = Family("shift_matrix", shift_matrix, PROBES, invariant=_every_position)


def _blocks(a: Any, b: Any, c: Any, e: Any) -> Any:
    """Put [[a, b], [c, e]] of each pair along the diagonal."""
    d = 2 * len(a)
    M = np.zeros((d, d))
    even = np.arange(0, d, 2)
    M[even, even], M[even, even + 1], M[even + 1, even], M[even + 1, even + 1] = a, b, c, e
    return M


def _turned(a: Array) -> Any:
    return _blocks(np.cos(a), np.sin(a), -np.sin(a), np.cos(a))


def _of_angles(wrong: Answer) -> Answer:
    return lambda k, d: _turned(wrong(k, d))


def _entered(name: str, line: str, a: float, b: float, c: float, e: float) -> None:
    """Enter blocks that take other signs: a and e of the cosine, b and c of the sine."""

    def wrong(k: float, d: int) -> Any:
        s, t = np.sin(angles(k, d)), np.cos(angles(k, d))
        return _blocks(a * t, b * s, c * s, e * t)

    SHIFT_MATRIX.add(name, line)(wrong)


_entered(
    "transposed",
    "Your matrix steps backwards: M @ PE(p) is PE(p - k). Write out sin(a + b) = sin a cos b + cos a sin b "
    "for the upper row; the minus belongs in the lower one. From the right, PE(p) @ M, it would be correct.",
    1, -1, 1, 1,
)  # fmt: skip
_entered(
    "no-minus",
    "Both sines have a plus. cos(a + b) = cos a cos b - sin a sin b: the lower row of each block needs the "
    "minus.",
    1, 1, 1, 1,
)  # fmt: skip
_entered(
    "two-minuses",
    "Both sines have a minus. sin(a + b) = sin a cos b + cos a sin b: the upper row of a block has a plus.",
    1, -1, -1, 1,
)  # fmt: skip
_entered(
    "cosine-only",
    "Only the diagonal is there. The new sine also needs the old cosine, times sin of the shift, and the new "
    "cosine the old sine.",
    1, 0, 0, 1,
)  # fmt: skip
_entered(
    "reflection",
    "This mirrors each pair: at k = 0 it already changes the code. The two cosines of a block have the same "
    "sign, the two sines opposite ones.",
    1, 1, 1, -1,
)  # fmt: skip
_entered(
    "negated",
    "Every entry has the wrong sign. At k = 0 the diagonal must be 1.",
    -1, -1, 1, -1,
)  # fmt: skip

enter(SHIFT_MATRIX, FREQUENCIES + UNITS + PRECISION, _of_angles)


@SHIFT_MATRIX.add(
    "swapped-sine-cosine",
    "Sine and cosine have changed places in the blocks. At k = 0 nothing may move: cosines on the diagonal, "
    "sines beside it.",
)
def _swapped(k: float, d: int) -> Any:
    s, c = np.sin(angles(k, d)), np.cos(angles(k, d))
    return _blocks(s, c, -c, s)


@SHIFT_MATRIX.add(
    "half-layout",
    "Your matrix is for codes with all sines first, then all cosines. Here they alternate, so each pair has "
    "its own 2 x 2 block on the diagonal.",
)
def _half_layout(k: float, d: int) -> Any:
    C, S = np.diag(np.cos(angles(k, d))), np.diag(np.sin(angles(k, d)))
    return np.block([[C, S], [-S, C]])


@SHIFT_MATRIX.add(
    "identity", "This is the identity: nothing moves. Each pair turns by k times its frequency."
)
def _identity(k: float, d: int) -> Any:
    return np.eye(d)


@SHIFT_MATRIX.add(
    "ignores-shift",
    "k has no effect: this is always the shift by 1. Multiply the frequencies by k.",
)
def _ignores_shift(k: float, d: int) -> Any:
    return shift_matrix(1, d)


@SHIFT_MATRIX.add("one-too-far", "This moves one position too far: by k + 1. Shift by k.")
def _one_too_far(k: float, d: int) -> Any:
    return shift_matrix(k + 1, d)


@SHIFT_MATRIX.add(
    "unsigned",
    "The sign of k is lost: back and forth are the same here. Leave out the absolute value.",
)
def _unsigned(k: float, d: int) -> Any:
    return shift_matrix(abs(k), d)


@SHIFT_MATRIX.add("whole-shifts", "k was cut to a whole number. Any real number is a shift: use it as it is.")
def _whole_shifts(k: float, d: int) -> Any:
    return shift_matrix(int(k), d)


@SHIFT_MATRIX.add(
    "first-pair-only",
    "Only the first pair moves. Each pair has a block, with its own angle: k times its frequency.",
)
def _first_pair_only(k: float, d: int) -> Any:
    M = np.eye(d)
    M[:2, :2] = shift_matrix(k, 2)
    return M


@SHIFT_MATRIX.add(
    "one-block",
    "A single 2 x 2 block came back. The matrix is (d, d), with such a block for each pair on its diagonal.",
)
def _one_block(k: float, d: int) -> Any:
    return shift_matrix(k, 2)


@SHIFT_MATRIX.add(
    "blocks-not-placed",
    "The blocks came back one by one, (d/2, 2, 2). Place them on the diagonal of a (d, d) matrix of zeros.",
)
def _blocks_not_placed(k: float, d: int) -> Any:
    s, c = np.sin(angles(k, d)), np.cos(angles(k, d))
    return np.moveaxis(np.array([[c, s], [-s, c]]), -1, 0)


@SHIFT_MATRIX.add(
    "code-on-diagonal",
    "This has PE(k) on its diagonal, and multiplies the codes feature by feature. A shift mixes the two "
    "features of each pair.",
)
def _code_on_diagonal(k: float, d: int) -> Any:
    return np.diag(at(k, d))


@SHIFT_MATRIX.add(
    "rows-moved",
    "This moves entries k places along, as for the rows of the table. M is applied to one code, (d,): it has "
    "to turn each pair.",
)
def _rows_moved(k: float, d: int) -> Any:
    return np.eye(d, k=int(k))


@SHIFT_MATRIX.add(
    "one-position",
    "This takes PE(0) to PE(k) and fits no other position. Build the matrix from k alone, so that it moves "
    "every code.",
)
def _one_position(k: float, d: int) -> Any:
    return np.outer(at(k, d), at(0, d)) / (d / 2)


@SHIFT_MATRIX.add(
    "fitted",
    "This was fitted by least squares on the first 32 positions, and is wrong beyond them where d is large. "
    "M must work for every p: build it from k alone.",
)
def _fitted(k: float, d: int) -> Any:
    p = np.arange(32)
    return np.linalg.lstsq(at(p, d), at(p + k, d), rcond=None)[0].T
