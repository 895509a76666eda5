"""Mistakes in ``ntk_base(d, s, base)`` about the exponent of the stretch, which must be d / (d - 2).

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from posenc.misconceptions.entry import Answer
from posenc.misconceptions.scaling.ntk_base import NTK_BASE

__all__ = ["NTK_BASE"]  # by now with all its mistakes


def _enter(name: str, line: str, exponent: Answer) -> None:
    """Enter the rule that is right but for its exponent."""

    def wrong(d: int, s: float, base: float = 10000.0) -> float:
        return float(base * s ** exponent(d))

    NTK_BASE.add(name, line)(wrong)


_enter(
    "no-exponent",
    "The base was multiplied by s alone. The last of d/2 pairs has the exponent (d - 2) / d, so it is not "
    "slowed down by all of s: raise s to d / (d - 2).",
    lambda d: 1,
)
_enter(
    "inverted",
    "The exponent stands upside down: it is d / (d - 2), above 1, not (d - 2) / d.",
    lambda d: (d - 2) / d,
)
_enter(
    "pairs-for-features",
    "The exponent counts pairs. d is the number of features, twice that: d / (d - 2).",
    lambda d: (d // 2) / (d // 2 - 2),
)
_enter(
    "one-feature",
    "The exponent subtracts 1. The first pair stays, and a pair has two features: d / (d - 2).",
    lambda d: d / (d - 1),
)
_enter(
    "plus",
    "The exponent is d / (d + 2), below 1. The first pair needs no share, so the others need more: d / "
    "(d - 2).",
    lambda d: d / (d + 2),
)
_enter(
    "integer-division",
    "The exponent was rounded down to a whole number. Divide with / in place of //.",
    lambda d: d // (d - 2),
)
_enter(
    "one-step",
    "This is the power for one step from pair to pair. The base covers d/2 steps: raise s to d / (d - 2).",
    lambda d: 2 / (d - 2),
)
_enter(
    "one-step-of-all",
    "The exponent is 2 / d, as for one pair. The new base needs d / (d - 2).",
    lambda d: 2 / d,
)
_enter(
    "doubled",
    "The exponent is twice what it should be: d / (d - 2), without a factor 2.",
    lambda d: 2 * d / (d - 2),
)
_enter(
    "width",
    "The exponent is d itself, and the base explodes. It is d / (d - 2), a little above 1.",
    lambda d: d,
)
_enter(
    "precedence",
    "Check the brackets: d / d - 2 is -1. The exponent is d / (d - 2).",
    lambda d: d / d - 2,
)
