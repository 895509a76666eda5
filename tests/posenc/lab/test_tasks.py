"""The tasks: what they ask is what they say, and the text is read, not kept."""

import sys

import numpy as np
import pytest

from posenc.lab import Needle, Registers, Text
from posenc.lab.text import ALPHABET, LAST_TRAINED, encode, topics


def played(k, v, q):
    """Play one sequence with a dictionary; None where nothing was written."""
    held, read = {}, []
    for key, value, query in zip(k, v, q, strict=True):
        held[key] = value
        read.append(held.get(query))
    return read


@pytest.mark.parametrize("task", [Registers(), Needle()])
def test_registers_answer_as_a_dictionary_does(task):
    tokens, targets, counted = task.batch(np.random.default_rng(0), 20, 11)
    assert tokens.shape == (3, 20, 11) and 0 <= tokens.min() and tokens.max() < 8
    for b in range(20):
        read = played(*tokens[:, b])
        for t in range(11):
            if counted[b, t]:
                assert read[t] == targets[b, t]
            elif isinstance(task, Registers):
                assert read[t] is None


def test_a_needle_is_written_first_and_read_last():
    k, _, q = Needle().batch(np.random.default_rng(0), 9, 13).tokens
    assert (k[:, 0] == 0).all() and (k[:, 1:] != 0).all()
    assert (q[:, -1] == 0).all() and (q[:, :-1] != 0).all()
    tokens, targets, counted = Needle().batch(np.random.default_rng(0), 9, 13)
    assert (counted.sum(axis=1) == counted[:, -1]).all() and (counted[:, -1] == 1).all()
    np.testing.assert_array_equal(targets[:, -1], tokens[1, :, 0])


def test_a_generator_decides():
    a, b = (Registers().batch(np.random.default_rng(5), 3, 7) for _ in range(2))
    np.testing.assert_array_equal(a.tokens, b.tokens)


def test_text_asks_for_the_next_character():
    text = Text()
    tokens, targets, counted = text.batch(np.random.default_rng(0), 4, 9)
    assert tokens.shape == (1, 4, 9) and targets.shape == (4, 9) and (counted == 1).all()
    np.testing.assert_array_equal(tokens[0, :, 1:], targets[:, :-1])
    first, last = text.spread(2, 30).tokens[0]
    np.testing.assert_array_equal(first, text.codes[:30])
    np.testing.assert_array_equal(last, text.codes[-31:-1])


def test_nothing_held_out_is_trained_on():
    names = [name for name, _ in topics()]
    assert 0 < sum(name > LAST_TRAINED for name in names) < len(names)
    trained, kept = len(Text().codes), len(Text(held_out=True).codes)
    assert trained > 300_000
    assert 0.05 < kept / (trained + kept) < 0.2
    assert trained + kept + 1 == len("\n".join(text for _, text in topics()))


def test_characters_have_numbers():
    np.testing.assert_array_equal(encode(" ~\né"), [0, 94, 95, 96])
    assert len(set(ALPHABET)) == len(ALPHABET) == 97
    assert (Text().codes == 96).mean() < 0.005


def test_a_python_without_its_help_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydoc_data", None)
    with pytest.raises(ModuleNotFoundError, match=r"has no pydoc_data.topics.*; install a full Python"):
        _ = Text().codes
