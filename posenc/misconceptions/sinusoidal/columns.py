"""Mistakes about the columns of sinusoids: which wave stands where, and what is done to them afterwards.

Wrong on purpose, each in one way: ``wrong(p, d)`` gives the codes, (..., d).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.sinusoidal.codes import BASE, Slip, angles, at, columns

__all__ = ["COLUMNS"]


def _swapped(p: Any, d: int) -> Any:
    a = angles(p, d)
    return columns(np.cos(a), np.sin(a), d)


def _half_flipped(p: Any, d: int) -> Any:
    a = angles(p, d)
    return np.concatenate([np.cos(a), np.sin(a)[..., : d // 2]], axis=-1)


def _sine_only(p: Any, d: int) -> Any:
    a = angles(p, d)
    return columns(np.sin(a), np.sin(a), d)


def _cosine_only(p: Any, d: int) -> Any:
    a = angles(p, d)
    return columns(np.cos(a), np.cos(a), d)


def _odd_columns_empty(p: Any, d: int) -> Any:
    a = angles(p, d)
    return columns(np.sin(a), np.zeros_like(a), d)


def _negated(p: Any, d: int) -> Any:
    a = angles(p, d)
    return columns(-np.sin(a), np.cos(a), d)


def _own(p: Any, d: int, twice: int) -> Any:
    j = np.arange(d)
    a = np.asarray(p, dtype=np.float64)[..., None] * BASE ** (-twice * j / d)
    return np.where(j % 2, np.cos(a), np.sin(a))


def _angles_only(p: Any, d: int) -> Any:
    a = angles(p, d)
    return columns(a, a, d)


def _normalised(p: Any, d: int) -> Any:
    codes = at(p, d)
    return codes / np.linalg.norm(codes, axis=-1, keepdims=True)


COLUMNS = (
    Slip(
        "swapped-sine-cosine",
        "Sine and cosine have changed places. Even columns hold the sine: at position 0 they must be 0.",
        _swapped,
    ),
    Slip(
        "half-layout",
        "Right numbers, block layout: all sines, then all cosines. Here they alternate, sin, cos, sin, cos: "
        "columns 0::2 and 1::2.",
        lambda p, d: at(p, d, layout="half"),
    ),
    Slip(
        "half-layout-flipped",
        "Right numbers in blocks, the cosines first, as diffusion models have them. Here they alternate, "
        "sin, cos, sin, cos.",
        _half_flipped,
    ),
    Slip(
        "tensor2tensor",
        "This is the variant of tensor2tensor and fairseq. It differs from the paper twice: sines and "
        "cosines stand in blocks, and i is divided by d/2 - 1 instead of d/2.",
        lambda p, d: at(p, d, layout="half", spacing="tensor2tensor"),
    ),
    Slip(
        "sine-only",
        "Odd columns hold the sine again. They hold the cosine: without it PE(p+k) is no linear function of "
        "PE(p).",
        _sine_only,
    ),
    Slip(
        "cosine-only",
        "Even columns hold the cosine as well. They hold the sine: a cosine alone cannot tell before from "
        "after.",
        _cosine_only,
    ),
    Slip(
        "odd-columns-empty",
        "The odd columns were never filled. They hold the cosines: pe[:, 1::2].",
        _odd_columns_empty,
    ),
    Slip(
        "negated",
        "The sines have the wrong sign: a minus has got into the angles. Only the exponent is negative.",
        _negated,
    ),
    Slip(
        "own-frequency",
        "Each column got a frequency of its own. The two columns of a pair share one: the exponent is "
        "2 * (j // 2) / d for column j.",
        lambda p, d: _own(p, d, 1),
    ),
    Slip(
        "own-frequency-doubled",
        "The index in the exponent ran over columns, and was doubled besides. The two columns of a pair "
        "share a frequency: the exponent is 2 * (j // 2) / d for column j.",
        lambda p, d: _own(p, d, 2),
    ),
    Slip(
        "angles-only",
        "These are the angles themselves. Take the sine of each for the even column and the cosine for the "
        "odd one.",
        _angles_only,
    ),
    Slip(
        "truncated",
        "Only -1, 0 and 1 are left: the result was written into an array of integers. Make it with "
        "np.zeros((N, d)) as it stands, which is float.",
        lambda p, d: np.trunc(at(p, d)).astype(np.int64),
    ),
    Slip(
        "scaled",
        "Every number is too large by the square root of d. That factor scales the token embedding in the "
        "paper, not the position.",
        lambda p, d: at(p, d) * np.sqrt(d),
    ),
    Slip(
        "normalised",
        "The rows were divided by their length. Leave them: each pair has length 1, so all rows have the "
        "same length already.",
        _normalised,
    ),
)
