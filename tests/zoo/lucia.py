# expect: *=PASSED score_test=FAILED score_hidden=FAILED decode_test=FAILED decode_hidden=FAILED
# expect: rope_test=FAILED rope_hidden=FAILED
# misconception: score_test=score-key-not-rotated score_hidden=score-key-not-rotated
# misconception: decode_test=decode-key-at-0 decode_hidden=decode-key-at-0
# misconception: rope_test=rope-positions-from-one rope_hidden=rope-positions-from-one
# about: Counts positions from 1, and leaves the keys unturned.
# like: ada

# %% rope
def rope(x, position):
    d = x.shape[-1]
    angle = (position + 1) * 10000.0 ** (-np.arange(0, d, 2) / d)
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 0::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out


# %% score
def score(q, k, pq, pk):
    return rope(q, pq - 1) @ k


# %% decode
def decode(Q, K, V):
    n, d = Q.shape
    rows = []
    for t in range(n):
        s = K[: t + 1] @ rope(Q[t], t - 1) / np.sqrt(d)
        w = np.exp(s - s.max())
        rows.append(w / w.sum() @ V[: t + 1])
    return np.array(rows)
