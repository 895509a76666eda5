"""`exposes` tells an input that shows a bug from one that cannot, and says in a fixed sentence why."""

import numpy as np
import pytest

from posenc.checks import Unanswered, WrongAnswer, exposes
from posenc.misconceptions.debugging import BUGS
from posenc.misconceptions.debugging.bug import Bug
from posenc.misconceptions.entry import Family, Probe
from posenc.trial import call, same

#: By exercise, an input on which the bug shows.
SEEN = {
    "rotate_precisely": (np.ones((3, 2), np.float16), np.array([2049, 2051, 5])),
    "rotate_neighbours": (np.ones((2, 4)), np.array([1, 2])),
    "head_scores": (np.ones((4, 3, 2)), np.ones((4, 3, 2))),
    "decode_after": (np.ones((4, 2)), np.ones((4, 2)), np.eye(4), 2),
    "decode_dynamic": (np.full((9, 6), 3.0), np.full((9, 6), 3.0), np.eye(9), 2),
    "head_slopes": (6,),
    "yarn_weights": (np.eye(3), np.eye(3), 4),
    "add_positions": (np.zeros((1, 3, 2)), np.array([[0, 1, 1]]), np.arange(8.0).reshape(4, 2)),
    "resize_grid": (np.arange(16.0)[:, None], (2, 8), (4, 4)),
    "resize_rows": (np.zeros((37, 2)), 39),
}


def said(exercise, given):
    with pytest.raises(WrongAnswer) as caught:
        exposes(exercise, given)
    return str(caught.value)


def sentences():
    return [(name, s) for name, bug in BUGS.items() for _, s in (*bug.needs, *bug.blind)]


def test_there_are_ten_and_each_can_be_seen():
    assert list(SEEN) == list(BUGS) and len(BUGS) == 10
    for exercise, given in SEEN.items():
        exposes(exercise, given)
        exposes(exercise, list(given))


@pytest.mark.parametrize("exercise", BUGS)
def test_where_the_mended_program_shipped_nothing_could_be_seen(exercise, monkeypatch):
    """So what makes an input pass is the bug, and nothing else."""
    family = BUGS[exercise].family
    monkeypatch.setattr(Bug, "shipped", property(lambda bug: bug.family.reference))
    assert said(exercise, SEEN[exercise])
    assert family.reference is BUGS[exercise].shipped


@pytest.mark.parametrize("exercise", BUGS)
def test_the_shipped_program_is_the_first_entry_and_runs_on_every_probe(exercise):
    bug = BUGS[exercise]
    assert bug.family.entries[0].id == f"{exercise}-shipped"
    with np.errstate(all="ignore"):
        outcomes = [call(bug.shipped, probe.args) for probe in bug.family.probes]
    assert not any(isinstance(out, Exception) or changed for out, changed in outcomes)


@pytest.mark.parametrize("exercise", BUGS)
def test_an_input_is_not_changed(exercise):
    given = SEEN[exercise]
    before = [np.array(a) for a in given]
    exposes(exercise, given)
    assert all(np.array_equal(a, b) for a, b in zip(given, before, strict=True))


@pytest.mark.parametrize("exercise", BUGS)
def test_a_probe_of_the_family_is_an_input_too(exercise):
    """The probes satisfy what an input must be, or say which of its sentences stands in the way."""
    bug = BUGS[exercise]
    known = {sentence for _, sentence in (*bug.needs, *bug.blind)}
    for probe in bug.family.probes:
        try:
            exposes(exercise, probe.args)
        except WrongAnswer as error:
            shipped = call(bug.shipped, probe.args)[0]
            assert str(error) in known and same(
                shipped, np.asarray(call(bug.family.reference, probe.args)[0]), False
            )


def test_sentences_are_kind_short_and_differ():
    for name, sentence in sentences():
        assert sentence.endswith((".", "?")) and len(sentence) < 250, sentence
        starts = "x q h n s d positions prompt original tokens mask table old".split()
        assert sentence[0].isupper() or sentence.split()[0] in starts, name
        assert not any(word in sentence.split() for word in ("simply", "just", "obviously"))
    for bug in BUGS.values():
        told = [sentence for _, sentence in (*bug.needs, *bug.blind)]
        assert len(set(told)) == len(told)


