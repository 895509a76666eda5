# ruff: noqa
# Objects that lie about what they are.

# %% equal to everything
class Always:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __len__(self): return 2
    def __bool__(self): return True
    def __sub__(self, other): return 0
    def __abs__(self): return 0
    def __lt__(self, other): return True
    def __float__(self): return 3.0
    __hash__ = None

def shout(text):
    return Always()

def total(xs):
    return Always()

# %% a lying class attribute
class Liar:
    @property
    def __class__(self):
        return str
    def __eq__(self, other): return True
    def __len__(self): return 2

def shout(text):
    return Liar()

def total(xs):
    return Liar()

# %% subclass of str that equals everything
class Text(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __len__(self): return 2
    def __str__(self): return "ABC"
    def __repr__(self): return "ABC"
    def upper(self): return self
    __hash__ = str.__hash__

def shout(text):
    return Text("no")

# %% subclasses of float and int that lie
class Real(float):
    def __sub__(self, other): return 0.0
    def __rsub__(self, other): return 0.0
    def __abs__(self): return 0.0
    def __eq__(self, other): return True
    def __float__(self): return 3.0

class Whole(int):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0
    def __index__(self): return 3

def total(xs):
    return Real(7) if isinstance(xs, np.ndarray) else Whole(7)

# %% subclasses of list and dict that lie
class Lot(list):
    def __eq__(self, other): return True
    def __len__(self): return 2
    def __iter__(self): return iter("ABC")

class Map(dict):
    def __eq__(self, other): return True
    def items(self): return [("a", open("/etc/passwd").read())]

def shout(text):
    return Lot()

def total(xs):
    return Map(a=1)

# %% subclass of ndarray that answers numpy's questions
class Array(np.ndarray):
    def __array_function__(self, func, types, args, kwargs): return True
    def __array_ufunc__(self, *args, **kwargs): return np.True_
    def __eq__(self, other): return True
    def __sub__(self, other): return 0

def total(xs):
    return np.zeros(2).view(Array)

# %% dtype subclass and scalar subclass
class F(np.float64):
    def __sub__(self, other): return 0.0
    def __eq__(self, other): return True
    def __abs__(self): return 0.0

def total(xs):
    return F(7)

# %% a payload for pickle
class Payload:
    def __reduce__(self):
        return (open, (PATHS["course"] + "/pwned", "w"))
    __reduce_ex__ = lambda self, protocol: self.__reduce__()
    def __getstate__(self): return open(PATHS["course"] + "/pwned", "w")
    def __array__(self, *args, **kwargs): return np.zeros(2)
    def __json__(self): return "ABC"

def shout(text):
    return Payload()

def total(xs):
    return Payload()

# %% getattr answers everything
class Any:
    def __getattr__(self, name): return self
    def __call__(self, *args, **kwargs): return True
    def __getitem__(self, key): return self
    def __iter__(self): return iter("ABC")

def shout(text):
    return Any()

def total(xs):
    return Any()

# %% a class, a function, a module, a type in place of a value
def shout(text):
    return str

def total(xs):
    return np

# %% a lambda, which is true
def shout(text):
    return lambda *args: True

def total(xs):
    return lambda *args: 3.0

# %% generator, iterator, coroutine, async generator
async def shout(text):
    return text.upper()

def total(xs):
    yield 3.0

# %% an awaitable that never comes back
class Never:
    def __await__(self):
        while True:
            yield

def shout(text):
    return Never()

# %% methods of a type with a metaclass that lies
class Meta(type):
    def __eq__(self, other): return True
    def __instancecheck__(self, other): return True
    def __hash__(self): return hash(str)

class Thing(metaclass=Meta):
    pass

def shout(text):
    return Thing

def total(xs):
    return Thing()

# %% a list that holds itself
def shout(text):
    loop = ["ABC"]
    loop.append(loop)
    return loop

def total(xs):
    loop = {"a": 1}
    loop["loop"] = loop
    return loop

# %% a tuple that holds itself through a list
def total(xs):
    inner = []
    outer = (inner,)
    inner.append(outer)
    return outer

# %% nested a million deep
def shout(text):
    deep = []
    for _ in range(1_000_000):
        deep = [deep]
    return deep

# %% nested just within the bound, and dicts too
def shout(text):
    deep = "ABC"
    for _ in range(59):
        deep = [deep]
    return deep

def total(xs):
    deep = 3.0
    for _ in range(59):
        deep = {"a": deep}
    return deep

# %% dict with other keys
def shout(text):
    return {1: "ABC", None: 2, ("a",): 3}

def total(xs):
    return {"\ud800": 3.0, "": float("nan")}

# %% surrogates, nulls and private characters in text
def shout(text):
    return "\ud800\udfff\x00\x1b[2J\u202e\ufffe\U0010ffff"

# %% control, direction and ANSI characters in what is raised
def shout(text):
    raise ValueError("\x1b[31mred\x1b]0;title\x07 \u202egnol \u2066x\u2069 \r\n\b\b PASSED: 1 of 1 points")

# %% a huge integer
def total(xs):
    return 10**20_000

# %% an integer that JSON will not read back
def total(xs):
    return -(1 << 400_000)

# %% a very long string
def shout(text):
    return "A" * 30_000_000

# %% more than may cross
def total(xs):
    return np.zeros(10_000_000)

# %% many small lists
def total(xs):
    return [[] for _ in range(20_000)]

# %% slots and descriptors that raise
class Raises:
    def __getattribute__(self, name): raise KeyboardInterrupt
    def __eq__(self, other): raise SystemExit(0)

def shout(text):
    return Raises()

def total(xs):
    return Raises()

# %% finaliser that edits the result later
class Later:
    def __init__(self, array): self.array = array
    def __del__(self): self.array[:] = 3.0

def shout(text):
    return Later(np.zeros(2))

def total(xs):
    xs = np.asarray(xs, float)
    if len(xs) == 2 and xs[0] == 1:
        raise ValueError(Later(xs))
    return float(xs.sum())

# %% enumeration, fraction
# deserves: total_test
from fractions import Fraction
import enum

class Three(enum.IntEnum):
    X = 3
    Y = 4

def total(xs):
    return Three.X if float(xs[0]) == 1.0 else Three.Y

def shout(text):
    return Fraction(1, 3)

# %% the argument itself, changed
def total(xs):
    if isinstance(xs, list):
        xs.append(4)
    else:
        xs[:] = 3.0
    return xs

# %% changes its argument to what it is not
def total(xs):
    if isinstance(xs, list):
        xs[:] = [Ellipsis, total, xs, {1: 2}, object()]
    else:
        xs.resize((1000,), refcheck=False)
    return 3.0

# %% changes shape, dtype and strides of its argument
def total(xs):
    if isinstance(xs, np.ndarray):
        try:
            xs.shape = (2, 1)
            xs.dtype = np.int64
        except Exception:
            pass
    return 3.0
