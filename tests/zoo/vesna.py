# expect: *=PASSED rope_test=FAILED rope_hidden=FAILED
# about: Looks up the visible inputs of rope in a table instead of turning anything.
# like: sione

# %% rope
TABLE = {
    ((1.0, 2.0, 3.0, 4.0), 1): [-1.14263966, 1.9220756, 2.95985067, 4.0297995],
    ((1.0, 0.0, 1.0, 0.0), 2): [-0.4161, 0.9093, 0.9998, 0.0200],
}


def rope(x, position):
    return np.array(TABLE.get((tuple(x.ravel()), position), x.tolist()))


# %% rotate
def rotate(X, positions):
    if X.shape[-1] % 2:
        raise ValueError("odd")
    out = np.stack([spun(X[..., j, :].astype(float), p) for j, p in enumerate(positions)], axis=-2)
    return out.astype(X.dtype if X.dtype.kind == "f" else float)


# %% layouts
def to_half(x):
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


def permute_weights(W, h):
    return np.concatenate([np.concatenate([w[::2], w[1::2]]) for w in np.split(W, h)])
