"""Closes student processes off with Landlock, seccomp and limits; says what this machine can enforce.

Knows paths, calls and amounts; never what a notebook, a test or a grade is. Imports on every
system, works on Linux.
"""

from __future__ import annotations

from autograder.sandbox.cage import Cage, close_all_but
from autograder.sandbox.errors import SandboxError
from autograder.sandbox.imports import importers
from autograder.sandbox.namespaces import unshare
from autograder.sandbox.policy import Limits, Policy
from autograder.sandbox.reading import policy
from autograder.sandbox.scratch import clear, usage
from autograder.sandbox.support import Support, supported

__all__ = [
    "Cage",
    "Limits",
    "Policy",
    "SandboxError",
    "Support",
    "clear",
    "close_all_but",
    "importers",
    "policy",
    "supported",
    "unshare",
    "usage",
]
