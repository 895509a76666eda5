"""What the prose of lesson 8 claims in numbers: computed, from shipped weights, and, slowly, trained."""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest

from posenc.lab import Registers, Text, Transformer, accuracy, encodings, loss_by_position, pretrained
from posenc.lab.weights import ENCODINGS
from posenc.relative import t5_bucket
from tests.lessons.text import lesson as read

LESSON = "08_extrapolation"
PROSE = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the prose has numbers of the help texts of Python 3.11"
)
FOUR = ("learned", "sinusoidal", "RoPE", "ALiBi")


def running(namespace, *cells):
    """Run cells of the lesson, pictures too, and return the names that they bind."""
    for cell in cells:
        exec(read(LESSON).source[cell], namespace)
    plt.close("all")
    return namespace


@pytest.fixture
def given(lesson):
    namespace = lesson.solved()
    return lambda *cells: running(namespace, *cells)


# --- the task


def test_the_cover_shows_a_game(given):
    held = np.nan_to_num(np.array(given("cover_picture")["held"]), nan=-1)
    assert held.shape == (8, 20)
    changes = held[:, 1:] != held[:, :-1]
    assert (changes.sum(axis=0) <= 1).all()
    assert (held[:, 1:][changes] >= 0).all()


def test_empty_registers_are_read_early(given):
    read_nothing = np.array(given("read_registers_picture")["yours"]) == -1
    assert read_nothing[:, :8].mean() > 0.4 and read_nothing[:, 16:].mean() < 0.2


def test_how_far_back_an_answer_stands(given):
    within = given("distance_picture")["within"]["registers"]
    steps = np.arange(64)
    np.testing.assert_allclose(within, 1 - (7 / 8) ** (steps + 1), atol=0.03)
    exact = 1 - (7 / 8) ** (steps + 1)
    assert exact[0] == 1 / 8 and exact[4] < 0.5 < exact[5] and exact[32] > 0.98
    assert (7 / 8) / (1 / 8) == 7  # the mean of that distribution


def test_what_rules_reach(given):
    reached = given("second_half_picture")["reached"]
    marked = [[0.224, 0.226, 0.232, 0.24], [0.255, 0.128, 0.121, 0.111], [0.533, 0.389, 0.28, 0.247]]
    np.testing.assert_allclose(list(reached.values()), marked, atol=5e-4)
    assert 1 / 8 + 7 / 8 * 1 / 8 == 15 / 64 and round(15 / 64, 2) == 0.23


def test_a_guess_in_nats():
    assert (round(float(np.log(8)), 2), round(float(np.log(97)), 2)) == (2.08, 4.57)
    assert Text.sizes == (97,)


# --- the encodings


def test_so_many_numbers_are_learned():
    for make in (encodings.rope, encodings.alibi, encodings.nope, encodings.sinusoidal):
        model = Transformer(Registers.sizes, 8, make())
        assert sum(value.size for value in model.parameters.values()) == 34_816


def test_a_table_of_32_rows_ends_there():
    model, tokens = Transformer(Registers.sizes, 8, encodings.learned(32)), np.zeros((3, 1, 33), dtype=int)
    assert model.logits(tokens[:, :, :32])[0].shape == (1, 32, 8)
    with pytest.raises(IndexError):
        model.logits(tokens)


@pytest.mark.parametrize(("d", "length", "turning"), [(16, 32, 2), (128, 4096, 46)])
def test_how_many_pairs_come_round(d, length, turning):
    wavelengths = 2 * np.pi * 10000.0 ** (np.arange(0, d, 2) / d)
    assert (wavelengths <= length).sum() == turning


def test_the_last_bucket_begins_at_27():
    buckets = t5_bucket(-np.arange(300), bidirectional=False, n_buckets=16, max_distance=32)
    assert np.flatnonzero(buckets == 15)[0] == 27 and (buckets[27:] == 15).all()


# --- real text, from the weights that come with the library


