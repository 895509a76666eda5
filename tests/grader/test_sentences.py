from __future__ import annotations

import pytest

from autograder.referee import names, sentences
from autograder.referee.plan import lay
from autograder.referee.source import Source
from tests.grader.twin import answer, grade, handed_in, hidden, notebook

SOURCE = notebook(
    answer("f", "def f(x):\n    return x"),
    hidden("f_hidden", "SECRET = 'the quick brown fox'\nassert f(SECRET) == SECRET"),
)


def test_a_place_in_a_test_cell_is_not_quoted():
    steps = lay(Source(SOURCE), SOURCE).steps
    assert sentences.at_line(steps, [(1, 2), (7, 1), (-1, 1), (0, 99)]) == ""
    assert sentences.at_line(steps, [(0, 2), (1, 2)]) == ", at line 2 of your cell f: return x"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("assert f('cat sat') == 'tac tas', 'the claim'", {"the claim"}),
        ("assert x, 'the claim' + f' about {x}'", {"the claim", " about "}),
        ("raise AssertionError('the claim')", {"the claim"}),
        ("close(f('cat sat'), want, 'the claim')", {"the claim"}),
        ("close(f('cat sat'), want, claim='the claim')", {"the claim"}),
        ("x = g('cat sat')", set()),
    ],
)
def test_only_what_is_meant_to_be_said_is_a_sentence(source, expected):
    assert names.sentences(names.parse(source)) == expected


def test_a_hidden_input_in_an_exceptions_text_is_not_said():
    outcome = grade(SOURCE, handed_in(SOURCE, f="def f(x):\n    return x.upper()"))
    assert outcome.results[0].message == sentences.HIDDEN
    noisy = notebook(
        answer("f", "f = str"), hidden("h", "x = 'the secret input'\nassert f(x) == x, repr(f(x))")
    )
    outcome = grade(noisy, handed_in(noisy, f="f = str.upper"))
    assert outcome.results[0].message == sentences.HIDDEN
