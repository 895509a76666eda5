"""Mistakes in ``t5_bucket(r, bidirectional, ...)`` about directions: past or future, encoder or decoder.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.relative.t5_bucket import T5_BUCKET, Array, one_direction, right

__all__ = ["T5_BUCKET"]


@T5_BUCKET.add(
    "reversed",
    "The directions are exchanged: r is key minus query, so a negative r is the past. In an encoder "
    "the future has the upper half of the buckets.",
)
def _reversed(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(-r, bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "past-in-the-upper-half",
    "In an encoder the past got the upper half of the buckets. The upper half is for keys after the "
    "query: add m where r > 0.",
)
def _past_in_the_upper_half(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return right(-r if bidirectional else r, bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "zero-in-the-upper-half",
    "Distance 0 fell into the upper half. It belongs to the lower one, with the past: add m where "
    "r > 0, not where r >= 0.",
)
def _zero_in_the_upper_half(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return right(r, bidirectional, n_buckets, max_distance) + (n_buckets // 2 * (r == 0) * bidirectional)


@T5_BUCKET.add(
    "no-upper-half",
    "In an encoder past and future share their buckets. Keys after the query have the upper half: add "
    "m where r > 0.",
)
def _no_upper_half(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(-np.abs(r) if bidirectional else r, bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "not-halved",
    "In an encoder each direction has all the buckets, so that the numbers run past n_buckets. Each "
    "has half of them: m = n_buckets // 2.",
)
def _not_halved(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, bidirectional, n_buckets * (1 + bidirectional), max_distance)


@T5_BUCKET.add(
    "halved-too-late",
    "In an encoder the future starts at n_buckets / 2, but the distances still use all n_buckets and "
    "run into each other. Halve n_buckets before you use it for exact and far ones.",
)
def _halved_too_late(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    if not bidirectional:
        return right(r, bidirectional, n_buckets, max_distance)
    return one_direction(np.abs(r), n_buckets, max_distance) + n_buckets // 2 * (r > 0)


@T5_BUCKET.add(
    "future-at-n-buckets",
    "In an encoder the future starts at n_buckets, past the end of the table. It starts at half of that.",
)
def _future_at_n_buckets(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, bidirectional, n_buckets, max_distance) + n_buckets // 2 * (r > 0) * bidirectional


@T5_BUCKET.add(
    "future-at-exact",
    "In an encoder the future starts at the number of exact buckets, where far keys of the past are. It "
    "starts at n_buckets // 2.",
)
def _future_at_exact(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, bidirectional, n_buckets, max_distance) - n_buckets // 4 * (r > 0) * bidirectional


@T5_BUCKET.add(
    "halved-in-the-decoder",
    "In a decoder only half of the buckets are used. There is one direction only, so it has all n_buckets.",
)
def _halved_in_the_decoder(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return right(r, bidirectional, n_buckets if bidirectional else n_buckets // 2, max_distance)


@T5_BUCKET.add(
    "decoder-sees-both-ways",
    "In a decoder the future has the buckets of the past: its distance was taken without the sign. Keys "
    "after the query share bucket 0 there.",
)
def _decoder_sees_both_ways(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return right(r if bidirectional else -np.abs(r), bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "decoder-forgets-the-past",
    "In a decoder the past fell into bucket 0 and the future was told apart. A decoder sees the past: "
    "the distance is -r there, and at least 0.",
)
def _decoder_forgets_the_past(
    r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Any:
    return right(r if bidirectional else -r, bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "flag-inverted",
    "Encoder and decoder are exchanged: bidirectional is true where a word sees both its past and its "
    "future.",
)
def _flag_inverted(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, not bidirectional, n_buckets, max_distance)


@T5_BUCKET.add(
    "always-bidirectional",
    "The decoder is treated like the encoder: bidirectional has no effect. Without it the past has all "
    "buckets, and the future is bucket 0.",
)
def _always_bidirectional(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, True, n_buckets, max_distance)


@T5_BUCKET.add(
    "never-bidirectional",
    "The encoder is treated like the decoder: bidirectional has no effect. With it each direction has "
    "half of the buckets.",
)
def _never_bidirectional(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    return right(r, False, n_buckets, max_distance)
