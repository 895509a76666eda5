"""Lesson 6 runs: clean on the solution, and on the release with NotImplementedError only."""

import builtins
import time

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def without_widgets(monkeypatch):
    """Run the lesson as where ipywidgets is not installed, and close its figures."""
    real = builtins.__import__

    def imported(name, *rest, **named):
        if name == "ipywidgets":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", imported)
    yield
    plt.close("all")


def run(lesson, text_of):
    """Run every code cell in one namespace; return what each raised."""
    namespace, raised = {}, {}
    for cell in lesson.code():
        name = cell.metadata["nbgrader"]["grade_id"]
        try:
            exec(compile(text_of(name), name, "exec"), namespace)
        except Exception as error:
            raised[name] = error
        plt.close("all")
    return raised


def test_the_solution_runs_clean_and_prints_the_check_on_arrays_and_that_checks_pass(lesson, capsys):
    assert run(lesson, lesson.source.get) == {}
    out, err = capsys.readouterr()
    assert err == ""
    said = [line for line in out.splitlines() if not line.startswith("✓")]
    assert [line.split(": ")[1] for line in said] == ["-1.4680", "-1.8122", "-1.8122", "-1.8122"]
    assert len(out.splitlines()) - len(said) == sum(name.endswith("_test") for name in lesson.source)


def test_the_solution_takes_less_than_20_seconds(lesson):
    begin = time.process_time()
    run(lesson, lesson.source.get)
    assert time.process_time() - begin < 20


def test_the_release_raises_not_implemented_and_nothing_else(lesson):
    raised = run(lesson, lesson.released)
    assert {type(error) for name, error in raised.items() if name != "hand_test"} == {NotImplementedError}
    assert "Write a number" in str(raised["hand_test"])
    assert {name for name in raised if name.endswith("_test")} == {
        name for name in lesson.source if name.endswith("_test")
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
    assert unfinished == 14


def test_what_the_prose_claims_of_half_precision_holds(lesson):
    namespace = lesson.solved()
    exec(lesson.source["staircase_picture"], namespace)
    stored = namespace["to_bfloat16"](range(256, 263))
    assert stored.tolist() == [256, 256, 258, 260, 260, 260, 262]
    assert [float(namespace["np"].float16(p)) for p in (2049, 2050)] == [2048, 2050]


def test_what_the_prose_claims_of_wavelengths_holds(lesson):
    namespace = lesson.solved()
    exec(lesson.source["wavelength_picture"], namespace)
    wavelengths = 2 * namespace["np"].pi / namespace["theta"]
    assert (wavelengths < 512).sum() == 16 and len(wavelengths) == 32


def test_what_the_prose_claims_of_decay_holds(lesson):
    namespace = lesson.solved()
    exec(lesson.source["spread"], namespace)
    assert all(abs(namespace["spread"](r) - 1) < 0.05 for r in (0, 10, 100, 1000))
    exec(lesson.source["fade_picture"], namespace)
    bound = namespace["bound"] / namespace["bound"][0]
    equal = namespace["phase"].real.mean(axis=1)
    assert equal[0] == bound[0] == 1 and equal[-1] < 0.4 and bound[-1] < 0.4


def test_the_slider_harms_nothing_outside_a_live_kernel(lesson, monkeypatch):
    pytest.importorskip("ipywidgets")
    monkeypatch.undo()
    namespace = lesson.solved()
    exec(lesson.source["pair_picture"], namespace)
    assert len(plt.get_fignums()) >= 1
