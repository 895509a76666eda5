"""Mistakes in ``rope(x, position)`` about pairs: which features form one, which way it turns, the signs.

Wrong on purpose, each in one way. Positions may also come as (n, 1), so that `rotate` can make the same
mistakes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.rotary.rope import (
    ROPE,
    Array,
    angles,
    pairs,
    repeated,
    rotate_half,
    rotate_neighbours,
    tiled,
    turn,
)

__all__ = ["ROPE"]


@ROPE.add(
    "clockwise",
    "This turns by minus the angle: a valid rotation, but in the other direction: checkpoints would"
    " not load. The convention is counter-clockwise: the minus sign stands in the even feature, "
    "before the odd one's sine.",
)
def _clockwise(x: Array, p: Any) -> Any:
    return turn(x, -angles(x, p))


@ROPE.add(
    "half-layout",
    "That is the half-split layout of GPT-NeoX and Hugging Face, which pairs feature i with feature"
    " i + d/2. Here pairs are neighbours: features 2i and 2i+1.",
)
def _half_layout(x: Array, p: Any) -> Any:
    a = tiled(angles(x, p))
    return x * np.cos(a) + rotate_half(x) * np.sin(a)


@ROPE.add(
    "half-layout-clockwise",
    "Two things differ: pairs are features i and i + d/2 (the half-split layout), and they turn "
    "clockwise. Here pairs are neighbours, 2i and 2i+1, and turn counter-clockwise.",
)
def _half_layout_clockwise(x: Array, p: Any) -> Any:
    return _half_layout(x, -p)


@ROPE.add(
    "tiled-angles",
    "Your pairs are neighbours, but cosines and sines come as c0, c1, ..., c0, c1, ... (np.tile or "
    "concatenate). Neighbours share an angle, so repeat each one: c0, c0, c1, c1, ...",
)
def _tiled_angles(x: Array, p: Any) -> Any:
    a = tiled(angles(x, p))
    return x * np.cos(a) + rotate_neighbours(x) * np.sin(a)


@ROPE.add(
    "repeated-angles",
    "Cosines repeat as c0, c0, c1, c1, ..., which fits neighbours, but the swap is the one for "
    "halves (rotate_half). Use the swap for neighbours: -x1, x0, -x3, x2, ...",
)
def _repeated_angles(x: Array, p: Any) -> Any:
    a = repeated(angles(x, p))
    return x * np.cos(a) + rotate_half(x) * np.sin(a)


@ROPE.add(
    "no-minus",
    "Both features add their sine term. A rotation needs one minus sign: even feature x0 cos - x1 "
    "sin, odd x0 sin + x1 cos.",
)
def _no_minus(x: Array, p: Any) -> Any:
    c, s = np.cos(angles(x, p)), np.sin(angles(x, p))
    a, b = x[..., 0::2], x[..., 1::2]
    return pairs(a * c + b * s, a * s + b * c)


@ROPE.add(
    "two-minuses",
    "Both features subtract their sine term. A rotation needs exactly one minus sign, in the even "
    "feature; the odd one adds.",
)
def _two_minuses(x: Array, p: Any) -> Any:
    c, s = np.cos(angles(x, p)), np.sin(angles(x, p))
    a, b = x[..., 0::2], x[..., 1::2]
    return pairs(a * c - b * s, b * c - a * s)


@ROPE.add(
    "reflection",
    "This mirrors each pair instead of turning it: lengths are kept, but position 0 already changes"
    " x. A rotation has cosines with equal signs and sines with opposite ones.",
)
def _reflection(x: Array, p: Any) -> Any:
    c, s = np.cos(angles(x, p)), np.sin(angles(x, p))
    a, b = x[..., 0::2], x[..., 1::2]
    return pairs(a * c + b * s, a * s - b * c)


@ROPE.add(
    "even-overwritten",
    "The even feature was overwritten before the odd one used it. Compute both from the old values:"
    " take copies of the even and odd features first, or write into a new array.",
)
def _even_overwritten(x: Array, p: Any) -> Any:
    c, s = np.cos(angles(x, p)), np.sin(angles(x, p))
    b = x[..., 1::2]
    a = x[..., 0::2] * c - b * s
    return pairs(a, a * s + b * c)


@ROPE.add(
    "odd-overwritten",
    "The odd feature was overwritten before the even one used it. Compute both from the old values:"
    " take copies of the even and odd features first, or write into a new array.",
)
def _odd_overwritten(x: Array, p: Any) -> Any:
    c, s = np.cos(angles(x, p)), np.sin(angles(x, p))
    a = x[..., 0::2]
    b = a * s + x[..., 1::2] * c
    return pairs(a * c - b * s, b)


@ROPE.add(
    "cosine-only",
    "Only the cosine terms are there. A rotation mixes the two features of a pair: each also gets "
    "the other one times the sine.",
)
def _cosine_only(x: Array, p: Any) -> Any:
    return x * np.cos(repeated(angles(x, p)))


@ROPE.add(
    "swapped-sine-cosine",
    "Sine and cosine have changed places: at position 0, where nothing should move, pairs already "
    "turn. The cosine multiplies a feature itself, the sine its neighbour.",
)
def _swapped(x: Array, p: Any) -> Any:
    c, s = np.sin(angles(x, p)), np.cos(angles(x, p))
    a, b = x[..., 0::2], x[..., 1::2]
    return pairs(a * c - b * s, a * s + b * c)


@ROPE.add(
    "not-interleaved",
    "The numbers are right but stand in the wrong places: all even features first, then all odd "
    "ones. Write them back to slots 0::2 and 1::2, where they came from.",
)
def _not_interleaved(x: Array, p: Any) -> Any:
    turned = turn(x, angles(x, p))
    return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)


@ROPE.add(
    "one-pair",
    "Only the first pair turns. Every pair does, each at its own speed.",
)
def _one_pair(x: Array, p: Any) -> Any:
    return np.concatenate([turn(x[..., :2], p * np.ones(1)), x[..., 2:]], axis=-1)


@ROPE.add(
    "first-axis",
    "Pairs were taken along the first axis, which agrees only while x is a single vector. Features "
    "are the last axis: x[..., 0::2], x[..., 1::2] and x.shape[-1].",
)
def _first_axis(x: Array, p: Any) -> Any:
    if x.ndim == 1:
        return turn(x, angles(x, p))
    out = np.empty(x.shape)
    d = len(x)
    w = (p * 10000.0 ** (-np.arange(0, d, 2) / d)).reshape(-1, *[1] * (x.ndim - 1))
    out[0::2] = x[0::2] * np.cos(w) - x[1::2] * np.sin(w)
    out[1::2] = x[0::2] * np.sin(w) + x[1::2] * np.cos(w)
    return out


@ROPE.add(
    "one-vector",
    "This works for a single vector only. Leading axes are batch axes: write x[..., 0::2] instead "
    "of x[0::2], and the same for the odd ones.",
)
def _one_vector(x: Array, p: Any) -> Any:
    a, b = x[0::2], x[1::2]
    c, s = np.cos(angles(x, p)), np.sin(angles(x, p))
    return np.stack([a * c - b * s, a * s + b * c], axis=-1).reshape(x.shape)


@ROPE.add(
    "in-place",
    "The numbers are right, but x itself was changed. Write into a new array: whoever called still "
    "needs the old x.",
)
def _in_place(x: Array, p: Any) -> Any:
    x[...] = turn(x, angles(x, p))
    return x


@ROPE.add(
    "adds-encoding",
    "This adds sines and cosines to x. RoPE adds nothing: it multiplies, turning each pair of x by an angle.",
)
def _adds_encoding(x: Array, p: Any) -> Any:
    return x + pairs(np.sin(angles(x, p)), np.cos(angles(x, p)))


@ROPE.add(
    "neighbours-swapped",
    "Each feature was multiplied by its sine and its neighbour by the cosine. The cosine stays with"
    " the feature itself: x0 cos - x1 sin, then x0 sin + x1 cos.",
)
def _crossed(x: Array, p: Any) -> Any:
    c, s = np.cos(angles(x, p)), np.sin(angles(x, p))
    a, b = x[..., 0::2], x[..., 1::2]
    return pairs(b * c - a * s, b * s + a * c)


@ROPE.add(
    "scaled",
    "Each number is too small by the square root of d. That scaling belongs to the attention "
    "scores, not to the rotation.",
)
def _scaled(x: Array, p: Any) -> Any:
    return turn(x, angles(x, p)) / np.sqrt(x.shape[-1])


@ROPE.add(
    "truncated",
    "The decimals are lost: the result was written into an array of integers. Make it with "
    "np.empty_like(x) for a float x, or dtype=float.",
)
def _truncated(x: Array, p: Any) -> Any:
    return np.asarray(np.trunc(turn(x, angles(x, p))).astype(np.int64))
