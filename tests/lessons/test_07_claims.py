"""What the prose of lesson 7 claims in numbers, computed; and its goldens, which `make conformance` compares.

The table of goldens is `tests/conformance/lesson_07.py`. It imports torch only when transformers is asked.
"""

import ast
import re

import numpy as np
import pytest

from posenc import scaling
from posenc.rotary import rope
from tests.conformance import lesson_07

LESSON = "07_scaling"


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


def plain(d, base=10000.0):
    return base ** (-np.arange(0, d, 2) / d)


def prose(lesson):
    return "\n".join(lesson.prose())


# --- goldens


def compared(lesson):
    """Return what the tests compare with numbers that stand there: the calls, and the numbers."""
    found = {}
    for name in lesson.exercises():
        for part in ("test", "hidden"):
            names = {"np": np}
            for node in ast.parse(lesson.source[f"{name}_{part}"]).body:
                if isinstance(node, ast.Assign):
                    exec(ast.unparse(node), names)
                elif isinstance(node, ast.Expr) and getattr(node.value.func, "id", "") == "close":
                    call, wanted = node.value.args[:2]
                    found[ast.unparse(call)] = np.atleast_1d(eval(ast.unparse(wanted), names))
    return found


@pytest.mark.parametrize("golden", lesson_07.GOLDENS, ids=lambda golden: golden.call)
def test_a_golden_is_what_the_lessons_own_answer_gives(golden, given):
    namespace = given("llama3") | {"f": plain(8), "rho": np.array([0, 0.25, 0.5, 0.75, 1, 1, 1, 1])}
    if golden.parameters["rope_theta"] == 500.0 and golden.kind == "linear":
        namespace["f"] = plain(6, 500.0)
    if golden.call.startswith("blend"):
        namespace["f"] = plain(16)
    got = np.atleast_1d(eval(golden.call, namespace))
    digits = 4 if golden.kind == "llama3" else 8
    tolerance = {"m_16": 1e-5, "logit_16": 1e-4}.get(golden.call, lesson_07.DIGITS)
    np.testing.assert_allclose(got.round(digits), golden.want, rtol=1e-10, atol=tolerance)


def test_the_tables_goldens_are_the_numbers_of_the_tests(lesson):
    """All but those of Llama 3, which a cell prints, and properties that need no golden."""
    found = compared(lesson)
    printed = {"(old / llama3(128, 8, 8192))[28:36]"}
    assert all(call in lesson.source["llama3"] for call in printed)
    properties = {
        "f", "[f, rho]", "interpolate(f, 1)", "np.multiply(interpolate(f, 2), 4096)",
        "ntk_base(6, 3) ** (-4 / 6)",
        "ramp(12, 700, base=500000.0)[0]", "blend(f, 4, np.zeros(3))", "blend(f, 4, np.ones(3))",
        "blend(f, 4, np.array([0, 0.5, 1]))",
    }  # fmt: skip
    table = {golden.call: golden.want for golden in lesson_07.GOLDENS}
    assert set(found) - properties - set(lesson_07.OURS_ALONE) == set(table) - printed
    for call in set(table) - printed:
        np.testing.assert_allclose(found[call], table[call], rtol=0, atol=lesson_07.DIGITS)


def test_goldens_of_the_prose_are_those_of_the_library(lesson):
    text = prose(lesson) + lesson.source["dynamic_base_picture"]
    ours = [
        *(scaling.dynamic_ntk(128, 2, n, original=2048)[0][1] ** -64 for n in (3072, 4096, 8192)),
        scaling.longrope(8, 8192, short=[1] * 4, long=[2] * 4, original=4096, s=32)[1],
        scaling.proportional(8, 0.5)[0],
    ]
    for golden, got in zip(lesson_07.PROSE, ours, strict=True):
        assert golden.call in text
        np.testing.assert_allclose(np.atleast_1d(got), golden.want, rtol=1e-4)
    assert scaling.partial(8, 0.5)[0].tolist() == [1.0, 0.01]
    assert "four features: 1, 0.01" in text


def test_the_expected_side_of_the_pictures_is_the_librarys(given):
    slowed = given("cover_picture")["slowed"]
    ours = {"PI": scaling.interpolated(128, 4), "NTK": scaling.ntk(128, 4)}
    ours["YaRN"] = scaling.yarn(128, 4, original=4096)
    for name, (f, _) in ours.items():
        np.testing.assert_allclose(slowed[name], plain(128) / f)
    namespace = given("wavelengths_picture", "ramp_picture", "dynamic_base_picture")
    np.testing.assert_allclose(
        namespace["expected"],
        [namespace["dynamic_base"](128, 2, n, 2048) for n in namespace["known"]],
        rtol=1e-6,
    )
    namespace = given("wavelengths_picture", "ramp_picture")
    pairs = [0, 20, 21, 33, 45, 46, 63]
    np.testing.assert_allclose(namespace["both"]["yours, by index"][pairs], namespace["known"])


# --- angles that training never showed


def test_how_many_pairs_complete_a_turn(given):
    turns = 4096 * given("wavelengths_picture")["llama2"] / (2 * np.pi)
    assert len(turns) == 64 and (turns >= 1).sum() == 46 and (turns < 1).sum() == 18


