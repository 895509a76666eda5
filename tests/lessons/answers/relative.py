"""Answers to lesson 4 that must pass, and wrong ones beyond the catalogue's."""

import math

import numpy as np

from tests.lessons.exercise import Exercise


def loop_index(n_q, n_k, k):
    out = np.zeros((n_q, n_k), dtype=int)
    for i in range(n_q):
        for j in range(n_k):
            out[i, j] = max(-k, min(k, j - (n_k - n_q + i))) + k
    return out


def list_index(n_q, n_k, k):
    return [[min(max(j - p, -k), k) + k for j in range(n_k)] for p in range(n_k - n_q, n_k)]


def last_rows_index(n_q, n_k, k):
    p = np.arange(n_k)
    return np.clip(p[None, :] - p[:, None] + k, 0, 2 * k)[n_k - n_q :]


def counted_index(n_q, n_k, k):
    """Count the thresholds that each distance has passed."""
    return sum(np.triu(np.ones((n_q, n_k), int), n_k - n_q + step) for step in range(1 - k, k + 1))


def tensor2tensor_index(n_q, n_k, k):
    keys = np.arange(n_k, dtype=np.int32)
    queries = keys[-n_q:]
    return np.clip(keys[None] - queries[:, None], -k, k) + np.int32(k)


def one_bucket(r, bidirectional, n_buckets, max_distance):
    bucket = 0
    if bidirectional:
        n_buckets //= 2
        if r > 0:
            bucket = n_buckets
        n = abs(r)
    else:
        n = max(0, -r)
    exact = n_buckets // 2
    if n < exact:
        return bucket + n
    far = exact + int(math.log(n / exact) / math.log(max_distance / exact) * (n_buckets - exact))
    return bucket + min(far, n_buckets - 1)


def loop_bucket(r, bidirectional, n_buckets=32, max_distance=128):
    out = np.empty(r.shape, dtype=int)
    for at in np.ndindex(r.shape):
        out[at] = one_bucket(int(r[at]), bidirectional, n_buckets, max_distance)
    return out


def vectorized_bucket(r, bidirectional, n_buckets=32, max_distance=128):
    return np.vectorize(one_bucket)(r, bidirectional, n_buckets, max_distance)


def released_bucket(r, bidirectional, n_buckets=32, max_distance=128):
    """Do as the released code: single precision, the logarithm of 0 computed and thrown away."""
    bucket = np.zeros_like(r)
    if bidirectional:
        n_buckets //= 2
        bucket = bucket + (r > 0) * n_buckets
        r = np.abs(r)
    else:
        r = -np.minimum(r, 0)
    exact = n_buckets // 2
    part = np.log(r.astype(np.float32) / exact) / math.log(max_distance / exact)
    far = exact + (part * (n_buckets - exact)).astype(np.int32)
    return bucket + np.where(r < exact, r, np.minimum(far, n_buckets - 1))


