"""Every layer's way back is the derivative of its way forward, against central differences."""

import numpy as np
import pytest

from posenc.lab import layers

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 3, 4))
Q, K, V = RNG.normal(size=(3, 2, 3, 5, 4))
MASK = np.where(np.tri(5, dtype=bool), 0, -np.inf)
BIAS = RNG.normal(size=(3, 5, 5)) + MASK
MAPS = RNG.normal(size=(5, 4, 4))
TOKENS, TARGETS = RNG.integers(0, 6, (2, 3)), RNG.integers(0, 4, (2, 3))

#: A layer as a function of arrays that have gradients, and those arrays.
CASES = {
    "linear": (layers.linear, (X, RNG.normal(size=(4, 5)))),
    "embedding": (lambda table: layers.embedding(TOKENS, table), (RNG.normal(size=(6, 4)),)),
    "rms_norm": (layers.rms_norm, (X,)),
    "relu": (layers.relu, (X,)),
    "softmax": (layers.softmax, (X,)),
    "turned": (lambda x: layers.turned(x, MAPS), (Q,)),
    "attention": (layers.attention, (Q, K, V, BIAS)),
    "cross_entropy": (lambda logits: layers.cross_entropy(logits, TARGETS), (X,)),
}


def numeric(f, x):
    """Return the derivative of a number by every number of x."""
    slope = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        if np.isfinite(x[at]):
            step = np.zeros_like(x)
            step[at] = 1e-6
            slope[at] = (f(x + step) - f(x - step)) / 2e-6
    return slope


@pytest.mark.parametrize("name", CASES)
def test_the_way_back_is_the_derivative(name):
    layer, arrays = CASES[name]
    y, back = layer(*arrays)
    weights = np.random.default_rng(1).normal(size=y.shape)
    got = back(weights)
    got = got if isinstance(got, tuple) else (got,)
    assert len(got) == len(arrays)
    for i, (gradient, x) in enumerate(zip(got, arrays, strict=True)):

        def total(changed, i=i):
            return float((layer(*arrays[:i], changed, *arrays[i + 1 :])[0] * weights).sum())

        assert gradient.shape == x.shape
        np.testing.assert_allclose(gradient, numeric(total, x), rtol=1e-5, atol=1e-7)


def test_no_map_turns_nothing():
    y, back = layers.turned(Q, None)
    assert y is Q and back(V) is V


def test_each_position_has_its_own_map():
    y, _ = layers.turned(Q, MAPS)
    np.testing.assert_allclose(y[1, 2, 3], Q[1, 2, 3] @ MAPS[3])


def test_attention_is_that_of_the_library():
    from posenc.attention import attention

    np.testing.assert_allclose(layers.attention(Q, K, V, BIAS)[0], attention(Q, K, V, bias=BIAS))


def test_losses_are_in_nats():
    even, _ = layers.cross_entropy(np.zeros((7, 5)), np.arange(7) % 5)
    np.testing.assert_allclose(even, np.log(5))
    sure, _ = layers.cross_entropy(1000 * np.eye(3), np.arange(3))
    np.testing.assert_allclose(sure, 0)


def test_single_precision_stays():
    for layer, arrays in CASES.values():
        single = [x.astype(np.float32) for x in arrays]
        y, back = layer(*single)
        got = back(y)
        if layer is not CASES["turned"][0]:  # its maps are in double here
            assert {part.dtype for part in (y, *(got if isinstance(got, tuple) else (got,)))} == {
                np.dtype(np.float32)
            }
