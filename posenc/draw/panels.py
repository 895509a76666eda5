"""Several matrices in one picture: yours and the expected with their difference, or any number side by side.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from posenc.draw.matrices import image, largest, name_ticks
from posenc.draw.style import BOTH_WAYS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["comparison", "difference", "row_of_axes", "side_by_side"]


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
    axes = row_of_axes(3) if axes is None else list(axes)
    want = np.atleast_2d(np.asarray(expected, dtype=np.float64))
    got = None if yours is None else np.atleast_2d(np.asarray(yours, dtype=np.float64))
    limit = largest(want)
    for ax, values, title in zip(axes, (got, want), ("yours", "expected"), strict=False):
        _panel(ax, values, title, limit, "nothing yet")
    axes[1].figure.colorbar(axes[1].images[0], ax=list(axes[:2]), label="value")
    off = got - want if got is not None and got.shape == want.shape else None
    words = "nothing yet" if got is None else f"shapes differ:\n{got.shape} and {want.shape}"
    difference(axes[2], off, words, limit, "yours - expected")
    for ax in axes:
        ax.set(xlabel=x, ylabel=y)
    return axes


def side_by_side(
    axes: Sequence[Axes] | None,
    matrices: Mapping[str, ArrayLike],
    *,
    x: str = "key position",
    y: str = "query position",
    label: str = "value",
    words: Sequence[Sequence[str]] | None = None,
) -> Sequence[Axes]:
    """Draw several matrices with one scale of colours, each under its title.

    Parameters
    ----------
    axes : sequence of Axes, or None
        Where to draw, one a matrix; with None a figure is made.
    matrices : mapping of titles to (n_rows, n_columns) array_like
        NaN and infinities are left grey.
    x, y, label : str, optional
        What columns, rows and colours mean, units included.
    words : sequence of sequences of str, optional
        For each matrix, which must be square, the names of its rows and columns.

    Returns
    -------
    sequence of Axes
        `axes`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> axes = side_by_side(None, {"head 0": [[0, 1]], "head 1": [[2, 3]]}, label="bias (logits)")
    >>> [ax.get_title() for ax in axes]
    ['head 0', 'head 1']
    >>> plt.close(axes[0].figure)
    """
    axes = row_of_axes(len(matrices)) if axes is None else list(axes)
    stacked = [np.atleast_2d(np.asarray(matrix, dtype=np.float64)) for matrix in matrices.values()]
    limit = max(largest(matrix) for matrix in stacked)
    names = [None] * len(axes) if words is None else words
    for ax, title, matrix, named in zip(axes, matrices, stacked, names, strict=True):
        image(ax, matrix, limit)
        ax.set(title=title, xlabel=x, ylabel=y)
        name_ticks(ax, named, named)
    lows, highs = zip(*(ax.images[0].get_clim() for ax in axes), strict=True)
    for ax in axes:
        ax.images[0].set_clim(min(lows), max(highs))
    axes[0].figure.colorbar(axes[0].images[0], ax=axes, label=label)
    return axes


def difference(ax: Axes, off: Any, words: str, limit: float, label: str) -> None:
    """Draw a difference on a scale of its own, blank where it is rounding; None is said in words."""
    if off is None:
        _panel(ax, None, "difference", None, words)
        return
    worst = float(np.max(np.abs(off), initial=0.0))
    # Rounding is no difference: with the limit of the values it does not show.
    drawn = image(ax, off, limit if worst < 1e-6 * limit else None, BOTH_WAYS)
    ax.figure.colorbar(drawn, ax=ax, label=label)
    ax.set_title(f"difference, up to {worst:.2g}")


def _panel(ax: Axes, values: Any, title: str, limit: float | None, words: str) -> None:
    ax.set_title(title)
    if values is not None:
        image(ax, values, limit)
        return
    ax.text(0.5, 0.5, words, ha="center", va="center", transform=ax.transAxes)
    ax.set(xticks=[], yticks=[])


def row_of_axes(count: int) -> list[Axes]:
    """Make a figure with some axes side by side."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(1, count, figsize=(3 * count, 3), layout="constrained", squeeze=False)
    return list(axes[0])
