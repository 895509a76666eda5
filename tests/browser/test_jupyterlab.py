"""What JupyterLab alone shows, on lesson 6: a live slider, and a named mistake in place of a traceback."""

import pytest

from tests.browser.lab import solutions

pytestmark = pytest.mark.slow
LESSON = "06_rotary"
HALF = """def rope(x, position):
    d = x.shape[-1]
    theta = 10000.0 ** (-np.arange(0, d, 2) / d)
    cos, sin = np.cos(position * theta), np.sin(position * theta)
    first, second = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)
"""
MOVED = """([cell, before]) => {
  const image = cell.querySelector('.jupyter-widgets img');
  return image !== null && image.src !== before;
}"""


def test_a_slider_is_live(lab):
    lab.open(LESSON)
    assert "application/vnd.jupyter.widget-view+json" in lab.run_all()["pair_picture"].kinds
    cell = lab.show("pair_picture")
    before = cell.wait_for_selector(".jupyter-widgets img").get_attribute("src")
    assert before == cell.query_selector("img").get_attribute("src"), "the still picture says the same"
    cell.wait_for_selector(".widget-slider .noUi-handle").press("ArrowRight")
    lab.page.wait_for_function(MOVED, arg=[cell, before])
    assert cell.query_selector(".widget-readout").inner_text() == "7"
    lab.keep(LESSON, "pair_picture", as_="_at_7")


def test_the_wrong_layout_is_named(lab):
    lab.open(LESSON, {**solutions(LESSON), "rope": HALF})
    (shown,) = lab.run_all()["rope_test"].errors
    assert "half" in shown["evalue"] and "neighbours" in shown["evalue"]
    assert shown["traceback"] == [f"Not yet: {shown['evalue']}"]
    lab.keep(LESSON, "rope_test", as_="_half")
