"""Checks that teach: `close` compares numbers, `choice` answers to choices, `explain` names mistakes.

This room knows no reference at import: `explain` loads the catalogue when it is called, so that a lesson
may withhold the references and still offer `close`. It never prints, scores or catches what it was not
made for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from posenc.exposure import exposes
from posenc.plain import Array, distance, plain, tolerances
from posenc.trial import Trial, call, same, trial

__all__ = ["Misconceived", "Unanswered", "WrongAnswer", "choice", "close", "explain", "exposes", "written"]


class WrongAnswer(AssertionError):
    """An answer that is not right; a notebook shows its message alone, not the way that led to it."""

    def _render_traceback_(self) -> list[str]:
        """Tell IPython what to show in place of a traceback, which would be of this room's own code."""
        return [f"Not yet: {self}"]


class Misconceived(WrongAnswer):
    """A wrong answer whose mistake is known.

    Attributes
    ----------
    misconception : str
        The id of the catalogue's entry. The message is exactly that entry's line.
    """

    def __init__(self, misconception: str, line: str) -> None:
        super().__init__(line)
        self.misconception = misconception


class Unanswered(NotImplementedError):
    """An answer that was not begun; a notebook shows its message alone."""

    def _render_traceback_(self) -> list[str]:
        return [f"Not yet: {self}"]


def written(*answers: object) -> None:
    """Assert that answers were written in place of None.

    Raises
    ------
    Unanswered
        If one of them is None.

    Examples
    --------
    >>> written(0.5, [1, 2])
    >>> written(0.5, None)
    Traceback (most recent call last):
        ...
    posenc.checks.Unanswered: write your answers in place of None, and run that cell
    """
    if any(answer is None for answer in answers):
        raise Unanswered("write your answers in place of None, and run that cell")


def choice(got: object, right: str, why_not: Mapping[str, str]) -> None:
    """Assert that the right one of several choices was taken; otherwise say why the one taken is not right.

    Parameters
    ----------
    got : object
        The answer; None where nothing was chosen yet.
    right : str
        The right choice.
    why_not : mapping of str to str
        Every wrong choice, and what speaks against it.

    Raises
    ------
    Unanswered
        If `got` is None.
    WrongAnswer
        If it is a wrong choice, with the reason, or no choice at all.

    Examples
    --------
    >>> choice("sine", "sine", {"cosine": "At position 0 it is 1."})
    >>> choice("cosine", "sine", {"cosine": "At position 0 it is 1."})
    Traceback (most recent call last):
        ...
    posenc.checks.WrongAnswer: At position 0 it is 1.
    """
    written(got)
    known = sorted([right, *why_not])
    if type(got) is not str or got not in known:
        raise WrongAnswer(f"choose one of {', '.join(map(repr, known))}, got {got!r}")
    if got != right:
        raise WrongAnswer(why_not[got])


def close(
    got: object,
    want: object,
    claim: str,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    quiet: bool = False,
) -> None:
    """Assert that `got` equals `want` up to rounding, in shape and in every number.

    NaN equals only NaN, so it passes nowhere that `want` is a number; shapes are never broadcast; only
    numbers and plain arrays, lists or tuples of numbers are compared, so that an object cannot declare
    itself equal.

    Parameters
    ----------
    got : object
        The answer.
    want : array_like
        What it must be.
    claim : str
        What a right answer does. The message starts with it.
    rtol, atol : float, optional
        ``abs(got - want) <= atol + rtol * abs(want)``. By default 1e-6 and 1e-8; where the coarser of
        `got` and `want` is float32, 1e-5 and 1e-6; where it is float16, 2e-3 and 2e-3.
    quiet : bool, optional
        The message is the claim and nothing else, as hidden tests need, since what came may repeat their
        inputs.

    Raises
    ------
    AssertionError
        If they differ. The first line is `claim`; the next says what must hold, then what came.

    Examples
    --------
    >>> close([0.1 + 0.2], [0.3], "the sum is 0.3")
    >>> close(0.5, [0.5, 0.5], "two halves")
    Traceback (most recent call last):
        ...
    posenc.checks.WrongAnswer: two halves
    the shape must be (2,), got ()
    """
    wanted = np.asarray(want)
    fault = _fault(got, wanted, rtol, atol)
    if fault is not None:
        raise WrongAnswer(claim if quiet else f"{claim}\n{fault}")