@pytest.fixture(scope="module")
def spoken():
    """Return the losses by position of section 7, by name and length."""
    namespace = read(LESSON).solved()
    exec(read(LESSON).source["stretch_picture"].split("\n\n\n")[0], namespace)  # only the function
    running(namespace, "loss_picture")
    rows = namespace["spoken"].items()
    return {name: dict(zip(namespace["sizes"], losses, strict=True)) for name, losses in rows}


@pytest.fixture(scope="module")
def means(spoken):
    return {name: {n: losses.mean() for n, losses in row.items()} for name, row in spoken.items()}


@PROSE
def test_at_the_trained_length_encodings_differ_little(means):
    costs = [means[name][64] for name in FOUR]
    assert max(costs) - min(costs) < 0.105
    assert (max(costs) - min(costs)) / min(costs) == pytest.approx(0.08, abs=0.01)
    right = [accuracy(pretrained(name), Text(held_out=True), 64, size=256) for name in FOUR]
    assert 0.645 < min(right) and max(right) < 0.675 and max(right) - min(right) < 0.0125


def test_who_holds_on_text(means):
    for name in ("learned", "sinusoidal"):
        assert means[name][128] > 2 * means[name][64]
    assert means["RoPE"][128] < 1.3 * means["RoPE"][64] and means["RoPE"][256] > 2 * means["RoPE"][64]
    assert all(means["ALiBi"][n] < 1.05 * means["ALiBi"][64] for n in (128, 256, 512, 1024))
    assert means["RoPE"][64] < means["NoPE"][64] < means["NoPE"][256] < means["RoPE"][256]


@PROSE
def test_what_stretching_does_on_text(means):
    plain = means["RoPE"]
    assert means["RoPE, NTK"][128] < 1.04 * plain[64]
    assert means["RoPE, YaRN"][128] < 1.2 * plain[64] < plain[128]
    assert all(1.5 < means[f"RoPE, {way}"][256] / plain[64] < 1.8 for way in ("NTK", "YaRN"))
    assert all(means["RoPE, PI"][n] > plain[n] for n in (128, 256))
    assert all(means[f"RoPE, {way}"][64] == pytest.approx(plain[64]) for way in ("PI", "NTK", "YaRN"))


def test_first_characters_cost_most(given):
    losses = given("rotate_picture")["by_position"]
    np.testing.assert_allclose(losses["yours"], losses["as trained"], atol=1e-4)
    assert losses["yours"][0] == max(losses["yours"]) > 1.5 * losses["yours"][32:].mean()


def test_the_colours_of_the_text():
    rows = {
        name: loss_by_position(pretrained(name), Text(held_out=True), 256, characters=256).reshape(4, 64)
        for name in ("RoPE", "ALiBi")
    }
    bright = {name: (each > 6).mean(axis=1) for name, each in rows.items()}
    assert abs(rows["RoPE"][0].mean() - rows["ALiBi"][0].mean()) < 0.4
    assert (bright["RoPE"][2:] > 0.2).all() and bright["RoPE"][:2].max() < 0.1
    assert bright["ALiBi"].max() < 0.1


def test_five_models_come_with_the_library():
    assert len(ENCODINGS) == 5


# --- what others published


def test_the_published_numbers_are_those_of_the_repository(spoken):
    namespace = read(LESSON).solved() | {"sizes": [64, 128, 256, 512, 1024]}
    namespace["spoken"] = {name: list(row.values()) for name, row in spoken.items()}
    published = running(namespace, "published_picture")["published"].values()
    source = [  # jquesnelle/yarn, data/proofpile-long-small-8k.csv, at 2048, 4096, 8192, 10240 and 16384
        [3.9218568801879883, 3.509538412094116, 3.344118118286133, 8.071100234985352, 102.7402114868164],
        [4.202556610107422, 3.750666856765747, 3.586596727371216, 6.235434532165527, 74.43867492675781],
        [3.9184463024139404, 3.5097882747650146, 3.3563895225524902, 6.0485148429870605, 77.2326889038086],
    ]
    np.testing.assert_allclose(list(published), source, rtol=2e-3)
    factors = [row[3] / row[2] for row in source]
    assert 1.7 < min(factors) and max(factors) < 2.5


