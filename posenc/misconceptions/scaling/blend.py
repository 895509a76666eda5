"""The exercise ``blend(f, s, ramp)`` and its mistakes: kept and divided frequencies, mixed by the ramp.

Wrong on purpose, each in one way. With a ramp of 0 and 1 alone many mistakes cannot be told apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Family, Probe
from posenc.misconceptions.scaling.interpolate import Array, plain


def _reference(f: Array, s: float, ramp: Array) -> Array:
    return np.asarray(f * (1 - ramp) + f / s * ramp)


def _between(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where a frequency is outside of what it is mixed from."""
    f, s, _ = args
    off = (got > f * (1 + 1e-9)) | (got < f / s * (1 - 1e-9))
    return "Every frequency must lie between f / s and f." if off.any() else None


PROBES = (
    Probe((plain(8), 4, np.zeros(4)), "Where the ramp is 0, the frequency must stay."),
    Probe((plain(8), 4, np.ones(4)), "Where the ramp is 1, the frequency must be divided by s."),
    Probe(
        (plain(6), 2, np.array([0, 0.5, 1])),
        "Halfway up the ramp, half of f and half of f / s must be added.",
    ),
    Probe(
        (plain(10, 500.0), 8, np.array([0, 0.1, 0.3, 0.6, 1])), "Each pair must be mixed by its own value."
    ),
)

BLEND = Family("blend", _reference, PROBES, invariant=_between)


@BLEND.add(
    "inverted",
    "The ramp is upside down: where it is 0 the frequency is divided, where it is 1 it is kept. It must "
    "be the other way round.",
)
def _inverted(f: Array, s: float, ramp: Array) -> Any:
    return f * ramp + f / s * (1 - ramp)


@BLEND.add(
    "multiplied",
    "Slow frequencies grew: f * s was mixed in. Mix in f / s.",
)
def _multiplied(f: Array, s: float, ramp: Array) -> Any:
    return f * (1 - ramp) + f * s * ramp


@BLEND.add(
    "everything",
    "Every frequency was divided by s, whatever the ramp. Where it is 0 the frequency stays.",
)
def _everything(f: Array, s: float, ramp: Array) -> Any:
    return f / s


@BLEND.add(
    "nothing",
    "The frequencies came back as they were. Where the ramp is 1, divide by s.",
)
def _nothing(f: Array, s: float, ramp: Array) -> Any:
    return f.copy()


@BLEND.add(
    "divisors",
    "The divisors 1 and s were mixed, or the wavelengths. Mix the frequencies: (1 - ramp) * f + ramp * "
    "f / s.",
)
def _divisors(f: Array, s: float, ramp: Array) -> Any:
    return f / (1 - ramp + ramp * s)


@BLEND.add(
    "powers",
    "The ramp went into the exponent of s, as for NTK. Mix in a straight line: (1 - ramp) * f + ramp * "
    "f / s.",
)
def _powers(f: Array, s: float, ramp: Array) -> Any:
    return f / s**ramp


@BLEND.add(
    "threshold",
    "Each frequency is either kept or divided. Between 0 and 1 the ramp mixes the two.",
)
def _threshold(f: Array, s: float, ramp: Array) -> Any:
    return np.where(ramp < 0.5, f, f / s)


@BLEND.add(
    "kept-in-full",
    "f was added in full, and ramp * f / s on top. Weigh it with 1 - ramp, so that the weights add up to 1.",
)
def _kept_in_full(f: Array, s: float, ramp: Array) -> Any:
    return f + ramp * f / s


@BLEND.add(
    "divided-in-full",
    "f / s was added in full. Weigh it with the ramp, so that the weights add up to 1.",
)
def _divided_in_full(f: Array, s: float, ramp: Array) -> Any:
    return (1 - ramp) * f + f / s


@BLEND.add(
    "only-kept",
    "The divided part is missing: slow frequencies became 0. Add ramp * f / s.",
)
def _only_kept(f: Array, s: float, ramp: Array) -> Any:
    return (1 - ramp) * f


@BLEND.add(
    "only-divided",
    "The kept part is missing: fast frequencies became 0. Add (1 - ramp) * f.",
)
def _only_divided(f: Array, s: float, ramp: Array) -> Any:
    return ramp * f / s


@BLEND.add(
    "no-frequency",
    "The second part lacks the frequency: it is ramp * f / s, not ramp / s.",
)
def _no_frequency(f: Array, s: float, ramp: Array) -> Any:
    return (1 - ramp) * f + ramp / s


@BLEND.add(
    "subtracted",
    "ramp * f / s was subtracted from f. Take away ramp * f first, then add ramp * f / s.",
)
def _subtracted(f: Array, s: float, ramp: Array) -> Any:
    return f - ramp * f / s


@BLEND.add(
    "kept-part-divided",
    "The part that is kept was divided as well. Only the part that the ramp weighs is: ramp * f / s.",
)
def _kept_part_divided(f: Array, s: float, ramp: Array) -> Any:
    return ((1 - ramp) * f + ramp * f / s) / s


@BLEND.add(
    "tempered",
    "The frequencies carry YaRN's factor. It multiplies cosines and sines, not angles, and is a step of "
    "its own.",
)
def _tempered(f: Array, s: float, ramp: Array) -> Any:
    return _reference(f, s, ramp) * (0.1 * np.log(s) + 1)


@BLEND.add(
    "summed",
    "The pairs were added up. Return a frequency for each: use * in place of @.",
)
def _summed(f: Array, s: float, ramp: Array) -> Any:
    return f @ (1 - ramp) + f / s @ ramp


@BLEND.add(
    "in-place",
    "The numbers are right, but f or the ramp was changed. Write into a new array.",
)
def _in_place(f: Array, s: float, ramp: Array) -> Any:
    f[:] = _reference(f, s, ramp)
    return f
