"""Mix-ups of scaled frequencies that were reported in public: each check fails for the faulty version.

The numbers of the reports name the repositories where they were made.
"""

from functools import partial as bind
from math import log

import numpy as np
import pytest

from posenc.rotary import rope
from posenc.scaling import dynamic_ntk, llama3, ntk, proportional, yarn
from posenc.scaling import partial as partial_rotary

PLAIN = 10_000.0 ** (-np.arange(8) / 8)
KEYS = np.random.default_rng(0).normal(size=(8, 8))


def is_plain_up_to_the_original_length(scaled):
    """huggingface/transformers#25104, vllm#5093: a base grew, or stayed large, where nothing asked for it."""
    np.testing.assert_allclose(scaled(16, 2, 16, original=8)[0][-1] * 3, PLAIN[-1])
    np.testing.assert_allclose(scaled(16, 2, 6, original=8)[0], PLAIN)


def ratio_below_1(d, s, length, *, original):
    growth = s * length / original - (s - 1)
    return (10_000.0 * growth ** (d / (d - 2))) ** (-np.arange(0, d, 2) / d), 1.0


def remembering():
    longest = [0]

    def scaled(d, s, length, *, original):
        longest[0] = max(longest[0], length)
        return dynamic_ntk(d, s, longest[0], original=original)

    return scaled


def decodes_as_the_full_pass(turn_cache):
    """transformers#24653: keys in the cache had been turned by the frequencies of a shorter sequence."""
    full = rope(KEYS, np.arange(8), frequencies=dynamic_ntk(8, 2, 8, original=4)[0])
    np.testing.assert_allclose(turn_cache(KEYS), full, atol=1e-12)


def turned_late(keys):
    return rope(keys, np.arange(8), frequencies=dynamic_ntk(8, 2, len(keys), original=4)[0])


def turned_once(keys):
    by_length = [dynamic_ntk(8, 2, n, original=4)[0] for n in range(1, 9)]
    return np.array([rope(k, p, frequencies=f) for p, (k, f) in enumerate(zip(keys, by_length, strict=True))])


def has_bounds_that_are_not_whole(scaled):
    """vllm#27722: `truncate: false`, as in gpt-oss, was not read."""
    want = [1, 0.25397231, 0.05539864, 0.00963994]
    np.testing.assert_allclose(scaled(16, 4, original=256, truncate=False)[0][:4], want, atol=1e-8)


def blends_over_pairs(scaled):
    """jquesnelle/yarn#60, #65: the ramp runs over pairs, not over features, and is linear in the index."""
    want = [1, 0.25693506, 0.0625, 0.01383496]
    np.testing.assert_allclose(scaled(16, 4, original=256)[0][:4], want, atol=1e-8)


def over_features(d, s, *, original):
    ramp = np.clip(np.arange(0, d, 2) / 4, 0, 1)  # the bounds are 0 and 4
    return PLAIN / s * ramp + PLAIN * (1 - ramp), 0.1 * log(s) + 1


def from_the_stretched_length(d, s, *, original):
    """NVIDIA/Megatron-LM#1418, vllm#55116."""
    return yarn(d, s, original=s * original)


def inverted(d, s, *, original):
    return (PLAIN + PLAIN / s) - yarn(d, s, original=original)[0], 1.0


def sharpens_scores_by_the_square(scaled):
    """vllm#46280, mlx-lm#1507, sglang#33558: a factor left out, applied twice, or of a wrong logarithm."""
    f, m = scaled(8, 16, original=4096)
    plain = rope(KEYS, 3, frequencies=f) @ rope(KEYS, 5, frequencies=f).T
    turned = rope(KEYS, 3, frequencies=f, attention_factor=m)
    scores = turned @ rope(KEYS, 5, frequencies=f, attention_factor=m).T
    np.testing.assert_allclose(scores, plain * 1.2772588722**2, atol=1e-8)


def with_factor(change):
    def scaled(d, s, *, original):
        f, m = yarn(d, s, original=original)
        return f, change(m, s, original)

    return scaled


def honours_a_factor_of_1(scaled):
    """exllamav3#259: 1.0 was read as nothing given."""
    assert scaled(8, 16, original=4096, attention_factor=1.0)[1] == 1


def divides_the_two_scales(scaled):
    """TensorRT-LLM#16379: mscale and mscale_all_dim together make a ratio, 1 where they are equal."""
    assert scaled(8, 40, original=4096, mscale=0.707, mscale_all_dim=0.707)[1] == pytest.approx(1)


