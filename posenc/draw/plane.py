"""Pictures in the plane of one pair of features.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from posenc.draw.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["circle"]


def circle(
    ax: Axes, positions: ArrayLike, *, frequency: float = 1.0, start: tuple[float, float] = (1.0, 0.0)
) -> Axes:
    """Draw one pair of features at several positions, turned counter-clockwise by position times frequency.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    positions : (n,) array_like
        Each becomes an arrow, with its number at the tip, or every few where they are many.
    frequency : float, optional
        Radians per position.
    start : (float, float), optional
        The pair at position 0.

    Returns
    -------
    Axes
        `ax`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> [text.get_text() for text in circle(ax, [0, 2]).texts]
    ['0', '2']
    >>> plt.close(fig)
    """
    p = np.atleast_1d(np.asarray(positions, dtype=np.float64))
    tips = complex(*start) * np.exp(1j * p * frequency)
    radius = abs(complex(*start))
    around = radius * np.exp(1j * np.linspace(0, 2 * np.pi, 200))
    ax.plot(around.real, around.imag, color="0.7", linewidth=1)
    ax.quiver(
        0 * p,
        0 * p,
        tips.real,
        tips.imag,
        angles="xy",
        scale_units="xy",
        scale=1,
        color=COLOURS[0],
        width=0.008,
    )
    every = 1 + len(p) // 13  # more than a dozen numbers would run into each other
    for tip, number in zip(tips[::every], p[::every], strict=True):
        ax.text(1.15 * tip.real, 1.15 * tip.imag, f"{number:g}", ha="center", va="center")
    edge = 1.35 * radius
    ax.set(xlim=(-edge, edge), ylim=(-edge, edge), aspect="equal")
    ax.set(xlabel="first feature of the pair", ylabel="second feature of the pair")
    return ax
