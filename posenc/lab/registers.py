"""Two made-up tasks: registers that are written and read, and a needle that was written long ago.

Random tokens from a generator that is passed in; nothing is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

__all__ = ["Batch", "Needle", "Registers"]


class Batch(NamedTuple):
    """What a model reads, what it should answer, and where that counts."""

    #: (streams, batch, n) of int.
    tokens: Array
    #: (batch, n) of int.
    targets: Array
    #: (batch, n), 1 where an answer counts and 0 elsewhere.
    counted: Array


@dataclass(frozen=True)
class Registers:
    """Eight registers. A token is three numbers: write value v into register k, then read register q.

    The answer at each step is what register q holds; it counts where q was written before, or now. To answer,
    a head has to find the tokens that wrote q, and of those the last.
    """

    sizes: ClassVar[tuple[int, int, int]] = (8, 8, 8)

    def batch(self, rng: np.random.Generator, size: int, n: int) -> Batch:
        """Draw `size` sequences of `n` tokens."""
        k, v, q = rng.integers(0, 8, (3, size, n))
        return Batch(np.stack([k, v, q]), *read(k, v, q))


@dataclass(frozen=True)
class Needle:
    """Register 0 is written once, at the start, and read once, at the end, past all that lies between."""

    sizes: ClassVar[tuple[int, int, int]] = (8, 8, 8)

    def batch(self, rng: np.random.Generator, size: int, n: int) -> Batch:
        """Draw `size` sequences of `n` tokens, at least 2."""
        k, q = rng.integers(1, 8, (2, size, n))
        v = rng.integers(0, 8, (size, n))
        k[:, 0] = q[:, -1] = 0
        targets, counted = read(k, v, q)
        counted[:, :-1] = 0
        return Batch(np.stack([k, v, q]), targets, counted)


def read(k: Array, v: Array, q: Array) -> tuple[Array, Array]:
    """Play writes and reads, each (batch, n); return what is read, and 1 where there was something."""
    batch, n = k.shape
    each = np.arange(batch)
    held = np.full((batch, 8), -1)
    found = np.empty((batch, n), dtype=np.int64)
    for t in range(n):
        held[each, k[:, t]] = v[:, t]
        found[:, t] = held[each, q[:, t]]
    return np.maximum(found, 0), (found >= 0).astype(np.float64)
