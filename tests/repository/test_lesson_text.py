"""The table of what the lesson text says names places that are there."""

import re
from pathlib import Path

import pytest

from tests.lessons.text import NAMES, lesson

PAGE = Path(__file__).parents[2] / "book" / "lesson-text.md"
ROWS = [line.split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")][1:]
PLACES = [place for row in ROWS for place in row[1].split("; ")]


def test_there_is_a_row_for_each_exercise_and_each_lesson():
    asked = "\n".join(row[0] for row in ROWS)
    assert [f"Exercise {n}" in asked for n in (1, 2, 3)] == [True] * 3
    assert {re.match(r"`(\w+)`", place)[1] for place in PLACES} <= set(NAMES)
    assert len(ROWS) >= 35


@pytest.mark.parametrize("place", PLACES)
def test_a_place_is_there(place):
    name, *cells = re.findall(r"`(\w+)`", place)
    for cell in cells:
        assert cell in lesson(name).source
    for heading in re.findall(r'"(.+)"', place):
        assert any(f"## {heading}" in prose for prose in lesson(name).prose())
    assert cells or '"' in place
