"""A place for one student process: a folder of its own, a cage, and the process from fork to grave.

Theory of operation
-------------------
A process is forked ahead of time: it warms up, closes itself off and waits for its first message, while the
student before it is still at work elsewhere. What it has touched by then, no cell has to wait for. A berth is
used again only once its process is dead and its folder empty, so nothing of one student's is there for the
next.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

from autograder import sandbox

_STANDARD = 0, 1, 2
_FAILED = 70


class Berth:
    """One folder, one cage, and at most one process in it."""

    def __init__(self, home: Path, cage: sandbox.Cage | None, live: Callable[[socket.socket], None]) -> None:
        self.home = home
        self._cage = cage
        self._live = live
        self._process: int | None = None
        self._ours: socket.socket | None = None

    def prepare(self, warm: Callable[[str], None]) -> None:
        """Fork a process that waits for its first message."""
        self.wait()
        sandbox.clear(self.home)
        self._ours, theirs = socket.socketpair()
        with theirs:
            self._process = os.fork()
            if self._process == 0:
                try:
                    self._be(theirs, warm)
                finally:
                    os._exit(_FAILED)

    def hand_over(self) -> socket.socket:
        """Return our end of the socket to the waiting process, which is from now on the caller's."""
        assert self._ours is not None
        ours, self._ours = self._ours, None
        return ours

    def end(self) -> None:
        """Kill the process, without waiting until it is gone."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)

    def wait(self) -> int | None:
        """Kill and reap the process; return its exit status, which is its own where it had ended before."""
        if self._ours is not None:
            self._ours.close()
            self._ours = None
        if self._process is None:
            return None
        self.end()
        _, status = os.waitpid(self._process, 0)
        self._process = None
        return os.waitstatus_to_exitcode(status)

    def _be(self, channel: socket.socket, warm: Callable[[str], None]) -> None:
        """Be the student: everything from here on is not trusted."""
        silence = os.open(os.devnull, os.O_RDWR)
        for descriptor in _STANDARD:
            os.dup2(silence, descriptor)
        warm(str(self.home))
        keep = {*_STANDARD, channel.fileno()}
        if self._cage is not None:
            self._cage.enter(keep)
        else:
            sandbox.close_all_but(keep)
        self._live(channel)
        os._exit(0)
