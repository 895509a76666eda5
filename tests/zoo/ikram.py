# expect: *=PASSED rope_test=FAILED rope_hidden=FAILED score_test=FAILED score_hidden=FAILED
# expect: decode_test=FAILED decode_hidden=FAILED
# misconception: rope_test=rope-in-place rope_hidden=rope-in-place score_test=score-in-place
# misconception: score_hidden=score-in-place decode_test=decode-in-place decode_hidden=decode-in-place
# about: The right numbers, written over the caller's array.
# like: ada

# %% rope
def rope(x, position):
    d = x.shape[-1]
    angle = position * 10000.0 ** (-np.arange(0, d, 2) / d)
    even = x[..., 0::2].copy()
    odd = x[..., 1::2].copy()
    x[..., 0::2] = even * np.cos(angle) - odd * np.sin(angle)
    x[..., 1::2] = even * np.sin(angle) + odd * np.cos(angle)
    return x


# %% score
def score(q, k, pq, pk):
    return rope(q, pq) @ rope(k, pk)
