from __future__ import annotations

import pytest

from autograder.report import Verdict
from tests.grader.twin import answer, check, given, grade, handed_in, hidden, manual, notebook, verdicts

DOUBLE = notebook(
    given("import numpy as np"),
    answer("double", "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"),
    check("double_test", "assert double(3) == 6, 'twice three is six'"),
    hidden("double_hidden", "assert double(21) == 42, 'twice any number is asked for'"),
)


def only(outcome, grade_id):
    return next(result for result in outcome.results if result.grade_id == grade_id)


def test_the_source_has_full_marks():
    assert verdicts(grade(DOUBLE)) == {"double_test": "PASSED", "double_hidden": "PASSED"}


@pytest.mark.parametrize(
    ("code", "verdict", "message"),
    [
        ("def double(x):\n    return x", "FAILED", "twice three is six"),
        (
            "def double(x):\n    return 1 / 0",
            "RAISED",
            "double raised ZeroDivisionError: division by zero, at line 2",
        ),
        ("def double(x):\n    raise MemoryError", "MEMORY", "double asked for more memory"),
        ("def double(x):\n    open('/', 'w')", "RAISED", "double raised IsADirectoryError"),
        ("def double(x):\n    raise PermissionError", "FORBIDDEN", "something that grading does not allow"),
        ("def double(x):\n    raise SystemExit", "RAISED", "double raised SystemExit"),
        ("def double(x):\n    raise StopIteration", "RAISED", "double raised StopIteration"),
        (
            "def double(x):\n    return np.ma.array([x])",
            "MALFORMED",
            "double returned a masked array; return a plain",
        ),
        ("def double(x):\n    return {1: 2}", "MALFORMED", "keys must be strings"),
        ("def double(x):\n    return object()", "MALFORMED", "an object of type object"),
        ("async def double(x):\n    return 6", "MALFORMED", "a coroutine"),
        ("def triple(x):\n    return 3 * x", "MISSING", "double is not defined."),
        ("def double(x)\n    return 3 * x", "MISSING", "Your cell stopped with SyntaxError"),
        ("double = 7", "FAILED", "not callable"),
        ("", "UNTOUCHED", "Nothing has been written here yet."),
        (
            "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()",
            "UNTOUCHED",
            "Nothing has been",
        ),
    ],
)
def test_each_way_to_fail_has_its_verdict_and_sentence(code, verdict, message):
    result = only(grade(DOUBLE, handed_in(DOUBLE, double=code)), "double_test")
    assert (result.verdict.value, result.score) == (verdict, 0.0)
    assert message in result.message


def test_a_hidden_test_quotes_nothing_that_student_code_made():
    leak = "def double(x):\n    raise ValueError(f'the input was {x}')"
    result = only(grade(DOUBLE, handed_in(DOUBLE, double=leak)), "double_hidden")
    assert result.verdict is Verdict.RAISED
    assert result.message.startswith(
        "double raised ValueError, at line 2 of your cell double: raise ValueError"
    )
    assert "21" not in result.message


def test_a_hidden_test_says_its_own_constant_sentence_and_no_more():
    source = notebook(
        answer("f", "def f(x):\n    return x"),
        hidden("f_hidden", "assert f(21) == 21, 'a fixed sentence' + f' about {21}'"),
    )
    result = only(grade(source, handed_in(source, f="def f(x):\n    return 0")), "f_hidden")
    assert result.message == "a fixed sentence"


def test_what_was_remembered_from_a_hidden_test_does_not_reach_a_visible_one():
    source = notebook(
        answer("f", "def f(x):\n    return x"),
        hidden("a_hidden", "assert f(987654) == 987654"),
        check("b_test", "assert f(1) == 1, f'got {f(1)}'"),
    )
    memory = "seen = []\ndef f(x):\n    seen.append(x)\n    return seen"
    outcome = grade(source, handed_in(source, f=memory))
    assert "987654" not in only(outcome, "b_test").message
    assert "987654" not in str(outcome.notebook)


def test_no_line_of_a_hidden_test_is_in_the_executed_notebook():
    assert "double(21)" not in str(grade(DOUBLE).notebook)


