"""Attacks by processes and on them: starting, signalling, reading, and calls that no lesson needs."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import platform
import resource
import signal
import socket
import termios
from typing import Final

from autograder.sandbox.attacks.scene import (
    BOTH,
    CAPABILITIES,
    LIMITS,
    SECCOMP,
    NotApplicable,
    Protection,
    Scene,
)

PTRACE_SEIZE: Final = 0x4206
GETPID_32: Final = bytes.fromhex("b814000000cd80c3")  # mov eax, 20; int 0x80; ret


def _started(child: int) -> str:
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "started a process"


def _clone(scene: Scene) -> str:
    return _started(scene.call("clone", int(signal.SIGCHLD), 0, 0, 0, 0))


def _clone3(scene: Scene) -> str:
    settings = (ctypes.c_uint64 * 8)(0, 0, 0, 0, int(signal.SIGCHLD))
    return _started(scene.call("clone3", settings, ctypes.sizeof(settings)))


def _spawn(_: Scene) -> str:
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
    return "started a program"


def _execute(scene: Scene) -> str:
    os.dup2(scene.report, 1)
    os.execv("/bin/echo", ["echo", "+ran a program"])


def _memory_file(_: Scene) -> str:
    os.close(os.memfd_create("program"))
    return "made a file in memory"


def _signal(scene: Scene) -> str:
    os.kill(scene.parent, 0)
    return "could signal the parent"


def _signal_thread(scene: Scene) -> str:
    scene.call("tgkill", scene.parent, scene.parent, 0)
    return "could signal the parent"


def _process_descriptor(scene: Scene) -> str:
    scene.call("pidfd_open", scene.parent, 0)
    return "held the parent"


def _aim_signals(scene: Scene) -> str:
    own, _ = socket.socketpair()
    fcntl.fcntl(own, fcntl.F_SETOWN, scene.parent)
    return "aimed signals at the parent"


def _trace(scene: Scene) -> str:
    scene.call("ptrace", PTRACE_SEIZE, scene.parent, 0, 0)
    return "traced the parent"


def _read_memory(scene: Scene) -> str:
    length = len(scene.secret)
    found = ctypes.create_string_buffer(length)
    there = ctypes.cast(ctypes.c_char_p(scene.secret), ctypes.c_void_p).value or 0
    here = (ctypes.c_size_t * 2)(ctypes.addressof(found), length)
    remote = (ctypes.c_size_t * 2)(there, length)
    scene.call("process_vm_readv", scene.parent, here, 1, remote, 1, 0)
    return "read the parent's memory" if found.raw == scene.secret else ""


def _slow_down(scene: Scene) -> str:
    os.setpriority(os.PRIO_PROCESS, scene.parent, os.getpriority(os.PRIO_PROCESS, scene.parent))
    return "set the parent's priority"


def _pin(scene: Scene) -> str:
    os.sched_setaffinity(scene.parent, os.sched_getaffinity(0))
    return "chose the parent's processors"


def _limit_parent(scene: Scene) -> str:
    core = resource.RLIMIT_CORE
    resource.prlimit(scene.parent, core, resource.prlimit(scene.parent, core))
    return "set the parent's limits"


def _leave_session(_: Scene) -> str:
    os.setsid()
    return "left the session"


def _type_into_terminal(scene: Scene) -> str:
    fcntl.ioctl(scene.terminal, termios.TIOCSTI, b"x")
    return "typed into the terminal"


def _call_as_32_bit(_: Scene) -> str:
    if platform.machine() != "x86_64":
        raise NotApplicable("this processor has no such calls")
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(GETPID_32)
    answer = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return "made a call past the filter" if answer == os.getpid() else ""


def _forbidden(name: str, *arguments: object, also: frozenset[str] = frozenset()) -> Protection:
    def attack(scene: Scene) -> str:
        scene.call(name, *arguments)
        return f"called {name}"

    return Protection(f"call {name}", attack, SECCOMP | also)


ZEROS: Final = ctypes.create_string_buffer(256)
SOFTWARE_CLOCK: Final = ctypes.create_string_buffer(b"\1", 256)  # perf_event_attr: type 1, the rest 0
NEEDLESS: Final = (
    _forbidden("inotify_init1", 0),
    _forbidden("fanotify_init", 0, 0, also=CAPABILITIES),
    _forbidden("io_uring_setup", 1, ZEROS, also=LIMITS),
    _forbidden("userfaultfd", 1),
    _forbidden("perf_event_open", SOFTWARE_CLOCK, 0, -1, -1, 0, also=CAPABILITIES),
    _forbidden("keyctl", 0, -3, 0),
    _forbidden("personality", 0xFFFF_FFFF),
    _forbidden("unshare", 0x1000_0000),
    _forbidden("shmget", 0, 4096, 0o1600),
    _forbidden("semget", 0, 1, 0o1600),
    _forbidden("msgget", 0, 0o1600),
    _forbidden("landlock_create_ruleset", 0, 0, 1),
    _forbidden("setpgid", 0, 0),
)

CALLS: Final = (
    *("clone", "clone3", "tgkill", "pidfd_open", "ptrace", "process_vm_readv"),
    *(protection.name.split()[1] for protection in NEEDLESS),
)
PROTECTIONS: Final = (
    Protection("start a process with fork", lambda _: _started(os.fork()), SECCOMP),
    Protection("start a process with clone", _clone, SECCOMP),
    Protection("start a process with clone3", _clone3, SECCOMP),
    Protection("start a program with spawn", _spawn, BOTH),
    Protection("become a program", _execute, BOTH),
    Protection("make a program in memory", _memory_file, SECCOMP),
    Protection("signal the parent", _signal, BOTH),
    Protection("signal a thread of the parent", _signal_thread, BOTH),
    Protection("hold the parent by a descriptor", _process_descriptor, SECCOMP),
    Protection("aim a socket's signals at the parent", _aim_signals, SECCOMP),
    Protection("trace the parent", _trace, BOTH | CAPABILITIES),
    Protection("read the parent's memory", _read_memory, BOTH | CAPABILITIES),
    Protection("set the parent's priority", _slow_down, SECCOMP | CAPABILITIES),
    Protection("choose the parent's processors", _pin, SECCOMP | CAPABILITIES),
    Protection("set the parent's limits", _limit_parent, SECCOMP),
    Protection("leave the session", _leave_session, SECCOMP),
    Protection("type into a terminal", _type_into_terminal, SECCOMP | CAPABILITIES),
    Protection("make 32-bit calls", _call_as_32_bit, SECCOMP, ends=True),
    *NEEDLESS,
)
