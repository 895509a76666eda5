"""What a name means in a test cell: the student's, the trusted run's, or an earlier test's.

Theory of operation
-------------------
The test cells of a notebook share one dict of globals, as they do in a kernel, but with a memory of who bound
a name last. A name that an answer cell of the *source* binds resolves to the student: a function to a
stand-in, a value to a copy that is fetched again after every call. A name that a given cell binds resolves to
the trusted side's own run of that cell, made when a test first needs it. Whatever a test binds stays where it
is.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.referee import names
from autograder.referee.plan import Step
from autograder.referee.proxies import StudentFunction, number_of
from autograder.referee.session import Session


class Namespace(dict[str, Any]):
    """The globals of the test cells of one run."""

    def __init__(self, steps: Sequence[Step], facts: Sequence[names.Facts]) -> None:
        super().__init__(__name__="__main__", __builtins__=builtins)
        self._steps = steps
        self._facts = facts
        self._answers: set[str] = set()
        self._providers: dict[str, list[int]] = {}
        self._done: set[tuple[int, str]] = set()
        self._fetched: dict[str, tuple[int | None, Any]] = {}
        self.session: Session | None = None
        self.condemned: Mapping[str, BaseException] = {}

    def passed(self, step: Step) -> None:
        """Note that the notebook is past `step`, which is not a test."""
        self._fetched.clear()
        if step.at is None or step.ours is None:
            return
        facts = self._facts[step.at]
        if step.ours.solution:
            for name in facts.bound:
                self._forget(name)
                self._answers.add(name)
        elif step.trusted:
            for name in facts.bound:
                self._forget(name)
                self._providers[name] = [step.number]
            for name in facts.changed:
                self._providers.setdefault(name, []).append(step.number)
        for name in facts.imports:
            self._forget(name)
            self._providers[name] = [step.number]

    def _forget(self, name: str) -> None:
        self.pop(name, None)
        self._answers.discard(name)
        self._providers.pop(name, None)
        self._fetched.pop(name, None)

    def __missing__(self, name: str) -> Any:
        if name in self._answers:
            return self._student(name)
        if name in self._providers:
            self._provide(name)
            if name in self:
                return self[name]
        raise KeyError(name)

    def _student(self, name: str) -> Any:
        assert self.session is not None
        if name in self.condemned:
            raise self.condemned[name]
        at, value = self._fetched.get(name, (-1, None))
        if at is not None and at != self.session.calls:
            value = self.session.get(name)
            if isinstance(value, StudentFunction):
                value = NamedFunction(self, name, value)
            self._fetched[name] = (None if isinstance(value, NamedFunction) else self.session.calls, value)
        return value

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the student's function `name`, unless it has already shown that it does not come back."""
        if name in self.condemned:
            raise self.condemned[name]
        assert self.session is not None
        return self.session.call(name, name, args, kwargs)

    def _provide(self, name: str) -> None:
        """Run the given cells that bind and change `name`, in the order of the notebook."""
        for number in self._providers[name]:
            at = self._steps[number].at
            assert at is not None
            facts = self._facts[at]
            if self._steps[number].cell.solution:
                self._run(number, name, [facts.imports[name]])
            else:
                self._run(number, "", facts.tree.body)

    def _run(self, number: int, part: str, body: list[ast.stmt]) -> None:
        if (number, part) in self._done:
            return
        kept = {name: self[name] for name in self if number not in self._providers.get(name, [number])}
        code = compile(
            ast.Module(body=body, type_ignores=[]), f"<given cell {number}>", "exec", dont_inherit=True
        )
        exec(code, self)
        self._done.add((number, part))
        self.update(kept)


class NamedFunction(StudentFunction):
    """A function of the student's that is looked up by its name at every call, as a kernel would."""

    def __init__(self, namespace: Namespace, name: str, function: StudentFunction) -> None:
        super().__init__(function.__dict__["_session"], number_of(function), name)
        self.__dict__["_namespace"] = namespace

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        namespace: Namespace = self.__dict__["_namespace"]
        return namespace.call(self.__dict__["__name__"], args, kwargs)
