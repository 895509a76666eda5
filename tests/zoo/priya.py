# expect: *=PASSED layouts_test=CRASHED layouts_hidden=CRASHED
# about: Ends the process in one function, the others right.
# like: chidi

# %% layouts
import os


def to_half(x):
    os._exit(0)


def permute_weights(W, h):
    return W
