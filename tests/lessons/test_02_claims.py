"""What the prose of lesson 2 claims in numbers, computed."""

import contextlib
import io

import matplotlib.pyplot as plt
import numpy as np
import pytest

LESSON = "02_sinusoidal"


@pytest.fixture
def solved(lesson):
    yield lesson.solved()
    plt.close("all")


def shown(lesson, cell, namespace):
    """Return what a cell prints, and the value of its last line."""
    *before, last = lesson.source[cell].rstrip().split("\n")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec("\n".join(before), namespace)
        value = eval(last, namespace)
    return said.getvalue().splitlines(), value


def test_the_check_on_arrays_prints_what_the_lesson_text_says(lesson, solved):
    said, _ = shown(lesson, "check_on_arrays", solved)
    assert said == [
        "sinusoidal PE shape: (32, 8)",
        "PE(0): [0. 1. 0. 1. 0. 1. 0. 1.]",
        "PE(1): [0.84 0.54 0.1  1.   0.01 1.   0.   1.  ]  (PE(0), moved by a linear shift)",
        "distance from PE(0) to PE(1): 0.96",
    ]


def test_a_step_is_nearly_all_in_the_fast_pair_and_the_same_matrix_makes_the_next(solved):
    PE, M = solved["sinusoidal"](3, 8), solved["shift_matrix"](1, 8)
    step = PE[1] - PE[0]
    assert np.linalg.norm(step[:2]) > 0.99 * np.linalg.norm(step)
    np.testing.assert_allclose(M @ PE[0], PE[1], atol=1e-15)
    np.testing.assert_allclose(M @ PE[1], PE[2], atol=1e-15)


def test_binary_steps_jump_and_wave_steps_do_not(lesson, solved):
    exec(lesson.source["steps_picture"], solved)
    binary, waves = solved["steps"]["binary"] ** 2, solved["steps"]["waves"]
    assert np.isclose(binary[[30, 31]], [1, 6]).all()
    assert np.ptp(waves) < 1e-12


def test_the_cover_and_the_steps_show_the_codes_of_this_lesson(lesson, solved):
    exec(lesson.source["cover_picture"], solved)
    np.testing.assert_allclose(solved["waves"], solved["sinusoidal"](64, 16), atol=1e-12)


def test_the_hands_at_position_12(solved):
    turns = 12 * 0.1 ** np.arange(4) / (2 * np.pi)
    assert 1.9 < turns[0] < 2 and 0.18 < turns[1] < 0.2 and turns[2:].max() < 0.02


def test_the_first_pairs_come_round_every_6_and_every_63_rows():
    assert np.round(2 * np.pi / np.array([1, 0.1]), 1).tolist() == [6.3, 62.8]


def test_lengths_of_a_token_before_and_after_the_factor_and_of_a_code(lesson, solved):
    _, lengths = shown(lesson, "lengths", solved)
    assert lengths == [1.0, 22.9, 16.0]


def test_longest_wavelengths_stay_below_the_papers_end(lesson, solved):
    _, longest = shown(lesson, "longest", solved)
    assert longest == {8: 6283.19, 64: 47117.24, 512: 60611.48}
    assert round(10000 * 2 * np.pi) == 62832 and max(longest.values()) < 62831


def test_half_of_the_pairs_never_come_round_in_512_positions():
    wavelengths = 2 * np.pi * 10000 ** (np.arange(0, 64, 2) / 64)
    assert (wavelengths > 512).sum() == 16 and len(wavelengths) == 32


def test_nearest_codes(lesson, solved):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(lesson.source["nearest"], solved)
    assert said.getvalue().splitlines() == [
        "d=4: nearest to PE(0) is PE(13823), at distance 0.0077",
        "d=8: nearest to PE(0) is PE(6283), at distance 0.1860",
        "d=64: nearest to PE(0) is PE(1), at distance 1.4718",
    ]


def test_with_few_features_the_code_almost_returns(lesson, solved):
    exec(lesson.source["nearest_picture"], solved)
    few, many = solved["away"]["d = 4"], solved["away"]["d = 64"]
    assert few[[6, 19, 25, 44]].max() < 0.35 and few[1:].min() < 0.2 < 0.25 < many[1:].min()


