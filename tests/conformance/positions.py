"""Tables of positions: sinusoids in each layout and spacing, and learned tables that are resized."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch.nn.functional import interpolate
from transformers.models.ctrl.modeling_ctrl import positional_encoding
from transformers.models.dpt.modeling_dpt import DPTViTEmbeddings
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding as Marian
from transformers.models.mpnet.modeling_mpnet import create_position_ids_from_input_ids
from transformers.models.whisper.modeling_whisper import sinusoids
from transformers.models.xlm.modeling_xlm import create_sinusoidal_embeddings

from tests.conformance.agreement import Case, Group

CASES = 40


def shape(rng: np.random.Generator, *, narrowest: int = 1) -> tuple[int, int]:
    """Draw a number of positions and a width, small and large."""
    most_positions, widest = (9, 13) if rng.integers(2) else (100, 65)
    return int(rng.integers(1, most_positions)), int(rng.integers(narrowest, widest))


def even_shape(rng: np.random.Generator) -> tuple[int, int]:
    n, d = shape(rng, narrowest=4)
    return n, d + d % 2


def xlm(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """Sines and cosines by turns, odd widths as well."""
    for _ in range(CASES):
        n, d = shape(rng)
        want = create_sinusoidal_embeddings(n, d, torch.empty(n, d))
        yield Case({"n": n, "d": d}, (want.numpy(),))


def marian(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """Sines, then cosines, odd widths as well."""
    for _ in range(CASES):
        n, d = shape(rng)
        yield Case({"n": n, "d": d, "layout": "half"}, (Marian(n, d).create_weight().numpy(),))


def ctrl(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """Sines, then cosines, put together by concatenation."""
    for _ in range(CASES):
        n, d = even_shape(rng)
        yield Case({"n": n, "d": d, "layout": "half"}, (positional_encoding(n, d, torch.float).numpy(),))


def whisper(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """The spacing of tensor2tensor, put together by concatenation, with any base."""
    for _ in range(CASES):
        (n, d), base = even_shape(rng), float(rng.choice([100.0, 10_000.0]))
        ours = {"n": n, "d": d, "base": base, "layout": "half", "spacing": "tensor2tensor"}
        yield Case(ours, (sinusoids(n, d, base).to(torch.float).numpy(),))


def m2m(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """The same with a last column of zeros where the width is odd; below 4 it divides by zero."""
    for _ in range(CASES):
        n, d = shape(rng, narrowest=4)
        ours = {"n": n, "d": d, "layout": "half", "spacing": "tensor2tensor"}
        yield Case(ours, (M2M100SinusoidalPositionalEmbedding.get_embedding(n, d).numpy(),))


def lines(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """torch's interpolate(mode="linear"), shorter and longer."""
    for _ in range(CASES):
        (old, new), d = (int(n) for n in rng.integers(1, 12, size=2)), int(rng.integers(1, 5))
        table, corners = rng.normal(size=(old, d)).round(3).astype(dtype), bool(rng.integers(2))
        want = interpolate(torch.from_numpy(table).T[None], size=new, mode="linear", align_corners=corners)
        yield Case({"table": table, "n": new, "align_corners": corners}, (want[0].T.numpy(),))


def rectangles(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """torch's interpolate(mode="bilinear") on grids that are no squares, with tokens in front."""
    for _ in range(CASES):
        old, new = ([int(n) for n in rng.integers(1, 7, size=2)] for _ in range(2))
        d, prefix, corners = int(rng.integers(1, 4)), int(rng.integers(0, 3)), bool(rng.integers(2))
        table = rng.normal(size=(prefix + old[0] * old[1], d)).round(3).astype(dtype)
        grid = torch.from_numpy(table[prefix:]).reshape(1, *old, d).permute(0, 3, 1, 2)
        want = interpolate(grid, size=tuple(new), mode="bilinear", align_corners=corners)
        want = np.concatenate([table[:prefix], want[0].permute(1, 2, 0).reshape(-1, d).numpy()])
        ours = {"table": table, "old": old, "new": new, "prefix": prefix, "align_corners": corners}
        yield Case(ours, (want,))


def dpt(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """A Vision Transformer's own code: the class token stays, a square becomes a rectangle."""
    for _ in range(CASES):
        side, new, d = int(rng.integers(1, 7)), [int(n) for n in rng.integers(1, 7, size=2)], 2
        table = rng.normal(size=(1 + side**2, d)).round(3).astype(dtype)
        want: Any = DPTViTEmbeddings._resize_pos_embed(None, torch.from_numpy(table)[None], *new)
        ours = {"table": table, "old": [side, side], "new": new, "prefix": 1}
        yield Case(ours, (want[0].numpy(),))


def padded(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """MPNet's and RoBERTa's positions, which lie one more than the padding token's number higher."""
    for _ in range(CASES):
        rows, n, pad = int(rng.integers(1, 4)), int(rng.integers(1, 9)), 1
        mask = rng.integers(0, 2, size=(rows, n))
        want = create_position_ids_from_input_ids(torch.from_numpy(np.where(mask, 7, pad)), pad).numpy()
        yield Case({"mask": mask}, (np.where(mask, want - pad - 1, 0),))


SINUSOIDAL, LEARNED = "sinusoidal.sinusoidal", "learned.interpolate_2d"
GROUPS = (
    Group(SINUSOIDAL, "interleaved", "XLM", xlm, by_vector=True),
    Group(SINUSOIDAL, "half", "Marian", marian, by_vector=True),
    Group(SINUSOIDAL, "half", "CTRL", ctrl, by_vector=True),
    Group(SINUSOIDAL, "half, tensor2tensor", "Whisper", whisper, by_vector=True),
    Group(SINUSOIDAL, "half, tensor2tensor", "M2M-100", m2m, by_vector=True),
    Group("learned.positions_from_mask", "padding", "MPNet", padded),
    Group("learned.interpolate_1d", "linear", "torch interpolate", lines, by_vector=True),
    Group(LEARNED, "bilinear", "torch interpolate", rectangles, by_vector=True),
    Group(LEARNED, "class token", "DPT", dpt, by_vector=True),
)
