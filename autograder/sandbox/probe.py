"""Says which protections hold here, by attacking each from a caged child. Claims nothing that it did not try.

Theory of operation
-------------------
Targets are set up outside the sandbox. For each protection a child is forked and caged, and makes its attack;
what it reports, how it ended and what is changed outside decide. The attack on processor time takes a second,
so it runs beside the others.
"""

from __future__ import annotations

import signal
from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Final

from autograder.sandbox import trial
from autograder.sandbox.attacks import amounts, files, network, processes, stage
from autograder.sandbox.attacks.scene import NotApplicable, Protection, Scene
from autograder.sandbox.cage import Cage
from autograder.sandbox.errors import SandboxError
from autograder.sandbox.policy import MIB, Limits, Policy

ROOMS: Final = (files, network, processes, amounts)
PROTECTIONS: Final[tuple[Protection, ...]] = tuple(p for room in ROOMS for p in room.PROTECTIONS)
CALLS: Final[tuple[str, ...]] = tuple(name for room in ROOMS for name in room.CALLS)

SECONDS: Final = 10.0
ACHIEVED, REFUSED, NOTHING, NO_SUCH_THING, ODD = "+", "-", "=", "/", "!"


@dataclass(frozen=True)
class Finding:
    """Whether a protection held. `held` is None where there was nothing to attack."""

    name: str
    held: bool | None
    detail: str


def probe(
    policy: Policy, without: Set[str] = frozenset(), protections: tuple[Protection, ...] = PROTECTIONS
) -> list[Finding]:
    """Attack each protection, and say which held. Call it in a process that has one thread.

    Parameters
    ----------
    policy : Policy
        What student code would get. A folder is made in its scratch folder, and removed. Its limits are
        replaced by small ones, so that reaching them is quick.
    without : set of str, optional
        Layers of the cage to leave out. For tests, which show that the attacks then succeed.
    protections : tuple of Protection, optional
        Which to attack.
    """
    limits = _small(policy.limits)
    cage = Cage(replace(policy, limits=limits), without=without)
    with stage.arrange(policy.scratch, limits, CALLS) as scene:
        slow = {p.name: _start_deaf(policy, without, p, scene) for p in protections if p is amounts.PROCESSOR}
        quick = {p.name: _judge(cage, p, scene) for p in protections if p.name not in slow}
        ended = {p.name: _finding(p, slow[p.name].finish(SECONDS)) for p in protections if p.name in slow}
    found = quick | ended
    return [found[protection.name] for protection in protections]


def _small(limits: Limits) -> Limits:
    return replace(
        limits,
        memory=min(limits.memory, 256 * MIB),
        file_size=MIB,
        open_files=64,
        scratch_files=40,
        threads=64,
    )


def _start(cage: Cage, protection: Protection, scene: Scene) -> trial.Trial:
    return trial.start(lambda report: _attack(cage, protection, replace(scene, report=report)))


def _start_deaf(policy: Policy, without: Set[str], protection: Protection, scene: Scene) -> trial.Trial:
    """Start a child with no seconds that does not hear SIGXCPU, the warning: the limit behind it ends it."""
    cage = Cage(replace(policy, limits=replace(scene.limits, cpu=0)), without=without)
    heard = signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    try:
        return _start(cage, protection, scene)
    finally:
        signal.signal(signal.SIGXCPU, heard)


def _attack(cage: Cage, protection: Protection, scene: Scene) -> str:
    """Run in the child: enter the cage, attack, and say in one line what came of it."""
    try:
        cage.enter(keep={scene.report, scene.terminal})
        achieved = protection.attack(scene)
    except NotApplicable as reason:
        return f"{NO_SUCH_THING}{reason}"
    except (OSError, MemoryError) as refusal:
        return f"{REFUSED}{getattr(refusal, 'strerror', None) or str(refusal) or type(refusal).__name__}"
    except SandboxError as failure:
        return f"{ODD}the sandbox could not be entered: {failure}"
    except Exception as failure:
        return f"{ODD}{type(failure).__name__}: {failure}"
    return f"{ACHIEVED}{achieved}" if achieved else NOTHING


def _judge(cage: Cage, protection: Protection, scene: Scene) -> Finding:
    stage.furnish(scene)
    before = stage.state(scene.outside)
    finding = _finding(protection, _start(cage, protection, scene).finish(SECONDS))
    if stage.state(scene.outside) != before:
        return replace(finding, held=False, detail="changed something outside")
    return finding


def _finding(protection: Protection, ending: trial.Ending) -> Finding:
    kind, detail = ending.report[:1], ending.report[1:].strip()
    if ending.overdue:
        return Finding(protection.name, False, f"was not over in {SECONDS:.0f} s")
    if not kind:
        return Finding(protection.name, protection.ends, f"ended by signal {ending.signal}")
    if kind == NO_SUCH_THING:
        return Finding(protection.name, None, detail)
    if protection is amounts.HONEST:
        return Finding(protection.name, kind == NOTHING, detail)
    if kind == NOTHING:
        return Finding(protection.name, True, "nothing changed")
    return Finding(protection.name, kind == REFUSED, detail)
