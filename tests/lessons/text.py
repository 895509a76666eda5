"""Cells of a lesson as the tests see them: read from the text that is the truth, run in a plain namespace."""

import contextlib
import io
import re
from functools import cache
from pathlib import Path

import jupytext
import matplotlib
import numpy as np

matplotlib.use("Agg")

FOLDER = Path(__file__).parents[2] / "solutions"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", re.DOTALL)
SOLUTION = re.compile(r"( *)### BEGIN SOLUTION.*?### END SOLUTION", re.DOTALL)


class Lesson:
    """A lesson's cells, and what the tests do with them. It never grades."""

    def __init__(self, name):
        self.name = name
        self.notebook = jupytext.read(FOLDER / f"{name}.py", fmt="py:percent")
        self.cells = self.notebook.cells
        for cell in self.cells:
            cell.metadata.pop("lines_to_next_cell", None)  # jupytext's note on blank lines; `build` drops it
        self.source = {grade_id(cell): cell.source for cell in self.cells if grade_id(cell)}
        self._solved = None

    def code(self, *, pictures=True):
        """Return the code cells in order."""
        code = [cell for cell in self.cells if cell.cell_type == "code"]
        return [cell for cell in code if pictures or not is_picture(cell)]

    def prose(self):
        """Return the text of the markdown cells."""
        return [cell.source for cell in self.cells if cell.cell_type == "markdown"]

    def exercises(self):
        """Return the names of the exercises that are graded automatically, in order."""
        return [name.removesuffix("_test") for name in self.source if name.endswith("_test")]

    def hidden(self, name):
        """Return the hidden part of an exercise's hidden test."""
        return HIDDEN.search(self.source[f"{name}_hidden"]).group(1)

    def released(self, name):
        """Return a cell as a student gets it."""
        return SOLUTION.sub(r"\1raise NotImplementedError()", HIDDEN.sub("", self.source[name]))

    def solved(self):
        """Return a copy of the namespace in which the solution's own answers are bound."""
        if self._solved is None:
            self._solved = {}
            given = [cell for cell in self.code(pictures=False) if not cell.metadata["nbgrader"]["grade"]]
            with contextlib.redirect_stdout(io.StringIO()):
                for cell in given:
                    exec(compile(cell.source, grade_id(cell), "exec"), self._solved)
        return dict(self._solved)

    def fault(self, cell, **answers):
        """Return what a test cell raises with these answers for the solution's, or None if it passes."""
        namespace = self.solved() | answers
        try:
            with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(self.source[cell], cell, "exec"), namespace)
        except Exception as error:
            return error
        return None

    def faults(self, name, **answers):
        """Return what the visible and the hidden test of an exercise raise with these answers."""
        return [self.fault(f"{name}_{part}", **answers) for part in ("test", "hidden")]


def is_picture(cell):
    """Tell whether a cell only draws."""
    return bool(cell.metadata.get("autograder", {}).get("picture"))


def grade_id(cell):
    """Return the grade_id of a cell, or the empty string."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


@cache
def lesson(name):
    """Return a lesson, read once."""
    return Lesson(name)