def test_a_score_is_a_weighted_sum_of_waves(given):
    waves, f = given("fitted")["waves"], plain(64)
    q, k = np.random.default_rng(0).normal(size=(2, 64))
    a = q[0::2] * k[0::2] + q[1::2] * k[1::2]
    b = q[1::2] * k[0::2] - q[0::2] * k[1::2]
    scores = [rope(q, 0) @ rope(k, r) for r in range(7)]
    np.testing.assert_allclose(waves(np.arange(7), f) @ np.concatenate([a, b]), scores)


def test_the_fitted_head_does_as_told_and_runs_away_beyond(given):
    scores = given("fitted", "fitted_picture")["scores"]
    assert abs(scores[:60] - 3).max() < 1.2 and abs(scores[80:512]).max() < 0.5
    assert scores[512:].max() == pytest.approx(6.0, abs=0.05)
    assert 512 + scores[512:].argmax() == pytest.approx(600, abs=10)
    assert 1.8 < scores[512:].max() / scores[:64].max() < 2


def test_interpolation_keeps_it_in_range_and_widens_its_window(given):
    namespace = given("fitted", "fitted_picture")
    scores = namespace["waves"](np.arange(2048), plain(64) / 4) @ namespace["fitted"]
    trained = namespace["scores"][:512]
    assert trained.min() - 0.01 < scores.min() and scores.max() < trained.max() + 0.01
    assert (trained > 1.5).sum() == pytest.approx(64, abs=2) and (scores > 1.5).sum() == pytest.approx(
        256, abs=8
    )


def test_the_head_for_the_token_before(given):
    """Experiment E5: PI moves it to the fourth token back."""
    head, f = given("fitted", "previous_head")["previous_head"], plain(64)
    ways = {
        "RoPE": (f, 0.587, 1),
        "PI": (scaling.interpolated(64, 4)[0], 0.082, 4),
        "NTK": (scaling.ntk(64, 4)[0], 0.552, 1),
        "YaRN": (scaling.yarn(64, 4, original=256)[0], 0.538, 1),
    }
    for frequencies, weight, back in ways.values():
        weights = head(frequencies)
        assert round(float(weights[-2]), 3) == weight
        assert 255 - weights.argmax() == back
    assert head(ways["PI"][0]).max() < 0.2
    frequencies, m = scaling.yarn(64, 4, original=256)
    assert round(float(head(frequencies, m)[-2]), 3) == 0.614
    np.testing.assert_allclose(head(frequencies, m), softmax(np.log(head(frequencies)) * m**2))


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def test_the_picture_of_all_methods_shows_these_weights(given):
    import matplotlib.pyplot as plt

    namespace = given("wavelengths_picture", "fitted", "previous_head", "yarn")
    source = namespace_source(given, "methods_picture")
    exec(source, namespace)
    namespace["show_methods"](4.0)
    said = [text.get_text() for text in plt.gcf().axes[1].texts]
    assert said == ["0.587", "0.082", "0.552", "0.614"]
    for s in (1.0, 16.0):
        namespace["show_methods"](s)
    plt.close("all")


def namespace_source(given, cell):
    from tests.lessons.text import lesson

    source = lesson(LESSON).source[cell]
    return source[: source.index("\n\nshow_methods()")]


# --- digits and bases


def test_what_was_seen_of_each_digit(given):
    share = given("digits_picture")["share"]
    np.testing.assert_allclose(share[1:], 10)
    np.testing.assert_allclose(share[0], [100 / 3] * 3 + [0] * 7)
    assert 11999 / 4 < 3000 and 11999 // (4 * 1000) == 2


def test_ntk_leaves_slow_pairs_beyond_their_angles():
    f, new = plain(128), scaling.ntk(128, 4)[0]
    assert round(f[46] / new[46], 2) == 2.75 and round(4 * new[46] / f[46], 2) == 1.45
    assert (4 * new[46:] / f[46:] > 1 + 1e-9).sum() == 17
    assert 4 * new[63] == pytest.approx(f[63])


def test_the_examples_by_hand(lesson):
    namespace = lesson.solved()
    assert namespace["ntk_base"](4, 2, base=100.0) == pytest.approx(400) and 400.0 ** (-1 / 2) == 1 / 20
    assert namespace["dynamic_base"](4, 2, 12, 8, base=100.0) == pytest.approx(400)
    assert namespace["dynamic_base"](4, 2, 5, 8, base=100.0) == pytest.approx(100)
    np.testing.assert_allclose(namespace["interpolate"](np.array([1, 0.01]), 4), [0.25, 0.0025])
    np.testing.assert_allclose(namespace["blend"](np.array([1, 0.1]), 4, np.array([0, 0.5])), [1, 0.0625])
    assert [round(pair_of(n, 16, 256), 2) for n in (32, 1)] == [0.21, 3.22]
    m = namespace["temperature"](4)
    assert (round(m, 4), round(m**2, 4)) == (1.1386, 1.2965)
    assert round(np.log(16), 4) == 2.7726


# --- dynamic NTK


