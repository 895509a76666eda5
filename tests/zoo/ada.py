# expect: *=PASSED
# about: The lesson text's own code pasted as it stands; the rest in the same style.
# fmt: off

# %% hand
score_0_2 = np.cos(2)
q_at_3 = [np.cos(3), np.sin(3)]
k_at_5 = [np.cos(5), np.sin(5)]
score_3_5 = np.dot(q_at_3, k_at_5)

# %% rope
import numpy as np

rng = np.random.default_rng(0)

def rope(x, position):
    d = x.shape[-1]
    theta = 10000.0 ** (-np.arange(0, d, 2) / d)
    cos = np.cos(position * theta); sin = np.sin(position * theta)
    x_even, x_odd = x[..., 0::2], x[..., 1::2]
    out = np.empty_like(x)
    out[..., 0::2] = x_even * cos - x_odd * sin
    out[..., 1::2] = x_even * sin + x_odd * cos
    return out

# %% score
def score(q, k, pq, pk):
    return rope(q, pq) @ rope(k, pk)

q = rng.normal(size=8); k = rng.normal(size=8)

# Same offset (pk - pq = 4) at three different absolute placements
s_a = score(q, k, 0, 4)
s_b = score(q, k, 3, 7)
s_c = score(q, k, 10, 14)
assert np.isclose(s_a, s_b) and np.isclose(s_a, s_c)

# A different offset gives a genuinely different score
s_other = score(q, k, 0, 5)
assert not np.isclose(s_a, s_other)
print("offset 4 scores:", round(s_a, 4), round(s_b, 4), round(s_c, 4))
print("offset 5 score: ", round(s_other, 4))

# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    for r in offsets:
        for s in shifts:
            if not np.isclose(score(q, k, s, s + r), score(q, k, 0, r)):
                return False
    return True

# %% fade
# A turned random vector is as random as before, so the scores spread as before.
# Only differences of angles should matter, and in v there is nothing to subtract.

# %% rotate
def rotate(X, positions):
    d = X.shape[-1]
    if d % 2 != 0:
        raise ValueError(f"need an even number of features, not {d}")
    kind = X.dtype if X.dtype.kind == "f" else np.float64
    X = X.astype(np.float64)
    theta = 10000.0 ** (-np.arange(0, d, 2) / d)
    angle = np.asarray(positions)[:, None] * theta
    out = np.empty_like(X)
    out[..., 0::2] = X[..., 0::2] * np.cos(angle) - X[..., 1::2] * np.sin(angle)
    out[..., 1::2] = X[..., 0::2] * np.sin(angle) + X[..., 1::2] * np.cos(angle)
    return out.astype(kind)

# %% layouts
def to_half(x):
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


def permute_weights(W, h):
    rows = np.arange(len(W)).reshape(h, -1)
    return W[to_half(rows).ravel()]

# %% decode
def decode(Q, K, V):
    d = Q.shape[-1]
    cache_k, cache_v, rows = [], [], []
    for t in range(len(Q)):
        cache_k.append(rope(K[t], t))
        cache_v.append(V[t])
        s = np.stack(cache_k) @ rope(Q[t], t) / np.sqrt(d)
        w = np.exp(s - s.max())
        w = w / w.sum()
        rows.append(w @ np.stack(cache_v))
    return np.stack(rows)
