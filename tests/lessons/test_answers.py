"""Every lesson's tests pass every right answer, whatever its style, and no wrong one, and name what they can.

Right and wrong answers are data, in `answers/`; the catalogue's mistakes come on top, with its probes in the
tests and without; answers that only look right; answers that look up what the visible test asked.
"""

import numpy as np
import pytest

from posenc import checks, misconceptions
from tests.lessons.answers import LESSONS
from tests.lessons.lazy import LAZY
from tests.lessons.table import rows
from tests.lessons.text import NAMES, lesson

EACH = [
    pytest.param(lesson(name), exercise, id=f"{name}-{label}")
    for name in NAMES
    for label, exercise in LESSONS[name].items()
]
CALLED = [case for case in EACH if case.values[1].function]


def cases(kind):
    return [
        pytest.param(*case.values, label, id=f"{case.id}-{label}")
        for case in EACH
        for label in getattr(case.values[1], kind)
    ]


MISTAKES = [
    pytest.param(*case.values, mistake, id=mistake.id)
    for case in EACH
    for mistake in case.values[1].mistakes()
]


@pytest.mark.parametrize("name", NAMES)
def test_every_exercise_has_answers_to_try(name):
    assert {exercise.cell for exercise in LESSONS[name].values()} == set(lesson(name).exercises())


def test_every_family_of_the_catalogue_is_asked_for():
    asked = {exercise.family for each in LESSONS.values() for exercise in each.values()} - {""}
    assert asked == set(misconceptions.FAMILIES)


@pytest.mark.parametrize(("about", "exercise"), EACH)
def test_the_solution_passes(about, exercise):
    assert about.faults(exercise.cell) == [None, None]


# --- right answers in other styles


@pytest.mark.parametrize(("about", "exercise", "style"), cases("right"))
def test_a_right_answer_in_another_style_passes(about, exercise, style):
    answers = exercise.answers(exercise.right[style])
    assert about.faults(exercise.cell, **answers) == [None, None]


@pytest.mark.parametrize(("about", "exercise"), CALLED)
def test_more_than_one_style_is_tried(about, exercise):
    assert len(exercise.right) >= 2


# --- wrong answers that people write


@pytest.mark.parametrize(("about", "exercise", "mistake"), MISTAKES)
def test_a_mistake_is_named_by_the_visible_and_the_hidden_test(about, exercise, mistake):
    for fault in about.faults(exercise.cell, **{exercise.function: mistake.wrong}):
        assert isinstance(fault, checks.Misconceived), fault
        assert (fault.misconception, str(fault)) == (mistake.id, mistake.line)


@pytest.mark.parametrize(("about", "exercise", "mistake"), MISTAKES)
def test_the_goldens_catch_a_mistake_without_the_catalogue(about, exercise, mistake):
    namespace = about.solved() | {exercise.function: mistake.wrong, "explain": lambda exercise, f: None}
    with np.errstate(all="ignore"), pytest.raises(Exception):  # noqa: B017 - a mistake may break in any way
        exec(about.hidden(exercise.cell), namespace)


@pytest.mark.parametrize(("about", "exercise", "label"), cases("wrong"))
def test_another_wrong_answer_fails_and_is_named_where_it_can_be(about, exercise, label):
    shown, hidden = about.faults(exercise.cell, **exercise.answers(exercise.wrong[label]))
    assert hidden is not None or shown is not None
    assert exercise.hints.get(label, "") in str(shown)


@pytest.mark.parametrize(("about", "exercise"), EACH)
def test_hints_are_for_wrong_answers(about, exercise):
    assert set(exercise.hints) <= set(exercise.wrong)


# --- answers that only look right


@pytest.mark.parametrize("lazy", LAZY)
@pytest.mark.parametrize(("about", "exercise"), CALLED)
def test_a_lazy_answer_fails(about, exercise, lazy):
    faults = about.faults(exercise.cell, **{exercise.function: LAZY[lazy]})
    assert all(faults) if exercise.family else any(faults)


@pytest.mark.parametrize(("about", "exercise"), CALLED)
def test_a_table_of_what_the_visible_test_asked_fails_the_hidden_one(about, exercise):
    right, table = about.solved()[exercise.function], {}

    def key(args, named):
        return tuple((np.asarray(a).tobytes(), np.shape(a)) for a in [*args, *named.values()])

    def recorded(*args, **named):
        return table.setdefault(key(args, named), right(*args, **named))

    def looked_up(*args, **named):
        return table.get(key(args, named), np.zeros_like(args[0]))

    assert about.fault(f"{exercise.cell}_test", **{exercise.function: recorded}) is None
    assert table
    fault = about.fault(f"{exercise.cell}_hidden", **{exercise.function: looked_up})
    assert isinstance(fault, AssertionError)


# --- the table that a lecturer may ask for


def test_all_wrong_answers_are_caught_and_all_right_ones_accepted():
    for row in rows():
        assert row.caught == row.wrong > 0, row
        assert row.lazy_caught == row.lazy, row
        assert row.accepted == row.right > 0, row