def test_dot_products_of_codes(solved):
    P = solved["sinusoidal"](81, 512)
    gram = P @ P.T
    np.testing.assert_allclose(gram[0, :5], [256, 249.10209783, 231.73362039, 211.74944343, 196.68823115])
    for r in (0, 1, 7, 40):
        assert np.ptp(np.diagonal(gram, r)) < 1e-10
    right, left = gram[40, 40:], gram[40, 40::-1]
    np.testing.assert_allclose(right, left)
    bends = np.diff(right, 2)
    assert (np.diff(right) < 0).all() and (np.diff(np.sign(bends)) != 0).sum() > 8  # it falls, in small waves


def test_least_squares_moves_six_codes_without_error(lesson, solved):
    _, worst = shown(lesson, "step", solved)
    assert worst == 0.0


def test_the_shift_matrix_is_orthogonal_and_nears_the_identity(solved):
    M = solved["shift_matrix"](3, 8)
    np.testing.assert_allclose(M @ M.T, np.eye(8), atol=1e-15)
    off = [np.abs(M - np.eye(8))[i : i + 2].max() for i in range(0, 8, 2)]
    assert off == sorted(off, reverse=True)


def test_the_built_head_looks_three_back_at_any_length(lesson, solved):
    _, weights = shown(lesson, "head", solved)
    assert weights == {10: 0.974, 128: 0.974, 2000: 0.974}
    assert all(solved["head"](solved["shift_matrix"](-3, 64), p).argmax() == p - 3 for p in (10, 128, 2000))


def test_the_fitted_head_looks_three_back_only_near_where_it_was_fitted(lesson, solved):
    exec(lesson.source["head"], solved)
    _, offsets = shown(lesson, "fitted", solved)
    assert offsets == {10: -3, 31: -3, 64: -35, 128: -104, 256: -241}
    assert all(0 <= p + offset < 32 for p, offset in offsets.items())
    exec(lesson.source["fitted_picture"], solved)
    built, fitted = (solved["head"](M, 30) for M in solved["heads"].values())
    assert built.argmax() == fitted.argmax() == 27 and np.abs(built - fitted).max() < 0.01
    weights = solved["head"](solved["fitted"](32), 128)
    assert weights.argmax() == 24 and weights[125] < 1e-6 and 0.9 < weights[24] < 0.94


def test_six_of_the_hands_come_round_in_32_positions():
    assert (2 * np.pi * 10000 ** (np.arange(0, 64, 2) / 64) <= 32).sum() == 6


def test_more_positions_make_the_fitted_head_hold(lesson, solved):
    exec(lesson.source["head"], solved)
    exec(lesson.source["fitted"], solved)
    holds = [solved["head"](solved["fitted"](n), 2000).argmax() == 1997 for n in (64, 128, 256)]
    assert holds == [False, True, True]


@pytest.mark.parametrize(("penalty", "far"), [(1e-3, {128: -104, 256: -248}), (1e-6, {128: -104, 256: -248})])
def test_with_32_features_the_fitted_head_jumps_too(solved, penalty, far):
    PE = solved["sinusoidal"](257, 32)
    now, then = PE[3:32], PE[:29]
    M = np.linalg.solve(now.T @ now + penalty * np.eye(32), now.T @ then).T
    assert {p: int((PE[: p + 1] @ M @ PE[p]).argmax()) - p for p in far} == far


def test_the_half_layout_is_a_reordering_and_tensor2tensor_is_not(lesson, solved):
    exec(lesson.source["variants_picture"], solved)
    tables = {name: np.sort(table, axis=1) for name, table in solved["tables"].items()}
    np.testing.assert_array_equal(tables["half"], tables["interleaved"])
    assert np.abs(tables["tensor2tensor"] - tables["interleaved"]).max() > 0.1
    np.testing.assert_allclose(solved["tables"]["tensor2tensor"][1, 7], np.sin(1 / 10000))
