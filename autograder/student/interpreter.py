"""Answers the trusted side: runs cells, looks up names, calls functions, lends what is not plain data."""

from __future__ import annotations

import base64
import inspect
import os
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, Protocol

from autograder import wire

Message = dict[str, Any]


class Runner(Protocol):
    """What the interpreter needs of a shell."""

    @property
    def names(self) -> dict[str, Any]:
        """The notebook's global names."""

    def run(self, number: int, source: str) -> Message:
        """Run one cell."""

    def problem(self, error: BaseException) -> Message:
        """Describe an exception."""


class Borrowed:
    """A function of the trusted side that student code may call."""

    def __init__(
        self, number: int, name: str, ask: Callable[[int, tuple[Any, ...], dict[str, Any]], Any]
    ) -> None:
        self._number = number
        self._ask = ask
        self.__name__ = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(self._number, args, kwargs)


class Interpreter:
    """One student's side of the conversation.

    `ask` sends a message to the trusted side and returns its answer, serving what comes in between.
    """

    def __init__(self, cells: Runner, ask: Callable[[Message], Message]) -> None:
        self._cells = cells
        self._ask = ask
        self._lent: list[object] = []

    def handle(self, message: Message) -> Message:
        """Answer one message of the trusted side."""
        operation = message["op"]
        if operation == "run":
            return self._cells.run(message["cell"], message["source"])
        if operation == "file":
            return _store(message["path"], message["data"])
        try:
            if operation == "get":
                return self._get(message["name"])
            if operation == "attribute":
                return {"value": self._encode(getattr(self._lent[message["of"]], message["name"]), [])}
            return self._call(message)
        except wire.Malformed as error:
            return {"malformed": str(error)}
        except BaseException as error:
            return {"error": self._cells.problem(error)}

    def _get(self, name: str) -> Message:
        names = self._cells.names
        if name not in names:
            return {"missing": True}
        return {"value": self._encode(names[name], [])}

    def _call(self, message: Message) -> Message:
        target = message["of"]
        if isinstance(target, str):
            names = self._cells.names
            if target not in names:
                return {"missing": True}
            function: Any = names[target]
        else:
            function = self._lent[target]
        mutables: list[object] = []
        args, kwargs = wire.decode(message["args"], mutables, self)
        ledger = wire.Ledger(mutables)
        outcome: Message
        try:
            value = function(*args, **kwargs)
            if inspect.iscoroutine(value):
                value.close()
                raise wire.Malformed("a coroutine; define it without async")
            outcome = {"value": self._encode(value, mutables)}
        except wire.Malformed as error:
            outcome = {"malformed": str(error)}
        except BaseException as error:
            outcome = {"error": self._cells.problem(error)}
        outcome["changes"] = ledger.changes(mutables, self)
        return outcome

    def _encode(self, value: object, mutables: list[object]) -> list[Any]:
        return wire.encode(value, mutables, self)

    def lend(self, value: object) -> list[Any]:
        """Return a handle; the object itself stays here."""
        if type(value) is Borrowed:
            return ["r", value._number]
        self._lent.append(value)
        return ["h" if callable(value) else "o", len(self._lent) - 1, type(value).__name__[:100]]

    def adopt(self, item: list[Any]) -> object:
        """Return what stands here for a handle of the trusted side."""
        if item[0] == "r":
            return self._lent[item[1]]
        if item[0] == "h":
            return Borrowed(item[1], str(item[2]), self._callback)
        raise ValueError("not a tagged value")

    def _callback(self, number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        mutables: list[object] = []
        packed = self._encode((args, kwargs), mutables)
        answer = self._ask({"op": "callback", "of": number, "args": packed})
        if "failed" in answer:
            raise RuntimeError("the function that you were given could not use what you passed to it")
        wire.apply(answer["changes"], mutables, self)
        return wire.decode(answer["value"], mutables, self)


def _store(path: str, data: str) -> Message:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts:
        raise ValueError(f"a data file must lie beside the notebook, got {path}")
    os.makedirs(parts.parent, exist_ok=True)
    with open(parts, "wb") as file:
        file.write(base64.b64decode(data))
    return {}