def test_at_twice_the_length_the_rule_of_transformers_stretches_by_three(lesson):
    namespace = lesson.solved()
    assert namespace["dynamic_base"](128, 2, 4096, 2048) == pytest.approx(namespace["ntk_base"](128, 3))
    assert namespace["dynamic_base"](128, 1, 4096, 2048) == pytest.approx(namespace["ntk_base"](128, 2))


def test_a_cache_goes_stale_with_the_first_token_past_the_original_length(given, capsys):
    given("stale_cache")
    off = dict(re.findall(r"(\d+) tokens: .* ([\d.]+)\n", capsys.readouterr().out))
    assert off["7"] == off["8"] == "0.000"
    assert all(float(off[n]) > 0.1 for n in ("9", "12", "16"))


def test_unrotated_keys_equal_the_full_pass(given):
    namespace = given("stale_cache")
    speeds, q, K = namespace["speeds"], namespace["Q"][15], namespace["K"]
    kept = [rope(k, t, frequencies=speeds(16)) for t, k in enumerate(K)]
    whole = rope(K, np.arange(16), frequencies=speeds(16))
    turned = rope(q, 15, frequencies=speeds(16))
    np.testing.assert_allclose(np.array(kept) @ turned, whole @ turned)


# --- turns


def pair_of(n, d, length, base=10000.0):
    return d * np.log(length / (2 * np.pi * n)) / (2 * np.log(base))


def test_the_formula_of_the_pair_that_turns_so_often():
    for i in (0, 7, 40):
        turns = 4096 * plain(128)[i] / (2 * np.pi)
        assert pair_of(turns, 128, 4096) == pytest.approx(i)


def test_where_paper_and_code_part(given):
    both = given("wavelengths_picture", "ramp_picture")["both"]
    code, paper = both.values()
    assert (code[:21] == 0).all() and (code[46:] == 1).all() and 0 < code[21] < code[45] < 1
    np.testing.assert_allclose(paper, 2 * (1 - scaling.by_parts(128, 2, original=4096)[0] / plain(128)))
    np.testing.assert_allclose(code, 2 * (1 - scaling.yarn(128, 2, original=4096)[0] / plain(128)), atol=1e-9)
    assert round(4096 * plain(128)[33] / (2 * np.pi), 1) == 5.6
    assert code[33] == 0.5 and round(paper[33], 2) == 0.85


def test_the_three_functions_are_yarn(given):
    yarn = given("yarn")["yarn"]
    for d, s, original, base in [(64, 4, 256, 1e4), (128, 8, 8192, 5e5), (16, 2.5, 300, 1e4)]:
        f, m = yarn(d, s, original, base)
        want, factor = scaling.yarn(d, s, original=original, base=base)
        np.testing.assert_allclose(f, want)
        assert m == pytest.approx(factor)


def test_a_score_gets_m_twice():
    m = 0.1 * np.log(16) + 1
    q, k = np.array([1.0, 1.0]), np.array([1.0, 1.0])
    scores = [rope(q, 7, attention_factor=a) @ rope(k, 7, attention_factor=a) for a in (1, m)]
    assert scores[0] == pytest.approx(2) and round(scores[1], 4) == 3.2628


# --- cousins


def test_llama3_is_the_blend_by_turns(given):
    f = given("llama3")["llama3"](128, 8, 8192)
    np.testing.assert_allclose(f, scaling.llama3(128, 8, original=8192)[0])
    np.testing.assert_allclose(f, scaling.by_parts(128, 8, original=8192, base=5e5, alpha=1, beta=4)[0])
    slowed = plain(128, 5e5) / f
    between = np.flatnonzero((slowed > 1 + 1e-9) & (slowed < 8 - 1e-9))
    assert (between[0], between[-1]) == (29, 34)


# --- how far


def test_the_published_table_is_copied_rightly(lesson):
    """Rounded from jquesnelle/yarn, data/proofpile-long-small-8k.csv, at commit c795a4c."""
    published = {
        "PI": (3.509538412094116, 3.344118118286133, 8.071100234985352, 102.7402114868164),
        "NTK": (3.750666856765747, 3.586596727371216, 6.235434532165527, 74.43867492675781),
        "YaRN": (3.5097882747650146, 3.3563895225524902, 6.0485148429870605, 77.2326889038086),
    }
    for name, numbers in published.items():
        assert f"| {name} | " + " | ".join(f"{x:.2f}" for x in numbers) + " |" in prose(lesson)
    assert 65536 / 4096 == 16 and 131072 / 4096 == 32


def test_what_is_said_of_the_picture_of_lesson_8_holds(given):
    accuracy = given("reach_picture")["accuracy"]
    assert round(accuracy["RoPE"][1], 2) == 0.86
    assert accuracy["RoPE"][0] - accuracy["NTK"][0] < 0.005
    assert accuracy["NTK"][1] > 0.98 and accuracy["NTK"][2] < 0.85
    for name, cost in (("PI", 0.04), ("YaRN", 0.02)):
        assert min(accuracy[name][:3]) > 0.95
        assert round(accuracy["RoPE"][0] - accuracy[name][0], 2) == cost
