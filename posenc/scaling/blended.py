r"""Frequencies blended from kept and divided ones, by how often each turns within the original length.

Pure functions. A frequency `f` turns ``original * f / (2 * pi)`` times within the original length: fast ones
have shown the model every angle and are kept, slow ones have not and are divided by the stretch.
"""

from __future__ import annotations

from math import ceil, floor, log, pi

import numpy as np
from numpy.typing import ArrayLike

from posenc.scaling.start import Float64, Scaled, need_length, need_stretch, plain_frequencies

__all__ = ["by_parts", "llama3", "yarn"]


def by_parts(
    d: int, s: float, *, original: float, base: float = 10000.0, alpha: float = 1, beta: float = 32
) -> Scaled:
    r"""Keep frequencies of more than `beta` turns, divide those of fewer than `alpha`, blend between.

    This is the formula of the YaRN paper, linear in the number of turns. :func:`yarn` is its code, linear in
    the index of the pair: they differ.

    Parameters
    ----------
    d : int
        Number of features that turn, even.
    s : float
        Stretch, at least 1.
    original : float
        Length that the model was trained with, in positions.
    base : float, optional
        Sets the frequencies ``base ** (-2 * i / d)`` before scaling.
    alpha, beta : float, optional
        Bounds of the blend, in turns within `original`.

    Returns
    -------
    frequencies : (d/2,) ndarray of float64
        In radians per position.
    attention_factor : float
        1: the paper's factor on the scores is a step of its own.

    Raises
    ------
    ValueError
        If `d` is odd, `s` is below 1, `original` or `base` is not positive, or `beta` is not above `alpha`.

    References
    ----------
    .. [1] Peng et al., "YaRN: Efficient Context Window Extension", 2023, section 3.2, arXiv:2309.00071.

    Examples
    --------
    >>> (10000.0 ** (-np.arange(4) / 4) / by_parts(8, 4, original=2048)[0]).round(3)
    array([1.   , 1.   , 3.282, 4.   ])
    """
    need_stretch(s)
    need_length("original", original)
    if not beta > alpha:
        raise ValueError(f"beta must be above alpha, got alpha = {alpha} and beta = {beta}")
    f = plain_frequencies(d, base)
    turns = original * f / (2 * pi)
    return _blend(f, s, (turns - alpha) / (beta - alpha)), 1.0


def llama3(
    d: int, s: float, *, original: float, base: float = 500000.0, low: float = 1.0, high: float = 4.0
) -> Scaled:
    r"""Keep wavelengths below ``original / high``, stretch those above ``original / low``, blend between.

    With `low` and `high` for `alpha` and `beta` it is :func:`by_parts`.

    Parameters
    ----------
    d : int
        Number of features that turn, even.
    s : float
        Stretch, at least 1: 8 in Llama 3.1, 32 in the small Llama 3.2.
    original : float
        Length that the model was trained with, in positions: 8192 in Llama 3.
    base : float, optional
        Sets the frequencies ``base ** (-2 * i / d)`` before scaling.
    low, high : float, optional
        Bounds of the blend, in turns within `original`.

    Returns
    -------
    frequencies : (d/2,) ndarray of float64
        In radians per position.
    attention_factor : float
        1.

    Raises
    ------
    ValueError
        If `d` is odd, `s` is below 1, `original` or `base` is not positive, or `high` is not above `low`.

    References
    ----------
    .. [1] meta-llama/llama-models, ``models/llama3/model.py``, ``apply_scaling``, 2024.

    Examples
    --------
    >>> f, _ = llama3(128, 8, original=8192)
    >>> (500000.0 ** (-np.arange(64) / 64) / f)[[0, 28, 30, 34, 35]].round(4)
    array([1.    , 1.    , 1.5534, 5.2573, 8.    ])
    """
    if not high > low:
        raise ValueError(f"high must be above low, got low = {low} and high = {high}")
    return by_parts(d, s, original=original, base=base, alpha=low, beta=high)


