"""Answers that only look right, for any exercise that asks for a function."""

import numpy as np


class AlwaysEqual:
    """Equal to everything, whatever is done to it."""

    dtype, shape, ndim = np.dtype(float), (7, 6), 2
    __hash__ = None

    def _self(self, *args):
        return self

    def _true(self, *args):
        return True

    __getitem__ = __sub__ = __rsub__ = __abs__ = __matmul__ = __rmatmul__ = _self
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _true


class AllClose(np.ndarray):
    """An array for which NumPy's own functions say yes."""

    def __array_function__(self, func, types, args, kwargs):
        return True


def _first(args, named):
    """Return the first argument that is an array or a number, as floats."""
    for given in [*args, *named.values()]:
        if isinstance(given, np.ndarray | int | float):
            return np.asarray(given, dtype=float)
    return np.zeros(3)


def _made(make):
    return lambda *args, **named: make(_first(args, named))


LAZY = {
    "none": _made(lambda x: None),
    "true": _made(lambda x: True),
    "zeros": _made(np.zeros_like),
    "identity": lambda *args, **named: args[0],
    "last argument": lambda *args, **named: [*args, *named.values()][-1],
    "scalar": _made(lambda x: 0.5),
    "broadcast": _made(lambda x: np.zeros((*x.shape, 1))),
    "nan": _made(lambda x: np.full_like(x, np.nan)),
    "object": _made(lambda x: x.astype(object)),
    "masked": _made(np.ma.masked_all_like),
    "always equal": _made(lambda x: AlwaysEqual()),
    "all close": _made(lambda x: np.zeros(x.shape).view(AllClose)),
}