# --- trained here: some two minutes


@pytest.fixture(scope="module")
def trained():
    pictures = (
        "second_half_picture train_picture registers_picture slips_picture needle_picture stretch_picture"
    )
    return running(read(LESSON).solved(), *pictures.split())


@pytest.mark.slow
def test_what_is_said_of_training(trained):
    curves = trained["losses"]
    assert all(curve[0] > np.log(8) for curve in curves.values())
    assert 0.5 < curves["NoPE"][-1] < 0.75
    assert all(curve[-1] < 0.2 for name, curve in curves.items() if name != "NoPE")


@pytest.mark.slow
def test_the_registers_table(trained):
    table, vote = trained["registers"], trained["reached"]["vote"]
    at = {name: dict(zip(trained["lengths"], rows.T, strict=True)) for name, rows in table.items()}
    trained_length = [at[name][32].mean() for name in FOUR]
    assert min(trained_length) > 0.98 and max(trained_length) - min(trained_length) < 0.02
    at_64 = [at[name][64].mean() for name in FOUR]
    assert max(at_64) - min(at_64) == pytest.approx(0.6, abs=0.08)
    assert all((at["ALiBi"][n] > 0.95).all() for n in (64, 128, 256))
    assert (at["learned"][128] < 0.3).all() and (at["sinusoidal"][128] < 0.3).all()
    assert 0.15 < at["RoPE"][32].mean() - at["RoPE"][128].mean() < 0.55
    assert 0.5 < at["RoPE"][128].mean() < 0.85 and at["RoPE"][256].mean() < 0.7
    above = table["NoPE"][0] - vote
    assert (above > -0.01).all() and (above < 0.12).all()
    assert all(at["sinusoidal"][n].mean() < vote[i] for i, n in enumerate(trained["lengths"]) if n >= 128)


@pytest.mark.slow
def test_the_needle_table(trained):
    at = {name: rows.T for name, rows in trained["needle"].items()}
    assert (at["ALiBi"][1:] < 0.3).all()
    assert (at["NoPE"] > 0.9).all() and (at["T5"] > 0.95).all()
    assert at["RoPE"][1].mean() > 0.8 and at["RoPE"][3].mean() < 0.8


@pytest.mark.slow
def test_a_slip_hurts_only_where_another_rotation_was_learned(trained):
    names = trained["names"]
    plugged, grown, costs = (
        dict(zip(names, trained[each], strict=True)) for each in ("plugged", "grown", "costs")
    )
    for name in ("half layout", "base 1000", "clockwise"):
        assert plugged[name] < 0.93 and grown[name] > 0.985, name
    assert min(costs["half layout"], costs["clockwise"]) > 0.9 * costs["no rotation"] > 3
    assert costs["as trained"] < costs["base 1000"] < 2.2
    assert grown["no rotation"] < 0.7


@pytest.mark.slow
def test_what_stretching_and_a_little_training_do(trained):
    before, after = (
        {name: rows.mean(axis=0) for name, rows in trained[each].items()} for each in ("before", "after")
    )
    assert before["NTK"][0] > 0.98 and before["NTK"][1] > 0.95 and before["NTK"][2] < 0.85
    for way in ("PI", "YaRN"):
        assert 0.02 < before["RoPE"][0] - before[way][0] < 0.08
        assert abs(before[way][2] - before[way][0]) < 0.03 and before[way][2] > 0.9
        assert after[way][2] > 0.96 and after[way][3] < after[way][2]
    assert 0.88 < after["RoPE"][2] < after["PI"][2]
    assert after["NTK"][3] == max(each[3] for each in after.values())
