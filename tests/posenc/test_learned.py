"""Learned tables: reading them, counting past padding, and resizing to other lengths and grids."""

import numpy as np
import pytest

from posenc.learned import interpolate_1d, interpolate_2d

TABLE = np.arange(24.0).reshape(8, 3)


# torch's interpolate(..., mode="linear"), and scipy.ndimage.zoom(order=1) in the code of ViT.
@pytest.mark.parametrize(
    ("align_corners", "want"), [(False, [0, 0.25, 0.75, 1]), (True, [0, 1 / 3, 2 / 3, 1])]
)
def test_interpolation_goldens(align_corners, want):
    got = interpolate_1d([[0.0], [1.0]], 4, align_corners=align_corners)
    np.testing.assert_allclose(got[:, 0], want, rtol=1e-15)
    column = interpolate_2d([[0.0], [1.0]], (2, 1), (4, 1), align_corners=align_corners)
    row = interpolate_2d([[0.0], [1.0]], (1, 2), (1, 4), align_corners=align_corners)
    np.testing.assert_array_equal(column, got)
    np.testing.assert_array_equal(row, got)
