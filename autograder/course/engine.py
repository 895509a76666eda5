"""Our engine in place of nbgrader's Execute, so that ``nbgrader autograde`` and the formgrader use it.

Put ``"autograder.course.engine.Execute"`` where `c.Autograde.autograde_preprocessors` has
``"nbgrader.preprocessors.Execute"``. It only carries: what runs, and what a cell is worth, is decided by
`autograder.supervise`; the rows are written by nbgrader.
"""

from __future__ import annotations

import atexit
import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict, writes
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Enum, Integer

from autograder.course import config
from autograder.course.stamps import contents
from autograder.referee.referee import Rules
from autograder.report import Report, Verdict
from autograder.supervise import Graded, Grader, Options, modules_of


class EngineError(Exception):
    """A submission was not graded, through no fault of the student's."""


_kept: dict[Options, Grader] = {}


def _grader(options: Options) -> Grader:
    """Return the one grader of this process: starting one costs more than grading with it."""
    if options not in _kept:
        _close()
        _kept[options] = Grader(options)
    return _kept[options]


@atexit.register
def _close() -> None:
    while _kept:
        _kept.popitem()[1].close()


class Execute(NbGraderPreprocessor):  # type: ignore[misc]
    """Grades a notebook in processes of its own and puts the outputs where nbgrader looks for them.

    It has the name of nbgrader's preprocessor, so that ``c.Execute.timeout`` of a course keeps its meaning.
    """

    timeout = Integer(30, allow_none=True, help="Seconds that a cell may run that sets no timeout.").tag(
        config=True
    )
    isolation = Enum(
        ("process", "kernel"), "process", help="Where tests run: away from the student's code, or with it."
    ).tag(config=True)
    figures = Bool(False, help="Whether the figures that students draw are rendered.").tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: Mapping[str, Any]
    ) -> tuple[NotebookNode, Mapping[str, Any]]:
        """Grade `nb` against its source.

        Raises
        ------
        EngineError
            If a cell ended as INTERNAL: that is no grade, and the score the student had is taken back.
        """
        names = resources["nbgrader"]
        folders = self._folders()
        source = _source(folders, names["assignment"], names["notebook"])
        try:
            graded = self._grade(source, nb)
            if graded.report.internal:
                raise EngineError(_why(graded.report))
        except Exception as error:
            _withdraw(folders, names)
            whose = f"{names['notebook']} of {names['student']}"
            raise EngineError(f"{whose} must be graded again, got: {error}") from error
        carry(graded.notebook, nb)
        return nb, resources

    def _grade(self, source: Path, nb: NotebookNode) -> Graded:
        text = source.read_bytes()
        rules = Rules(isolation=self.isolation)
        if self.timeout is not None:
            rules = dataclasses.replace(rules, cell_timeout=self.timeout, test_timeout=self.timeout)
        options = Options(figures=self.figures, preload=modules_of([text]), rules=rules)
        beside = contents(source.parent)
        files = {name: data for name, data in beside.items() if not name.endswith(".ipynb")}
        submission: str = writes(nb)  # type: ignore[no-untyped-call]
        return _grader(options).grade(text, submission.encode(), files=files)

    def _folders(self) -> CourseDirectory:
        """Return the course of the converter that this runs in, else the one that is configured."""
        owner = self.parent
        while owner is not None:
            if isinstance(getattr(owner, "coursedir", None), CourseDirectory):
                return owner.coursedir
            owner = getattr(owner, "parent", None)
        return CourseDirectory(config=self.config)


def _source(folders: CourseDirectory, assignment: str, notebook: str) -> Path:
    folder = Path(folders.format_path(folders.source_directory, ".", assignment))
    path = folder / f"{notebook}.ipynb"
    if not path.is_file():
        where = folders.source_directory
        raise EngineError(f"{assignment} must have its source, got no {path.name} in {where}")
    return path


def _why(report: Report) -> str:
    broken = [cell for cell in report.cells if cell.verdict is Verdict.INTERNAL]
    return "; ".join(f"{cell.grade_id}: {cell.message}" for cell in broken)


def _withdraw(folders: CourseDirectory, names: Mapping[str, str]) -> None:
    """Take back the score of an earlier version, which nbgrader would leave standing."""
    from autograder.course.record import Recorder

    course = dataclasses.replace(config.load(Path(folders.root)), db_url=names["db_url"])
    with Recorder(course) as recorder:
        recorder.withdraw(names["student"], names["assignment"], names["notebook"])


def carry(graded: Mapping[str, Any], nb: NotebookNode) -> None:
    """Put the outputs of `graded` into `nb`, the sources of its locked cells too, and the cells it lacks.

    The rest of `nb` is as the student and nbgrader's earlier steps left it, its metadata above all.
    """
    there = {name: cell for cell in nb.cells for name in _names(cell)}
    last: NotebookNode | None = None
    for cell in graded["cells"]:
        mine = next((there[name] for name in _names(cell) if name in there), None)
        if mine is None:
            if not _meta(cell).get("grade"):
                continue
            mine = from_dict(cell)  # type: ignore[no-untyped-call]
            at = 0 if last is None else next(i for i, one in enumerate(nb.cells) if one is last) + 1
            nb.cells.insert(at, mine)
        _fill(mine, cell)
        last = mine


def _fill(mine: NotebookNode, cell: Mapping[str, Any]) -> None:
    if not _meta(cell).get("solution") and "nbgrader" in cell["metadata"]:
        mine.source = "".join(cell["source"])
    if cell["cell_type"] == "code" and mine.cell_type == "code":
        is_test = bool(_meta(cell).get("grade")) and not _meta(cell).get("solution")
        mine.outputs = [_output(output, is_test) for output in cell["outputs"]]
        mine.execution_count = cell["execution_count"]


def _output(output: Mapping[str, Any], is_test: bool) -> NotebookNode:
    node: NotebookNode = from_dict(output)  # type: ignore[no-untyped-call]
    if is_test and node.get("name") == "stderr":
        # nbgrader gives no points where a test has a warning; we do.
        node.name = "stdout"
    return node


def _meta(cell: Mapping[str, Any]) -> Mapping[str, Any]:
    meta: Mapping[str, Any] = cell["metadata"].get("nbgrader", {})
    return meta


def _names(cell: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what a cell may be found by: its grade_id, which students cannot move, before its id."""
    if _meta(cell).get("grade_id"):
        yield "grade_id", _meta(cell)["grade_id"]
    if cell.get("id"):
        yield "id", cell["id"]
