r"""One rule for all frequencies: divide each by the stretch, or take a larger base.

Pure functions; lengths are told, never remembered from an earlier call.
"""

from __future__ import annotations

from posenc.scaling.start import Scaled, need_length, need_stretch, plain_frequencies

__all__ = ["dynamic_ntk", "interpolated", "ntk"]


def interpolated(d: int, s: float, *, base: float = 10000.0) -> Scaled:
    """Divide every frequency by the stretch, which is to divide every position by it.

    Parameters
    ----------
    d : int
        Number of features that turn, even.
    s : float
        Stretch, at least 1.
    base : float, optional
        Sets the frequencies ``base ** (-2 * i / d)`` before scaling.

    Returns
    -------
    frequencies : (d/2,) ndarray of float64
        In radians per position.
    attention_factor : float
        1.

    Raises
    ------
    ValueError
        If `d` is odd, `s` is below 1, or `base` is not positive.

    References
    ----------
    .. [1] Chen et al., "Extending Context Window of Large Language Models via Positional Interpolation",
       2023, arXiv:2306.15595.

    Examples
    --------
    >>> interpolated(8, 4)[0]
    array([0.25   , 0.025  , 0.0025 , 0.00025])
    """
    need_stretch(s)
    return plain_frequencies(d, base) / s, 1.0


def ntk(d: int, s: float, *, base: float = 10000.0) -> Scaled:
    r"""Enlarge the base, so that the fastest frequency stays and the slowest is divided by the stretch.

    Parameters
    ----------
    d : int
        Number of features that turn, even and at least 4.
    s : float
        Stretch, at least 1. Without fine-tuning the length reached is less than `s` times the old one.
    base : float, optional
        Base before scaling; after it, ``base * s ** (d / (d - 2))``.

    Returns
    -------
    frequencies : (d/2,) ndarray of float64
        In radians per position.
    attention_factor : float
        1.

    Raises
    ------
    ValueError
        If `d` is odd or below 4, `s` is below 1, or `base` is not positive.

    References
    ----------
    .. [1] bloc97, "NTK-Aware Scaled RoPE", 2023; described in Peng et al., "YaRN: Efficient Context Window
       Extension", 2023, section 3.1, arXiv:2309.00071.

    Examples
    --------
    >>> (interpolated(8, 1)[0] / ntk(8, 4)[0]).round(3)
    array([1.   , 1.587, 2.52 , 4.   ])
    """
    need_stretch(s)
    return _rebased(d, s, base)


def dynamic_ntk(d: int, s: float, length: float, *, original: float, base: float = 10000.0) -> Scaled:
    r"""Enlarge the base as far as the present length asks for, and not at all up to the original one.

    The frequencies change as a sequence grows. Keys in a cache that were turned by earlier frequencies no
    longer fit: keep them unturned, or compute them anew.

    Parameters
    ----------
    d : int
        Number of features that turn, even and at least 4.
    s : float
        Stretch, at least 1; larger ones enlarge the base faster.
    length : float
        Present length in positions.
    original : float
        Length that the model was trained with, in positions.
    base : float, optional
        Base before scaling. After it the base is multiplied by ``g ** (d / (d - 2))``, with
        ``g = s * length / original - (s - 1)``, at lengths above `original`.

    Returns
    -------
    frequencies : (d/2,) ndarray of float64
        In radians per position.
    attention_factor : float
        1.

    Raises
    ------
    ValueError
        If `d` is odd or below 4, `s` is below 1, or `length`, `original` or `base` is not positive.

    References
    ----------
    .. [1] emozilla, "Dynamically Scaled RoPE", 2023; described in Peng et al., "YaRN: Efficient Context
       Window Extension", 2023, section 3.3, arXiv:2309.00071.
    .. [2] transformers, ``modeling_rope_utils.py``, ``_compute_dynamic_ntk_parameters``.

    Examples
    --------
    >>> dynamic_ntk(8, 2, 5, original=8)[0]
    array([1.   , 0.1  , 0.01 , 0.001])
    >>> (interpolated(8, 1)[0] / dynamic_ntk(8, 2, 16, original=8)[0]).round(3)
    array([1.   , 1.442, 2.08 , 3.   ])
    """
    need_stretch(s)
    need_length("length", length)
    need_length("original", original)
    return _rebased(d, s * max(length / original, 1) - (s - 1), base)


def _rebased(d: int, growth: float, base: float) -> Scaled:
    """Return the frequencies of a base so much larger that the last is divided by `growth`."""
    if d == 2:
        raise ValueError("d must be at least 4, since one frequency cannot both stay and slow down, got 2")
    start = plain_frequencies(d, base)  # checks d before d - 2 divides
    exponents = [i / (d // 2 - 1) for i in range(d // 2)]
    return start / [growth**e for e in exponents], 1.0
