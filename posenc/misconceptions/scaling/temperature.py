"""The exercise ``temperature(s)`` and its mistakes: what YaRN multiplies cosines and sines by.

Wrong on purpose, each in one way. At s = 1 nearly everything gives 1, so most probes are larger.
"""

from __future__ import annotations

from math import exp, log, log1p, log2, log10, sqrt

from posenc.misconceptions.entry import Answer, Family, Probe
from posenc.scaling import yarn


def _reference(s: float) -> float:
    return yarn(8, max(s, 1), original=2048)[1]


PROBES = (
    Probe((16,), "For s = 16 the factor must be 0.1 * ln(16) + 1, a little above 1.27."),
    Probe((2.5,), "The stretch need not be whole: 0.1 * ln(s) + 1."),
    Probe((1,), "Without a stretch the factor must be 1: ln(1) is 0."),
    Probe((0.5,), "For s below 1 the factor must be 1, not less."),
    Probe((40,), "The factor must go on growing with the logarithm of s."),
)

TEMPERATURE = Family("temperature", _reference, PROBES)


def _m(s: float) -> float:
    return 0.1 * log(s) + 1


def _enter(name: str, line: str, factor: Answer) -> None:
    """Enter the rule that is right up to s = 1, and wrong beyond."""
    TEMPERATURE.add(name, line)(lambda s: float(factor(s)) if s > 1 else 1.0)


TEMPERATURE.add(
    "below-1",
    "For s below 1 the factor falls below 1. There is nothing to make up for: return 1 for s up to 1.",
)(_m)
TEMPERATURE.add(
    "zero-below-1",
    "For s up to 1 the factor must be 1, not 0: it multiplies queries and keys, and 0 would wipe them out.",
)(lambda s: _m(s) if s > 1 else 0.0)
TEMPERATURE.add(
    "always-1",
    "The factor is 1 at every stretch. Past s = 1 it grows: 0.1 * ln(s) + 1.",
)(lambda s: 1.0)
_enter(
    "log10",
    "The logarithm is to base 10. Use the natural one, np.log.",
    lambda s: 0.1 * log10(s) + 1,
)
_enter(
    "log2",
    "The logarithm is to base 2. Use the natural one, np.log.",
    lambda s: 0.1 * log2(s) + 1,
)
_enter(
    "log1p",
    "The logarithm is of 1 + s. It is of s itself.",
    lambda s: 0.1 * log1p(s) + 1,
)
_enter(
    "no-logarithm",
    "The factor grows with s itself, far too fast. It grows with its logarithm.",
    lambda s: 0.1 * s + 1,
)
_enter(
    "no-1",
    "The 1 is missing: the factor starts from 1 and grows slowly, 0.1 * ln(s) + 1.",
    lambda s: 0.1 * log(s),
)
_enter(
    "no-tenth",
    "The 0.1 is missing, so the factor grows ten times too fast.",
    lambda s: log(s) + 1,
)
_enter(
    "minus",
    "The factor falls below 1 as s grows. The longer the text, the sharper the scores must become: add "
    "the logarithm.",
    lambda s: 1 - 0.1 * log(s),
)
_enter(
    "inverted",
    "That is one over the factor: scores would become softer. Queries and keys are multiplied by 0.1 * "
    "ln(s) + 1.",
    lambda s: 1 / _m(s),
)
_enter(
    "paper-t",
    "This is the t of the paper, by which scores are divided. Here the factor of cosines and sines is "
    "asked for: the square root of 1 / t.",
    lambda s: 1 / _m(s) ** 2,
)
_enter(
    "squared",
    "This is what a score is multiplied by, the square. Query and key bring one factor each: return 0.1 "
    "* ln(s) + 1.",
    lambda s: _m(s) ** 2,
)
_enter(
    "root",
    "A square root too many: 0.1 * ln(s) + 1 already is the root of what a score is multiplied by.",
    lambda s: sqrt(_m(s)),
)
_enter(
    "mistral",
    "0.07 in place of 0.1 is what YaRN's authors fitted for Mistral. Here the paper's 0.1 is asked for.",
    lambda s: 0.07 * log(s) + 1,
)
_enter(
    "twice",
    "The factor lies within the logarithm, or was applied twice: 0.1 * ln(s) + 1, once.",
    lambda s: 0.1 * log(_m(s)) + 1,
)
_enter(
    "tenth-inside",
    "The 0.1 went inside the logarithm. It stands in front: 0.1 * ln(s) + 1.",
    lambda s: log(0.1 * s) + 1,
)
_enter(
    "one-inside",
    "The tenth was taken of the whole. Only the logarithm is multiplied by 0.1: 0.1 * ln(s) + 1.",
    lambda s: 0.1 * (log(s) + 1),
)
_enter(
    "exponential",
    "The exponential was used in place of the logarithm. It is 0.1 * np.log(s) + 1.",
    lambda s: exp(0.1 * s),
)
