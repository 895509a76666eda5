"""Frequencies of every kind of context extension, against the table that models look them up in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from tests.conformance.agreement import Case, Group

CASES = 40
BASES = (10_000.0, 150_000.0, 500_000.0, 1_000_000.0)
Draw = Callable[[np.random.Generator, int, float, float], tuple[dict[str, Any], dict[str, Any], int | None]]


def width(rng: np.random.Generator) -> int:
    """Draw a width of a head, narrow or as wide as models have them."""
    return 2 * int(rng.integers(2, 9 if rng.integers(2) else 65))


def reference(kind: str, d: int, parameters: Mapping[str, Any], length: int | None) -> tuple[Any, ...]:
    """Return the frequencies and the attention factor of transformers."""
    most = parameters.get("original_max_position_embeddings", 2048)
    rope = {"rope_type": kind, **parameters}
    config = LlamaConfig(
        hidden_size=d, num_attention_heads=1, head_dim=d, max_position_embeddings=most, rope_parameters=rope
    )
    default = LlamaRotaryEmbedding.compute_default_rope_parameters
    frequencies, factor = ROPE_INIT_FUNCTIONS.get(kind, default)(config, seq_len=length)
    return frequencies.numpy(), np.float64(factor)


def cases(kind: str, draw: Draw) -> Callable[[np.random.Generator, str], Iterator[Case]]:
    """Return the cases of an entry of ``ROPE_INIT_FUNCTIONS``, of which `draw` draws the particulars."""

    def drawn(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
        for _ in range(CASES):
            d, base = width(rng), float(rng.choice(BASES))
            s = float(rng.choice([1.0, 2.0, 4.0, 8.0, 32.0, round(rng.uniform(1, 40), 3)]))
            ours, theirs, length = draw(rng, d, s, base)
            want = reference(kind, d, {"rope_theta": base, **theirs}, length)
            yield Case({"d": d, "base": base, **ours}, want)

    return drawn


def plain(rng: np.random.Generator, d: int, s: float, base: float) -> Any:
    """No extension: what every kind must give where there is nothing to stretch."""
    return {"s": 1.0}, {}, None


def linear(rng: np.random.Generator, d: int, s: float, base: float) -> Any:
    return {"s": s}, {"factor": s}, None


def dynamic(rng: np.random.Generator, d: int, s: float, base: float) -> Any:
    """Lengths below the original one as well, where nothing may change."""
    original = int(rng.choice([512, 2048, 4096]))
    length = int(rng.integers(1, 8 * original))
    theirs = {"factor": s, "original_max_position_embeddings": original}
    return {"s": s, "length": length, "original": original}, theirs, length


def yarn(rng: np.random.Generator, d: int, s: float, base: float) -> Any:
    """Blends that begin or end outside the pairs too, their ends rounded or not, factors of every origin."""
    original = int(rng.choice([16, 64, 256, 2048, 4096, 131_072]))
    fast, slow = rng.choice([(32, 1), (16, 2), (64, 1)])
    options = [{}, {"attention_factor": 1.0}, {"attention_factor": 1.25}]
    options += [{"mscale": 1.0, "mscale_all_dim": 1.0}, {"mscale": 1.0, "mscale_all_dim": 0.707}]
    both = {"beta_fast": float(fast), "beta_slow": float(slow), "truncate": bool(rng.integers(2))}
    both |= rng.choice(options)
    theirs = {"factor": s, "original_max_position_embeddings": original, **both}
    return {"s": s, "original": original, **both}, theirs, None


def llama3(rng: np.random.Generator, d: int, s: float, base: float) -> Any:
    original, (low, high) = int(rng.choice([2048, 8192])), rng.choice([(1.0, 4.0), (1.0, 2.0), (2.0, 8.0)])
    theirs = {"factor": s, "original_max_position_embeddings": original}
    theirs |= {"low_freq_factor": float(low), "high_freq_factor": float(high)}
    return {"s": s, "original": original, "low": float(low), "high": float(high)}, theirs, None


def longrope(rng: np.random.Generator, d: int, s: float, base: float) -> Any:
    """A divisor for each frequency, of which there are two lists: for short and for long input."""
    original = int(rng.choice([2048, 4096]))
    length = int(rng.choice([original - 1, original, original + 1, 4 * original]))
    short, long = (np.sort(rng.uniform(1, most, d // 2)).round(3).tolist() for most in (1.5, 60))
    theirs = {"factor": s, "original_max_position_embeddings": original}
    theirs |= {"short_factor": short, "long_factor": long}
    ours = {"s": s, "length": length, "original": original, "short": short, "long": long}
    return ours, theirs, length


def proportional(rng: np.random.Generator, d: int, s: float, base: float) -> Any:
    p = float(rng.choice([0.25, 0.5, 0.75, 1.0]))
    return {"p": p, "s": s}, {"factor": s, "partial_rotary_factor": p}, None


def larger_base(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """rotary-embedding-torch, which has NTK-aware scaling for a length that is known beforehand."""
    for _ in range(CASES):
        d, base = width(rng), float(rng.choice(BASES))
        s = round(rng.uniform(1, 16), 3)
        model = RotaryEmbedding(d, theta=base, theta_rescale_factor=s, cache_if_possible=False)
        yield Case({"d": d, "s": s, "base": base}, (model.freqs.detach().numpy(), np.float64(1.0)))


GROUPS = (
    Group("scaling.interpolated", "default (s = 1)", "LlamaRotaryEmbedding", cases("default", plain)),
    Group("scaling.interpolated", "linear", "ROPE_INIT_FUNCTIONS", cases("linear", linear)),
    Group("scaling.ntk", "NTK", "rotary-embedding-torch", larger_base),
    Group("scaling.dynamic_ntk", "dynamic", "ROPE_INIT_FUNCTIONS", cases("dynamic", dynamic)),
    Group("scaling.yarn", "yarn", "ROPE_INIT_FUNCTIONS", cases("yarn", yarn)),
    Group("scaling.llama3", "llama3", "ROPE_INIT_FUNCTIONS", cases("llama3", llama3)),
    Group("scaling.longrope", "longrope", "ROPE_INIT_FUNCTIONS", cases("longrope", longrope)),
    Group("scaling.proportional", "proportional", "ROPE_INIT_FUNCTIONS", cases("proportional", proportional)),
)
