"""The weights that come with the library: small enough, made as their log says, and worth what it says."""

import json

import numpy as np
import pytest

from posenc import scaling
from posenc.lab import Text, encodings, loss_by_position, pretrained
from posenc.lab.weights import CONFIGURATION, ENCODINGS, FOLDER, LONGEST, untrained

LOG = json.loads((FOLDER / "log.json").read_text())
HELD_OUT = Text(held_out=True)


def loss(model, n):
    return float(loss_by_position(model, HELD_OUT, n, characters=8192).mean())


def test_they_are_two_megabytes_at_most():
    assert {path.stem for path in FOLDER.glob("*.npz")} == set(ENCODINGS)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 2_000_000


def test_the_log_is_of_this_configuration():
    assert LOG["configuration"] == CONFIGURATION
    assert set(LOG["models"]) == set(ENCODINGS)
    for name, made in LOG["models"].items():
        assert len(made["training loss"]) == CONFIGURATION["training"]["steps"] // 500, name
        assert made["training loss"][0] > made["training loss"][-1], name


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_model_is_worth_what_the_log_says(name):
    # The help texts of other Pythons differ a little from those of the log: 4 % in loss.
    model = pretrained(name)
    assert {value.dtype for value in model.parameters.values()} == {np.dtype(np.float32)}
    assert loss(model, 64) == pytest.approx(LOG["models"][name]["held-out loss"]["64"], rel=0.08)
    assert loss(model, 64) < 1.5 < loss(untrained(name), 64)


def test_which_encodings_hold_on_text_longer_than_any_they_saw():
    ratio = {name: loss(pretrained(name), 256) / loss(pretrained(name), 64) for name in ENCODINGS}
    assert ratio["sinusoidal"] > 2 and ratio["learned"] > 2
    assert 1.5 < ratio["RoPE"] < ratio["learned"]
    assert ratio["ALiBi"] < 1.05


def test_alibi_holds_to_eight_times_the_length():
    assert loss(pretrained("ALiBi"), 512) < 1.05 * loss(pretrained("ALiBi"), 64)


def test_rows_that_no_gradient_reached_are_as_they_began():
    learned, start = pretrained("learned"), untrained("learned")
    assert len(learned.parameters["positions"]) == LONGEST
    half = start.parameters["positions"].astype(np.float16)
    np.testing.assert_array_equal(learned.parameters["positions"][64:], half[64:])
    assert (learned.parameters["positions"][:64] != half[:64]).any(axis=1).all()


def test_scaling_helps_rope_at_twice_the_length():
    def scaled(frequencies, factor):
        return pretrained("RoPE", encodings.rope(frequencies=frequencies, attention_factor=factor))

    plain = loss(pretrained("RoPE"), 128)
    yarn = scaling.yarn(16, 2, original=64, beta_fast=8, beta_slow=1, truncate=False)
    assert loss(scaled(*scaling.ntk(16, 2)), 128) < plain
    assert loss(scaled(*yarn), 128) < plain
    assert loss(scaled(*scaling.interpolated(16, 2)), 128) > plain


def test_there_are_no_others():
    with pytest.raises(ValueError, match="name must be one of sinusoidal, .*, NoPE, got 'T5'"):
        pretrained("T5")
