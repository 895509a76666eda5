"""The exercise ``extra_parameters(encoding, n, d, h, layers)`` and its probes.

An encoding adds what is learned, and what is computed from a formula adds nothing. The mistakes are in the
module beside this one.
"""

from __future__ import annotations

from collections.abc import Callable

from posenc.misconceptions.entry import Family, Probe

#: How many numbers an encoding adds, from n, d, h and the number of layers.
Formula = Callable[[int, int, int, int], int]

ROWS, BUCKETS = 33, 32  # Shaw's 2k + 1 with k = 16, and T5's

RIGHT: dict[str, Formula] = {
    "learned": lambda n, d, h, layers: n * d,
    "sinusoidal": lambda n, d, h, layers: 0,
    "shaw": lambda n, d, h, layers: layers * 2 * ROWS * (d // h),
    "t5": lambda n, d, h, layers: BUCKETS * h,
    "alibi": lambda n, d, h, layers: 0,
    "rope": lambda n, d, h, layers: 0,
    "none": lambda n, d, h, layers: 0,
}
_SIZES = (11, 24, 3, 5)

PROBES = (
    Probe(("learned", *_SIZES), "A learned table has a row of d numbers for each position, once."),
    Probe(("sinusoidal", *_SIZES), "Sinusoids come from a formula: nothing is learned."),
    Probe(
        ("shaw", *_SIZES),
        "Shaw: in each layer two tables, for keys and values, of 33 rows of a head's width, shared "
        "by the heads.",
    ),
    Probe(("t5", *_SIZES), "T5: 32 buckets, a number for each head, one table for all layers."),
    Probe(("alibi", *_SIZES), "ALiBi's slopes come from a formula: nothing is learned."),
    Probe(("rope", *_SIZES), "RoPE's frequencies come from a formula: nothing is learned."),
    Probe(("none", *_SIZES), "Without an encoding there is nothing to learn."),
    Probe(("fourier", *_SIZES), "A name that is not in the list must raise ValueError."),
)


def counted(formulas: dict[str, Formula]) -> Callable[..., int]:
    """Return the function that counts by these formulas, and knows no other names."""

    def extra_parameters(encoding: str, n: int, d: int, h: int, layers: int) -> int:
        if encoding not in formulas:
            raise ValueError(f"encoding must be one of {', '.join(formulas)}, got {encoding!r}")
        return formulas[encoding](n, d, h, layers)

    return extra_parameters


EXTRA_PARAMETERS = Family("extra_parameters", counted(RIGHT), PROBES)
