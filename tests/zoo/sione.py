# expect: *=PASSED rope_test=MALFORMED rope_hidden=MALFORMED rotate_test=MALFORMED rotate_hidden=MALFORMED
# expect: layouts_test=MALFORMED layouts_hidden=MALFORMED
# about: Wraps results in masked arrays, with everything masked.
# like: ada

# %% rope
def rope(x, position):
    return np.ma.masked_all(x.shape)


# %% score
def spun(x, position):
    angle = position * 10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angle)
    return np.stack([z.real, z.imag], -1).reshape(x.shape)


def score(q, k, pq, pk):
    return spun(q, pq) @ spun(k, pk)


# %% rotate
def rotate(X, positions):
    return np.ma.masked_array(X, mask=True)


# %% layouts
def to_half(x):
    return np.ma.masked_array(x, mask=True)


def permute_weights(W, h):
    return np.ma.masked_array(W, mask=True)


# %% decode
def decode(Q, K, V):
    rows = []
    for t in range(len(Q)):
        s = np.array([score(Q[t], K[j], t, j) for j in range(t + 1)]) / np.sqrt(Q.shape[1])
        w = np.exp(s - s.max())
        rows.append(w / w.sum() @ V[: t + 1])
    return np.array(rows)
