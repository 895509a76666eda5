"""The catalogue of misconceptions: wrong answers that people really write, and the line that helps with each.

Every entry is a program that makes the mistake. An answer that agrees with one on every probe of its
exercise, and not with the reference, made that mistake. This room judges nothing: `posenc.checks.explain`
does.

A folder a lesson. It contains references, so that a lesson which withholds `posenc.rotary`, say, withholds
this as well.

Examples
--------
>>> [m.id for m in for_exercise("rope")][:2]
['rope-clockwise', 'rope-half-layout']
"""

from __future__ import annotations

from posenc.misconceptions import (
    alibi,
    choosing,
    debugging,
    extrapolation,
    learned,
    order,
    relative,
    rotary,
    scaling,
    sinusoidal,
)
from posenc.misconceptions.entry import Family, Misconception, Probe

__all__ = ["CATALOGUE", "FAMILIES", "PROBES", "Family", "Misconception", "Probe", "for_exercise"]

#: By exercise, in the order of the lessons.
FAMILIES: dict[str, Family] = {
    family.exercise: family
    for lesson in (
        order,
        sinusoidal,
        learned,
        relative,
        alibi,
        rotary,
        scaling,
        extrapolation,
        debugging,
        choosing,
    )
    for family in lesson.HERE
}
CATALOGUE: tuple[Misconception, ...] = tuple(m for family in FAMILIES.values() for m in family.entries)
PROBES: dict[str, tuple[Probe, ...]] = {name: family.probes for name, family in FAMILIES.items()}


def for_exercise(name: str) -> tuple[Misconception, ...]:
    """Return the catalogue's entries for one exercise.

    Raises
    ------
    KeyError
        If the catalogue has no such exercise.
    """
    if name not in FAMILIES:
        raise KeyError(f"exercise must be one of {', '.join(FAMILIES)}, got {name!r}")
    return tuple(FAMILIES[name].entries)
