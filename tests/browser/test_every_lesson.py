"""Every lesson as a student sees it: opened in JupyterLab, run as it was released, answered, run again."""

import pytest

from tests.browser.lab import LESSONS, solutions

pytestmark = pytest.mark.slow
UNANSWERED = {"NotImplementedError", "Unanswered"}
WIDGET = "application/vnd.jupyter.widget-view+json"


def visible_tests(cells):
    return [name for name in cells if name.endswith("_test")]


def raised(cells):
    return {name: error for name, cell in cells.items() for error in cell.errors}


def test_there_is_a_lesson():
    assert LESSONS


@pytest.mark.parametrize("lesson", LESSONS)
def test_as_released_it_raises_for_what_is_not_written_and_nothing_else(lab, lesson):
    lab.open(lesson)
    (stop,) = raised(lab.run_all())
    cells = lab.run_each()
    first = next(name for name, cell in cells.items() if cell.answer)
    order = [first, stop, visible_tests(cells)[0]]
    assert order == sorted(order, key=list(cells).index), "Run All stops at the first exercise"
    errors = raised(cells)
    assert {name: error for name, error in errors.items() if error["ename"] not in UNANSWERED} == {}
    assert set(visible_tests(cells)) <= errors.keys()
    assert [name for name, cell in cells.items() if not cell.ran or cell.said("stderr")] == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_answered_it_passes_every_check_draws_every_picture_and_sets_every_formula(lab, lesson):
    lab.open(lesson, solutions(lesson))
    cells = lab.run_all()
    pictures = [name for name, cell in cells.items() if cell.picture]
    lab.keep(lesson, *pictures, *visible_tests(cells))
    assert raised(cells) == {}
    assert [name for name, cell in cells.items() if not cell.ran or cell.said("stderr")] == []
    for name in visible_tests(cells):
        last = cells[name].said().splitlines()[-1]
        assert last == f"✓ {name.removesuffix('_test')}: every check here passes."
    assert len(pictures) >= 5
    assert [name for name in pictures if "image/png" not in cells[name].kinds] == []
    assert {name: cells[name].value for name in pictures if cells[name].value} == {}, "a picture and no more"
    live = {name for name, cell in cells.items() if "interact(" in cell.source or "train_all(" in cell.source}
    assert live == {name for name, cell in cells.items() if WIDGET in cell.kinds}, "sliders and progress bars"
    assert lab.misset() == []
