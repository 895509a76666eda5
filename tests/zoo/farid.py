# expect: *=PASSED is_relative_test=RAISED is_relative_hidden=RAISED
# expect: rotate_test=UNTOUCHED rotate_hidden=UNTOUCHED decode_test=UNTOUCHED decode_hidden=UNTOUCHED
# expect: layouts_test=RAISED layouts_hidden=RAISED
# about: Half done: one exercise ends in a NameError, one has only its first function, two were not begun.

# %% hand
score_0_2 = np.cos(2)
q_at_3 = np.array([np.cos(3), np.sin(3)])
k_at_5 = np.array([np.cos(5), np.sin(5)])
score_3_5 = q_at_3 @ k_at_5


# %% rope
def rope(x, position):
    d = x.shape[-1]
    angle = position * 10000.0 ** (-np.arange(0, d, 2) / d)
    out = np.zeros(x.shape)
    out[..., ::2] = x[..., ::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., ::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out


# %% score
def score(q, k, pq, pk):
    return np.dot(rope(q, pq), rope(k, pk))


# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    for r in offsets:
        for s in shifts:
            if not np.isclose(score(q, k, s, s + r), score(q, k, 0, offset)):
                return False
    return True


# %% fade
# Still thinking about this one.


# %% layouts
def to_half(x):
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


def permute_weights(W, h):
    raise NotImplementedError()
