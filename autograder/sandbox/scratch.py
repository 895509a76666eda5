"""Measures and empties the folder that a student may write. Follows no link, never works without a bound.

What a student leaves can be odd on purpose: deep trees, folders without a mode, names that are no text.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

BLOCK: Final = 512
DIRECTORY: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


def usage(folder: Path, entries: int = 10_000) -> tuple[int, int]:
    """Return the bytes and the number of entries below `folder`.

    Counting stops after `entries`; the number is then one more. A tree too deep to be named counts as over
    the bound.
    """
    size = count = 0
    pending = [os.fspath(folder)]
    while pending:
        try:
            found = _children(pending.pop())
        except (FileNotFoundError, NotADirectoryError):  # went away while we looked
            continue
        except OSError:
            return size, entries + 1
        for path, status in found:
            count += 1
            size += max(status.st_size, status.st_blocks * BLOCK)
            if count > entries:
                return size, count
            if stat.S_ISDIR(status.st_mode):
                pending.append(path)
    return size, count


def _children(folder: str) -> list[tuple[str, os.stat_result]]:
    try:
        names = os.listdir(folder)
    except PermissionError:  # a folder made without a mode; only its owner can have made it so
        os.chmod(folder, stat.S_IRWXU)
        names = os.listdir(folder)
    found = []
    for name in names:
        path = os.path.join(folder, name)
        try:
            found.append((path, os.lstat(path)))
        except FileNotFoundError:
            continue
    return found


def clear(folder: Path) -> None:
    """Empty `folder`, which stays. The process that wrote there must have ended.

    A folder's content is moved up one level before the folder is removed, so that no path grows long and
    nothing recurses.
    """
    top = os.open(folder, DIRECTORY)
    try:
        os.fchmod(top, stat.S_IRWXU)
        moved = 0
        while names := os.listdir(top):
            for name in names:
                moved = _remove(top, name, moved)
    finally:
        os.close(top)


def _remove(top: int, name: str, moved: int) -> int:
    if not stat.S_ISDIR(os.stat(name, dir_fd=top, follow_symlinks=False).st_mode):
        os.unlink(name, dir_fd=top)
        return moved
    os.chmod(name, stat.S_IRWXU, dir_fd=top)
    inner = os.open(name, DIRECTORY, dir_fd=top)
    try:
        for child in os.listdir(inner):
            moved = _raise(inner, child, top, moved)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)
    return moved


def _raise(inner: int, child: str, top: int, moved: int) -> int:
    status = os.stat(child, dir_fd=inner, follow_symlinks=False)
    if not stat.S_ISDIR(status.st_mode):
        os.unlink(child, dir_fd=inner)
        return moved
    os.chmod(child, stat.S_IRWXU, dir_fd=inner)  # moving a folder writes its `..`
    while True:
        moved += 1
        if not _exists(top, f"{moved}"):
            break
    os.rename(child, f"{moved}", src_dir_fd=inner, dst_dir_fd=top)
    return moved


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
