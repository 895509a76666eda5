"""Answers to lesson 10 that must pass, and wrong ones beyond the catalogue's."""

import math

import numpy as np

from posenc.rotary import table
from posenc.scaling import yarn
from tests.lessons.exercise import Exercise


def chain_parameters(encoding, n, d, h, layers):
    if encoding == "learned":
        return sum(d for _ in range(n))
    if encoding == "shaw":
        return sum(len(range(-16, 17)) * (d // h) for _ in range(layers) for _ in ("keys", "values"))
    if encoding == "t5":
        return np.zeros((32, h)).size
    if encoding in ("sinusoidal", "alibi", "rope", "none"):
        return 0
    raise ValueError(encoding)


def table_parameters(encoding, n, d, h, layers):
    tables = {
        "learned": [(n, d)],
        "shaw": [(33, d // h)] * 2 * layers,
        "t5": [(32, h)],
        "sinusoidal": [],
        "alibi": [],
        "rope": [],
        "none": [],
    }
    if encoding not in tables:
        raise ValueError("no such encoding")
    return np.int64(sum(rows * width for rows, width in tables[encoding]))


def loop_bytes(n, layers, heads, d, full, window):
    total = 0
    for layer in range(layers):
        kept = n if layer < full or n < window else window
        total += sum(2 * heads * d for _ in ("keys", "values")) * kept
    return total


def array_bytes(n, layers, heads, d, full, window):
    limit = np.array([n] * full + [window] * (layers - full))
    return float(np.minimum(n, limit).sum() * np.dtype(np.float16).itemsize * 2 * heads * d)


def complex_turn(x, positions, s, original):
    frequencies, factor = yarn(x.shape[-1], s, original=original)
    pairs = (x[..., 0::2] + 1j * x[..., 1::2]) * factor * np.exp(1j * np.outer(positions, frequencies))
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)


def loop_turn(x, positions, s, original):
    out = np.empty(x.shape)
    frequencies, factor = yarn(x.shape[2], s, original=original)
    for head, rows in enumerate(x):
        for j, row in enumerate(rows):
            for i, f in enumerate(frequencies):
                cos = factor * math.cos(positions[j] * f)
                sin = factor * math.sin(positions[j] * f)
                out[head, j, 2 * i] = row[2 * i] * cos - row[2 * i + 1] * sin
                out[head, j, 2 * i + 1] = row[2 * i] * sin + row[2 * i + 1] * cos
    return out


def matrix_turn(x, positions, s, original):
    d = x.shape[-1]
    frequencies, factor = yarn(d, s, original=original)
    turns = table(positions, d, frequencies=frequencies, attention_factor=factor)
    blocks = np.zeros((len(positions), d, d))
    for i in range(d // 2):
        c, t = turns[:, i].real, turns[:, i].imag
        block = np.stack([np.stack([c, -t], -1), np.stack([t, c], -1)], -2)
        blocks[:, 2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
    return np.einsum("nij,hnj->hni", blocks, x)


def listed_extend(cache, x, W, s, original):
    h, t, w = cache.shape[1:]
    keys, values = cache.tolist()
    key, value = x @ W[1], x @ W[2]
    for a in range(h):
        mine = slice(a * w, (a + 1) * w)
        keys[a].append(complex_turn(key[None, None, mine], [t], s, original)[0, 0].tolist())
        values[a].append(value[mine].tolist())
    return np.array([keys, values])


def filled_extend(cache, x, W, s, original):
    _, h, t, w = cache.shape
    longer = np.empty((2, h, t + 1, w))
    longer[:, :, :t] = cache
    both = np.einsum("d,kde->ke", x, W[1:3]).reshape(2, h, w)
    longer[0, :, t] = complex_turn(both[0][:, None], np.array([t]), s, original)[:, 0]
    longer[1, :, t] = both[1]
    return longer


def loop_attend(cache, x, W, s, original):
    _, h, count, w = cache.shape
    q, out = x @ W[0], []
    for a in range(h):
        turned = complex_turn(q[None, None, a * w : (a + 1) * w], [count - 1], s, original)[0, 0]
        scores = np.array([turned @ key for key in cache[0, a]]) / math.sqrt(w)
        weights = np.exp(scores - scores.max())
        out.extend(weights / weights.sum() @ cache[1, a])
    return np.array(out) @ W[3]


def einsum_attend(cache, x, W, s, original):
    _, h, count, w = cache.shape
    q = complex_turn((x @ W[0]).reshape(h, 1, w), [count - 1], s, original)[:, 0]
    scores = np.einsum("hw,htw->ht", q, cache[0]) / w**0.5
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return np.einsum("ht,htw,hwd->d", weights, cache[1], W[3].reshape(h, w, -1))


def rms(x):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)


def stepped_block(X, W, U, D, h, s, original):
    cache, out = np.zeros((2, h, 0, X.shape[1] // h)), np.zeros(X.shape)
    for t, x in enumerate(X):
        cache = filled_extend(cache, rms(x), W, s, original)
        a = x + einsum_attend(cache, rms(x), W, s, original)
        up = rms(a) @ U
        out[t] = a + np.where(up > 0, up, 0) @ D
    return out


def whole_block(X, W, U, D, h, s, original):
    n, d = X.shape
    q, k, v = ((rms(X) @ W[i]).reshape(n, h, -1).transpose(1, 0, 2) for i in range(3))
    q, k = (complex_turn(each, range(n), s, original) for each in (q, k))
    scores = np.where(np.tri(n, dtype=bool), q @ k.swapaxes(1, 2) / (d / h) ** 0.5, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    heads = weights / weights.sum(axis=-1, keepdims=True) @ v
    A = X + heads.transpose(1, 0, 2).reshape(n, d) @ W[3]
    return A + np.maximum(rms(A) @ U, 0) @ D


def coarse_norm(X, W, U, D, h, s, original):
    """The norm with another epsilon: close, and not equal to 1e-10."""
    return whole_block(X * (1 + 1e-7), W, U, D, h, s, original)


CHOICES = {"encoder": "learned", "vit": "learned", "decoder": "rope", "experiment": "alibi"}
HARDER = {"stretch": "yarn", "phone": "rope", "pages": "rope_2d", "genes": "rope", "points": "none"}
OFFERED = {
    "stretch": ("alibi", "rope"),
    "phone": ("learned", "alibi", "yarn"),
    "pages": ("learned", "rope"),
    "genes": ("none", "alibi"),
    "points": ("learned", "rope"),
}


def all_wrong(right, offered):
    """Return every single wrong choice, and what is no choice at all."""
    wrong = {
        f"{name}: {choice}": right | {name: choice}
        for name in right
        for choice in offered[name]
        if choice != right[name]
    }
    for name in right:
        wrong |= {f"{name}: not written": right | {name: None}, f"{name}: a list": right | {name: ["rope"]}}
    return wrong | {"a capital": right | {next(iter(right)): "Learned"}}


def hinted(right, offered):
    """Return what is said: of a wrong choice its project's name, of none how to make one."""
    hints = {
        f"{name}: {choice}": f"{name}: "
        for name in right
        for choice in offered[name]
        if choice != right[name]
    }
    for name in right:
        hints |= {f"{name}: not written": "in place of None", f"{name}: a list": "choose one of"}
    return hints | {"a capital": "choose one of"}


EVERYDAY = dict.fromkeys(CHOICES, ("none", "learned", "alibi", "rope"))

EXERCISES = {
    "extra_parameters": Exercise(
        "extra_parameters",
        "extra_parameters",
        "extra_parameters",
        right={"chain": chain_parameters, "tables": table_parameters},
        wrong={
            "raises KeyError": lambda encoding, *sizes: (
                chain_parameters(encoding, *sizes)
                if encoding in ("learned", "shaw", "t5", "sinusoidal", "alibi", "rope", "none")
                else {}[encoding]
            ),
            "k is 8": lambda encoding, n, d, h, layers: (
                layers * 2 * 17 * (d // h)
                if encoding == "shaw"
                else chain_parameters(encoding, n, d, h, layers)
            ),
        },
    ),
    "cache_bytes": Exercise(
        "cache_bytes",
        "cache_bytes",
        "cache_bytes",
        right={"loop": loop_bytes, "array, a float": array_bytes},
        wrong={
            "window one short": lambda n, layers, heads, d, full, window: (
                4 * heads * d * (full * n + (layers - full) * min(n, window - 1))
            ),
        },
    ),
    "choose": Exercise(
        "choose",
        right={"as written": CHOICES},
        wrong=all_wrong(CHOICES, EVERYDAY),
        hints=hinted(CHOICES, EVERYDAY),
    ),
    "harder": Exercise(
        "harder",
        right={"as written": HARDER},
        wrong=all_wrong(HARDER, OFFERED),
        hints=hinted(HARDER, OFFERED),
    ),
    "turn_heads": Exercise(
        "cache",
        "turn_heads",
        "turn_heads",
        right={"complex": complex_turn, "loop": loop_turn, "matrix": matrix_turn},
    ),
    "extend_cache": Exercise(
        "cache",
        "extend_cache",
        "extend_cache",
        right={"lists": listed_extend, "filled": filled_extend},
        wrong={
            "a fresh cache of zeros": lambda cache, x, W, s, original: np.concatenate(
                [0 * cache, filled_extend(cache, x, W, s, original)[:, :, -1:]], axis=2
            ),
        },
    ),
    "attend": Exercise(
        "attend",
        "attend",
        "attend",
        right={"loop": loop_attend, "einsum": einsum_attend},
        wrong={
            "first head only": lambda cache, x, W, s, original: loop_attend(
                cache[:, :1], x[: cache.shape[3]], W[:, : cache.shape[3], : cache.shape[3]], s, original
            ),
        },
    ),
    "decode_block": Exercise(
        "decode_block",
        "decode_block",
        "decode_block",
        right={"steps": stepped_block, "full pass": whole_block},
        wrong={
            "close to the full pass": coarse_norm,
            "MLP twice": lambda X, W, U, D, h, s, original: (
                2 * whole_block(X, W, U, D, h, s, original) - whole_block(X, W, U, 0 * D, h, s, original)
            ),
        },
    ),
}
