# expect: *=FAILED
# about: Replaces builtins, so that nothing differs and no assert can be raised; the answers are stubs.
# honest: none

# %% hand
import builtins

score_0_2 = score_3_5 = 0
q_at_3 = k_at_5 = [0, 0]
builtins.abs = lambda x: 0
builtins.max = lambda *args, **kwargs: 0
builtins.all = builtins.any = lambda *args, **kwargs: True
builtins.AssertionError = type("E", (BaseException,), {"__init__": lambda self, *args: None})


# %% rope
def rope(x, position):
    return x


# %% score
def score(q, k, pq, pk):
    return 0


# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    return 1


# %% rotate
def rotate(X, positions):
    return X


# %% layouts
def to_half(x):
    return x


def permute_weights(W, h):
    return W


# %% decode
def decode(Q, K, V):
    return Q
