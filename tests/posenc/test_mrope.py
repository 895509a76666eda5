"""M-RoPE: sections of the pairs turn by the time, the height and the width."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.rotary import mrope, rope, table

ONE_TO_TWELVE = np.arange(1.0, 13.0)

seeds = st.integers(0, 2**32 - 1)
layouts = st.sampled_from(["interleaved", "half"])
cuts = st.tuples(*[st.integers(0, 4)] * 3).filter(any)


def vectors(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def test_golden():
    """Compared with transformers 5.24.0: Qwen2VLRotaryEmbedding and apply_rotary_pos_emb of Qwen2-VL."""
    want = [-1.977833, -3.22149, 2.579176, 3.899802, 4.952556, 5.988858]
    want += [-6.788827, 7.590916, 9.129504, 10.039499, 11.021442, 12.005565]
    np.testing.assert_allclose(mrope(ONE_TO_TWELVE, [3, 1, 2], (2, 2, 2)), want, atol=1e-6, strict=True)


@given(seeds, cuts, st.integers(-5000, 5000), layouts)
def test_text_turns_as_one_position_does(seed, sections, p, layout):
    x = vectors(seed, 5, 2 * sum(sections))
    got = mrope(x, np.full((3, 5), p), sections, layout=layout, base=500.0)
    np.testing.assert_allclose(
        got, rope(x, p, layout=layout, base=500.0), rtol=1e-12, atol=1e-12, strict=True
    )


@given(seeds, cuts, st.lists(st.integers(-500, 500), min_size=9, max_size=9), layouts)
def test_scores_know_the_offset_of_each_component_only(seed, sections, whole, layout):
    (q, k), (at, offset, shift) = vectors(seed, 2, 2 * sum(sections)), np.reshape(whole, (3, 3))

    def score(p):
        return mrope(q, p, sections, layout=layout) @ mrope(k, p + offset, sections, layout=layout)

    assert score(at) == pytest.approx(score(at + shift), abs=1e-9)


@given(seeds, cuts, st.lists(st.integers(-5000, 5000), min_size=3, max_size=3))
def test_rotation_keeps_lengths(seed, sections, p):
    x = vectors(seed, 2 * sum(sections))
    assert np.linalg.norm(mrope(x, p, sections)) == pytest.approx(np.linalg.norm(x))


def test_each_section_turns_by_its_own_component_at_its_own_frequencies():
    """d = 8, sections 1, 2, 1 of the frequencies 1, 0.1, 0.01, 0.001: not a spectrum a section."""
    got = mrope(np.tile([1.0, 0.0], 4), [2, 30, 400], (1, 2, 1), layout="interleaved")
    angles = np.array([2, 3, 0.3, 0.4])
    np.testing.assert_allclose(got, np.stack([np.cos(angles), np.sin(angles)], axis=-1).ravel())


def test_positions_broadcast_per_sequence_and_head():
    x, p = vectors(0, 2, 3, 7, 12).astype(np.float32), np.random.default_rng(1).integers(0, 99, (3, 2, 7))
    out = mrope(x, p[:, :, None, :], (1, 2, 3))
    assert out.dtype == np.float32
    for b, h, i in np.ndindex(2, 3, 7):
        np.testing.assert_allclose(
            out[b, h, i], mrope(x[b, h, i], p[:, b, i], (1, 2, 3)), rtol=1e-5, atol=1e-6
        )


def test_frequencies_and_factor_are_those_of_rope():
    """With fewer frequencies than d/2, the features past the sections pass through."""
    x, w = vectors(0, 12), np.array([1.0, 0.25, 0.0625])
    got = mrope(x, [7, 7, 7], (1, 1, 1), frequencies=w, attention_factor=1.5)
    np.testing.assert_allclose(got, rope(x, 7, frequencies=w, attention_factor=1.5, layout="half"))
    np.testing.assert_array_equal(got[6:], x[6:])


def test_two_components_are_as_good_as_three():
    x = vectors(0, 8)
    got = mrope(x, [3, 5], (1, 3), layout="interleaved")
    np.testing.assert_allclose(got[:2], rope(x, 3)[:2])
    np.testing.assert_allclose(got[2:], rope(x, 5)[2:])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mrope(np.ones(9), [1, 1, 1], (1, 1, 2)), "d must be even, got 9"),
        (lambda: mrope(np.ones(8), [1, 1, 1], (2, 4, 2)), r"add up to 4 frequencies, got \(2, 4, 2\)"),
        (lambda: mrope(np.ones(8), [1, 1, 1], (5, -2, 1)), r"add up to 4 frequencies, got \(5, -2, 1\)"),
        (lambda: mrope(np.ones(8), [1, 1, 1], ()), r"add up to 4 frequencies, got \(\)"),
        (lambda: mrope(np.ones(8), [1, 1], (1, 1, 2)), r"each of 3 sections, got shape \(2,\)"),
        (lambda: mrope(np.ones(8), 1, (1, 1, 2)), r"each of 3 sections, got shape \(\)"),
        (lambda: mrope(np.ones(8), [1, 1, 1], (1, 1, 2), base=0), "base must be positive, got 0"),
    ],
)
def test_errors_say_what_must_hold_then_what_came(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_input_stays():
    x, p = vectors(0, 4, 6), np.arange(12).reshape(3, 4)
    before = x.copy(), p.copy()
    mrope(x, p, (1, 1, 1))[:] = 0
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(p, before[1])
    assert table(p, 6).shape == (3, 4, 3)


def test_no_section_is_refused():
    with pytest.raises(ValueError, match=r"sections must add up to 0 frequencies, got \(\)"):
        mrope(np.ones(4), np.ones((0, 1)), (), frequencies=[])
