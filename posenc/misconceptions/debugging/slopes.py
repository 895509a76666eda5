"""The bug of six heads: one formula for every number of them (lesson 9), and mistakes in mending it.

After ml-explore/mlx#343. Wrong on purpose, each in one way. Most of lesson 5's mistakes are entered again.
"""

from __future__ import annotations

from posenc.misconceptions.alibi.slopes_heads import ALIBI_SLOPES
from posenc.misconceptions.debugging.bug import Bug, whole
from posenc.misconceptions.entry import Family

FAMILY = Family("head_slopes", ALIBI_SLOPES.reference, ALIBI_SLOPES.probes, invariant=ALIBI_SLOPES.invariant)

SLOPES = Bug(
    FAMILY,
    needs=((lambda h: whole(h, 1, 1000), "h must be a whole number of heads, from 1 to 1000."),),
    blind=(
        (
            lambda h: h in (1, 2),
            "So few heads have no room for the bug. Try more.",
        ),
        (
            lambda h: h & (h - 1) == 0,
            "Your number of heads is a power of two. Try one that is not.",
        ),
    ),
)


def _enter_all() -> None:
    FAMILY.add(
        "shipped",
        "This is still the shipped formula, right for powers of two only. Otherwise take the slopes for the "
        "power of two below, then the first, third, ... of twice as many.",
    )(next(entry.wrong for entry in ALIBI_SLOPES.entries if entry.id == "alibi_slopes-one-formula"))
    for entry in ALIBI_SLOPES.entries:
        name = entry.id.removeprefix("alibi_slopes-")
        if name != "one-formula":
            FAMILY.add(name, entry.line)(entry.wrong)


_enter_all()
