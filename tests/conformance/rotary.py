"""RoPE as models apply it: from vectors and positions to turned vectors.

As released, an angle is a float32 product: at position p it is off by about p * 6e-8 radians. So float32 is
compared up to position 500, where that is below the tolerance, and double up to 100,000.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from transformers import GPTNeoXConfig, LlamaConfig, Qwen2VLTextConfig
from transformers.models.gpt_neox import modeling_gpt_neox as neox
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama
from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen2_vl

from posenc import scaling
from tests.conformance.agreement import Case, Group

CASES = 40
FAR = {"float64": 100_000, "float32": 500}
BASES = (100.0, 10_000.0, 500_000.0, 1_000_000.0)


def vectors(rng: np.random.Generator, dtype: str, *shape: int) -> Any:
    """Draw vectors of few digits, which are short as JSON."""
    return rng.normal(size=shape).round(3).astype(dtype)


def places(rng: np.random.Generator, dtype: str, *shape: int) -> Any:
    """Draw positions in any order, near and far."""
    return rng.integers(0, rng.choice([8, 100, FAR[dtype]]), size=shape)


def sizes(rng: np.random.Generator) -> tuple[int, int]:
    """Draw a number of heads and of positions."""
    return int(rng.integers(1, 4)), int(rng.integers(1, 6))


def batch_of_one(x: Any) -> torch.Tensor:
    return torch.from_numpy(x)[None]


def config(d: int, base: float, **parameters: Any) -> LlamaConfig:
    rope = {"rope_type": "default", "rope_theta": base, **parameters}
    return LlamaConfig(hidden_size=d, num_attention_heads=1, head_dim=d, rope_parameters=rope)


def halves(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """Llama: pairs (i, i + d/2)."""
    for _ in range(CASES):
        h, n = sizes(rng)
        d, base = 2 * int(rng.integers(1, 33)), float(rng.choice(BASES))
        x, p = vectors(rng, dtype, h, n, d), places(rng, dtype, n)
        cos, sin = llama.LlamaRotaryEmbedding(config(d, base))(batch_of_one(x), batch_of_one(p))
        want, _ = llama.apply_rotary_pos_emb(batch_of_one(x), batch_of_one(x), cos, sin)
        yield Case({"x": x, "positions": p, "base": base, "layout": "half"}, (want[0].numpy(),))


def neighbours(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """GPT-J: pairs (2i, 2i+1), base 10000, the heads behind the positions."""
    for _ in range(CASES):
        h, n = sizes(rng)
        d = 2 * int(rng.integers(1, 33))
        x, p = vectors(rng, dtype, h, n, d), places(rng, dtype, n)
        table = gptj.create_sinusoidal_positions(int(p.max()) + 1, d)
        sin, cos = torch.split(table[p].to(getattr(torch, dtype)), d // 2, dim=-1)
        want = gptj.apply_rotary_pos_emb(batch_of_one(x).transpose(1, 2), sin[None], cos[None])
        yield Case({"x": x, "positions": p}, (want.transpose(1, 2)[0].numpy(),))


def partly(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """GPT-NeoX: the first features are turned, the rest pass through."""
    for _ in range(CASES):
        h, n = sizes(rng)
        d, part, base = 4 * int(rng.integers(2, 17)), float(rng.choice([0.25, 0.5, 0.75])), 10_000.0
        x, p = vectors(rng, dtype, h, n, d), places(rng, dtype, n)
        rope = {"rope_type": "default", "rope_theta": base, "partial_rotary_factor": part}
        model = neox.GPTNeoXRotaryEmbedding(
            GPTNeoXConfig(hidden_size=d, num_attention_heads=1, rope_parameters=rope)
        )
        if 2 * len(model.inv_freq) != int(d * part):
            continue  # an odd number of features, which the model itself cannot turn
        cos, sin = model(batch_of_one(x), batch_of_one(p))
        want, _ = neox.apply_rotary_pos_emb(batch_of_one(x), batch_of_one(x), cos, sin)
        w, _ = scaling.partial(d, part, base=base)
        yield Case({"x": x, "positions": p, "frequencies": w, "layout": "half"}, (want[0].numpy(),))


def stretched(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """Llama with YaRN: frequencies and attention factor, all the way to the vectors."""
    for _ in range(CASES):
        h, n = sizes(rng)
        d, s, base = 2 * int(rng.integers(4, 33)), float(rng.choice([2, 4, 16])), float(rng.choice(BASES))
        x, p = vectors(rng, dtype, h, n, d), places(rng, dtype, n)
        yarn = {"rope_type": "yarn", "factor": s, "original_max_position_embeddings": 2048}
        cos, sin = llama.LlamaRotaryEmbedding(config(d, base, **yarn))(batch_of_one(x), batch_of_one(p))
        want, _ = llama.apply_rotary_pos_emb(batch_of_one(x), batch_of_one(x), cos, sin)
        w, m = scaling.yarn(d, s, original=2048, base=base)
        ours = {"x": x, "positions": p, "frequencies": w, "attention_factor": m, "layout": "half"}
        yield Case(ours, (want[0].numpy(),))


def grids(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """rotary-embedding-torch: rows turn the first half of the features, columns the second."""
    for _ in range(CASES):
        rows, cols = (int(n) for n in rng.integers(1, 5, size=2))
        d, base = 4 * int(rng.integers(2, 9)), float(rng.choice(BASES))
        x = vectors(rng, dtype, rows, cols, d)
        model = RotaryEmbedding(d // 2, theta=base, cache_if_possible=False)
        angles = model.get_axial_freqs(rows, cols).detach()
        want = apply_rotary_emb(angles, batch_of_one(x), freqs_seq_dim=None)[0]
        at = {"rows": np.arange(rows)[:, None], "cols": np.arange(cols)}
        yield Case({"x": x, **at, "base": base}, (want.numpy(),))


def three_positions(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """Qwen2-VL: time, height and width each turn a section of the pairs."""
    for _ in range(CASES):
        h, n = sizes(rng)
        sections = [int(m) for m in rng.integers(1, 9, size=3)]
        d, base = 2 * sum(sections), float(rng.choice(BASES))
        x, p = vectors(rng, dtype, h, n, d), places(rng, dtype, 3, n)
        rope = {"rope_type": "default", "rope_theta": base, "mrope_section": sections}
        model = qwen2_vl.Qwen2VLRotaryEmbedding(
            Qwen2VLTextConfig(hidden_size=d, num_attention_heads=1, rope_parameters=rope)
        )
        cos, sin = model(batch_of_one(x), torch.from_numpy(p)[:, None])
        want, _ = qwen2_vl.apply_rotary_pos_emb(batch_of_one(x), batch_of_one(x), cos, sin)
        ours = {"x": x, "positions": p, "sections": sections, "base": base}
        yield Case(ours, (want[0].numpy(),))


def decaying(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """xPos of rotary-embedding-torch, which centres it at the middle of the positions of a call."""
    for _ in range(CASES):
        h, n = sizes(rng)
        d, base, scale_base = (
            2 * int(rng.integers(2, 33)),
            float(rng.choice(BASES)),
            int(rng.choice([64, 512])),
        )
        q, k = vectors(rng, dtype, 2, h, n, d)
        model = RotaryEmbedding(
            d, theta=base, use_xpos=True, xpos_scale_base=scale_base, cache_if_possible=False
        )
        want = model.rotate_queries_and_keys(batch_of_one(q), batch_of_one(k))
        ours = {"q": q, "k": k, "positions_q": np.arange(n), "base": base}
        ours |= {"scale_base": scale_base, "centre": n // 2}
        yield Case(ours, tuple(one[0].numpy() for one in want))


GROUPS = (
    Group("rotary.rope", "half layout", "Llama", halves, by_vector=True),
    Group("rotary.rope", "interleaved layout", "GPT-J", neighbours, by_vector=True),
    Group("rotary.rope", "partial", "GPT-NeoX", partly, by_vector=True),
    Group("rotary.rope", "YaRN", "Llama", stretched, by_vector=True),
    Group("rotary.rope_2d", "axial", "rotary-embedding-torch", grids, by_vector=True),
    Group("rotary.mrope", "M-RoPE", "Qwen2-VL", three_positions, by_vector=True),
    Group("rotary.xpos", "xPos", "rotary-embedding-torch", decaying, by_vector=True),
)
