"""What the prose of lesson 3 claims in numbers, computed."""

import numpy as np
import pytest

LESSON = "03_learned"


def run(lesson, *cells):
    """Run cells on top of the solved lesson; return the namespace."""
    namespace = lesson.solved()
    for cell in cells:
        exec(lesson.source[cell], namespace)
    return namespace


def test_the_sizes_that_the_lesson_prints(lesson, capsys):
    run(lesson, "sizes")
    numbers = [line.split(": ")[1].split()[0] for line in capsys.readouterr().out.splitlines()]
    assert numbers == ["393,216", "393,216", "786,432", "151,296"]
    assert 393_216 / 110e6 == pytest.approx(0.004, abs=0.0005)


def test_the_same_word_differs_after_the_addition(lesson):
    namespace = run(lesson, "addition_picture")
    tokens, both = namespace["tokens"], namespace["tokens"] + namespace["table"]
    np.testing.assert_array_equal(tokens[0], tokens[4])
    assert not np.isclose(both[0], both[4]).any()


def test_numpy_reads_minus_one_and_refuses_the_end(lesson, capsys):
    run(lesson, "past_the_end")
    first, second = capsys.readouterr().out.splitlines()
    assert first == "table[-1] is [14. 15.]"
    assert second == "table[8]: index 8 is out of bounds for axis 0 with size 8"


def test_wrap_and_clamp_share_rows_and_numpy_stops(lesson):
    namespace = run(lesson, "outside_picture")
    for rows in namespace["asked"]:
        np.testing.assert_array_equal(rows[3:11], np.arange(8))
    table = np.arange(8)
    for p, numpy, wrap, clamp, wanted in zip(namespace["p"], *namespace["asked"], strict=True):
        assert np.isnan(numpy) if p > 7 else numpy == table[p]
        assert wrap == np.take(table, p, mode="wrap") and clamp == np.take(table, p, mode="clip")
        assert np.isnan(wanted) == (p not in table)


def test_the_formula_cannot_draw_the_pattern_and_the_table_can(lesson, capsys):
    namespace = run(lesson, "pattern")
    off = [line.split("off by ")[1].split()[0] for line in capsys.readouterr().out.splitlines()]
    assert off == ["0.99", "0.00", "1.00"]
    assert np.abs(namespace["best"][2:-2]).max() < 0.2
    np.testing.assert_allclose(namespace["from_table"], namespace["odd"])
    assert 2 * np.pi == pytest.approx(6.28, abs=0.005)  # the fastest wave turns 1 radian a position


def test_more_features_would_help_the_formula(lesson):
    namespace = run(lesson, "pattern")
    odd, off = namespace["odd"], []
    for d in (8, 16, 32):
        P = namespace["sinusoidal"](32, d)
        off.append(np.std(P @ np.linalg.lstsq(P, odd, rcond=None)[0] - odd))
    assert off[0] > off[1] > off[2]


def test_the_gradient_is_that_of_the_loss():
    rng = np.random.default_rng(0)
    row, w, step = rng.normal(size=8), rng.normal(size=8), 1e-6

    def loss(row):
        says = 1 / (1 + np.exp(-row @ w))
        return -np.log(says)  # y is 1

    slope = [(loss(row + step * e) - loss(row - step * e)) / (2 * step) for e in np.eye(8)]
    np.testing.assert_allclose(slope, (1 / (1 + np.exp(-row @ w)) - 1) * w, atol=1e-8)


def test_rows_that_no_gradient_reached_keep_their_start_and_say_nothing(lesson, capsys):
    namespace = run(lesson, "train", "said")
    start, trained, says = (namespace[name] for name in ("start", "trained", "says"))
    np.testing.assert_array_equal(trained[32:], start[32:])
    assert (np.abs(trained[:32] - start[:32]).max(axis=1) > 0.1).all()
    assert start.std() == pytest.approx(0.02, abs=0.002)
    assert says[:32][::2].max() < 0.01 and says[:32][1::2].min() > 0.99
    assert 0.4 < says[32:].min() < says[32:].max() < 0.6
    assert capsys.readouterr().out.splitlines() == [
        "rows 32 to 63 are still their random start: True",
        "right at 0 to 31: 32 of 32; at 32 to 63: 15 of 32",
    ]


