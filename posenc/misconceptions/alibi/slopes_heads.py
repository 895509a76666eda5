"""Mistakes in ``alibi_slopes(h)`` about heads: no power of two of them, and whose slope stands where.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.alibi import alibi_slopes
from posenc.misconceptions.alibi.slopes import below, by_rule, one_formula
from posenc.misconceptions.alibi.slopes_series import ALIBI_SLOPES

__all__ = ["ALIBI_SLOPES"]  # by now with all its mistakes


# --- a number of heads that is no power of two


@ALIBI_SLOPES.add(
    "one-formula",
    "The formula for powers of two was used for every number of heads. Otherwise take the slopes for the "
    "power of two below, then every other slope of twice that many heads.",
)
def _one_formula_for_all(h: int) -> Any:
    return one_formula(h)


@ALIBI_SLOPES.add(
    "sorted",
    "The slopes are right, but sorted. The extra ones are appended: a trained head expects its own slope at "
    "its own place.",
)
def _sorted(h: int) -> Any:
    return np.sort(alibi_slopes(h))[::-1]


@ALIBI_SLOPES.add(
    "reversed",
    "The slopes come in reverse: the first head has the steepest of its series, the last the shallowest.",
)
def _reversed(h: int) -> Any:
    return by_rule(h, lambda c: one_formula(c)[::-1])


@ALIBI_SLOPES.add(
    "all-reversed",
    "The whole array came in reverse. The slopes for the power of two come first, the steepest in front.",
)
def _all_reversed(h: int) -> Any:
    return alibi_slopes(h)[::-1]


@ALIBI_SLOPES.add(
    "second-of-each-pair",
    "The extra slopes are the second, fourth, ... of twice as many heads, which are there already. Take the "
    "first, third, ...: [0::2].",
)
def _second_of_each_pair(h: int) -> Any:
    return by_rule(h, one_formula, slice(1, None, 2))


@ALIBI_SLOPES.add(
    "no-stride",
    "The extra slopes are the first ones for twice as many heads, one after the other. Take every other "
    "one: [0::2].",
)
def _no_stride(h: int) -> Any:
    return by_rule(h, one_formula, slice(None))


@ALIBI_SLOPES.add(
    "last-extras",
    "The extra slopes are every other one of twice as many heads, but from the end. Take them from the "
    "front, where they are steep.",
)
def _last_extras(h: int) -> Any:
    c = below(h)
    return np.concatenate([one_formula(c), one_formula(2 * c)[0::2][c - (h - c) :]])


@ALIBI_SLOPES.add(
    "cut-from-the-next-power",
    "These are the first slopes for the next power of two, which leaves the shallow heads out. Start from "
    "the power of two below.",
)
def _cut_from_the_next_power(h: int) -> Any:
    return one_formula(2 * below(h) if h > below(h) else h)[:h]


@ALIBI_SLOPES.add(
    "nearest-power",
    "The nearest power of two was taken, which may lie above. Take the largest one that is not above h: "
    "round log2(h) down.",
)
def _nearest_power(h: int) -> Any:
    c = int(2 ** np.round(np.log2(h)))
    return np.concatenate([one_formula(c), one_formula(2 * c)[0::2][: max(h - c, 0)]])[:h]


@ALIBI_SLOPES.add(
    "extras-first",
    "The extra slopes come first. They are appended: the slopes for the power of two below stand in front.",
)
def _extras_first(h: int) -> Any:
    c = below(h)
    return np.concatenate([one_formula(2 * c)[0::2][: h - c], one_formula(c)])


@ALIBI_SLOPES.add(
    "series-continued",
    "The series for the power of two below was continued past 1/256. The extra slopes are every other one "
    "of the series for twice as many heads.",
)
def _series_continued(h: int) -> Any:
    return 2.0 ** (-8 * np.arange(1, h + 1) / below(h))


@ALIBI_SLOPES.add(
    "extras-missing",
    "Some heads have no slope: only those of the power of two below came back. Append the others.",
)
def _extras_missing(h: int) -> Any:
    return one_formula(below(h))


@ALIBI_SLOPES.add(
    "extras-too-many",
    "There are more slopes than heads. Append only as many as are missing: [0::2][: h - c].",
)
def _extras_too_many(h: int) -> Any:
    c = below(h)
    extra = one_formula(2 * c)[0::2] if h > c else np.zeros(0)
    return np.concatenate([one_formula(c), extra])


# --- the shape


@ALIBI_SLOPES.add(
    "column",
    "The slopes stand in a column. Return shape (h,): reshape them where they meet the scores.",
)
def _column(h: int) -> Any:
    return alibi_slopes(h)[:, None]
