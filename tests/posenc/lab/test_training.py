"""Training: it learns, shows how far it is, loses no run, and does the same again from the same seed."""

import subprocess
import sys

import numpy as np
import pytest

from posenc.lab import (
    Registers,
    Transformer,
    accuracy,
    encodings,
    loss_by_position,
    train,
    train_all,
    training,
)
from posenc.lab.training import clipped, move


def small(encoding=None, seed=0):
    return Transformer(Registers.sizes, 8, encoding or encodings.alibi(), d=32, h=2, hidden=32, seed=seed)


def test_it_learns():
    model = small()
    before = accuracy(model, Registers(), 16)
    run = train(model, Registers(), steps=200, n=16, progress=False)
    assert len(run.losses) == 200 and not run.interrupted
    assert np.mean(run.losses[-20:]) < 0.8 * np.mean(run.losses[:20])
    assert accuracy(model, Registers(), 16) > before + 0.2


def test_a_seed_decides():
    runs = [train(small(), Registers(), steps=5, progress=False, seed=seed).losses for seed in (3, 3, 4)]
    assert runs[0] == runs[1] != runs[2]


class Stopped:
    """A task during which the reader presses stop."""

    def __init__(self):
        self.drawn = 0

    def batch(self, rng, size, n):
        self.drawn += 1
        if self.drawn > 7:
            raise KeyboardInterrupt
        return Registers().batch(rng, size, n)


def test_stopping_keeps_what_was_learned():
    model, reference = small(), small()
    run = train(model, Stopped(), steps=100, progress=False)
    assert run.interrupted and len(run.losses) == 7
    whole = train(reference, Registers(), steps=100, progress=False)
    assert run.losses == whole.losses[:7]
    assert accuracy(model, Registers(), 9) > 0


def test_models_trained_at_once_are_those_trained_alone(capsys):
    alone, together = [small(seed=0), small(seed=1)], [small(seed=0), small(seed=1)]
    want = [
        train(m, Registers(), steps=20, seed=s, progress=False).losses
        for m, s in zip(alone, (5, 6), strict=True)
    ]
    runs = train_all(together, Registers(), steps=20, seed=(5, 6))
    np.testing.assert_allclose([run.losses for run in runs], want, rtol=1e-4)
    out, err = capsys.readouterr()
    assert "2/2" in out and err == ""


def test_stopping_many_keeps_what_they_learned(monkeypatch):
    def stopped(jobs, *rest):
        yield next(iter(jobs))
        raise KeyboardInterrupt

    monkeypatch.setattr(
        training, "shown", lambda each, *rest: stopped(each) if rest[1] == "models trained" else each
    )
    runs = train_all([small(seed=seed) for seed in range(6)], Registers(), steps=40, progress=False)
    assert [run.interrupted for run in runs].count(False) >= 1
    assert runs[-1].interrupted and len(runs[-1].losses) < 40


def test_progress_is_shown_and_not_on_stderr(capsys):
    pytest.importorskip("tqdm")
    train(small(), Registers(), steps=60)
    out, err = capsys.readouterr()
    assert "ALiBi" in out and "60/60" in out and "loss=" in out
    assert err == ""


def test_without_tqdm_it_trains_in_silence(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert len(train(small(), Registers(), steps=3).losses) == 3
    assert capsys.readouterr() == ("", "")


def test_long_gradients_are_shortened_together():
    gradients = {"a": np.array([3.0]), "b": np.array([[4.0]])}
    short = clipped(gradients)
    assert (short["a"][0], short["b"][0, 0]) == pytest.approx((0.6, 0.8))
    kept = {"a": np.array([0.3])}
    assert clipped(kept) is kept


def test_adam_moves_each_number_by_the_rate_at_first():
    value = {"w": np.array([1.0, 1.0])}
    zero = {"w": np.zeros(2)}, {"w": np.zeros(2)}
    move(value, {"w": np.array([5.0, -0.01])}, zero, 1, 0.1)
    np.testing.assert_allclose(value["w"], [0.9, 1.1], atol=1e-6)


def test_measures_do_not_depend_on_how_a_batch_is_cut(monkeypatch):
    from posenc.lab import Text, measures
    from posenc.lab.weights import untrained

    model, text = small(), untrained("NoPE")
    whole = accuracy(model, Registers(), 12, size=10), loss_by_position(text, Text(), 12, characters=120)
    monkeypatch.setattr(measures, "ROOM", 2 * 12 * 12 * 3)
    cut = accuracy(model, Registers(), 12, size=10), loss_by_position(text, Text(), 12, characters=120)
    assert whole[0] == cut[0]
    np.testing.assert_allclose(whole[1], cut[1], rtol=1e-5)
    assert whole[1].shape == (12,)
    assert np.abs(whole[1] - np.log(97)).max() < 3


def test_weights_of_an_unknown_model_are_not_made():
    done = subprocess.run([sys.executable, "-m", "posenc.lab", "T5"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "names must be among sinusoidal, learned, RoPE, ALiBi, NoPE, got T5" in done.stderr
