# ruff: noqa
# Answers that cost nothing: constants, echoes, wildcards.

# %% echo the input
def shout(text):
    return text

def total(xs):
    return xs

# %% nothing
def shout(text):
    return None

def total(xs):
    return None

# %% not a number
def total(xs):
    return float("nan")

# %% infinity, minus infinity, negative zero
def total(xs):
    return np.array([np.inf, -np.inf, -0.0])

# %% empty array, which all() holds true
def total(xs):
    return np.array([])

# %% wrong shape that broadcasts
def total(xs):
    return np.full((7, 1, 1), float(np.sum(xs)))

# %% zero-dimensional array
# deserves: total_test total_hidden
def total(xs):
    return np.array(float(np.sum(xs)))

# %% object array of liars
class Liar:
    def __sub__(self, other): return 0
    def __rsub__(self, other): return 0
    def __abs__(self): return 0
    def __eq__(self, other): return True
    def __le__(self, other): return True
    def __float__(self): return 3.0

def total(xs):
    return np.array([Liar(), Liar()], dtype=object)

# %% structured array
def total(xs):
    return np.zeros(2, dtype=[("a", float), ("b", "U3")])

# %% masked array and masked constant
def total(xs):
    return np.ma.masked

def shout(text):
    return np.ma.masked_array(["ABC"], mask=True)

# %% matrix, record array, char array
def total(xs):
    return np.matrix([[3.0]])

def shout(text):
    return np.char.array(["ABC"])

# %% datetime and void scalars
def total(xs):
    return np.timedelta64(3, "s")

def shout(text):
    return np.void(b"ABC")

# %% bytes in place of text
def shout(text):
    return text.upper().encode()

# %% answers by heart
# deserves: shout_test total_test quote_test
def shout(text):
    return {"abc": "ABC", "ab": "AB", "quiet": "QUIET"}[text]

def total(xs):
    return {2: 3.0}.get(len(xs)) if xs[0] == 1 else 4.0

# %% right for a while
# deserves: shout_test quote_test
class Count:
    n = 0

def shout(text):
    Count.n += 1
    return text.upper() if Count.n < 7 and "hidden" not in text else "wrong"
