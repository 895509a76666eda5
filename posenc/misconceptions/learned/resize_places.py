"""Mistakes in ``resize(table, old, new)``: where a new point is read, and what is made of its neighbours.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.learned.resize import Array, between, half_pixel, laid_out, places
from posenc.misconceptions.learned.resize_grid import RESIZE

__all__ = ["RESIZE"]


def _align_corners(rows: Array, n: int) -> Any:
    return between(rows, np.arange(n) * (len(rows) - 1) / max(n - 1, 1))


RESIZE.add(
    "align-corners",
    "This aligns the corners, as ViT's own code does: first and last stay in place. Here half pixels are "
    "asked for, as in torch by default: new point j lies at (j + 1/2) m/n - 1/2.",
)(laid_out(_align_corners))

RESIZE.add(
    "no-half-pixel",
    "New point j is read at j m/n, which shifts the grid towards its start. Patches have a width: their "
    "middles lie at (j + 1/2) m/n - 1/2.",
)(laid_out(lambda rows, n: between(rows, np.arange(n) * len(rows) / n)))

RESIZE.add(
    "half-not-returned",
    "The half pixel was added but not taken off again: new point j is read at (j + 1/2) m/n. Subtract 1/2 "
    "to get back to numbers of old points.",
)(laid_out(lambda rows, n: between(rows, places(len(rows), n) + 0.5)))

RESIZE.add(
    "half-not-added",
    "The half pixel was taken off but not added before: new point j is read at j m/n - 1/2. Start from j + "
    "1/2, the middle of the new patch.",
)(laid_out(lambda rows, n: between(rows, np.arange(n) * len(rows) / n - 0.5)))

RESIZE.add(
    "ratio-upside-down",
    "The ratio is upside down: n/m instead of m/n. A new point counts in new patches, and m/n turns those "
    "into old ones.",
)(laid_out(lambda rows, n: between(rows, (np.arange(n) + 0.5) * n / len(rows) - 0.5)))


def _nearest(rows: Array, n: int) -> Any:
    return rows[((2 * np.arange(n) + 1) * len(rows)) // (2 * n)]


RESIZE.add(
    "nearest",
    "Every new patch copies the nearest old one, in steps. Interpolate: mix the two neighbours along each "
    "axis.",
)(laid_out(_nearest))

RESIZE.add(
    "nearest-below",
    "Every new patch copies the old one at floor(j m/n), in steps. Interpolate: mix the two neighbours along "
    "each axis.",
)(laid_out(lambda rows, n: rows[np.arange(n) * len(rows) // n]))

RESIZE.add(
    "lower-neighbour",
    "The place is right, but its fraction is dropped: only the lower neighbour is read. Mix it with the "
    "next one, by the fraction.",
)(laid_out(lambda rows, n: between(rows, np.floor(np.clip(places(len(rows), n), 0, None)))))


def _weights_swapped(rows: Array, n: int) -> Any:
    c = np.clip(places(len(rows), n), 0, len(rows) - 1)
    low = np.floor(c).astype(int)
    high = np.minimum(low + 1, len(rows) - 1)
    t = (c - low).reshape(-1, *[1] * (rows.ndim - 1))
    return rows[low] * t + rows[high] * (1 - t)


RESIZE.add(
    "weights-swapped",
    "The two neighbours have each other's weight. With fraction t past the lower one, that one counts 1 - t"
    " and the next one t.",
)(laid_out(_weights_swapped))


def _mean_of_neighbours(rows: Array, n: int) -> Any:
    c = np.clip(places(len(rows), n), 0, len(rows) - 1)
    return (rows[np.floor(c).astype(int)] + rows[np.ceil(c).astype(int)]) / 2


RESIZE.add(
    "halfway",
    "The two neighbours are averaged, however near one of them is. Weigh them by the fraction of the place:"
    " 1 - t and t.",
)(laid_out(_mean_of_neighbours))

# --- the edges


def _weights(m: int, n: int, edge: str) -> Any:
    """Return the weight of each old point in each new one, with something other than the end row outside."""
    c = places(m, n)
    low = np.floor(c).astype(int)
    W = np.zeros((n, m))
    for j in range(n):
        for i, weight in ((low[j], 1 - (c[j] - low[j])), (low[j] + 1, c[j] - low[j])):
            if edge == "wrap" or 0 <= i < m:
                W[j, i % m] += weight
    return W


RESIZE.add(
    "wraps",
    "At the edges the other end of the image is mixed in: index -1, or a modulo, wrapped around. Beyond the"
    " ends, the end row counts alone.",
)(laid_out(lambda rows, n: np.tensordot(_weights(len(rows), n, "wrap"), rows, 1)))

RESIZE.add(
    "zeros-beyond",
    "At the edges zeros are mixed in, as if the image ended in nothing. Beyond the ends, the end row counts "
    "alone: keep the place inside 0 and m - 1.",
)(laid_out(lambda rows, n: np.tensordot(_weights(len(rows), n, "zero"), rows, 1)))


def _extrapolated(rows: Array, n: int) -> Any:
    if len(rows) == 1:
        return np.repeat(rows, n, axis=0)
    c = places(len(rows), n)
    low = np.clip(np.floor(c).astype(int), 0, len(rows) - 2)
    t = (c - low).reshape(-1, *[1] * (rows.ndim - 1))
    return rows[low] * (1 - t) + rows[low + 1] * t


RESIZE.add(
    "extrapolated",
    "Beyond the first and last patch the lines are drawn on, past every old value. The end row counts alone"
    " there: keep the place inside 0 and m - 1.",
)(laid_out(_extrapolated))

# --- other ways to resize


def _triangles(rows: Array, n: int) -> Any:
    m = len(rows)
    width = max(m / n, 1.0)
    W = np.clip(1 - np.abs((places(m, n)[:, None] - np.arange(m)) / width), 0, None)
    return np.tensordot(W / W.sum(axis=1, keepdims=True), rows, 1)


RESIZE.add(
    "antialias",
    "Towards fewer patches this averages over all that a new one covers, as torch does with antialias=True."
    " Here it is off: only the two nearest count.",
)(laid_out(_triangles))


def _areas(rows: Array, n: int) -> Any:
    m = len(rows)
    starts, ends = np.arange(n) * m // n, -(-(np.arange(1, n + 1) * m) // n)
    return np.stack([rows[a:b].mean(axis=0) for a, b in zip(starts, ends, strict=True)])


RESIZE.add(
    "areas",
    "Every new patch is the mean of the old ones that it touches, as in average pooling. Interpolate "
    "between the two nearest along each axis instead.",
)(laid_out(_areas))


def _cubic(rows: Array, n: int) -> Any:
    m, a = len(rows), -0.75
    c = places(m, n)
    first = np.floor(c).astype(int) - 1
    W = np.zeros((n, m))
    for j in range(n):
        for i in range(first[j], first[j] + 4):
            x = abs(c[j] - i)
            near = ((a + 2) * x - (a + 3)) * x * x + 1
            far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
            W[j, np.clip(i, 0, m - 1)] += near if x <= 1 else far
    return np.tensordot(W, rows, 1)


RESIZE.add(
    "cubic",
    "This is cubic interpolation over four neighbours, as DINOv2 resizes. A fine choice, but here lines are"
    " asked for: two neighbours along each axis.",
)(laid_out(_cubic))


def _by_ratio(rows: Array, n: int) -> Any:
    return half_pixel(rows, int(len(rows) * (n / len(rows))))


RESIZE.add(
    "ratio-rounded",
    "For some sizes a row or column of patches is missing: old size times a ratio of floats falls short of a "
    "whole number, and rounding down loses it. Use the new sizes themselves.",
)(laid_out(_by_ratio))
