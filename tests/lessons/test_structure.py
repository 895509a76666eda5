"""What a reader can rely on in every lesson: rhythm, lengths, metadata, hidden tests that quote nothing."""

import ast
import re
from itertools import groupby
from statistics import median

from autograder.worker.processes import importers
from tests.lessons.text import grade_id, is_picture

#: Ten bugs take more cells than one idea a section.
CELLS = {"09_debugging": 75}
#: The modules that a lesson asks the student to write, where they are not its topic's: two use the library.
ASKED = {
    "order": {"attention"},
    "extrapolation": set(),
    "debugging": {"rotary", "alibi", "scaling", "learned"},
    "choosing": set(),
}
KEYS = {"cell_type", "grade", "grade_id", "locked", "schema_version", "solution", "task"}
FORBIDDEN = r"\b(simply|obviously|just|trivial|trivially|easy|easily|clearly|TODO|FIXME)\b"


def lines(source):
    return [line for line in source.splitlines() if line.strip()]


def words(source):
    """Count words of prose: formulas, code and the rules of a table are not read as words."""
    prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|<[^>]*>|\]\([^)]*\)", " ", source, flags=re.DOTALL)
    return len(re.findall(r"[A-Za-z][\w'’-]*", prose))


def test_it_has_35_to_60_cells_in_five_to_eight_sections(lesson):
    assert 35 <= len(lesson.cells) <= CELLS.get(lesson.name, 60)
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
    ids = [grade_id(cell) for cell in lesson.cells if "nbgrader" in cell.metadata]
    assert len(ids) == len(set(ids))
    for name in lesson.exercises():
        assert ids.index(name) < ids.index(f"{name}_test") == ids.index(f"{name}_hidden") - 1
    graded = {grade_id(cell) for cell in lesson.cells if cell.metadata.get("nbgrader", {}).get("grade")}
    automatic = {f"{name}_{part}" for name in lesson.exercises() for part in ("test", "hidden")}
    manual = {grade_id(cell) for cell in lesson.cells if cell.cell_type == "markdown"}
    assert graded <= automatic | manual


def points(lesson):
    """Return automatic and manual points."""
    graded = [cell.metadata["nbgrader"] for cell in lesson.cells if "nbgrader" in cell.metadata]
    return [
        sum(ours.get("points", 0) for ours in graded if ours["solution"] == kind) for kind in (False, True)
    ]


def test_there_are_12_automatic_points(lesson):
    assert points(lesson)[0] == 12


def test_points_in_the_prose_are_those_of_the_cells(lesson):
    text = "\n".join(lesson.prose())
    promised = [float(n) for n in re.findall(r"^### Exercise .*\(([\d.]+) points?", text, flags=re.MULTILINE)]
    assert sum(promised) == sum(points(lesson))
    assert f"for {sum(points(lesson)):g} points" in text


def test_it_opens_and_closes_like_every_lesson(lesson):
    title, *_ = lesson.prose()
    assert re.match(r"# [A-Z].*\n\n\*\*[A-Z].*\?\*\*\n", title)
    for word in ("**Do:**", "**Learn:**", "**Need:**", "**Time:**"):
        assert word in title
    first = lesson.cells[2]
    assert is_picture(first) and "| symbol | meaning |" in lesson.cells[3].source
    ends = re.findall(r"^## ([A-Z].*)$", "\n".join(lesson.prose()), flags=re.MULTILINE)
    assert ends == ["In practice", "On your own", "Further reading"]


def test_what_is_withheld_is_what_the_lesson_asks_for(lesson):
    topic = lesson.name.split("_")[1]
    withheld = lesson.notebook.metadata["autograder"]["withhold"]
    assert {f"posenc.{name}" for name in ASKED.get(topic, {topic})} <= set(withheld)
    for module in withheld:
        pattern = rf"{module}\b|import {module.removeprefix('posenc.')}\b|misconceptions"
        for cell in lesson.code():
            assert not re.search(pattern, cell.source)


def test_a_student_cannot_look_the_answers_up(lesson):
    assert "posenc.misconceptions" in importers(lesson.notebook.metadata["autograder"]["withhold"])


def test_pictures_are_tagged_and_nothing_else_draws(lesson):
    for cell in lesson.code():
        picture = is_picture(cell)
        assert picture == ("picture" in cell.metadata.get("tags", []))
        assert picture == bool(re.search(r"\b(plt|draw)\.", cell.source))


def test_imports_stand_at_the_top_and_once(lesson):
    for cell in lesson.code()[1:]:
        assert not re.findall(r"^(?:from|import) .*", cell.source, flags=re.MULTILINE)


def test_outside_the_hidden_block_there_is_one_comment(lesson):
    for name in lesson.exercises():
        shown = lesson.released(f"{name}_hidden")
        assert len(lines(shown)) == 1 and shown.startswith("# "), name


def test_hidden_messages_are_constants(lesson):
    for name in lesson.exercises():
        assert claims(lesson.hidden(name)) >= 2, name


def claims(hidden):
    """Count the messages of a hidden test, each of which has to be a constant."""
    count = 0
    for node in ast.walk(ast.parse(hidden)):
        assert not isinstance(node, ast.JoinedStr | ast.Raise)
        if isinstance(node, ast.Assert):
            assert isinstance(node.msg, ast.Constant) and isinstance(node.msg.value, str)
            count += 1
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "close":
            assert isinstance(node.args[2], ast.Constant) and isinstance(node.args[2].value, str)
            quiet = [k.value for k in node.keywords if k.arg == "quiet"]
            assert len(quiet) == 1 and isinstance(quiet[0], ast.Constant) and quiet[0].value is True
            count += 1
    return count


def bound(source):
    """Return the names that a cell binds at top level."""
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            names |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and stored(part)}
    return names


def stored(name):
    return isinstance(name.ctx, ast.Store)


def test_tests_only_call_and_read_what_the_student_wrote(lesson):
    banned = {"globals", "locals", "vars", "exec", "eval", "setattr", "get_ipython"}
    answers = {
        name for cell in lesson.code() if cell.metadata["nbgrader"]["solution"] for name in bound(cell.source)
    }
    for exercise in lesson.exercises():
        assert "print" not in lesson.source[f"{exercise}_hidden"]
        for part in ("test", "hidden"):
            for node in ast.walk(ast.parse(lesson.source[f"{exercise}_{part}"])):
                assert not isinstance(node, ast.Delete | ast.Import | ast.ImportFrom | ast.Global)
                if isinstance(node, ast.Name):
                    assert node.id not in banned
                    assert not (stored(node) and node.id in answers), node.id


def test_a_visible_test_that_passes_says_so_in_its_last_line(lesson):
    for name in lesson.exercises():
        said = f'print("✓ {name}: every check here passes.")'
        assert lesson.source[f"{name}_test"].splitlines()[-1] == said


def test_every_test_has_a_time_limit(lesson):
    for cell in lesson.code():
        assert cell.metadata["nbgrader"]["grade"] == ("timeout" in cell.metadata.get("autograder", {}))


def test_every_figure_is_told_in_words_beside_it(lesson):
    for before, cell, after in zip(lesson.cells, lesson.cells[1:], lesson.cells[2:], strict=False):
        if is_picture(cell):
            assert "markdown" in (before.cell_type, after.cell_type)


def test_every_section_has_a_figure(lesson):
    section, figures = "", {}
    for cell in lesson.cells:
        if cell.cell_type == "markdown" and (found := re.match(r"## (\d)", cell.source)):
            section = found[1]
        figures[section] = figures.get(section, 0) + is_picture(cell)
    assert all(figures.values()), figures
