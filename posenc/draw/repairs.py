"""A program before and after it was mended: what both make of one input, and how they differ.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from posenc.draw.matrices import image, largest
from posenc.draw.panels import difference, row_of_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["repair"]


def repair(
    axes: Sequence[Axes] | None,
    shipped: ArrayLike,
    yours: ArrayLike,
    *,
    x: str = "feature",
    y: str = "position",
    label: str = "value",
) -> Sequence[Axes]:
    """Draw what a shipped program and yours make of one input, and their difference on a scale of its own.

    Parameters
    ----------
    axes : sequence of three Axes, or None
        Where to draw; with None a figure is made.
    shipped, yours : (..., n_columns) array_like
        The outputs. Leading axes are drawn one below the other. Shapes that differ are said in words.
    x, y, label : str, optional
        What columns, rows and colours mean, units included.

    Returns
    -------
    sequence of three Axes
        `axes`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> axes = repair(None, [[1.0, 2.0]], [[1.0, 3.0]])
    >>> [ax.get_title() for ax in axes]
    ['shipped', 'yours', 'difference, up to 1']
    >>> plt.close(axes[0].figure)
    """
    axes = row_of_axes(3) if axes is None else list(axes)
    both = [_matrix(output) for output in (shipped, yours)]
    limit = max(map(largest, both))
    for ax, values, title in zip(axes, both, ("shipped", "yours"), strict=False):
        image(ax, values, limit)
        ax.set_title(title)
    low = min(ax.images[0].get_clim()[0] for ax in axes[:2])
    high = max(ax.images[0].get_clim()[1] for ax in axes[:2])
    for ax in axes[:2]:
        ax.images[0].set_clim(low, high)
    axes[0].figure.colorbar(axes[0].images[0], ax=axes[:2], label=label)
    same = both[0].shape == both[1].shape
    words = f"shapes differ:\n{both[0].shape} and {both[1].shape}"
    difference(axes[2], both[1] - both[0] if same else None, words, limit, "yours - shipped")
    for ax in axes:
        ax.set(xlabel=x, ylabel=y)
    return axes


def _matrix(output: ArrayLike) -> Any:
    values = np.atleast_2d(np.asarray(output, dtype=np.float64))
    return values.reshape(-1, values.shape[-1])
