"""The bug of left padding: places taken for positions (lesson 9), and mistakes in mending it.

After ndif-team/nnsight#672 and TransformerLensOrg/TransformerLens#1609. Wrong on purpose, each in one way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.learned import positions_from_mask
from posenc.misconceptions.debugging.bug import Bug, alike
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.plain import Array


def _added(tokens: Array, mask: Array, table: Array, positions: Any) -> Array:
    return np.asarray((tokens + table[positions]) * mask[..., None])


def _reference(tokens: Array, mask: Array, table: Array) -> Array:
    return _added(tokens, mask, table, positions_from_mask(mask))


def _probe(mask: Any, claim: str) -> Probe:
    mask = np.array(mask)
    return Probe((waves(*mask.shape, 3), mask, waves(20, 3)[::-1]), claim)


PROBES = (
    _probe([[1, 1, 1, 1]], "Without padding, token j gets row j of the table."),
    _probe(
        [[0, 0, 1, 1, 1], [0, 1, 1, 1, 1], [1, 1, 1, 1, 1]],
        "Padded on the left, the first token of each text must get row 0, the next row 1, and so on.",
    ),
    _probe(
        [[1, 1, 1, 0, 0, 0], [1, 0, 1, 1, 0, 1]],
        "Padding may stand anywhere, and positions count tokens only.",
    ),
)

FAMILY = Family("add_positions", _reference, PROBES)


def _mask(mask: Any) -> bool:
    return bool(((mask == 0) | (mask == 1)).all())


def _ragged(mask: Array) -> Array:
    """Return the texts in which padding stands before a token."""
    return np.asarray((np.diff(mask.astype(int), axis=1) > 0).any(axis=1))


PADDING = Bug(
    FAMILY,
    needs=(
        (
            lambda x, mask, table: x.ndim == 3 and x.size and x.dtype.kind == "f",
            "tokens must be a float array (B, n, d): texts, tokens, features.",
        ),
        (
            lambda x, mask, table: mask.shape == x.shape[:2] and _mask(mask),
            "mask must be an array (B, n) of 0 and 1, with a number for each token.",
        ),
        (
            lambda x, mask, table: (
                table.ndim == 2 and table.shape[1] == x.shape[2] and len(table) >= x.shape[1]
            ),
            "table must be an array with a row of d features for each of at least n positions.",
        ),
        (
            lambda x, mask, table: x.size <= 10**5,
            "tokens is larger than it need be: two short texts show it.",
        ),
    ),
    blind=(
        (
            lambda x, mask, table: mask.all(),
            "Your mask is 1 everywhere: without padding, place and position are the same. Let the texts "
            "have different lengths.",
        ),
        (
            lambda x, mask, table: not mask.any(),
            "Your mask is 0 everywhere: there is padding and no token. Let some tokens be there.",
        ),
        (
            lambda x, mask, table: not _ragged(mask).any(),
            "Your padding stands behind the tokens only, and moves none of them. Where do programs pad that "
            "are to write on?",
        ),
        (
            lambda x, mask, table: alike(table),
            "All rows of your table are equal: it does not matter which is read.",
        ),
    ),
)


@FAMILY.add(
    "shipped",
    "This is still the shipped program: a token's place in the row is taken for its position. Count the "
    "tokens up to it instead: what the mask adds up to, minus 1.",
)
def _shipped(tokens: Array, mask: Array, table: Array) -> Any:
    return _added(tokens, mask, table, np.arange(mask.shape[1]))


def _read(positions: Callable[[Array], Any]) -> Callable[..., Any]:
    return lambda tokens, mask, table: _added(tokens, mask, table, positions(mask))


FAMILY.add(
    "from-1",
    "The first token gets row 1 of the table: the sum of the mask counts the token itself. Subtract 1.",
)(_read(lambda mask: np.cumsum(mask, axis=-1)))
FAMILY.add(
    "all-texts-alike",
    "Every text gets the positions of the first. Each has its own padding: count along each row of the mask.",
)(_read(lambda mask: positions_from_mask(mask[:1])))
FAMILY.add(
    "across-texts",
    "Positions are counted across texts: np.cumsum without an axis runs through the whole batch. Give it "
    "axis=-1.",
)(_read(lambda mask: (np.cumsum(mask).reshape(mask.shape) - 1) * mask))
FAMILY.add(
    "down-the-batch",
    "Positions are counted down the batch, text by text. Count along the last axis of the mask.",
)(_read(lambda mask: (np.cumsum(mask, axis=0) - 1) * mask))
FAMILY.add(
    "first-token",
    "The place of the first token is subtracted from every place. That mends padding on the left, and not "
    "padding between tokens: count tokens.",
)(_read(lambda mask: np.maximum(np.arange(mask.shape[1]) - mask.argmax(axis=1)[:, None], 0)))
FAMILY.add(
    "all-padding-first",
    "The number of padded places is subtracted from every place, as if all padding stood on the left. Count "
    "tokens instead.",
)(_read(lambda mask: np.maximum(np.arange(mask.shape[1]) - (1 - mask).sum(axis=1)[:, None], 0)))
FAMILY.add(
    "counts-padding",
    "Padding was counted in place of tokens. The position of a token is the number of tokens before it.",
)(_read(lambda mask: np.cumsum(1 - mask, axis=-1)))
FAMILY.add(
    "from-the-end",
    "Positions are counted from the last token back. The first token of a text gets row 0.",
)(_read(lambda mask: (np.cumsum(mask[:, ::-1], axis=-1)[:, ::-1] - 1) * mask))
FAMILY.add(
    "row-0",
    "Every token gets row 0 of the table: the mask itself, or its product with 0, was used as the position.",
)(_read(lambda mask: 0 * mask))
FAMILY.add(
    "mask-as-position",
    "The mask itself is used as the position, so every token gets row 1. Add it up along the text.",
)(_read(lambda mask: mask))


@FAMILY.add(
    "padding-kept",
    "Tokens are right, but padded places are no longer 0. Multiply by the mask, as the shipped program does.",
)
def _padding_kept(tokens: Array, mask: Array, table: Array) -> Any:
    return tokens + table[positions_from_mask(mask)]


@FAMILY.add(
    "no-tokens",
    "The positions are right, but the tokens themselves are gone. Add the rows of the table to the tokens.",
)
def _no_tokens(tokens: Array, mask: Array, table: Array) -> Any:
    return _reference(0 * tokens, mask, table)


@FAMILY.add(
    "in-place",
    "The numbers are right, but the tokens that came in were changed. Make a new array: write x + y, not x "
    "+= y.",
)
def _in_place(tokens: Array, mask: Array, table: Array) -> Any:
    tokens[...] = _reference(tokens, mask, table)
    return tokens
