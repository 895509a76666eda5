"""The exercise ``second_half(right, counted)`` and its mistakes: a share of the answers that count.

Wrong on purpose, each in one way. Right is the right ones over all that count, from position ``n // 2`` on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]


def _reference(right: Array, counted: Array) -> float:
    late = slice(np.shape(right)[-1] // 2, None)
    return float((right * counted)[..., late].sum() / counted[..., late].sum())


def _marks(size: int, n: int, share: float) -> Any:
    """Return zeros and ones of no pattern."""
    return (np.sin(1 + np.arange(size * n) ** 1.5) < share).astype(int).reshape(size, n)


PROBES = (
    Probe(
        (np.array([[1, 1, 0, 1]]), np.array([[1, 1, 1, 0]])),
        "Only answers that count must be judged, and only those at position n // 2 or later.",
    ),
    Probe(
        (_marks(3, 8, 0.3), np.ones((3, 8), dtype=int)),
        "Where all answers count, the result must be the share of right ones in the second half.",
    ),
    Probe(
        (_marks(5, 7, 0.1), _marks(5, 7, 0.6)),
        "With an odd number of positions, the second half must begin at n // 2.",
    ),
    Probe(
        (_marks(7, 12, 0.2), np.tril(np.ones((7, 12), dtype=int), 4)),
        "Where rows count differently often, the right answers of all rows must be added up before dividing.",
    ),
    Probe(
        (_marks(4, 6, 0.2) == 1, _marks(4, 6, 0.7) * 1.0),
        "True and False must count as 1 and 0, whatever the dtype of the arrays.",
    ),
)


def _a_share(args: tuple[Any, ...], got: Any) -> str | None:
    """Say so where an answer is no share."""
    return None if 0 <= got <= 1 else "A share must lie between 0 and 1."


SECOND_HALF = Family("second_half", _reference, PROBES, invariant=_a_share)


def _late(x: Array, start: int | None = None) -> Array:
    """Return the later positions of each row."""
    return x[..., x.shape[-1] // 2 if start is None else start :]


# --- which positions


@SECOND_HALF.add(
    "all-positions",
    "All positions were judged. The first half of a long sequence is a short sequence: keep only n // 2 "
    "and later.",
)
def _all_positions(right: Array, counted: Array) -> Any:
    return (right * counted).sum() / counted.sum()


@SECOND_HALF.add(
    "first-half",
    "That is the first half. The second begins at n // 2: right[:, n // 2 :].",
)
def _first_half(right: Array, counted: Array) -> Any:
    half = right.shape[-1] // 2
    return (right * counted)[..., :half].sum() / counted[..., :half].sum()


@SECOND_HALF.add(
    "starts-one-late",
    "The second half begins one position too late: position n // 2 belongs to it.",
)
def _starts_one_late(right: Array, counted: Array) -> Any:
    start = right.shape[-1] // 2 + 1
    return _late(right * counted, start).sum() / _late(counted, start).sum()


@SECOND_HALF.add(
    "rounded-up",
    "With an odd number of positions the half was rounded up. n // 2 rounds down: of seven positions, 3 "
    "to 6.",
)
def _rounded_up(right: Array, counted: Array) -> Any:
    start = -(-right.shape[-1] // 2)
    return _late(right * counted, start).sum() / _late(counted, start).sum()


@SECOND_HALF.add(
    "half-of-the-rows",
    "The rows were halved, not the positions: sequences run along the last axis. Slice with [:, n // 2 :].",
)
def _half_of_the_rows(right: Array, counted: Array) -> Any:
    half = len(right) // 2
    return (right * counted)[half:].sum() / counted[half:].sum()


@SECOND_HALF.add(
    "last-position",
    "Only the last position was judged. The second half is n // 2 and all that follow.",
)
def _last_position(right: Array, counted: Array) -> Any:
    with np.errstate(all="ignore"):
        return (right * counted)[..., -1].sum() / counted[..., -1].sum()


# --- which answers


@SECOND_HALF.add(
    "all-answers",
    "Answers that do not count were judged too: those that read an empty register. Multiply by counted, and "
    "divide by how many count.",
)
def _all_answers(right: Array, counted: Array) -> Any:
    return _late(right).mean()


@SECOND_HALF.add(
    "divided-by-all",
    "The right answers that count were divided by all positions. Divide by how many count: counted[:, n "
    "// 2 :].sum().",
)
def _divided_by_all(right: Array, counted: Array) -> Any:
    return _late(right * counted).mean()


@SECOND_HALF.add(
    "right-though-uncounted",
    "Right answers where nothing counts were added in. Keep those that are right and count: right * counted.",
)
def _right_though_uncounted(right: Array, counted: Array) -> Any:
    return _late(right).sum() / _late(counted).sum()


@SECOND_HALF.add(
    "divided-by-whole-counted",
    "The right answers of the second half were divided by how many count in both halves. Halve counted as"
    " well.",
)
def _divided_by_whole_counted(right: Array, counted: Array) -> Any:
    return _late(right * counted).sum() / counted.sum()


@SECOND_HALF.add(
    "where-not-counted",
    "The mask is turned around: these are the answers that do not count.",
)
def _where_not_counted(right: Array, counted: Array) -> Any:
    with np.errstate(all="ignore"):
        return _late(right * (1 - counted)).sum() / _late(1 - counted).sum()


@SECOND_HALF.add(
    "wrong-answers",
    "This is the share of wrong answers. Accuracy is the share of right ones.",
)
def _wrong_answers(right: Array, counted: Array) -> Any:
    return 1 - _reference(right, counted)


# --- what comes back


@SECOND_HALF.add(
    "mean-of-rows",
    "Each row was averaged alone, then the rows: rows in which little counts weigh too much. Add up over all "
    "rows, then divide once.",
)
def _mean_of_rows(right: Array, counted: Array) -> Any:
    with np.errstate(all="ignore"):
        return np.nanmean(_late(right * counted).sum(axis=-1) / _late(counted).sum(axis=-1))


@SECOND_HALF.add(
    "mean-of-positions",
    "Each position was averaged alone, then the positions. Add up over all rows and positions, then "
    "divide once.",
)
def _mean_of_positions(right: Array, counted: Array) -> Any:
    with np.errstate(all="ignore"):
        return np.nanmean(_late(right * counted).sum(axis=0) / _late(counted).sum(axis=0))


@SECOND_HALF.add(
    "one-a-row",
    "There is a number for each row. One number is asked for, over all rows together: leave out the axis.",
)
def _one_a_row(right: Array, counted: Array) -> Any:
    with np.errstate(all="ignore"):
        return _late(right * counted).sum(axis=-1) / _late(counted).sum(axis=-1)


@SECOND_HALF.add(
    "how-many",
    "That is how many are right. Divide by how many count.",
)
def _how_many(right: Array, counted: Array) -> Any:
    return _late(right * counted).sum()


@SECOND_HALF.add(
    "percent",
    "The share is in percent. Leave it between 0 and 1.",
)
def _percent(right: Array, counted: Array) -> Any:
    return 100 * _reference(right, counted)


@SECOND_HALF.add(
    "whole-division",
    "Whole-number division cut the share to 0 or 1. Divide with a single slash.",
)
def _whole_division(right: Array, counted: Array) -> Any:
    return _late(right * counted).sum() // _late(counted).sum()
