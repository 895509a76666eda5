"""What the prose of lesson 5 claims in numbers, computed."""

import numpy as np
import pytest

from tests.lessons.answers import alibi

LESSON = "05_alibi"


def softmax(x):
    return alibi.softmax(np.asarray(x, dtype=float))


@pytest.fixture
def given(lesson):
    """Return a function that runs cells of the lesson, pictures too, and hands out their names."""
    import matplotlib.pyplot as plt

    namespace = lesson.solved()

    def run(*cells):
        for cell in cells:
            exec(lesson.source[cell], namespace)
        plt.close("all")
        return namespace

    return run


def test_the_check_on_arrays_prints_the_matrix_of_the_lesson_text(given, capsys):
    given("check_on_arrays")
    assert capsys.readouterr().out == (
        "ALiBi bias matrix (slope=0.5):\n"
        "[[-0.  -0.5 -1.  -1.5 -2. ]\n"
        " [-0.5 -0.  -0.5 -1.  -1.5]\n"
        " [-1.  -0.5 -0.  -0.5 -1. ]\n"
        " [-1.5 -1.  -0.5 -0.  -0.5]\n"
        " [-2.  -1.5 -1.  -0.5 -0. ]]\n"
    )


def test_the_price_changes_which_key_wins(given):
    scores = given("row_picture")["scores"].values()
    assert [int(np.argmax(each)) for each in scores] == [12, 3]


def test_a_line_is_a_geometric_decay():
    weights = softmax(0.5 * np.arange(-23, 1))[::-1]
    assert weights[:3].round(2).tolist() == [0.39, 0.24, 0.14]
    np.testing.assert_allclose(weights[1:] / weights[:-1], np.exp(-0.5))
    assert round(float(np.exp(-0.5)), 2) == 0.61


def test_a_span_is_the_logarithm_of_20_over_the_slope(given):
    span = given("span")["span"]
    slopes = 0.5 ** np.arange(1, 9)
    spans = [span(m) for m in slopes]
    assert spans == [6, 12, 24, 48, 96, 192, 384, 767]
    assert spans == np.ceil(np.log(20) / slopes).tolist()
    assert round(np.log(20), 1) == 3.0


def test_three_published_rules_for_the_slopes_agree():
    for h in range(1, 130):
        np.testing.assert_allclose(alibi.press(h), alibi.bloom(h))
        np.testing.assert_allclose(alibi.press(h), alibi.mpt(h))
    assert [h for h in (32, 40, 112) if h & (h - 1)] == [40, 112]


def test_the_first_of_four_heads_takes_nearly_four_logits_off(given):
    corners = [bias[0, -1] for bias in given("heads_picture")["biases"].values()]
    assert corners[0] == -3.75 and corners[-1] > -0.06


def test_a_number_per_row_is_free_in_causal_attention_only(given):
    namespace = given("rows_picture", "encoder_picture")
    by_distance, by_key = (softmax(bias) for bias in namespace["hidden"].values())
    np.testing.assert_allclose(by_distance, by_key)
    rows = zip(*namespace["hidden"].values(), strict=True)
    assert [np.array_equal(a, b) for a, b in rows] == [True] + [False] * 5
    symmetric, shortcut = (softmax(bias) for bias in namespace["biases"].values())
    assert symmetric.argmax(axis=1).tolist() == [0, 1, 2, 3, 4, 5]
    assert shortcut.argmax(axis=1).tolist() == [5] * 6


def test_a_bias_before_scaling_divides_the_slope():
    q, k = np.random.default_rng(0).normal(size=(2, 5, 64))
    r = np.arange(5) - np.arange(5)[:, None]
    before, after = (q @ k.T + r / 2) / 8, q @ k.T / 8 + r / 16
    np.testing.assert_allclose(before, after)


def test_a_finite_mask_is_climbed_over(given, capsys):
    given("finite_mask")
    assert capsys.readouterr().out.endswith(": 240.0\n")
    assert float(np.finfo(np.float16).max) == 65504
    scores = 0.5 * np.arange(20_481) - 10_000.0 * (np.arange(20_481) > 0)
    assert softmax(scores)[-1] > 0.3 > 1e-9 > softmax(scores)[0]


def test_the_example_by_hand_of_attention(lesson):
    attend = lesson.solved()["alibi_attention"]
    v = np.array([[[0.0], [8.0]]])
    assert attend(np.ones((1, 1, 2)), np.ones((1, 2, 2)), v, np.log([3.0])).item() == pytest.approx(6)


def test_where_a_match_loses(given):
    weight = given("needle")["weight_on_match"]
    for slope, half in [(1 / 2, 14), (1 / 16, 83), (1 / 256, 628)]:
        distance = np.arange(1, 2048)
        assert distance[weight(slope, distance) >= 0.5][-1] == half
    assert [round(float(weight(0, D)), 2) for D in (1, 2047)] == [0.59, 0.59]
    assert 8 / (1 / 16) == 128


def test_who_finds_the_latest(given):
    weight = given("needle")["weight_on_latest"]
    assert [round(float(weight(1 / 2, 2**a)), 2) for a in range(4, 12)] == [0.98] * 8
    assert weight(0, 2048) == pytest.approx(8 / 2048, rel=0.01)


def test_what_a_far_match_must_bid():
    distance = 100_000
    others = np.exp(-np.arange(distance) / 256).sum()
    assert round(distance / 256 + np.log(others)) == 396
    assert round(np.log(99_999), 1) == 11.5


def test_no_slope_keeps_a_match_of_8_logits_at_10_000(given):
    weight = given("needle")["weight_on_match"]
    slopes = [0, *np.geomspace(1e-9, 1, 200)]
    assert max(weight(m, 10_000, n=10_001) for m in slopes) < 0.5
    assert weight(0, 10_000, n=10_001, c=9.3) > 0.5


def test_attention_agrees_with_the_formula(given, capsys):
    given("needle", "needle_check")
    assert capsys.readouterr().out.endswith("True\n")


def test_a_window_settles_and_no_bias_thins_out(given):
    shares = given("needle_picture", "window_picture")["shares"]
    for name in ("slope 1/2", "slope 1/16", "slope 1/256"):
        assert shares[name][-1] == pytest.approx(shares[name][-2], rel=1e-3)
    np.testing.assert_allclose(shares["no bias"], 64 / 2 ** np.arange(6, 14))


def test_the_numbers_of_lesson_8_are_those_of_its_table(given):
    accuracy = given("lesson8_picture")["accuracy"]
    assert accuracy["recency"][3] == 0.984 and round(accuracy["needle"][1], 2) == 0.07
    assert accuracy["needle"][1] < accuracy["a guess"][1] == 1 / 8
