"""One worker process: started, asked, and left or killed."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograder import wire
from autograder.referee.referee import Rules

GRACE = 10.0
_QUIET = 120.0
_LEAVING = 5.0
_CODE = "import sys; sys.path.append(sys.argv[1]); from autograder.worker.main import start; start()"


@dataclass(frozen=True)
class Options:
    """How to grade. `sandboxed` False grades without protection and says so in every report."""

    sandboxed: bool = True
    figures: bool = False
    preload: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)


class Stuck(Exception):
    """The worker came to no end, or to a bad one, at `cell`."""

    def __init__(self, cell: str) -> None:
        super().__init__(cell)
        self.cell = cell


class Worker:
    """A worker process and the socket to it."""

    def __init__(self, options: Options) -> None:
        self._stuck = False
        ours, theirs = socket.socketpair()
        root = str(Path(__file__).resolve().parents[2])
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
        at, patience = "the start", _QUIET
        self._send(request, at)
        while True:
            try:
                reply = self._frames.receive(time.monotonic() + patience)
            except (wire.Expired, wire.Closed):
                raise self._gone(at) from None
            if "at" not in reply:
                return reply
            at, patience = reply["at"], reply["seconds"] + GRACE

    def _send(self, request: dict[str, Any], at: str) -> None:
        try:
            self._frames.send(request)
        except wire.Closed:
            raise self._gone(at) from None

    def _gone(self, at: str) -> Stuck:
        self._stuck = True
        return Stuck(at)

    def close(self) -> None:
        """Let the worker leave; kill it when it does not, as one that is stuck cannot."""
        self._frames.close()
        try:
            self._process.wait(0 if self._stuck else _LEAVING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
