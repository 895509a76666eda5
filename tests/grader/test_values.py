from __future__ import annotations

import enum
import json
import math
from collections import OrderedDict, namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder import wire


class Nobody:
    """Lends nothing."""

    def lend(self, value):
        raise wire.Malformed(f"a {type(value).__name__}")

    def adopt(self, item):
        raise ValueError("not a tagged value")


def across(value):
    sent, received = [], []
    item = json.loads(json.dumps(wire.encode(value, sent, Nobody())))
    result = wire.decode(item, received, Nobody())
    assert len(sent) == len(received)
    return result


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    return a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b))


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(st.characters())
    | st.binary()
)
values = st.recursive(
    scalars
    | hnp.arrays(st.sampled_from(["f2", "f4", "f8", "i1", "i8", "u4", "?", "c8", "U3"]), hnp.array_shapes()),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(values)
def test_plain_data_arrives_as_it_was(value):
    assert same(across(value), value)


@pytest.mark.parametrize(
    "value", [2**70, -(2**200), float("nan"), "\ud800", np.float32(3), np.dtype("f2"), np.int8]
)
def test_odd_plain_data_arrives_as_it_was(value):
    assert same(across(value), value) or across(value) is value


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (namedtuple("Pair", "a b")(1, 2), (1, 2)),
        (OrderedDict(a=1), {"a": 1}),
        (enum.IntEnum("Colour", {"RED": 3}).RED, 3),
        (type("Liar", (float,), {"__eq__": lambda s, o: True, "__hash__": None})(2.0), 2.0),
    ],
)
def test_subclasses_of_plain_types_lose_their_class(value, plain):
    assert same(across(value), plain)


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (np.ma.array([1.0]), "masked array"),
        (np.rec.array([(1,)], dtype=[("a", int)]), "record array"),
        (np.array([None]), "dtype object"),
        (np.zeros(2, "i4,i4"), "dtype"),
        ({1: 2}, "keys must be strings"),
        (object(), "object"),
        ([[[]]] and __import__("functools").reduce(lambda inner, _: [inner], range(100), []), "nested"),
    ],
)
def test_what_is_not_plain_is_named(value, word):
    with pytest.raises(wire.Malformed, match=word):
        wire.encode(value, [], Nobody())


def test_a_list_that_holds_itself_arrives_so():
    ring = [1]
    ring.append(ring)
    copy = across(ring)
    assert copy[1] is copy


def test_a_list_that_looks_like_a_tag_stays_a_list():
    assert across(["f", 1]) == ["f", 1]


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=3)
        | st.sampled_from("nbiIfcsyTkgalmtdroh"),
        lambda inner: st.lists(inner, max_size=5),
        max_leaves=20,
    )
)
def test_whatever_is_sent_is_a_value_or_a_value_error(item):
    try:
        wire.decode(item, [], Nobody())
    except ValueError:
        pass


@pytest.mark.parametrize(
    "item",
    [
        ["a", "<f8", [2**39, 2**39], "", True],
        ["a", "|O", [1], "AAAAAAAAAAA=", True],
        ["a", "<f8", [2], "AAAAAAAAAAA=", True],
        ["a", "<f8", [-1], "AAAAAAAAAAA=", True],
        ["m", -1],
        ["m", True],
        ["I", "1" * 10 + "g"],
        ["k", "os.system"],
    ],
)
def test_what_makes_no_sense_is_refused(item):
    with pytest.raises(ValueError):
        wire.decode(item, [], Nobody())


def test_a_read_only_array_stays_read_only():
    array = np.zeros(3)
    array.flags.writeable = False
    assert not across(array).flags.writeable


def test_changes_reach_the_caller_and_identity_is_kept():
    here = [np.zeros(2), [1, [2]], {"a": 1}]
    ours: list = []
    item = wire.encode(here, ours, Nobody())
    theirs: list = []
    there = wire.decode(item, theirs, Nobody())
    ledger = wire.Ledger(theirs)
    there[0][0] = 5
    there[1][1].append(there[0])
    del there[2]["a"]
    wire.apply(json.loads(json.dumps(ledger.changes(theirs, Nobody()))), ours, Nobody())
    assert here[0].tolist() == [5, 0]
    assert here[1][1][1] is here[0]
    assert here[2] == {}


def test_nothing_changed_is_nothing_to_send():
    theirs: list = []
    wire.decode(wire.encode([np.zeros(2), [1], {"a": [1]}], [], Nobody()), theirs, Nobody())
    assert wire.Ledger(theirs).changes(theirs, Nobody()) == []
