"""Scaling: the numbers of the released codes, and the errors.

What each rule promises is in test_scaling_rules.py, what was reported in test_reports_scaling.py.
"""

from math import nan

import numpy as np
import pytest

from posenc.scaling import (
    by_parts,
    dynamic_ntk,
    interpolated,
    llama3,
    longrope,
    ntk,
    partial,
    proportional,
    yarn,
)

ONES = [1.0] * 4


def plain(d, base=10_000.0):
    return base ** (-np.arange(0, d, 2) / d)


# Computed from the formulas and compared with transformers 5.24: modeling_rope_utils.py; by_parts from the
# paper's formula alone, which no released code has.
@pytest.mark.parametrize(
    ("scale", "want"),
    [
        (lambda: interpolated(8, 4), [0.25, 0.025, 0.0025, 0.00025]),
        (lambda: ntk(8, 4), [1, 0.06299605, 0.0039685, 0.00025]),
        (
            lambda: by_parts(16, 4, original=256),
            [1, 0.16997965, 0.03243798, 0.00812636, 0.0025, 0.00079057, 0.00025, 0.00007906],
        ),
        (
            lambda: yarn(16, 4, original=256),
            [1, 0.25693506, 0.0625, 0.01383496, 0.0025, 0.00079057, 0.00025, 0.00007906],
        ),
        (
            lambda: yarn(16, 4, original=64),
            [1, 0.23717082, 0.05, 0.00790569, 0.0025, 0.00079057, 0.00025, 0.00007906],
        ),
        (
            lambda: yarn(16, 4, original=256, truncate=False),
            [1, 0.25397231, 0.05539864, 0.00963994, 0.0025, 0.00079057, 0.00025, 0.00007906],
        ),
        (lambda: partial(8, 0.5), [1, 0.01]),
        (lambda: proportional(8, 0.5), [1, 0.1, 0, 0]),
        (lambda: proportional(8, 0.5, s=4), [0.25, 0.025, 0, 0]),
    ],
)
def test_goldens(scale, want):
    frequencies, attention_factor = scale()
    np.testing.assert_allclose(frequencies, want, atol=1e-8, strict=True)
    assert isinstance(attention_factor, float)


