"""Every lesson runs: clean on the solution, and on the release with NotImplementedError only."""

import ast
import time

import matplotlib.pyplot as plt
import pytest

from posenc import lab
from tests.lessons.text import is_picture

SECONDS = {"08_extrapolation": 120}  # elsewhere 20


@pytest.fixture(autouse=True)
def short_training(monkeypatch):
    """Train for a few steps only: whole runs are those of `tests/cli` and the browser."""
    whole = lab.train_all

    def short(*models, **recipe):
        return whole(*models, **recipe | {"steps": min(recipe["steps"], 20)})

    monkeypatch.setattr(lab, "train_all", short)


def last_value(source, name, namespace):
    """Run a cell, and return the value that a notebook would print under it."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    return None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), namespace)


def run(lesson, text_of):
    """Run every code cell in one namespace; return what each raised."""
    namespace, raised = {}, {}
    for cell in lesson.code():
        name = cell.metadata["nbgrader"]["grade_id"]
        try:
            shown = last_value(text_of(name), name, namespace)
            assert not is_picture(cell) or shown is None, "a picture cell must not print what it ends in"
        except Exception as error:
            raised[name] = error
        plt.close("all")
    return raised


def test_the_solution_runs_clean_in_time_and_says_that_every_check_passes(lesson, capsys, without_widgets):
    begin = time.process_time()
    assert run(lesson, lesson.source.get) == {}
    took = time.process_time() - begin
    out, err = capsys.readouterr()
    assert err == ""
    assert [line for line in out.splitlines() if line.startswith("✓")] == [
        f"✓ {name}: every check here passes." for name in lesson.exercises()
    ]
    assert took < SECONDS.get(lesson.name, 20)


def test_the_release_raises_not_implemented_and_nothing_else(lesson, without_widgets):
    raised = run(lesson, lesson.released)
    assert [repr(error) for error in raised.values() if not isinstance(error, NotImplementedError)] == []
    assert {name for name in raised if name.endswith("_test")} == {
        f"{name}_test" for name in lesson.exercises()
    }


def test_every_graded_cell_fails_on_the_release_once_its_hidden_part_is_back(lesson):
    namespace, unfinished = {}, 0
    for cell in lesson.code(pictures=False):
        ours = cell.metadata["nbgrader"]
        try:
            exec(lesson.released(ours["grade_id"]) if ours["solution"] else cell.source, namespace)
        except (AssertionError, NotImplementedError):
            unfinished += ours["grade"]
        else:
            assert not ours["grade"], ours["grade_id"]
    assert unfinished == 2 * len(lesson.exercises())


def test_sliders_harm_nothing_outside_a_live_kernel(lesson):
    pytest.importorskip("ipywidgets")
    for cell in lesson.code():
        if "ipywidgets" in cell.source:
            exec(cell.source, lesson.solved())
            assert len(plt.get_fignums()) >= 1
    plt.close("all")
