"""What a reader can rely on in lesson 6: rhythm, lengths, metadata, and hidden tests that quote nothing."""

import ast
import re
from itertools import groupby
from statistics import median

import pytest

EXERCISES = ["hand", "rope", "score", "is_relative", "rotate", "layouts", "decode"]
KEYS = {"cell_type", "grade", "grade_id", "locked", "schema_version", "solution", "task"}
FORBIDDEN = r"\b(simply|obviously|just|trivial|trivially|easy|easily|clearly|TODO|FIXME)\b"


def lines(source):
    return [line for line in source.splitlines() if line.strip()]


def words(source):
    """Count words of prose: formulas, code and the rules of a table are not read as words."""
    prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|<[^>]*>|\]\([^)]*\)", " ", source, flags=re.DOTALL)
    return len(re.findall(r"[A-Za-z][\w'’-]*", prose))


def test_it_has_35_to_60_cells_in_five_to_eight_sections(lesson):
    assert 35 <= len(lesson.cells) <= 60
    prose = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")
    sections = re.findall(r"^## (\d)", prose, flags=re.MULTILINE)
    assert 5 <= len(sections) <= 8
    assert sections == [str(n + 1) for n in range(len(sections))]


def test_prose_and_code_alternate(lesson):
    for kind, run in groupby(cell.cell_type for cell in lesson.cells):
        assert len(list(run)) <= {"code": 3, "markdown": 2}[kind]


def test_prose_is_short(lesson):
    counts = [words(cell.source) for cell in lesson.cells if cell.cell_type == "markdown"]
    assert max(counts) <= 120
    assert 30 <= median(counts) <= 70


def test_code_is_short(lesson):
    # nbgrader's fences are cut from what a student reads.
    fences = ("### BEGIN", "### END")
    counts = [
        sum(not line.strip().startswith(fences) for line in lines(cell.source)) for cell in lesson.code()
    ]
    assert max(counts) <= 20
    assert median(counts) <= 6


def test_lines_of_code_fit_a_notebook(lesson):
    for cell in lesson.code():
        shown = lesson.released(cell.metadata["nbgrader"]["grade_id"])
        assert max(map(len, shown.splitlines())) <= 115


def test_no_word_belittles_the_reader(lesson):
    for cell in lesson.cells:
        assert not re.findall(FORBIDDEN, cell.source, flags=re.IGNORECASE)


def test_metadata_is_what_nbgrader_and_we_read(lesson):
    for cell in lesson.cells:
        assert set(cell.metadata) <= {"nbgrader", "autograder", "tags"}
        if cell.cell_type == "markdown" and not cell.metadata:
            continue
        ours = cell.metadata["nbgrader"]
        assert set(ours) == KEYS | ({"points"} if ours["grade"] else set())
        assert ours["schema_version"] == 3 and ours["cell_type"] == cell.cell_type and ours["task"] is False
        assert ours["locked"] is (not ours["solution"])
        assert re.fullmatch(r"[a-zA-Z0-9_-]+", ours["grade_id"])


def test_grade_ids_are_unique_and_every_exercise_is_complete(lesson):
    ids = [cell.metadata["nbgrader"]["grade_id"] for cell in lesson.cells if "nbgrader" in cell.metadata]
    assert len(ids) == len(set(ids))
    for name in EXERCISES:
        assert ids.index(name) < ids.index(f"{name}_test") == ids.index(f"{name}_hidden") - 1


def test_points_are_12_automatic_and_2_manual(lesson):
    graded = [cell.metadata["nbgrader"] for cell in lesson.cells if "nbgrader" in cell.metadata]
    points = {True: 0.0, False: 0.0}
    for ours in graded:
        points[ours["solution"]] += ours.get("points", 0)
    assert points == {False: 12, True: 2}


def test_points_in_the_prose_are_those_of_the_cells(lesson):
    text = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")
    promised = [float(n) for n in re.findall(r"^### Exercise .*\((\d+) points?", text, flags=re.MULTILINE)]
    assert sum(promised) == 14 and "for 14 points" in text


def test_pictures_are_tagged_and_nothing_else_draws(lesson):
    for cell in lesson.code():
        picture = cell.metadata.get("autograder", {}).get("picture", False)
        assert picture == ("picture" in cell.metadata.get("tags", []))
        assert picture == bool(re.search(r"\b(plt|draw)\.", cell.source))


def test_only_test_cells_may_need_the_reference(lesson):
    for cell in lesson.code():
        assert not re.search(r"posenc\.(rotary|misconceptions)|import (rotary|misconceptions)", cell.source)


def test_imports_stand_at_the_top_and_once(lesson):
    for cell in lesson.code()[1:]:
        assert not re.findall(r"^(?:from|import) .*", cell.source, flags=re.MULTILINE)


@pytest.mark.parametrize("name", EXERCISES)
def test_outside_the_hidden_block_there_is_one_comment(lesson, name):
    assert len(lines(lesson.released(f"{name}_hidden"))) == 1
    assert lesson.released(f"{name}_hidden").startswith("# ")


@pytest.mark.parametrize("name", EXERCISES)
def test_hidden_messages_are_constants(lesson, name):
    tree = ast.parse(lesson.hidden(name))
    claims = 0
    for node in ast.walk(tree):
        assert not isinstance(node, ast.JoinedStr | ast.Raise)
        if isinstance(node, ast.Assert):
            assert isinstance(node.msg, ast.Constant) and isinstance(node.msg.value, str)
            claims += 1
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "close":
            assert isinstance(node.args[2], ast.Constant) and isinstance(node.args[2].value, str)
            quiet = [k.value for k in node.keywords if k.arg == "quiet"]
            assert len(quiet) == 1 and isinstance(quiet[0], ast.Constant) and quiet[0].value is True
            claims += 1
    assert claims >= 2


@pytest.mark.parametrize("name", EXERCISES)
def test_tests_only_call_and_read_what_the_student_wrote(lesson, name):
    banned = {"globals", "locals", "vars", "exec", "eval", "setattr", "get_ipython"}
    assert "print" not in lesson.source[f"{name}_hidden"]
    for source in (lesson.source[f"{name}_test"], lesson.source[f"{name}_hidden"]):
        for node in ast.walk(ast.parse(source)):
            assert not isinstance(node, ast.Delete | ast.Import | ast.ImportFrom | ast.Global)
            assert not (isinstance(node, ast.Name) and node.id in banned)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                assert node.id not in {*EXERCISES, "to_half", "permute_weights", "score_0_2", "q_at_3"}


@pytest.mark.parametrize("name", EXERCISES)
def test_a_visible_test_that_passes_says_so_in_its_last_line(lesson, name):
    said = f'print("✓ {name}: every check here passes.")'
    assert lesson.source[f"{name}_test"].splitlines()[-1] == said


def test_every_figure_is_told_in_words_beside_it(lesson):
    for before, cell, after in zip(lesson.cells, lesson.cells[1:], lesson.cells[2:], strict=False):
        if cell.metadata.get("autograder", {}).get("picture"):
            assert "markdown" in (before.cell_type, after.cell_type)
