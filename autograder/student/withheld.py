"""Modules that a lesson asks the student to write: importing one says so."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class WithheldError(ImportError):
    """An import of a module that this lesson withholds."""


class Withheld:
    """An importer that stands before all others and refuses the withheld modules.

    It is a courtesy, not the lock: the sandbox keeps the files from being read.
    """

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if any(fullname == name or fullname.startswith(name + ".") for name in self._names):
            raise WithheldError(f"{fullname} is withheld: this lesson asks you to write it yourself")
        return None


def withhold(names: frozenset[str]) -> None:
    """Refuse the modules `names` from now on."""
    if names:
        sys.meta_path.insert(0, Withheld(names))
