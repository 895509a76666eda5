"""Where other people's code gives another answer, and why ours is not theirs.

Each is computed anew: one that went away, with a newer version of theirs, must leave this list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from posenc import rotary, scaling
from tests.conformance.scaling import reference

HEAD = """| where | ours | theirs | why |
|---|--:|--:|---|"""


@dataclass(frozen=True)
class Difference:
    """One number from each side; `why` says who is right."""

    what: str
    ours: Callable[[], float]
    theirs: Callable[[], float]
    why: str

    def row(self) -> str:
        return f"| {self.what} | {self.ours():.6g} | {self.theirs():.6g} | {self.why} |"

    def is_there(self) -> bool:
        return not np.isclose(self.ours(), self.theirs(), rtol=1e-4)


YARN = {"mscale": 0.707, "mscale_all_dim": 0.0}


def yarn_of_transformers() -> float:
    parameters = {"rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 2048, **YARN}
    return float(reference("yarn", 16, parameters, None)[1])


def last_frequency_after_a_longer_call() -> float:
    """Ask for 8192 positions, then for 4096, of a model that was trained with 2048."""
    rope = {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 1.0}
    config = LlamaConfig(
        hidden_size=16, num_attention_heads=1, head_dim=16, max_position_embeddings=2048, rope_parameters=rope
    )
    model = LlamaRotaryEmbedding(config)
    for length in (8192, 4096):
        model(torch.zeros(1), torch.tensor([[length - 1]]))
    return float(model.inv_freq[-1])


def score(q: torch.Tensor, k: torch.Tensor) -> float:
    return float(q[0, -1] @ k[0, 0])


def ones(n: int) -> torch.Tensor:
    return torch.ones(1, n, 4)


def xpos_without_cache() -> float:
    q, k = rotary.xpos(np.ones((100, 4)), np.ones((100, 4)), np.arange(100))
    return float(q[-1] @ k[0])


def xpos_with_cache() -> float:
    model = RotaryEmbedding(4, use_xpos=True, cache_if_possible=False)
    return score(*model.rotate_queries_with_cached_keys(ones(1), ones(100)))


DIFFERENCES = (
    Difference(
        "yarn's attention factor, mscale 0.707 and mscale_all_dim 0",
        lambda: scaling.yarn(16, 4, original=2048, **YARN)[1],
        yarn_of_transformers,
        "transformers takes 0 as not given; DeepSeek's code, where 0 is the default, and vLLM "
        "(deepseek_scaling_rope.py) divide by 0.1 * 0 * ln(s) + 1 = 1, as we do",
    ),
    Difference(
        "dynamic, last frequency at 4096 positions after a call with 8192",
        lambda: scaling.dynamic_ntk(16, 1, 4096, original=2048)[0][-1],
        last_frequency_after_a_longer_call,
        "a LlamaRotaryEmbedding remembers the longest call until one fits the original length; ours is a "
        "function of the length, as its own formula is",
    ),
    Difference(
        "xPos, score of the last of 100 queries with the first key, by the method for a cache of keys",
        xpos_without_cache,
        xpos_with_cache,
        "rotary-embedding-torch centres queries at half their own number and keys at half theirs, so the two "
        "do not cancel; its method without a cache agrees with ours",
    ),
)
