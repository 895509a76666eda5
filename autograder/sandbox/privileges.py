"""Gives up what a process could use against the sandbox: limits raised, capabilities, new privileges. Never grants any.

Root without capabilities is still the owner of root's files, and no limit on processes holds it: Landlock and seccomp
answer for those.
"""

from __future__ import annotations

import ctypes
import os
from typing import Final

from autograder.sandbox.errors import SandboxError
from autograder.sandbox.policy import Limits

PR_SET_NO_NEW_PRIVS: Final = 38


def prepare() -> None:
    """Import what the steps below need, once, so that no child has to; it would cost each of them 8 ms."""
    try:
        import resource

        import pyprctl
    except ImportError as failure:
        raise SandboxError(f"resource and pyprctl must be there: {failure}") from None
    del pyprctl, resource


def limit(limits: Limits) -> None:
    """Set the resource limits of this process, soft and hard."""
    import resource as r

    bounds = {
        r.RLIMIT_AS: (_address_space() + limits.memory,) * 2,
        r.RLIMIT_CPU: (limits.cpu, limits.cpu + 1),  # SIGXCPU first, which can be ignored; then SIGKILL
        r.RLIMIT_FSIZE: (limits.file_size,) * 2,
        r.RLIMIT_NOFILE: (limits.open_files,) * 2,
        **dict.fromkeys((r.RLIMIT_CORE, r.RLIMIT_MEMLOCK, r.RLIMIT_MSGQUEUE), (0, 0)),
    }
    try:
        for which, (soft, hard) in bounds.items():
            _lower(which, soft, hard)
    except (OSError, ValueError) as failure:
        raise SandboxError(f"the resource limits must be set: {failure}") from failure


def _lower(which: int, soft: int, hard: int) -> None:
    import resource as r

    present = r.getrlimit(which)[1]
    if present != r.RLIM_INFINITY:
        soft, hard = min(soft, present), min(hard, present)
    r.setrlimit(which, (soft, hard))


def _address_space() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:  # bytes: a codec would be imported by every child
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError) as failure:
        raise SandboxError(f"/proc/self/statm must be readable before the sandbox closes: {failure}") from None


def forbid_new(libc: ctypes.CDLL) -> None:
    """Set no_new_privs. All five arguments: without the zeros the kernel refuses an ordinary user."""
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise SandboxError(f"no_new_privs must be set: {os.strerror(ctypes.get_errno())}")


def drop() -> None:
    """Drop every capability, from the bounding set too where this process may."""
    import pyprctl

    try:
        if pyprctl.cap_effective.has(pyprctl.Cap.SETPCAP):
            for capability in pyprctl.capbset_probe():
                pyprctl.capbset_drop(capability)
        pyprctl.cap_ambient_clear_all()
        pyprctl.CapState().set_current()
        left = pyprctl.CapState.get_current()
    except OSError as failure:
        raise SandboxError(f"the capabilities must be dropped: {failure}") from failure
    if left.effective or left.permitted or left.inheritable:
        raise SandboxError(f"no capability may be left, got {left}")
