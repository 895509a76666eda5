"""The exercise ``encode(positions, d)`` and its mistakes: any positions, in any shape and order, any d.

Wrong on purpose, each in one way. Most mistakes in `sinusoidal` are entered here again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer, Family, Probe
from posenc.misconceptions.sinusoidal.angles import FREQUENCIES, POSITIONS, PRECISION, UNITS
from posenc.misconceptions.sinusoidal.codes import BASE, at, columns, enter, pair_lengths, waves
from posenc.misconceptions.sinusoidal.columns import COLUMNS

PROBES = (
    Probe(
        (np.array([0, 1, 2]), 4),
        "Features 2i and 2i+1 of a position p must be the sine and the cosine of p / 10000 ** (2i/d).",
    ),
    Probe(
        (np.array([7, 0, 3, 4001, 2]), 8),
        "Positions may come in any order and with gaps: the code belongs to the number, not to its place.",
    ),
    Probe((5, 6), "A single number must give a single code, of shape (d,)."),
    Probe(
        (np.array([0.5, 2.75, -3.4]), 6),
        "A position may be any real number, between integers or below 0, and must be used as it is.",
    ),
    Probe(
        (np.array([[4, 1, 1], [2, 3, 9]]), 10),
        "Positions of any shape keep it: one axis of d features is added at the end.",
    ),
    Probe((np.array([1, 3]), 5), "With odd d the last pair must be a sine alone: its cosine is left out."),
    Probe((np.array([123457.0, 2049.0]), 16), "Far positions must be exact too: compute angles in float64."),
)

ENCODE = Family("encode", at, PROBES, invariant=pair_lengths)


def _of_angles(wrong: Answer) -> Answer:
    return lambda positions, d: waves(wrong(positions, d), d)


enter(ENCODE, FREQUENCIES + UNITS + PRECISION + POSITIONS, _of_angles)
enter(ENCODE, COLUMNS, lambda wrong: wrong)


# --- which positions


@ENCODE.add(
    "row-numbers",
    "The numbers in positions have no effect: the codes of 0, 1, 2, ... come back. Use the positions that "
    "came.",
)
def _row_numbers(positions: Any, d: int) -> Any:
    return at(np.arange(np.size(positions)).reshape(np.shape(positions)), d)


@ENCODE.add(
    "whole-numbers",
    "Positions were cut to whole numbers, as a look-up in a table would need. The formula takes any real "
    "number: use it as it is.",
)
def _whole_numbers(positions: Any, d: int) -> Any:
    return at(np.trunc(positions), d)


@ENCODE.add(
    "rounded",
    "Positions were rounded to whole numbers. The formula takes any real number: use it as it is.",
)
def _rounded(positions: Any, d: int) -> Any:
    return at(np.round(positions), d)


@ENCODE.add(
    "unsigned",
    "Positions below 0 lost their sign. Their sines are negative: leave out the absolute value.",
)
def _unsigned(positions: Any, d: int) -> Any:
    return at(np.abs(positions), d)


@ENCODE.add("clipped", "Positions below 0 were taken for 0. The formula takes any real number.")
def _clipped(positions: Any, d: int) -> Any:
    return at(np.maximum(positions, 0), d)


@ENCODE.add(
    "sorted",
    "The codes come back in the order of the positions' size. Keep the order in which they came.",
)
def _sorted(positions: Any, d: int) -> Any:
    return at(np.sort(positions, axis=None).reshape(np.shape(positions)), d)


@ENCODE.add("from-first", "Positions were counted from the first one. Each stands for itself.")
def _from_first(positions: Any, d: int) -> Any:
    return at(positions - np.ravel(positions)[0], d)


@ENCODE.add(
    "fractions",
    "Positions were divided by how many there are. Use each as it is: no code depends on another.",
)
def _fractions(positions: Any, d: int) -> Any:
    return at(positions / np.size(positions), d)


@ENCODE.add(
    "by-largest",
    "Positions were divided by the largest one. Use each as it is: no code depends on another.",
)
def _by_largest(positions: Any, d: int) -> Any:
    return at(positions / np.max(positions), d)


@ENCODE.add(
    "whole-table",
    "The whole table up to the largest position came back. Return the codes of the positions that were "
    "asked for, one each.",
)
def _whole_table(positions: Any, d: int) -> Any:
    return at(np.arange(int(np.max(positions)) + 1), d)


# --- shapes


@ENCODE.add(
    "one-axis-only",
    "This works for a list of positions, not for a single number or a table. Write "
    "np.asarray(positions)[..., None], which adds an axis to any shape.",
)
def _one_axis_only(positions: Any, d: int) -> Any:
    p = np.asarray(positions)[:, None]
    return waves(p * BASE ** (-np.arange(0, d, 2) / d), d)


@ENCODE.add(
    "number-as-row",
    "A single number came back as a table of one row. Its code has shape (d,).",
)
def _number_as_row(positions: Any, d: int) -> Any:
    return at(np.atleast_1d(positions), d)


@ENCODE.add(
    "flattened",
    "The shape of positions got lost: all codes stand in one table. Keep it, and add one axis at the end: "
    "(..., d).",
)
def _flattened(positions: Any, d: int) -> Any:
    return at(positions, d).reshape(-1, d) if np.ndim(positions) else at(positions, d)


@ENCODE.add(
    "features-first",
    "The features stand on the first axis. They belong on the last: (..., d).",
)
def _features_first(positions: Any, d: int) -> Any:
    return np.moveaxis(at(positions, d), -1, 0)


@ENCODE.add(
    "truncated-by-dtype",
    "Integer positions give integers here: the result was made in their dtype, as np.zeros_like does. Make "
    "it float64.",
)
def _truncated_by_dtype(positions: Any, d: int) -> Any:
    return at(positions, d).astype(np.asarray(positions).dtype)


# --- odd d


@ENCODE.add(
    "odd-refused",
    "An odd d was refused, or there was one cosine too many for the odd columns. Drop the last cosine: "
    "np.cos(angles)[..., : d // 2].",
)
def _odd_refused(positions: Any, d: int) -> Any:
    if d % 2:
        raise ValueError("d must be even")
    return at(positions, d)


@ENCODE.add(
    "odd-zero",
    "With odd d the last column is 0 here, as in fairseq. Here it is the sine of the last pair, without its "
    "cosine.",
)
def _odd_zero(positions: Any, d: int) -> Any:
    codes = at(positions, d)
    if d % 2:
        codes[..., -1] = 0
    return codes


@ENCODE.add(
    "odd-column-missing",
    "With odd d a column is missing: the last pair was left out altogether. Its sine still fits.",
)
def _odd_column_missing(positions: Any, d: int) -> Any:
    return at(positions, d)[..., : d // 2 * 2]


@ENCODE.add(
    "odd-column-too-many",
    "With odd d there is a column too many. Drop the last cosine, so that d columns are left.",
)
def _odd_column_too_many(positions: Any, d: int) -> Any:
    a = np.asarray(positions, dtype=np.float64)[..., None] * BASE ** (-np.arange(0, d, 2) / d)
    return columns(np.sin(a), np.cos(a), d + 1) if d % 2 else waves(a, d)


@ENCODE.add(
    "odd-width-rounded-up",
    "With odd d the frequencies are those of d + 1. The exponent is 2i/d for the d that came, odd or not.",
)
def _odd_width_rounded_up(positions: Any, d: int) -> Any:
    return at(positions, d + d % 2)[..., :d]


@ENCODE.add(
    "odd-width-rounded-down",
    "With odd d the frequencies are those of d - 1. The exponent is 2i/d for the d that came, odd or not.",
)
def _odd_width_rounded_down(positions: Any, d: int) -> Any:
    a = np.asarray(positions, dtype=np.float64)[..., None] * BASE ** (-np.arange(0, d, 2) / (d - d % 2))
    return waves(a, d)


@ENCODE.add(
    "odd-cosine-kept",
    "With odd d the last column is a cosine here. The sine comes first in a pair: keep it, and drop the "
    "cosine.",
)
def _odd_cosine_kept(positions: Any, d: int) -> Any:
    codes = at(positions, d)
    if d % 2:
        codes[..., -1] = np.cos(np.asarray(positions) * BASE ** (-(d - 1) / d))
    return codes


@ENCODE.add(
    "in-place",
    "The codes are right, but positions itself was changed. Leave it: whoever called still needs it.",
)
def _in_place(positions: Any, d: int) -> Any:
    codes = at(positions, d)
    if np.ndim(positions):
        positions[...] = 0
    return codes
