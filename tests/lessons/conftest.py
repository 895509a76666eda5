"""Cells of a lesson as the tests see them: read from the text that is the truth, run in a plain namespace."""

import re
from pathlib import Path

import jupytext
import matplotlib
import pytest

matplotlib.use("Agg")

LESSON = Path(__file__).parents[2] / "solutions" / "06_rotary.py"
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", re.DOTALL)
SOLUTION = re.compile(r"( *)### BEGIN SOLUTION.*?### END SOLUTION", re.DOTALL)


class Lesson:
    """A lesson's cells, and what the tests do with them. It never grades."""

    def __init__(self, path):
        self.cells = jupytext.read(path, fmt="py:percent").cells
        for cell in self.cells:
            cell.metadata.pop("lines_to_next_cell", None)  # jupytext's note on blank lines; `build` drops it
        self.source = {grade_id(cell): cell.source for cell in self.cells if grade_id(cell)}
        self._solved = None

    def code(self, *, pictures=True):
        """Return the code cells in order."""
        code = [cell for cell in self.cells if cell.cell_type == "code"]
        return [cell for cell in code if pictures or not cell.metadata.get("autograder", {}).get("picture")]

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
            for cell in self.code(pictures=False):
                if grade_id(cell) == "imports" or cell.metadata["nbgrader"]["solution"]:
                    exec(compile(cell.source, grade_id(cell), "exec"), self._solved)
        return dict(self._solved)

    def fault(self, cell, **answers):
        """Return what a test cell raises with these answers for the solution's, or None if it passes."""
        namespace = self.solved() | answers
        try:
            exec(compile(self.source[cell], cell, "exec"), namespace)
        except Exception as error:
            return error
        return None


def grade_id(cell):
    """Return the grade_id of a cell, or the empty string."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


@pytest.fixture(scope="session")
def lesson():
    """Lesson 6, read once."""
    return Lesson(LESSON)
