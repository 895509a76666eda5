"""Matrices as pictures: one, or the dot products of its rows.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from posenc.draw.style import BOTH_WAYS, ONE_WAY, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["gram", "heat_map", "image", "largest", "name_ticks"]


def heat_map(
    ax: Axes,
    values: ArrayLike,
    *,
    x: str = "feature",
    y: str = "position",
    label: str = "value",
    title: str = "",
    limit: float | None = None,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    numbers: str | None = None,
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
    rows, columns : sequence of str, optional
        A name for each row or column, such as the words of a sentence, in place of its number.
    numbers : str, optional
        Write each value into its cell, in this format, such as ``".2f"`` or ``"g"``: for small matrices.

    Returns
    -------
    Axes
        `ax`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> heat_map(ax, [[0, 1], [1, 0]], x="key", label="weight", numbers="g").get_xlabel()
    'key'
    >>> plt.close(fig)
    """
    drawn = image(ax, values, limit)
    ax.figure.colorbar(drawn, ax=ax, label=label)
    ax.set(xlabel=x, ylabel=y, title=title)
    name_ticks(ax, rows, columns)
    if numbers is not None:
        _write(ax, drawn, numbers)
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


def name_ticks(ax: Axes, rows: Sequence[str] | None, columns: Sequence[str] | None) -> None:
    """Give rows and columns names, where there are any."""
    if rows is not None:
        ax.set_yticks(range(len(rows)), rows)
    if columns is not None:
        ax.set_xticks(range(len(columns)), columns, rotation=45 if max(map(len, columns)) > 2 else 0)


def _write(ax: Axes, drawn: Any, numbers: str) -> None:
    """Write the values, dark on light and light on dark."""
    shown = drawn.get_array()
    for (i, j), value in np.ndenumerate(np.ma.getdata(shown)):
        masked = bool(np.ma.getmaskarray(shown)[i, j])
        red, green, blue, _ = (0.85,) * 4 if masked else drawn.cmap(drawn.norm(value))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        text = "" if np.isnan(value) else format(value, numbers)
        ax.text(j, i, text, ha="center", va="center", color="white" if dark else "black")


def image(ax: Axes, values: ArrayLike, limit: float | None, colours: str = ONE_WAY) -> Any:
    """Draw the colours of a matrix alone, and return them."""
    matrix = np.atleast_2d(np.asarray(values, dtype=np.float64))
    shown = np.ma.masked_invalid(matrix)
    top = largest(matrix) if limit is None else limit
    either_sign = colours == BOTH_WAYS
    low = -top if either_sign or (shown < 0).any() else 0
    high = 0 if low and not either_sign and not (shown > 0).any() else top
    ax.set_facecolor("0.85")
    whole_numbers(ax.xaxis, ax.yaxis)
    return ax.imshow(shown, cmap=colours, vmin=low, vmax=high, aspect="auto", interpolation="nearest")


def largest(matrix: Any) -> float:
    """Return the largest finite magnitude, or 1 where all are 0."""
    finite = np.abs(matrix[np.isfinite(matrix)])
    return float(finite.max(initial=0.0)) or 1.0
