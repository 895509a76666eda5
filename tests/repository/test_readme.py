from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_values_in_the_readme_are_what_the_code_prints():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted >= 6
    assert result.failed == 0


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_what_a_page_points_at_is_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_the_number_of_sample_submissions_is_what_the_readme_says():
    from tests.zoo import roster

    (told,) = re.findall(
        r"a sample class of (\d+) notebooks", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    assert int(told) == len(roster.students())