def explain(exercise: str, f: Callable[..., Any]) -> None:
    """Assert that `f` answers an exercise as the reference does; otherwise say which mistake it makes.

    Parameters
    ----------
    exercise : str
        A name of `posenc.misconceptions.FAMILIES`, such as ``"rope"``.
    f : callable
        The answer. It is called once a probe, with copies.

    Raises
    ------
    Misconceived
        If `f` agrees on every probe with a wrong implementation of the catalogue.
    AssertionError
        If it is wrong in some other way: a fixed sentence says what must hold where it first goes wrong.
    Exception
        Whatever `f` raises, unless the reference or a known mistake raises the same.

    Examples
    --------
    >>> from posenc.rotary import rope
    >>> explain("rope", rope)
    >>> explain("rope", lambda x, position: rope(x, position, base=1000.0))
    Traceback (most recent call last):
        ...
    posenc.checks.Misconceived: Your base looks like 1000. It is 10000 here.
    """
    probes = trial(exercise)
    outcomes: list[Any] = []
    right, changed = True, False
    for probe, want in zip(probes.family.probes, probes.wants, strict=True):
        outcome, touched = call(f, probe.args)
        outcomes.append(outcome)
        changed = changed or touched
        if not same(outcome, want, probes.family.keeps_dtype):
            right = False
            if isinstance(outcome, Exception) and not probes.mistakes_like(outcomes):
                raise outcome
    if changed or not right:
        raise _objection(probes, outcomes, changed)


def _objection(probes: Trial, outcomes: list[Any], changed: bool) -> Exception:
    """Return the mistake that the outcomes show, what was raised, or the first property that fails."""
    for entry in probes.mistakes_like(outcomes):
        if changed or not entry.id.endswith("-in-place"):
            return Misconceived(entry.id, entry.line)
    family = probes.family
    wrong = [
        each
        for each in zip(family.probes, outcomes, probes.wants, strict=True)
        if not same(each[1], each[2], family.keeps_dtype)
    ]
    raised = next((outcome for _, outcome, _ in wrong if isinstance(outcome, Exception)), None)
    if raised is not None:
        return raised
    if changed:
        return WrongAnswer("The arguments must not be changed: write into a new array, and return it.")
    probe, outcome, want = wrong[0]
    if isinstance(want, type):
        return WrongAnswer(probe.claim)
    broken = _broken(outcome, want, family.keeps_dtype) or family.invariant(probe.args, plain(outcome))
    return WrongAnswer(broken or probe.claim)


def _broken(outcome: object, want: Array, keeps_dtype: bool) -> str | None:
    """Say which property of any right answer this one lacks, without quoting it."""
    if outcome is None:
        return "The function must return its result: here it returns None. Is the return missing?"
    array = plain(outcome)
    if array is None or array.dtype.kind == "c":
        return "The result must be real numbers: a plain array, or a number where one is asked for."
    if array.shape != want.shape:
        return "The result has the wrong shape."
    if np.isnan(array).any():
        return "The result must be finite: here some of it is NaN."
    if keeps_dtype and array.dtype != want.dtype:
        return "float16, float32 and float64 must stay what they are, and anything else must become float64."
    return None


def _fault(got: object, want: Array, rtol: float | None, atol: float | None) -> str | None:
    """Say what must hold and what came, or None where they are close."""
    array = plain(got)
    if array is None:
        return f"must be a number or a plain array of numbers, got {type(got).__name__}"
    if array.shape != want.shape:
        return f"the shape must be {want.shape}, got {array.shape}"
    if array.dtype.kind == "c" and want.dtype.kind != "c":
        return f"the numbers must be real, got dtype {array.dtype}"
    coarse = tolerances(array.dtype, want.dtype)
    return _worst(array, want, coarse[0] if rtol is None else rtol, coarse[1] if atol is None else atol)


def _worst(got: Array, want: Array, rtol: float, atol: float) -> str | None:
    """Say where `got` is furthest outside the tolerance, or None where it is inside everywhere."""
    off = distance(got, want)
    excess = off - (atol + rtol * np.abs(np.where(np.isfinite(want), want, 0)))
    if not (excess > 0).any():
        return None
    at = tuple(int(i) for i in np.unravel_index(np.argmax(excess), excess.shape))
    where = f" at [{', '.join(map(str, at))}]" if at else ""
    return f"must be {want[at]:.8g}{where}, got {got[at]:.8g}"
