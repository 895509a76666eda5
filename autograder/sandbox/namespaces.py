"""Enters namespaces of its own: a layer on top, where the machine allows it. Nothing relies on it.

Theory of operation
-------------------
The zygote does this once, before it makes its `Cage`. A trial runs in a forked child first, because a machine
can grant a user namespace and then refuse what belongs to it (AppArmor does), which would leave the zygote
without access to its files.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Final

NAMESPACES: Final = {"user": 0x1000_0000, "network": 0x4000_0000, "ipc": 0x0800_0000}
CHOICES: Final = (("network", "ipc"), ("user", "network", "ipc"))
"""Root needs no user namespace, and an ordinary user is refused without one."""


def unshare() -> tuple[str, ...]:
    """Enter what can be entered, and return its names. Call it in a process that has one thread."""
    for names in CHOICES:
        if _trial(names) and _enter(names):
            return names
    return ()


def _trial(names: tuple[str, ...]) -> bool:
    child = os.fork()
    if child == 0:
        entered = False
        try:
            entered = _enter(names)
        finally:
            os._exit(0 if entered else 1)
    return os.waitpid(child, 0)[1] == 0


def _enter(names: tuple[str, ...]) -> bool:
    uid, gid = os.geteuid(), os.getegid()
    if ctypes.CDLL(None, use_errno=True).unshare(sum(NAMESPACES[name] for name in names)) != 0:
        return False
    if "user" not in names:
        return True
    try:
        Path("/proc/self/setgroups").write_bytes(b"deny")
        Path("/proc/self/uid_map").write_bytes(b"%d %d 1" % (uid, uid))
        Path("/proc/self/gid_map").write_bytes(b"%d %d 1" % (gid, gid))
    except OSError:
        return False
    return True
