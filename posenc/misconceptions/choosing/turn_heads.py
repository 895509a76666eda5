"""The exercise ``turn_heads(x, positions, s, original)`` and its mistakes: RoPE with YaRN, for each head.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.choosing import block
from posenc.misconceptions.choosing.block import waves
from posenc.misconceptions.entry import Family, Probe
from posenc.plain import Array
from posenc.rotary import rope
from posenc.scaling import by_parts, interpolated, ntk, yarn

PROBES = (
    Probe(
        (waves(3, 5, 6), np.array([0, 1, 2, 3, 4]), 1, 100),
        "At s = 1 nothing is stretched: each head is turned by plain RoPE, features 2i and 2i+1 by "
        "position p.",
    ),
    Probe(
        (waves(3, 5, 6), np.array([60, 0, 7, 31, 150]), 2, 100),
        "At s = 2: yarn's frequencies for the head's width and the original length, and its "
        "attention factor.",
    ),
    Probe(
        (waves(2, 4, 16), np.array([900, 1, 17, 300]), 4, 256),
        "Any width, stretch and length: frequencies and attention factor both come from yarn.",
    ),
)


def _reference(x: Array, positions: Array, s: float, original: float) -> Array:
    return block.turn_heads(x, positions, s, original)


TURN_HEADS = Family("turn_heads", _reference, PROBES)


@TURN_HEADS.add(
    "not-stretched",
    "The frequencies are plain RoPE's: what yarn returns is not used. Hand its frequencies to rope.",
)
def _not_stretched(x: Array, positions: Array, s: float, original: float) -> Array:
    return rope(x, positions, attention_factor=yarn(x.shape[-1], s, original=original)[1])


@TURN_HEADS.add(
    "plain",
    "That is RoPE without any scaling. Hand rope the frequencies and the attention factor that yarn returns.",
)
def _plain(x: Array, positions: Array, s: float, original: float) -> Array:
    return rope(x, positions)


@TURN_HEADS.add(
    "factor-missing",
    "The frequencies are right, the attention factor is missing. yarn returns it second, and rope "
    "takes it by name.",
)
def without_factor(x: Array, positions: Array, s: float, original: float) -> Array:
    """Turn with YaRN's frequencies, and forget its factor."""
    return rope(x, positions, frequencies=yarn(x.shape[-1], s, original=original)[0])


@TURN_HEADS.add(
    "factor-twice",
    "The attention factor is in twice. It multiplies cosine and sine once; a score has it squared "
    "since query and "
    "key both carry it.",
)
def factor_twice(x: Array, positions: Array, s: float, original: float) -> Array:
    """Turn rightly, and multiply by YaRN's factor once more."""
    return block.turn_heads(x, positions, s, original) * yarn(x.shape[-1], s, original=original)[1]


@TURN_HEADS.add(
    "factor-root",
    "The root of the attention factor is used. Query and key each carry the whole factor.",
)
def _factor_root(x: Array, positions: Array, s: float, original: float) -> Array:
    frequencies, factor = yarn(x.shape[-1], s, original=original)
    return rope(x, positions, frequencies=frequencies, attention_factor=factor**0.5)


@TURN_HEADS.add(
    "factor-divided",
    "The attention factor divides here. It multiplies: YaRN makes the scores of a longer text sharper.",
)
def _factor_divided(x: Array, positions: Array, s: float, original: float) -> Array:
    frequencies, factor = yarn(x.shape[-1], s, original=original)
    return rope(x, positions, frequencies=frequencies, attention_factor=1 / factor)


@TURN_HEADS.add(
    "factor-on-frequencies",
    "The attention factor is multiplied into the frequencies, so the angles change. It multiplies "
    "cosine and sine.",
)
def _factor_on_frequencies(x: Array, positions: Array, s: float, original: float) -> Array:
    frequencies, factor = yarn(x.shape[-1], s, original=original)
    return rope(x, positions, frequencies=frequencies * factor)


@TURN_HEADS.add(
    "extended-length",
    "The extended length is used in the ramp. `original` is the length that the model was trained "
    "with: do not "
    "multiply it by s.",
)
def _extended_length(x: Array, positions: Array, s: float, original: float) -> Array:
    return block.turn_heads(x, positions, s, original * s)


