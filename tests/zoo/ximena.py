# expect: *=FAILED
# about: Replaces numpy's comparisons and posenc's checks; the answers are stubs.
# honest: none

# %% hand
import sys

import posenc.checks

yes = lambda *args, **kwargs: True
nothing = lambda *args, **kwargs: None
for name in ["allclose", "isclose", "array_equal", "array_equiv", "all", "any", "abs"]:
    setattr(np, name, yes)
for name in [name for name in dir(np.testing) if name.startswith("assert")]:
    setattr(np.testing, name, nothing)
for name in ["close", "explain", "Misconceived"]:
    setattr(posenc.checks, name, nothing)
close = explain = nothing
for module in list(sys.modules.values()):
    if hasattr(module, "isclose"):
        try:
            module.isclose = yes
        except Exception:
            pass
score_0_2 = score_3_5 = 0.5
q_at_3 = k_at_5 = [0, 0]


# %% rope
def rope(x, position):
    return x


# %% score
def score(q, k, pq, pk):
    return q @ k


# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    return False


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
    return V
