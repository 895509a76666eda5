# ruff: noqa
# Functions of a test's, which run on the trusted side when they are called.

# %% numbers that take for ever
def each(f, xs):
    return [f(10**8 + 1)]

# %% arguments that are no numbers
def each(f, xs):
    found = []
    for odd in (None, "x", [], {}, object(), each, f, type, np.zeros(3), 1j, float("nan"), -(10**30), "x" * 10**6, (), ...):
        for call in (lambda: f(odd), lambda: f(odd, odd), lambda: f(), lambda: f(n=odd), lambda: f(**{"__class__": odd})):
            try:
                found.append(call())
            except BaseException as error:
                found.append(str(error))
    return found

# %% what it may be asked for
def each(f, xs):
    print(vars(f), dir(f))
    for name in ("__globals__", "__code__", "__closure__", "__defaults__", "__self__", "__wrapped__", "f_back"):
        try:
            print("OPEN <", getattr(f, name))
        except AttributeError as error:
            KEPT.append(error)
    return [f]

# %% other numbers than it was lent
def each(f, xs):
    found = []
    for number in (0, 1, 2, 3, 10**9, -1, True, None, "0"):
        try:
            found.append(type(f)(number, "f", f._ask)(2))
        except BaseException as error:
            found.append(repr(error))
    KEPT.extend(found)
    return [str(KEPT)]
# later
print(KEPT)

# %% kept and called in a later cell and a later call
HELD = []

def each(f, xs):
    HELD.append(f)
    return []

def shout(text):
    return str([f("late") for f in HELD])
# later
print([f("later") for f in HELD])

# %% called within a call within a call
def each(f, xs):
    if callable(xs):
        return f
    return [f(lambda *args: each(f, xs)) for x in xs]

# %% a function of its own in place of an argument
def each(f, xs):
    class Evil:
        def __pow__(self, other): return 4
        __rpow__ = __pow__
        def __format__(self, spec): return "canary-" + "7d1f a"
    return [f(Evil()), f(lambda: 4)]

# %% its results are kept
def each(f, xs):
    KEPT.extend(f(x) for x in xs)
    raise ValueError(KEPT)
# later
print(KEPT)
KEPT

# %% it swallows what comes and goes on
# deserves: each_test
def each(f, xs):
    if xs and type(xs[0]) is int:
        return [x**x for x in xs]
    while True:
        try:
            f(xs)
        except BaseException:
            pass
