"""What an attack aims at: files outside, sockets that listen, a terminal, the parent. Sets nothing up.

`Protection` ties a claim to the attack on it. Attacks themselves are in the files beside this one.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from autograder.sandbox.policy import Limits

LANDLOCK: Final = frozenset({"landlock"})
SECCOMP: Final = frozenset({"seccomp"})
BOTH: Final = LANDLOCK | SECCOMP
CAPABILITIES: Final = frozenset({"capabilities"})
LIMITS: Final = frozenset({"limits"})


class NotApplicable(Exception):
    """There is no such thing to attack on this machine, or for this user."""


@dataclass(frozen=True)
class Scene:
    """The targets, and the attacker's own folder.

    `secret` is the content of the file `target`. `inherited` is a descriptor of that file that the cage is
    told to close, `terminal` one that it is told to keep, `report` the pipe to the judge.
    """

    outside: Path
    scratch: Path
    secret: bytes
    inherited: int
    terminal: int
    tcp: int
    udp: int
    parent: int
    limits: Limits
    library: ctypes.CDLL
    numbers: dict[str, int]
    report: int = -1

    @property
    def target(self) -> Path:
        return self.outside / "secret"

    @property
    def abstract(self) -> str:
        """The name of a socket that is in no folder."""
        return f"\0{self.outside.name}"

    def call(self, name: str, *arguments: object) -> int:
        """Make a system call by its name; raise OSError where the kernel refuses."""
        if self.numbers[name] < 0:
            raise NotApplicable(f"no call {name} here")
        wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
        ctypes.set_errno(0)
        answer: int = self.library.syscall(ctypes.c_long(self.numbers[name]), *wide)
        if answer == -1:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return answer


@dataclass(frozen=True)
class Protection:
    """What is claimed, the attack on it, and the layers of the cage that answer for it.

    `attack` says what it achieved, returns nothing where it achieved nothing, or raises OSError where it was
    refused; what is changed outside counts in any case, since some calls answer with success and do nothing.
    With `ends`, the child may be killed. Without any of `layers` the attack succeeds.
    """

    name: str
    attack: Callable[[Scene], str | None]
    layers: frozenset[str]
    ends: bool = False