@pytest.mark.parametrize(
    ("last", "score", "verdict"),
    [
        ("1.5", 1.5, "FAILED"),
        ("np.float64(1.5)", 1.5, "FAILED"),
        ("0", 0.0, "FAILED"),
        ("2", 2.0, "PASSED"),
        ("7", 2.0, "PASSED"),
        ("-1", 0.0, "FAILED"),
        ("float('nan')", 0.0, "FAILED"),
        ("float('inf')", 0.0, "FAILED"),
        ("'text'", 2.0, "PASSED"),
        ("None", 2.0, "PASSED"),
        ("False", 2.0, "PASSED"),
    ],
)
def test_partial_credit_is_the_last_expression(last, score, verdict):
    source = notebook(given("import numpy as np"), check("t", last))
    result = only(grade(source), "t")
    assert (result.score, result.verdict.value) == (score, verdict)


def test_an_always_equal_object_convinces_nobody():
    liar = (
        "class W(float):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "class V:\n    def __eq__(self, other): return True\n"
        "def double(x):\n    return W(1) if x == 3 else V()"
    )
    assert verdicts(grade(DOUBLE, handed_in(DOUBLE, double=liar))) == {
        "double_test": "FAILED",
        "double_hidden": "MALFORMED",
    }


def test_names_mean_what_they_would_in_one_process():
    source = notebook(
        given("import math"),
        answer("x", "x = 1\ndef f():\n    global x\n    x += 1\n    return x"),
        given("def helper(g):\n    return g() + math.floor(1.5)"),
        check("t1", "assert x == 1\nassert helper(f) == 3\nassert x == 2"),
        answer("x2", "x = 10"),
        check("t2", "y = 5\nassert x == 10"),
        given("y = 6"),
        check("t3", "assert y == 6\nx = 0"),
        check("t4", "assert x == 0"),
    )
    assert set(verdicts(grade(source)).values()) == {"PASSED"}


def test_given_cells_that_change_a_thing_are_run_too():
    source = notebook(
        given("table = []"), given("table.append(1)"), given("raise RuntimeError('no test needs this cell')"),
        check("t", "assert table == [1]"),
    )  # fmt: skip
    assert verdicts(grade(source)) == {"t": "PASSED"}


def test_a_module_that_a_solution_imports_is_the_trusted_one():
    source = notebook(answer("a", "import math\nx = math.pi"), check("t", "assert x == math.pi"))
    fake = "class math: pi = 3\nx = math.pi"
    assert verdicts(grade(source, handed_in(source, a=fake))) == {"t": "FAILED"}


def test_functions_cross_in_both_directions():
    source = notebook(
        answer("compose", "def compose(f, g):\n    return lambda x: f(g(x))"),
        check(
            "t",
            "h = compose(lambda x: x + 1, lambda x: x * 2)\nassert h(5) == 11\nassert compose(h, h)(1) == 7",
        ),
    )
    assert verdicts(grade(source)) == {"t": "PASSED"}


MODEL = """class Model:
    def __init__(self, k):
        self.k = k

    def times(self, x):
        return self.k * x
"""


def test_objects_of_the_student_stay_theirs_and_answer():
    source = notebook(
        answer("Model", MODEL), check("t", "m = Model(3)\nassert m.k == 3\nassert m.times(2) == 6")
    )
    assert verdicts(grade(source)) == {"t": "PASSED"}


def test_in_place_changes_are_seen_and_identity_is_kept():
    source = notebook(
        given("import numpy as np"),
        answer("f", "def f(x):\n    return x + 1"),
        check("t", "x = np.zeros(3)\nf(x)\nassert x.tolist() == [0, 0, 0], 'the input must not change'"),
        check("u", "x = [1]\nassert f is not None and g(x) is x"),
        answer("g", "def g(x):\n    return x"),
        check("v", "x = [1]\nassert g(x) is x"),
    )
    in_place = "def f(x):\n    x += 1\n    return x"
    outcome = grade(source, handed_in(source, f=in_place))
    assert only(outcome, "t").message == "the input must not change"
    assert verdicts(outcome)["v"] == "PASSED"


