# expect: *=FAILED
# about: Everything is NaN.
# honest: none

# %% hand
score_0_2 = score_3_5 = np.nan
q_at_3 = k_at_5 = [np.nan, np.nan]


# %% rope
def rope(x, position):
    return np.full_like(x, np.nan)


# %% score
def score(q, k, pq, pk):
    return np.nan


# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    return np.nan


# %% rotate
def rotate(X, positions):
    return np.full(X.shape, np.nan)


# %% layouts
def to_half(x):
    return np.full(x.shape, np.nan)


def permute_weights(W, h):
    return np.full(W.shape, np.nan)


# %% decode
def decode(Q, K, V):
    return np.full(V.shape, np.nan)
