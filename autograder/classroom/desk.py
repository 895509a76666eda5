"""Where one thread grades: a `Grader` for each notebook of a lesson, kept from one submission to the next.

Theory of operation
-------------------
Starting a grader costs more than grading with it, and it checks the source's own answers first. A
submission that brings data files of its own is another source to it, so those have graders of their own,
and the others keep theirs warm. Where a source fails beside a student's files, the files are at fault, and
the submission is graded without.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograder.classroom.absent import explained
from autograder.classroom.lesson import Page
from autograder.classroom.submissions import Handed
from autograder.notebook import digest
from autograder.referee.referee import Rules
from autograder.report import Report
from autograder.supervise import Graded, Grader, Options, SourceError, modules_of


@dataclass(frozen=True)
class How:
    """How a class is graded."""

    jobs: int = 1
    sandboxed: bool = True
    isolation: str = "process"
    figures: bool = False
    force: bool = False
    timeout: float | None = None

    def options(self, page: Page) -> Options:
        """Return how the grader of `page` is to work."""
        rules = Rules(isolation=self.isolation)
        if self.timeout is not None:
            rules = replace(rules, cell_timeout=self.timeout, test_timeout=self.timeout)
        return Options(self.sandboxed, self.figures, modules_of([page.data]), rules)


class Desk:
    """The graders of one thread."""

    def __init__(self, how: How) -> None:
        self._how = how
        self._graders: dict[tuple[str, bool], Grader] = {}

    def close(self) -> None:
        """End the graders' processes."""
        while self._graders:
            self._graders.popitem()[1].close()

    def _grader(self, page: Page, extra: bool) -> Grader:
        if (page.name, extra) not in self._graders:
            self._graders[page.name, extra] = Grader(self._how.options(page))
        return self._graders[page.name, extra]

    def key(self, page: Page, handed: Handed, extra: Mapping[str, bytes]) -> str:
        """Return the fingerprint of what the result will depend on."""
        source = page.with_files(extra) if extra else page.source
        return digest([self._grader(page, bool(extra)).key(source, handed.data or b""), handed.reason])

    def grade(self, page: Page, handed: Handed, extra: Mapping[str, bytes], blank: Report) -> Graded:
        """Grade one notebook; `blank` says whose it is and what is to be known of it besides the results.

        Raises
        ------
        SourceError
            If the source's own answers do not pass its tests.
        """
        if handed.data is None:
            return explained(page, blank, handed.reason, handed.verdict)
        try:
            graded = self._run(page, handed.data, extra)
        except SourceError:
            if not extra:
                raise
            graded = self._run(page, handed.data, {})
        return replace(graded, report=_signed(graded.report, blank))

    def _run(self, page: Page, data: bytes, extra: Mapping[str, bytes]) -> Graded:
        grader = self._grader(page, bool(extra))
        return grader.grade(page.data, data, files=page.together(extra), name=page.file)


def _signed(report: Report, blank: Report) -> Report:
    """Return what `report` found under the name and the hashes of `blank`."""
    return replace(blank, cells=report.cells, isolation=report.isolation, sandbox=report.sandbox)


class Desks:
    """A desk for each thread that asks; closed together."""

    def __init__(self, how: How) -> None:
        self._how = how
        self._local = threading.local()
        self._all: list[Desk] = []
        self.closed = False

    def mine(self) -> Desk:
        """Return the desk of the calling thread."""
        if not hasattr(self._local, "desk"):
            self._local.desk = Desk(self._how)
            self._all.append(self._local.desk)
        desk: Desk = self._local.desk
        return desk

    def close(self) -> None:
        """Close every desk; what is being graded at one of them comes to nothing."""
        self.closed = True
        for desk in self._all:
            with contextlib.suppress(OSError):
                desk.close()
