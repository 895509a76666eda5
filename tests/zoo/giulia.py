# expect: *=PASSED rope_test=FAILED rope_hidden=FAILED score_test=FAILED score_hidden=FAILED
# expect: decode_test=FAILED decode_hidden=FAILED
# misconception: rope_test=rope-half-layout rope_hidden=rope-half-layout score_test=score-half-layout
# misconception: score_hidden=score-half-layout decode_test=decode-half-layout decode_hidden=decode-half-layout
# about: Pairs i with i + d/2, as Hugging Face's Llama does.
# like: ada

# %% rope
def rotate_half(x):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([-b, a], axis=-1)


def rope(x, position):
    d = x.shape[-1]
    theta = 10000.0 ** (-np.arange(0, d, 2) / d)
    angle = np.concatenate([theta, theta]) * position
    return x * np.cos(angle) + rotate_half(x) * np.sin(angle)


# %% score
def score(q, k, pq, pk):
    return rope(q, pq) @ rope(k, pk)
