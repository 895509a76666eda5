"""The same referee over real processes: deaths, hangs, memory, files, and who watches the watcher."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from pathlib import Path

import pytest

from autograder.referee.referee import Rules
from autograder.report import Verdict
from autograder.supervise import ClosedError, Grader, Options, SourceError, ZygoteError
from tests.grader.twin import answer, check, given, handed_in, hidden, notebook

SOURCE = notebook(
    given("import numpy as np\nimport matplotlib.pyplot as plt"),
    answer("f", "def f(x):\n    return x"),
    check("f_test", "assert f(1) == 1"),
    hidden("f_hidden", "assert f(2) == 2"),
    answer("g", "def g(x):\n    return -x"),
    check("g_test", "assert g(1) == -1"),
    hidden("g_hidden", "assert g(2) == -2"),
)


def packed(made):
    return json.dumps(made).encode()


@pytest.fixture(scope="module")
def grader():
    rules = Rules(cell_timeout=2, test_timeout=2)
    with Grader(Options(rules=rules)) as made:
        yield made


def outcome(grader, source=SOURCE, **answers):
    return grader.grade(packed(source), packed(handed_in(source, **answers)))


def verdicts(graded):
    return {cell.grade_id: cell.verdict.value for cell in graded.report.cells}


def test_full_marks(grader):
    assert set(verdicts(outcome(grader)).values()) == {"PASSED"}


@pytest.mark.parametrize(
    ("body", "verdict", "sentence"),
    [
        ("while True: pass", "TIMEOUT", "f: it did not come back in time."),
        ("import time; time.sleep(100)", "TIMEOUT", "f: it did not come back in time."),
        ("import os; os._exit(0)", "CRASHED", "f: it ended the process that it ran in."),
        ("import ctypes; ctypes.string_at(0)", "CRASHED", "f: it crashed the process (SIGSEGV)."),
        ("return np.zeros(10**11)", "MEMORY", "f asked for more memory than there is for it"),
        ("return b'x' * 2**27", "MALFORMED", "f returned 128 MB of data; at most 40 MB may be returned."),
        ("return open('/etc/passwd').read()", "FORBIDDEN", "f tried something that grading does not allow"),
        (
            "import subprocess; subprocess.run(['true'])",
            "FORBIDDEN",
            "f tried something that grading does not",
        ),
        ("import socket; socket.socket()", "FORBIDDEN", "f tried something that grading does not allow"),
    ],
)
def test_one_bad_exercise_costs_itself_only(grader, body, verdict, sentence):
    graded = outcome(grader, f=f"def f(x):\n    {body}")
    assert verdicts(graded) == {
        "f_test": verdict,
        "f_hidden": verdict,
        "g_test": "PASSED",
        "g_hidden": "PASSED",
    }
    assert sentence in graded.report.cells[0].message


@pytest.mark.parametrize("cell", ["while True: pass", "import os; os._exit(1)", "print('x' * 30_000_000)"])
def test_a_bad_cell_costs_itself_only(grader, cell):
    graded = outcome(grader, f=f"{cell}\ndef f(x):\n    return x")
    assert verdicts(graded)["g_test"] == verdicts(graded)["g_hidden"] == "PASSED"
    assert len(json.dumps(graded.notebook)) < 300_000


def test_one_timeout_of_a_function_is_enough(grader):
    start = time.monotonic()
    outcome(grader, f="def f(x):\n    while True: pass")
    assert time.monotonic() - start < 4


def test_a_bare_except_does_not_hide_a_death(grader):
    source = notebook(answer("f", "def f():\n    return 1"), check("t", "try:\n    f()\nexcept:\n    pass"))
    graded = outcome(grader, source, f="def f():\n    import os; os._exit(0)")
    assert verdicts(graded) == {"t": "CRASHED"}


def test_a_test_that_loops_in_c_is_the_students(grader, monkeypatch):
    monkeypatch.setattr("autograder.supervise.process.GRACE", 1.0)
    source = notebook(
        answer("f", "def f():\n    return 3"),
        check("t", "assert 7 ** f() % 2 == 1", timeout=1),
        answer("g", "def g():\n    return 4"),
        check("u", "assert g() == 4"),
    )
    graded = outcome(grader, source, f="def f():\n    return 10**9")
    assert verdicts(graded) == {"t": "TIMEOUT", "u": "PASSED"}


def test_too_many_files_are_noticed(grader):
    source = notebook(
        answer("f", "f = lambda: 1"), check("t", "assert f() == 1", timeout=30), check("u", "pass")
    )
    hoard = "def f():\n    for i in range(10**9):\n        open(str(i), 'w').close()"
    assert verdicts(outcome(grader, source, f=hoard)) == {"t": "FORBIDDEN", "u": "PASSED"}


def test_each_run_has_an_empty_folder(grader):
    writes = "import os\nprint(os.listdir('.'))\nopen('left', 'w').write('x')\ndef f(x):\n    return x"
    for _ in range(2):
        assert "['left']" not in json.dumps(outcome(grader, f=writes).notebook)


def test_data_files_lie_beside_the_notebook(grader):
    source = notebook(
        answer("f", "def f():\n    return open('data/a.txt').read()"), check("t", "assert f() == 'hi'")
    )
    graded = grader.grade(packed(source), packed(source), files={"data/a.txt": b"hi"})
    assert verdicts(graded) == {"t": "PASSED"}


def test_what_ipython_has_is_there(grader):
    source = notebook(
        answer(
            "f",
            "%matplotlib inline\nimport asyncio\nawait asyncio.sleep(0)\nget_ipython()\ndisplay(1)\nf = 1\nf",
        ),
        check("t", "assert f == 1"),
    )
    graded = outcome(grader, source)
    assert verdicts(graded) == {"t": "PASSED"}
    kinds = [output["output_type"] for output in graded.notebook["cells"][0]["outputs"]]
    assert kinds == ["display_data", "execute_result"]


def test_a_shell_command_fails_alone(grader):
    graded = outcome(grader, f="!ls\ndef f(x):\n    return x")
    assert verdicts(graded)["g_test"] == "PASSED"
    assert "grading starts no other programs" in json.dumps(graded.notebook)


def test_figures_are_named_and_rendered_on_request():
    source = notebook(given("import matplotlib.pyplot as plt"), answer("f", "plt.plot([1, 2])\nplt.show()"))
    with Grader() as plain, Grader(Options(figures=True)) as drawn:
        assert "image/png" not in json.dumps(outcome(plain, source).notebook)
        assert "image/png" in json.dumps(outcome(drawn, source).notebook)


def test_a_source_that_fails_its_own_tests_is_refused(grader):
    source = notebook(answer("f", "f = 1"), check("t", "assert f == 2, 'two is asked for'"))
    with pytest.raises(SourceError, match="t: FAILED two is asked for"):
        outcome(grader, source)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'{"cells": 3}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_notebook_has_a_row_for_every_cell(grader, data):
    graded = grader.grade(packed(SOURCE), data)
    assert {cell.verdict for cell in graded.report.cells} == {Verdict.MALFORMED}
    assert graded.report.score == 0


def test_a_killed_worker_is_replaced(grader):
    outcome(grader)
    grader._worker._process.kill()
    assert set(verdicts(outcome(grader)).values()) == {"PASSED"}


def test_off_means_off_and_says_so():
    with Grader(Options(sandboxed=False)) as open_grader:
        graded = outcome(open_grader, f="def f(x):\n    open('/etc/passwd').close()\n    return x")
    assert verdicts(graded)["f_test"] == "PASSED"
    assert graded.report.sandbox is False


def test_a_closed_grader_grades_no_more():
    with Grader() as closed:
        pass
    with pytest.raises(ClosedError, match="after it was closed"):
        outcome(closed)


def test_a_zygote_that_died_costs_one_submission(grader):
    outcome(grader)
    for child in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, parent = child.parent.name, child.read_text().rpartition(")")[2].split()[1]
            if parent == str(grader._worker._process.pid):
                os.kill(int(name), signal.SIGKILL)
    with pytest.raises(ZygoteError, match="the zygote must"):
        outcome(grader)
    assert set(verdicts(outcome(grader)).values()) == {"PASSED"}
