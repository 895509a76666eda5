"""Sets the limits and gives up every privilege. Never grants one.

Root without capabilities is still the owner of root's files, and no limit on processes holds it: Landlock and
seccomp answer for those.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from typing import Final

from autograder.sandbox.errors import SandboxError
from autograder.sandbox.policy import Limits

with suppress(ImportError):  # there is none on Windows, where nothing here is called
    import resource

PR_SET_NO_NEW_PRIVS: Final = 38
PR_CAPBSET_DROP: Final = 24
PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_CLEAR_ALL: Final = 4
CAPABILITY_VERSION_3: Final = 0x2008_0522
CAPABILITIES: Final = 64


class _Header(ctypes.Structure):
    """struct __user_cap_header_struct."""

    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    """struct __user_cap_data_struct; two of them make 64 bits."""

    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


def limit(limits: Limits, present_threads: int) -> None:
    """Set the resource limits, soft and hard. `present_threads` is what this process's user has running."""
    bounds = {
        resource.RLIMIT_AS: (_address_space() + limits.memory,) * 2,
        resource.RLIMIT_CPU: (
            limits.cpu,
            limits.cpu + 1,
        ),  # SIGXCPU first, which can be ignored; then SIGKILL
        resource.RLIMIT_FSIZE: (limits.file_size,) * 2,
        resource.RLIMIT_NOFILE: (limits.open_files,) * 2,
        resource.RLIMIT_NPROC: (present_threads + limits.threads,) * 2,
        **dict.fromkeys((resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE), (0, 0)),
    }
    try:
        for which, (soft, hard) in bounds.items():
            _lower(which, soft, hard)
    except (OSError, ValueError) as failure:
        raise SandboxError(f"the resource limits must be set: {failure}") from failure


def _lower(which: int, soft: int, hard: int) -> None:
    present = resource.getrlimit(which)[1]
    if present != resource.RLIM_INFINITY:
        soft, hard = min(soft, present), min(hard, present)
    resource.setrlimit(which, (soft, hard))


def _address_space() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:  # bytes: a codec would be imported by every child
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError) as failure:
        raise SandboxError(
            f"/proc/self/statm must be readable before the sandbox closes: {failure}"
        ) from None


def count_threads() -> int:
    """Count the threads of this user on the whole machine, which is what the kernel's limit compares."""
    user, count = os.getuid(), 0
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with suppress(OSError):  # ended while we looked
                if entry.stat().st_uid == user:
                    count += os.stat(f"/proc/{entry.name}/task").st_nlink - 2
    return count


def forbid_new(libc: ctypes.CDLL) -> None:
    """Set no_new_privs. All five arguments: without the zeros the kernel refuses an ordinary user."""
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise SandboxError(f"no_new_privs must be set: {_error()}")


def drop(libc: ctypes.CDLL) -> None:
    """Drop every capability, from the bounding set too where this process may."""
    for capability in range(CAPABILITIES):
        if (
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0
        ):  # EPERM: nothing to lose; EINVAL: no such one
            break
    header = _Header(CAPABILITY_VERSION_3, 0)
    nothing, left = (_Capabilities * 2)(), (_Capabilities * 2)()
    if libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0:
        raise SandboxError(f"the ambient capabilities must be cleared: {_error()}")
    if libc.capset(ctypes.byref(header), nothing) != 0 or libc.capget(ctypes.byref(header), left) != 0:
        raise SandboxError(f"the capabilities must be dropped: {_error()}")
    if bytes(left) != bytes(nothing):
        raise SandboxError(f"no capability may be left, got {bytes(left).hex()}")


def _error() -> str:
    return os.strerror(ctypes.get_errno())
