# expect: *=PASSED rope_test=FAILED rope_hidden=FAILED score_test=FAILED score_hidden=FAILED
# expect: decode_test=FAILED decode_hidden=FAILED
# misconception: rope_test=rope-degrees rope_hidden=rope-degrees score_test=score-degrees score_hidden=score-degrees
# about: Converts to degrees, as for a compass.
# like: ada

# %% rope
def rope(x, position):
    d = x.shape[-1]
    angle = np.deg2rad(position * 10000.0 ** (-np.arange(0, d, 2) / d))
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 0::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out


# %% score
def score(q, k, pq, pk):
    return rope(q, pq) @ rope(k, pk)
