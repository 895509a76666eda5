"""Positional encodings from scratch, in NumPy: the library behind the lessons.

This room holds the encodings, attention, drawing and the checks that teach. It knows nothing of grading
or of lessons. A submodule is loaded on its first use (PEP 562), so that ``import posenc`` is cheap and a
withheld submodule may be absent.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"

SUBMODULES = (
    "alibi",
    "attention",
    "checks",
    "draw",
    "lab",
    "learned",
    "misconceptions",
    "relative",
    "rotary",
    "scaling",
    "sinusoidal",
)

__all__ = ["SUBMODULES", "__version__"]


def __getattr__(name: str) -> ModuleType:
    """Load a submodule when it is first asked for."""
    if name in SUBMODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the submodules as well, for completion."""
    return sorted([*globals(), *SUBMODULES])
