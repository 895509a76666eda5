"""The exercise ``interpolate(f, s)`` and its mistakes: every frequency divided by the stretch.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.misconceptions.entry import Family, Probe
from posenc.scaling import interpolated

Array = NDArray[Any]


def plain(d: int, base: float = 10000.0) -> Array:
    """Return the frequencies of d/2 pairs before any scaling."""
    return np.asarray(base ** (-np.arange(0, d, 2) / d))


def _reference(f: Array, s: float) -> Array:
    return f * interpolated(2, s)[0]  # one pair, whose plain frequency is 1


PROBES = (
    Probe((plain(8), 4), "For s = 4 every frequency must be a quarter of what it was."),
    Probe((plain(6, 500.0), 2.5), "Every frequency must be divided by s, whole or not."),
    Probe((plain(10), 1), "For s = 1 nothing is stretched: the frequencies must stay."),
    Probe((np.array([3.0, 0.5]), 16), "Divide the frequencies that are given, whatever they are."),
)

INTERPOLATE = Family("interpolate", _reference, PROBES)


def _along(f: Array) -> Array:
    """Return 0 for the first pair, 1 for the last, evenly between."""
    return np.linspace(0, 1, len(f))


@INTERPOLATE.add(
    "multiplied",
    "The frequencies grew: they are multiplied by s, or s stands upside down. To squeeze a longer text "
    "into the trained range, divide: s is the new length over the old one.",
)
def _multiplied(f: Array, s: float) -> Any:
    return f * s


@INTERPOLATE.add(
    "unchanged",
    "The frequencies came back as they were. Divide each of them by s.",
)
def _unchanged(f: Array, s: float) -> Any:
    return f.copy()


@INTERPOLATE.add(
    "subtracted",
    "The stretch was subtracted. It is a ratio of lengths: divide by it.",
)
def _subtracted(f: Array, s: float) -> Any:
    return f - s


@INTERPOLATE.add(
    "first-kept",
    "The first frequency was left alone and the others divided. Position interpolation divides all of "
    "them, the fastest too: that is what it costs.",
)
def _first_kept(f: Array, s: float) -> Any:
    return np.concatenate([f[:1], f[1:] / s])


@INTERPOLATE.add(
    "last-only",
    "Only the last frequency was divided. Position interpolation divides all of them.",
)
def _last_only(f: Array, s: float) -> Any:
    return np.concatenate([f[:-1], f[-1:] / s])


@INTERPOLATE.add(
    "ntk",
    "The divisor grows from 1 for the first pair to s for the last: that is NTK-aware scaling, the next "
    "section. Here every frequency is divided by the same s.",
)
def _ntk(f: Array, s: float) -> Any:
    return f / s ** _along(f)


@INTERPOLATE.add(
    "squared",
    "The frequencies were divided twice. Divide them by s once.",
)
def _squared(f: Array, s: float) -> Any:
    return f / s**2


@INTERPOLATE.add(
    "root",
    "The divisor is the square root of s. Both query and key stand at squeezed positions, but the squeeze is "
    "not shared between them: divide by s itself.",
)
def _root(f: Array, s: float) -> Any:
    return f / np.sqrt(s)


@INTERPOLATE.add(
    "power",
    "The stretch went into the exponent. It divides each frequency: f / s.",
)
def _power(f: Array, s: float) -> Any:
    return f ** (1 / s)


@INTERPOLATE.add(
    "floor",
    "The frequencies were rounded down. Divide with / in place of //.",
)
def _floor(f: Array, s: float) -> Any:
    return f // s


@INTERPOLATE.add(
    "one-more",
    "The divisor is s + 1. For s = 1 nothing may change: divide by s.",
)
def _one_more(f: Array, s: float) -> Any:
    return f / (s + 1)


@INTERPOLATE.add(
    "wavelengths",
    "These are wavelengths, in positions. Return frequencies, in radians per position: they become "
    "smaller where wavelengths become longer.",
)
def _wavelengths(f: Array, s: float) -> Any:
    return 2 * np.pi * s / f


@INTERPOLATE.add(
    "stretched-pairs",
    "The frequencies of other pairs were read between the given ones. It is positions that are "
    "interpolated, not pairs: divide each frequency by s.",
)
def _stretched_pairs(f: Array, s: float) -> Any:
    i = np.arange(len(f))
    return np.interp(i / s, i, f)


@INTERPOLATE.add(
    "tempered",
    "The frequencies carry YaRN's factor as well. Position interpolation divides by s, and by nothing else.",
)
def _tempered(f: Array, s: float) -> Any:
    return f / s * (0.1 * np.log(s) + 1)


@INTERPOLATE.add(
    "in-place",
    "The numbers are right, but f itself was changed. Write f / s in place of f /= s: whoever called "
    "still needs the old frequencies.",
)
def _in_place(f: Array, s: float) -> Any:
    f /= s
    return f
