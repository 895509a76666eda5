"""Times calls against each other: in turns, so that what a machine does meanwhile falls on all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

MOST, FEWEST = 31, 3


def medians(calls: dict[str, Callable[[], Any]], seconds: float = 1.5) -> dict[str, float]:
    """Return the median of each call's processor time in seconds, from rounds that call each once.

    Processor time of this thread: another program that takes the processor for a while does not count.
    Rounds end after `seconds`, but there are at least 3 and at most 31. One more goes before, unmeasured.
    """
    taken: dict[str, list[float]] = {name: [] for name in calls}
    end = None
    for rounds in range(MOST + 1):
        for name, call in calls.items():
            start = time.thread_time()
            call()
            taken[name].append(time.thread_time() - start)
        end = end or time.perf_counter() + seconds
        if rounds >= FEWEST and time.perf_counter() > end:
            break
    return {name: median(each[1:]) for name, each in taken.items()}


def markdown(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Return a table, the first column to the left and the others to the right."""
    head = list(head)
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def milliseconds(taken: float | None, one: float) -> str:
    """Return a time with its multiple of another one, a dash where there is none."""
    return "–" if taken is None else f"{1000 * taken:.3g} ({taken / one:.1f}×)"
