"""Sinusoidal encodings: the numbers of the paper and of tensor2tensor, and what the lessons claim."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.sinusoidal import at, frequencies, shift_matrix, sinusoidal

widths = st.integers(1, 20)
T2T = {"spacing": "tensor2tensor", "layout": "half"}


# Vaswani et al. 2017, section 3.5; tensor2tensor's add_timing_signal_1d; x-transformers (paper spacing, half
# layout); diffusers' get_timestep_embedding is the last but one with its halves flipped.
@pytest.mark.parametrize(
    ("p", "d", "options", "want"),
    [
        (0, 4, {}, [0, 1, 0, 1]),
        (1, 4, {}, [0.84147098, 0.54030231, 0.00999983, 0.99995]),
        (2, 4, {}, [0.90929743, -0.41614684, 0.01999867, 0.99980001]),
        (1, 6, {}, [0.84147098, 0.54030231, 0.04639922, 0.99892298, 0.00215443, 0.99999768]),
        (1, 5, {}, [0.84147098, 0.54030231, 0.02511622, 0.99968454, 0.00063096]),
        (3, 8, {}, [0.14112001, -0.9899925, 0.29552021, 0.95533649, 0.0299955, 0.99955003, 0.003, 0.9999955]),
        (
            100,
            8,
            {},
            [
                -0.50636564,
                0.86231887,
                -0.54402111,
                -0.83907153,
                0.84147098,
                0.54030231,
                0.09983342,
                0.99500417,
            ],
        ),
        (1, 4, T2T, [0.84147098, 0.0001, 0.54030231, 1.0]),
        (1, 5, T2T, [0.84147098, 0.0001, 0.54030231, 1.0, 0.0]),
        (1, 6, T2T, [0.84147098, 0.00999983, 0.0001, 0.54030231, 0.99995, 1.0]),
        (
            3,
            8,
            T2T,
            [0.14112001, 0.1387981, 0.00646326, 0.0003, -0.9899925, 0.9903207, 0.99997911, 0.99999996],
        ),
        (1, 4, {"layout": "half"}, [0.84147098, 0.00999983, 0.54030231, 0.99995]),
        (
            3,
            8,
            {"layout": "half"},
            [0.14112001, 0.29552021, 0.0299955, 0.003, -0.9899925, 0.95533649, 0.99955003, 0.9999955],
        ),
    ],
)
def test_goldens(p, d, options, want):
    np.testing.assert_allclose(at(p, d, **options), want, atol=1e-8)
    np.testing.assert_allclose(sinusoidal(p + 1, d, **options)[p], want, atol=1e-8)


def test_golden_dot_products():
    P = sinusoidal(9, 512)
    want = [256.0, 249.10209783, 231.73362039, 211.74944343, 196.68823115, 189.59666768, 188.24818296]
    np.testing.assert_allclose((P @ P[0])[:7], want)
    P = sinusoidal(2, 4)
    assert P[0] @ P[1] == pytest.approx(1.54025231)


def test_lesson_text_agrees():
    pe, pos = np.zeros((32, 8)), np.arange(32)[:, None]
    div = np.exp(np.arange(0, 8, 2) * -(np.log(10000.0) / 8))
    pe[:, 0::2], pe[:, 1::2] = np.sin(pos * div), np.cos(pos * div)
    np.testing.assert_allclose(sinusoidal(32, 8), pe, atol=1e-13, strict=True)


def test_frequencies():
    np.testing.assert_allclose(frequencies(8), [1, 0.1, 0.01, 0.001])
    np.testing.assert_allclose(frequencies(4, base=100.0), [1, 0.1])
    np.testing.assert_allclose(frequencies(8, spacing="tensor2tensor")[[0, -1]], [1, 1e-4])
    for d in (1, 2, 3):
        assert np.isfinite(frequencies(d, spacing="tensor2tensor")).all()
    assert 2 * np.pi / frequencies(512)[-1] == pytest.approx(60611.47716626)


@given(widths, st.integers(-1000, 1000), st.sampled_from(["paper", "tensor2tensor"]))
def test_layouts_hold_the_same_columns(d, p, spacing):
    a, b = (at(p, d, layout=layout, spacing=spacing) for layout in ("interleaved", "half"))
    assert a.shape == b.shape == (d,)
    np.testing.assert_array_equal(np.sort(a), np.sort(b))


@given(widths.map(lambda i: 2 * i), st.floats(-1e4, 1e4))
def test_every_code_has_the_same_length(d, p):
    assert np.sum(at(p, d) ** 2) == pytest.approx(d / 2)


@given(widths.map(lambda i: 2 * i), st.integers(-500, 500), st.integers(-500, 500))
def test_shift_matrix_moves_every_code(d, k, p):
    M = shift_matrix(k, d)
    np.testing.assert_allclose(M @ at(p, d), at(p + k, d), atol=1e-9)
    np.testing.assert_allclose(M @ M.T, np.eye(d), atol=1e-12)


def test_shift_matrix_golden():
    c, s = 0.54030231, 0.84147098
    want = [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, 0.99995, 0.00999983], [0, 0, -0.00999983, 0.99995]]
    np.testing.assert_allclose(shift_matrix(1, 4), want, atol=1e-8)
    np.testing.assert_allclose(shift_matrix(3, 4, base=100.0) @ at(2, 4, base=100.0), at(5, 4, base=100.0))


def test_positions_of_any_shape():
    out = at([[0, 1, 2.5]], 5)
    assert out.shape == (1, 3, 5)
    np.testing.assert_array_equal(out[0, :2], sinusoidal(2, 5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sinusoidal(0, 4), "n must be positive, got 0"),
        (lambda: sinusoidal(3, 0), "d must be positive, got 0"),
        (lambda: frequencies(4, base=-1), "base must be positive, got -1"),
        (lambda: frequencies(4, spacing="linear"), "spacing must be .*, got 'linear'"),
        (lambda: at(1, 4, layout="blocks"), "layout must be .*, got 'blocks'"),
        (lambda: shift_matrix(1, 5), "d must be even, got 5"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@given(
    widths,
    st.integers(1, 30),
    st.integers(0, 30),
    st.sampled_from(["interleaved", "half"]),
    st.sampled_from(["paper", "tensor2tensor"]),
)
def test_a_longer_table_begins_with_the_shorter_one(d, n, more, layout, spacing):
    options = {"layout": layout, "spacing": spacing}
    np.testing.assert_array_equal(sinusoidal(n + more, d, **options)[:n], sinusoidal(n, d, **options))


@given(widths.map(lambda i: 2 * i), *[st.integers(-500, 500)] * 3)
def test_products_of_codes_know_the_offset_only(d, p, r, shift):
    want = np.cos(r * frequencies(d)).sum()
    for start in (p, p + shift):
        assert at(start, d) @ at(start + r, d) == pytest.approx(want, abs=1e-9)


@given(widths.map(lambda i: 2 * i), st.integers(-500, 500), st.integers(-500, 500))
def test_shifts_add_up(d, a, b):
    np.testing.assert_allclose(shift_matrix(a, d) @ shift_matrix(b, d), shift_matrix(a + b, d), atol=1e-12)
