"""Mix-ups of sinusoids that were reported in public: each check fails for the faulty version."""

import numpy as np
import pytest

from posenc.attention import attention
from posenc.rotary import rope
from posenc.sinusoidal import sinusoidal

X = np.zeros((3, 5, 6))


def takes_an_odd_width(encode):
    """codertimo/BERT-pytorch#78, Informer2020#224: an odd width stopped with an error of shapes."""
    try:
        row = encode(2, 5)[1]
    except ValueError as error:
        raise AssertionError("an odd width must be encoded") from error
    np.testing.assert_allclose(row, [0.84147098, 0.54030231, 0.02511622, 0.99968454, 0.00063096], atol=1e-8)


def with_as_many_cosines_as_sines(n, d):
    angles = np.outer(np.arange(n), 10000.0 ** (-np.arange(0, d, 2) / d))
    codes = np.zeros((n, d))
    codes[:, 0::2] = np.sin(angles)
    codes[:, 1::2] = np.cos(angles)
    return codes


def shares_a_frequency_within_a_pair(encode):
    """jadore801120#32, DeepCTR#379: where i is already the feature, 2 * i doubles it, or a pair has two."""
    codes = encode(7, 6)
    np.testing.assert_allclose(codes[:, 0::2] ** 2 + codes[:, 1::2] ** 2, 1)
    np.testing.assert_allclose(codes[1, 2], np.sin(10000 ** (-2 / 6)))


def with_a_frequency_each(n, d):
    j = np.arange(d)
    angles = np.outer(np.arange(n), 10000.0 ** (-j / d))
    return np.where(j % 2, np.cos(angles), np.sin(angles))


def with_the_two_twice(n, d):
    j = np.arange(0, d, 2)
    angles = np.outer(np.arange(n), 10000.0 ** (-2 * j / d))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


def is_the_papers_variant(encode):
    """tensorflow/text#1122, sd-scripts#1187, diffusers#12791: position 1, d = 4 tells variants apart."""
    np.testing.assert_allclose(encode(2, 4)[1], [0.84147098, 0.54030231, 0.00999983, 0.99995], atol=1e-8)


def in_halves(n, d):
    return sinusoidal(n, d, layout="half")


def of_tensor2tensor(n, d):
    return sinusoidal(n, d, spacing="tensor2tensor")


def cosines_first(n, d):
    return sinusoidal(n, d).reshape(n, -1, 2)[..., ::-1].reshape(n, d)


def gives_each_row_its_own_code(add):
    """pytorch/tutorials#1547, DiffPoseTalk#20: one row for all, or a row for each item of the batch."""
    coded = add(X)
    assert coded.shape == X.shape
    np.testing.assert_array_equal(coded, np.broadcast_to(coded[:1], X.shape))
    assert len(np.unique(coded[0], axis=0)) == X.shape[1]


def row_for_row(x):
    return x + sinusoidal(x.shape[-2], x.shape[-1])


def the_row_after_the_last(x):
    return x + sinusoidal(10, x.shape[-1])[x.shape[-2]]


def by_the_batch(x):
    return x + sinusoidal(x.shape[0], x.shape[-1])[:, None]


@pytest.mark.parametrize(
    ("check", "right", "faulty"),
    [
        (takes_an_odd_width, sinusoidal, with_as_many_cosines_as_sines),
        (shares_a_frequency_within_a_pair, sinusoidal, with_a_frequency_each),
        (shares_a_frequency_within_a_pair, sinusoidal, with_the_two_twice),
        (is_the_papers_variant, sinusoidal, in_halves),
        (is_the_papers_variant, sinusoidal, of_tensor2tensor),
        (is_the_papers_variant, sinusoidal, cosines_first),
        (gives_each_row_its_own_code, row_for_row, the_row_after_the_last),
        (gives_each_row_its_own_code, row_for_row, by_the_batch),
    ],
)
def test_reported_mix_up(check, right, faulty):
    check(right)
    with pytest.raises(AssertionError):
        check(faulty)


def test_an_odd_width_is_refused_where_it_has_no_meaning():
    """lucidrains/rotary-embedding-torch#45: the last feature has no partner."""
    with pytest.raises(ValueError, match="d must be even, got 5"):
        rope(np.ones(5), 1)


def test_no_position_at_all_is_a_choice_that_a_causal_head_can_use():
    """NoPE, Kazemnejad et al. 2023: uniform causal attention to a marked first token counts."""
    n = 6
    marked = np.eye(1, n).T  # 1 for the first token, else 0
    told = attention(np.zeros((n, 2)), np.zeros((n, 2)), marked, causal=True)
    np.testing.assert_allclose(told[:, 0], 1 / np.arange(1, n + 1))
