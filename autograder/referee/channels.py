"""How messages reach a student: over a socket to a process of its own, or to the twin in this very process.

The twin runs the same interpreter on the same messages, without a process, a sandbox or limits: for tests of
the referee, most of which need none.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Protocol

from autograder import wire
from autograder.referee.session import Gone, Message
from autograder.report import Verdict

_SLOW = "it did not come back in time"


class Process(Protocol):
    """A student process, as the one who started it knows it."""

    frames: wire.Frames

    def end(self) -> None:
        """Kill the process."""

    def ending(self) -> tuple[Verdict, str]:
        """Say how the process, which is gone, came to its end."""


class Overfull(Exception):
    """The student wrote more files than its scratch folder may hold."""


class ProcessChannel:
    """The way to a student process.

    Each request has a token that nobody can foresee, and its reply carries it. What is sent without being
    asked for is passed over, so a flood of made-up replies costs no other answer its own.
    """

    def __init__(self, process: Process) -> None:
        self._process = process

    def request(self, message: Message, answer: Callable[[Message], Message], deadline: float) -> Message:
        frames = self._process.frames
        token = secrets.token_hex(4)
        try:
            frames.send({**message, "token": token}, deadline)
            while True:
                reply = frames.receive(deadline)
                if "op" in reply:
                    frames.send(answer(reply), deadline)
                elif reply.get("token") == token:
                    return reply
        except wire.Expired:
            self._process.end()
            raise Gone(Verdict.TIMEOUT, _SLOW) from None
        except Overfull as error:
            self._process.end()
            raise Gone(Verdict.FORBIDDEN, str(error)) from None
        except wire.Closed:
            verdict, reason = self._process.ending()
            raise Gone(verdict, reason) from None
        except wire.Garbled:
            self._process.end()
            raise Gone(Verdict.CRASHED, "it wrote to the line on which its answers are sent") from None

    def close(self) -> None:
        self._process.end()


class Handler(Protocol):
    """The student's side."""

    def handle(self, message: Message) -> Message:
        """Answer one message."""


class TwinChannel:
    """The way to an interpreter in this process; messages are still written out and read back."""

    def __init__(self, make: Callable[[Callable[[Message], Message]], Handler]) -> None:
        self._answer: Callable[[Message], Message] = _nobody
        self._handler = make(lambda message: _copy(self._answer(_copy(message))))

    def request(self, message: Message, answer: Callable[[Message], Message], deadline: float) -> Message:
        self._answer = answer
        return _copy(self._handler.handle(_copy(message)))

    def close(self) -> None:
        """Do nothing: no process is there to end."""


def _copy(message: Message) -> Message:
    copied: Message = json.loads(json.dumps(message))
    return copied


def _nobody(message: Message) -> Message:
    raise RuntimeError("the student spoke before it was asked")
