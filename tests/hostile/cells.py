# ruff: noqa
# The lesson that is attacked: its cells with answers, tests and canaries. Data; nothing imports this.

# %% given
import numpy as np


# %% shout
def shout(text):
    return text.upper()


def total(xs):
    return sum(xs)


def maker(text):
    return lambda: text


def each(f, xs):
    return [f(x) for x in xs]


# %% shout_test
assert shout("abc") == "ABC", f"three capitals, got {shout('abc')!r}"
assert len(shout("ab")) == 2

# %% shout_hidden
### BEGIN HIDDEN TESTS
text = "canary-7d1f-hidden"
assert shout(text) == text.upper(), f"must be {text.upper()}"
assert isinstance(shout("x"), str)
### END HIDDEN TESTS

# %% total_test
xs = np.array([1.0, 2.0])
assert np.allclose(total(xs), 3.0)
assert np.isclose(total([2, 2]), 4)

# %% total_hidden
### BEGIN HIDDEN TESTS
xs = np.array([90210.4375, 1.0])
assert abs(total(xs) - 90211.4375) < 1e-6
assert [total([n, 90210.4375]) for n in range(3)] == [90210.4375, 90211.4375, 90212.4375]
for n in range(3):
    assert total([n]) == n
### END HIDDEN TESTS

# %% maker_hidden
### BEGIN HIDDEN TESTS
make = maker("canary-7d1f-made")
assert make() == "canary-7d1f-made"
### END HIDDEN TESTS


# %% each_test
assert each(lambda n: n**n, [1, 2, 3]) == [1, 4, 27]

# %% each_hidden
### BEGIN HIDDEN TESTS
assert each(lambda text: f"canary-7d1f {text}", ["a", "b"]) == ["canary-7d1f a", "canary-7d1f b"]
assert each(lambda g: each(g, [90210.4375]), [abs, float]) == [[90210.4375]] * 2
### END HIDDEN TESTS


# %% half
def half(x):
    return x / 2


# %% half_test
assert half(3.0) == 1.5

# %% half_hidden
### BEGIN HIDDEN TESTS
assert half(90210.4375) == 45105.21875
### END HIDDEN TESTS

# %% quote_test
try:
    said = shout("quiet")
except Exception as error:
    said = f"{type(error).__name__}: {error}"
assert said == "QUIET", f"quiet must become QUIET, got {said}, by {shout!r}"

# %% late_test
assert np.array_equal(half(np.array([2.0, 4.0])), [1.0, 2.0])
