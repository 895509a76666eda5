"""Pictures of what was measured: results against length with their spread, and text coloured by its loss.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from posenc.draw.curves import lines
from posenc.draw.matrices import image
from posenc.draw.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bars", "by_length", "coloured_text"]


def bars(
    ax: Axes, names: Sequence[str], values: Mapping[str, ArrayLike], *, x: str = "value", title: str = ""
) -> Axes:
    """Draw one horizontal bar a name for each set of values, the first name on top, its number beside it.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    names : sequence of n str
        What is compared.
    values : mapping of names to (n,) array_like
        One or more sets; the first is filled, the others are hatched, and a legend names them.
    x, title : str, optional
        What the axis is, units included; what stands above the picture.

    Returns
    -------
    Axes
        `ax`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> [text.get_text() for text in bars(ax, ["a", "b"], {"loss": [1, 2.5]}).texts]
    ['1.00', '2.50']
    >>> plt.close(fig)
    """
    height = 0.8 / len(values)
    for i, (label, lengths) in enumerate(values.items()):
        fill: Any = {"color": COLOURS[0]} if i == 0 else {"fc": "white", "ec": COLOURS[i], "hatch": "//"}
        places = np.arange(len(names)) + (i - (len(values) - 1) / 2) * height
        drawn = ax.barh(places, np.asarray(lengths, dtype=np.float64), 0.9 * height, label=label, **fill)
        ax.bar_label(drawn, fmt="%.2f", padding=3)
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.set(xlabel=x, title=title)
    if len(values) > 1:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=len(values), frameon=False)
    return ax


def by_length(
    ax: Axes,
    lengths: Sequence[int],
    results: Mapping[str, ArrayLike],
    *,
    trained: int | None = None,
    x: str = "length of the sequence (tokens)",
    y: str = "accuracy",
    title: str = "",
) -> Axes:
    """Draw results against the length of the sequence, each as its mean over runs with a band around it.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    lengths : sequence of n int
        Lengths, on a logarithmic axis with a tick each.
    results : mapping of names to (n,) or (n_runs, n) array_like
        One line each, told apart by colour, style and marker; the band runs from the lowest run to the
        highest.
    trained : int, optional
        A thin vertical line at the trained length.
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
    >>> by_length(ax, [32, 64], {"ALiBi": [[1, 0.9], [0.9, 0.8]]}, trained=32).get_xscale()
    'log'
    >>> plt.close(fig)
    """
    if trained is not None:
        ax.axvline(trained, color="0.6", linewidth=1, label=f"trained on {trained}")
    runs = {name: np.atleast_2d(np.asarray(result, dtype=np.float64)) for name, result in results.items()}
    lines(ax, lengths, {name: each.mean(axis=0) for name, each in runs.items()}, x=x, y=y, title=title)
    for i, each in enumerate(runs.values()):
        if len(each) > 1:
            ax.fill_between(lengths, each.min(axis=0), each.max(axis=0), color=COLOURS[i % 6], alpha=0.2)
    ax.set_xscale("log", base=2)
    ax.set_xticks(lengths, [str(n) for n in lengths])
    ax.minorticks_off()
    return ax


def coloured_text(
    ax: Axes,
    text: str,
    values: ArrayLike,
    *,
    width: int = 64,
    limit: float | None = None,
    label: str = "loss (nats)",
    title: str = "",
) -> Axes:
    """Write a text into a grid, `width` characters a row, each on the colour of its value.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    text : str
        Its newlines are written as an arrow and break no row.
    values : (n,) array_like
        One for each character, from 0.
    width : int, optional
        Characters in a row.
    limit : float, optional
        The value of the last colour; by default the largest.
    label, title : str, optional
        What colours mean, units included; what stands above the picture.

    Returns
    -------
    Axes
        `ax`.

    Raises
    ------
    ValueError
        If there is not one value for each character.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> [letter.get_text() for letter in coloured_text(ax, "to be", range(5), width=3).texts]
    ['t', 'o', ' ', 'b', 'e']
    >>> plt.close(fig)
    """
    each = np.asarray(values, dtype=np.float64)
    if each.shape != (len(text),):
        raise ValueError(f"values must have shape ({len(text)},), one a character, got {each.shape}")
    grid = np.full(-(-len(text) // width) * width, np.nan)
    grid[: len(text)] = each
    drawn = image(ax, grid.reshape(-1, width), limit)
    ax.figure.colorbar(drawn, ax=ax, label=label, extend="neither" if limit is None else "max")
    for place, character in enumerate(text):
        light = drawn.norm(each[place]) > 0.5  # the colours of values run from dark to light
        shown = "↵" if character == "\n" else character
        style: Any = {"ha": "center", "va": "center", "family": "monospace", "fontsize": 8}
        ax.text(place % width, place // width, shown, color="black" if light else "white", **style)
    rows = range(len(grid) // width)
    ax.set_yticks(rows, [f"{row * width}–{row * width + width - 1}" for row in rows])
    ax.set(xlabel="position in the row", ylabel="positions", title=title)
    return ax
