"""Mistakes in ``t5_bucket(r, bidirectional, ...)`` about the logarithm: its formula, limit and parameters.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.relative.t5_bucket import (
    Array,
    OneWay,
    far_bucket,
    one_direction,
    right,
    with_limit,
)
from posenc.misconceptions.relative.t5_bucket_directions import T5_BUCKET

__all__ = ["T5_BUCKET"]  # by now with all its mistakes


def _enter(name: str, line: str, one_way: OneWay) -> None:
    """Enter a mistake within one direction, the directions being right."""

    def wrong(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
        if not bidirectional:
            return one_way(np.maximum(-r, 0), n_buckets, max_distance)
        m = n_buckets // 2
        return one_way(np.abs(r), m, max_distance) + m * (r > 0)

    T5_BUCKET.add(name, line)(wrong)


# --- the far end


_enter(
    "no-limit",
    "Far keys run out of the table. From max_distance on all share the last bucket: take the minimum "
    "with m - 1.",
    lambda n, m, longest: np.where(n < m // 2, n, far_bucket(n, m, longest)),
)
_enter(
    "limit-one-late",
    "The far end is one bucket too far. m buckets are numbered 0 to m - 1, so m - 1 is the limit.",
    lambda n, m, longest: np.where(n < m // 2, n, np.minimum(m, far_bucket(n, m, longest))),
)
_enter(
    "limit-one-early",
    "The last bucket is never used: the limit is one too low. It is m - 1.",
    lambda n, m, longest: np.minimum(m - 2, one_direction(n, m, longest)),
)


@T5_BUCKET.add(
    "limit-of-both",
    "In an encoder the past runs into the buckets of the future: the limit is n_buckets - 1, but one "
    "direction ends at n_buckets / 2 - 1.",
)
def _limit_of_both(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    m = n_buckets // 2 if bidirectional else n_buckets
    n = np.abs(r) if bidirectional else np.maximum(-r, 0)
    bucket = np.where(n < m // 2, n, np.minimum(n_buckets - 1, far_bucket(n, m, max_distance)))
    return bucket + m * (r > 0) * bidirectional


# --- the formula between


_enter(
    "log-of-max-distance",
    "The far buckets are squeezed: divide by ln(max_distance / e), with e the number of exact buckets, "
    "not by ln(max_distance).",
    with_limit(lambda n, m, longest: far_bucket(n, m, longest * (m // 2))),
)
_enter(
    "log-of-distance",
    "The far buckets start too high: take ln(n / e), with e the number of exact buckets, so that it is 0 "
    "where the far ones begin.",
    with_limit(lambda n, m, longest: far_bucket(n * (m // 2), m, longest)),
)
_enter(
    "logs-not-of-ratios",
    "Both logarithms are of distances themselves. Divide each distance by e, the number of exact "
    "buckets: ln(n / e) / ln(max_distance / e).",
    with_limit(lambda n, m, longest: far_bucket(n * (m // 2), m, longest * (m // 2))),
)
_enter(
    "log2-over-ln",
    "Two kinds of logarithm are mixed, one to base 2 and one natural. Any base will do, but the same "
    "for both.",
    with_limit(lambda n, m, longest: far_bucket(n, m, (longest / (m // 2)) ** np.log(2) * (m // 2))),
)
_enter(
    "ln-over-log2",
    "Two kinds of logarithm are mixed, one natural and one to base 2. Any base will do, but the same "
    "for both.",
    with_limit(lambda n, m, longest: far_bucket(n, m, (longest / (m // 2)) ** (1 / np.log(2)) * (m // 2))),
)
_enter(
    "no-division",
    "The logarithm is not divided by ln(max_distance / e), so max_distance has no say. With it the "
    "quotient runs from 0 to 1 over the far buckets.",
    with_limit(lambda n, m, longest: far_bucket(n, m, np.e * (m // 2))),
)
_enter(
    "rounded-up",
    "The logarithmic part is rounded up. Round it down: a bucket begins where the formula reaches its "
    "number.",
    with_limit(lambda n, m, longest: far_bucket(n, m, longest, np.ceil)),
)
_enter(
    "rounded-to-nearest",
    "The logarithmic part is rounded to the nearest. Round it down: a bucket begins where the formula "
    "reaches its number.",
    with_limit(lambda n, m, longest: far_bucket(n, m, longest, np.rint)),
)
_enter(
    "not-rounded",
    "The far buckets have decimals. A bucket is a row of a table: round the logarithmic part down.",
    with_limit(lambda n, m, longest: far_bucket(n, m, longest, lambda x: x)),
)
_enter(
    "one-too-low",
    "The far buckets are not moved up by e, so that they begin again at 0. Add e, the number of exact "
    "buckets.",
    with_limit(lambda n, m, longest: far_bucket(n, m, longest) - m // 2),
)
_enter(
    "all-buckets-far",
    "The far part is stretched over m buckets. The exact ones take e of them, so m - e are left for it.",
    with_limit(lambda n, m, longest: far_bucket(n, m, longest, lambda x: np.floor(2 * x))),
)
_enter(
    "linear",
    "The far buckets are all of one width. They widen with the distance: the bucket grows with its "
    "logarithm.",
    with_limit(lambda n, m, longest: m // 2 + (n - m // 2) * (m - m // 2) // (longest - m // 2)),
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
    lambda n, m, longest: np.clip(far_bucket(n, m, longest), 0, m - 1),
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
    return right(r, bidirectional, 32, max_distance)


@T5_BUCKET.add(
    "always-128",
    "max_distance has no effect: 128 is written into the function. Use the parameter.",
)
def _always_128(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, bidirectional, n_buckets, 128)


@T5_BUCKET.add(
    "always-32-and-128",
    "n_buckets and max_distance have no effect: 32 and 128 are written into the function. Use the "
    "parameters.",
)
def _always_32_and_128(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, bidirectional)


@T5_BUCKET.add(
    "flattened",
    "The buckets are right but the shape of r is lost. Return an array of the shape of r.",
)
def _flattened(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, bidirectional, n_buckets, max_distance).ravel()


@T5_BUCKET.add(
    "in-place",
    "The buckets are right, but r itself was changed. Whoever called still needs it: work on a new array.",
)
def _in_place(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    out = right(r, bidirectional, n_buckets, max_distance)
    np.abs(r, out=r)
    return out
