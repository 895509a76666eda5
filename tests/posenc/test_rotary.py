"""RoPE: the numbers of public implementations, the properties that make it useful, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.rotary import permute_weights, rope, rope_2d, rotate, table, to_half, to_interleaved

ONE_TO_FOUR, ONE_TO_EIGHT = np.arange(1.0, 5.0), np.arange(1.0, 9.0)

seeds = st.integers(0, 2**32 - 1)
positions = st.integers(-5000, 5000)
widths = st.integers(1, 8).map(lambda pairs: 2 * pairs)
layouts = st.sampled_from(["interleaved", "half"])


def vectors(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


# The first four were also compared with transformers 5.24.0 (half) and Meta's complex form (interleaved).
@pytest.mark.parametrize(
    ("x", "p", "layout", "want"),
    [
        (ONE_TO_FOUR, 1, "interleaved", [-1.14263966, 1.9220756, 2.95985067, 4.0297995]),
        (ONE_TO_FOUR, 1, "half", [-1.98411065, 1.95990067, 2.4623779, 4.01979967]),
        (
            ONE_TO_EIGHT,
            3,
            "interleaved",
            [-1.27223251, -1.83886499, 1.68392864, 4.70790658, 4.81777717, 6.1472777, 6.97596854, 8.02096397],
        ),
        (
            ONE_TO_EIGHT,
            3,
            "half",
            [-1.69559254, 0.13755174, 2.7886816, 3.97598204, -4.80884247, 6.32305935, 7.08683674, 8.01196398],
        ),
        (np.array([3.0, 5.0]), 2, "interleaved", [-5.79492764, 0.6471581]),
        (np.array([1.0, 0.0]), 2, "interleaved", [-0.41614684, 0.90929743]),
    ],
)
def test_goldens(x, p, layout, want):
    np.testing.assert_allclose(rope(x, p, layout=layout), want, atol=1e-8, strict=True)


def test_golden_score_depends_on_the_offset_only():
    q, k = ONE_TO_FOUR, ONE_TO_FOUR[::-1]
    for shift in (0, 100):
        assert rope(q, 5 + shift) @ rope(k, 3 + shift) == pytest.approx(1.19005123, abs=1e-8)


def test_lesson_text_agrees():
    """The loop-free code of the lesson text, one position at a time."""

    def text(x, position):
        theta = 10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
        cos, sin = np.cos(position * theta), np.sin(position * theta)
        out = np.empty_like(x)
        out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
        out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
        return out

    x = vectors(0, 5, 3, 10)
    np.testing.assert_allclose(rope(x, 4001), text(x, 4001), rtol=1e-12, atol=1e-12, strict=True)


@given(seeds, widths, positions, layouts)
def test_rotation_keeps_lengths(seed, d, p, layout):
    x = vectors(seed, d)
    assert np.linalg.norm(rope(x, p, layout=layout)) == pytest.approx(np.linalg.norm(x))


@given(seeds, widths, layouts)
def test_position_0_changes_nothing(seed, d, layout):
    x = vectors(seed, 3, d)
    np.testing.assert_array_equal(rope(x, 0, layout=layout), x)


@given(seeds, widths, positions, positions, st.integers(-1000, 1000), layouts)
def test_scores_are_relative(seed, d, p, r, shift, layout):
    q, k = vectors(seed, 2, d)

    def score(at):
        return rope(q, at, layout=layout) @ rope(k, at + r, layout=layout)

    assert score(p) == pytest.approx(score(p + shift), abs=1e-9)


@given(seeds, widths, positions, positions, layouts)
def test_turns_add_up(seed, d, a, b, layout):
    x = vectors(seed, d)
    np.testing.assert_allclose(
        rope(rope(x, a, layout=layout), b, layout=layout), rope(x, a + b, layout=layout), atol=1e-9
    )


@given(widths, positions, layouts)
def test_rotation_is_orthogonal(d, p, layout):
    R = rope(np.eye(d), p, layout=layout).T
    np.testing.assert_allclose(R.T @ R, np.eye(d), atol=1e-12)
    assert np.linalg.det(R) == pytest.approx(1)


@given(seeds, widths, positions)
def test_layouts_differ_by_a_permutation(seed, d, p):
    x = vectors(seed, 3, d)
    np.testing.assert_allclose(
        rope(to_half(x), p, layout="half"), to_half(rope(x, p)), rtol=1e-12, atol=1e-12
    )
    np.testing.assert_array_equal(to_interleaved(to_half(x)), x)
    np.testing.assert_array_equal(to_half(to_interleaved(x)), x)


@given(seeds, layouts)
def test_batch_axes_are_vectors_on_their_own(seed, layout):
    x, p = vectors(seed, 2, 3, 7, 6), np.arange(7) * 5
    out = rope(x, p, layout=layout)
    for b, h, i in np.ndindex(2, 3, 7):
        np.testing.assert_allclose(
            out[b, h, i], rope(x[b, h, i], p[i], layout=layout), rtol=1e-12, atol=1e-12
        )


def test_positions_broadcast_per_sequence():
    x, p = vectors(0, 2, 3, 7, 6), np.arange(14).reshape(2, 7)
    out = rope(x, p[:, None, :])
    np.testing.assert_allclose(out[1], rope(x[1], p[1]), rtol=1e-12)
    assert rope(x[0, 0, 0], np.arange(5)).shape == (5, 6)
    assert rope(x[0, 0, 0], np.arange(5), frequencies=[1.0]).shape == (5, 6)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_keep_their_dtype(dtype, layout):
    x = vectors(0, 7, 6).astype(dtype)
    out = rope(x, np.arange(4090, 4097), layout=layout)
    assert out.dtype == dtype
    want = rope(x.astype(np.float64), np.arange(4090, 4097), layout=layout)
    np.testing.assert_allclose(out, want, rtol=4 * np.finfo(dtype).eps, atol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.bool_, np.dtype(">f8"), np.longdouble])
def test_anything_else_is_computed_in_float64(dtype):
    x = np.ones((3, 4), dtype)
    out = rope(x, 1)
    assert out.dtype == np.float64
    np.testing.assert_array_equal(out, rope(np.ones((3, 4)), 1))


def test_half_precision_tells_far_positions_apart():
    """float16 cannot hold 2049; Megatron-LM#535 is this fault."""
    x = np.ones(4, np.float16)
    assert (rope(x, 2049) != rope(x, 2050)).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_positions_are_never_rounded_to_the_dtype_of_x(dtype):
    """float32 cannot hold 2**24 + 1."""
    far = 2**24 + 1
    assert rope(np.ones(2, dtype), far)[0] == pytest.approx(np.cos(far) - np.sin(far), abs=1e-6)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_inputs_stay_and_nothing_is_shared(layout):
    x, turns = vectors(0, 7, 6), table(np.arange(7), 6)
    before = x.copy(), turns.copy()
    out = rotate(x, turns, layout=layout)
    out[:] = 0
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(turns, before[1])
    for same in (rope(x, 0, layout=layout), to_half(x), to_interleaved(x), permute_weights(x[:4, :2], 2)):
        assert not np.shares_memory(same, x)
    assert not np.shares_memory(rope(x, 0, frequencies=[]), x)


