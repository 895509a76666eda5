"""Diagrams: which token went where, and where in a Transformer position can enter.

Draws what it is given and computes no encoding. `posenc.draw` is where to call these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from posenc.draw.style import COLOURS, LINES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["permutation", "places"]

#: The parts of a Transformer's layer: where (x, y), and what it says.
_PARTS = {
    "embeddings": (0.9, 2.0, "embeddings\nX"),
    "q": (3.6, 3.2, "queries"),
    "k": (3.6, 2.0, "keys"),
    "v": (3.6, 0.8, "values"),
    "scores": (6.2, 2.6, "scores\n" + r"$q \cdot k\,/\sqrt{d}$"),
    "weights": (8.3, 2.6, "softmax"),
    "output": (10.2, 1.7, "weighted\naverage"),
}
_ARROWS = (
    ("embeddings", "q"), ("embeddings", "k"), ("embeddings", "v"), ("q", "scores"), ("k", "scores"),
    ("scores", "weights"), ("weights", "output"), ("v", "output"),
)  # fmt: skip
#: Name, what it does, and where its numbered marks stand.
_PLACES = (
    ("absolute: add a vector to each embedding, once", [(0.9, 2.75)]),
    ("relative: add a number to each score, in every layer", [(6.2, 3.35)]),
    ("rotary: turn queries and keys, in every layer", [(4.55, 3.2), (4.55, 2.0)]),
)


def permutation(ax: Axes, names: Sequence[str], order: ArrayLike, *, title: str = "") -> Axes:
    """Draw names in their order above, in another order below, and a line from each to itself.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    names : sequence of n str
        What is put in order, such as the words of a sentence.
    order : (n,) array_like of int
        Place j below holds ``names[order[j]]``.
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
    >>> [text.get_text() for text in permutation(ax, ["dog", "bites"], [1, 0]).texts]
    ['dog', 'bites', 'bites', 'dog']
    >>> plt.close(fig)
    """
    old = np.asarray(order)
    for j, i in enumerate(old):
        ax.plot([i, j], [0.9, 0.1], color=COLOURS[i % 6], linestyle=LINES[i % 4], linewidth=2)
    for place, name in enumerate(names):
        ax.text(place, 1.0, name, ha="center", va="center")
    for place, i in enumerate(old):
        ax.text(place, 0.0, names[i], ha="center", va="center")
    ax.set(xlim=(-0.6, len(old) - 0.4), ylim=(-0.15, 1.15), xlabel="position", title=title)
    ax.set_xticks(range(len(old)))
    ax.set_yticks([1, 0], ["before", "after"])
    return ax


def places(ax: Axes) -> Axes:
    """Draw one layer of a Transformer, and the three places where position can enter it.

    The numbered marks are absolute (1), relative (2) and rotary (3); a legend says what each does.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> [text.get_text()[:8] for text in places(ax).get_legend().get_texts()]
    ['absolute', 'relative', 'rotary: ']
    >>> plt.close(fig)
    """
    from matplotlib.patches import Rectangle

    frame: Any = {"fill": False, "linestyle": "--", "edgecolor": "0.5"}
    ax.add_patch(Rectangle((2.35, 0.2), 8.85, 3.6, **frame))
    ax.text(11.1, 3.7, "one layer, repeated", ha="right", va="top", color="0.3")
    boxes = {name: _box(ax, x, y, said) for name, (x, y, said) in _PARTS.items()}
    for start, end in _ARROWS:
        (x0, y0, _), (x1, y1, _) = _PARTS[start], _PARTS[end]
        arrow: Any = {"arrowstyle": "->", "color": "0.3", "patchA": boxes[start], "patchB": boxes[end]}
        ax.annotate("", (x1, y1), (x0, y0), arrowprops={**arrow, "shrinkA": 4, "shrinkB": 4})
    for number, (said, marks) in enumerate(_PLACES):
        _mark(ax, number, said, marks)
    ax.set(xlim=(-0.3, 11.4), ylim=(0, 4))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), frameon=False)
    ax.set_axis_off()
    return ax


def _box(ax: Axes, x: float, y: float, said: str) -> Any:
    """Write what a part is, in a frame, and return the frame."""
    style: Any = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": "0.3"}
    return ax.text(x, y, said, ha="center", va="center", bbox=style, zorder=2).get_bbox_patch()


def _mark(ax: Axes, number: int, said: str, at: Sequence[tuple[float, float]]) -> None:
    """Put a numbered disc at each of some places, and say in the legend what it stands for."""
    colour = COLOURS[(0, 3, 4)[number]]
    x, y = zip(*at, strict=True)
    disc: Any = {"linestyle": "none", "color": colour, "markersize": 17, "zorder": 3}
    ax.plot(x, y, marker="o", **disc)
    for here in at:
        ax.text(*here, str(number + 1), ha="center", va="center", color="white", weight="bold", zorder=4)
    ax.plot([], [], marker=cast(Any, f"${number + 1}$"), linestyle="none", color=colour, label=said)
