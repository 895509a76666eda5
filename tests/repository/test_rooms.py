"""Rules of the house that import-linter cannot see, and that it can be broken."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = [path for room in ("posenc", "autograder") for path in sorted((ROOT / room).rglob("*.py"))]
LESSONS = sorted((ROOT / "solutions").glob("*.py"))
TRACKED = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")


def name(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_a_lesson_imports_only_what_a_student_has(path):
    magics = re.sub(r"^%.*$", "", path.read_text(), flags=re.MULTILINE)
    names = set(re.findall(r"^\s*(?:import|from) (\w+)", magics, re.MULTILINE))

    assert names <= {"numpy", "matplotlib", "posenc", "ipywidgets", *sys.stdlib_module_names}


@pytest.mark.parametrize("path", CODE, ids=name)
def test_files_and_functions_stay_short(path):
    text = path.read_text()
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body(node) > 40
    ]

    assert len(text.splitlines()) <= 260
    assert long == []


def body(function):
    """Lines of a function without its docstring, which is as long as it has to be."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = first.end_lineno - first.lineno + 1 if documented else 0
    return function.end_lineno - function.lineno + 1 - docstring


@pytest.mark.parametrize("path", CODE, ids=name)
def test_every_module_says_what_it_is(path):
    assert not path.read_text() or ast.get_docstring(ast.parse(path.read_text()))


def test_nothing_that_grading_makes_is_committed():
    made = re.compile(r"^(gradebook\.db|submitted/|autograded/|feedback/|report-.*\.html|\.autograder/)")

    assert [path for path in TRACKED if made.match(path)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "line", "broken"),
    [
        ("posenc/rotary/pairs.py", "import autograder", "The library knows nothing of grading"),
        ("autograder/report.py", "import posenc", "The autograder knows nothing of positional encodings"),
        ("autograder/report.py", "import autograder.course", "The rooms of the autograder"),
        ("autograder/supervise/process.py", "import nbgrader", "nbgrader and its like are met in"),
    ],
)
def test_a_wrong_import_is_found(tmp_path, place, line, broken):
    for room in ("posenc", "autograder"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    file = tmp_path / place
    file.write_text(f"{file.read_text()}\n{line}\n")
    linter = (
        "import sys; sys.path.insert(0, '.')\n"
        "from importlinter.cli import lint_imports_command as main; main()"
    )
    command = [sys.executable, "-c", linter, "--no-cache"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert done.returncode == 1
    assert re.search(rf"{broken}.*BROKEN", done.stdout)