@TURN_HEADS.add(
    "shortened-length",
    "The original length is divided by s. It is the length that the model was trained with: take it "
    "as it comes.",
)
def _shortened_length(x: Array, positions: Array, s: float, original: float) -> Array:
    return block.turn_heads(x, positions, s, original / s)


@TURN_HEADS.add(
    "model-width",
    "The frequencies are spaced for the model's width d. A head is turned by itself: use the head's "
    "own width.",
)
def _model_width(x: Array, positions: Array, s: float, original: float) -> Array:
    frequencies, factor = yarn(x.shape[0] * x.shape[-1], s, original=original)
    return rope(x, positions, frequencies=frequencies[: x.shape[-1] // 2], attention_factor=factor)


@TURN_HEADS.add(
    "interpolated",
    "Every pair is slowed by s, the fast ones too: that is plain interpolation. YaRN leaves the fast "
    "pairs alone.",
)
def _interpolated(x: Array, positions: Array, s: float, original: float) -> Array:
    factor = yarn(x.shape[-1], s, original=original)[1]
    frequencies = interpolated(x.shape[-1], s)[0]
    return rope(x, positions, frequencies=frequencies, attention_factor=factor)


@TURN_HEADS.add(
    "ntk",
    "The frequencies are NTK-aware ones. Take those that yarn returns.",
)
def _ntk(x: Array, positions: Array, s: float, original: float) -> Array:
    factor = yarn(x.shape[-1], s, original=original)[1]
    return rope(x, positions, frequencies=ntk(x.shape[-1], s)[0], attention_factor=factor)


@TURN_HEADS.add(
    "by-parts",
    "That is the paper's NTK-by-parts, linear in the number of turns. yarn follows the released "
    "code, linear in the "
    "index of the pair.",
)
def _by_parts(x: Array, positions: Array, s: float, original: float) -> Array:
    factor = yarn(x.shape[-1], s, original=original)[1]
    frequencies = by_parts(x.shape[-1], s, original=original)[0]
    return rope(x, positions, frequencies=frequencies, attention_factor=factor)


@TURN_HEADS.add(
    "positions-divided",
    "The positions are divided by s on top of yarn's frequencies, so everything is stretched twice.",
)
def _positions_divided(x: Array, positions: Array, s: float, original: float) -> Array:
    return block.turn_heads(x, np.asarray(positions) / s, s, original)


@TURN_HEADS.add(
    "positions-counted",
    "Rows are turned by their number: the argument `positions` is not used. Row j stands at positions[j].",
)
def _positions_counted(x: Array, positions: Array, s: float, original: float) -> Array:
    return block.turn_heads(x, np.arange(x.shape[-2]), s, original)


@TURN_HEADS.add(
    "positions-one-ahead",
    "Every row is turned one position too far. Positions count from 0.",
)
def _positions_one_ahead(x: Array, positions: Array, s: float, original: float) -> Array:
    return block.turn_heads(x, np.asarray(positions) + 1, s, original)


@TURN_HEADS.add(
    "heads-axis",
    "Heads are turned by their number, and the rows of a head all alike. The axes are (h, n, w): "
    "turn along the "
    "second.",
)
def _heads_axis(x: Array, positions: Array, s: float, original: float) -> Array:
    return block.turn_heads(x, np.arange(len(x))[:, None], s, original)


@TURN_HEADS.add(
    "half-layout",
    "Features are paired as i and i + w/2, the half layout. Here pairs are neighbours, rope's default.",
)
def _half_layout(x: Array, positions: Array, s: float, original: float) -> Array:
    frequencies, factor = yarn(x.shape[-1], s, original=original)
    return rope(x, positions, frequencies=frequencies, attention_factor=factor, layout="half")


@TURN_HEADS.add("clockwise", "The rows turn clockwise. Turn counter-clockwise, as rope does.")
def _clockwise(x: Array, positions: Array, s: float, original: float) -> Array:
    return block.turn_heads(x, -np.asarray(positions), s, original)


@TURN_HEADS.add(
    "first-head-only",
    "Only the first head is turned. Every head is, by the same table.",
)
def _first_head_only(x: Array, positions: Array, s: float, original: float) -> Array:
    return np.concatenate([block.turn_heads(x[:1], positions, s, original), x[1:]])


@TURN_HEADS.add("in-place", "The numbers are right, but x itself was changed. Return a new array.")
def _in_place(x: Array, positions: Any, s: float, original: float) -> Array:
    x[...] = block.turn_heads(x, positions, s, original)
    return x