def test_strided_and_reversed_input():
    x = vectors(0, 7, 12)
    for view in (x[:, ::2], x[::-1, 5::-1], x[:, :6], np.asfortranarray(x)[:, :6]):
        np.testing.assert_array_equal(rope(view, np.arange(7)), rope(view.copy(), np.arange(7)))
    turns = np.asfortranarray(table(np.arange(7), 6))
    np.testing.assert_array_equal(rotate(x[0, :6], turns), rope(x[0, :6], np.arange(7)))


def test_table():
    turns = table([0, 2], 4, attention_factor=1.5)
    assert turns.dtype == np.complex128
    np.testing.assert_allclose(turns, 1.5 * np.exp(1j * np.array([[0, 0], [2, 0.02]])), strict=True)
    np.testing.assert_allclose(table(1, 4, base=100.0), np.exp([1j, 0.1j]))
    x = vectors(0, 4)
    np.testing.assert_allclose(rope(x, 3, attention_factor=2.0), 2 * rope(x, 3))
    np.testing.assert_allclose(rope(x, 3, attention_factor=0.5), 0.5 * rope(x, 3))
    np.testing.assert_allclose(rope(x, 3, base=500.0), rotate(x, table(3, 4, base=500.0)))
    np.testing.assert_allclose(table(1, 4, base=0.25), np.exp([1j, 2j]))


