"""The bug of half precision: positions stored in the dtype of x (lesson 9), and mistakes in mending it.

After NVIDIA/Megatron-LM#535. Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.debugging.bug import Bug, matrices, outer, turn
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.plain import Array
from posenc.rotary import rope
from posenc.sinusoidal import frequencies


def _reference(x: Array, positions: Array) -> Array:
    return rope(x, positions, layout="half")


PROBES = (
    Probe(
        (waves(3, 4), np.array([0, 1, 2])),
        "Row j must be turned by positions[j]: features i and i + d/2 together, by positions[j] * 10000 ** "
        "(-2i/d) radians.",
    ),
    Probe(
        (waves(4, 6).astype(np.float32), np.array([9, 0, 2051, 4097])),
        "float32 must stay float32, with positions in any order.",
    ),
    Probe(
        (waves(4, 8).astype(np.float16), np.array([2049, 2051, 4098, 30001])),
        "float16 must stay float16, with positions and angles in float64 and the result cast last.",
    ),
    Probe(
        (waves(2, 4).astype(np.float16), np.array([70001, 3])),
        "Positions past the largest float16 must be exact as well: keep them out of that type.",
    ),
)

FAMILY = Family("rotate_precisely", _reference, PROBES, keeps_dtype=True)

PRECISION = Bug(
    FAMILY,
    needs=(
        (lambda x, p: matrices(x) and x.shape[1] % 2 == 0, "x must be a float array (n, d), with d even."),
        (
            lambda x, p: np.shape(p) == (len(x),) and p.dtype.kind in "iu",
            "positions must be whole numbers, an array (n,) with one for each row of x.",
        ),
        (
            lambda x, p: (np.abs(p) <= 10**6).all(),
            "positions must be at most a million: smaller ones show it.",
        ),
    ),
    blind=(
        (
            lambda x, p: x.dtype != np.float16,
            "Your x is float32 or float64, and these hold every position exactly. The report came from "
            "users in half precision: make x float16.",
        ),
        (lambda x, p: not x.any(), "Your x is 0 everywhere: there is nothing to turn."),
        (
            lambda x, p: (np.abs(p) <= 2048).all(),
            "All your positions are at most 2048, and float16 holds every whole number up to there. Read on "
            "in the text.",
        ),
        (
            lambda x, p: (p.astype(np.float16) == p).all(),
            "Your positions are large, but float16 happens to hold each of them exactly: past 2048 it holds "
            "the even numbers, past 4096 every fourth. Take one in between.",
        ),
    ),
    clearly=0.05,
)


def _angle(x: Array, positions: Any) -> Array:
    return outer(positions, frequencies(x.shape[-1]))


@FAMILY.add(
    "shipped",
    "This is still the shipped program: positions are stored in the dtype of x. Make them, and the angles, "
    "in float64; only the result gets the dtype of x.",
)
def _shipped(x: Array, positions: Array) -> Any:
    return turn(x, _angle(x, positions.astype(x.dtype)))


@FAMILY.add(
    "angles-in-dtype",
    "Positions are exact now, but the angles are stored in the dtype of x, and far out they are as large as "
    "the positions. Keep the product in float64 too.",
)
def _angles_in_dtype(x: Array, positions: Array) -> Any:
    return turn(x, _angle(x, positions).astype(x.dtype).astype(np.float64))


@FAMILY.add(
    "frequencies-in-dtype",
    "Positions are exact now, but the frequencies are stored in the dtype of x: a small error, times a "
    "large position, is a wrong angle. Keep both factors in float64.",
)
def _frequencies_in_dtype(x: Array, positions: Array) -> Any:
    return turn(x, outer(positions, frequencies(x.shape[-1]).astype(x.dtype).astype(np.float64)))


@FAMILY.add(
    "always-float64",
    "The numbers are right, but float16 and float32 came back as float64. Cast the result to the dtype of x.",
)
def _always_float64(x: Array, positions: Array) -> Any:
    return turn(x.astype(np.float64), _angle(x, positions))


@FAMILY.add(
    "always-float32",
    "Everything comes back as float32. The result has the dtype of x, whichever that is.",
)
def _always_float32(x: Array, positions: Array) -> Any:
    return turn(x.astype(np.float32), _angle(x, positions))


@FAMILY.add(
    "always-half",
    "Everything is turned in half precision now, wider input too. Only what comes in as float16 goes out so.",
)
def _always_half(x: Array, positions: Array) -> Any:
    return turn(x.astype(np.float16), _angle(x, positions))


@FAMILY.add(
    "wrapped",
    "Positions come round after 2048: two tokens far apart stand in one place. Keep them as they are, in a "
    "type that holds them.",
)
def _wrapped(x: Array, positions: Array) -> Any:
    return turn(x, _angle(x, positions % 2048))


@FAMILY.add(
    "clipped",
    "Positions stop at 2048: all later tokens stand in one place. Keep them as they are, in a type that "
    "holds them.",
)
def _clipped(x: Array, positions: Array) -> Any:
    return turn(x, _angle(x, np.minimum(positions, 2048)))


@FAMILY.add(
    "clipped-at-largest",
    "Positions stop at the largest float16, and are rounded below it as before. It is its 11 digits that "
    "are too few: use float64.",
)
def _clipped_at_largest(x: Array, positions: Array) -> Any:
    return turn(x, _angle(x, np.minimum(positions, 65504).astype(x.dtype)))


@FAMILY.add(
    "short-integers",
    "Positions are whole numbers of 16 bits now: past 32767 they turn negative. Leave the type that they "
    "came in, or use float64.",
)
def _short_integers(x: Array, positions: Array) -> Any:
    return turn(x, _angle(x, positions.astype(np.int16)))


@FAMILY.add(
    "row-numbers",
    "The positions argument has no effect: row j is turned as position j. Use the numbers that came.",
)
def _row_numbers(x: Array, positions: Array) -> Any:
    return turn(x, _angle(x, np.arange(len(x))))


@FAMILY.add(
    "neighbours",
    "The precision is right, but features 2i and 2i+1 are turned together. The shipped program pairs i with "
    "i + d/2: leave its layout.",
)
def _neighbours(x: Array, positions: Array) -> Any:
    return rope(x, positions)
