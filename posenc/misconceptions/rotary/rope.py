"""The exercise ``rope(x, position)``: one position at a time, neighbouring pairs, float input, even d.

Holds its probes and the pieces that wrong implementations are made of; the mistakes are in `rope_pairs`
and `rope_angles`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.misconceptions.entry import Family, Probe
from posenc.rotary import rope

Array = NDArray[Any]
BASE = 10000.0


def pair_lengths(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where the length of a pair is not kept."""
    x = args[0]
    before, after = (np.hypot(v[..., 0::2], v[..., 1::2]) for v in (x, got))
    if np.allclose(before, after, atol=0.01 * float(np.abs(x).max())):
        return None
    return "A rotation keeps the length of every pair (features 2i and 2i+1): here it changes."


PROBES = (
    Probe((np.array([1.0, 2.0, 3.0, 4.0]), 0), "Position 0 must leave x unchanged: every angle is 0 there."),
    Probe(
        (np.array([3.0, 5.0]), 2),
        "With d = 2 there is one pair, and it must turn counter-clockwise by as many radians as the"
        " position says.",
    ),
    Probe(
        (np.array([1.0, 2.0, 3.0, 4.0]), 1),
        "Pair i is features 2i and 2i+1, and must turn by position * 10000 ** (-2i/d) radians.",
    ),
    Probe(
        (np.arange(1.0, 9.0), 3),
        "For every even d, pair i must turn by position * 10000 ** (-2i/d) radians: the later, the slower.",
    ),
    Probe(
        (3 * np.sin(np.arange(36.0)).reshape(2, 3, 6), 5),
        "Leading axes are batch axes: each vector along the last axis must be turned as if it came alone.",
    ),
    Probe((np.array([1.0, -2.0]), 2.5), "A position may be any number, and must be used as it is."),
    Probe(
        (np.array([4.0, 3.0, -2.0, 1.0]), 4001),
        "Far positions must be exact too: compute angles in float64 and do not round or wrap positions.",
    ),
)

ROPE = Family("rope", rope, PROBES, invariant=pair_lengths)


def exponent(x: Array) -> Any:
    """Return 2i/d for each pair i of x's d features."""
    d = x.shape[-1]
    return np.arange(0, d, 2) / d


def angles(x: Array, p: Any) -> Any:
    """Return the right angle of each pair, in radians."""
    return p * BASE ** -exponent(x)


def pairs(first: Array, second: Array) -> Any:
    """Interleave first and second features."""
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def turn(x: Array, angles: Array) -> Any:
    """Turn neighbouring pairs counter-clockwise."""
    c, s = np.cos(angles), np.sin(angles)
    a, b = x[..., 0::2], x[..., 1::2]
    return pairs(a * c - b * s, a * s + b * c)


def rotate_half(x: Array) -> Any:
    """Return (-b, a) for the halves (a, b) of x."""
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([-b, a], axis=-1)


def rotate_neighbours(x: Array) -> Any:
    """Return (-x1, x0, -x3, x2, ...)."""
    return pairs(-x[..., 1::2], x[..., 0::2])


def tiled(v: Array) -> Any:
    """Return v0, v1, ..., v0, v1, ..."""
    return np.concatenate([v, v], axis=-1)


def repeated(v: Array) -> Any:
    """Return v0, v0, v1, v1, ..."""
    return np.repeat(v, 2, axis=-1)
