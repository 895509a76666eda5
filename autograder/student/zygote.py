"""The process that student processes are forked from.

Theory of operation
-------------------
The worker starts the zygote by exec, with a clean environment and one socket. The zygote loads the libraries,
prepares the cage and a shell, says that it is ready, and from then on does two things: ``fork`` (with a
socket sent along) and ``end``. There is one student at a time, in a fresh scratch folder. The end of the
socket means that the worker is gone: the student is killed and the zygote leaves. Only the zygote kills and
reaps.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from autograder import sandbox, wire
from autograder.student import shell as shells
from autograder.student.interpreter import Interpreter
from autograder.student.withheld import withhold

_STANDARD = 0, 1, 2
_FAILED = 70


def main(descriptor: int) -> None:
    """Serve the worker until it hangs up."""
    control = socket.socket(fileno=descriptor)
    setup = json.loads(os.environ.pop("AUTOGRADER_ZYGOTE"))
    try:
        zygote = Zygote(setup)
    except Exception as error:
        control.sendall(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode() + b"\n")
        raise SystemExit(1) from None
    control.sendall(json.dumps({"ready": True, "layers": zygote.layers}).encode() + b"\n")
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if request == b"f":
            answer = zygote.fork(descriptors[0], control)
        elif request == b"e":
            answer = zygote.end()
        else:
            zygote.end()
            return
        control.sendall(json.dumps(answer).encode() + b"\n")


class Zygote:
    """What was loaded once, and the one student that may be running."""

    def __init__(self, setup: dict[str, Any]) -> None:
        # Only this folder may be written, so that clearing it leaves nothing of one student's for the next.
        self._home = Path(setup["scratch"]) / "home"
        self._home.mkdir()
        self._student: int | None = None
        self.layers = sandbox.unshare() if setup["sandbox"] else ()
        withhold(frozenset(setup["withheld"]))
        _preload(setup["preload"])
        self._shell = shells.make()
        shells.quiet_matplotlib()
        self._render = setup["figures"]
        self._cage: sandbox.Cage | None = None
        if setup["sandbox"]:
            policy = sandbox.policy(
                setup["packages"], setup["withheld"], self._home, sandbox.Limits(**setup["limits"])
            )
            self._cage = sandbox.Cage(policy)
            self.layers += self._cage.layers
        _warm(self._shell)
        gc.collect()
        gc.freeze()

    def fork(self, channel: int, control: socket.socket) -> dict[str, Any]:
        """Start a student that talks over the descriptor `channel`."""
        self.end()
        sandbox.clear(self._home)
        child = os.fork()
        if child == 0:
            try:
                control.close()
                self._live(channel)
            finally:
                os._exit(_FAILED)
        os.close(channel)
        self._student = child
        return {"pid": child}

    def end(self) -> dict[str, Any]:
        """Kill and reap the student; say how it ended if it had ended by itself."""
        if self._student is None:
            return {"status": None}
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._student, signal.SIGKILL)
        _, status = os.waitpid(self._student, 0)
        self._student = None
        return {"status": os.waitstatus_to_exitcode(status)}

    def _live(self, channel: int) -> None:
        """Be the student: everything from here on is not trusted."""
        silence = os.open(os.devnull, os.O_RDWR)
        for descriptor in _STANDARD:
            os.dup2(silence, descriptor)
        shells.settle(str(self._home))
        keep = {*_STANDARD, channel}
        if self._cage is not None:
            self._cage.enter(keep)
        else:
            _close_all_but(keep)
        serve(socket.socket(fileno=channel), self._shell, self._render)
        os._exit(0)


def serve(channel: socket.socket, shell: shells.StudentShell, render: bool) -> None:
    """Answer the worker until it hangs up."""
    frames = wire.Frames(channel)

    def ask(message: dict[str, Any]) -> dict[str, Any]:
        frames.send(message)
        while True:
            answer = frames.receive()
            if answer["op"] == "answer":
                return answer
            reply(answer)

    def reply(message: dict[str, Any]) -> None:
        try:
            frames.send(interpreter.handle(message))
        except ValueError as error:
            frames.send({"malformed": f"more data than may cross ({error})"})

    interpreter = Interpreter(shells.Cells(shell, render), ask)
    while True:
        try:
            message = frames.receive()
        except wire.Closed:
            return
        reply(message)


def _close_all_but(kept: set[int]) -> None:
    start = 0
    for descriptor in [*sorted(kept), 2**20]:
        if start < descriptor:  # closerange(0, 0) would close every descriptor
            os.closerange(start, descriptor)
        start = descriptor + 1


def _preload(names: list[str]) -> None:
    for name in names:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


_FIRST = (
    "import numpy",
    "print(f'{numpy.random.default_rng(0).normal(size=(2, 2)) @ numpy.ones(2)}')",
    "numpy.round(numpy.ones(3), 3)",
    "import matplotlib.pyplot",
    "matplotlib.pyplot.subplots()[1].plot([0, 1])",
    "raise ValueError",
)
"""What many notebooks do, so that it is done once, before the fork, and not by every student."""


def _warm(shell: shells.StudentShell) -> None:
    """Do once what the first cells of every student would otherwise pay for, and leave no trace of it."""
    cells = shells.Cells(shell)
    for source in _FIRST:
        cells.run(0, source)
    shell.reset(new_session=True)  # type: ignore[no-untyped-call]
    shell.execution_count = 1
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
