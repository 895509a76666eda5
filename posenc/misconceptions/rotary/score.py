"""The exercise ``score(q, k, pq, pk)`` and its mistakes: the score of a query and a key at their positions.

Wrong on purpose, each in one way. Not scaled: it is ``rope(q, pq) @ rope(k, pk)``, a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer, Family, Probe
from posenc.misconceptions.rotary.rope import Array
from posenc.misconceptions.rotary.rope_angles import ROPE
from posenc.rotary import rope

_UP, _DOWN = np.array([1.0, 2.0, 3.0, 4.0]), np.array([4.0, 3.0, 2.0, 1.0])
_ONE = np.array([1.0, 0.0])

PROBES = (
    Probe(
        (_UP, _DOWN, 7, 7), "At equal positions nothing has turned between q and k: the score must be q @ k."
    ),
    Probe((_ONE, _ONE, 0, 2), "For q = k = (1, 0) the score must be the cosine of pk - pq, in radians."),
    Probe(
        (_UP, _DOWN, 5, 3),
        "The score must be rope(q, pq) @ rope(k, pk): turn both, each by its own position.",
    ),
    Probe(
        (_UP, _DOWN, 105, 103), "Shifting both positions by the same amount must leave the score unchanged."
    ),
    Probe(
        (np.cos(np.arange(8.0)), np.sin(np.arange(8.0)), 1, 6),
        "The score must depend on pk - pq with its sign: a key ahead is not a key behind.",
    ),
)


def _reference(q: Array, k: Array, pq: float, pk: float) -> float:
    return float(rope(q, pq) @ rope(k, pk))


SCORE = Family("score", _reference, PROBES)

#: Mistakes in `rope` that a score shows. The others cancel between q and k, or only reverse the offset.
_SHOWN = {
    "half-layout", "tiled-angles", "repeated-angles", "no-minus", "even-overwritten", "cosine-only",
    "half-exponent", "double-exponent", "positive-exponent", "one-angle", "reversed-frequencies",
    "degrees", "twice", "whole-turns",
}  # fmt: skip


def _with_rope(wrong: Answer) -> Answer:
    def score(q: Array, k: Array, pq: float, pk: float) -> Any:
        return float(wrong(q, pq) @ wrong(k, pk))

    return score


def _lift_shown() -> None:
    for entry in ROPE.entries:
        name = entry.id.removeprefix("rope-")
        if name in _SHOWN:
            line = f"The rotation underneath is the trouble. {entry.line}"
            SCORE.add(name, line)(_with_rope(entry.wrong))


@SCORE.add(
    "key-not-rotated",
    "Only the query is turned, so the score depends on where the query stands, not on the offset. "
    "Turn the key by pk as well.",
)
def _key_not_rotated(q: Array, k: Array, pq: float, pk: float) -> Any:
    return rope(q, pq) @ k


@SCORE.add(
    "query-not-rotated",
    "Only the key is turned, so the score depends on where the key stands, not on the offset. Turn "
    "the query by pq as well.",
)
def _query_not_rotated(q: Array, k: Array, pq: float, pk: float) -> Any:
    return q @ rope(k, pk)


@SCORE.add(
    "no-position",
    "This is q @ k: the positions have no effect, or are the same for both. Turn q by pq and k by "
    "pk before the product.",
)
def _no_position(q: Array, k: Array, pq: float, pk: float) -> Any:
    return q @ k


@SCORE.add(
    "sum-of-positions",
    "The score depends on pq + pk: one of the two turns the wrong way. Turn both counter-clockwise,"
    " so that the difference is left.",
)
def _sum_of_positions(q: Array, k: Array, pq: float, pk: float) -> Any:
    return rope(q, pq) @ rope(k, -pk)


@SCORE.add(
    "reversed-offset",
    "The offset has the wrong sign: pq - pk in place of pk - pq. Either the positions are swapped, "
    "or both vectors turn clockwise.",
)
def _reversed_offset(q: Array, k: Array, pq: float, pk: float) -> Any:
    return rope(q, pk) @ rope(k, pq)


@SCORE.add(
    "offset-on-top",
    "The query is turned by pq and the key by the offset pk - pq. Turn each by its own position: "
    "the offset comes out by itself.",
)
def _offset_on_top(q: Array, k: Array, pq: float, pk: float) -> Any:
    return rope(q, pq) @ rope(k, pk - pq)


@SCORE.add(
    "unsigned-offset",
    "The sign of the offset is lost: ahead and behind give the same score. Leave out the absolute value.",
)
def _unsigned_offset(q: Array, k: Array, pq: float, pk: float) -> Any:
    return q @ rope(k, abs(pk - pq))


@SCORE.add(
    "scaled",
    "The score was divided by the square root of d. Here the plain dot product is asked for; "
    "attention scales later.",
)
def _scaled(q: Array, k: Array, pq: float, pk: float) -> Any:
    return _reference(q, k, pq, pk) / np.sqrt(len(q))


@SCORE.add(
    "cosine-similarity",
    "The score was divided by the lengths of q and k. A dot product keeps them.",
)
def _cosine_similarity(q: Array, k: Array, pq: float, pk: float) -> Any:
    return _reference(q, k, pq, pk) / (np.linalg.norm(q) * np.linalg.norm(k))


@SCORE.add(
    "not-summed",
    "This is the product feature by feature. A score is one number: sum it, or use @.",
)
def _not_summed(q: Array, k: Array, pq: float, pk: float) -> Any:
    return rope(q, pq) * rope(k, pk)


@SCORE.add(
    "outer-product",
    "This is the outer product, a table. A score is one number: the dot product, rope(q, pq) @ rope(k, pk).",
)
def _outer_product(q: Array, k: Array, pq: float, pk: float) -> Any:
    return np.outer(rope(q, pq), rope(k, pk))


@SCORE.add(
    "in-place",
    "The number is right, but q or k was changed. Turn copies: whoever called still needs the old vectors.",
)
def _in_place(q: Array, k: Array, pq: float, pk: float) -> Any:
    q[:], k[:] = rope(q, pq), rope(k, pk)
    return q @ k


_lift_shown()
