"""What stands in a test for things of the student's: functions, objects, exceptions.

A stand-in has no opinion of its own: it compares by identity, and whatever it returns came over the wire as
plain data. So an object that claims to equal everything cannot say so here.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from typing import Any, Protocol

_NEVER = {"StopIteration", "StopAsyncIteration", "GeneratorExit", "SystemExit", "KeyboardInterrupt"}
MESSAGE_LIMIT = 600
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\uf8ff\ufeff\ufff0-\uffff\U000e0000-\U0010ffff]"
)
"""Control, format, surrogate and private characters: what a terminal or a page would act on, or not show."""


class Caller(Protocol):
    """What a stand-in needs of a session."""

    def call(self, target: str | int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the student's function."""

    def attribute(self, number: int, name: str, owner: str) -> Any:
        """Return an attribute of the student's object."""


class Foreign:
    """Something that stays in the student's process; here is its number."""

    def __init__(self, session: Caller, number: int, name: str) -> None:
        self.__dict__.update({"_session": session, "_number": number, "__name__": name, "__qualname__": name})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an object of the student's cannot be changed from a test (setting {name})")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        session: Caller = self.__dict__["_session"]
        return session.attribute(self.__dict__["_number"], name, self.__dict__["__name__"])

    def __repr__(self) -> str:
        return f"<the student's {self.__dict__['__name__']}>"

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} is not plain data, so it is neither true nor false")


def number_of(thing: Foreign) -> int:
    """Return the number under which the student's process knows `thing`."""
    number: int = thing.__dict__["_number"]
    return number


class StudentFunction(Foreign):
    """A function of the student's, called over the wire."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        session: Caller = self.__dict__["_session"]
        return session.call(self.__dict__["_number"], self.__dict__["__name__"], args, kwargs)

    def __bool__(self) -> bool:
        return True


class StudentObject(Foreign):
    """An object of the student's that is not plain data."""


class StudentError(Exception):
    """An exception that the student's code raised, as far as it may be told."""

    kind: str
    name: str
    text: str
    steps: Sequence[tuple[int, int]]
    function: str

    def __str__(self) -> str:
        return self.text


_CLASSES: dict[str, type[StudentError]] = {}


def _class_for(kind: str) -> type[StudentError]:
    """Return an exception class that ``except`` and ``pytest.raises`` take for the built-in `kind`."""
    if kind not in _CLASSES:
        builtin = getattr(builtins, kind)
        _CLASSES[kind] = type(f"Student{kind}", (StudentError, builtin), {})
    return _CLASSES[kind]


def _bare(cls: type[StudentError]) -> StudentError:
    """Make an instance of `cls` without the arguments that its built-in may ask for."""
    try:
        return cls.__new__(cls)
    except TypeError:  # the layout is that of Exception, whatever the built-in's own constructor is
        return Exception.__new__(cls)


def raised(problem: Any, function: str) -> StudentError:
    """Build the exception that stands for the student's; raise ValueError where `problem` describes none."""
    kinds = [kind for kind in problem["kinds"] if isinstance(kind, str)]
    kind = next((kind for kind in kinds if _is_exception(kind)), "Exception")
    cls = _class_for(kind) if kind != "Exception" else StudentError
    error = _bare(cls)
    error.kind = next((name for name in kinds if _is_builtin(name)), "Exception")
    error.name = tidy(str(problem["name"]), 80)
    error.text = tidy(str(problem["message"]), MESSAGE_LIMIT)
    error.args = (error.text,)
    error.steps = [(cell, line) for cell, line in problem["steps"] if type(cell) is int and type(line) is int]
    error.function = function
    return error


def _is_builtin(kind: str) -> bool:
    known = getattr(builtins, kind, None)
    return isinstance(known, type) and issubclass(known, BaseException)


def _is_exception(kind: str) -> bool:
    """Whether a test may meet this built-in kind as itself: not what would end its loop, or the process."""
    known = getattr(builtins, kind, None)
    return (
        isinstance(known, type)
        and issubclass(known, Exception)
        and known is not Exception
        and kind not in _NEVER
        and not issubclass(known, BaseExceptionGroup)
    )


def tidy(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Return `text` without control, direction and surrogate characters, cut at `limit`."""
    clean = _UNSEEN.sub(" ", text[: limit + 1])
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
