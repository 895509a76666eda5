"""Answers to every lesson, for the tests to try: a file a lesson."""

from __future__ import annotations

from importlib import import_module

from tests.lessons.exercise import Exercise
from tests.lessons.text import NAMES

#: By lesson, then by exercise.
LESSONS: dict[str, dict[str, Exercise]] = {
    name: import_module(f"{__name__}.{name.split('_', 1)[1]}").EXERCISES for name in NAMES
}
