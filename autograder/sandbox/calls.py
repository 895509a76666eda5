"""The system calls that student code may make, as data, a reason a group. Nothing here talks to the kernel.

An allow-list: what is not named is refused with EPERM, so a call that a later kernel adds is closed until
somebody opens it here. Names that the installed libseccomp does not know, or that the architecture does not
have, are skipped by the room that reads this.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass

CLONE_VM = 0x0000_0100
CLONE_SIGHAND = 0x0000_0800
CLONE_THREAD = 0x0001_0000
CLONE_NEW_ANYTHING = 0x7E02_0080
THREAD = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD

MEMORY = ("brk", "mmap", "munmap", "mremap", "mprotect", "madvise", "msync")
"""An allocator and dlopen. Locking is bounded by a limit of 0; memory shared by name is left out."""

DESCRIPTORS = (
    *("read", "pread64", "readv", "preadv", "preadv2", "write", "pwrite64", "writev", "pwritev", "pwritev2"),
    *("close", "close_range", "lseek", "dup", "dup2", "dup3", "ftruncate", "fsync", "fdatasync", "fadvise64"),
    *("sendfile", "copy_file_range", "flock", "pipe", "pipe2", "eventfd", "eventfd2"),
)
"""Act on what is open already. What could be opened was decided by Landlock."""

PATHS = (
    *("open", "openat", "creat", "stat", "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs"),
    *("access", "faccessat", "faccessat2", "readlink", "readlinkat", "getcwd", "chdir", "fchdir"),
    *("getdents", "getdents64", "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "mkdir"),
    *("mkdirat", "umask"),
)
"""Landlock judges each of these that reads, lists or changes. Not truncate: Landlock knows it only from ABI 3
on.
"""

WAITING = (
    *("poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait"),
    *("epoll_pwait", "epoll_pwait2", "wait4", "waitid", "pause", "restart_syscall"),
)
"""asyncio and threads. There is never a child to wait for."""

TIME = (
    *("clock_gettime", "clock_getres", "clock_nanosleep", "gettimeofday", "nanosleep", "time", "times"),
    *(
        "alarm",
        "getitimer",
        "setitimer",
        "timer_create",
        "timer_settime",
        "timer_gettime",
        "timer_getoverrun",
    ),
    *("timer_delete", "timerfd_create", "timerfd_settime", "timerfd_gettime"),
)
"""Clocks to read, never to set. Timers signal the own process only."""

SIGNALS = (
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait"),
    *("sigaltstack", "signalfd", "signalfd4"),
)
"""Receiving. Sending (kill, tkill, tgkill, rt_sigqueueinfo, pidfd_send_signal) is left out."""

THREADS = (
    *("futex", "futex_waitv", "set_robust_list", "set_tid_address", "rseq", "membarrier", "gettid"),
    *("sched_yield", "sched_getaffinity", "getcpu", "exit", "exit_group"),
)
"""Threads of the own process. Scheduling others (sched_set*, setpriority, ioprio_set) is left out."""

ITSELF = (
    *("getpid", "getppid", "getpgrp", "getuid", "geteuid", "getgid", "getegid", "getgroups", "getresuid"),
    *("getresgid", "getrlimit", "getrusage", "sysinfo", "uname", "getrandom"),
)
"""Questions about itself and about the machine's size."""

SOCKETS = ("recvfrom", "shutdown", "getsockname", "getpeername", "getsockopt")
"""What asyncio does with its own pair. Making a socket, an address, or a message with descriptors in it is
left out.
"""

ALLOWED = (*MEMORY, *DESCRIPTORS, *PATHS, *WAITING, *TIME, *SIGNALS, *THREADS, *ITSELF, *SOCKETS)


@dataclass(frozen=True)
class Condition:
    """Met when ``argument & mask == value``; with no mask, when it is `value`, or is not if `unlike`."""

    argument: int
    value: int
    mask: int | None = None
    unlike: bool = False


IOCTLS = (0x5401, 0x802C_542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TCGETS2, TIOCGWINSZ (isatty, terminal size); FIONREAD; FIONBIO; FIONCLEX, FIOCLEX. Never TIOCSTI.
"""

FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1031, 1032)
"""Duplicate, flags, locks, pipe size. Not F_SETOWN and F_SETSIG, which aim signals at others, nor leases, nor
seals.
"""

PRCTLS = (15, 16, 0x5356_4D41)
"""PR_SET_NAME, PR_GET_NAME, PR_SET_VMA: libc names threads and heaps."""

NULL = 0
CONDITIONAL: tuple[tuple[str, tuple[Condition, ...]], ...] = (
    ("clone", (Condition(0, THREAD, THREAD | CLONE_NEW_ANYTHING),)),
    ("socketpair", (Condition(0, 1),)),  # AF_UNIX: others would be a way to netlink, vsock and the like
    ("sendto", (Condition(4, NULL),)),  # an address would reach any datagram socket on the machine
    ("prlimit64", (Condition(0, 0), Condition(2, NULL))),  # read the own limits, set none
    *(("ioctl", (Condition(1, request),)) for request in IOCTLS),
    *(("fcntl", (Condition(1, command),)) for command in FCNTLS),
    *(("prctl", (Condition(0, option),)) for option in PRCTLS),
)

PRETENDED = (*("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),)
"""Answered with success, and nothing changes: Landlock does not cover these, and shutil.copy fails without
them.
"""

FICLONE = 0x4004_9409
CONDITIONALLY_ANSWERED = (
    *((name, Condition(1, NULL, unlike=True), 0) for name in ("utime", "utimes")),
    *((name, Condition(2, NULL, unlike=True), 0) for name in ("futimesat", "utimensat")),
    ("ioctl", Condition(1, FICLONE), errno.EOPNOTSUPP),
)
"""Times are pretended too, but for "now": Path.touch takes success to mean that the file is there, and
refusal to mean "make it". Path.copy tries to clone first, and goes on only where a file system cannot.
"""

ABSENT = ("clone3", "openat2")
"""Answered as on a kernel that has not got them, so that libc takes the older call, which a filter can read.
"""

UNSUPPORTED = (
    *("fallocate", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr", "setxattr"),
    *("lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr"),
)
"""Answered as on a file system that has not got them: fallocate can pass by the limit on file size."""

ANSWERED = (
    *((name, 0) for name in PRETENDED),
    *((name, errno.ENOSYS) for name in ABSENT),
    *((name, errno.EOPNOTSUPP) for name in UNSUPPORTED),
)

NUMBERS = {
    "clone3": 435,
    "openat2": 437,
    "faccessat2": 439,
    "epoll_pwait2": 441,
    "futex_waitv": 449,
    "fchmodat2": 452,
}
"""Calls that older releases of libseccomp have no name for. From 424 on the numbers are the same everywhere.
"""

LATER = range(453, 512)
"""Numbers newer than any call named here: answered as absent, so that a newer libc falls back."""
