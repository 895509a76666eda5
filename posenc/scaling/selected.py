r"""Each frequency on its own: divisors found by search, or a part of the pairs that turns at all.

Pure functions; no search is done here.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from posenc.plain import need_even
from posenc.scaling.start import Scaled, need_length, need_stretch, plain_frequencies

__all__ = ["longrope", "partial", "proportional"]


def longrope(
    d: int,
    length: float,
    *,
    short: ArrayLike,
    long: ArrayLike,
    original: float,
    s: float,
    base: float = 10000.0,
) -> Scaled:
    r"""Divide each frequency by a number of its own, from one of two lists.

    Parameters
    ----------
    d : int
        Number of features that turn, even.
    length : float
        Present length in positions: up to `original` the short list is used, beyond it the long one. Keys in
        a cache that were turned by one list do not fit the other.
    short, long : (d/2,) array_like
        Divisors, positive. They come with a model.
    original : float
        Length that the model was trained with, in positions, more than 1.
    s : float
        Stretch, at least 1; it sets the attention factor only.
    base : float, optional
        Sets the frequencies ``base ** (-2 * i / d)`` before scaling.

    Returns
    -------
    frequencies : (d/2,) ndarray of float64
        In radians per position.
    attention_factor : float
        ``sqrt(1 + ln(s) / ln(original))``, at every length.

    Raises
    ------
    ValueError
        If `d` is odd, `s` is below 1, `length` or `base` is not positive, `original` is not above 1, or a
        list does not hold d/2 positive numbers.

    References
    ----------
    .. [1] Ding et al., "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", 2024,
       arXiv:2402.13753.
    .. [2] transformers, ``modeling_rope_utils.py``, ``_compute_longrope_parameters``.

    Examples
    --------
    >>> f, m = longrope(4, 5000, short=[1, 1], long=[1, 20], original=4096, s=32)
    >>> f, round(m, 4)
    (array([1.e+00, 5.e-04]), 1.1902)
    """
    need_stretch(s)
    need_length("length", length)
    if not original > 1:
        raise ValueError(f"original must be above 1, got {original}")
    f = plain_frequencies(d, base)
    divisors = {"short": np.asarray(short, np.float64), "long": np.asarray(long, np.float64)}
    for name, x in divisors.items():
        if x.shape != f.shape or not (x > 0).all():
            raise ValueError(f"{name} must hold d/2 = {d // 2} positive numbers, got {x.tolist()}")
    return f / divisors["short" if length <= original else "long"], sqrt(1 + log(s) / log(original))


def partial(d: int, p: float, *, base: float = 10000.0) -> Scaled:
    """Turn the first ``int(d * p)`` features, as a RoPE of that width; the others pass through.

    The exponents are divided by the number of features that turn. :func:`proportional` divides them by `d`.

    Parameters
    ----------
    d : int
        Number of features of a head, even.
    p : float
        Part of them that turns, above 0 and at most 1.
    base : float, optional
        Sets the frequencies.

    Returns
    -------
    frequencies : (m/2,) ndarray of float64
        ``base ** (-2 * i / m)`` in radians per position, with ``m = int(d * p)``.
    attention_factor : float
        1.

    Raises
    ------
    ValueError
        If `d` is odd, `p` is not above 0 and at most 1, ``int(d * p)`` is odd or 0, or `base` is not
        positive.

    References
    ----------
    .. [1] Black et al., "GPT-NeoX-20B: An Open-Source Autoregressive Language Model", 2022, section 2.1.1,
       arXiv:2204.06745.

    Examples
    --------
    >>> partial(8, 0.5)[0]
    array([1.  , 0.01])
    """
    need_even(d)
    _need_part(p)
    m = int(d * p)
    if m < 2 or m % 2:
        raise ValueError(f"int(d * p) must be even and positive, got {m} from d = {d} and p = {p}")
    return plain_frequencies(m, base), 1.0


def proportional(d: int, p: float, *, s: float = 1.0, base: float = 10000.0) -> Scaled:
    """Turn the first ``int(d * p / 2)`` pairs at the frequencies that they have when all turn.

    The other frequencies are 0, so their pairs stay as they are. In the half layout these are not the last
    features: pair `i` holds features `i` and ``i + d/2``.

    Parameters
    ----------
    d : int
        Number of features of a head, even.
    p : float
        Part of the pairs that turns, above 0 and at most 1.
    s : float, optional
        Stretch, at least 1: divides every frequency.
    base : float, optional
        Sets the frequencies ``base ** (-2 * i / d)``.

    Returns
    -------
    frequencies : (d/2,) ndarray of float64
        In radians per position, with zeros at the end.
    attention_factor : float
        1.

    Raises
    ------
    ValueError
        If `d` is odd, `p` is not above 0 and at most 1, `s` is below 1, or `base` is not positive.

    References
    ----------
    .. [1] Barbero et al., "Round and Round We Go! What makes Rotary Positional Encodings useful?", 2024,
       section 6.1, arXiv:2410.06205.
    .. [2] transformers, ``modeling_rope_utils.py``, ``_compute_proportional_rope_parameters``.

    Examples
    --------
    >>> proportional(8, 0.5)[0]
    array([1. , 0.1, 0. , 0. ])
    """
    need_stretch(s)
    _need_part(p)
    f = plain_frequencies(d, base)
    turning = np.arange(d // 2) < int(d * p / 2)
    return np.where(turning, f / s, 0.0), 1.0


def _need_part(p: float) -> None:
    if not 0 < p <= 1:
        raise ValueError(f"p must be above 0 and at most 1, got {p}")
