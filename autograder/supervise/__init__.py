"""Starts workers, watches them, and is what everything above grades with.

Theory of operation
-------------------
A worker is trusted, but a test that it runs works on what a student returned, and no signal interrupts a long
loop in C. So the worker says at which cell it is and how long that may take. When it says nothing for longer,
it is killed and a new one grades the same submission again, with that cell's verdict given.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.notebook import UnreadableError, digest, read
from autograder.referee.referee import Outcome
from autograder.referee.source import Source
from autograder.report import CellResult, Report, Verdict
from autograder.supervise.process import Options, Stuck, Worker
from autograder.worker.grading import SourceError, unreadable
from autograder.worker.processes import ZygoteError
from autograder.worker.versions import version_of

__all__ = ["FAULT", "ClosedError", "Graded", "Grader", "Options", "SourceError", "ZygoteError"]

FAULT = "The grader itself failed here. This is not your fault; it has to be graded again."
_AGAIN = 2


@dataclass(frozen=True)
class Graded:
    """One graded notebook: executed, without hidden tests, its report, and `fault` where it is ours."""

    notebook: Mapping[str, Any]
    report: Report
    fault: str | None = None


class ClosedError(RuntimeError):
    """A grader was asked after it was closed, or closed while it was asked."""


class Grader:
    """One worker at a time; use as a context manager, from one thread."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._worker: Worker | None = None
        self._closed = False
        self._parsed: tuple[tuple[bytes, dict[str, bytes]], Source] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, for good: what is being graded in another thread ends with ClosedError."""
        self._closed = True
        self._drop()

    def _drop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def key(self, source: Source, data: bytes) -> str:
        """Return the fingerprint of everything that a result depends on."""
        return digest([source.fingerprint, data, version_of(source.modules), repr(self.options)])

    def grade(
        self,
        source: bytes,
        submission: bytes,
        *,
        files: Mapping[str, bytes] | None = None,
        name: str = "notebook.ipynb",
        path: str = "",
        student: str | None = None,
    ) -> Graded:
        """Grade `submission` against `source`, both as the bytes of a notebook file.

        Raises
        ------
        SourceError
            If `source` is no notebook, or its own answers do not pass its own tests.
        """
        with self._lock:
            parsed = self._parse(source, files)
            outcome, fault = self._outcome(
                parsed, {**_request(source, files), "submission": _pack(submission)}
            )
        report = Report(
            notebook=name,
            path=path,
            student=student,
            cells=list(outcome.results),
            isolation=self.options.rules.isolation,
            sandbox=self.options.sandboxed,
            hashes={"result": self.key(parsed, submission)},
        )
        return Graded(outcome.notebook, report, fault)

    def _parse(self, source: bytes, files: Mapping[str, bytes] | None) -> Source:
        """Return the source, read once for a whole class."""
        asked = (source, dict(files or {}))
        if self._parsed is None or self._parsed[0] != asked:
            self._parsed = asked, _source(source, files)
        return self._parsed[1]

    def _outcome(self, source: Source, request: dict[str, Any]) -> tuple[Outcome, str | None]:
        """Return what became of a submission and, where the fault is ours, what it was."""
        points = {cell.grade_id: cell.points for cell in source.graded if cell.is_test}
        given: dict[str, CellResult] = {}
        fault = ""
        for _ in range(len(points) + _AGAIN):
            request["verdicts"] = [result.to_json() for result in given.values()]
            try:
                reply = self._ask(request)
            except Stuck as stuck:
                fault = f"the worker came to no end, or to a bad one, at {stuck.cell}"
                if stuck.cell in points and stuck.cell not in given:
                    given[stuck.cell] = _endless(stuck.cell, points[stuck.cell])
                continue
            if "internal" not in reply:
                results = [CellResult.from_json(item) for item in reply["results"]]
                return Outcome(reply["notebook"], results), None
            fault = reply["internal"]
            break
        return unreadable(source, FAULT, Verdict.INTERNAL), fault

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._closed:
            raise ClosedError("a grader must not be asked after it was closed")
        worker = self._worker = self._worker or Worker(self.options)
        try:
            reply = worker.ask(request)
        except BaseException:
            self._drop()
            raise
        if "refused" in reply:
            raise SourceError(reply["refused"])
        if "broken" in reply or "internal" in reply:
            self._drop()  # whatever is wrong with it, the next submission has a fresh one
        if "broken" in reply:
            raise ZygoteError(reply["broken"])
        return reply


def _endless(grade_id: str, points: float) -> CellResult:
    message = "The test did not come to an end on what your code gave it."
    return CellResult(grade_id, 0.0, points, Verdict.TIMEOUT, message)


def _pack(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _request(source: bytes, files: Mapping[str, bytes] | None) -> dict[str, Any]:
    packed = {name: _pack(data) for name, data in (files or {}).items()}
    return {"source": _pack(source), "files": packed}


def _source(source: bytes, files: Mapping[str, bytes] | None) -> Source:
    try:
        return Source(read(source), dict(files or {}))
    except UnreadableError as error:
        raise SourceError(f"the source must be a notebook: {error}") from None


def modules_of(sources: Iterable[bytes]) -> tuple[str, ...]:
    """Return what the cells of `sources` import: worth loading in a worker before the first submission."""
    return tuple(sorted({name for source in sources for name in _source(source, None).modules}))
