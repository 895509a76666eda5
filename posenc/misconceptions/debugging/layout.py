"""The bug of the mixed layout: tiled cosines with the neighbours' swap (lesson 9), and mistakes in mending.

After huggingface/transformers#47328 and facebookresearch/vjepa2#15. Wrong on purpose, each in one way.
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
    return rope(x, positions)


PROBES = (
    Probe(
        (waves(3, 2), np.array([1, 2, 5])), "With two features there is one pair: turn it by the position."
    ),
    Probe(
        (waves(3, 4), np.array([0, 1, 2])),
        "Pair i is features 2i and 2i+1, and both turn by one angle: positions[j] * 10000 ** (-2i/d).",
    ),
    Probe(
        (waves(4, 6), np.array([3, 0, 7, 2])), "Positions may come in any order: use the numbers that came."
    ),
    Probe((waves(2, 8), np.array([50, 4001])), "Far positions and wide heads follow the same rule."),
)

FAMILY = Family("rotate_neighbours", _reference, PROBES)

LAYOUT = Bug(
    FAMILY,
    needs=(
        (lambda x, p: matrices(x) and x.shape[1] % 2 == 0, "x must be a float array (n, d), with d even."),
        (lambda x, p: x.size <= 10**5, "x is larger than it need be: a few rows show it."),
        (
            lambda x, p: np.shape(p) == (len(x),) and p.dtype.kind in "iu",
            "positions must be whole numbers, an array (n,) with one for each row of x.",
        ),
    ),
    blind=(
        (
            lambda x, p: x.shape[1] == 2,
            "Your rows have two features, so there is one pair and one angle: in what order angles stand "
            "cannot show. Make the rows wider.",
        ),
        (
            lambda x, p: not p.any(),
            "All your positions are 0, where every angle is 0 and nothing turns. Move further into the text.",
        ),
        (lambda x, p: not x.any(), "Your x is 0 everywhere: there is nothing to turn."),
        (
            lambda x, p: not x[p != 0].any(),
            "Every row that is not 0 stands at position 0. Put something at another position.",
        ),
    ),
)


def _angle(x: Array, positions: Array) -> Array:
    return outer(positions, frequencies(x.shape[-1]))


def _tile(a: Array) -> Array:
    return np.tile(a, 2)


def _repeat(a: Array) -> Array:
    return np.repeat(a, 2, axis=-1)


def _swap_neighbours(x: Array, sign: int = -1) -> Array:
    return np.stack([sign * x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)


def _swap_halves(x: Array) -> Array:
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([-second, first], axis=-1)


def _joined(x: Array, cos: Array, swapped: Array, sin: Array) -> Array:
    return np.asarray(x * cos + swapped * sin)


@FAMILY.add(
    "shipped",
    "This is still the shipped program, or one that computes the same: angles stand as 0, 1, ..., 0, 1, ... "
    "beside features that are paired as neighbours. Each angle has to stand twice in a row.",
)
def _shipped(x: Array, positions: Array) -> Any:
    a = _angle(x, positions)
    return _joined(x, _tile(np.cos(a)), _swap_neighbours(x), _tile(np.sin(a)))


@FAMILY.add(
    "reverse-mix",
    "Now it is mixed the other way: angles stand twice in a row, and features are paired as halves. Change "
    "one of the two, not both.",
)
def _reverse_mix(x: Array, positions: Array) -> Any:
    a = _angle(x, positions)
    return _joined(x, _repeat(np.cos(a)), _swap_halves(x), _repeat(np.sin(a)))


@FAMILY.add(
    "half-layout",
    "A proper rotation, but of features i and i + d/2: weights that were trained with neighbours would give "
    "gibberish. Keep the pairs 2i and 2i+1, and mend the angles.",
)
def _half_layout(x: Array, positions: Array) -> Any:
    return turn(x, _angle(x, positions))


@FAMILY.add(
    "sine-tiled",
    "The cosines are mended, the sines are not: both have to stand twice in a row.",
)
def _sine_tiled(x: Array, positions: Array) -> Any:
    a = _angle(x, positions)
    return _joined(x, _repeat(np.cos(a)), _swap_neighbours(x), _tile(np.sin(a)))


@FAMILY.add(
    "cosine-tiled",
    "The sines are mended, the cosines are not: both have to stand twice in a row.",
)
def _cosine_tiled(x: Array, positions: Array) -> Any:
    a = _angle(x, positions)
    return _joined(x, _tile(np.cos(a)), _swap_neighbours(x), _repeat(np.sin(a)))


@FAMILY.add(
    "swap-not-interleaved",
    "The swapped features stand in halves: minus the odd ones, then the even ones. They have to be woven "
    "together again, as minus 1, 0, minus 3, 2, ...",
)
def _swap_not_interleaved(x: Array, positions: Array) -> Any:
    a = _angle(x, positions)
    swapped = np.concatenate([-x[:, 1::2], x[:, 0::2]], axis=-1)
    return _joined(x, _repeat(np.cos(a)), swapped, _repeat(np.sin(a)))


@FAMILY.add(
    "halves-out",
    "The rotation is right, but its result stands in halves: first all even features, then all odd ones. "
    "Weave them together again.",
)
def _halves_out(x: Array, positions: Array) -> Any:
    out = rope(x, positions)
    return np.concatenate([out[:, 0::2], out[:, 1::2]], axis=-1)


@FAMILY.add(
    "clockwise",
    "A proper rotation in the other direction: checkpoints would not load. The minus belongs to the odd "
    "feature: even * cos - odd * sin.",
)
def _clockwise(x: Array, positions: Array) -> Any:
    return rope(x, -positions)


@FAMILY.add(
    "no-minus",
    "The minus sign is lost, and without it this is no rotation. The swapped features are minus the odd "
    "one, then the even one.",
)
def _no_minus(x: Array, positions: Array) -> Any:
    a = _angle(x, positions)
    return _joined(x, _repeat(np.cos(a)), _swap_neighbours(x, 1), _repeat(np.sin(a)))


@FAMILY.add(
    "one-angle",
    "All pairs turn by the angle of the first. Each pair has its own speed: 10000 ** (-2i/d).",
)
def _one_angle(x: Array, positions: Array) -> Any:
    return rope(x, positions, frequencies=np.ones(x.shape[-1] // 2))


@FAMILY.add(
    "own-angles",
    "Each feature has an angle of its own. The two of a pair share one: d/2 angles, each standing twice.",
)
def _own_angles(x: Array, positions: Array) -> Any:
    a = outer(positions, 10000.0 ** (-np.arange(x.shape[-1]) / x.shape[-1]))
    return _joined(x, np.cos(a), _swap_neighbours(x), np.sin(a))


@FAMILY.add(
    "row-numbers",
    "The positions argument has no effect: row j is turned as position j. Use the numbers that came.",
)
def _row_numbers(x: Array, positions: Array) -> Any:
    return rope(x, np.arange(len(x)))