@pytest.mark.parametrize(
    ("d", "s", "original", "bounds", "want"),
    [
        (
            128,
            16,
            4096,
            (20, 46),
            [1, 0.05623413, 0.04694086, 0.00460044, 0.00015177, 8.335e-05, 7.22e-06],
        ),
        (128, 8, 4096, (20, 46), [1, 0.05623413, 0.04705792, 0.00487105, 0.00024432, 0.00016669, 1.443e-05]),
        (128, 4, 2048, (16, 41), [1, 0.1, 0.08399854, 0.01138099, 0.00088544, 0.0006846, 2.887e-05]),
        (64, 4, 2048, (8, 21), [1, 0.1, 0.07066311, 0.01162721, 0.00097301, 0.00059284, 3.334e-05]),
    ],
)
def test_yarn_goldens_at_the_ends_and_bounds_of_the_blend(d, s, original, bounds, want):
    low, high = bounds
    picked = [0, low, low + 1, (low + high) // 2, high - 1, high, d // 2 - 1]
    np.testing.assert_allclose(yarn(d, s, original=original)[0][picked], want, atol=1e-8)


@pytest.mark.parametrize(("s", "base"), [(2, 20221.26168974), (4, 40889.94243249), (8, 82684.62264056)])
def test_ntk_golden_bases(s, base):
    np.testing.assert_allclose(ntk(128, s)[0], plain(128, base), rtol=1e-10)


@pytest.mark.parametrize(
    ("s", "length", "base"), [(2, 4096, 30527.73674881), (1, 4096, 20221.26168974), (2, 2048, 10_000.0)]
)
def test_dynamic_ntk_golden_bases(s, length, base):
    np.testing.assert_allclose(dynamic_ntk(128, s, length, original=2048)[0], plain(128, base), rtol=1e-10)


# meta-llama/llama-models, apply_scaling: Llama 3.1 and the 1B of Llama 3.2.
@pytest.mark.parametrize(
    ("d", "s", "kept", "blended"),
    [
        (128, 8, 29, [1.20748387, 1.55341463, 2.02631321, 2.69452969, 3.68425253, 5.25732659]),
        (64, 32, 15, [1.65132925, 3.2922621, 9.66672898]),
    ],
)
def test_llama3_golden_divisors(d, s, kept, blended):
    divisors = plain(d, 500_000.0) / llama3(d, s, original=8192)[0]
    want = np.concatenate([np.ones(kept), blended, np.full(d // 2 - kept - len(blended), s)])
    np.testing.assert_allclose(divisors, want, atol=1e-8)


@pytest.mark.parametrize(
    ("s", "want"),
    [
        (1, 1),
        (2, 1.06931472),
        (4, 1.13862944),
        (8, 1.20794415),
        (16, 1.27725887),
        (32, 1.34657359),
        (40, 1.36888795),
    ],
)
def test_yarn_golden_attention_factors(s, want):
    assert yarn(16, s, original=256)[1] == pytest.approx(want, abs=1e-8)


def test_longrope_golden_attention_factor():
    assert longrope(8, 10, short=ONES, long=ONES, original=4096, s=32)[1] == pytest.approx(1.19023807)


LONGROPE = {"short": ONES, "long": ONES, "original": 64, "s": 2}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: interpolated(8, 0.5), "s must be at least 1, got 0.5"),
        (lambda: ntk(8, 0.5), "s must be at least 1, got 0.5"),
        (lambda: ntk(8, nan), "s must be at least 1, got nan"),
        (lambda: dynamic_ntk(8, 0.5, 9, original=4), "s must be at least 1, got 0.5"),
        (lambda: by_parts(8, 0.5, original=4), "s must be at least 1, got 0.5"),
        (lambda: yarn(8, 0.5, original=4), "s must be at least 1, got 0.5"),
        (lambda: llama3(8, 0.5, original=4), "s must be at least 1, got 0.5"),
        (lambda: longrope(8, 9, **LONGROPE | {"s": 0.5}), "s must be at least 1, got 0.5"),
        (lambda: proportional(8, 1, s=0.5), "s must be at least 1, got 0.5"),
        (lambda: interpolated(5, 2), "d must be even, got 5"),
        (lambda: ntk(2, 2), "^d must be at least 4, .*, got 2$"),
        (lambda: dynamic_ntk(5, 2, 9, original=4), "d must be even, got 5"),
        (lambda: yarn(5, 2, original=4), "d must be even, got 5"),
        (lambda: partial(5, 1), "d must be even, got 5"),
        (lambda: proportional(0, 1), "d must be positive, got 0"),
        (lambda: interpolated(8, 2, base=0), "base must be positive, got 0"),
        (lambda: yarn(8, 2, original=4, base=1), "base must be above 1, got 1"),
        (lambda: dynamic_ntk(8, 2, 0, original=4), "length must be positive, got 0"),
        (lambda: dynamic_ntk(8, 2, 9, original=0), "original must be positive, got 0"),
        (lambda: by_parts(8, 2, original=0), "original must be positive, got 0"),
        (lambda: yarn(8, 2, original=-1), "original must be positive, got -1"),
        (lambda: longrope(8, 0, **LONGROPE), "length must be positive, got 0"),
        (lambda: longrope(8, 9, **LONGROPE | {"original": 1}), "original must be above 1, got 1"),
        (lambda: longrope(8, 9, **LONGROPE | {"short": [1.0]}), r"short must hold d/2 = 4 .*, got \[1.0\]"),
        (lambda: longrope(8, 9, **LONGROPE | {"long": [1, 1, 0, 1]}), "long must hold d/2 = 4 positive"),
        (lambda: by_parts(8, 2, original=4, alpha=1, beta=1), "beta must be above alpha, got .* beta = 1"),
        (lambda: llama3(8, 2, original=4, low=4, high=4), "high must be above low, got low = 4 and high = 4"),
        (lambda: yarn(8, 2, original=4, beta_fast=1), "beta_fast must be above beta_slow .*, got 1, 1"),
        (lambda: yarn(8, 2, original=4, beta_slow=0), "both above 0, got 32, 0"),
        (lambda: yarn(8, 2, original=4, attention_factor=0), "attention_factor must be positive, got 0"),
        (lambda: yarn(8, 2, original=4, mscale=1), "must come together, got 1 and None"),
        (lambda: yarn(8, 2, original=4, mscale_all_dim=1), "must come together, got None and 1"),
        (lambda: partial(8, 0), "p must be above 0 and at most 1, got 0"),
        (lambda: proportional(8, 1.5), "p must be above 0 and at most 1, got 1.5"),
        (lambda: partial(8, 0.4), r"int\(d \* p\) must be even and positive, got 3 from d = 8 and p = 0.4"),
        (lambda: partial(8, 0.1), r"int\(d \* p\) must be even and positive, got 0"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
