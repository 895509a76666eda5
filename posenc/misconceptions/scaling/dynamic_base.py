"""The exercise ``dynamic_base(d, s, length, original, base)`` and its mistakes: a base for each length.

Wrong on purpose, each in one way. No probe is so short that a rule without its lower limit takes a root of a
negative number.
"""

from __future__ import annotations

from typing import Any

from posenc.misconceptions.entry import Answer, Family, Probe
from posenc.scaling import dynamic_ntk


def _reference(d: int, s: float, length: float, original: float, base: float = 10000.0) -> float:
    return float(dynamic_ntk(d, s, length, original=original, base=base)[0][1] ** (-d / 2))


def _never_smaller(args: tuple[Any, ...], got: Any) -> str | None:
    """Say so where the base falls below the one that the model was trained with."""
    base = args[4] if len(args) > 4 else 10000.0
    return "The base must never fall below the old one." if got < base * (1 - 1e-9) else None


PROBES = (
    Probe((8, 2, 7, 8), "Below the original length the base must be the old one, whatever s is."),
    Probe((8, 2, 8, 8), "At the original length the base must still be the old one."),
    Probe(
        (8, 2, 24, 8),
        "At three times the original length, for s = 2, the last frequency must be divided by 5.",
    ),
    Probe((6, 1, 20, 8), "For s = 1 the last frequency must be divided by length / original."),
    Probe((4, 3, 10, 8, 100.0), "The old base is an argument: it is what the base starts from."),
    Probe(
        (16, 4, 2049, 2048, 500.0),
        "One token past the original length the base must begin to grow, and no more.",
    ),
)

DYNAMIC_BASE = Family("dynamic_base", _reference, PROBES, invariant=_never_smaller)


def _enter(name: str, line: str, growth: Answer, exponent: Answer = lambda d: d / (d - 2)) -> None:
    """Enter the rule that is right but for what the last frequency is divided by, or the exponent."""

    def wrong(d: int, s: float, length: float, original: float, base: float = 10000.0) -> float:
        return float(base * growth(s, length, original) ** exponent(d))

    DYNAMIC_BASE.add(name, line)(wrong)


def _right(s: float, length: float, original: float) -> float:
    return s * max(length, original) / original - (s - 1)


_enter(
    "shrinks",
    "Short texts get a smaller base than the model was trained with. Up to the original length nothing "
    "may change: use the larger of length and original.",
    lambda s, length, original: s * length / original - (s - 1),
)
_enter(
    "static",
    "The length has no effect: the base is stretched by s at once. Let it grow with the length, and not "
    "at all up to the original one.",
    lambda s, length, original: s,
)
_enter(
    "static-beyond",
    "Past the original length the base jumps to its full stretch. It must grow with the length: "
    "s * length / original - (s - 1) is 1 at the original length.",
    lambda s, length, original: s if length > original else 1,
)
_enter(
    "s-ignored",
    "Here s has no effect: the growth is length / original, as in the paper. The rule asked for is that of "
    "transformers: s * length / original - (s - 1).",
    lambda s, length, original: max(length / original, 1),
)
_enter(
    "no-subtraction",
    "The base is too large already at the original length. Subtract s - 1, so that the growth starts from 1.",
    lambda s, length, original: s * max(length / original, 1),
)
_enter(
    "s-subtracted",
    "The growth is one too small: subtract s - 1, not s.",
    lambda s, length, original: max(s * max(length, original) / original - s, 0),
)
_enter(
    "plus",
    "s - 1 was added. Subtract it, so that the growth is 1 at the original length.",
    lambda s, length, original: s * max(length, original) / original + (s - 1),
)
_enter(
    "smaller-of-the-two",
    "The base never grows, or shrinks: the smaller of length and original was used. Use the larger.",
    lambda s, length, original: s * min(length, original) / original - (s - 1),
)
_enter(
    "lengths-swapped",
    "length and original have changed places: the ratio is length / original, above 1 for a longer text.",
    lambda s, length, original: max(s * original / length - (s - 1), 0.01),
)
_enter(
    "whole-steps",
    "The growth moves in whole steps. Divide the lengths with / in place of //.",
    lambda s, length, original: s * max(length // original, 1) - (s - 1),
)
_enter(
    "capped",
    "The growth stops at s times the original length. The rule has no such limit: it grows as long as "
    "the text does.",
    lambda s, length, original: _right(s, min(length, s * original), original),
)
_enter(
    "one-token-late",
    "The base starts to grow one token late, or counts one too few: the length is the number of tokens, "
    "not the last position.",
    lambda s, length, original: _right(s, length - 1, original),
)
_enter(
    "never-grows",
    "The base stays the old one at every length. Past the original length it must grow.",
    lambda s, length, original: 1,
)
_enter(
    "no-exponent",
    "The growth multiplies the base as it is. Raise it to d / (d - 2), as for NTK.",
    _right,
    lambda d: 1,
)
_enter(
    "inverted",
    "The exponent stands upside down: it is d / (d - 2), above 1.",
    _right,
    lambda d: (d - 2) / d,
)
_enter(
    "base-shrinks",
    "The base becomes smaller as the text grows. Longer texts need slower pairs, and so a larger base: "
    "multiply.",
    _right,
    lambda d: -d / (d - 2),
)


@DYNAMIC_BASE.add(
    "exponent-on-ratio",
    "The exponent lies on length / original alone. Raise the whole growth, s * length / original - (s - 1).",
)
def _exponent_on_ratio(d: int, s: float, length: float, original: float, base: float = 10000.0) -> Any:
    return base * (s * max(length / original, 1) ** (d / (d - 2)) - (s - 1))


@DYNAMIC_BASE.add(
    "default-base",
    "The base argument has no effect: the new base always starts from 10000. Models come with other bases.",
)
def _default_base(d: int, s: float, length: float, original: float, base: float = 10000.0) -> Any:
    return _reference(d, s, length, original)


@DYNAMIC_BASE.add(
    "factor-only",
    "This is what the base is multiplied by. Return the new base itself.",
)
def _factor_only(d: int, s: float, length: float, original: float, base: float = 10000.0) -> Any:
    return _reference(d, s, length, original, base) / base


@DYNAMIC_BASE.add(
    "frequencies",
    "These are the frequencies for the new base. Here the base itself is asked for, one number.",
)
def _frequencies(d: int, s: float, length: float, original: float, base: float = 10000.0) -> Any:
    return dynamic_ntk(d, s, length, original=original, base=base)[0]