def test_exceptions_can_be_expected_and_end_no_loop():
    source = notebook(
        given("import pytest"),
        answer("f", "def f(x):\n    raise ValueError('odd')"),
        check("t", "with pytest.raises(ValueError, match='odd'):\n    f(1)"),
        check("u", "try:\n    f(1)\nexcept LookupError:\n    pass\nexcept Exception as e:\n"
             "    raise AssertionError('a LookupError is asked for')"),
    )  # fmt: skip
    stop = "def f(x):\n    raise StopIteration"
    assert verdicts(grade(source, handed_in(source, f=stop))) == {"t": "RAISED", "u": "FAILED"}


def test_an_assertion_of_the_student_is_not_one_of_the_test():
    source = notebook(answer("f", "def f():\n    return 1"), check("t", "assert f() == 1"))
    cheat = "class E(AssertionError):\n    misconception = 'forged'\ndef f():\n    raise E('well done')"
    result = only(grade(source, handed_in(source, f=cheat)), "t")
    assert (result.verdict.value, result.misconception) == ("RAISED", None)


def test_a_misconception_is_carried_by_a_check():
    source = notebook(
        given("class Named(AssertionError):\n    misconception = 'half-layout'"),
        answer("f", "def f():\n    return 1"),
        check("t", "if f() != 1:\n    raise Named('that is the other layout')"),
        hidden("h", "if f() != 1:\n    raise Named('that is the other layout')"),
    )
    outcome = grade(source, handed_in(source, f="def f():\n    return 2"))
    for grade_id in ("t", "h"):
        assert only(outcome, grade_id).misconception == "half-layout"
        assert only(outcome, grade_id).message == "that is the other layout"


def test_an_assertion_without_words_shows_its_line_only_where_it_is_visible():
    source = notebook(
        answer("f", "def f():\n    return 1"),
        check("t", "x = 1\nassert f() == x"),
        hidden("h", "x = 1\nassert f() == x"),
    )
    outcome = grade(source, handed_in(source, f="def f():\n    return 2"))
    assert only(outcome, "t").message == "This does not hold: f() == x"
    assert only(outcome, "h").message == "A hidden test of this exercise does not pass yet."


def test_manual_answers_wait_for_a_person_unless_nothing_was_written():
    source = notebook(manual("why", "### BEGIN SOLUTION\nbecause\n### END SOLUTION"))
    written = only(grade(source, handed_in(source, why="since")), "why")
    assert (written.score, written.verdict) == (None, Verdict.MANUAL)
    blank = only(grade(source, handed_in(source, why="YOUR ANSWER HERE")), "why")
    assert (blank.score, blank.message) == (0.0, "No response.")


def test_messages_are_bounded_and_free_of_control_characters():
    noisy = "def double(x):\n    raise ValueError('\\x1b[31m\\u202e' + 'x' * 100_000)"
    message = only(grade(DOUBLE, handed_in(DOUBLE, double=noisy)), "double_test").message
    assert len(message) <= 600
    assert "\x1b" not in message and "\u202e" not in message


def test_what_a_visible_test_prints_is_shown():
    source = notebook(check("t", "print('well done')"))
    assert "well done" in str(grade(source).notebook)


def test_isolation_kernel_tells_a_check_from_an_exception():
    source = notebook(
        answer("f", "class Mine(AssertionError): pass\nf = 1"),
        check("t", "assert f == 1, 'one is asked for'"),
        hidden("h", "assert f == 1, 'one is asked for'"),
    )
    wrong = handed_in(source, f="f = 2")
    assert verdicts(grade(source, wrong, isolation="kernel")) == {"t": "FAILED", "h": "FAILED"}
    assert only(grade(source, wrong, isolation="kernel"), "h").message == "one is asked for"


def test_isolation_kernel_runs_tests_with_the_student():
    source = notebook(
        answer("f", "f = 1"), check("t", "del f"), check("u", "assert 'f' not in globals()\n1.0")
    )
    outcome = grade(source, isolation="kernel")
    assert verdicts(outcome)["t"] == "PASSED"
