r"""RoPE whose scores decay with the distance: xPos.

Queries grow with the position and keys shrink, each pair at a pace of its own, so that their product knows
the offset only. For causal attention: towards later keys, which it does not see, scores would grow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.plain import Array, need_even, width, working
from posenc.rotary.pairs import Layout, rotate, table

__all__ = ["xpos"]


def xpos(
    q: ArrayLike,
    k: ArrayLike,
    positions_q: ArrayLike,
    positions_k: ArrayLike | None = None,
    *,
    base: float = 10000.0,
    scale_base: float = 512.0,
    gamma: float = 0.4,
    centre: float | None = None,
    layout: Layout = "interleaved",
) -> tuple[Array, Array]:
    r"""Turn queries and keys, and scale them so that their scores decay with the distance.

    Pair `i` of a query at `p` is multiplied by ``zeta[i] ** ((p - centre) / scale_base)``, that of a key by
    the inverse, with ``zeta[i] = (2 * i / d + gamma) / (1 + gamma)`` below 1. In a score the centre cancels:
    pair `i` of a key at a distance of `r` positions before the query counts ``zeta[i] ** (r / scale_base)``.
    The centre keeps the two factors near 1, since alone they overflow far from it.

    Parameters
    ----------
    q, k : (..., d) array_like
        Queries and keys, real, `d` even and the same in both.
    positions_q, positions_k : array_like
        Broadcast against ``q.shape[:-1]`` and ``k.shape[:-1]``. The keys' are the queries' if left out.
    base : float, optional
        Sets the angles, as in :func:`table`.
    scale_base : float, optional
        Positions after which pair `i` has decayed by ``zeta[i]``: 512 in the paper.
    gamma : float, optional
        Sets the fastest decay, that of the first pair: 0.4 in the paper.
    centre : float, optional
        Position at which nothing is scaled, the same for queries and keys. By default the middle of all
        positions of this call, so keys that are kept in a cache need one centre given in every call.
    layout : {"interleaved", "half"}, optional
        As in :func:`rotate`.

    Returns
    -------
    (q, k) : tuple of (..., d) ndarray
        New arrays, each of the dtype that :func:`rotate` gives.

    Raises
    ------
    ValueError
        If `d` is odd or differs, `scale_base` or `gamma` is not positive, or a position is so far from the
        centre that a factor leaves the normal numbers of the dtype: at 512, some 35 000 in float32.

    References
    ----------
    .. [1] Sun et al., "A Length-Extrapolatable Transformer", 2022, section 2.2, arXiv:2212.10554, and
       ``xpos_relative_position.py`` of microsoft/torchscale.

    Examples
    --------
    >>> q, k = xpos([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], 5, 3)
    >>> (q @ k).round(6)
    np.float64(1.215492)
    >>> q, k = xpos([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], 105, 103)
    >>> (q @ k).round(6)
    np.float64(1.215492)
    """
    d = width(np.asarray(q))
    if width(np.asarray(k)) != d:
        raise ValueError(f"d must be the same in q and k, got {d} and {width(np.asarray(k))}")
    at_q = np.asarray(positions_q, dtype=np.float64)
    at_k = at_q if positions_k is None else np.asarray(positions_k, dtype=np.float64)
    middle = _middle(at_q, at_k) if centre is None else centre
    zeta = _zeta(d, scale_base, gamma)
    scaled = [
        rotate(x, table(p, d, base=base) * _factors(sign * (p - middle) / scale_base, zeta, x), layout=layout)
        for x, p, sign in ((q, at_q, 1), (k, at_k, -1))
    ]
    return scaled[0], scaled[1]


def _middle(*positions: NDArray[np.float64]) -> float:
    """Return the point halfway between the first and the last position, 0 where there is none."""
    seen = [p for p in positions if p.size]
    return (min(p.min() for p in seen) + max(p.max() for p in seen)) / 2 if seen else 0.0


def _zeta(d: int, scale_base: float, gamma: float) -> NDArray[np.float64]:
    """Return what each pair decays to over `scale_base` positions, (d/2,), increasing and below 1."""
    need_even(d)
    if not scale_base > 0:
        raise ValueError(f"scale_base must be positive, got {scale_base}")
    if not gamma > 0:
        raise ValueError(f"gamma must be positive, got {gamma}")
    zeta: NDArray[np.float64] = (np.arange(0, d, 2) / d + gamma) / (1 + gamma)
    return zeta


def _factors(exponents: NDArray[np.float64], zeta: NDArray[np.float64], x: ArrayLike) -> NDArray[np.float64]:
    """Return ``zeta ** exponents``, (..., d/2), if all are normal numbers of the dtype of `x`."""
    _, dtype = working(x)
    room = float(np.log(float(np.finfo(dtype).tiny)) / np.log(zeta[0]))  # the first pair decays fastest
    far = float(np.max(np.abs(exponents), initial=0.0))
    if not far <= room:
        raise ValueError(
            f"positions must lie within {room:.1f} times scale_base of the centre in {dtype}, "
            f"got {far:.1f} times"
        )
    factors: NDArray[np.float64] = zeta ** exponents[..., None]
    return factors
