"""Pictures: drawn on the axes that are given, labelled with units, and saying more than colour does."""

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from posenc import draw


@pytest.fixture
def ax():
    figure, ax = plt.subplots(layout="constrained")
    yield ax
    figure.canvas.draw()
    plt.close("all")


OFFSET = "offset: key minus query (positions)"
P = np.sin(np.arange(35.0)).reshape(7, 5)


@pytest.mark.parametrize(
    ("draws", "x", "y"),
    [
        (lambda ax: draw.heat_map(ax, P), "feature", "position"),
        (lambda ax: draw.heat_map(ax, P[0], x="key", y="query"), "key", "query"),
        (lambda ax: draw.gram(ax, P), "position", "position"),
        (lambda ax: draw.slopes(ax, [0.25, 0.0625]), "head", "slope (logits per position)"),
        (lambda ax: draw.circle(ax, range(30)), "first feature of the pair", "second feature of the pair"),
        (lambda ax: draw.score_against_offset(ax, [0, 1], [1, 0]), OFFSET, "score"),
        (lambda ax: draw.wavelengths(ax, [1, 0.1, 0]), "pair", "wavelength (positions)"),
    ],
)
def test_axes_are_returned_and_labelled(ax, draws, x, y):
    assert draws(ax) is ax
    assert (ax.get_xlabel(), ax.get_ylabel()) == (x, y)


@pytest.mark.parametrize(
    ("values", "limits"),
    [
        ([[0.2, 0.6]], (0, 0.6)),
        ([[-0.2, 0.6]], (-0.6, 0.6)),
        ([[-0.2, -0.6]], (-0.6, 0)),
        ([[-2.0, -np.inf]], (-2, 0)),
        ([[0.0, np.nan]], (0, 1)),
    ],
)
def test_colours_are_symmetric_where_signs_are_mixed(ax, values, limits):
    assert draw.heat_map(ax, values).images[0].get_clim() == limits


def test_limit_is_kept(ax):
    assert draw.heat_map(ax, [[-1, 1]], limit=3, title="PE").images[0].get_clim() == (-3, 3)
    assert ax.get_title() == "PE"


def test_circle_turns_counter_clockwise(ax):
    draw.circle(ax, [0, 1], frequency=np.pi / 2, start=(3, 0))
    tips = [(round(t.get_position()[0]), round(t.get_position()[1])) for t in ax.texts]
    assert tips == [(3, 0), (0, 3)]
    assert ax.get_aspect() == 1


def test_circle_writes_a_dozen_numbers_at_most(ax):
    assert len(draw.circle(ax, range(100)).texts) <= 13


def test_lines_differ_by_more_than_colour(ax):
    draw.score_against_offset(ax, range(9), {name: range(9) for name in "abcd"}, y="score / sqrt(d)")
    assert len({line.get_linestyle() for line in ax.lines}) == 4
    assert len({line.get_marker() for line in ax.lines}) == 4
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list("abcd")


def test_many_points_have_no_markers(ax):
    assert draw.score_against_offset(ax, range(90), np.zeros(90)).lines[0].get_marker() in (None, "None")


def test_wavelengths_past_the_length_are_hollow(ax):
    draw.wavelengths(ax, [1, 0.1, 0.001], length=100)
    filled, hollow, line = ax.lines
    assert list(filled.get_xdata()) == [0, 1]
    assert list(hollow.get_xdata()) == [2]
    assert hollow.get_markerfacecolor() == "none"
    assert line.get_linestyle() == "--"


def test_comparison_makes_or_takes_three_axes(ax):
    mine = plt.subplots(1, 3)[1]
    assert list(draw.comparison(mine, P, P)) == list(mine)
    assert len(draw.comparison(None, P, P, x="key", y="query")) == 3
    assert all(each.get_xlabel() == "feature" for each in mine)


def test_rounding_is_drawn_blank_and_a_difference_is_not(ax):
    blank = draw.comparison(None, P + 1e-13, P)[2].images[0]
    shown = draw.comparison(None, P + 0.1, P)[2].images[0]
    assert np.abs(blank.norm(blank.get_array()) - 0.5).max() < 1e-6
    assert np.abs(shown.norm(shown.get_array()) - 0.5).max() > 0.4


@pytest.mark.parametrize(
    ("yours", "words"),
    [(None, "nothing yet"), (P[:, :2], "shapes differ:\n(7, 2) and (7, 5)"), (P[:, 0], "shapes")],
)
def test_what_cannot_be_compared_is_said(ax, yours, words):
    axes = draw.comparison(None, yours, P)
    assert axes[2].texts[0].get_text().startswith(words)
    assert axes[1].get_title() == "expected"


def test_nan_leaves_a_hole_and_breaks_nothing(ax):
    yours = P.copy()
    yours[0, 0] = np.nan
    axes = draw.comparison(None, yours, P)
    assert axes[0].images[0].get_array().mask.sum() == 1
    axes[0].figure.canvas.draw()


def test_words_stand_in_for_numbers(ax):
    draw.heat_map(ax, np.eye(3), rows=["the", "cat", "sat"], columns=["a", "b", "c"])
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["the", "cat", "sat"]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["a", "b", "c"]


def test_numbers_in_cells_are_written_dark_on_light_and_light_on_dark(ax):
    draw.heat_map(ax, [[0.0, 1.0, np.nan, -np.inf]], numbers="g")
    assert [text.get_text() for text in ax.texts] == ["0", "1", "", "-inf"]
    assert ax.texts[0].get_color() != ax.texts[1].get_color()
    assert ax.texts[3].get_color() == "black"


def test_side_by_side_shares_one_scale(ax):
    axes = draw.side_by_side(None, {"near": [[1.0, 2.0]], "far": [[-4.0, 3.0]]}, label="bias")
    assert [each.get_title() for each in axes] == ["near", "far"]
    assert {each.images[0].get_clim() for each in axes} == {(-4.0, 4.0)}
    assert axes[0].get_xlabel() == "key position"
    mine = plt.subplots(1, 1, squeeze=False)[1][0]
    named = draw.side_by_side(mine, {"words": np.eye(2)}, words=[["a", "b"]])
    assert [tick.get_text() for tick in named[0].get_xticklabels()] == ["a", "b"]


def test_lines_take_any_axes(ax):
    draw.lines(ax, [1, 2, 3], {"a": [1, 2, 3], "b": [3, 2, 1]}, x="slope", y="span (positions)", title="t")
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("slope", "span (positions)", "t")


def test_a_staircase_has_steps(ax):
    draw.staircase(ax, np.arange(-3, 4), {"encoder": [1, 1, 0, 0, 2, 2, 2], "decoder": [1, 1, 0, 0, 0, 0, 0]})
    assert {line.get_drawstyle() for line in ax.lines} == {"steps-mid"}
    assert (ax.get_xlabel(), ax.get_ylabel()) == (OFFSET, "bucket")
