"""Which code a result depends on, beside source and submission: this grader, and what the tests import."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from autograder.notebook import digest

_SMALL = 300


def version_of(modules: Iterable[str]) -> str:
    """Return a fingerprint of the grader, of Python, and of the packages that `modules` belong to."""
    packages = sorted({name.split(".")[0] for name in modules} - sys.stdlib_module_names)
    return digest([sys.version, _package("autograder"), *(_package(name) for name in packages)])


@lru_cache(maxsize=64)
def _package(name: str) -> str:
    """Return what a small package holds, since a checkout changes without a version; else its version."""
    spec = find_spec(name)
    if spec is None:
        return f"{name} is not there"
    files = sorted(
        path for folder in spec.submodule_search_locations or [] for path in Path(folder).rglob("*.py")
    )
    if 0 < len(files) <= _SMALL:
        return digest(path.read_bytes() for path in files)
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return name
