"""Pictures of encodings, in one line each: every function takes an `ax`, draws on it and returns it.

This room draws what it is given and computes no encoding, so that it works where a lesson withholds one. It
makes no figure unless asked to, shows none and saves none. Colours are safe for colour-blind readers; what
colour says, a marker, a line style or a label says too, so that pictures can be read in grey.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from posenc.panels import comparison, gram, heat_map, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "circle",
    "comparison",
    "gram",
    "heat_map",
    "score_against_offset",
    "slopes",
    "wavelengths",
]

# Okabe and Ito's colours, the ones that differ most in lightness first.
_COLOURS = ("#0072B2", "#E69F00", "#000000", "#CC79A7", "#009E73", "#56B4E9")
_LINES = ("-", "--", ":", "-.")
_MARKERS = ("o", "s", "^", "D")
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
    ax.vlines(np.arange(len(m)), m.min() / 2, m, color=_COLOURS[0], linewidth=1)
    ax.plot(np.arange(len(m)), m, "o", color=_COLOURS[0])
    ax.set(xlabel="head", ylabel="slope (logits per position)", ylim=(m.min() / 2, m.max() * 2))
    whole_numbers(ax.xaxis)
    return ax


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
        color=_COLOURS[0],
        width=0.008,
    )
    every = 1 + len(p) // 13  # more than a dozen numbers would run into each other
    for tip, number in zip(tips[::every], p[::every], strict=True):
        ax.text(1.15 * tip.real, 1.15 * tip.imag, f"{number:g}", ha="center", va="center")
    edge = 1.35 * radius
    ax.set(xlim=(-edge, edge), ylim=(-edge, edge), aspect="equal")
    ax.set(xlabel="first feature of the pair", ylabel="second feature of the pair")
    return ax


def score_against_offset(
    ax: Axes, offsets: ArrayLike, scores: ArrayLike | Mapping[str, ArrayLike], *, y: str = "score"
) -> Axes:
    """Draw scores against the offset, key minus query, in positions.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    offsets : (n,) array_like
        Offsets in positions.
    scores : (n,) array_like, or a mapping of names to such
        One line each; names go to the legend.
    y : str, optional
        What the scores are.

    Returns
    -------
    Axes
        `ax`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> len(score_against_offset(ax, [0, 1], {"a": [1, 2], "b": [2, 1]}).lines)
    2
    >>> plt.close(fig)
    """
    r = np.asarray(offsets)
    named = scores if isinstance(scores, Mapping) else {"": scores}
    for i, (name, line) in enumerate(named.items()):
        style = {"color": _COLOURS[i % 6], "linestyle": _LINES[i % 4], "label": name or None}
        ax.plot(r, np.asarray(line), marker=_MARKERS[i % 4] if len(r) <= _FEW else None, **cast(Any, style))
    if isinstance(scores, Mapping):
        ax.legend()
    ax.set(xlabel="offset: key minus query (positions)", ylabel=y)
    whole_numbers(ax.xaxis)
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
    ax.plot(pair[within], turn[within], "o", color=_COLOURS[0], label="turns at least once")
    if length is not None:
        ax.plot(pair[~within], turn[~within], "o", color=_COLOURS[0], mfc="none", label="completes no turn")
        ax.axhline(length, color=_COLOURS[1], linestyle="--", label=f"{length:g} positions")
        ax.legend()
    ax.set(xlabel="pair", ylabel="wavelength (positions)")
    whole_numbers(ax.xaxis)
    return ax
