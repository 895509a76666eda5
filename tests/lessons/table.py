"""Prints, for every exercise, how many wrong answers were caught and named, and how many right ones accepted.

``python -m tests.lessons.table`` writes it as Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from posenc.checks import Misconceived
from tests.lessons.answers import LESSONS
from tests.lessons.exercise import Exercise
from tests.lessons.lazy import LAZY
from tests.lessons.text import NAMES, Lesson, lesson


@dataclass
class Row:
    """What became of the answers that were tried on an exercise."""

    lesson: str
    exercise: str
    caught: int = 0
    wrong: int = 0
    named: int = 0
    lazy_caught: int = 0
    lazy: int = 0
    accepted: int = 0
    right: int = 0


def rows() -> Iterator[Row]:
    """Try every answer that the tests know, exercise by exercise."""
    for name in NAMES:
        for label, exercise in LESSONS[name].items():
            yield tried(lesson(name), label, exercise)


def tried(about: Lesson, label: str, exercise: Exercise) -> Row:
    """Try an exercise's answers: the solution's own is a right one; what only looks right counts apart."""
    row = Row(about.name, label)
    for given in [{}, *exercise.right.values()]:
        row.right += 1
        row.accepted += about.faults(exercise.cell, **exercise.answers(given)) == [None, None]
    wrong = {mistake.id: mistake.wrong for mistake in exercise.mistakes()} | exercise.wrong
    for key, given in wrong.items():
        shown, hidden = about.faults(exercise.cell, **exercise.answers(given))
        row.wrong += 1
        row.caught += shown is not None or hidden is not None
        hint = exercise.hints.get(key, "")
        row.named += isinstance(shown, Misconceived) or bool(hint and hint in str(shown))
    for given in LAZY.values() if exercise.function else []:
        row.lazy += 1
        row.lazy_caught += any(about.faults(exercise.cell, **exercise.answers(given)))
    return row


if __name__ == "__main__":
    print("| lesson | exercise | caught / wrong | named / caught | look right only | accepted / right |")
    print("|---|---|--:|--:|--:|--:|")
    for row in rows():
        print(
            f"| {row.lesson} | {row.exercise} | {row.caught} / {row.wrong} | {row.named} / {row.caught}"
            f" | {row.lazy_caught} / {row.lazy} | {row.accepted} / {row.right} |"
        )
