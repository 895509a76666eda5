"""What the prose of lesson 10 claims in numbers, computed."""

import numpy as np
import pytest

from posenc.misconceptions import for_exercise
from posenc.scaling import yarn
from tests.lessons.text import is_picture

LESSON = "10_choosing"


def drawn(lesson, *names):
    """Return the namespace after some cells, on top of the solution's own answers."""
    namespace = lesson.solved()
    for name in names:
        exec(lesson.source[name], namespace)
    return namespace


def test_the_cover_shows_what_the_configurations_say(lesson):
    """As transformers 5.24 has it: patterns of windows, intervals without RoPE, periods of attention."""
    rules = {
        "Mistral 7B v0.1": lambda i: "w",
        "Gemma 3": lambda i: "w" if (i + 1) % 6 else "r",
        "ModernBERT": lambda i: "w" if i % 3 else "r",
        "SmolLM3": lambda i: "r" if (i + 1) % 4 else "n",
        "Command R7B": lambda i: "w" if (i + 1) % 4 else "n",
        "Llama 4": lambda i: "c" if (i + 1) % 4 else "n",
        "Jamba": lambda i: "n" if i % 8 == 4 else "m",
    }
    layers = drawn(lesson, "cover_picture")["layers"]
    assert layers == {name: "".join(map(rule, range(16))) for name, rule in rules.items()}
    assert sum(bool(set(marks) & set("wrc")) for marks in layers.values()) == 6
    assert sum("n" in marks for marks in layers.values()) == 4


def test_what_is_said_of_the_trained_length_holds(lesson):
    namespace = drawn(lesson, "same_length_picture")
    none, *kinds = namespace["vit"].values()
    assert np.ptp(kinds) == pytest.approx(0.2) and min(kinds) - none >= 2.6 - 1e-9
    relative = namespace["relative"]
    assert [round(min(change), 1) for change in relative.values()] == [-1.8, -3.0]
    assert round(100 * (1 - np.exp(2.173 - 2.240)), 1) == 6.5  # perplexity, the exponential of the loss
    five = np.array([pair for name, pair in namespace["registers"].items() if name != "none"])
    assert len(five) == 5 and five[:, 0].min() == 0.975 and five[:, 0].max() == 0.998
    assert round(five[:, 1].min(), 2) == 0.14 and round(five[:, 1].max(), 2) == 0.98


def test_what_is_said_of_parameters_holds(lesson):
    learned = lesson.solved()["extra_parameters"]("learned", 4096, 4096, 32, 32)
    assert round(learned / 1e6) == 17 and round(100 * learned / 6.7e9, 2) == 0.25


def test_what_is_said_of_arithmetic_holds(lesson):
    share = drawn(lesson, "work_picture")["share"]
    assert max(map(max, share.values())) < 0.2 and max(share["RoPE"]) < 0.01
    assert 100 * 6 * 4096 / (24 * 4096**2) == 100 / (4 * 4096)
    assert 32 * 4096**2 * 2 == 2**30


def test_what_is_said_of_caches_holds(lesson):
    cache_bytes = lesson.solved()["cache_bytes"]
    yours = drawn(lesson, "cache_bytes_picture")["yours"]
    assert [sizes[-1] for sizes in yours.values()] == [64, 16, 4.375, 0.5]
    assert np.divide(yours["Llama 2 7B"], yours["Llama 3 8B"]).tolist() == [4] * 8
    assert cache_bytes(5, 2, 1, 4, 1, 3) == 128


def test_only_rope_with_yarn_has_a_row_of_yes(lesson):
    namespace = drawn(lesson, "needs_picture")
    rows = namespace["rows"]
    assert [name for name, marks in rows.items() if set(marks) == {"y"}] == ["RoPE + YaRN"]
    assert rows["ALiBi"][:2] == "yn" and rows["RoPE"][:2] == "py"
    said = lesson.source["choose_test"]
    assert "0.575 at eight" in said and namespace["recent"]["RoPE"] == 0.575
    assert "0.29 at eight" in said and round(namespace["recent"]["none (causal)"], 2) == 0.29
    registers = drawn(lesson, "same_length_picture")["registers"]
    assert "0.61 of cases" in said and round(registers["none"][0], 2) == 0.61
    assert {"RoPE": namespace["recent"]["RoPE"], "ALiBi": namespace["recent"]["ALiBi"]} == {
        name: registers[name][1] for name in ("RoPE", "ALiBi")
    }


