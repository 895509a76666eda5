# expect: *=PASSED
# about: Right, with rotation matrices and einsum.

# %% hand
def spin(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


q = k = np.array([1.0, 0.0])
score_0_2 = (spin(0) @ q) @ (spin(2) @ k)
q_at_3 = spin(3) @ q
k_at_5 = spin(5) @ k
score_3_5 = q_at_3 @ k_at_5


# %% rope
def matrices(position, d):
    """One 2 x 2 matrix for each pair, (d/2, 2, 2)."""
    angle = position / 10000 ** (np.arange(0, d, 2) / d)
    return np.moveaxis(spin(angle), -1, 0)


def rope(x, position):
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    return np.einsum("iab,...ib->...ia", matrices(position, x.shape[-1]), pairs).reshape(x.shape)


# %% score
def score(q, k, pq, pk):
    return np.einsum("d,d->", rope(q, pq), rope(k, pk))


# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    return np.allclose(
        [score(q, k, s, s + r) for r in offsets for s in shifts],
        [score(q, k, 0, r) for r in offsets for s in shifts],
    )


# %% fade
# Rotation matrices are orthogonal, so a random vector keeps its distribution: no decay.
# Scores hold R(p).T R(p') which depends on the difference, outputs would hold R(p') alone.


# %% rotate
def rotate(X, positions):
    d = X.shape[-1]
    if d % 2:
        raise ValueError("the number of features must be even")
    R = np.stack([matrices(int(p), d) for p in positions])
    pairs = X.reshape(*X.shape[:-1], d // 2, 2).astype(float)
    out = np.einsum("niab,...nib->...nia", R, pairs).reshape(X.shape)
    return out.astype(np.result_type(X.dtype, np.float16) if X.dtype.kind == "f" else float)


# %% layouts
def order(d):
    P = np.zeros((d, d))
    P[np.arange(d), np.r_[0:d:2, 1:d:2]] = 1
    return P


def to_half(x):
    return x @ order(x.shape[-1]).T


def permute_weights(W, h):
    return np.kron(np.eye(h), order(len(W) // h)) @ W


# %% decode
def decode(Q, K, V):
    out = np.zeros(V.shape)
    keys = np.zeros(K.shape)
    for t in range(len(Q)):
        keys[t] = rope(K[t], t)
        s = np.einsum("jd,d->j", keys[: t + 1], rope(Q[t], t)) / Q.shape[1] ** 0.5
        w = np.exp(s - s.max())
        out[t] = np.einsum("j,jd->d", w, V[: t + 1]) / w.sum()
    return out
