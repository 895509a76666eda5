"""Runs one function in a forked child and tells how that ended. Knows nothing of what the function tries."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LONGEST_REPORT: Final = 4096


@dataclass(frozen=True)
class Ending:
    """What a child said, and the signal that ended it or 0."""

    report: str
    signal: int
    overdue: bool = False


@dataclass(frozen=True)
class Trial:
    """A child that is running. `finish` waits for it."""

    child: int
    pipe: int

    def finish(self, seconds: float) -> Ending:
        """Wait for the end of the child's report, at most so long; then end the child."""
        report = b""
        deadline = time.monotonic() + seconds
        overdue = False
        while len(report) < LONGEST_REPORT and not overdue:
            overdue = not select.select([self.pipe], [], [], max(0.0, deadline - time.monotonic()))[0]
            chunk = b"" if overdue else os.read(self.pipe, LONGEST_REPORT)
            if not chunk:
                break
            report += chunk
        os.close(self.pipe)
        if overdue:
            os.kill(self.child, signal.SIGKILL)
        status = os.waitpid(self.child, 0)[1]
        ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        return Ending(report.decode("utf-8", "replace"), ended_by, overdue)


def start(act: Callable[[int], str]) -> Trial:
    """Fork a child that calls ``act(descriptor)`` and reports what it returns through that descriptor."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.write(writing, act(writing).encode("utf-8", "replace"))
        finally:
            os._exit(0)
    os.close(writing)
    return Trial(child, reading)
