"""Says what this machine can enforce, by trying. Decides nothing about grading."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from autograder.sandbox import ruleset, trial
from autograder.sandbox.cage import Cage
from autograder.sandbox.errors import SandboxError
from autograder.sandbox.policy import Policy

SECONDS: Final = 10.0
ENTERED: Final = "entered"


@dataclass(frozen=True)
class Support:
    """What can be closed off here.

    `missing` has a sentence for each thing that cannot. `landlock` is the kernel's ABI, 0 where there is
    none.
    """

    files: bool = False
    network: bool = False
    processes: bool = False
    signals: bool = False
    limits: bool = False
    landlock: int = 0
    missing: tuple[str, ...] = ()

    @property
    def sufficient(self) -> bool:
        """Whether student code may be run: files, network and processes can be closed off."""
        return self.files and self.network and self.processes


def supported() -> Support:
    """Try each layer in a child of its own. Call it in a process that has one thread."""
    if not sys.platform.startswith("linux"):
        return Support(missing=(f"the sandbox needs Linux, got {sys.platform}",))
    with tempfile.TemporaryDirectory(prefix="sandbox-") as folder:
        policy = Policy((), (), (), Path(folder).resolve())
        limits = _try(policy, {"landlock", "seccomp"})
        files = _try(policy, {"limits", "capabilities", "seccomp"})
        calls = _try(policy, {"limits", "capabilities", "landlock"})
    return Support(
        files=not files and not calls,  # chmod, chown and utime pass by Landlock; the filter has them
        network=not calls,
        processes=not calls,
        signals=not calls,
        limits=not limits,
        landlock=ruleset.abi(),
        missing=tuple(reason for reason in (limits, files, calls) if reason),
    )


def _try(policy: Policy, without: Set[str]) -> str:
    """Return why these layers cannot be entered, or nothing."""
    try:
        cage = Cage(policy, without=without)
    except SandboxError as failure:
        return str(failure)
    ending = trial.start(lambda _: _entered(cage)).finish(SECONDS)
    if ending.report == ENTERED:
        return ""
    return ending.report or f"a child that enters the sandbox must live, got signal {ending.signal}"


def _entered(cage: Cage) -> str:
    try:
        cage.enter()
        os.getpid()
    except SandboxError as failure:
        return str(failure)
    return ENTERED
