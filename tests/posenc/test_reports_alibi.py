"""Mix-ups of ALiBi that were reported in public: each check fails for the faulty version."""

import numpy as np
import pytest

from posenc.alibi import alibi_bias, alibi_slopes
from posenc.attention import attention_weights, softmax

SLOPES = alibi_slopes(2)
Q, K = np.random.default_rng(0).normal(size=(2, 5, 16))


def has_the_slopes_of_six_heads(slopes):
    """ml-explore/mlx#343, transformers#28380: a head count that is no power of two."""
    np.testing.assert_allclose(slopes(6), [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125])


def by_one_formula(h):
    return 2.0 ** (-8 * np.arange(1, h + 1) / h)


def by_cutting_the_next_power(h):
    return alibi_slopes(8)[:h]


def sorted_afterwards(h):
    return np.sort(alibi_slopes(h))[::-1]


def starts_at_a_half(slopes):
    """paiml/aprender#2143: eight heads began with a slope of 1."""
    assert slopes(8)[0] == 0.5


def from_head_zero(h):
    return 2.0 ** (-8 * np.arange(h) / h)


def prefers_what_is_near(bias):
    """meta-pytorch/attention-gym#86: the sign was turned, so the farthest key was preferred."""
    last = bias(5, 5)[:, -1]
    assert (np.diff(last, axis=-1) > 0).all()


def with_the_sign_turned(n_q, n_k, *, causal=True):
    return -alibi_bias(n_q, n_k, SLOPES, causal=False)


def gives_the_same_weights_to_causal_attention(bias):
    """mosaicml/llm-foundry#186, NeMo#7105: one row for all queries is right, for a causal softmax."""
    np.testing.assert_allclose(softmax(bias(5, 5)), softmax(alibi_bias(5, 5, SLOPES)))


def falls_to_both_sides(bias):
    """The same shortcut where both sides are seen: the future has to be as far as the past."""
    both = bias(5, 5, causal=False)
    np.testing.assert_array_equal(both, both.swapaxes(-1, -2))


def one_row_for_all(n_q, n_k, *, causal=True):
    row = SLOPES[:, None, None] * np.arange(n_k)
    seen = np.arange(n_k) <= np.arange(n_q)[:, None] + n_k - n_q if causal else True
    return np.where(seen, row, -np.inf)


def without_a_mask(n_q, n_k, *, causal=True):
    return SLOPES[:, None, None] * np.arange(n_k) * np.ones((n_q, 1))


def is_added_after_the_scores_are_scaled(weights):
    """huggingface/transformers#29946: a bias that is divided by the square root of d as well is weaker."""
    bias = alibi_bias(5, 5, SLOPES)
    np.testing.assert_allclose(weights(Q, K, bias), softmax(Q @ K.T / 4 + bias))


def divided_too(q, k, bias):
    return softmax((q @ k.T + bias) / 4)


def ours(n_q, n_k, *, causal=True):
    return alibi_bias(n_q, n_k, SLOPES, causal=causal)


@pytest.mark.parametrize(
    ("check", "right", "faulty"),
    [
        (has_the_slopes_of_six_heads, alibi_slopes, by_one_formula),
        (has_the_slopes_of_six_heads, alibi_slopes, by_cutting_the_next_power),
        (has_the_slopes_of_six_heads, alibi_slopes, sorted_afterwards),
        (starts_at_a_half, alibi_slopes, from_head_zero),
        (prefers_what_is_near, ours, with_the_sign_turned),
        (gives_the_same_weights_to_causal_attention, one_row_for_all, without_a_mask),
        (falls_to_both_sides, ours, one_row_for_all),
        (is_added_after_the_scores_are_scaled, lambda q, k, b: attention_weights(q, k, bias=b), divided_too),
    ],
)
def test_reported_mix_up(check, right, faulty):
    check(right)
    with pytest.raises(AssertionError):
        check(faulty)
