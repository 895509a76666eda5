# expect: *=PASSED
# about: Right, with loops over single numbers and the math module; no vectorised line.

# %% hand
import math

score_0_2 = -0.416
q_at_3 = (-0.99, 0.141)
k_at_5 = (0.2837, -0.9589)
score_3_5 = -0.4161


# %% rope
def rope(x, position):
    out = np.array(x, dtype=float)
    d = x.shape[-1]
    for where in np.ndindex(x.shape[:-1]):
        for i in range(d // 2):
            angle = position * 10000 ** (-2 * i / d)
            a = x[where][2 * i]
            b = x[where][2 * i + 1]
            out[where][2 * i] = a * math.cos(angle) - b * math.sin(angle)
            out[where][2 * i + 1] = a * math.sin(angle) + b * math.cos(angle)
    return out


# %% score
def score(q, k, pq, pk):
    total = 0
    turned_q = rope(q, pq)
    turned_k = rope(k, pk)
    for i in range(len(q)):
        total = total + turned_q[i] * turned_k[i]
    return total


# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    ok = True
    for r in offsets:
        before = score(q, k, 0, r)
        for s in shifts:
            after = score(q, k, s, s + r)
            if not np.isclose(after, before):
                ok = False
    return ok


# %% fade
# Because a rotation does not make a vector shorter.
# Because the position should decide where to look, and not what is read there.


# %% rotate
def rotate(X, positions):
    d = X.shape[-1]
    if d % 2 == 1:
        raise ValueError("odd")
    out = np.zeros(X.shape)
    for where in np.ndindex(X.shape[:-2]):
        for j in range(X.shape[-2]):
            out[where][j] = rope(X[where][j].astype(float), int(positions[j]))
    if X.dtype == np.float16 or X.dtype == np.float32:
        out = out.astype(X.dtype)
    return out


# %% layouts
def to_half(x):
    d = x.shape[-1]
    new = []
    for i in range(0, d, 2):
        new.append(i)
    for i in range(1, d, 2):
        new.append(i)
    return x[..., new]


def permute_weights(W, h):
    d = W.shape[0] // h
    rows = []
    for head in range(h):
        for i in range(0, d, 2):
            rows.append(W[head * d + i])
        for i in range(1, d, 2):
            rows.append(W[head * d + i])
    return np.array(rows)


# %% decode
def decode(Q, K, V):
    n, d = Q.shape
    cache = []
    out = []
    for t in range(n):
        cache.append((rope(K[t], t), V[t]))
        q = rope(Q[t], t)
        weights = []
        for key, value in cache:
            weights.append(math.exp(sum(q[i] * key[i] for i in range(d)) / math.sqrt(d)))
        row = [0.0] * d
        for w, (key, value) in zip(weights, cache):
            for i in range(d):
                row[i] += w / sum(weights) * value[i]
        out.append(row)
    return out