def test_within_a_window_no_distance_is_new(lesson):
    numbers = drawn(lesson, "window_picture")["numbers"]
    assert set(np.unique(numbers["how far back"][4:][~np.isnan(numbers["how far back"][4:])])) == {0, 1, 2, 3}
    assert np.nanmax(numbers["position of the key"]) == 11


def test_what_is_said_of_the_stretched_keys_holds(lesson):
    frequencies, factor = yarn(6, 2, original=100)
    assert factor == pytest.approx(1 + 0.1 * np.log(2)) and round(factor, 4) == 1.0693
    plain = 10000.0 ** (-np.arange(3) / 3)
    assert np.round(plain / frequencies, 6).tolist() == [1, 2, 2]
    assert round(2 * np.pi / frequencies[0], 1) == 6.3
    turned = lesson.solved()["turn_heads"](np.array([[[1.0, 0.0]]]), [0], 2, 100)
    assert turned[0, 0] == pytest.approx([factor, 0])


def test_row_0_tells_a_norm_from_a_position(lesson):
    """Where one key gets all the weight, neither the query's position nor another turn of the key is seen."""
    namespace = drawn(lesson, "decode_block_picture")
    args = [namespace[name] for name in ("X", "W", "U", "D")]
    expected = namespace["expected"]
    wrong = {entry.id.removeprefix("decode_block-"): entry.wrong for entry in for_exercise("decode_block")}
    for name in ("keys-turned-again", "no-position", "not-stretched"):
        off = np.abs(wrong[name](*args, 3, 2, 100) - expected).max(axis=1)
        assert off[0] < 1e-12 and off[2:].min() > 1e-6, name
    for name in (
        "post-norm",
        "no-norm",
        "second-norm-missing",
        "first-residual-missing",
        "second-residual-missing",
    ):
        assert np.abs(wrong[name](*args, 3, 2, 100) - expected)[0].max() > 1e-3, name


def test_a_recurrence_is_neither_and_fades_as_alibi_does(lesson):
    namespace = drawn(lesson, "recurrence_picture")
    moved, kept, order = (namespace[name] for name in ("moved", "kept", "order"))
    assert not np.allclose(moved, kept[order]) and not np.allclose(moved[-1], kept[-1])
    assert -np.log(0.8) == pytest.approx(0.2231, abs=1e-4)
    state, alibi, _ = namespace["fades"].values()
    np.testing.assert_allclose(state, alibi, atol=1e-3)
    turns = np.array([(0.9 * np.exp(0.5j)) ** r for r in range(4)])
    np.testing.assert_allclose(np.angle(turns), 0.5 * np.arange(4))


def test_a_window_of_4_agrees_up_to_row_3(lesson):
    namespace = drawn(lesson, "decode_block_picture")
    whole = namespace["extend_cache"]
    namespace["extend_cache"] = lambda cache, *rest: whole(cache, *rest)[:, :, -4:]
    exec(lesson.source["decode_block"], namespace)
    off = np.abs(
        namespace["decode_block"](*(namespace[k] for k in "XWUD"), 3, 2, 100) - namespace["expected"]
    )
    assert off[:4].max() < 1e-12 and off[4].max() > 1e-3


def test_models_that_the_prose_speaks_of_have_a_link(lesson):
    practice = next(text for text in lesson.prose() if text.startswith("## In practice"))
    for name in (
        "Command R7B",
        "SmolLM3",
        "Llama 4",
        "Jamba",
        "ModernBERT",
        "DNABERT-2",
        "Pixtral",
        "DINOv3",
        "FLUX",
    ):
        assert f"[{name}](https://" in practice
    assert all(is_picture(cell) == ("picture" in cell.metadata.get("tags", [])) for cell in lesson.code())