@pytest.mark.parametrize(("layout", "first"), [("interleaved", [0, 1, 2, 3]), ("half", [0, 1, 2, 3])])
def test_fewer_frequencies_leave_the_rest(layout, first):
    """GPT-NeoX's rotary_pct = 0.5: frequencies [1, 0.01] for d = 8, features 4 to 7 pass through."""
    out = rope(ONE_TO_EIGHT, 3, frequencies=[1, 0.01], layout=layout)
    np.testing.assert_array_equal(out[4:], ONE_TO_EIGHT[4:])
    np.testing.assert_allclose(out[first], rope(ONE_TO_FOUR, 3, layout=layout))


def test_frequencies_of_zero_do_not_turn():
    """Proportional RoPE, d = 8, p = 0.5: the spacing of full width, then zeros."""
    out = rope(ONE_TO_EIGHT, 3, frequencies=[1, 0.1, 0, 0], layout="half")
    np.testing.assert_array_equal(out[[2, 3, 6, 7]], ONE_TO_EIGHT[[2, 3, 6, 7]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rope(np.ones(5), 1), ValueError, "d must be even, got 5"),
        (lambda: table(1, 3), ValueError, "d must be even, got 3"),
        (lambda: table(1, 0), ValueError, "d must be positive, got 0"),
        (lambda: rotate(np.ones(5), [1j]), ValueError, "d must be even, got 5"),
        (lambda: rope(3.0, 1), ValueError, "must have an axis of features, got a single number"),
        (lambda: rope(np.ones(4), 1, base=0), ValueError, "base must be positive, got 0"),
        (lambda: rope(np.ones(4), 1, base=np.nan), ValueError, "base must be positive, got nan"),
        (
            lambda: rope(np.ones(4), 1, frequencies=[1, 1, 1]),
            ValueError,
            r"at most d/2 = 2, got shape \(3,\)",
        ),
        (lambda: rope(np.ones(4), 1, frequencies=1.0), ValueError, r"must be a vector .*, got shape \(\)"),
        (lambda: rotate(np.ones(4), table(1, 6)), ValueError, "at most d/2 = 2 frequencies, got 3"),
        (
            lambda: rope(np.ones(4), 1, layout="neox"),
            ValueError,
            'must be "interleaved" or "half", got \'neox\'',
        ),
        (lambda: rope(np.ones(4) * 1j, 1), TypeError, "must be real, got dtype complex128"),
        (lambda: rope(["a", "b"], 1), TypeError, "must be real, got dtype <U1"),
        (lambda: rope_2d(np.ones(6), 1, 1), ValueError, "d must be a multiple of 4, got 6"),
        (lambda: to_half(np.ones(3)), ValueError, "d must be even, got 3"),
        (lambda: to_interleaved(np.ones(3)), ValueError, "d must be even, got 3"),
        (
            lambda: permute_weights(np.ones((7, 2)), 2),
            ValueError,
            r"must divide into h heads, got shape \(7, 2\)",
        ),
        (lambda: permute_weights(np.ones((6, 2)), 2), ValueError, "d must be even, got 3"),
        (lambda: permute_weights(np.ones((6, 2)), 0), ValueError, "and h = 0"),
    ],
)
def test_errors_say_what_must_hold_then_what_came(call, error, message):
    with pytest.raises(error, match=message):
        call()
