"""The process that student processes are forked from.

Theory of operation
-------------------
The worker starts the zygote by exec, with a clean environment and one socket. The zygote loads the libraries,
prepares cages and a shell, says that it is ready, and then does three things. ``f``: hand over a student that
was forked ahead, and fork the next one. ``e``: kill the student, at once. ``w``: the same, and say how it had
ended. There is one student at a time, in one of two berths; the other has the next one. The end of the socket
means that the worker is gone: all are killed, the scratch folder goes, the zygote leaves. Only the zygote
kills and reaps.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import shutil
import socket
import sys
from pathlib import Path
from typing import Any

from autograder import sandbox, wire
from autograder.student import shell as shells
from autograder.student.berth import Berth
from autograder.student.interpreter import Interpreter
from autograder.student.withheld import withhold


def main(descriptor: int) -> None:
    """Serve the worker until it hangs up."""
    control = socket.socket(fileno=descriptor)
    setup = json.loads(os.environ.pop("AUTOGRADER_ZYGOTE"))
    try:
        zygote = Zygote(setup)
    except Exception as error:
        _tell(control, {"failed": f"{type(error).__name__}: {error}"})
        raise SystemExit(1) from None
    _tell(control, {"ready": True, "layers": zygote.layers})
    try:
        while request := control.recv(1):
            zygote.obey(request, control)
    finally:
        zygote.close()
        shutil.rmtree(setup["scratch"], ignore_errors=True)


def _tell(control: socket.socket, answer: dict[str, Any], *descriptors: int) -> None:
    socket.send_fds(control, [json.dumps(answer).encode() + b"\n"], descriptors)


class Zygote:
    """What was loaded once, the student at work, and the next one."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.layers = sandbox.unshare() if setup["sandbox"] else ()
        withhold(frozenset(setup["withheld"]))
        _preload(setup["preload"])
        self._shell = shells.make()
        shells.quiet_matplotlib()
        self._render = setup["figures"]
        self._berths = [self._berth(setup, name) for name in ("a", "b")]
        _warm(self._shell)
        gc.collect()
        gc.freeze()
        self._berths[1].prepare(self._touch)

    def _berth(self, setup: dict[str, Any], name: str) -> Berth:
        # Only this folder may be written, so that clearing it leaves nothing of one student's for another.
        home = Path(setup["scratch"]) / name
        home.mkdir()
        cage = None
        if setup["sandbox"]:
            limits = sandbox.Limits(**setup["limits"])
            cage = sandbox.Cage(sandbox.policy(setup["packages"], setup["withheld"], home, limits))
            self.layers += cage.layers if name == "a" else ()
        return Berth(home, cage, lambda channel: serve(channel, self._shell, self._render))

    def obey(self, request: bytes, control: socket.socket) -> None:
        """Do what the worker asks for, and answer."""
        if request == b"f":
            self._berths.reverse()
            self._berths[1].end()
            with self._berths[0].hand_over() as channel:
                _tell(control, {"home": str(self._berths[0].home)}, channel.fileno())
            self._berths[1].prepare(self._touch)
        elif request == b"e":
            self._berths[0].end()
        else:
            _tell(control, {"status": self._berths[0].wait()})

    def close(self) -> None:
        for berth in self._berths:
            berth.wait()

    def _touch(self, folder: str) -> None:
        """Do in a fork what pages in the shell, so that the first cell need not; leave no trace of it."""
        shells.settle(folder)
        self._shell.run_cell(_TOUCH, silent=True)  # type: ignore[no-untyped-call]


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
        token = message["token"]
        try:
            frames.send({**interpreter.handle(message), "token": token})
        except ValueError as error:
            frames.send({"malformed": f"more data than may cross ({error})", "token": token})

    interpreter = Interpreter(shells.Cells(shell, render), ask)
    while True:
        try:
            message = frames.receive()
        except wire.Closed:
            return
        reply(message)


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


_TOUCH = """
(lambda np, wire, json: [
    wire.decode(json.loads(json.dumps(wire.encode(np.cos(x) @ x, [], None))), [], None)
    for x in (np.ones((3, 3)), np.arange(8.0), np.random.default_rng(0).normal(size=4))
])(__import__("numpy"), __import__("autograder.wire").wire, __import__("json"))
"""
"""Arithmetic and a value there and back: what every student's first calls do. It binds no name."""


def _warm(shell: shells.StudentShell) -> None:
    """Do once what the first cells of every student would otherwise pay for, and leave no trace of it."""
    cells = shells.Cells(shell)
    for source in _FIRST:
        cells.run(0, source)
    shell.reset(new_session=True)  # type: ignore[no-untyped-call]
    shell.execution_count = 1
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
