"""`exposes`: whether an input tells a program that shipped with a bug from the right one, and if not, why.

Runs both on copies of the input. Loads the catalogue when it is called, never before; an input that exposes
nothing is told the first family of inputs that it belongs to. Everything said is a fixed sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from posenc.plain import distance, plain
from posenc.trial import call

if TYPE_CHECKING:
    from posenc.misconceptions.debugging.bug import Bug

__all__ = ["exposes"]

_MOST = 1_000_000  # numbers in one argument: an input is to be read by a person


def exposes(exercise: str, given: object) -> None:
    """Assert that the shipped program and the right one differ clearly on an input.

    Parameters
    ----------
    exercise : str
        A name of `posenc.misconceptions.debugging.BUGS`, such as ``"head_slopes"``.
    given : tuple
        The arguments in order: numbers, and arrays or lists of numbers. Where there is one argument, it may
        stand alone.

    Raises
    ------
    Unanswered
        If `given` is None.
    WrongAnswer
        If the two agree, with the first family of inputs that cannot see the bug and holds this one; or if
        `given` is no input for them.
    ValueError
        If there is no such exercise.

    Notes
    -----
    They differ clearly if their shapes do, or if any number differs by more than a share of the largest right
    one: a thousandth, or one twentieth where the bug is one of half precision.

    Examples
    --------
    >>> exposes("head_slopes", (6,))
    >>> exposes("head_slopes", (8,))
    Traceback (most recent call last):
        ...
    posenc.checks.WrongAnswer: Your number of heads is a power of two. Try one that is not.
    """
    from posenc.checks import WrongAnswer, written
    from posenc.misconceptions.debugging import BUGS

    written(given)
    if exercise not in BUGS:
        raise ValueError(f"exercise must be one of {', '.join(BUGS)}, got {exercise!r}")
    bug = BUGS[exercise]
    args = _arguments(given, len(bug.family.probes[0].args))
    with np.errstate(all="ignore"):
        fault = args if isinstance(args, str) else _fault(bug, args)
    if fault is not None:
        raise WrongAnswer(fault)


def _arguments(given: object, count: int) -> tuple[Any, ...] | str:
    """Return plain arguments, whole arrays or single numbers; or say what they are not."""
    if type(given) not in (tuple, list):
        if count > 1:
            return "The input must be a tuple: one value for each argument of the function, in their order."
        given = (given,)
    values: Any = given
    if len(values) != count:
        return "The input must hold one value for each argument of the function, in their order."
    arrays = [plain(value) for value in values]
    for array in arrays:
        if array is None or array.dtype.kind == "c":
            return "Each argument must be a real number, or an array of them: no text, no None, no function."
        if array.size > _MOST:
            return "An argument holds more than a million numbers: a small input shows the bug as well."
        if not np.isfinite(array).all():
            return "Each number of the input must be finite: NaN and infinity tell nothing apart."
    return tuple(array.item() if array is not None and array.ndim == 0 else array for array in arrays)


def _fault(bug: Bug, args: tuple[Any, ...]) -> str | None:
    """Say why an input exposes nothing, or None where it does."""
    for need, sentence in bug.needs:
        if not _holds(need, args):
            return sentence
    right, _ = call(bug.family.reference, args)
    shipped, _ = call(bug.shipped, args)
    if isinstance(right, Exception):
        return "Even the right program cannot take this input: compare it with what the task promises."
    if isinstance(shipped, Exception):
        return "The shipped program stops with an error here. The bug is a silent one: find wrong numbers."
    return _too_near(bug, np.asarray(shipped), np.asarray(right), args)


def _too_near(bug: Bug, shipped: Any, right: Any, args: tuple[Any, ...]) -> str | None:
    if shipped.shape != right.shape:
        return None
    largest = float(np.abs(right).max(initial=0.0))
    off = float(distance(shipped, right).max(initial=0.0))
    if off > bug.clearly * largest:
        return None
    for holds, sentence in bug.blind:
        if _holds(holds, args):
            return sentence
    if off > 1e-9 * largest:
        return (
            "The two differ here, but by so little that it could be rounding. Go further in this direction."
        )
    return "The two agree on this input. Change one thing at a time: sizes, lengths, positions, types."


def _holds(rule: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Say whether a rule holds of arguments; of those that it cannot read it does not."""
    try:
        return bool(rule(*args))
    except Exception:
        return False
