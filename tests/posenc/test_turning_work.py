"""How much the fast paths of RoPE compute: counted, not timed, since the values are right either way."""

from math import prod

import numpy as np
import pytest

from posenc.rotary import rotate, table, turning

MOST = 1 << 19  # bytes of each array in a piece


def counted(monkeypatch, name):
    """Let a function of `turning` note the shape and the bytes of the first array that it is given."""
    seen, original = [], getattr(turning, name)

    def noted(first, *others):
        seen.append((first.shape, first.nbytes))
        return original(first, *others)

    monkeypatch.setattr(turning, name, noted)
    return seen


@pytest.mark.parametrize(
    ("positions", "cosines"),
    [
        (np.arange(255), 255),  # too few to share
        (np.arange(256), 4 + 64),
        (np.arange(-10_000, 0), 157 + 64),
        (np.arange(64 * 1000, 64 * 1010), 10 + 64),
        (16 * np.arange(256), 64 + 64),  # as many as half the positions: worth it
        (17 * np.arange(256), 256),
        (32 * np.arange(256), 256),
        (np.arange(1000) + 0.25, 1000),
        (np.append(np.arange(999), 0.5), 1000),
    ],
)
def test_whole_positions_close_together_share_cosines(monkeypatch, positions, cosines):
    seen = counted(monkeypatch, "_exp")
    got = table(positions, 4)
    assert sum(prod(shape) for shape, _ in seen) == cosines
    np.testing.assert_allclose(got, np.exp(1j * positions[:, None] * [1, 0.01]), atol=1e-11)


SHAPES = [
    (5000, 64),
    (3, 2500, 64),
    (40_000, 1, 4),
    (300, 2, 5, 30),
    (2, 70_000, 1, 6),
    (150_000,),
    (3, 70_000),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_row_is_turned_once_and_few_at_a_time(monkeypatch, shape):
    seen = counted(monkeypatch, "_turn_rows")
    x = np.random.default_rng(0).normal(size=shape)
    rotate(x, table(3, shape[-1]), layout="half")
    assert sum(prod(part) for part, _ in seen) == x.size
    one = shape[-1] * x.itemsize
    assert max(part[-2] for part, _ in seen) == min(max(MOST // one, 1), *shape[-2:-1] or [1])


@pytest.mark.parametrize("shape", SHAPES)
def test_pieces_are_views_of_a_bounded_size_that_hold_everything_once(shape):
    x = np.arange(float(prod(shape))).reshape(shape)
    pieces = list(turning._pieces(x, -x))
    np.testing.assert_array_equal(np.concatenate([one.ravel() for one, _ in pieces]), x.ravel())
    for one, other in pieces:
        assert np.shares_memory(one, x)
        np.testing.assert_array_equal(other, -one)
    longest = max(one.nbytes for one, _ in pieces)
    assert longest <= max(MOST, shape[-1] * x.itemsize)
    assert longest > MOST // 2 or longest == x.nbytes
