"""The exercise ``t5_bucket(r, bidirectional, n_buckets=32, max_distance=128)`` and its mistakes.

Wrong on purpose, each in one way. No probe asks for a distance on the edge of a bucket, where a logarithm in
floating point may fall on either side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.misconceptions.entry import Family, Probe
from posenc.relative import t5_bucket

Array = NDArray[Any]


def _distances(n: int) -> Any:
    return np.arange(n) - np.arange(n)[:, None]


PROBES = (
    Probe(
        (np.arange(-7, 8), True, 32, 128),
        "In an encoder a near key has a bucket of its own: the distance itself in the past and at 0, "
        "n_buckets/2 more in the future.",
    ),
    Probe(
        (np.arange(-15, 4), False, 32, 128),
        "In a decoder half of the n_buckets are for near keys in the past, one each, and the whole "
        "future is bucket 0.",
    ),
    Probe(
        (np.array([-110, -77, -50, -38, -19, -13, 9, 14, 27, 70, 101]), True, 32, 128),
        "From m/2 on the bucket must grow with the logarithm of the distance, rounded down, to m - 1 at "
        "max_distance; m is the number of buckets of one direction.",
    ),
    Probe(
        (np.array([-18, -20, -30, -50, -65, -95, -120]), False, 32, 128),
        "In a decoder m is n_buckets: from m/2 on the bucket must grow with the logarithm of the distance.",
    ),
    Probe(
        (np.array([[-900, -200], [250, 5000]]), True, 32, 128),
        "From max_distance on, every key of one direction must fall into that direction's last bucket.",
    ),
    Probe(
        (_distances(30)[:, ::3], True, 20, 100),
        "n_buckets and max_distance must be used, for r of any shape.",
    ),
    Probe(
        (_distances(60)[::7], False, 12, 50), "n_buckets and max_distance must be used in a decoder as well."
    ),
    Probe(
        (np.array([[[-300, -21, 2, 30]]]), True),
        "By default there must be 32 buckets, with max_distance 128.",
    ),
)


def _in_the_table(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where an entry is no bucket."""
    n_buckets = args[2] if len(args) > 2 else 32
    if 0 <= got.min() and got.max() < n_buckets and (got == np.round(got)).all():
        return None
    return "Every entry must be a whole number from 0 to n_buckets - 1: here one is not."


