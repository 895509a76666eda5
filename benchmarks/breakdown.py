"""Where the time of ``autograder grade`` goes: the parts of grading, timed where they are called from.

The work of the worker is done in this process, so that its parts can be seen; student processes are real.
"""

from __future__ import annotations

import contextlib
import functools
import io
import shutil
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.comparison import ways

_spent: Counter[str] = Counter()
_stack: list[float] = []


def run_quietly(text: str, namespace: dict[str, object]) -> None:
    """Run a cell as plain Python; what it prints, warns of or raises is of no interest here."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        exec(compile(text, "<cell>", "exec"), namespace)


@contextlib.contextmanager
def _timed(owner: Any, name: str, label: Callable[[], str]) -> Iterator[None]:
    """Add the time of ``owner.name`` to its label, less the time of what is timed inside it."""
    inner = getattr(owner, name)

    @functools.wraps(inner)
    def outer(*args: Any, **kwargs: Any) -> Any:
        what, start = label(), time.perf_counter()
        _stack.append(0.0)
        try:
            return inner(*args, **kwargs)
        finally:
            spent = time.perf_counter() - start
            _spent[what] += spent - _stack.pop()
            if _stack:
                _stack[-1] += spent

    setattr(owner, name, outer)
    try:
        yield
    finally:
        setattr(owner, name, inner)


@contextlib.contextmanager
def _grading() -> Iterator[None]:
    """Time the parts of grading one submission."""
    from autograder.referee import outputs, plan, referee, session, trial
    from autograder.worker import grading, processes

    forks = Counter[str]()

    def fork() -> str:
        forks["n"] += 1
        return "fork a student, twice"

    def cells() -> str:
        return "cells, shown run" if forks["n"] % 2 else "cells, graded run"

    with contextlib.ExitStack() as stack:
        for owner, name, label in (
            (grading, "judge", lambda: "the rest of grading"),
            (processes.Zygote, "student", fork),
            (processes.Zygote, "end_student", lambda: "end a student, twice"),
            (session.Session, "run", cells),
            (session.Session, "call", lambda: "calls from tests"),
            (session.Session, "get", lambda: "calls from tests"),
            (trial, "run", lambda: "tests themselves"),
            (outputs, "assemble", lambda: "put the notebook together"),
            (referee, "lay", lambda: "lay it over its source"),
        ):
            stack.enter_context(_timed(owner, name, label))
        assert plan.lay is not referee.lay
        yield


def table(prepared: Path, course: Path) -> str:
    """Grade the class of the course `prepared` and return where its time went, as Markdown."""
    _spent.clear()
    count = _grade_here(prepared)
    _record(prepared, course)
    total = sum(_spent.values())
    lines = ["| part | ms a submission | share |", "|---|--:|--:|"]
    for part, seconds in _spent.most_common():
        lines.append(f"| {part} | {seconds / count * 1000:.2f} | {seconds / total:.0%} |")
    return "\n".join([*lines, f"| in all | {total / count * 1000:.1f} | 100% |"])


def _grade_here(prepared: Path) -> int:
    from autograder.notebook import read
    from autograder.referee.referee import Rules
    from autograder.referee.source import Source
    from autograder.worker.grading import Bench

    source = Source(read((prepared / "solutions" / ways.LESSON / f"{ways.LESSON}.ipynb").read_bytes()))
    files = [path.read_bytes() for path in sorted(prepared.glob("submitted/*/*/*.ipynb"))]
    with contextlib.closing(Bench(sandboxed=True, figures=False, rules=Rules())) as bench:
        bench.open(source)
        bench.grade(files[0])
        with _grading():
            for data in files:
                bench.grade(data)
    return len(files)


def _record(prepared: Path, course: Path) -> None:
    from autograder.classroom import How, grade, results
    from autograder.course import config
    from autograder.course.record import Recorder

    shutil.copytree(prepared, course)
    with (
        _timed(results, "write", lambda: "write the result"),
        _timed(Recorder, "record", lambda: "record it"),
    ):
        grade(config.load(course), [ways.LESSON], [], How(jobs=1), lambda *_: None)