def base_2_bucket(r, bidirectional, n_buckets=32, max_distance=128):
    m = n_buckets // 2 if bidirectional else n_buckets
    n = np.abs(r) if bidirectional else np.where(r < 0, -r, 0)
    with np.errstate(divide="ignore"):
        part = np.log2(n / (m // 2)) / np.log2(max_distance / (m // 2))
    far = np.clip(m // 2 + part * (m - m // 2), 0, m - 1)
    upper = m if bidirectional else 0
    return np.floor(np.where(n < m // 2, n, far)).astype(int) + np.where(r > 0, upper, 0)


def masked_bucket(r, bidirectional, n_buckets=32, max_distance=128):
    m = n_buckets // 2 if bidirectional else n_buckets
    out = np.abs(r) if bidirectional else np.maximum(-r, 0)
    e = m // 2
    far = out >= e
    ratio = np.minimum(out[far], max_distance) / e
    out[far] = np.minimum(e + (np.log(ratio) / np.log(max_distance / e) * (m - e)).astype(int), m - 1)
    if bidirectional:
        out[r > 0] += m
    return out


def searched_bucket(r, bidirectional, n_buckets=32, max_distance=128):
    """Find each distance among the edges, which are computed the other way round."""
    m = n_buckets // 2 if bidirectional else n_buckets
    e = m // 2
    edges = [*range(1, e + 1), *(e * (max_distance / e) ** (j / (m - e)) for j in range(1, m - e))]
    n = np.abs(r) if bidirectional else np.maximum(-r, 0)
    return np.searchsorted(edges, n, side="right") + (m * (r > 0) if bidirectional else 0)


def _weights(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def einsum_attention(q, k, v, bias):
    scores = np.einsum("hid,hjd->hij", q, k) / q.shape[-1] ** 0.5 + bias
    return np.einsum("hij,hjd->hid", _weights(scores), v)


def loop_attention(q, k, v, bias):
    out = np.zeros((len(q), q.shape[1], v.shape[-1]))
    for head in range(len(q)):
        for i in range(q.shape[1]):
            scores = [q[head, i] @ key / math.sqrt(q.shape[-1]) for key in k[head]]
            weights = np.exp(np.array(scores) + bias[head, i])
            out[head, i] = weights @ v[head] / weights.sum()
    return out


def heads_attention(q, k, v, bias):
    d = q.shape[-1]
    heads = [_weights(q[a] @ k[a].T / np.sqrt(d) + bias[a]) @ v[a] for a in range(len(q))]
    return np.stack(heads)


def factor_attention(q, k, v, bias):
    """Multiply the exponentials by the factor that each bias stands for, and normalise once."""
    scores = q / np.sqrt(q.shape[-1]) @ np.transpose(k, (0, 2, 1))
    weights = np.exp(scores) * np.exp(bias)
    return weights @ v / weights.sum(axis=-1)[..., None]


def extra_feature_attention(q, k, v, bias):
    """Scale the bias up before the scaling takes it down again."""
    d = q.shape[-1]
    return _weights((q @ k.swapaxes(1, 2) + bias * np.sqrt(d)) / np.sqrt(d)) @ v


EXERCISES = {
    "relative_index": Exercise(
        "relative_index",
        "relative_index",
        "relative_index",
        right={
            "loop": loop_index,
            "list": list_index,
            "last rows": last_rows_index,
            "counted": counted_index,
            "released": tensor2tensor_index,
        },
        wrong={
            "floats": lambda n_q, n_k, k: loop_index(n_q, n_k, k).astype(float),
            "right where nothing is clipped": lambda n_q, n_k, k: (
                loop_index(n_q, n_k, max(k, 4)) - max(k, 4) + k
            ),
            "right for k below 4": lambda n_q, n_k, k: loop_index(n_q, n_k, min(k, 3)),
            "right where all are queries": lambda n_q, n_k, k: loop_index(n_q, n_q, k),
        },
        hints={"floats": "whole numbers"},
    ),
    "t5_bucket": Exercise(
        "t5_bucket",
        "t5_bucket",
        "t5_bucket",
        right={
            "loop": loop_bucket,
            "vectorized": vectorized_bucket,
            "released": released_bucket,
            "base 2": base_2_bucket,
            "masked": masked_bucket,
            "searched": searched_bucket,
            "list": lambda *args, **named: loop_bucket(*args, **named).tolist(),
        },
        wrong={
            "floats": lambda *args, **named: loop_bucket(*args, **named).astype(float),
            "seen sizes only": lambda r, both, n=32, longest=128: loop_bucket(
                r, both, n, 128 if n == 32 else 16
            ),
            "near only": lambda r, both, n=32, longest=128: np.clip(
                loop_bucket(r, both, n, longest), 0, n // 2
            ),
            "one-dimensional": lambda r, both, n=32, longest=128: loop_bucket(
                r[0] if r.ndim > 1 else r, both, n, longest
            ),
        },
        hints={"floats": "whole numbers"},
    ),
    "biased_attention": Exercise(
        "biased_attention",
        "biased_attention",
        "biased_attention",
        right={
            "einsum": einsum_attention,
            "loop": loop_attention,
            "head by head": heads_attention,
            "factors": factor_attention,
            "scaled up and down": extra_feature_attention,
            "list": lambda *args: loop_attention(*args).tolist(),
        },
        wrong={
            "hidden keys by hand": lambda q, k, v, bias: heads_attention(q, k, v, np.maximum(bias, -3)),
            "normalised before": lambda q, k, v, bias: (
                _weights(_weights(q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5) * bias) @ v
            ),
            "one head": lambda q, k, v, bias: heads_attention(q[:1], k[:1], v[:1], bias[:1]),
            "bias in the keys": lambda q, k, v, bias: heads_attention(
                q, k + bias.mean(axis=1)[..., None], v, 0 * bias
            ),
            "bias in the values": lambda q, k, v, bias: heads_attention(
                q, k, v + bias.mean(axis=1)[..., None], 0 * bias
            ),
        },
    ),
}
