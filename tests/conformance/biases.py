"""What is added to scores: ALiBi's slopes and biases, T5's buckets, Shaw's indices.

T5's code takes its logarithm in float32. Run in double it misses the edge of a bucket for a few sizes that no
model has, such as 18 buckets to 128 both ways, at distance 8. posenc works edges out in whole numbers, and is
with the released code there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from transformers import Wav2Vec2BertConfig
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import Wav2Vec2BertSelfAttention

from posenc.alibi import alibi_slopes
from tests.conformance.agreement import Case, Group

MOST_HEADS = 128
CASES = 60


def bloom_slopes(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """BLOOM adds slope * key: the step from one key to the next is the slope."""
    for h in range(1, MOST_HEADS + 1):
        bias = build_alibi_tensor(torch.ones(1, 2, dtype=torch.long), h, getattr(torch, dtype))
        yield Case({"h": h}, ((bias[:, 0, 1] - bias[:, 0, 0]).numpy(),))


def mpt_slopes(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """MPT adds -slope * distance from the last key."""
    for h in range(1, MOST_HEADS + 1):
        yield Case({"h": h}, (-build_mpt_alibi_tensor(h, 2)[:, 0, 0].numpy(),))


def mpt_last_rows(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """One query and all keys, as when decoding with a cache."""
    for _ in range(CASES):
        h, n = int(rng.integers(1, 20)), int(rng.integers(1, 40))
        ours = {"n_q": 1, "n_k": n, "slopes": alibi_slopes(h)}
        yield Case(ours, (build_mpt_alibi_tensor(h, n).numpy(),))


def buckets(*, bidirectional: bool) -> Any:
    """Near and far keys on both sides, with T5's own sizes and with others."""

    def cases(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
        for _ in range(CASES):
            n, far = rng.choice([(32, 128), (32, 128), (8, 16), (16, 64), (64, 256), (32, 800), (20, 100)])
            r = rng.integers(-2 * far, 2 * far + 1, size=(3, 7))
            r[0, 0] = 0
            sizes = {"bidirectional": bidirectional, "n_buckets": int(n), "max_distance": int(far)}
            want = T5Attention._relative_position_bucket(
                torch.from_numpy(r), bidirectional=bidirectional, num_buckets=int(n), max_distance=int(far)
            )
            yield Case({"r": r, **sizes}, (want.numpy(),))

    return cases


def clipped(rng: np.random.Generator, dtype: str) -> Iterator[Case]:
    """The indices that a Conformer with Shaw's positions looks up, caught on their way to its table."""
    for _ in range(CASES):
        n, k = int(rng.integers(1, 9)), int(rng.integers(1, 7))
        sides = {"left_max_position_embeddings": k, "right_max_position_embeddings": k}
        config = Wav2Vec2BertConfig(
            hidden_size=4, num_attention_heads=1, position_embeddings_type="relative_key", **sides
        )
        layer, seen = Wav2Vec2BertSelfAttention(config), []
        layer.distance_embedding.register_forward_pre_hook(lambda _, index, seen=seen: seen.append(index[0]))
        layer(torch.zeros(1, n, 4, dtype=layer.linear_q.weight.dtype))
        yield Case({"n_q": n, "n_k": n, "k": k}, (seen[0].numpy(),))


GROUPS = (
    Group("alibi.alibi_slopes", "1 to 128 heads", "BLOOM", bloom_slopes),
    Group("alibi.alibi_slopes", "1 to 128 heads", "MPT", mpt_slopes),
    Group("alibi.alibi_bias", "one query", "MPT", mpt_last_rows, by_vector=True),
    Group("relative.t5_bucket", "bidirectional", "T5", buckets(bidirectional=True)),
    Group("relative.t5_bucket", "causal", "T5", buckets(bidirectional=False)),
    Group("relative.shaw_index", "no cache", "Wav2Vec2-BERT", clipped),
)
