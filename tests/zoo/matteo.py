# expect: *=FAILED
# about: Returns an object that equals everything, is true, and subtracts to zero.
# honest: none

# %% hand
class Always:
    shape, dtype, ndim, size = (7, 6), float, 2, 42

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __bool__(self):
        return True

    def __lt__(self, other):
        return True

    __le__ = __gt__ = __ge__ = __lt__

    def __sub__(self, other):
        return 0

    __rsub__ = __mul__ = __rmul__ = __sub__

    def __abs__(self):
        return 0

    def __float__(self):
        return 0.0

    def __len__(self):
        return 7

    def __getitem__(self, key):
        return self

    def __array__(self, *args, **kwargs):
        return np.zeros(2)

    def __array_ufunc__(self, *args, **kwargs):
        return np.True_

    def __array_function__(self, *args, **kwargs):
        return True

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    __hash__ = None


score_0_2 = q_at_3 = k_at_5 = score_3_5 = Always()


# %% rope
def rope(x, position):
    return Always()


# %% score
def score(q, k, pq, pk):
    return Always()


# %% is_relative
def is_relative(score, q, k, offsets, shifts):
    return Always()


# %% rotate
def rotate(X, positions):
    return Always()


# %% layouts
def to_half(x):
    return Always()


def permute_weights(W, h):
    return Always()


# %% decode
def decode(Q, K, V):
    return Always()
