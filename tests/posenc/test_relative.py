"""Relative positions: Shaw's clipped distances and T5's buckets, the goldens and the mix-ups reported."""

import numpy as np
import pytest

from posenc.relative import shaw_index, t5_bucket

FAR = [-200, -128, -127, -64, -20, -16, -15, -12, -9, -8, -7, -3, -1, 0]
FAR += [1, 3, 7, 8, 9, 12, 15, 16, 20, 64, 127, 128, 200]


# tensor2tensor, _generate_relative_positions_matrix.
def test_shaw_goldens():
    want = [[2, 3, 4, 4, 4], [1, 2, 3, 4, 4], [0, 1, 2, 3, 4], [0, 0, 1, 2, 3], [0, 0, 0, 1, 2]]
    np.testing.assert_array_equal(shaw_index(5, 5, 2), want, strict=True)
    np.testing.assert_array_equal(shaw_index(2, 5, 2), want[-2:])


# transformers, modeling_t5.py, _relative_position_bucket, after mesh-tensorflow.
@pytest.mark.parametrize(
    ("r", "options", "want"),
    [
        (
            FAR,
            {"bidirectional": True},
            [
                15,
                15,
                15,
                14,
                10,
                10,
                9,
                9,
                8,
                8,
                7,
                3,
                1,
                0,
                17,
                19,
                23,
                24,
                24,
                25,
                25,
                26,
                26,
                30,
                31,
                31,
                31,
            ],
        ),
        (FAR, {"bidirectional": False}, [31, 31, 31, 26, 17, 16, 15, 12, 9, 8, 7, 3, 1, *[0] * 14]),
        (
            np.arange(0, -41, -1),
            {"bidirectional": False},
            [*range(16), 16, 16, 16, 17, 17, 18, 18, 18, 19, 19, 19, *[20] * 4, *[21] * 4, *[22] * 5, 23],
        ),
        (
            np.arange(-20, 21),
            {"bidirectional": True, "n_buckets": 8, "max_distance": 16},
            [*[3] * 15, 2, 2, 2, 2, 1, 0, 5, 6, 6, 6, 6, *[7] * 15],
        ),
        (
            np.arange(0, -21, -1),
            {"bidirectional": False, "n_buckets": 8, "max_distance": 16},
            [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, *[7] * 9],
        ),
    ],
)
def test_t5_goldens(r, options, want):
    np.testing.assert_array_equal(t5_bucket(r, **options), np.array(want), strict=True)
