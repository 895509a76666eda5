"""The model: gradients with every encoding, causality, and encodings that can be exchanged."""

import numpy as np
import pytest

from posenc import rotary
from posenc.alibi import alibi_slopes
from posenc.lab import Encoding, Registers, Transformer, encodings

SMALL = {"d": 12, "h": 2, "hidden": 10, "n_layers": 2, "dtype": np.float64}
BATCH = Registers().batch(np.random.default_rng(0), 3, 7)


def uneven(x, positions):
    """No rotation, but linear: what a reader may plug in by mistake."""
    return x * (1 + 0.1 * positions[:, None]) + x[..., ::-1]


ENCODINGS = {
    "nope": encodings.nope(),
    "sinusoidal": encodings.sinusoidal(scale=0.5),
    "learned": encodings.learned(9),
    "rope": encodings.rope(),
    "alibi": encodings.alibi(),
    "t5": encodings.t5(n_buckets=8, max_distance=16),
    "the reader's": Encoding("mine", turn=uneven),
    "all at once": Encoding(
        "all",
        add=lambda n, d: np.ones((n, d)),
        turn=rotary.rope,
        bias=lambda n, h: np.ones((h, n, n)),
        rows=8,
        bucket=lambda n: np.tri(n, dtype=int),
        n_buckets=2,
    ),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_gradients_are_the_derivatives(name):
    model = Transformer(Registers.sizes, 8, ENCODINGS[name], **SMALL)
    for table in ("buckets",):
        if table in model.parameters:
            model.parameters[table] += np.random.default_rng(1).normal(size=model.parameters[table].shape)
    gradients = model.loss(*BATCH)[1]()
    assert set(gradients) == set(model.parameters)
    rng = np.random.default_rng(2)
    for key, value in model.parameters.items():
        assert gradients[key].shape == value.shape
        for _ in range(6):
            at = tuple(rng.integers(value.shape))
            kept, losses = value[at], []
            for step in (1e-5, -1e-5):
                value[at] = kept + step
                losses.append(model.loss(*BATCH)[0])
            value[at] = kept
            assert gradients[key][at] == pytest.approx((losses[0] - losses[1]) / 2e-5, rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("name", ENCODINGS)
def test_later_tokens_change_no_earlier_answer(name):
    model = Transformer(Registers.sizes, 8, ENCODINGS[name], **SMALL)
    whole = model.logits(BATCH.tokens)[0]
    np.testing.assert_allclose(model.logits(BATCH.tokens[..., :4])[0], whole[:, :4], atol=1e-12)


def test_position_enters_where_the_encoding_says():
    tokens = np.zeros((3, 1, 6), dtype=int)  # all tokens alike: only position can tell them apart
    flat = Transformer(Registers.sizes, 8, encodings.nope(), **SMALL).logits(tokens)[0][0]
    np.testing.assert_allclose(flat, np.tile(flat[0], (6, 1)))
    for name in ("sinusoidal", "learned"):
        moved = Transformer(Registers.sizes, 8, ENCODINGS[name], **SMALL).logits(tokens)[0][0]
        assert np.abs(moved - moved[0])[1:].max(axis=1).min() > 1e-3, name


def test_our_rotations_and_biases_are_the_librarys():
    turned = encodings.rope().maps(5, 6, np.float64)
    x = np.random.default_rng(0).normal(size=(5, 6))
    np.testing.assert_allclose(
        np.einsum("pa,pab->pb", x, turned), rotary.rope(x, np.arange(5)), rtol=1e-12, atol=1e-12
    )
    bias = encodings.alibi().bias(4, 2)
    np.testing.assert_allclose(bias[1, 3], alibi_slopes(2)[1] * np.array([-3, -2, -1, 0]))


def test_the_same_weights_may_run_with_another_encoding():
    model = Transformer(Registers.sizes, 8, encodings.rope(), **SMALL)
    same = model.with_encoding(encodings.rope())
    np.testing.assert_array_equal(same.logits(BATCH.tokens)[0], model.logits(BATCH.tokens)[0])
    other = model.with_encoding(encodings.alibi())
    assert other.parameters is model.parameters
    assert not np.allclose(other.logits(BATCH.tokens)[0], model.logits(BATCH.tokens)[0])
    assert model.encoding.name == "RoPE"


@pytest.mark.parametrize("needs", [encodings.learned(9), encodings.t5()])
def test_an_encoding_with_parameters_cannot_be_put_in(needs):
    model = Transformer(Registers.sizes, 8, encodings.nope(), **SMALL)
    with pytest.raises(ValueError, match="encoding must have no parameters of its own, got"):
        model.with_encoding(needs)


def test_a_table_ends():
    model = Transformer(Registers.sizes, 8, encodings.learned(5), **SMALL)
    with pytest.raises(IndexError, match="positions must be from 0 to 4, got 6"):
        model.logits(BATCH.tokens)


def test_a_turn_keeps_the_shape():
    model = Transformer(Registers.sizes, 8, Encoding("bad", turn=lambda x, p: x[..., :2]), **SMALL)
    with pytest.raises(ValueError, match=r"turn must keep the shape \(6, 7, 6\), got \(6, 7, 2\)"):
        model.logits(BATCH.tokens)


def test_features_are_shared_out_among_heads():
    with pytest.raises(ValueError, match="d must be a multiple of h, got d = 10 and h = 4"):
        Transformer((8,), 8, encodings.nope(), d=10)


def test_only_what_counts_counts():
    model = Transformer(Registers.sizes, 8, encodings.alibi(), **SMALL)
    last = np.zeros_like(BATCH.counted)
    last[:, -1] = 1
    loss, _ = model.loss(BATCH.tokens, BATCH.targets, last)
    wrong = np.where(last == 1, BATCH.targets, 0)
    assert model.loss(BATCH.tokens, wrong, last)[0] == loss
    assert model.loss(BATCH.tokens, BATCH.targets, 0 * last)[0] == 0


def test_a_seed_decides_the_start():
    a, b, c = (Transformer((8,), 8, encodings.nope(), seed=seed).parameters for seed in (0, 0, 1))
    assert all(np.array_equal(a[key], b[key]) for key in a)
    assert not np.array_equal(a["0 up"], c["0 up"])
    assert {value.dtype for value in a.values()} == {np.dtype(np.float32)}


@pytest.mark.parametrize("tokens", [BATCH.tokens[:2], BATCH.tokens[0]])
def test_every_stream_has_its_tokens(tokens):
    model = Transformer(Registers.sizes, 8, encodings.nope(), **SMALL)
    with pytest.raises(ValueError, match=r"tokens must have shape \(3, batch, n\), got \("):
        model.logits(tokens)
