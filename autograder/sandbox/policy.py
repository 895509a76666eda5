"""What a student process may read, write and use up. Pure data: nothing here is enforced or looked up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

MIB: Final = 1 << 20
DEVICES: Final = (Path("/dev/null"), Path("/dev/urandom"))
WRITABLE_DEVICES: Final = frozenset({Path("/dev/null")})


@dataclass(frozen=True)
class Limits:
    """How much a student process may use up.

    `memory` is bytes of address space on top of what the process has when it is caged, `cpu` seconds of
    processor time, `file_size` bytes a file, `open_files` one more than the highest descriptor. The kernel
    holds those. `scratch_size` in bytes and `scratch_files` are for `scratch.usage`, by which whoever watches
    the process compares. Files that are deleted while open escape the watch, so the disk can be used up to
    ``open_files * file_size`` beyond `scratch_size`. `threads` are on top of what the user has running
    anywhere; the kernel holds root to no such limit.
    """

    memory: int = 1024 * MIB
    cpu: int = 60
    file_size: int = 16 * MIB
    open_files: int = 64
    scratch_size: int = 64 * MIB
    scratch_files: int = 1000
    threads: int = 1024


@dataclass(frozen=True)
class Policy:
    """The paths that exist for a student process; every other one is closed.

    `folders` are readable with all that lies beneath, `files` singly, `listed` folders show names and no
    contents, `scratch` is the one folder that can be written.
    """

    folders: tuple[Path, ...]
    files: tuple[Path, ...]
    listed: tuple[Path, ...]
    scratch: Path
    limits: Limits = Limits()