def test_even_and_odd_rows_are_two_patterns(lesson):
    trained = run(lesson, "train")["trained"][:32]
    patterns = trained[0::2].mean(axis=0), trained[1::2].mean(axis=0)
    for first, pattern in enumerate(patterns):
        assert np.abs(trained[first::2] - pattern).max() < 0.1
    assert np.abs(patterns[0] - patterns[1]).max() > 0.5


def test_a_larger_start_is_confident_and_no_better(lesson):
    source = lesson.source["train"]
    assert source.count("scale=0.02") == 1
    namespace = lesson.solved()
    exec(source.replace("scale=0.02", "scale=1.0"), namespace)
    says = 1 / (1 + np.exp(-namespace["trained"] @ namespace["w"]))
    right = ((says > 0.5) == np.arange(64) % 2)[32:].sum()
    assert 8 <= right <= 24 and np.abs(says[32:] - 0.5).mean() > 0.25


def test_random_positions_reach_every_row(lesson, capsys):
    run(lesson, "random_positions")
    assert capsys.readouterr().out == "right at all positions: 64 of 64\n"


def test_places_of_tokens_are_not_positions(lesson):
    places = run(lesson, "padding_picture")["places"]
    np.testing.assert_array_equal(places[0, 2:], [2, 3, 4])
    np.testing.assert_array_equal(places[1, :3], [0, 1, 2])


def test_decoding_reads_what_the_full_pass_reads(lesson):
    namespace = run(lesson, "cache")
    assert np.array_equal(namespace["at_once"], namespace["one_by_one"])


def test_a_two_dimensional_table_repeats_with_the_width(lesson):
    namespace = run(lesson, "patches_picture")
    assert namespace["patches"][0, 0] == 1 and namespace["patches"][1, 0] == 5
    both = namespace["both"]
    assert (both[:4, :5] == both[0, :5]).all() and (both[4:, 5:] == both[:-4, 5:]).all()


def test_sizes_of_vit():
    assert 1 + (224 // 16) ** 2 == 197 and 1 + (384 // 16) ** 2 == 577
    assert 8 * 512 == 4096


def test_half_pixels_and_aligned_corners_from_two_to_four():
    half = (np.arange(4) + 0.5) * 2 / 4 - 0.5
    np.testing.assert_allclose(half, [-0.25, 0.25, 0.75, 1.25])
    np.testing.assert_allclose(np.arange(4) * (2 - 1) / (4 - 1), [0, 1 / 3, 2 / 3, 1])


def test_the_loop_in_the_prose_makes_what_it_says(lesson):
    loop = (
        next(text for text in lesson.prose() if "```python" in text).split("```")[1].removeprefix("python\n")
    )
    namespace = {"m": 2, "n": 4, "rows": [0, 1], "new": [None] * 4}
    exec(loop, namespace)
    assert namespace["new"] == [0, 0.25, 0.75, 1]


def test_the_ratio_falls_short_for_six_sizes(lesson):
    assert eval(lesson.source["ratio"]) == [39, 43, 78, 86, 115, 123]


def test_both_orders_of_the_axes_agree_and_there_and_back_is_not_the_same(lesson):
    namespace = lesson.solved()
    resize, table = namespace["resize"], np.random.default_rng(0).normal(size=(1 + 4 * 6, 3))
    down_first = resize(resize(table, (4, 6), (8, 6)), (8, 6), (8, 9))
    across_first = resize(resize(table, (4, 6), (4, 9)), (4, 9), (8, 9))
    np.testing.assert_allclose(down_first, across_first)
    np.testing.assert_allclose(down_first, resize(table, (4, 6), (8, 9)))
    assert not np.allclose(resize(down_first, (8, 9), (4, 6)), table)


def test_the_examples_by_hand(lesson):
    namespace = lesson.solved()
    lookup, count, resize = (namespace[name] for name in ("lookup", "positions_from_mask", "resize"))
    table = np.array([[0, 5], [1, 6], [2, 7]])
    np.testing.assert_array_equal(lookup(table, [2, 0]), [[2, 7], [0, 5]])
    for outside in ([0, 3], [-1]):
        with pytest.raises(IndexError):
            lookup(table, outside)
    np.testing.assert_array_equal(count([0, 0, 1, 1, 1]), [0, 0, 0, 1, 2])
    np.testing.assert_array_equal(count([1, 0, 1, 1, 0]), [0, 0, 1, 2, 0])
    got = resize(np.array([[9], [0], [1]]), (1, 2), (1, 4))
    np.testing.assert_array_equal(got.ravel(), [9, 0, 0.25, 0.75, 1])