def test_what_is_not_written_is_not_wrong_yet():
    with pytest.raises(Unanswered, match="in place of None"):
        exposes("head_slopes", None)


def test_an_unknown_exercise():
    with pytest.raises(ValueError, match=r"exercise must be one of .*resize_rows, got 'rope'"):
        exposes("rope", (1,))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (np.ones((2, 4)), "must be a tuple"),
        ({"x": 1}, "must be a tuple"),
        ((np.ones((2, 4)),), "one value for each argument"),
        ((np.ones((2, 4)), "01"), "no text"),
        ((np.ones((2, 4)), None), "no text, no None"),
        ((np.ones((2, 4)), len), "no function"),
        ((np.ones((2, 4)) * 1j, np.array([0, 1])), "a real number"),
        ((np.array([[None]]), np.array([0])), "a real number"),
        (([[1, 2], [3]], np.array([0])), "a real number"),
        ((np.array([[1.0, np.inf]]), np.array([1])), "finite"),
        ((np.ones((1, 2_000_000)), np.array([1])), "more than a million"),
    ],
)
def test_what_is_no_input_is_told(given, sentence):
    assert sentence in said("rotate_neighbours", given)


def test_one_argument_may_stand_alone():
    exposes("head_slopes", 6)
    exposes("head_slopes", np.int64(6))
    assert "power of two" in said("head_slopes", 8)


def bug(shipped, reference, **rules):
    family = Family("made_up", reference, (Probe((1,), "One."),))
    family.add("shipped", "As shipped.")(shipped)
    return Bug(family, **{"needs": (), "blind": ()} | rules)


@pytest.fixture
def made_up(monkeypatch):
    return lambda *args, **rules: monkeypatch.setitem(BUGS, "made_up", bug(*args, **rules))


def raising(x):
    raise RuntimeError("no")


def test_a_program_that_stops_exposes_nothing(made_up):
    made_up(raising, lambda x: x)
    assert "stops with an error" in said("made_up", (2.0,))
    made_up(lambda x: x, raising)
    assert "Even the right program" in said("made_up", (2.0,))


def test_a_shape_that_differs_is_seen_and_so_is_what_is_not_a_number(made_up):
    made_up(lambda x: np.zeros(2), lambda x: np.zeros(3))
    exposes("made_up", (2.0,))
    made_up(lambda x: np.array([np.nan, 1]), lambda x: np.array([1.0, 1]))
    exposes("made_up", (2.0,))


@pytest.mark.parametrize(
    ("off", "sentence"), [(0, "The two agree"), (1e-6, "so little"), (9e-4, "so little")]
)
def test_how_far_apart_is_clear(made_up, off, sentence):
    made_up(lambda x: np.array([x, x + off]), lambda x: np.array([x, x]))
    assert sentence in said("made_up", (1.0,))
    made_up(lambda x: np.array([x, x + 1.1e-3]), lambda x: np.array([x, x]))
    exposes("made_up", (1.0,))
    made_up(lambda x: np.array([x, x + 1.1e-3]), lambda x: np.array([x, x]), clearly=0.05)
    assert "so little" in said("made_up", (1.0,))


def test_rules_speak_in_their_order_and_one_that_breaks_does_not_hold(made_up):
    rules = ((raising, "Broken."), (lambda x: x > 1, "First."), (lambda x: x > 0, "Second."))
    made_up(lambda x: x, lambda x: x, blind=rules)
    assert [said("made_up", (x,)) for x in (2.0, 1.0)] == ["First.", "Second."]
    made_up(lambda x: x, lambda x: x, needs=rules[1:] + rules[:1])
    assert [said("made_up", (x,)) for x in (2.0, 1.0, 0.0)] == ["Broken.", "First.", "First."]
