"""What is not answered yet is told apart from what is wrong, and a wrong choice hears why."""

import pytest

from posenc import checks


def test_what_is_not_written_is_not_wrong_yet():
    with pytest.raises(NotImplementedError, match="in place of None") as caught:
        checks.written(1, None)
    assert caught.value._render_traceback_() == [f"Not yet: {caught.value}"]
    checks.written(0, [], False)


WHY = {"pooling": "That averages.", "mask": "That hides."}


def test_a_wrong_choice_hears_why():
    checks.choice("neither", "neither", WHY)
    with pytest.raises(checks.WrongAnswer, match="^That hides.$"):
        checks.choice("mask", "neither", WHY)


@pytest.mark.parametrize("got", ["", "Neither", 0, ["neither"], True])
def test_what_is_no_choice_is_told_the_choices(got):
    with pytest.raises(checks.WrongAnswer, match="choose one of 'mask', 'neither', 'pooling'"):
        checks.choice(got, "neither", WHY)


def test_nothing_chosen_is_not_wrong_yet():
    with pytest.raises(checks.Unanswered):
        checks.choice(None, "neither", WHY)
