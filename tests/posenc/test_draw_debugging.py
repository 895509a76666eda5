"""Pictures of lesson 9: what a program made of an input before and after it was mended."""

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from posenc import draw


@pytest.fixture(autouse=True)
def closed():
    yield
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()
    plt.close("all")


def titles(axes):
    return [ax.get_title() for ax in axes]


def test_three_panels_are_labelled_and_the_first_two_share_their_colours():
    axes = draw.repair(None, [[-1.0, 0.0]], [[0.0, 3.0]], x="key", y="query", label="score")
    assert titles(axes) == ["shipped", "yours", "difference, up to 3"]
    assert {(ax.get_xlabel(), ax.get_ylabel()) for ax in axes} == {("key", "query")}
    clim = [ax.images[0].get_clim() for ax in axes]
    assert clim[0] == clim[1] and clim[0][0] <= -1 and clim[0][1] == 3 and clim[2] == (-3, 3)
    labels = [ax.get_ylabel() for ax in axes[0].figure.axes[3:]]
    assert labels == ["score", "yours - shipped"]
    np.testing.assert_array_equal(axes[2].images[0].get_array(), [[1, 3]])


def test_a_small_difference_has_a_scale_of_its_own_and_rounding_does_not_show():
    axes = draw.repair(None, [[1.0, 2.0]], [[1.0, 2.01]])
    assert axes[2].images[0].get_clim()[1] == pytest.approx(0.01)
    axes = draw.repair(None, [[1.0, 2.0]], [[1.0, 2.0 + 1e-12]])
    assert axes[2].images[0].get_clim() == pytest.approx((-2.0, 2.0))


def test_leading_axes_are_drawn_one_below_the_other_and_a_vector_as_a_row():
    axes = draw.repair(None, np.zeros((2, 3, 4)), np.ones((2, 3, 4)))
    assert axes[0].images[0].get_array().shape == (6, 4)
    axes = draw.repair(None, [1.0, 2.0], [1.0, 3.0])
    assert axes[0].images[0].get_array().shape == (1, 2)


def test_shapes_that_differ_are_said():
    axes = draw.repair(None, np.zeros((38, 2)), np.zeros((39, 2)))
    assert titles(axes) == ["shipped", "yours", "difference"]
    assert "(38, 2) and (39, 2)" in axes[2].texts[0].get_text()


def test_given_axes_are_drawn_on():
    mine = plt.subplots(1, 3, layout="constrained")[1]
    assert list(draw.repair(mine, [[1.0]], [[1.0]])) == list(mine)
    assert len(plt.get_fignums()) == 1
