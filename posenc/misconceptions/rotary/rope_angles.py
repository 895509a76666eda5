"""Mistakes in ``rope(x, position)`` about angles: frequencies, units, positions, precision.

Wrong on purpose, each in one way. Positions may also come as (n, 1), so that `rotate` can make the same
mistakes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer
from posenc.misconceptions.rotary.rope import BASE, Array, angles, exponent, turn
from posenc.misconceptions.rotary.rope_pairs import ROPE

__all__ = ["ROPE"]  # by now with all its mistakes


def _enter(name: str, line: str, wrong_angles: Answer) -> None:
    """Enter the rotation that is right but for its angles."""

    def wrong(x: Array, p: Any) -> Any:
        return turn(x, wrong_angles(x, p))

    ROPE.add(name, line)(wrong)


def _i(x: Array) -> Any:
    return np.arange(x.shape[-1] // 2)


def _half_precision(x: Array, p: Any) -> Any:
    half = np.float16
    return (np.asarray(p).astype(half) * (BASE ** -exponent(x)).astype(half)).astype(half)


def _single_precision(x: Array, p: Any) -> Any:
    single = np.float32
    return np.asarray(p).astype(single) * (BASE ** -exponent(x)).astype(single)


# --- the frequencies

_enter(
    "half-exponent",
    "Your frequencies fall half as fast as they should. With pair index i the exponent is -2i/d, not -i/d.",
    lambda x, p: p * BASE ** (-_i(x) / x.shape[-1]),
)
_enter(
    "double-exponent",
    "Your frequencies fall twice as fast as they should. np.arange(0, d, 2) already is 2i: do not "
    "double it again.",
    lambda x, p: p * BASE ** (-2 * exponent(x)),
)
_enter(
    "positive-exponent",
    "The exponent lost its minus sign: later pairs turn faster here, and should turn slower.",
    lambda x, p: p * BASE ** exponent(x),
)
_enter(
    "one-angle",
    "Every pair turns by the same angle. Each has its own frequency, 10000 ** (-2i/d): check that "
    "the exponent depends on i and is not an integer division.",
    lambda x, p: p * np.ones(x.shape[-1] // 2),
)
_enter(
    "reversed-frequencies",
    "The frequencies are right but in reverse order. The first pair is the fastest, at 1 radian per"
    " position.",
    lambda x, p: p * BASE ** -exponent(x)[::-1],
)
_enter(
    "model-width",
    "The exponent divides by the width of a whole model of several heads. Divide by d, the width of"
    " the head in hand: x.shape[-1].",
    lambda x, p: p * BASE ** (-np.arange(0, x.shape[-1], 2) / (4 * x.shape[-1])),
)
_enter(
    "fixed-width",
    "The exponent divides by a fixed 512. Divide by d, the number of features that came: x.shape[-1].",
    lambda x, p: p * BASE ** (-np.arange(0, x.shape[-1], 2) / 512),
)
_enter(
    "size-for-width",
    "The exponent divides by the number of all entries of x, which equals d only for a single "
    "vector. Divide by x.shape[-1].",
    lambda x, p: p * BASE ** (-np.arange(0, x.shape[-1], 2) / x.size),
)
_enter(
    "tensor2tensor-spacing",
    "Your last pair turns at exactly 1/10000: that is the spacing of tensor2tensor's sinusoids, "
    "which divides i by d/2 - 1. RoPE divides by d/2, so that the exponent is -2i/d.",
    lambda x, p: p * BASE ** (-_i(x) / max(x.shape[-1] // 2 - 1, 1)),
)
_enter(
    "width-minus-one",
    "The exponent divides by d - 1. Divide by d.",
    lambda x, p: p * BASE ** (-np.arange(0, x.shape[-1], 2) / (x.shape[-1] - 1)),
)
_enter(
    "counted-from-one",
    "Your first pair is already slower than 1 radian per position: pairs were counted from 1. Count"
    " i from 0.",
    lambda x, p: p * BASE ** (-2 * (_i(x) + 1) / x.shape[-1]),
)
_enter(
    "base-1000",
    "Your base looks like 1000. It is 10000 here.",
    lambda x, p: p * 1000.0 ** -exponent(x),
)
_enter(
    "base-500000",
    "Your base looks like 500000, that of Llama 3. It is 10000 here.",
    lambda x, p: p * 500000.0 ** -exponent(x),
)
_enter(
    "decimal-logarithm",
    "np.exp undoes the natural logarithm: use np.log(10000), not np.log10(10000).",
    lambda x, p: p * np.exp(-exponent(x) * np.log10(BASE)),
)
_enter(
    "power-of-quotient",
    "The exponent was taken of position / 10000 together. Only 10000 is raised to it: position / "
    "10000 ** (2i/d), mind the brackets.",
    lambda x, p: (p / BASE) ** exponent(x),
)

# --- units and positions

_enter(
    "degrees",
    "The angles were taken for degrees. They are radians already: no np.deg2rad, no pi / 180.",
    lambda x, p: np.deg2rad(angles(x, p)),
)
_enter(
    "whole-turns",
    "The angles carry an extra 2 pi. The first pair turns by 1 radian per position, not by a whole turn.",
    lambda x, p: 2 * np.pi * angles(x, p),
)
_enter(
    "pi-turns",
    "The angles carry an extra pi. The first pair turns by 1 radian per position.",
    lambda x, p: np.pi * angles(x, p),
)
_enter(
    "half-angle",
    "Every angle is half of what it should be. The pair turns by position * frequency: no half "
    "angles, unlike quaternions.",
    lambda x, p: angles(x, p) / 2,
)
_enter(
    "twice",
    "Every angle is doubled: the rotation seems to be applied twice. Once is enough.",
    lambda x, p: 2 * angles(x, p),
)
_enter(
    "positions-from-one",
    "Positions were counted from 1. Scores would not notice, but position 0 must leave x unchanged.",
    lambda x, p: angles(x, p + 1),
)
_enter(
    "ignores-position",
    "The position has no effect: every call turns by the angles of position 1. Multiply the "
    "frequencies by the position that came.",
    lambda x, p: angles(x, np.ones_like(p)),
)
_enter(
    "unchanged",
    "x came back as it was. Turn each pair by position * 10000 ** (-2i/d) radians.",
    lambda x, p: angles(x, np.zeros_like(p)),
)

# --- precision

_enter(
    "half-precision-angles",
    "The angles were computed in half precision, which cannot even hold every position above 2048. "
    "Compute them in float64 and cast last.",
    _half_precision,
)
_enter(
    "single-precision-angles",
    "Close, but the angles were computed in float32, which drifts at far positions. Compute them in"
    " float64 and cast last.",
    _single_precision,
)
