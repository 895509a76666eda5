"""The exercise ``sinusoidal(N, d)`` and its mistakes: the codes of positions 0 to N-1, d even.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer, Family, Probe
from posenc.misconceptions.sinusoidal.angles import FREQUENCIES, POSITIONS, PRECISION, UNITS
from posenc.misconceptions.sinusoidal.codes import Array, angles, at, enter, pair_lengths, waves
from posenc.misconceptions.sinusoidal.columns import COLUMNS

PROBES = (
    Probe((1, 2), "Row 0 is position 0: its sine is 0 and its cosine is 1."),
    Probe(
        (2, 4),
        "Columns 2i and 2i+1 of row p must be the sine and the cosine of p / 10000 ** (2i/d): for d = 4 the "
        "pairs turn by 1 and by 0.01 radians per position.",
    ),
    Probe((4, 8), "For d = 8 the four pairs must turn by 1, 0.1, 0.01 and 0.001 radians per position."),
    Probe((41, 16), "For any even d, pair i must turn by 10000 ** (-2i/d) radians per position."),
    Probe((5, 10), "For any even d, pair i must turn by 10000 ** (-2i/d) radians per position."),
    Probe(
        (5003, 6),
        "Far rows must be exact too, as many as N says: compute the angles in float64 and set no limit.",
    ),
)


def _reference(N: int, d: int) -> Array:
    return at(np.arange(N), d)


SINUSOIDAL = Family("sinusoidal", _reference, PROBES, invariant=pair_lengths)


def _of_angles(wrong: Answer) -> Answer:
    return lambda N, d: waves(wrong(np.arange(N), d), d)


def _of_columns(wrong: Answer) -> Answer:
    return lambda N, d: wrong(np.arange(N), d)


enter(SINUSOIDAL, FREQUENCIES + UNITS + PRECISION + POSITIONS, _of_angles)
enter(SINUSOIDAL, COLUMNS, _of_columns)


@SINUSOIDAL.add(
    "transposed",
    "Rows and columns have changed places. Rows are positions, columns are features: (N, d).",
)
def _transposed(N: int, d: int) -> Any:
    return _reference(N, d).T


@SINUSOIDAL.add(
    "batch-axis",
    "The table carries an axis of length 1 in front, as for a batch. Here it is (N, d), nothing else.",
)
def _batch_axis(N: int, d: int) -> Any:
    return _reference(N, d)[None]


@SINUSOIDAL.add(
    "stacked",
    "Sine and cosine stand on an axis of their own, (N, d/2, 2). Reshape to (N, d), so that they alternate.",
)
def _stacked(N: int, d: int) -> Any:
    a = angles(np.arange(N), d)
    return np.stack([np.sin(a), np.cos(a)], axis=-1)


@SINUSOIDAL.add(
    "half-width",
    "Only the sines came back, d/2 columns. Each is followed by its cosine: d columns in all.",
)
def _half_width(N: int, d: int) -> Any:
    return np.sin(angles(np.arange(N), d))


@SINUSOIDAL.add(
    "one-row",
    "One row came back, the last. A row for each position is asked for: 0 to N-1.",
)
def _one_row(N: int, d: int) -> Any:
    return _reference(N, d)[-1]


@SINUSOIDAL.add("row-too-many", "There is a row too many. Positions run from 0 to N-1: np.arange(N).")
def _row_too_many(N: int, d: int) -> Any:
    return _reference(N + 1, d)


@SINUSOIDAL.add(
    "fixed-length",
    "The table ends at 5000 rows, the max_len of many tutorials. The formula has no end: make as many rows "
    "as N says.",
)
def _fixed_length(N: int, d: int) -> Any:
    return _reference(5000, d)[:N]


@SINUSOIDAL.add("last-row-first", "The rows are in reverse order. Row p is position p: row 0 comes first.")
def _last_row_first(N: int, d: int) -> Any:
    return _reference(N, d)[::-1]


@SINUSOIDAL.add(
    "fractions",
    "Positions were divided by N. The same p would then have another code in every text: use p itself.",
)
def _fractions(N: int, d: int) -> Any:
    return at(np.arange(N) / N, d)
