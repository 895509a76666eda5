"""Plain numbers: what may be compared, and how far apart two arrays are.

Never asks an object what it thinks of itself: subclasses are read as the arrays that they are, and
anything that is not numbers is refused.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[Any]

_NUMBERS = (bool, int, float, complex, np.number, np.bool_)
#: (relative, absolute), from the coarsest dtype on.
_TOLERANCES = {"float16": (2e-3, 2e-3), "float32": (1e-5, 1e-6), "complex64": (1e-5, 1e-6)}


def plain(value: Any) -> Array | None:
    """Return numbers as a plain array; None for all else: objects, masked arrays, ragged lists, text."""
    kind = type(value)
    if issubclass(kind, np.ndarray):
        masked = issubclass(kind, np.ma.MaskedArray)
        array = None if masked else np.ndarray.view(value, np.ndarray)
    elif issubclass(kind, _NUMBERS) or kind in (list, tuple):
        array = _from_numbers(value)
    else:
        return None
    return array if array is not None and array.dtype.kind in "biufc" else None


def _from_numbers(value: Any) -> Array | None:
    try:
        return np.array(value)
    except (ValueError, TypeError, OverflowError):  # ragged, or numbers past every dtype
        return None


def tolerances(*dtypes: np.dtype[Any]) -> tuple[float, float]:
    """Return the relative and absolute tolerance that suit the coarsest of some dtypes."""
    names = [dtype.name for dtype in dtypes]
    return next((pair for name, pair in _TOLERANCES.items() if name in names), (1e-6, 1e-8))


def distance(got: Array, want: Array) -> Any:
    """Return how far apart arrays of one shape are: 0 for NaN and NaN, infinite where NaN meets a number."""
    with np.errstate(all="ignore"):
        off = np.abs(_inexact(got) - _inexact(want))
    if np.isfinite(off).all():
        return off
    alike = (got == want) | (np.isnan(got) & np.isnan(want))
    return np.where(alike, 0.0, np.where(np.isnan(off), np.inf, off))


def _inexact(x: Array) -> Array:
    """Return integers and booleans as float64, so that a difference cannot wrap around."""
    return x.astype(np.float64) if x.dtype.kind in "biu" else x


def working(*arrays: ArrayLike) -> tuple[list[Array], np.dtype[Any]]:
    """Return arrays in the dtype to compute in, and the dtype to answer in.

    The answer is the widest where all are float16, float32 or float64, and float64 otherwise; half
    precision is computed in single.

    Raises
    ------
    TypeError
        If an array is not real.
    """
    given = [np.asarray(x) for x in arrays]
    for x in given:
        if x.dtype.kind not in "biuf":
            raise TypeError(f"numbers must be real, got dtype {x.dtype}")
    native = all(x.dtype in (np.float16, np.float32, np.float64) for x in given)
    answer = np.result_type(*given) if native else np.dtype(np.float64)
    compute = np.dtype(np.float32) if answer == np.float16 else answer
    return [x.astype(compute, copy=False) for x in given], answer


def width(x: Array) -> int:
    """Return the number of features, the length of the last axis."""
    if x.ndim == 0:
        raise ValueError("an array must have an axis of features, got a single number")
    return int(x.shape[-1])


def need_even(d: int) -> None:
    """Raise ValueError unless features can be paired."""
    if d < 1:
        raise ValueError(f"d must be positive, got {d}")
    if d % 2:
        raise ValueError(f"d must be even, got {d}")
