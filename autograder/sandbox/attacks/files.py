"""Attacks on files outside the scratch folder: reading, listing, changing, and things that are not files."""

from __future__ import annotations

import ctypes
import os
import socket
from pathlib import Path
from typing import Final

from autograder.sandbox.attacks.scene import (
    BOTH,
    CAPABILITIES,
    LANDLOCK,
    SECCOMP,
    NotApplicable,
    Protection,
    Scene,
)

AT_FDCWD: Final = -100
HANDLE: Final = 128


def _leak(scene: Scene, found: bytes) -> str:
    return "read a file outside" if found == scene.secret else ""


def _leak_from(scene: Scene, path: str | Path) -> str:
    with open(path, "rb") as file:
        return _leak(scene, file.read())


def _read_relative(scene: Scene) -> str:
    os.chdir(scene.scratch)
    return _leak_from(scene, os.path.relpath(scene.target, scene.scratch))


def _read_new_link(scene: Scene) -> str:
    (scene.scratch / "new").symlink_to(scene.target)
    return _leak_from(scene, scene.scratch / "new")


def _read_hard_link(scene: Scene) -> str:
    (scene.scratch / "hard").hardlink_to(scene.target)
    return _leak_from(scene, scene.scratch / "hard")


def _read_openat2(scene: Scene) -> str:
    how = (ctypes.c_uint64 * 3)(0, 0, 0)
    path = os.fsencode(scene.target)
    descriptor = scene.call("openat2", AT_FDCWD, path, ctypes.byref(how), ctypes.sizeof(how))
    return _leak(scene, os.read(descriptor, len(scene.secret)))


def _read_path_descriptor(scene: Scene) -> str:
    descriptor = os.open(scene.target, os.O_PATH)
    return _leak_from(scene, f"/proc/self/fd/{descriptor}")


def _read_handle(scene: Scene) -> str:
    handle = (ctypes.c_uint32 * (2 + HANDLE // 4))(HANDLE)
    mount = ctypes.c_int()
    scene.call("name_to_handle_at", AT_FDCWD, os.fsencode(scene.target), handle, ctypes.byref(mount), 0)
    folder = os.open("/", os.O_RDONLY)
    return _leak(
        scene, os.read(scene.call("open_by_handle_at", folder, handle, os.O_RDONLY), len(scene.secret))
    )


def _list_outside(scene: Scene) -> str:
    return f"listed {len(os.listdir(scene.outside))} names"


def _read_processes(scene: Scene) -> str:
    for path in (f"/proc/{scene.parent}/environ", "/proc/self/status", "/proc/1/cmdline"):
        try:
            return f"read {len(Path(path).read_bytes())} bytes of {path}"
        except OSError as refusal:
            last = refusal
    raise last


def _list_processes(_: Scene) -> str:
    return f"listed {len(os.listdir('/proc'))} names"


def _find_parent(scene: Scene) -> str:
    return f"found the parent in {os.readlink(f'/proc/{scene.parent}/cwd')}"


def _open_devices(_: Scene) -> str:
    for path in ("/dev/mem", "/dev/kmsg", "/dev/tty", "/dev/zero"):
        try:
            os.open(path, os.O_RDONLY)
        except OSError as refusal:
            last = refusal
        else:
            return f"opened {path}"
    raise last


def _overwrite(scene: Scene) -> None:
    with open(scene.target, "r+b") as file:
        file.write(b"0")


def _create(scene: Scene) -> None:
    (scene.outside / "made").write_bytes(b"made")


def _attributes(scene: Scene) -> str:
    os.setxattr(scene.target, "user.probe", b"1")
    return "set an attribute" if "user.probe" in os.listxattr(scene.target) else ""


def _pipe_by_name(scene: Scene) -> str:
    os.mkfifo(scene.scratch / "fifo")
    return "made a named pipe"


def _socket_by_name(scene: Scene) -> str:
    os.chdir(scene.scratch)  # an address is at most 107 bytes long
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
    return "made a socket"


def _device(scene: Scene) -> str:
    if os.geteuid() != 0:
        raise NotApplicable("only root makes devices")
    os.mknod(scene.scratch / "device", 0o020600, os.makedev(1, 5))
    return "made a device"


READING: Final = (
    Protection("read a file by its path", lambda s: _leak_from(s, s.target), LANDLOCK),
    Protection("read a file by a relative path", _read_relative, LANDLOCK),
    Protection(
        "read a file through /proc/self/root", lambda s: _leak_from(s, f"/proc/self/root{s.target}"), LANDLOCK
    ),
    Protection(
        "read a file through an old symbolic link", lambda s: _leak_from(s, s.scratch / "link"), LANDLOCK
    ),
    Protection("read a file through a new symbolic link", _read_new_link, BOTH),
    Protection("read a file through a hard link", _read_hard_link, BOTH),
    Protection("read a file with openat2", _read_openat2, BOTH),
    Protection("read a file by a path descriptor", _read_path_descriptor, LANDLOCK),
    Protection("read a file by its handle", _read_handle, BOTH | CAPABILITIES),
    Protection(
        "read a file by an inherited descriptor",
        lambda s: _leak(s, os.pread(s.inherited, len(s.secret), 0)),
        frozenset({"descriptors"}),
    ),
    Protection("list a folder", _list_outside, LANDLOCK),
    Protection("read about processes in /proc", _read_processes, LANDLOCK),
    Protection("list the processes", _list_processes, LANDLOCK),
    Protection("learn where the parent works", _find_parent, LANDLOCK | CAPABILITIES),
    Protection("open devices", _open_devices, LANDLOCK),
)

CHANGING: Final = (
    Protection("create a file", _create, LANDLOCK),
    Protection("overwrite a file", _overwrite, LANDLOCK),
    Protection("truncate a file", lambda s: os.truncate(s.target, 0), BOTH),
    Protection("delete a file", lambda s: s.target.unlink(), LANDLOCK),
    Protection("make a folder", lambda s: (s.outside / "made").mkdir(), LANDLOCK),
    Protection("remove a folder", lambda s: (s.outside / "folder").rmdir(), LANDLOCK),
    Protection(
        "move a file out",
        lambda s: os.rename(s.scratch / "mine", s.outside / "moved"),
        LANDLOCK,
    ),
    Protection("move a file in", lambda s: os.rename(s.target, s.scratch / "taken"), LANDLOCK),
    Protection(
        "hard link a file in",
        lambda s: (s.scratch / "hard").hardlink_to(s.target),
        BOTH,
    ),
    Protection(
        "symbolic link outside",
        lambda s: (s.outside / "made").symlink_to("/"),
        BOTH,
    ),
    Protection("change a mode", lambda s: s.target.chmod(0o600), SECCOMP),
    Protection("change an owner", lambda s: os.chown(s.target, os.getuid(), -1), SECCOMP),
    Protection("change times", lambda s: os.utime(s.target, (1, 1)), SECCOMP),
    Protection("set an attribute", _attributes, SECCOMP),
    Protection("make a named pipe", _pipe_by_name, BOTH),
    Protection("make a socket in a folder", _socket_by_name, BOTH),
    Protection("make a device", _device, BOTH | CAPABILITIES),
)

CALLS: Final = ("openat2", "name_to_handle_at", "open_by_handle_at")
PROTECTIONS: Final = (*READING, *CHANGING)
