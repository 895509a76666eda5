"""Reads folders that others filled: regular files only, bounded in number and size, no link followed.

Knows nothing of notebooks, and writes nothing.
"""

from __future__ import annotations

import fnmatch
import io
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

# As nbgrader has them; a course may set its own.
IGNORED = (".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback")
FILES = 1000
DEPTH = 20
_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


class OddFileError(Exception):
    """What lies there is not a regular file of a bearable size; the message says what it is."""


def names(folder: Path, ignored: Sequence[str] = IGNORED) -> Iterator[str]:
    """Yield the regular files under `folder` as relative names with slashes, at most `FILES` of them.

    What is hidden, linked, ignored, or has a name that is not text is left out.
    """
    found, waiting = 0, [(folder, "")]
    while waiting:
        here, prefix = waiting.pop()
        for entry in _entries(here):
            name = prefix + entry.name
            if _is_left_out(entry.name, ignored):
                continue
            if entry.is_dir(follow_symlinks=False) and name.count("/") < DEPTH:
                waiting.append((Path(entry.path), f"{name}/"))
            elif entry.is_file(follow_symlinks=False) and found < FILES:
                found += 1
                yield name


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _is_left_out(name: str, ignored: Sequence[str]) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return True
    return name.startswith(".") or any(fnmatch.fnmatchcase(name, pattern) for pattern in ignored)


def open_file(path: Path, limit: int) -> io.BufferedReader:
    """Open `path` for reading.

    Raises
    ------
    FileNotFoundError
        If nothing is there.
    OddFileError
        If it is a link, a folder, a pipe or a device, or longer than `limit` bytes.
    """
    kind = path.lstat().st_mode
    if stat.S_ISLNK(kind):
        raise OddFileError("it is a symbolic link, and links are not followed")
    if not stat.S_ISREG(kind):
        raise OddFileError("it is a folder" if stat.S_ISDIR(kind) else "it is not a regular file")
    # Opening must not follow or wait either, should it have been exchanged in between.
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        file.close()
        raise OddFileError(f"it has {_size(status.st_size)}, more than {_size(limit)}")
    return file


def read(path: Path, limit: int) -> bytes:
    """Return the content of `path`; raises what `open_file` raises."""
    with open_file(path, limit) as file:
        return file.read(limit)


def is_linked(path: Path, above: Path) -> bool:
    """Say whether `path`, or a folder between it and `above`, is a symbolic link."""
    between = [path, *path.parents]
    if above in between:
        between = between[: between.index(above)]
    return any(part.is_symlink() for part in between)


def _size(number: int) -> str:
    return f"{number / 2**20:.0f} MB" if number >= 2**20 else f"{number} bytes"
