"""A program before and after it was mended: what both make of one input, and how they differ.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from posenc.draw.matrices import image, largest
from posenc.draw.style import BOTH_WAYS

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
    axes = _three() if axes is None else list(axes)
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
    _difference(axes[2], both[0], both[1], limit)
    for ax in axes:
        ax.set(xlabel=x, ylabel=y)
    return axes


def _matrix(output: ArrayLike) -> Any:
    values = np.atleast_2d(np.asarray(output, dtype=np.float64))
    return values.reshape(-1, values.shape[-1])


def _difference(ax: Axes, shipped: Any, yours: Any, limit: float) -> None:
    if shipped.shape != yours.shape:
        words = f"shapes differ:\n{shipped.shape} and {yours.shape}"
        ax.text(0.5, 0.5, words, ha="center", va="center", transform=ax.transAxes)
        ax.set(title="difference", xticks=[], yticks=[])
        return
    off = yours - shipped
    worst = float(np.max(np.abs(off), initial=0.0))
    # Rounding is no difference: with the limit of the values it does not show.
    drawn = image(ax, off, limit if worst < 1e-6 * limit else None, BOTH_WAYS)
    ax.figure.colorbar(drawn, ax=ax, label="yours - shipped")
    ax.set_title(f"difference, up to {worst:.2g}")


def _three() -> list[Axes]:
    import matplotlib.pyplot as plt

    return list(plt.subplots(1, 3, figsize=(9, 3), layout="constrained")[1])
