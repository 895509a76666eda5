"""The exercise ``ntk_base(d, s, base)``: the base that keeps the fastest pair and divides the slowest by s.

Wide heads hide mistakes in the exponent, which is near 1, so the probes hold narrow ones. Holds those, and
mistakes with the base and the stretch; those in the exponent are in `ntk_base_exponent`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Family, Probe
from posenc.misconceptions.scaling.interpolate import plain
from posenc.scaling import ntk


def _reference(d: int, s: float, base: float = 10000.0) -> float:
    return float(ntk(d, s, base=base)[0][1] ** (-d / 2))


def _larger(args: tuple[Any, ...], got: Any) -> str | None:
    """Say so where the base shrinks: the slow pairs would turn faster."""
    base = args[2] if len(args) > 2 else 10000.0
    return "For s above 1 the new base must be larger than the old one." if got < base else None


PROBES = (
    Probe(
        (8, 4),
        "The last frequency for the new base must be that of position interpolation: a quarter for s = 4.",
    ),
    Probe((128, 2), "For wide heads the exponent d / (d - 2) is a little above 1."),
    Probe((4, 3), "With two pairs the first frequency must stay, and the second be divided by s."),
    Probe((6, 2.5, 100.0), "The old base is an argument, and the stretch need not be whole."),
    Probe((16, 1), "For s = 1 the base must stay as it is."),
)

NTK_BASE = Family("ntk_base", _reference, PROBES, invariant=_larger)


@NTK_BASE.add(
    "unchanged",
    "The base came back as it was. Multiply it by s ** (d / (d - 2)).",
)
def _unchanged(d: int, s: float, base: float = 10000.0) -> Any:
    return base


@NTK_BASE.add(
    "shrunk",
    "The base became smaller: it is divided where it should be multiplied, or s stands upside down. A "
    "longer text needs slower pairs, and so a larger base.",
)
def _shrunk(d: int, s: float, base: float = 10000.0) -> Any:
    return base * s ** (-d / (d - 2))


@NTK_BASE.add(
    "base-to-the-s",
    "The base was raised to the power s. Multiply it: it grows a little faster than s does.",
)
def _base_to_the_s(d: int, s: float, base: float = 10000.0) -> Any:
    return base**s


@NTK_BASE.add(
    "whole-product-raised",
    "The exponent lies on the base as well. Only s is raised: base * s ** (d / (d - 2)), without "
    "brackets around base * s.",
)
def _whole_product(d: int, s: float, base: float = 10000.0) -> Any:
    return (base * s) ** (d / (d - 2))


@NTK_BASE.add(
    "base-raised",
    "The exponent lies on the base. It belongs to s: base * s ** (d / (d - 2)).",
)
def _base_raised(d: int, s: float, base: float = 10000.0) -> Any:
    return base ** (d / (d - 2)) * s


@NTK_BASE.add(
    "added",
    "The power of s was added to the base. Multiply by it.",
)
def _added(d: int, s: float, base: float = 10000.0) -> Any:
    return base + s ** (d / (d - 2))


@NTK_BASE.add(
    "factor-only",
    "This is what the base is multiplied by. Return the new base itself.",
)
def _factor_only(d: int, s: float, base: float = 10000.0) -> Any:
    return s ** (d / (d - 2))


@NTK_BASE.add(
    "default-base",
    "The base argument has no effect: the new base always starts from 10000. Models come with other bases.",
)
def _default_base(d: int, s: float, base: float = 10000.0) -> Any:
    return _reference(d, s)


@NTK_BASE.add(
    "frequencies",
    "These are the frequencies for the new base. Here the base itself is asked for, one number.",
)
def _frequencies(d: int, s: float, base: float = 10000.0) -> Any:
    return plain(d, _reference(d, s, base))


@NTK_BASE.add(
    "rounded",
    "The base was cut to a whole number. It need not be whole: leave int and // out.",
)
def _rounded(d: int, s: float, base: float = 10000.0) -> Any:
    return int(_reference(d, s, base))


@NTK_BASE.add(
    "logarithm",
    "This is the logarithm of the new base. Return the base.",
)
def _logarithm(d: int, s: float, base: float = 10000.0) -> Any:
    return np.log(_reference(d, s, base))


@NTK_BASE.add(
    "one-s-too-many",
    "The base was multiplied by s once more. One factor is enough: s ** (d / (d - 2)).",
)
def _twice(d: int, s: float, base: float = 10000.0) -> Any:
    return base * s * s ** (d / (d - 2))
