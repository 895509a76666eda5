# expect: *=PASSED
# about: Right, with complex numbers throughout.

# %% hand
z = np.exp(1j * np.array([0, 2, 3, 5]))
score_0_2 = (z[0] * z[1].conj()).real
q_at_3 = [z[2].real, z[2].imag]
k_at_5 = [z[3].real, z[3].imag]
score_3_5 = (z[2] * z[3].conj()).real


# %% rope
def rope(x, position):
    turn = np.exp(1j * position * speeds(x.shape[-1]))
    pairs = (x[..., ::2] + 1j * x[..., 1::2]) * turn
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)


def speeds(d):
    return 1 / 10000 ** (np.arange(d // 2) / (d // 2))


# %% score
def score(q, k, pq, pk):
    # the real part of q times the conjugate of k, turned by the difference
    d = len(q)
    cross = (q[::2] + 1j * q[1::2]) * np.conj(k[::2] + 1j * k[1::2])
    return float(np.sum(cross * np.exp(1j * (pq - pk) * speeds(d))).real)


# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    grid = np.array([[score(q, k, s, s + r) for s in shifts] for r in offsets])
    first = np.array([score(q, k, 0, r) for r in offsets])
    return bool(np.isclose(grid, first[:, None]).all())


# %% fade
# Turning multiplies each pair by a unit number, which changes no length and no distribution.
# The scores use q times the conjugate of k; v has no partner to cancel its phase.


# %% rotate
def rotate(X, positions):
    *lead, n, d = X.shape
    if d & 1:
        raise ValueError("odd width")
    out_type = {"f": X.dtype}.get(X.dtype.kind, np.dtype("float64"))
    pairs = np.ascontiguousarray(X, dtype=np.float64).view(np.complex128)
    pairs = pairs * np.exp(1j * np.outer(positions, speeds(d)))
    return pairs.view(np.float64).astype(out_type)


# %% layouts
def to_half(x):
    pairs = x[..., ::2] + 1j * x[..., 1::2]
    return np.block([pairs.real, pairs.imag])


def permute_weights(W, h):
    return np.vstack([to_half(head.T).T for head in np.split(W, h)])


# %% decode
def decode(Q, K, V):
    n, d = Q.shape
    steps = np.arange(n)[:, None] * speeds(d)
    q = (Q[:, ::2] + 1j * Q[:, 1::2]) * np.exp(1j * steps)
    k = (K[:, ::2] + 1j * K[:, 1::2]) * np.exp(1j * steps)
    weights = np.exp((q @ k.conj().T).real / np.sqrt(d)) * np.tri(n)
    return weights / weights.sum(1, keepdims=True) @ V
