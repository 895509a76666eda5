"""Sets the targets up and takes them away; runs on the trusted side, outside any cage. Attacks nothing."""

from __future__ import annotations

import ctypes
import os
import pty
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from autograder.sandbox import filter as seccomp
from autograder.sandbox.attacks.scene import Scene
from autograder.sandbox.policy import Limits
from autograder.sandbox.scratch import clear

LONGEST_FOLDER: Final = 80
State = dict[str, tuple[object, ...]]


@contextmanager
def arrange(scratch: Path, limits: Limits, names: Iterable[str]) -> Iterator[Scene]:
    """Set the targets up, and remove them afterwards. `names` are the system calls that attacks make."""
    with ExitStack() as stack:
        outside = Path(tempfile.mkdtemp(prefix="outside-", dir=_short_folder())).resolve()
        stack.callback(shutil.rmtree, outside, ignore_errors=True)
        own = Path(tempfile.mkdtemp(prefix="probe-", dir=scratch)).resolve()
        stack.callback(shutil.rmtree, own, ignore_errors=True)
        library = ctypes.CDLL(None, use_errno=True)
        library.syscall.restype = ctypes.c_long
        secret = secrets.token_hex(16).encode()
        (outside / "secret").write_bytes(secret)
        tcp, udp = _listen(outside, stack)
        inherited, terminal = _descriptors(outside, stack)
        scene = Scene(
            outside=outside,
            scratch=own,
            secret=secret,
            inherited=inherited,
            terminal=terminal,
            tcp=tcp,
            udp=udp,
            parent=os.getpid(),
            limits=limits,
            library=library,
            numbers=_numbers(names),
        )
        yield scene


def _short_folder() -> str:
    """Return a folder for temporary files whose sockets have addresses of at most 107 bytes."""
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) < LONGEST_FOLDER else "/tmp"


def furnish(scene: Scene) -> None:
    """Put every target into the state that an attack expects."""
    scene.target.write_bytes(scene.secret)
    scene.target.chmod(0o644)
    (scene.outside / "folder").mkdir(exist_ok=True)
    for stray in ("made", "moved", "folder/inner"):
        path = scene.outside / stray
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
    clear(scene.scratch)
    (scene.scratch / "link").symlink_to(scene.target)
    (scene.scratch / "mine").write_bytes(b"mine")


def state(folder: Path) -> State:
    """Return all that an attack could change below `folder`: names, modes, owners, times, contents."""
    return {str(path): _state_of(path) for path in [folder, *sorted(folder.rglob("*"))]}


def _state_of(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    content = path.read_bytes() if path.is_file() else b""
    kept = (found.st_mode, found.st_uid, found.st_gid, found.st_nlink, found.st_mtime_ns, found.st_ctime_ns)
    return (*kept, content)


def _listen(outside: Path, stack: ExitStack) -> tuple[int, int]:
    wanted = (
        (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        (socket.AF_UNIX, socket.SOCK_STREAM, str(outside / "stream")),
        (socket.AF_UNIX, socket.SOCK_DGRAM, str(outside / "datagram")),
        (socket.AF_UNIX, socket.SOCK_STREAM, f"\0{outside.name}"),
    )
    ports: list[int] = []
    for family, kind, address in wanted:
        made = stack.enter_context(socket.socket(family, kind))
        made.bind(address)
        if kind == socket.SOCK_STREAM:
            made.listen(8)
        if family == socket.AF_INET:
            ports.append(made.getsockname()[1])
    return ports[0], ports[1]


def _descriptors(outside: Path, stack: ExitStack) -> tuple[int, int]:
    inherited = os.open(outside / "secret", os.O_RDONLY)
    stack.callback(os.close, inherited)
    main, terminal = pty.openpty()
    stack.callback(os.close, main)
    stack.callback(os.close, terminal)
    return inherited, terminal


def _numbers(names: Iterable[str]) -> dict[str, int]:
    library = seccomp.library()
    return {name: seccomp.number(library, name) for name in names}
