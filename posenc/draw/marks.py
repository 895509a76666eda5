"""A table of marks: which kind each cell is, by a letter and a colour, and what the kinds are.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posenc.draw.style import COLOURS, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["marks"]


def marks(
    ax: Axes,
    rows: Mapping[str, Sequence[str]],
    meanings: Mapping[str, str],
    *,
    columns: Sequence[str] | None = None,
    x: str = "",
    y: str = "",
) -> Axes:
    """Draw a table of marks, each cell with its mark on the mark's colour, and a legend above.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    rows : mapping of names to sequences of str
        The marks of each row, the first row on top: a string of letters will do. Rows may differ in length.
    meanings : mapping of str to str
        Every mark, and what it stands for.
    columns : sequence of str, optional
        A name for each column, in place of its number.
    x, y : str, optional
        What columns and rows are.

    Returns
    -------
    Axes
        `ax`.

    Raises
    ------
    ValueError
        If a mark has no meaning, or there are more marks than colours.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> said = marks(ax, {"A": "yn"}, {"y": "yes", "n": "no"}, x="question").get_legend().get_texts()
    >>> [text.get_text() for text in said]
    ['y: yes', 'n: no']
    >>> plt.close(fig)
    """
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    if len(meanings) > len(COLOURS):
        raise ValueError(f"there must be at most {len(COLOURS)} marks, got {len(meanings)}")
    kinds = _kinds(rows, list(meanings))
    for (i, j), kind in np.ndenumerate(kinds):
        if np.isfinite(kind):
            mark = list(meanings)[int(kind)]
            ax.text(j, i, mark, ha="center", va="center", color="white" if kind == 0 else "black")
    style: Any = {"vmin": -0.5, "vmax": len(COLOURS) - 0.5, "aspect": "auto", "interpolation": "nearest"}
    ax.imshow(np.ma.masked_invalid(kinds), cmap=ListedColormap(_FILLS), **style)
    ax.set_xticks(np.arange(kinds.shape[1] + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(kinds.shape[0] + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=2)
    ax.tick_params(which="minor", length=0)
    ax.set_yticks(range(len(rows)), list(rows))
    whole_numbers(ax.xaxis)
    if columns is not None:
        ax.set_xticks(range(len(columns)), columns)
    ax.set(xlabel=x, ylabel=y)
    keys = [
        Patch(facecolor=_FILLS[k], edgecolor="0.3", label=f"{mark}: {meaning}")
        for k, (mark, meaning) in enumerate(meanings.items())
    ]
    ax.legend(
        handles=keys, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(len(keys), 3), frameon=False
    )
    return ax


#: Dark, middle, light, then colours of a middle lightness: the first three differ in grey too.
_FILLS = (COLOURS[0], COLOURS[1], "#F5E6C4", COLOURS[3], COLOURS[4], COLOURS[5])


def _kinds(rows: Mapping[str, Sequence[str]], marks: Sequence[str]) -> NDArray[np.float64]:
    """Return the number of each cell's mark, and NaN where a row has ended."""
    kinds = np.full((len(rows), max(map(len, rows.values()))), np.nan)
    for i, (name, row) in enumerate(rows.items()):
        for j, mark in enumerate(row):
            if mark not in marks:
                raise ValueError(f"a mark must be one of {', '.join(marks)}, got {mark!r} in {name!r}")
            kinds[i, j] = marks.index(mark)
    return kinds
