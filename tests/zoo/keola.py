# expect: *=PASSED rope_test=FAILED rope_hidden=FAILED score_test=FAILED score_hidden=FAILED
# expect: decode_test=FAILED decode_hidden=FAILED
# misconception: rope_test=rope-clockwise rope_hidden=rope-clockwise score_test=score-reversed-offset
# misconception: score_hidden=score-reversed-offset decode_test=decode-clockwise decode_hidden=decode-clockwise
# about: The minus sign stands at the other sine, so every pair turns clockwise.
# like: ada

# %% rope
def rope(x, position):
    d = x.shape[-1]
    angle = position * 10000.0 ** (-np.arange(0, d, 2) / d)
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) + x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 1::2] * np.cos(angle) - x[..., 0::2] * np.sin(angle)
    return out


# %% score
def score(q, k, pq, pk):
    return rope(q, pq) @ rope(k, pk)
