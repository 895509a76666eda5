"""The exercises ``to_half(x)`` and ``permute_weights(W, h)`` and their mistakes: interleaved to half.

Wrong on purpose, each in one way. With d = 4 the right order is its own inverse, so the probes are wider.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Family, Probe
from posenc.misconceptions.rotary.rope import Array
from posenc.rotary import permute_weights, to_half


def _numbered(*shape: int) -> Array:
    return np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)


TO_HALF = Family(
    "to_half",
    to_half,
    (
        Probe(
            (_numbered(4),), "Even features come first, in order, then the odd ones: 0, 2, 1, 3 for d = 4."
        ),
        Probe(
            (_numbered(8),),
            "Even features come first, in order, then the odd ones: 0, 2, 4, 6, 1, 3, 5, 7 for d = 8.",
        ),
        Probe((_numbered(2, 3, 6),), "Leading axes are batch axes: only the last axis is reordered."),
    ),
)


@TO_HALF.add(
    "inverse",
    "That is the way back, from half to interleaved: 0, d/2, 1, d/2 + 1, ... Here the even features"
    " come first, then the odd ones.",
)
def _inverse(x: Array) -> Any:
    return np.stack(np.split(x, 2, axis=-1), axis=-1).reshape(x.shape)


@TO_HALF.add(
    "unchanged", "The features came back in the same order. Put the even ones first, then the odd ones."
)
def _unchanged(x: Array) -> Any:
    return x


@TO_HALF.add(
    "odd-first",
    "The odd features come first here. The first feature of each pair, the even one, belongs in the "
    "first half.",
)
def _odd_first(x: Array) -> Any:
    return np.concatenate([x[..., 1::2], x[..., 0::2]], axis=-1)


@TO_HALF.add(
    "halves-swapped",
    "The two halves were exchanged. Sort by even and odd instead: 0, 2, 4, ..., then 1, 3, 5, ...",
)
def _halves_swapped(x: Array) -> Any:
    return np.roll(x, x.shape[-1] // 2, axis=-1)


@TO_HALF.add(
    "neighbours-swapped", "Neighbours were exchanged. Collect all even features first, then all odd ones."
)
def _neighbours_swapped(x: Array) -> Any:
    return x.reshape(*x.shape[:-1], -1, 2)[..., ::-1].reshape(x.shape)


@TO_HALF.add(
    "reversed", "The order was reversed. Collect the even features first, then the odd ones, each in order."
)
def _reversed(x: Array) -> Any:
    return x[..., ::-1]


@TO_HALF.add(
    "first-axis", "The first axis was reordered. Features are the last axis: x[..., 0::2] and x[..., 1::2]."
)
def _first_axis(x: Array) -> Any:
    return np.concatenate([x[0::2], x[1::2]])


@TO_HALF.add("even-only", "Only the even features are left. The odd ones follow them.")
def _even_only(x: Array) -> Any:
    return x[..., 0::2]


@TO_HALF.add(
    "stacked",
    "Even and odd features stand on an axis of their own. Join them along the last axis instead of stacking.",
)
def _stacked(x: Array) -> Any:
    return np.stack([x[..., 0::2], x[..., 1::2]])


@TO_HALF.add(
    "stacked-last",
    "Even and odd features stand on a new last axis. Join them along the axis that is there: "
    "np.concatenate with axis=-1.",
)
def _stacked_last(x: Array) -> Any:
    return np.stack([x[..., 0::2], x[..., 1::2]], axis=-1)


@TO_HALF.add(
    "rotate-half",
    "This is rotate_half, a step of the rotation itself. Here the features are only reordered, with no "
    "minus sign.",
)
def _rotate_half(x: Array) -> Any:
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([-b, a], axis=-1)


@TO_HALF.add(
    "in-place",
    "The order is right, but x itself was changed. Return a new array: whoever called still needs the old x.",
)
def _in_place(x: Array) -> Any:
    x[...] = to_half(x)
    return x


PERMUTE = Family(
    "permute",
    permute_weights,
    (
        Probe((_numbered(6, 5), 1), "With one head, rows 0, 2, 4, ... come first, then 1, 3, 5, ..."),
        Probe(
            (_numbered(8, 1), 2),
            "Each head is reordered on its own: 0, 2, 1, 3 and then 4, 6, 5, 7 for two heads of width 4.",
        ),
        Probe(
            (_numbered(18, 5), 3),
            "The h heads are blocks of d consecutive rows, and rows stay inside their head.",
        ),
        Probe(
            (_numbered(16, 16), 2), "Rows are reordered, not columns: the rows make the features of q and k."
        ),
    ),
)


def _by_head(W: Array, h: int, order: Any) -> Any:
    """Reorder the rows of each head by `order`, which maps positions in a head."""
    return W.reshape(h, -1, W.shape[1])[:, order].reshape(W.shape)


def _to_half_order(d: int) -> Array:
    return to_half(np.arange(d))


@PERMUTE.add(
    "ignores-heads",
    "All rows were reordered as one head. Each head has its own pairs: reshape to (h, d/2, 2, n_in) first.",
)
def _ignores_heads(W: Array, h: int) -> Any:
    return W[_to_half_order(len(W))]


@PERMUTE.add(
    "inverse",
    "That is the way back, from half to interleaved. Inside a head, even rows come first, then odd ones.",
)
def _permute_inverse(W: Array, h: int) -> Any:
    return _by_head(W, h, np.argsort(_to_half_order(len(W) // h)))


@PERMUTE.add(
    "unchanged", "The weights came back as they were. Inside each head, even rows come first, then odd ones."
)
def _permute_unchanged(W: Array, h: int) -> Any:
    return W


@PERMUTE.add("odd-first", "Inside each head the odd rows come first. The even ones belong in the first half.")
def _permute_odd_first(W: Array, h: int) -> Any:
    return _by_head(W, h, np.roll(_to_half_order(len(W) // h), len(W) // h // 2))


@PERMUTE.add("columns", "The columns were reordered. q = W x, so features of q are rows of W.")
def _columns(W: Array, h: int) -> Any:
    return np.concatenate([W[:, 0::2], W[:, 1::2]], axis=1)


@PERMUTE.add(
    "transposed", "The result is transposed. Keep rows and columns: only the order of the rows changes."
)
def _transposed(W: Array, h: int) -> Any:
    return permute_weights(W, h).T


@PERMUTE.add(
    "heads-for-width",
    "The number of heads was taken for the width of a head. h counts the heads; a head has len(W) // h rows.",
)
def _heads_for_width(W: Array, h: int) -> Any:
    return W.reshape(-1, h, W.shape[1])[:, np.r_[0:h:2, 1:h:2]].reshape(W.shape)


@PERMUTE.add(
    "heads-interleaved",
    "The heads were taken to alternate from row to row. Head 0 is the first d rows, head 1 the next"
    " d, and so on.",
)
def _heads_interleaved(W: Array, h: int) -> Any:
    d = len(W) // h
    return W.reshape(d, h, W.shape[1])[_to_half_order(d)].reshape(W.shape)


@PERMUTE.add("extra-axes", "The heads stand on axes of their own. Reshape back to the shape of W at the end.")
def _extra_axes(W: Array, h: int) -> Any:
    return _by_head(W, h, _to_half_order(len(W) // h)).reshape(h, -1, W.shape[1])


@PERMUTE.add(
    "in-place",
    "The order is right, but W itself was changed. Return a new array: whoever called still needs the old W.",
)
def _permute_in_place(W: Array, h: int) -> Any:
    W[...] = permute_weights(W, h)
    return W
