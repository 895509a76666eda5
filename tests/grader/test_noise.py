"""Whatever a student's process says, every graded cell has a row, and the fault is never ours."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.referee.referee import Rules, judge
from autograder.referee.source import Source
from autograder.report import Verdict
from tests.grader.twin import answer, check, hidden, notebook
from tests.grader.twin import given as given_cell

SOURCE = Source(
    notebook(
        given_cell("import numpy as np"),
        answer("f", "def f(x):\n    return x\ny = 3"),
        check("t", "x = np.zeros(2)\nassert f(x) is x and f([1, {'a': 2}]) == [1, {'a': 2}]"),
        hidden("h", "assert y == 3 and f(lambda z: z)(4) == 4"),
        check("u", "assert isinstance(f(1.5), float)"),
    )
)
KEYS = "value error malformed missing changes outputs kinds name message steps traceback op of args callback"
OUTPUTS = "output_type stream text data text/plain execute_result display_data Exception ValueError"
TAGS = "n b i I f c s y T k g l t d a h o r m e <f8 AAAAAAAA"
words = st.sampled_from(f"{KEYS} {OUTPUTS} {TAGS}".split())
atoms = st.none() | st.booleans() | st.integers(-2, 10) | st.floats() | words
data = st.recursive(
    atoms, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4)
)


class Noise:
    """A student's process that says anything."""

    def __init__(self, draw):
        self._draw = draw

    def request(self, message, answer, deadline):
        for _ in range(self._draw(st.integers(0, 2))):
            answer(self._draw(st.dictionaries(words, data, max_size=4)) | {"op": "callback"})
        return self._draw(st.dictionaries(words, data, max_size=5))

    def close(self):
        """Nothing is open."""


@pytest.mark.parametrize("isolation", ["process", "kernel"])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_noise_is_the_students(isolation, noise):
    rules = Rules(cell_timeout=1, test_timeout=1, total_timeout=5, isolation=isolation)
    outcome = judge(SOURCE, SOURCE.notebook, lambda: Noise(noise.draw), rules)
    assert [result.grade_id for result in outcome.results] == ["t", "h", "u"]
    for result in outcome.results:
        assert result.verdict is not Verdict.INTERNAL
        assert result.score is not None and 0 <= result.score <= result.max_score
        assert len(result.message) <= 700
