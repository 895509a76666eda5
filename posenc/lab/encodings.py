"""Encodings as a `Transformer` takes them: rows to add, a way to turn q and k, a bias for scores.

An `Encoding` says what happens at each of the three places where position can enter; what it leaves out does
nothing there. Those of the library are made here; a function of the reader's own takes the same place. This
room computes no encoding itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array: TypeAlias = NDArray[Any]

__all__ = ["Encoding", "alibi", "learned", "nope", "rope", "sinusoidal", "t5"]


@dataclass(frozen=True)
class Encoding:
    """Where position enters a model. Every part may be left out.

    Attributes
    ----------
    name : str
        What pictures call it.
    add : callable, optional
        ``add(n, d)`` gives rows (n, d) that are added to the embeddings.
    turn : callable, optional
        ``turn(x, positions)`` gives `x`, (..., n, d), turned to the positions, (n,): what queries and keys of
        every head go through, in every layer. It must be linear in `x`; it need not be a rotation.
    bias : callable, optional
        ``bias(n, h)`` gives (h, n, n), added to the scaled scores of every layer. Keys after the query are
        hidden in any case.
    rows : int, optional
        So many rows are learned, and added to the embeddings.
    bucket : callable, optional
        ``bucket(n)`` gives (n, n), the row of a learned table that each query and key read as their bias.
    n_buckets : int, optional
        How many rows that table has; it has a column a head, and all layers share it.
    """

    name: str
    add: Callable[[int, int], ArrayLike] | None = None
    turn: Callable[[Array, Array], ArrayLike] | None = None
    bias: Callable[[int, int], ArrayLike] | None = None
    rows: int = 0
    bucket: Callable[[int], ArrayLike] | None = None
    n_buckets: int = 0

    def maps(self, n: int, d: int, dtype: DTypeLike) -> Array | None:
        """Return `turn` as a matrix for each position, (n, d, d): row `a` is what becomes of feature `a`.

        A linear map is known by what it makes of the unit vectors, and its gradient is its transpose: so a
        function that the reader wrote can be trained with, whatever it does.

        Raises
        ------
        ValueError
            If `turn` gives another shape than it was given.
        """
        if self.turn is None:
            return None
        units = np.tile(np.eye(d)[:, None, :], (1, n, 1))  # (d, n, d)
        turned = np.asarray(self.turn(units, np.arange(n)))
        if turned.shape != units.shape:
            raise ValueError(f"turn must keep the shape {units.shape}, got {turned.shape}")
        return np.ascontiguousarray(turned.swapaxes(0, 1)).astype(dtype)


def nope() -> Encoding:
    """Return no encoding at all: what is left is the causal mask."""
    return Encoding("NoPE")


def sinusoidal(*, scale: float = 1.0) -> Encoding:
    """Return sinusoids added to the embeddings, multiplied by `scale`."""
    from posenc.sinusoidal import sinusoidal as rows

    return Encoding("sinusoidal", add=lambda n, d: scale * rows(n, d))


def learned(rows: int) -> Encoding:
    """Return a table of `rows` learned rows, added to the embeddings."""
    return Encoding("learned", rows=rows)


def rope(
    *, frequencies: ArrayLike | None = None, attention_factor: float = 1.0, name: str = "RoPE"
) -> Encoding:
    """Return rotary encoding of q and k; `posenc.scaling` gives frequencies and factor of other ones."""
    from posenc import rotary

    def turn(x: Array, positions: Array) -> Array:
        return rotary.rope(x, positions, frequencies=frequencies, attention_factor=attention_factor)

    return Encoding(name, turn=turn)


def alibi() -> Encoding:
    """Return a bias that falls in a straight line with distance, a slope a head."""
    from posenc.alibi import alibi_bias, alibi_slopes

    return Encoding("ALiBi", bias=lambda n, h: alibi_bias(n, n, alibi_slopes(h), causal=False))


def t5(*, n_buckets: int = 16, max_distance: int = 32) -> Encoding:
    """Return T5's learned bias for buckets of distance.

    `max_distance` should not pass the trained length: farther buckets would keep their random start.
    """
    from posenc.relative import t5_bucket

    def bucket(n: int) -> Array:
        r = np.arange(n) - np.arange(n)[:, None]  # (n, n) key minus query
        return t5_bucket(r, bidirectional=False, n_buckets=n_buckets, max_distance=max_distance)

    return Encoding("T5", bucket=bucket, n_buckets=n_buckets)
