"""Attacks by using too much, and the one check that honest code still works."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import threading
import time
from typing import Final

from autograder.sandbox.attacks.scene import CAPABILITIES, LIMITS, SECCOMP, NotApplicable, Protection, Scene
from autograder.sandbox.scratch import usage

OVERTIME: Final = 1.5
"""Seconds of processor time. For this attack the limit is 0, so that the kernel kills after one."""


def _memory(scene: Scene) -> str:
    return f"held {len(bytearray(scene.limits.memory + (64 << 20)))} bytes"


def _processor(_: Scene) -> str:
    while time.process_time() < OVERTIME:
        pass
    return f"used {time.process_time():.1f} s"


def _file_size(scene: Scene) -> str:
    block = bytes(1 << 20)
    with open(scene.scratch / "big", "wb", buffering=0) as file:
        for _ in range((scene.limits.file_size >> 20) + 1):
            while block[file.write(block) :]:
                pass
    return "wrote a file beyond the limit"


def _descriptors(scene: Scene) -> str:
    own = [os.open(scene.scratch / "mine", os.O_RDONLY) for _ in range(scene.limits.open_files + 1)]
    return f"opened {len(own)} files"


def _raise_limit(_: Scene) -> str:
    try:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
    except ValueError as refusal:  # what the module makes of EPERM
        raise OSError(str(refusal)) from None
    return "raised a limit"


def _threads(scene: Scene) -> str:
    if os.getuid() == 0:
        raise NotApplicable("root is held to no number of threads")
    threading.stack_size(64 << 10)
    wanted, gate = scene.limits.threads + 64, threading.Event()
    try:
        for _ in range(wanted):
            threading.Thread(target=gate.wait, daemon=True).start()
    except RuntimeError as refusal:
        raise OSError(f"{refusal}, beyond {threading.active_count()}") from None
    return f"started {wanted} threads"


def _many_files(scene: Scene) -> str:
    for name in range(scene.limits.scratch_files + 1):
        (scene.scratch / f"{name}").touch()
    counted = usage(scene.scratch, scene.limits.scratch_files)[1]
    return "" if counted > scene.limits.scratch_files else f"made files of which {counted} were seen"


def _honest(scene: Scene) -> str:
    done: list[int] = []
    thread = threading.Thread(target=done.append, args=(1,))
    thread.start()
    thread.join()
    asyncio.run(asyncio.sleep(0))
    shutil.copy(scene.scratch / "mine", scene.scratch / "copy")
    shutil.copy2(scene.scratch / "mine", scene.scratch / "copy2")
    (scene.scratch / "copy").rename(scene.scratch / "moved")
    return "" if done and (scene.scratch / "moved").read_bytes() == b"mine" else "a thread or a copy was lost"


CALLS: Final = ()
PROCESSOR: Final = Protection("use the processor for long", _processor, LIMITS, ends=True)
HONEST: Final = Protection("honest code works: threads, asyncio, copies", _honest, frozenset())
PROTECTIONS: Final = (
    PROCESSOR,
    Protection("use much memory", _memory, LIMITS),
    Protection("write a large file", _file_size, LIMITS),
    Protection("open many files", _descriptors, LIMITS),
    Protection("raise a limit", _raise_limit, LIMITS | SECCOMP | CAPABILITIES),
    Protection("start many threads", _threads, LIMITS),
    Protection("make many files, which is watched", _many_files, frozenset()),
    HONEST,
)
