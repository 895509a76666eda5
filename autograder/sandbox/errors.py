"""What is raised when a process cannot be closed off. Nothing here ever carries on regardless."""

from __future__ import annotations


class SandboxError(RuntimeError):
    """A step of the sandbox failed, so the process is not safe to run student code in."""