def yarn(
    d: int,
    s: float,
    *,
    original: float,
    base: float = 10000.0,
    beta_fast: float = 32,
    beta_slow: float = 1,
    truncate: bool = True,
    attention_factor: float | None = None,
    mscale: float | None = None,
    mscale_all_dim: float | None = None,
) -> Scaled:
    r"""Blend along the index of the pair, as YaRN's released code does, and sharpen the scores.

    Parameters
    ----------
    d : int
        Number of features that turn, even.
    s : float
        Stretch, at least 1.
    original : float
        Length that the model was trained with, in positions, not the stretched one.
    base : float, optional
        Sets the frequencies ``base ** (-2 * i / d)`` before scaling; above 1.
    beta_fast, beta_slow : float, optional
        Turns within `original` of the first and last pair of the blend.
    truncate : bool, optional
        Round the bounds of the blend outwards to whole indices, as most models do; gpt-oss does not.
    attention_factor : float, optional
        Replaces the factor below.
    mscale, mscale_all_dim : float, optional
        Given together, as DeepSeek does, the factor is ``(0.1 * mscale * ln(s) + 1) / (0.1 * mscale_all_dim
        * ln(s) + 1)``; DeepSeek then multiplies its scores by the square of the divisor, in the attention.

    Returns
    -------
    frequencies : (d/2,) ndarray of float64
        In radians per position.
    attention_factor : float
        ``0.1 * ln(s) + 1`` by default. It multiplies queries and keys, so scores by its square.

    Raises
    ------
    ValueError
        If `d` is odd, `s` is below 1, `original` or `attention_factor` is not positive, `base` is not above
        1, `beta_slow` is not positive or `beta_fast` not above it, or only one of `mscale` and
        `mscale_all_dim` is given, which public codes read in different ways.

    References
    ----------
    .. [1] Peng et al., "YaRN: Efficient Context Window Extension", 2023, sections 3.2 and 3.4,
       arXiv:2309.00071, and the code, jquesnelle/yarn, ``LlamaYaRNScaledRotaryEmbedding``.
    .. [2] transformers, ``modeling_rope_utils.py``, ``_compute_yarn_parameters``.

    Examples
    --------
    >>> f, m = yarn(8, 4, original=2048)
    >>> (10000.0 ** (-np.arange(4) / 4) / f).round(3), round(m, 4)
    (array([1. , 1. , 1.6, 4. ]), 1.1386)
    """
    need_stretch(s)
    need_length("original", original)
    f = plain_frequencies(d, base)
    if not base > 1:
        raise ValueError(f"base must be above 1, got {base}")
    if not beta_fast > beta_slow > 0:
        raise ValueError(f"beta_fast must be above beta_slow and both above 0, got {beta_fast}, {beta_slow}")
    bounds = [_pair_of(turns, d, original, base) for turns in (beta_fast, beta_slow)]
    if truncate:
        bounds = [floor(bounds[0]), ceil(bounds[1])]
    first, last = max(bounds[0], 0), min(bounds[1], d - 1)
    span = (last - first) or 0.001  # the code's own way out of a division by zero
    frequencies = _blend(f, s, 1 - (np.arange(d // 2) - first) / span)
    return frequencies, _attention_factor(s, attention_factor, mscale, mscale_all_dim)


def _pair_of(turns: float, d: int, original: float, base: float) -> float:
    """Return the index, not whole, of the pair that turns so often within the original length."""
    return d * log(original / (2 * pi * turns)) / (2 * log(base))


def _blend(f: Float64, s: float, kept: ArrayLike) -> Float64:
    """Mix each frequency from itself, as much as is kept, and its quotient by the stretch."""
    kept = np.clip(kept, 0, 1)
    return np.asarray(kept * f + (1 - kept) * f / s)


def _attention_factor(s: float, given: float | None, mscale: float | None, all_dim: float | None) -> float:
    if given is not None:
        if not given > 0:
            raise ValueError(f"attention_factor must be positive, got {given}")
        return float(given)
    if mscale is None and all_dim is None:
        return 0.1 * log(s) + 1
    if mscale is None or all_dim is None:
        raise ValueError(f"mscale and mscale_all_dim must come together, got {mscale} and {all_dim}")
    return (0.1 * mscale * log(s) + 1) / (0.1 * all_dim * log(s) + 1)
