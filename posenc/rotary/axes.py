"""RoPE of several positions a vector: each part of the pairs turns by a position of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from posenc.plain import Array, width
from posenc.rotary.pairs import Layout, rope, rotate, spectrum, table

__all__ = ["mrope", "rope_2d"]


def rope_2d(
    x: ArrayLike, rows: ArrayLike, cols: ArrayLike, *, base: float = 10000.0, layout: Layout = "interleaved"
) -> Array:
    """Turn the first half of the features by the row, the second half by the column.

    Each half is a RoPE of its own width: frequencies ``base ** (-2 * i / (d/2))`` in radians per
    position, and pairs within the half. `rows` and `cols` each broadcast against ``x.shape[:-1]``. Raises
    ValueError if `d` is not a multiple of 4.

    References
    ----------
    .. [1] Biderman et al., "Rotary Embeddings: A Relative Revolution", 2021, EleutherAI blog.

    Examples
    --------
    >>> rope_2d([1.0, 0.0, 1.0, 0.0], 0, 2).round(3)
    array([ 1.   ,  0.   , -0.416,  0.909])
    """
    x = np.asarray(x)
    if width(x) % 4:
        raise ValueError(f"d must be a multiple of 4, got {width(x)}")
    by_row, by_col = np.split(x, 2, axis=-1)
    halves = rope(by_row, rows, base=base, layout=layout), rope(by_col, cols, base=base, layout=layout)
    return np.concatenate(np.broadcast_arrays(*halves), axis=-1)


def mrope(
    x: ArrayLike,
    positions: ArrayLike,
    sections: Sequence[int],
    *,
    base: float = 10000.0,
    frequencies: ArrayLike | None = None,
    attention_factor: float = 1.0,
    layout: Layout = "half",
) -> Array:
    r"""Turn each section of the pairs by a component of its own of the position: time, height, width.

    The frequencies are those of one RoPE over all of `d`, cut into sections: the first ``sections[0]`` pairs
    turn by the first component, and so on. So text, whose components are equal, turns as by :func:`rope`
    in the same layout.

    Parameters
    ----------
    x : (..., d) array_like
        Queries or keys, real, `d` even.
    positions : (c, ...) array_like of real numbers
        The components, one along the first axis for each section: (3, n) for time, height and width. Each
        broadcasts against ``x.shape[:-1]``: (3, B, 1, n) for `x` of shape (B, h, n, d).
    sections : sequence of int
        Numbers of frequencies, that is of pairs. They add up to d/2, or to the number of `frequencies`.
    base, frequencies, attention_factor
        As in :func:`table`, which says what they must be.
    layout : {"half", "interleaved"}, optional
        As in :func:`rotate`, but by default that of the models which turn so.

    Returns
    -------
    (..., d) ndarray
        A new array, of the dtype that :func:`rotate` gives.

    Raises
    ------
    ValueError
        If the sections do not add up, or are not as many as the components of the positions.

    References
    ----------
    .. [1] Wang et al., "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any
       Resolution", 2024, section 2.1, arXiv:2409.12191, and ``Qwen2VLRotaryEmbedding`` of transformers 5.24.

    Examples
    --------
    >>> mrope([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [2, 0, 1], (1, 1, 1)).round(3)
    array([-0.416,  1.   ,  1.   ,  0.909,  0.   ,  0.002])
    """
    d = width(np.asarray(x))
    w = spectrum(d, base, frequencies)
    if not sections or min(sections) < 0 or sum(sections) != len(w):
        raise ValueError(f"sections must add up to {len(w)} frequencies, got {tuple(sections)}")
    components = np.asarray(positions)
    if components.ndim < 1 or len(components) != len(sections):
        raise ValueError(
            f"positions must have one component for each of {len(sections)} sections, "
            f"got shape {components.shape}"
        )
    parts = np.split(w, np.cumsum(sections)[:-1])
    turns = [
        table(p, d, frequencies=part, attention_factor=attention_factor)
        for p, part in zip(components, parts, strict=True)
    ]
    return rotate(x, np.concatenate(turns, axis=-1), layout=layout)  # (..., m) turns
