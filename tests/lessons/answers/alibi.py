"""Answers to lesson 5 that must pass, and wrong ones beyond the catalogue's."""

import math

import numpy as np

from tests.lessons.exercise import Exercise

# --- the bias of one head


def text_bias(N, slope):
    distances = np.abs(np.arange(N)[:, None] - np.arange(N)[None, :])
    return -slope * distances


def loop_bias(N, slope):
    bias = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            bias[i, j] = -slope * abs(i - j)
    return bias


def list_bias(N, slope):
    return [[-abs(i - j) * slope for j in range(N)] for i in range(N)]


def minimum_bias(N, slope):
    r = np.subtract.outer(np.arange(N), np.arange(N))
    return np.minimum(r, -r) * slope


def triangles_bias(N, slope):
    below = np.tril(np.arange(N)[:, None] - np.arange(N))
    return -slope * (below + below.T)


def rolled_bias(N, slope):
    line = -slope * np.abs(np.arange(1 - N, N))
    return np.array([line[N - 1 - i : 2 * N - 1 - i] for i in range(N)])


def index_bias(N, slope):
    i, j = np.indices((N, N))
    return -slope * np.sqrt((i - j) ** 2)


# --- the slopes


def press(h):
    """Answer as the authors' code does, by recursion and in lists."""

    def power_of_two(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(h).is_integer():
        return power_of_two(h)
    c = 2 ** math.floor(math.log2(h))
    return power_of_two(c) + press(2 * c)[0::2][: h - c]


def bloom(h):
    c = 2 ** math.floor(math.log2(h))
    slopes = (2 ** (-(2 ** -(math.log2(c) - 3)))) ** np.arange(1, 1 + c)
    if c != h:
        base = 2 ** (-(2 ** -(math.log2(2 * c) - 3)))
        slopes = np.concatenate([slopes, base ** np.arange(1, 1 + 2 * min(c, h - c), 2)])
    return slopes


def mpt(h):
    above = 2 ** math.ceil(math.log2(h))
    slopes = 1.0 / np.power(2.0, np.arange(1, above + 1) * (8 / above))
    return slopes if above == h else np.concatenate([slopes[1::2], slopes[::2]])[:h]


def loop_slopes(h):
    c = 1
    while 2 * c <= h:
        c *= 2
    slopes = [2 ** (-8 * a / c) for a in range(1, c + 1)]
    for a in range(1, 2 * (h - c), 2):
        slopes.append(0.5 ** (4 * a / c))
    return np.array(slopes)


# --- attention


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def loop_attention(q, k, v, slopes):
    (h, n_q, d), n_k = q.shape, k.shape[1]
    out = np.zeros((h, n_q, v.shape[2]))
    for head in range(h):
        for row in range(n_q):
            position = n_k - n_q + row
            scores = [
                q[head, row] @ k[head, j] / d**0.5 - slopes[head] * (position - j)
                for j in range(position + 1)
            ]
            out[head, row] = softmax(np.array(scores)) @ v[head, : position + 1]
    return out


def einsum_attention(q, k, v, slopes):
    n_q, n_k = q.shape[1], k.shape[1]
    r = np.arange(n_k) - np.arange(n_k)[-n_q:, None]
    scores = np.einsum("hid,hjd->hij", q, k) / math.sqrt(q.shape[-1]) + np.einsum("h,ij->hij", slopes, r)
    scores[:, r > 0] = -np.inf
    return np.einsum("hij,hjv->hiv", softmax(scores), v)


def with_row(row):
    """Attend with one row of numbers for all queries, as causal code may."""

    def attention(q, k, v, slopes):
        n_q, n_k = q.shape[1], k.shape[1]
        scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]) + slopes[:, None, None] * row(n_k)
        return softmax(np.where(np.tri(n_q, n_k, n_k - n_q) > 0, scores, -np.inf)) @ v

    return attention


def one_too_far(q, k, v, slopes):
    """Answer with every distance one too large: a constant in each row, which a softmax does not see."""
    n_q, n_k = q.shape[1], k.shape[1]
    r = np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]) - slopes.reshape(-1, 1, 1) * (np.abs(r) + 1)
    return softmax(scores + np.where(r > 0, -np.inf, 0.0)) @ v


def last_rows(q, k, v, slopes):
    """Answer with the last rows of the symmetric bias of each head."""
    n_q, n_k = q.shape[1], k.shape[1]
    heads = []
    for head, slope in enumerate(slopes):
        seen = np.arange(n_k) <= np.arange(n_k - n_q, n_k)[:, None]
        scores = q[head] @ k[head].T / np.sqrt(q.shape[2]) + text_bias(n_k, slope)[n_k - n_q :]
        heads.append(softmax(np.where(seen, scores, -np.inf)) @ v[head])
    return np.stack(heads)


def large_number(q, k, v, slopes):
    """Answer with -1e9 in place of -inf, after the line: no slope of this lesson climbs that far."""
    n_q, n_k = q.shape[1], k.shape[1]
    r = np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]
    scores = q @ k.swapaxes(1, 2) / q.shape[2] ** 0.5 + slopes[:, None, None] * np.minimum(r, 0)
    return softmax(np.where(r > 0, -1e9, scores)) @ v


def hard_window(q, k, v, slopes):
    """See the last keys of each query alike, as many as one over the slope, and no others."""
    n_q, n_k = q.shape[1], k.shape[1]
    r = np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]
    seen = (r <= 0) & (-r <= 1 / slopes[:, None, None])
    return softmax(np.where(seen, q @ k.swapaxes(1, 2) / q.shape[2] ** 0.5, -np.inf)) @ v


EXERCISES = {
    "alibi_bias": Exercise(
        "alibi_bias",
        "alibi_bias",
        "alibi_bias",
        right={
            "lesson text": text_bias,
            "loop": loop_bias,
            "nested lists": list_bias,
            "minimum": minimum_bias,
            "two triangles": triangles_bias,
            "one line, shifted": rolled_bias,
            "root of the square": index_bias,
        },
        wrong={
            "clipped": lambda N, slope: np.maximum(text_bias(N, slope), -1),
            "hard window": lambda N, slope: np.where(text_bias(N, slope) < -8 * slope, -np.inf, 0),
            "one slope for all calls": lambda N, slope: text_bias(N, 0.5),
            "a list of distances": lambda N, slope: list(range(N)),
        },
    ),
    "alibi_slopes": Exercise(
        "alibi_slopes",
        "alibi_slopes",
        "alibi_slopes",
        right={"authors": press, "bloom": bloom, "mpt": mpt, "loop": loop_slopes},
        wrong={
            "powers of two only": lambda h: press(2 ** math.floor(math.log2(h)))[:h],
            "up to sixteen": lambda h: press(min(h, 16)),
            "generator": lambda h: (slope for slope in press(h)),
        },
    ),
    "alibi_attention": Exercise(
        "alibi_attention",
        "alibi_attention",
        "alibi_attention",
        right={
            "loop": loop_attention,
            "einsum": einsum_attention,
            "key index, as in BLOOM": with_row(np.arange),
            "counted from the last key, as in MPT": with_row(lambda n: np.arange(1 - n, 1)),
            "distances one too large": one_too_far,
            "last rows of the symmetric bias": last_rows,
            "a large number where the future is": large_number,
        },
        wrong={
            "first head for all": lambda q, k, v, slopes: np.repeat(
                loop_attention(q[:1], k[:1], v[:1], slopes[:1]), len(q), axis=0
            ),
            "hard window": hard_window,
            "lists": lambda q, k, v, slopes: list(loop_attention(q, k, v, slopes)[0]),
        },
    ),
}
