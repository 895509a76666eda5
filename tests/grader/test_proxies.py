from __future__ import annotations

import builtins

import numpy as np
import pytest

from autograder.referee import proxies

BUILTIN = [
    kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, BaseException)
]


def problem(kind, message="why"):
    return {
        "kinds": [kind.__name__],
        "name": kind.__name__,
        "message": message,
        "steps": [[1, 2], ["x", None]],
    }


@pytest.mark.parametrize("kind", BUILTIN)
def test_every_builtin_exception_has_a_stand_in(kind):
    error = proxies.raised(problem(kind), "f")
    assert str(error) == "why"
    assert error.steps == [(1, 2)]
    assert isinstance(error, Exception)
    if kind is BaseException:
        return
    fatal = not issubclass(kind, Exception) or kind in (StopIteration, StopAsyncIteration, ExceptionGroup)
    assert isinstance(error, kind) is not fatal


def test_an_exception_of_no_builtin_kind_is_an_exception():
    made_up = {"kinds": ["object", "print"], "name": "Mine", "message": "", "steps": []}
    error = proxies.raised(made_up, "f")
    assert type(error) is proxies.StudentError


def test_a_stand_in_for_an_object_has_no_opinion():
    class Session:
        def attribute(self, number, name, owner):
            return (number, name)

    thing = proxies.StudentObject(Session(), 3, "thing")
    assert thing != 1
    assert thing.size == (3, "size")
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(thing)
    with pytest.raises(AttributeError):
        thing.size = 1
    with pytest.raises(TypeError):
        np.allclose(thing, np.zeros(2))
