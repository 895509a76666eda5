"""posenc against numbers of torch and transformers that `make conformance` kept, without either."""

import json

import pytest

from tests.conformance import goldens
from tests.conformance.agreement import call, distance

GROUPS = list(goldens.read())
#: What the numbers were rounded to, and what an angle at position 100,000 loses in double.
TOLERANCE = 1e-9


def names(groups):
    return [f"{group['function']}, {group['about']}, {group['reference']}" for _, group in groups]


@pytest.mark.parametrize(("name", "group"), GROUPS, ids=names(GROUPS))
def test_posenc_gives_the_numbers_of_public_code(name, group):
    assert len(group["cases"]) >= 3
    for case in group["cases"]:
        got = call(group["function"], case["arguments"])
        assert distance(got, tuple(case["want"]), by_vector=group["by_vector"]) <= TOLERANCE, case[
            "arguments"
        ]


@pytest.mark.parametrize(("name", "group"), GROUPS, ids=names(GROUPS))
def test_a_golden_tells_a_small_error(name, group):
    """A change of a millionth, or of one bucket, is seen: no golden is so blind that anything passes."""
    told = []
    for case in group["cases"]:
        got = call(group["function"], case["arguments"])
        off = tuple(one + 1 if one.dtype.kind == "i" else one * (1 + 1e-6) for one in got)
        told.append(distance(off, tuple(case["want"]), by_vector=group["by_vector"]) > TOLERANCE)
    assert any(told)


def test_the_goldens_are_small_and_say_where_they_come_from():
    paths = sorted(goldens.FOLDER.glob("*.json"))
    assert [path.stem for path in paths] == ["biases", "positions", "rotary", "scaling"]
    assert sum(path.stat().st_size for path in paths) < 200_000
    for path in paths:
        kept = json.loads(path.read_text())
        assert {"torch", "transformers", "rotary-embedding-torch"} <= set(kept)


def test_every_kind_of_encoding_has_goldens():
    assert {group["function"] for _, group in GROUPS} >= {
        "sinusoidal.sinusoidal",
        "learned.interpolate_1d",
        "learned.interpolate_2d",
        "learned.positions_from_mask",
        "relative.shaw_index",
        "relative.t5_bucket",
        "alibi.alibi_bias",
        "alibi.alibi_slopes",
        "rotary.rope",
        "rotary.rope_2d",
        "rotary.mrope",
        "rotary.xpos",
        "scaling.interpolated",
        "scaling.ntk",
        "scaling.dynamic_ntk",
        "scaling.yarn",
        "scaling.llama3",
        "scaling.longrope",
        "scaling.proportional",
    }
