"""Faults of one rotation that people reported: what must hold, and that the faulty version breaks it.

Each test states the fault in a sentence, gives the report's place, and runs one check on ours and on it.
"""

import numpy as np
import pytest

from posenc.attention import attention
from posenc.rotary import permute_weights, rope, to_half, to_interleaved

ONE_TO_FOUR = np.arange(1.0, 5.0)


def tell_apart(check, ours, *faulty):
    check(ours)
    for each in faulty:
        with pytest.raises(AssertionError):
            check(each)


def vectors(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def spectrum(d, base=10000.0):
    return base ** (-np.arange(0, d, 2) / d)


def to_bfloat16(x):
    """Round to the nearest float32 whose last 16 bits are 0, ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


def by_angles(x, angles):
    """Turn neighbours by angles of whatever precision, and answer in the dtype of x."""
    z = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles.astype(np.float64))
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape).astype(x.dtype)


@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
@pytest.mark.parametrize("round_off", [np.float16, to_bfloat16])
def test_frequencies_in_half_precision(round_off, base):
    """Reports 1, 3 and 4: transformers#29285 and #25681, sglang-jax#1472, vllm#863."""
    x = vectors(0, 128).astype(np.float16)

    def check(turn):
        for p in (255, 1000, 4095):
            got = turn(x, p)
            assert got.dtype == np.float16
            assert np.abs(got - by_angles(x.astype(np.float64), p * spectrum(128, base))).max() < 2e-2

    tell_apart(
        check,
        lambda x, p: rope(x, p, base=base),
        lambda x, p: by_angles(x, p * round_off(spectrum(128, base)).astype(np.float64)),
        lambda x, p: rope(x.astype(np.float32), p, base=base),
    )


def test_rounded_frequencies_are_as_wrong_as_was_reported():
    """The largest error of a cosine, d = 128: the figures that our reference gives for the two formats."""
    w = spectrum(128)
    for round_off, wants in ((to_bfloat16, (0.2718, 0.8962, 1.6788)), (np.float16, (0.0474, 0.2277, 0.8948))):
        for p, want in zip((255, 1000, 4095), wants, strict=True):
            off = np.abs(np.cos(p * round_off(w).astype(np.float64)) - np.cos(p * w)).max()
            assert off == pytest.approx(want, abs=1e-4)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_positions_in_half_precision(layout):
    """Report 2: NVIDIA/Megatron-LM#535, where positions past 2048 fell together."""
    x = np.ones((1, 4), np.float16)

    def check(turn):
        rows = turn(x, np.arange(2048, 2052))
        assert len(np.unique(rows, axis=0)) == 4

    tell_apart(
        check,
        lambda x, p: rope(x, p, layout=layout),
        lambda x, p: rope(x, p.astype(x.dtype), layout=layout),
        lambda x, p: rope(x, to_bfloat16(p), layout=layout),
    )


def test_two_layouts_and_neither_is_wrong():
    """Report 5: transformers#25199 and #40462, xformers#779, keras-hub#1416, flash-attention#288."""
    x = vectors(0, 5, 8)

    def check(turn):
        straight, halves = turn(x, 3, "interleaved"), turn(to_half(x), 3, "half")
        assert not np.allclose(straight, turn(x, 3, "half"))
        np.testing.assert_allclose(to_interleaved(halves), straight)
        np.testing.assert_allclose(halves, to_half(straight))

    tell_apart(
        check,
        lambda x, p, layout: rope(x, p, layout=layout),
        lambda x, p, layout: rope(x, p),
        lambda x, p, layout: rope(x, p, layout="half"),
    )


H, D, N, WIDTH = 3, 6, 7, 10


def run_model(weights, layout):
    """Attend with H heads whose queries and keys are turned."""
    x = vectors(9, N, WIDTH)
    q, k, v = ((x @ W.T).reshape(N, H, D).swapaxes(0, 1) for W in weights)
    q, k = (rope(each, np.arange(N), layout=layout) for each in (q, k))
    return attention(q, k, v, causal=True)


def test_weights_of_one_layout_in_code_of_the_other():
    """Reports 6 and 7: jzhang38/TinyLlama#24; transformers#39687, lmdeploy#2639: who permutes, and not v."""
    weights = vectors(0, 3, H * D, WIDTH)

    def check(convert):
        got = run_model(convert(*weights), "half")
        np.testing.assert_allclose(got, run_model(weights, "interleaved"), rtol=1e-9)

    tell_apart(
        check,
        lambda q, k, v: (permute_weights(q, H), permute_weights(k, H), v),
        lambda q, k, v: (q, k, v),
        lambda q, k, v: (permute_weights(q, H), k, v),
        lambda q, k, v: tuple(permute_weights(W, H) for W in (q, k, v)),
        lambda q, k, v: (permute_weights(q, 1), permute_weights(k, 1), v),
    )


def test_cosines_tiled_for_the_other_layout():
    """Report 8: bert4torch#1, vjepa2#15, transformers#47403: repeat where repeat_interleave belongs."""

    def mixed(x, p):
        angles = np.tile(p * spectrum(4), 2)
        swapped = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
        return x * np.cos(angles) + swapped * np.sin(angles)

    def check(turn):
        np.testing.assert_allclose(
            turn(ONE_TO_FOUR, 1), [-1.14263966, 1.9220756, 2.95985067, 4.0297995], atol=1e-8
        )

    tell_apart(check, rope, mixed)
    np.testing.assert_allclose(mixed(ONE_TO_FOUR, 1), [-1.1426, 2.0099, -1.7450, 4.0298], atol=1e-4)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_direction_of_the_turn(layout):
    """Report 9: modded-nanogpt#39 and nanochat#489 turn by minus the angle: relative too, other weights."""

    def check(turn):
        np.testing.assert_allclose(turn(np.array([1.0, 0.0]), 1), [np.cos(1), np.sin(1)])

    tell_apart(check, lambda x, p: rope(x, p, layout=layout), lambda x, p: rope(x, -p, layout=layout))


def test_turned_along_the_axis_of_heads():
    """Report 10: xformers#841, open_lm#4, leo-optimizer#2, LLMs-from-scratch#411."""
    x = np.broadcast_to(vectors(0, 2, 1, 1, 6), (2, 3, 5, 6))  # (B, h, n, d), heads and rows all equal

    def check(turn):
        out = turn(x)
        np.testing.assert_array_equal(out[:, 0], out[:, 2])
        assert not np.isclose(out[:, :, 0], out[:, :, 4]).all(axis=-1).any()

    tell_apart(
        check, lambda x: rope(x, np.arange(5)), lambda x: rope(x, np.arange(3)[:, None]), lambda x: rope(x, 1)
    )
