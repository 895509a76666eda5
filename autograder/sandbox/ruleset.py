"""The Landlock ruleset: which files are open to a student process. Says nothing about calls or amounts.

Everything that the kernel's ABI can handle is handled, so what no rule grants is refused: execution, links,
sockets, devices and all of TCP have no rule at all. What Landlock cannot hide is whether a path exists: stat
and readlink answer for any path that a student can guess, though nothing there can be listed or read.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.sandbox.errors import SandboxError
from autograder.sandbox.policy import WRITABLE_DEVICES, Policy

if TYPE_CHECKING:
    from landlockpy import AccessFS, Ruleset


def abi() -> int:
    """Return the kernel's Landlock ABI, 0 where there is none."""
    try:
        import landlockpy
    except ImportError:
        return 0
    return landlockpy.abi_version()


def build(policy: Policy) -> Ruleset:
    """Return the ruleset of `policy`, not yet enforced."""
    if not abi():
        raise SandboxError("Landlock must be enabled in the kernel and landlockpy installed")
    from landlockpy import LandlockError, Ruleset, Scope

    try:
        rules = Ruleset(scoped=Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL)
        _grant(rules, policy)
    except (LandlockError, OSError) as failure:
        raise SandboxError(f"Landlock must accept the policy: {failure}") from failure
    return rules


def _grant(rules: Ruleset, policy: Policy) -> None:
    from landlockpy import AccessFS

    rules.allow_path(policy.scratch, _scratch_rights())
    for folder in policy.folders:
        _allow(rules, folder, AccessFS.READ_FILE | AccessFS.READ_DIR)
    for folder in policy.listed:
        _allow(rules, folder, AccessFS.READ_DIR)
    for file in policy.files:
        writing = AccessFS.WRITE_FILE if file in WRITABLE_DEVICES else AccessFS.NONE
        _allow(rules, file, AccessFS.READ_FILE | writing)


def _scratch_rights() -> AccessFS:
    from landlockpy import AccessFS

    reading = AccessFS.READ_FILE | AccessFS.READ_DIR
    writing = AccessFS.WRITE_FILE | AccessFS.TRUNCATE | AccessFS.MAKE_REG | AccessFS.MAKE_DIR
    return reading | writing | AccessFS.REMOVE_FILE | AccessFS.REMOVE_DIR | AccessFS.REFER


def _allow(rules: Ruleset, path: Path, rights: AccessFS) -> None:
    with suppress(FileNotFoundError):  # gone since the policy was made: nothing to grant
        rules.allow_path(path, rights)


def restrict(rules: Ruleset) -> None:
    """Enforce `rules` on the calling thread, for good. Denials stay out of the machine's audit log."""
    from landlockpy import LandlockError, RestrictFlag

    try:
        rules.restrict(RestrictFlag.LOG_SAME_EXEC_OFF, no_new_privs=False)
    except (LandlockError, RuntimeError, ValueError) as failure:
        raise SandboxError(f"Landlock must restrict this process: {failure}") from failure
    rules.close()


def features() -> tuple[str, ...]:
    """Name what this kernel's Landlock holds beside files."""
    return tuple(name for name, since in (("landlock-tcp", 4), ("landlock-signals", 6)) if abi() >= since)
