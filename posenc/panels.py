"""Matrices as pictures: one, the dot products of its rows, or two with their difference.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

__all__ = ["comparison", "gram", "heat_map", "whole_numbers"]

_BOTH_WAYS = "PuOr"  # white at 0, orange below, purple above


def heat_map(
    ax: Axes,
    values: ArrayLike,
    *,
    x: str = "feature",
    y: str = "position",
    label: str = "value",
    title: str = "",
    limit: float | None = None,
) -> Axes:
    """Draw a matrix, row 0 on top.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    values : (n_rows, n_columns) array_like
        A vector is drawn as one row. NaN and infinities are left grey.
    x, y, label : str, optional
        What columns, rows and colours mean, units included.
    title : str, optional
        Above the picture.
    limit : float, optional
        Colours run to it, and from minus it where any value is negative; by default the largest magnitude.

    Returns
    -------
    Axes
        `ax`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> heat_map(ax, [[0, 1], [1, 0]], x="key", label="weight").get_xlabel()
    'key'
    >>> plt.close(fig)
    """
    ax.figure.colorbar(_image(ax, values, limit, "cividis"), ax=ax, label=label)
    ax.set(xlabel=x, ylabel=y, title=title)
    return ax


def gram(ax: Axes, codes: ArrayLike, *, title: str = "") -> Axes:
    """Draw the dot product of every two rows of `codes`, (n, d).

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> gram(ax, np.eye(3)).get_ylabel()
    'position'
    >>> plt.close(fig)
    """
    P = np.asarray(codes, dtype=np.float64)
    return heat_map(ax, P @ P.T, x="position", label="dot product", title=title)


def comparison(
    axes: Sequence[Axes] | None,
    yours: ArrayLike | None,
    expected: ArrayLike,
    *,
    x: str = "feature",
    y: str = "position",
) -> Sequence[Axes]:
    """Draw yours, the expected and their difference side by side; no difference is blank.

    Parameters
    ----------
    axes : sequence of three Axes, or None
        Where to draw; with None a figure is made.
    yours : (n_rows, n_columns) array_like or None
        The answer. None, or a shape other than the expected, is said in words.
    expected : (n_rows, n_columns) array_like
        What it should be. The first two panels share its colours.
    x, y : str, optional
        What columns and rows are.

    Returns
    -------
    sequence of three Axes
        `axes`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> axes = comparison(None, [[1.0, 2.0]], [[1.0, 3.0]])
    >>> [ax.get_title() for ax in axes]
    ['yours', 'expected', 'difference, up to 1']
    >>> plt.close(axes[0].figure)
    """
    axes = _three_axes() if axes is None else list(axes)
    want = np.atleast_2d(np.asarray(expected, dtype=np.float64))
    got = None if yours is None else np.atleast_2d(np.asarray(yours, dtype=np.float64))
    limit = _largest(want)
    for ax, values, title in zip(axes, (got, want), ("yours", "expected"), strict=False):
        _panel(ax, values, title, limit, "nothing yet")
    axes[1].figure.colorbar(axes[1].images[0], ax=list(axes[:2]), label="value")
    off = got - want if got is not None and got.shape == want.shape else None
    words = "nothing yet" if got is None else f"shapes differ:\n{got.shape} and {want.shape}"
    _difference(axes[2], off, words, limit)
    for ax in axes:
        ax.set(xlabel=x, ylabel=y)
    return axes


def whole_numbers(*axis: Axis) -> None:
    """Put ticks at whole numbers only: there is no position and a half."""
    from matplotlib.ticker import MaxNLocator

    for each in axis:
        each.set_major_locator(MaxNLocator(integer=True))


def _difference(ax: Axes, off: Any, words: str, limit: float) -> None:
    if off is None:
        _panel(ax, None, "difference", None, words)
        return
    worst = float(np.max(np.abs(off), initial=0.0))
    # Rounding is no difference: with the limit of the values it does not show.
    image = _image(ax, off, limit if worst < 1e-6 * limit else None, _BOTH_WAYS)
    ax.figure.colorbar(image, ax=ax, label="yours - expected")
    ax.set_title(f"difference, up to {worst:.2g}")


def _panel(ax: Axes, values: Any, title: str, limit: float | None, words: str) -> None:
    ax.set_title(title)
    if values is not None:
        _image(ax, values, limit, "cividis")
        return
    ax.text(0.5, 0.5, words, ha="center", va="center", transform=ax.transAxes)
    ax.set(xticks=[], yticks=[])


def _image(ax: Axes, values: ArrayLike, limit: float | None, colours: str) -> Any:
    matrix = np.atleast_2d(np.asarray(values, dtype=np.float64))
    shown = np.ma.masked_invalid(matrix)
    top = _largest(matrix) if limit is None else limit
    either_sign = colours == _BOTH_WAYS
    low = -top if either_sign or (shown < 0).any() else 0
    high = 0 if low and not either_sign and not (shown > 0).any() else top
    ax.set_facecolor("0.85")
    whole_numbers(ax.xaxis, ax.yaxis)
    return ax.imshow(shown, cmap=colours, vmin=low, vmax=high, aspect="auto", interpolation="nearest")


def _largest(matrix: Any) -> float:
    finite = np.abs(matrix[np.isfinite(matrix)])
    return float(finite.max(initial=0.0)) or 1.0


def _three_axes() -> list[Axes]:
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(1, 3, figsize=(9, 3), layout="constrained")
    return list(axes)
