"""Tables of marks: what each cell is can be read without colour, and every mark is explained."""

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_rgb

from posenc import draw
from posenc.draw.marks import _FILLS


@pytest.fixture
def ax():
    figure, ax = plt.subplots(layout="constrained")
    yield ax
    figure.canvas.draw()
    plt.close("all")


KINDS = {"y": "yes", "p": "partly", "n": "no"}


def test_every_cell_has_its_letter_and_every_row_its_name(ax):
    assert draw.marks(ax, {"A": "yn", "B": "pp"}, KINDS, x="question", y="encoding") is ax
    assert [(text.get_position(), text.get_text()) for text in ax.texts] == [
        ((0, 0), "y"),
        ((1, 0), "n"),
        ((0, 1), "p"),
        ((1, 1), "p"),
    ]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["A", "B"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("question", "encoding")


def test_every_mark_is_explained_in_its_colour(ax):
    legend = draw.marks(ax, {"A": "yn"}, KINDS).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["y: yes", "p: partly", "n: no"]
    shown = [patch.get_facecolor()[:3] for patch in legend.get_patches()]
    assert shown == [to_rgb(fill) for fill in _FILLS[:3]]


def test_cells_have_the_colours_of_their_marks(ax):
    drawn = draw.marks(ax, {"A": "ynp"}, KINDS).images[0]
    colours = drawn.cmap(drawn.norm(drawn.get_array()))[0]
    assert [tuple(colour[:3]) for colour in colours] == [to_rgb(_FILLS[k]) for k in (0, 2, 1)]


def test_the_first_three_differ_in_grey():
    grey = [
        sum(w * c for w, c in zip((0.299, 0.587, 0.114), to_rgb(fill), strict=True)) for fill in _FILLS[:3]
    ]
    assert min(abs(a - b) for a, b in ((grey[0], grey[1]), (grey[1], grey[2]))) > 0.2


def test_rows_may_end_early(ax):
    assert draw.marks(ax, {"A": "yyy", "B": "n"}, KINDS).images[0].get_array().mask.tolist() == [
        [False, False, False],
        [False, True, True],
    ]
    assert len(ax.texts) == 4


def test_columns_may_have_names(ax):
    draw.marks(ax, {"A": ["y", "n"]}, KINDS, columns=["near", "far"])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["near", "far"]


def test_a_mark_without_a_meaning_is_an_error(ax):
    with pytest.raises(ValueError, match="a mark must be one of y, p, n, got 'x' in 'A'"):
        draw.marks(ax, {"A": "yx"}, KINDS)


def test_there_are_as_many_marks_as_colours(ax):
    with pytest.raises(ValueError, match="there must be at most 6 marks, got 7"):
        draw.marks(ax, {"A": "a"}, dict.fromkeys("abcdefg", "kind"))
