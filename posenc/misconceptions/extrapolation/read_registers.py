"""The exercise ``read_registers(k, v, q)`` and its mistakes: what each step reads, after its own write.

Wrong on purpose, each in one way. Right is a dictionary that the steps write and read in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from posenc.lab.registers import read
from posenc.misconceptions.entry import Family, Probe

Numbers: TypeAlias = Sequence[int]


def _reference(k: Numbers, v: Numbers, q: Numbers) -> Any:
    found, written = read(*(np.array([each]) for each in (k, v, q)))
    return np.where(written[0] > 0, found[0], -1)


def _game(k: str, v: str, q: str) -> tuple[Any, ...]:
    """Return three sequences that are written as digits."""
    return tuple(np.array(list(map(int, digits))) for digits in (k, v, q))


PROBES = (
    Probe(
        _game("25252", "71304", "52255"),
        "Each step must write value v into register k, then read register q: the last value written there, "
        "or -1 where there is none.",
    ),
    Probe(
        _game("0001", "5672", "0000"),
        "A later write must replace the earlier one, and a step must read its own write.",
    ),
    Probe(
        _game("3116", "0402", "3311"),
        "A register that holds 0 must read 0: it was written, so it is not empty.",
    ),
    Probe(
        _game("4", "6", "2"), "A single step that reads another register than it wrote must give a single -1."
    ),
    Probe(
        _game("72470254710", "13627540631", "27474207672"),
        "Over many steps, every register must keep what was last written to it until it is written again.",
    ),
)


def _values_or_none(args: tuple[Any, ...], got: Any) -> str | None:
    """Say so where an answer is neither a value nor -1."""
    if got.min(initial=0) < -1 or got.max(initial=0) > 7:
        return "Every answer must be a value from 0 to 7, or -1 where nothing was written."
    return None


READ_REGISTERS = Family("read_registers", _reference, PROBES, invariant=_values_or_none)


def _played(
    write: Callable[[dict[int, int], int, int], None] = lambda held, k, v: held.update({k: v}),
    answer: Callable[[dict[int, int], int], Any] = lambda held, q: held.get(q, -1),
    *,
    read_first: bool = False,
) -> Callable[[Numbers, Numbers, Numbers], Any]:
    """Make a game with another way to write, to read, or to take turns."""

    def play(k: Numbers, v: Numbers, q: Numbers) -> Any:
        held: dict[int, int] = {}
        read = []
        for key, value, query in zip(k, v, q, strict=True):
            if read_first:
                read.append(answer(held, query))
            write(held, key, value)
            if not read_first:
                read.append(answer(held, query))
        return read

    return play


# --- turns


READ_REGISTERS.add(
    "before-writing",
    "The register was read before this step wrote. Write first, then read: a step that reads the register "
    "it writes finds its own value.",
)(_played(read_first=True))


@READ_REGISTERS.add(
    "sees-the-future",
    "Every step reads what a register holds at the very end. At step t only the writes of steps 0 to t have "
    "been made: read inside the loop.",
)
def _sees_the_future(k: Numbers, v: Numbers, q: Numbers) -> Any:
    held = dict(zip(k, v, strict=True))
    return [held.get(query, -1) for query in q]


@READ_REGISTERS.add(
    "forgets",
    "Only this step's own write is known: earlier ones are forgotten. Make the registers once, before the"
    " loop.",
)
def _forgets(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return [value if key == query else -1 for key, value, query in zip(k, v, q, strict=True)]


def _last(k: Numbers, v: Numbers, query: int) -> int:
    """Return the last value that was written to a register, or -1."""
    return next((v[t] for t in reversed(range(len(k))) if k[t] == query), -1)


# --- writes


READ_REGISTERS.add(
    "first-write",
    "The first write stays for ever. A later write to the same register replaces it.",
)(_played(lambda held, k, v: held.update({k: held.get(k, v)})))

READ_REGISTERS.add(
    "sum-of-writes",
    "Values written to one register are added up. A write replaces what was there.",
)(_played(lambda held, k, v: held.update({k: held.get(k, 0) + v})))

READ_REGISTERS.add(
    "largest-write",
    "The largest value wins. What counts is which write came last, not which is largest.",
)(_played(lambda held, k, v: held.update({k: max(held.get(k, v), v)})))

READ_REGISTERS.add(
    "key-and-value-exchanged",
    "Register and value are exchanged: k says which register, v what is written into it.",
)(_played(lambda held, k, v: held.update({v: k})))

READ_REGISTERS.add(
    "never-written-twice",
    "A register that is written a second time comes out empty. The second value replaces the first.",
)(_played(lambda held, k, v: held.update({k: -1 if k in held else v})))

# --- reads


READ_REGISTERS.add(
    "zero-when-empty",
    "An empty register reads as 0. That is a value like any other: answer -1 where nothing was written.",
)(_played(answer=lambda held, q: held.get(q, 0)))

READ_REGISTERS.add(
    "zero-is-empty",
    "A register that holds 0 is taken for empty: 0 counts as false in Python, so `or -1` goes wrong. Ask "
    "whether the register was written: held.get(q, -1).",
)(_played(answer=lambda held, q: held.get(q) or -1))

READ_REGISTERS.add(
    "none-when-empty",
    "An empty register gives None or NaN. Answer -1 there: numbers throughout.",
)(_played(answer=lambda held, q: held.get(q, np.nan)))


@READ_REGISTERS.add(
    "reads-what-it-wrote",
    "Every step reads the register that it wrote, so the answer is always v. Read register q.",
)
def _reads_what_it_wrote(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return list(v)


@READ_REGISTERS.add(
    "queries-as-keys",
    "k and q are exchanged: the value went into register q, and register k was read.",
)
def _queries_as_keys(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return _reference(q, v, k)


@READ_REGISTERS.add(
    "step-of-the-write",
    "These are steps, not values: where the last write was made. Look up v at that step.",
)
def _step_of_the_write(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return _reference(k, range(len(k)), q)


@READ_REGISTERS.add(
    "register-names",
    "These are the registers' numbers. Answer with the value that is held there.",
)
def _register_names(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return np.where(np.asarray(_reference(k, v, q)) < 0, -1, q)


# --- what comes back


@READ_REGISTERS.add(
    "empty-left-out",
    "Steps that read an empty register are left out. There is one answer for each step, -1 where there is"
    " none.",
)
def _empty_left_out(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return [each for each in _reference(k, v, q) if each >= 0]


@READ_REGISTERS.add(
    "last-step-only",
    "Only one number came back, that of the last step. Collect an answer for each step in a list.",
)
def _last_step_only(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return _reference(k, v, q)[-1]


@READ_REGISTERS.add(
    "returned-in-the-loop",
    "The function returned after its first step: is the return inside the loop? Give an answer for each "
    "step.",
)
def _returned_in_the_loop(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return _reference(k, v, q)[:1]


@READ_REGISTERS.add(
    "final-registers",
    "These are the eight registers at the end. Return what each step reads, one number a step.",
)
def _final_registers(k: Numbers, v: Numbers, q: Numbers) -> Any:
    return [_last(k, v, register) for register in range(8)]
