# expect: *=PASSED rotate_test=FAILED rotate_hidden=FAILED decode_test=FAILED decode_hidden=FAILED
# misconception: rotate_test=rotate-row-numbers rotate_hidden=rotate-row-numbers
# misconception: decode_test=decode-keys-rotated-again decode_hidden=decode-keys-rotated-again
# about: Numbers rows instead of reading positions, and turns the whole cache again at every step.
# like: ada

# %% rotate
def rotate(X, positions):
    d = X.shape[-1]
    if d % 2:
        raise ValueError("d must be even")
    wide = X.astype(float)
    angle = np.arange(X.shape[-2])[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    out = np.empty(X.shape)
    out[..., 0::2] = wide[..., 0::2] * np.cos(angle) - wide[..., 1::2] * np.sin(angle)
    out[..., 1::2] = wide[..., 0::2] * np.sin(angle) + wide[..., 1::2] * np.cos(angle)
    return out.astype(X.dtype) if X.dtype.kind == "f" else out


# %% decode
def decode(Q, K, V):
    keys, rows = [], []
    for t in range(len(Q)):
        keys.append(K[t])
        keys = [rope(key, j) for j, key in enumerate(keys)]
        s = np.array(keys) @ rope(Q[t], t) / np.sqrt(Q.shape[1])
        w = np.exp(s - s.max())
        rows.append(w / w.sum() @ V[: t + 1])
    return np.array(rows)