def _reference(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return t5_bucket(r, bidirectional=bidirectional, n_buckets=n_buckets, max_distance=max_distance)


T5_BUCKET = Family("t5_bucket", _reference, PROBES, invariant=_in_the_table)

#: Returns the bucket of distances n >= 0 within one direction of m buckets.
OneWay = Callable[[Array, int, int], Array]


def _far(n: Array, m: int, longest: float, round_down: Callable[[Array], Array] = np.floor) -> Any:
    """Return the bucket of far distances, without its limit."""
    exact = m // 2
    part = np.log(np.maximum(n, 1) / exact) / np.log(longest / exact)
    return exact + round_down(part * (m - exact))


def _with_limit(far: OneWay) -> OneWay:
    """Return one direction with these far buckets, near ones exact and the last one shared."""
    return lambda n, m, longest: np.where(n < m // 2, n, np.minimum(m - 1, far(n, m, longest)))


_one_way = _with_limit(_far)


def _enter(name: str, line: str, one_way: OneWay) -> None:
    """Enter a mistake within one direction, the directions being right."""

    def wrong(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
        if not bidirectional:
            return one_way(np.maximum(-r, 0), n_buckets, max_distance)
        m = n_buckets // 2
        return one_way(np.abs(r), m, max_distance) + m * (r > 0)

    T5_BUCKET.add(name, line)(wrong)


# --- directions


@T5_BUCKET.add(
    "reversed",
    "The directions are exchanged: r is key minus query, so a negative r is the past. In an encoder "
    "the future has the upper half of the buckets.",
)
def _reversed(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(-r, bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "past-in-the-upper-half",
    "In an encoder the past got the upper half of the buckets. The upper half is for keys after the "
    "query: add m where r > 0.",
)
def _past_in_the_upper_half(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return _reference(-r if bidirectional else r, bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "zero-in-the-upper-half",
    "Distance 0 fell into the upper half. It belongs to the lower one, with the past: add m where "
    "r > 0, not where r >= 0.",
)
def _zero_in_the_upper_half(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return _reference(r, bidirectional, n_buckets, max_distance) + (n_buckets // 2 * (r == 0) * bidirectional)


@T5_BUCKET.add(
    "no-upper-half",
    "In an encoder past and future share their buckets. Keys after the query have the upper half: add "
    "m where r > 0.",
)
def _no_upper_half(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(-np.abs(r) if bidirectional else r, bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "not-halved",
    "In an encoder each direction has all the buckets, so that the numbers run past n_buckets. Each "
    "has half of them: m = n_buckets // 2.",
)
def _not_halved(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, bidirectional, n_buckets * (1 + bidirectional), max_distance)


@T5_BUCKET.add(
    "halved-too-late",
    "In an encoder the future starts at n_buckets / 2, but the distances still use all n_buckets and "
    "run into each other. Halve n_buckets before you use it for exact and far ones.",
)
def _halved_too_late(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    if not bidirectional:
        return _reference(r, bidirectional, n_buckets, max_distance)
    return _one_way(np.abs(r), n_buckets, max_distance) + n_buckets // 2 * (r > 0)


@T5_BUCKET.add(
    "future-at-n-buckets",
    "In an encoder the future starts at n_buckets, past the end of the table. It starts at half of that.",
)
def _future_at_n_buckets(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, bidirectional, n_buckets, max_distance) + n_buckets // 2 * (r > 0) * bidirectional


@T5_BUCKET.add(
    "future-at-exact",
    "In an encoder the future starts at the number of exact buckets, where far keys of the past are. It "
    "starts at n_buckets // 2.",
)
def _future_at_exact(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, bidirectional, n_buckets, max_distance) - n_buckets // 4 * (r > 0) * bidirectional


@T5_BUCKET.add(
    "halved-in-the-decoder",
    "In a decoder only half of the buckets are used. There is one direction only, so it has all n_buckets.",
)
def _halved_in_the_decoder(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return _reference(r, bidirectional, n_buckets if bidirectional else n_buckets // 2, max_distance)


@T5_BUCKET.add(
    "decoder-sees-both-ways",
    "In a decoder the future has the buckets of the past: its distance was taken without the sign. Keys "
    "after the query share bucket 0 there.",
)
def _decoder_sees_both_ways(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return _reference(r if bidirectional else -np.abs(r), bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "decoder-forgets-the-past",
    "In a decoder the past fell into bucket 0 and the future was told apart. A decoder sees the past: "
    "the distance is -r there, and at least 0.",
)
def _decoder_forgets_the_past(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return _reference(r if bidirectional else -r, bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "flag-inverted",
    "Encoder and decoder are exchanged: bidirectional is true where a word sees both its past and its "
    "future.",
)
def _flag_inverted(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, not bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "always-bidirectional",
    "The decoder is treated like the encoder: bidirectional has no effect. Without it the past has all "
    "buckets, and the future is bucket 0.",
)
def _always_bidirectional(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, True, n_buckets, max_distance)


@T5_BUCKET.add(
    "never-bidirectional",
    "The encoder is treated like the decoder: bidirectional has no effect. With it each direction has "
    "half of the buckets.",
)
def _never_bidirectional(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, False, n_buckets, max_distance)


# --- the far end


_enter(
    "no-limit",
    "Far keys run out of the table. From max_distance on all share the last bucket: take the minimum "
    "with m - 1.",
    lambda n, m, longest: np.where(n < m // 2, n, _far(n, m, longest)),
)
_enter(
    "limit-one-late",
    "The far end is one bucket too far. m buckets are numbered 0 to m - 1, so m - 1 is the limit.",
    lambda n, m, longest: np.where(n < m // 2, n, np.minimum(m, _far(n, m, longest))),
)
_enter(
    "limit-one-early",
    "The last bucket is never used: the limit is one too low. It is m - 1.",
    lambda n, m, longest: np.minimum(m - 2, _one_way(n, m, longest)),
)


@T5_BUCKET.add(
    "limit-of-both",
    "In an encoder the past runs into the buckets of the future: the limit is n_buckets - 1, but one "
    "direction ends at n_buckets / 2 - 1.",
)
def _limit_of_both(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    m = n_buckets // 2 if bidirectional else n_buckets
    n = np.abs(r) if bidirectional else np.maximum(-r, 0)
    bucket = np.where(n < m // 2, n, np.minimum(n_buckets - 1, _far(n, m, max_distance)))
    return bucket + m * (r > 0) * bidirectional


# --- the formula between


_enter(
    "log-of-max-distance",
    "The far buckets are squeezed: divide by ln(max_distance / e), with e the number of exact buckets, "
    "not by ln(max_distance).",
    _with_limit(lambda n, m, longest: _far(n, m, longest * (m // 2))),
)
_enter(
    "log-of-distance",
    "The far buckets start too high: take ln(n / e), with e the number of exact buckets, so that it is 0 "
    "where the far ones begin.",
    _with_limit(lambda n, m, longest: _far(n * (m // 2), m, longest)),
)
_enter(
    "logs-not-of-ratios",
    "Both logarithms are of distances themselves. Divide each distance by e, the number of exact "
    "buckets: ln(n / e) / ln(max_distance / e).",
    _with_limit(lambda n, m, longest: _far(n * (m // 2), m, longest * (m // 2))),
)
_enter(
    "log2-over-ln",
    "Two kinds of logarithm are mixed, one to base 2 and one natural. Any base will do, but the same "
    "for both.",
    _with_limit(lambda n, m, longest: _far(n, m, (longest / (m // 2)) ** np.log(2) * (m // 2))),
)
_enter(
    "ln-over-log2",
    "Two kinds of logarithm are mixed, one natural and one to base 2. Any base will do, but the same "
    "for both.",
    _with_limit(lambda n, m, longest: _far(n, m, (longest / (m // 2)) ** (1 / np.log(2)) * (m // 2))),
)
_enter(
    "no-division",
    "The logarithm is not divided by ln(max_distance / e), so max_distance has no say. With it the "
    "quotient runs from 0 to 1 over the far buckets.",
    _with_limit(lambda n, m, longest: _far(n, m, np.e * (m // 2))),
)
_enter(
    "rounded-up",
    "The logarithmic part is rounded up. Round it down: a bucket begins where the formula reaches its "
    "number.",
    _with_limit(lambda n, m, longest: _far(n, m, longest, np.ceil)),
)
_enter(
    "rounded-to-nearest",
    "The logarithmic part is rounded to the nearest. Round it down: a bucket begins where the formula "
    "reaches its number.",
    _with_limit(lambda n, m, longest: _far(n, m, longest, np.rint)),
)
_enter(
    "not-rounded",
    "The far buckets have decimals. A bucket is a row of a table: round the logarithmic part down.",
    _with_limit(lambda n, m, longest: _far(n, m, longest, lambda x: x)),
)
_enter(
    "one-too-low",
    "The far buckets are not moved up by e, so that they begin again at 0. Add e, the number of exact "
    "buckets.",
    _with_limit(lambda n, m, longest: _far(n, m, longest) - m // 2),
)
_enter(
    "all-buckets-far",
    "The far part is stretched over m buckets. The exact ones take e of them, so m - e are left for it.",
    _with_limit(lambda n, m, longest: _far(n, m, longest, lambda x: np.floor(2 * x))),
)
_enter(
    "linear",
    "The far buckets are all of one width. They widen with the distance: the bucket grows with its "
    "logarithm.",
    _with_limit(lambda n, m, longest: m // 2 + (n - m // 2) * (m - m // 2) // (longest - m // 2)),
)
_enter(
    "clipped",
    "Distances are clipped as in Shaw's table, one bucket each. Only the first m/2 are exact here; "
    "the others share.",
    lambda n, m, longest: np.minimum(n, m - 1),
)
_enter(
    "logarithm-everywhere",
    "Near distances went through the logarithm too. Below e each distance is its own bucket.",
    lambda n, m, longest: np.clip(_far(n, m, longest), 0, m - 1),
)
_enter(
    "quarter-exact",
    "Too few buckets are exact. Of the m buckets of one direction half are: in an encoder m is already "
    "n_buckets / 2, in a decoder it is n_buckets.",
    lambda n, m, longest: np.where(
        n < m // 4,
        n,
        np.minimum(
            m - 1,
            m // 4
            + np.floor(np.log(np.maximum(n, 1) / (m // 4)) / np.log(longest / (m // 4)) * (m - m // 4)),
        ),
    ),
)


# --- parameters


@T5_BUCKET.add(
    "always-32-buckets",
    "n_buckets has no effect: 32 is written into the function. Use the parameter.",
)
def _always_32_buckets(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, bidirectional, 32, max_distance)


@T5_BUCKET.add(
    "always-128",
    "max_distance has no effect: 128 is written into the function. Use the parameter.",
)
def _always_128(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, bidirectional, n_buckets, 128)


@T5_BUCKET.add(
    "always-32-and-128",
    "n_buckets and max_distance have no effect: 32 and 128 are written into the function. Use the "
    "parameters.",
)
def _always_32_and_128(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, bidirectional)


@T5_BUCKET.add(
    "flattened",
    "The buckets are right but the shape of r is lost. Return an array of the shape of r.",
)
def _flattened(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return _reference(r, bidirectional, n_buckets, max_distance).ravel()


@T5_BUCKET.add(
    "in-place",
    "The buckets are right, but r itself was changed. Whoever called still needs it: work on a new array.",
)
def _in_place(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    out = _reference(r, bidirectional, n_buckets, max_distance)
    np.abs(r, out=r)
    return out
