"""Closes off one process for good: limits, privileges, files, calls. Never starts, watches or ends one.

Theory of operation
-------------------
The zygote makes one `Cage`: it resolves the policy's paths into a Landlock ruleset and exports the seccomp
filter. Each child it forks calls `enter` before any student code runs. The order matters: limits need
privileges, Landlock needs no_new_privs, and the filter comes last because it refuses the calls that the
others are made of. A step that fails raises, and the child has to end: a half-closed cage is never used.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Collection, Set
from typing import Final

from autograder.sandbox import filter as seccomp
from autograder.sandbox import privileges, ruleset
from autograder.sandbox.errors import SandboxError
from autograder.sandbox.policy import Policy

LAYERS: Final = ("descriptors", "limits", "capabilities", "landlock", "seccomp")
MANY: Final = 1 << 20 if sys.platform == "linux" else 1 << 12  # elsewhere they are closed one by one


class Cage:
    """A policy made ready to be entered by forked children.

    Parameters
    ----------
    policy : Policy
        What may be read, written and used up.
    without : set of str, optional
        Layers to leave out, of `LAYERS`. For tests, which show that an attack then succeeds.

    Attributes
    ----------
    layers : tuple of str
        What this kernel enforces, for example ``landlock-tcp``.
    """

    def __init__(self, policy: Policy, *, without: Set[str] = frozenset()) -> None:
        if unknown := without - set(LAYERS):
            raise ValueError(f"layers left out must be of {LAYERS}, got {sorted(unknown)}")
        self._policy = policy
        self._active = tuple(layer for layer in LAYERS if layer not in without)
        self._threads = privileges.count_threads() if "limits" in self._active else 0
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._rules = ruleset.build(policy) if "landlock" in self._active else None
        self._program = seccomp.program() if "seccomp" in self._active else b""
        self.layers = self._names()

    def enter(self, keep: Collection[int] | None = None) -> None:
        """Close this process off, for good. Call it in a forked child that has one thread.

        Parameters
        ----------
        keep : collection of int, optional
            Descriptors to leave open; all others are closed. Without it none is closed: what is open already
            can be read and written whatever the policy says.

        Raises
        ------
        SandboxError
            If any step fails. The process must then end.
        """
        _require_one_thread()
        if "limits" in self._active:
            privileges.limit(self._policy.limits, self._threads)
        privileges.forbid_new(self._libc)
        if "capabilities" in self._active:
            privileges.drop(self._libc)
        if self._rules is not None:
            ruleset.restrict(self._rules)
        if keep is not None and "descriptors" in self._active:
            close_all_but(keep)
        if self._program:
            seccomp.load(self._libc, self._program)

    def _names(self) -> tuple[str, ...]:
        extra = {"landlock": ruleset.features()}
        return tuple(name for layer in self._active for name in (layer, *extra.get(layer, ())))


def _require_one_thread() -> None:
    try:
        threads = len(os.listdir("/proc/self/task"))
    except OSError as failure:
        raise SandboxError(f"/proc must be readable before the sandbox closes: {failure}") from None
    if threads != 1:
        raise SandboxError(f"a process must have one thread when it is closed off, got {threads}")


def close_all_but(keep: Collection[int]) -> None:
    """Close every descriptor of this process but those in `keep`."""
    low = 0
    for descriptor in sorted(set(keep)):
        if low < descriptor:  # closerange(0, 0) would close every descriptor
            os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, MANY)
