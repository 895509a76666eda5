"""Pictures of one variable: slopes, scores against the offset, wavelengths, buckets, any lines.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from posenc.draw.style import COLOURS, LINES, MARKERS, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["lines", "score_against_offset", "slopes", "staircase", "wavelengths"]

_FEW = 24  # points that a marker each does not crowd


def slopes(ax: Axes, slopes: ArrayLike) -> Axes:
    """Draw the slope of each head, (h,) in logits per position, on a logarithmic scale.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> slopes(ax, [0.25, 0.0625]).get_yscale()
    'log'
    >>> plt.close(fig)
    """
    m = np.asarray(slopes, dtype=np.float64)
    ax.set_yscale("log", base=2)
    ax.vlines(np.arange(len(m)), m.min() / 2, m, color=COLOURS[0], linewidth=1)
    ax.plot(np.arange(len(m)), m, "o", color=COLOURS[0])
    ax.set(xlabel="head", ylabel="slope (logits per position)", ylim=(m.min() / 2, m.max() * 2))
    whole_numbers(ax.xaxis)
    return ax


def lines(
    ax: Axes,
    at: ArrayLike,
    values: ArrayLike | Mapping[str, ArrayLike],
    *,
    x: str = "position",
    y: str = "value",
    title: str = "",
) -> Axes:
    """Draw one or several lines over the same points.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    at : (n,) array_like
        Where the points lie.
    values : (n,) array_like, or a mapping of names to such
        One line each, told apart by colour, style and marker; names go to the legend.
    x, y : str, optional
        What the axes are, units included.
    title : str, optional
        Above the picture.

    Returns
    -------
    Axes
        `ax`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> lines(ax, [0, 1], {"near": [1, 2], "far": [2, 1]}, y="weight").get_ylabel()
    'weight'
    >>> plt.close(fig)
    """
    points = np.asarray(at)
    named = values if isinstance(values, Mapping) else {"": values}
    for i, (name, line) in enumerate(named.items()):
        style = {"color": COLOURS[i % 6], "linestyle": LINES[i % 4], "label": name or None}
        marker = MARKERS[i % 4] if len(points) <= _FEW else None
        ax.plot(points, np.asarray(line), marker=marker, **cast(Any, style))
    if isinstance(values, Mapping):
        ax.legend()
    ax.set(xlabel=x, ylabel=y, title=title)
    if points.dtype.kind in "iu":
        whole_numbers(ax.xaxis)
    return ax


def score_against_offset(
    ax: Axes, offsets: ArrayLike, scores: ArrayLike | Mapping[str, ArrayLike], *, y: str = "score"
) -> Axes:
    """Draw scores against the offset, key minus query, in positions; otherwise as :func:`lines`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> len(score_against_offset(ax, [0, 1], {"a": [1, 2], "b": [2, 1]}).lines)
    2
    >>> plt.close(fig)
    """
    lines(ax, offsets, scores, x="offset: key minus query (positions)", y=y)
    whole_numbers(ax.xaxis)
    return ax


def staircase(ax: Axes, offsets: ArrayLike, rows: ArrayLike | Mapping[str, ArrayLike]) -> Axes:
    """Draw which row of a table each offset reads, as steps: one value for each whole offset.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    offsets : (n,) array_like of int
        Key minus query, in positions.
    rows : (n,) array_like of int, or a mapping of names to such
        The bucket or row of each offset; names go to the legend.

    Returns
    -------
    Axes
        `ax`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> staircase(ax, [-1, 0, 1], [1, 0, 2]).get_ylabel()
    'bucket'
    >>> plt.close(fig)
    """
    score_against_offset(ax, offsets, rows, y="bucket")
    for line in ax.lines:
        line.set_drawstyle("steps-mid")
    whole_numbers(ax.yaxis)
    return ax


def wavelengths(ax: Axes, frequencies: ArrayLike, *, length: float | None = None) -> Axes:
    """Draw the wavelength of each pair, 2 pi over its frequency in radians per position.

    With `length`, a line at so many positions; pairs that complete no turn within it are hollow. A frequency
    of 0 has no wavelength and is left out.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> wavelengths(ax, [1, 0.1, 0.01], length=100).get_ylabel()
    'wavelength (positions)'
    >>> plt.close(fig)
    """
    w = np.asarray(frequencies, dtype=np.float64)
    pair = np.flatnonzero(w > 0)
    turn = 2 * np.pi / w[pair]
    within = np.ones(len(turn), dtype=np.bool_) if length is None else turn <= length
    ax.set_yscale("log")
    ax.plot(pair[within], turn[within], "o", color=COLOURS[0], label="turns at least once")
    if length is not None:
        ax.plot(pair[~within], turn[~within], "o", color=COLOURS[0], mfc="none", label="completes no turn")
        ax.axhline(length, color=COLOURS[1], linestyle="--", label=f"{length:g} positions")
        ax.legend()
    ax.set(xlabel="pair", ylabel="wavelength (positions)")
    whole_numbers(ax.xaxis)
    return ax
