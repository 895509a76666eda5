"""A conversation with one student process: requests with a deadline, loans both ways, how it can end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from autograder import wire
from autograder.referee import proxies
from autograder.report import Verdict

Message = dict[str, Any]
_CALLBACK_DEPTH = 50


class Channel(Protocol):
    """How messages reach a student: a process behind a socket, or the twin in this process."""

    def request(self, message: Message, answer: Callable[[Message], Message], deadline: float) -> Message:
        """Send `message`, answer what comes in between, return the reply; else raise Gone."""

    def close(self) -> None:
        """End the student."""


class Gone(BaseException):
    """The student process ended, hung or spoke nonsense: no later request can succeed.

    Not an Exception, so that an ``except Exception`` in a test does not swallow it.
    """

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict
        self.message = message


class Missing(Exception):
    """The student's notebook does not have the name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not there")
        self.name = name


class NotPlain(Exception):
    """The student's code returned, or bound, what is not plain data."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Session:
    """What the trusted side knows of one running student."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._lent: list[Callable[..., Any]] = []
        self._depth = 0
        self.deadline = 0.0
        self.gone: Gone | None = None
        self.opaque: str | None = None
        self.calling: str | None = None
        self.calls = 0

    def allow(self, seconds: float) -> None:
        """Give the requests from now on `seconds` in all."""
        self.deadline = time.monotonic() + seconds
        self.opaque = None

    def close(self) -> None:
        self._channel.close()

    def run(self, number: int, source: str) -> Message:
        """Run a cell of the student's."""
        return self._request({"op": "run", "cell": number, "source": source})

    def send_file(self, path: str, data: str) -> None:
        """Put a data file, in base64, beside the student's notebook."""
        self._request({"op": "file", "path": path, "data": data})

    def get(self, name: str) -> Any:
        """Return the student's value of `name`: a copy, or a stand-in for what is theirs."""
        return self._value(self._request({"op": "get", "name": name}), [], name)

    def attribute(self, number: int, name: str, owner: str) -> Any:
        return self._value(self._request({"op": "attribute", "of": number, "name": name}), [], owner)

    def call(self, target: str | int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function of the student's; repeat on `args` what it did to them."""
        mutables: list[object] = []
        self.calls += 1
        packed = wire.encode((args, kwargs), mutables, self)
        outer, self.calling = self.calling, name
        reply = self._request({"op": "call", "of": target, "args": packed})
        self.calling = outer
        return self._value(reply, mutables, name)

    def _value(self, reply: Message, mutables: list[object], name: str) -> Any:
        with _Sense(self):
            if "changes" in reply:
                wire.apply(reply["changes"], mutables, self)
            if "value" in reply:
                return wire.decode(reply["value"], mutables, self)
            if "error" in reply:
                error: Exception = proxies.raised(reply["error"], name)
            elif "malformed" in reply:
                self.opaque = str(reply["malformed"])[:300]
                error = NotPlain(f"{name} returned {self.opaque}")
            elif "missing" in reply:
                error = Missing(name)
            else:
                raise ValueError("no reply")
        raise error

    def _request(self, message: Message) -> Message:
        if self.gone is not None:
            raise self.gone
        try:
            return self._channel.request(message, self._answer, self.deadline)
        except Gone as end:
            self.gone = end
            raise

    def _answer(self, message: Message) -> Message:
        """Run a function of a test that the student's code calls."""
        if message.get("op") != "callback":
            return {"op": "answer", "failed": True}
        mutables: list[object] = []
        with _Sense(self):
            function = self._lent[_place(message.get("of"), len(self._lent))]
            args, kwargs = wire.decode(message.get("args"), mutables, self)
        if self._depth >= _CALLBACK_DEPTH:
            return {"op": "answer", "failed": True}
        self._depth += 1
        try:
            ledger = wire.Ledger(mutables)
            value = wire.encode(function(*args, **kwargs), mutables, self)
            return {"op": "answer", "value": value, "changes": ledger.changes(mutables, self)}
        except Exception:
            return {"op": "answer", "failed": True}
        finally:
            self._depth -= 1

    def lend(self, value: object) -> list[Any]:
        """Return a handle for what a test passes to the student."""
        if isinstance(value, proxies.Foreign):
            return ["r", proxies.number_of(value)]
        if not callable(value):
            raise wire.Unsendable(
                f"a test may pass plain data and functions to a student, got {type(value).__name__}"
            )
        self._lent.append(value)
        return ["h", len(self._lent) - 1, getattr(value, "__name__", "function")]

    def adopt(self, item: list[Any]) -> object:
        """Return what stands in a test for the student's object `item`."""
        if item[0] == "r":
            return self._lent[_place(item[1], len(self._lent))]
        kind, number, type_name = item
        if kind not in ("h", "o") or type(number) is not int or number < 0:
            raise ValueError("not a handle")
        # Not by the name that it gives itself: a function can spell there what it was called with.
        if kind == "h":
            return proxies.StudentFunction(self, number, "a function of yours")
        named = proxies.tidy(str(type_name), 100)
        self.opaque = f"an object of type {named}; return plain data or a NumPy array"
        return proxies.StudentObject(self, number, "an object of yours")


class _Sense:
    """Turns what cannot be a reply into the end of the student."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __enter__(self) -> None:
        """Enter; nothing is set up."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ValueError | TypeError | KeyError | IndexError | RecursionError | MemoryError):
            end = Gone(Verdict.CRASHED, "your code sent something that is not a value")
            self._session.gone = end
            raise end from None


def _place(value: Any, length: int) -> int:
    if type(value) is not int or not 0 <= value < length:
        raise ValueError("not a function that was lent")
    return value
