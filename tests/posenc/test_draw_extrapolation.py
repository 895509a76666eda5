"""Pictures of lesson 8: results against length with bands over runs, and text coloured by its loss."""

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


RUNS = {"a": [[1.0, 0.5, 0.2], [0.8, 0.7, 0.4]], "b": [0.9, 0.9, 0.9]}


def test_a_line_is_the_mean_over_runs(ax):
    assert draw.by_length(ax, [32, 64, 128], RUNS) is ax
    lines = {line.get_label(): line for line in ax.lines}
    np.testing.assert_allclose(lines["a"].get_ydata(), [0.9, 0.6, 0.3])
    np.testing.assert_allclose(lines["b"].get_ydata(), 0.9)
    np.testing.assert_allclose(lines["a"].get_xdata(), [32, 64, 128])


def test_the_band_runs_from_the_lowest_to_the_highest_run(ax):
    draw.by_length(ax, [32, 64, 128], RUNS)
    (band,) = ax.collections  # one run has none
    corners = {(round(x), round(y, 6)) for x, y in band.get_paths()[0].vertices}
    assert {(32, 0.8), (32, 1.0), (64, 0.5), (64, 0.7), (128, 0.2), (128, 0.4)} == corners


def test_lengths_are_ticks_and_lines_are_told_apart_without_colour(ax):
    draw.by_length(ax, [32, 64, 128], {name: [1, 1, 1] for name in "abcd"}, trained=64, title="seen")
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["32", "64", "128"]
    assert (ax.get_title(), ax.get_ylabel()) == ("seen", "accuracy")
    assert "tokens" in ax.get_xlabel()
    mark, *lines = ax.lines
    assert list(mark.get_xdata()) == [64, 64]
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines}) == 4
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["trained on 64", *"abcd"]


def test_a_bar_a_name_from_the_top_with_its_number(ax):
    assert draw.bars(ax, ["a", "b"], {"plugged in": [0.5, 2], "trained so": [1, 0.25]}, x="loss (nats)") is ax
    widths = [[bar.get_width() for bar in group] for group in ax.containers]
    assert widths == [[0.5, 2], [1, 0.25]]
    assert [text.get_text() for text in ax.texts] == ["0.50", "2.00", "1.00", "0.25"]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b"]
    assert ax.yaxis_inverted() and ax.get_xlabel() == "loss (nats)"


def test_sets_of_bars_are_told_apart_without_colour(ax):
    draw.bars(ax, ["a"], {"one": [1], "two": [2]})
    assert [group[0].get_hatch() for group in ax.containers] == [None, "//"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]
    assert draw.bars(plt.figure().subplots(), ["a"], {"one": [1]}).get_legend() is None


def test_every_character_stands_at_its_place(ax):
    assert draw.coloured_text(ax, "ab\nde", [0, 1, 2, 3, 4], width=2) is ax
    placed = [(text.get_text(), *text.get_position()) for text in ax.texts]
    assert placed == [("a", 0, 0), ("b", 1, 0), ("↵", 0, 1), ("d", 1, 1), ("e", 0, 2)]
    shown = ax.images[0].get_array()
    np.testing.assert_array_equal(shown.filled(-1), [[0, 1], [2, 3], [4, -1]])
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["0–1", "2–3", "4–5"]


def test_letters_can_be_read_on_their_colour(ax):
    draw.coloured_text(ax, "ab", [0, 4], width=2, limit=4)
    assert [text.get_color() for text in ax.texts] == ["white", "black"]
    assert ax.images[0].get_clim() == (0, 4)


def test_a_value_is_asked_for_each_character():
    with pytest.raises(ValueError, match=r"values must have shape \(3,\), one a character, got \(2,\)"):
        draw.coloured_text(plt.figure().subplots(), "abc", [1, 2])
    plt.close("all")
