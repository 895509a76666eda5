from __future__ import annotations

import pytest

from autograder.referee.prose import harmless
from tests.grader.twin import grade, handed_in, manual, notebook


@pytest.mark.parametrize("text", ["a < b, x <= y", "$a<2$, $\\theta$", "data: two", "salt & pepper", "5 > 3"])
def test_plain_prose_stays_as_it_is(text):
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>x</script>", "< script>x< /script>"),
        ("[x](javascript:x)", "[x](javascript :x)"),
        ("[x](JavaScript\n:x)", "[x](JavaScript \n:x)"),
        ("[x](&#106;avascript:x)", "[x](& #106;avascript:x)"),
        ("<!-- x", "< !-- x"),
    ],
)
def test_what_a_browser_would_run_is_text(text, shown):
    assert harmless(text) == shown


def test_a_written_answer_is_shown_harmless_and_an_untouched_one_as_it_was():
    source = notebook(manual("why", "<b>Why?</b>\n### BEGIN SOLUTION\nbecause\n### END SOLUTION"))
    shown = grade(source, handed_in(source, why="<script>x</script>")).notebook["cells"][0]["source"]
    assert shown == "< script>x< /script>"
    blank = "<b>Why?</b>\nYOUR ANSWER HERE"
    assert grade(source, handed_in(source, why=blank)).notebook["cells"][0]["source"] == blank
