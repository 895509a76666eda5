"""Starts workers, watches them, and is what everything above grades with.

Theory of operation
-------------------
A worker is trusted, but a test that it runs works on what a student returned, and no signal interrupts a long
loop in C. So the worker says at which cell it is and how long that may take. When it says nothing for longer,
it is killed and a new one grades the same submission again, with that cell's verdict given.
"""

from __future__ import annotations

import base64
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograder import wire
from autograder.notebook import UnreadableError, read
from autograder.referee.referee import Outcome, Rules
from autograder.referee.source import Source
from autograder.report import CellResult, Report, Verdict
from autograder.worker.grading import SourceError, key, unreadable
from autograder.worker.processes import ZygoteError

__all__ = ["Graded", "Grader", "Options", "SourceError", "ZygoteError"]

VERSION = "1"
GRACE = 10.0
_QUIET = 120.0
_STARTS = 30
_LEAVING = 5.0
_CODE = "import sys; sys.path.append(sys.argv[1]); from autograder.worker.main import start; start()"


@dataclass(frozen=True)
class Options:
    """How to grade. `sandboxed` False grades without protection and says so in every report."""

    sandboxed: bool = True
    figures: bool = False
    preload: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)


@dataclass(frozen=True)
class Graded:
    """One graded notebook: executed, without hidden tests, and its report."""

    notebook: Mapping[str, Any]
    report: Report


class Grader:
    """One worker at a time; use as a context manager, from one thread."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._worker: _Worker | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def key(self, source: Source, data: bytes) -> str:
        """Return the fingerprint of everything that a result depends on."""
        return key(source, data, VERSION, repr(self.options))

    def check_source(self, source: bytes, files: Mapping[str, bytes] | None = None) -> None:
        """Raise SourceError unless the source's own answers pass every test."""
        self._ask(_request(source, files))

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
            outcome = self._outcome(source, submission, files)
        report = Report(
            notebook=name,
            path=path,
            student=student,
            cells=list(outcome.results),
            isolation=self.options.rules.isolation,
            sandbox=self.options.sandboxed,
            hashes={"result": self.key(_source(source, files), submission)},
        )
        return Graded(outcome.notebook, report)

    def _outcome(self, source: bytes, submission: bytes, files: Mapping[str, bytes] | None) -> Outcome:
        parsed = _source(source, files)
        points = {cell.grade_id: cell.points for cell in parsed.graded if cell.is_test}
        verdicts: list[dict[str, Any]] = []
        request = {**_request(source, files), "submission": _pack(submission), "verdicts": verdicts}
        for _ in range(_STARTS):
            try:
                reply = self._ask(request)
            except _Stuck as stuck:
                if stuck.cell not in points or any(item["grade_id"] == stuck.cell for item in verdicts):
                    return unreadable(parsed, f"grading stopped at {stuck.cell}", Verdict.INTERNAL)
                message = "The test did not come to an end on what your code gave it."
                result = CellResult(stuck.cell, 0.0, points[stuck.cell], Verdict.TIMEOUT, message)
                verdicts.append(result.to_json())
                continue
            if "internal" in reply:
                return unreadable(parsed, f"the grader failed: {reply['internal']}", Verdict.INTERNAL)
            return Outcome(reply["notebook"], [CellResult.from_json(item) for item in reply["results"]])
        return unreadable(parsed, "the grader had to be restarted too often", Verdict.INTERNAL)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._worker is None:
            self._worker = _Worker(self.options)
        try:
            reply = self._worker.ask(request)
        except BaseException:
            self.close()
            raise
        if "refused" in reply:
            raise SourceError(reply["refused"])
        if "broken" in reply:
            self.close()
            raise ZygoteError(reply["broken"])
        return reply


class _Stuck(Exception):
    def __init__(self, cell: str) -> None:
        super().__init__(cell)
        self.cell = cell


class _Worker:
    """A worker process and the socket to it."""

    def __init__(self, options: Options) -> None:
        self._stuck = False
        ours, theirs = socket.socketpair()
        root = str(Path(__file__).resolve().parents[1])
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE, root, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )
        self._frames = wire.Frames(ours)
        rules = asdict(options.rules)
        self._frames.send(
            {
                "sandbox": options.sandboxed,
                "figures": options.figures,
                "preload": list(options.preload),
                "rules": rules,
            }
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self._frames.send(request)
        at, patience = "the start", _QUIET
        while True:
            try:
                reply = self._frames.receive(time.monotonic() + patience)
            except (wire.Expired, wire.Closed):
                self._stuck = True
                raise _Stuck(at) from None
            if "at" not in reply:
                return reply
            at, patience = reply["at"], reply["seconds"] + GRACE

    def close(self) -> None:
        """Let the worker leave; kill it when it does not, as one that is stuck cannot."""
        self._frames.close()
        try:
            self._process.wait(0 if self._stuck else _LEAVING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


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
