"""Diagrams of lesson 1: where each word went, and where position enters a Transformer."""

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pytest

from posenc import draw


@pytest.fixture
def ax():
    figure, ax = plt.subplots(layout="constrained")
    yield ax
    figure.canvas.draw()
    plt.close("all")


def test_a_line_leads_from_each_name_to_itself(ax):
    names, order = ["a", "b", "c"], [2, 0, 1]
    assert draw.permutation(ax, names, order, title="shuffled") is ax
    said = [(text.get_text(), *text.get_position()) for text in ax.texts]
    above = {name: x for name, x, y in said if y == 1}
    below = {name: x for name, x, y in said if y == 0}
    assert above == {"a": 0, "b": 1, "c": 2} and below == {"c": 0, "a": 1, "b": 2}
    ends = {tuple(line.get_xdata()) for line in ax.lines}
    assert ends == {(above[name], below[name]) for name in names}


def test_a_name_may_come_twice(ax):
    draw.permutation(ax, ["the", "cat", "the"], [2, 1, 0])
    assert [text.get_text() for text in ax.texts] == ["the", "cat", "the", "the", "cat", "the"]


def test_a_permutation_is_labelled_and_told_apart_without_colour(ax):
    draw.permutation(ax, list("abcd"), [3, 2, 1, 0], title="reversed")
    assert (ax.get_xlabel(), ax.get_title()) == ("position", "reversed")
    assert [text.get_text() for text in ax.get_yticklabels()] == ["before", "after"]
    assert len({line.get_linestyle() for line in ax.lines}) == 4


def test_the_three_places_are_marked_and_said(ax):
    assert draw.places(ax) is ax
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [line.split(":")[0] for line in said] == ["absolute", "relative", "rotary"]
    at = {}
    for text in ax.texts:
        at.setdefault(text.get_text(), []).append(text.get_position())
    assert [len(at[number]) for number in "123"] == [1, 1, 2]  # rotary: at the queries and at the keys
    assert at["1"][0][0] == at["embeddings\nX"][0][0]
    heights = sorted(y for _, y in at["3"])
    assert heights == sorted([at["queries"][0][1], at["keys"][0][1]])
    assert (
        abs(at["2"][0][0] - next(xy for name, [xy, *_] in at.items() if name.startswith("scores"))[0]) < 1e-9
    )


def test_nothing_in_the_diagram_is_cut_off_or_collides(ax):
    draw.places(ax)
    ax.figure.set_size_inches(9, 3.6)
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    whole = ax.figure.bbox
    for i, box in enumerate(boxes):
        assert whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