def slows_only_the_slow(scaled):
    """unsloth#6197, mlx-vlm#1710, tiny-vllm#1: Llama's scaling passed over, and short prompts looked fine."""
    f = scaled(128, 8, original=8192)[0]
    np.testing.assert_array_equal(rope(np.ones(128), 0, frequencies=f), np.ones(128))  # tells nothing
    divisors = 500_000.0 ** (-np.arange(64) / 64) / f
    np.testing.assert_allclose(divisors[[0, 28, 30, 34, 35, 63]], [1, 1, 1.55341463, 5.25732659, 8, 8])


def without_a_blend(d, s, *, original):
    f = 500_000.0 ** (-np.arange(0, d, 2) / d)
    return np.where(2 * np.pi / f > original, f / s, f), 1.0


def leaves_the_rest_and_divides_by_what_turns(scaled):
    """transformers#48630, mlx-lm#1698: the part passed over, or its exponents divided by the full width."""
    f = scaled(8, 0.5)[0]
    turned = rope(np.ones(8), 1, frequencies=f)
    np.testing.assert_allclose(turned[4:], np.ones(4))
    np.testing.assert_allclose(f, [1, 0.01])


def spaces_pairs_as_if_all_turned(scaled):
    """The same words in a configuration mean other frequencies: transformers' "proportional"."""
    np.testing.assert_allclose(scaled(8, 0.5)[0], [1, 0.1, 0, 0])


def narrow(d, p):
    return np.concatenate([partial_rotary(d, p)[0], np.zeros(d // 4)]), 1.0


@pytest.mark.parametrize(
    ("check", "ours", "faulty"),
    [
        (is_plain_up_to_the_original_length, dynamic_ntk, lambda d, s, n, original: ntk(d, s)),
        (is_plain_up_to_the_original_length, dynamic_ntk, ratio_below_1),
        (is_plain_up_to_the_original_length, dynamic_ntk, remembering()),
        (decodes_as_the_full_pass, turned_late, turned_once),
        (has_bounds_that_are_not_whole, yarn, lambda d, s, original, truncate: yarn(d, s, original=original)),
        (blends_over_pairs, yarn, over_features),
        (blends_over_pairs, yarn, bind(yarn, truncate=False)),
        (blends_over_pairs, yarn, from_the_stretched_length),
        (blends_over_pairs, yarn, inverted),
        (blends_over_pairs, yarn, lambda d, s, original: ntk(d, s)),
        (sharpens_scores_by_the_square, yarn, with_factor(lambda m, s, original: 1.0)),
        (sharpens_scores_by_the_square, yarn, with_factor(lambda m, s, original: m * m)),
        (sharpens_scores_by_the_square, yarn, with_factor(lambda m, s, original: 0.1 * log(log(s)) + 1)),
        (
            sharpens_scores_by_the_square,
            yarn,
            with_factor(lambda m, s, original: 0.1 * log(s * original) + 1),
        ),
        (sharpens_scores_by_the_square, yarn, with_factor(lambda m, s, original: 1 / m)),
        (honours_a_factor_of_1, yarn, lambda d, s, original, attention_factor: yarn(d, s, original=original)),
        (divides_the_two_scales, yarn, lambda d, s, original, **scales: yarn(d, s, original=original)),
        (slows_only_the_slow, llama3, lambda d, s, original: llama3(d, 1, original=original)),
        (slows_only_the_slow, llama3, lambda d, s, original: llama3(d, s, original=131_072)),
        (slows_only_the_slow, llama3, lambda d, s, original: llama3(d, s, original=original, base=10_000.0)),
        (slows_only_the_slow, llama3, without_a_blend),
        (leaves_the_rest_and_divides_by_what_turns, partial_rotary, lambda d, p: partial_rotary(d, 1)),
        (
            leaves_the_rest_and_divides_by_what_turns,
            partial_rotary,
            lambda d, p: (proportional(d, p)[0][:2], 1),
        ),
        (spaces_pairs_as_if_all_turned, proportional, narrow),
    ],
)
def test_reported_mix_up(check, ours, faulty):
    check(ours)
    with pytest.raises(AssertionError):
        check(faulty)


def test_keys_of_an_old_base_are_off_by_this_much():
    old, new = (rope(np.arange(1.0, 9), 1, frequencies=dynamic_ntk(8, 2, n, original=4)[0]) for n in (5, 8))
    assert np.abs(old - new).max() == pytest.approx(0.0761, abs=1e-4)
