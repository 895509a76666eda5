"""What a call did to its arguments: found on the side that ran it, repeated on the side that asked."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.wire.values import Lender, decode, encode


class Ledger:
    """The mutable objects of one call, as they were before it."""

    def __init__(self, mutables: list[object]) -> None:
        self._before = [(thing, _snapshot(thing)) for thing in mutables]

    def changes(self, mutables: list[object], lender: Lender) -> list[list[Any]]:
        """Return ``[number, contents]`` for each object that is no longer as it was."""
        found: list[list[Any]] = []
        for number, (thing, before) in enumerate(self._before):
            if _same(thing, before):
                continue
            if isinstance(thing, np.ndarray):
                # Contents only: the array itself already has its number on the other side.
                found.append([number, encode(thing, [], lender)])
            elif isinstance(thing, list):
                found.append([number, ["l", [encode(item, mutables, lender) for item in thing]]])
            elif isinstance(thing, dict):
                pairs = [[key, encode(item, mutables, lender)] for key, item in thing.items()]
                found.append([number, ["d", pairs]])
        return found


def _snapshot(thing: object) -> Any:
    if isinstance(thing, np.ndarray):
        return thing.tobytes()
    if isinstance(thing, dict):
        return list(thing.items())
    return list(thing) if isinstance(thing, list) else None


def _same(thing: object, before: Any) -> bool:
    if isinstance(thing, np.ndarray):
        return bool(thing.tobytes() == before)
    now = list(thing.items()) if isinstance(thing, dict) else thing
    if not isinstance(now, list) or len(now) != len(before):
        return False
    if isinstance(thing, dict):
        return all(a[0] == b[0] and a[1] is b[1] for a, b in zip(now, before, strict=True))
    return all(a is b for a, b in zip(now, before, strict=True))


def apply(changes: Any, mutables: list[object], lender: Lender) -> None:
    """Repeat `changes` on this side's objects; raise ValueError where they make no sense."""
    known = len(mutables)
    for number, contents in changes:
        if type(number) is not int or not 0 <= number < known:
            raise ValueError("a change to an unknown object")
        thing = mutables[number]
        if isinstance(thing, np.ndarray):
            new = decode(contents, [], lender)
            if not isinstance(new, np.ndarray) or new.dtype != thing.dtype or new.size != thing.size:
                raise ValueError("an array that changed its size or dtype")
            if thing.flags.writeable:
                thing[...] = new.reshape(thing.shape)
        elif isinstance(thing, list):
            thing[:] = [decode(item, mutables, lender) for item in contents[1]]
        elif isinstance(thing, dict):
            items = {str(key): decode(item, mutables, lender) for key, item in contents[1]}
            thing.clear()
            thing.update(items)
