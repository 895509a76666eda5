"""Grades one submission: two runs in fresh processes, replay after a death, one explained result a cell.

Theory of operation
-------------------
The *shown* run plays the student's cells and the tests without a hidden part, and its outputs are what the
student sees. The *graded* run plays the student's cells again, in another process, and the tests with a
hidden part; nothing that student code makes there is shown. When a process dies or hangs, the cell or
function at fault is condemned, a fresh process replays the earlier cells without it, and grading goes on.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.referee import outputs, reasons, sentences, trial
from autograder.referee.namespace import Namespace
from autograder.referee.plan import Plan, Step, lay
from autograder.referee.session import Channel, Gone, Session
from autograder.referee.source import Source
from autograder.report import CellResult, Verdict

OUTPUT_LIMIT = 8_000_000
_SPENT = "The time for the whole notebook was used up before this test."


@dataclass(frozen=True)
class Rules:
    """How long things may take, in seconds, and where tests run."""

    cell_timeout: float = 30.0
    test_timeout: float = 30.0
    total_timeout: float = 300.0
    isolation: str = "process"


def _silent(name: str, seconds: float) -> None:
    """Announce nothing."""


@dataclass
class Case:
    """One submission while it is graded: how to, and what is known so far."""

    source: Source
    plan: Plan
    start: Callable[[], Channel]
    rules: Rules
    announce: Callable[[str, float], None] = _silent
    frank: bool = False
    ends: float = 0.0
    room: int = OUTPUT_LIMIT
    results: dict[str, CellResult] = field(default_factory=dict)
    outputs: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    skipped: set[int] = field(default_factory=set)
    condemned: dict[str, BaseException] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The executed notebook, without a line of a hidden test, and its results in the order of the source."""

    notebook: Mapping[str, Any]
    results: Sequence[CellResult]


def judge(
    source: Source,
    submission: Mapping[str, Any],
    start: Callable[[], Channel],
    rules: Rules | None = None,
    announce: Callable[[str, float], None] = _silent,
    verdicts: Mapping[str, CellResult] | None = None,
    frank: bool = False,
) -> Outcome:
    """Grade `submission`, a notebook as `autograder.notebook.read` returns it.

    `start` starts a student process; `verdicts` are results that stand already. `frank` tells everything of
    hidden tests too: for the instructor's own answers.
    """
    rules = rules or Rules()
    case = Case(source, lay(source, submission), start, rules, announce, frank)
    case.ends = time.monotonic() + rules.total_timeout
    case.results.update(verdicts or {})
    for shown in (True, False):
        run = _Run(case, shown)
        try:
            run.play()
        finally:
            run.close()
    results = [_result(case, cell.grade_id or "") for cell in source.graded]
    return Outcome(outputs.assemble(case.plan, case.outputs, results), results)


def _result(case: Case, grade_id: str) -> CellResult:
    if grade_id in case.results:
        return case.results[grade_id]
    step = next(step for step in case.plan.steps if step.ours is not None and step.ours.grade_id == grade_id)
    if not step.cell.is_manual:
        raise AssertionError(f"test {grade_id} must have run")
    score, message = (0.0, sentences.NO_RESPONSE) if step.untouched else (None, sentences.MANUAL)
    return CellResult(grade_id, score, step.cell.points, Verdict.MANUAL, message)


class _Run:
    """One of the two runs."""

    def __init__(self, case: Case, shown: bool) -> None:
        self._case = case
        self._shown = shown
        self._steps = case.plan.steps
        self._session: Session | None = None
        self._played: list[Step] = []
        self._stopped: dict[int, str] = {}
        self._namespace = Namespace(self._steps, case.source.facts)
        self._namespace.condemned = case.condemned

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def play(self) -> None:
        """Play the cells in order, up to the last one that this run needs."""
        mine = [step.number for step in self._steps if self._is_mine(step)]
        last = len(self._steps) if self._shown else max(mine, default=-1) + 1
        for step in self._steps[:last]:
            if step.cell.is_test:
                if self._is_mine(step) and step.cell.grade_id not in self._case.results:
                    self._try(step)
                continue
            if time.monotonic() > self._case.ends:
                continue
            if step.for_student and step.number not in self._case.skipped:
                self._run_cell(step)
            self._namespace.passed(step)

    def _is_mine(self, step: Step) -> bool:
        return step.cell.is_test and step.cell.hidden != self._shown

    def _allow(self, session: Session, step: Step, default: float) -> None:
        """Give `step` its time, less when the notebook's runs out; tell whoever watches this process."""
        seconds = max(0.0, min(step.timeout or default, self._case.ends - time.monotonic()))
        self._case.announce(step.cell.grade_id or f"cell {step.number}", seconds)
        session.allow(seconds)

    def _ready(self) -> Session:
        """Return a session that has played the cells up to here; start one, or replace one that is gone."""
        while self._session is None or self._session.gone is not None:
            self.close()
            self._session = session = Session(self._case.start())
            self._namespace.session = session
            try:
                session.allow(self._case.rules.cell_timeout)
                for path, data in self._case.source.files.items():
                    session.send_file(path, base64.b64encode(data).decode("ascii"))
                self._replay(session)
            except Gone:
                if time.monotonic() > self._case.ends:
                    break
        return self._session

    def _replay(self, session: Session) -> None:
        for step in self._played:
            if step.number in self._case.skipped:
                continue
            self._allow(session, step, self._case.rules.cell_timeout)
            try:
                session.run(step.number, step.cell.source)
            except Gone:
                self._case.skipped.add(step.number)
                raise

    def _run_cell(self, step: Step) -> None:
        session = self._ready()
        self._allow(session, step, self._case.rules.cell_timeout)
        try:
            reply = session.run(step.number, step.cell.source)
        except Gone as end:
            self._case.skipped.add(step.number)
            self._stopped[step.number] = f"{end.verdict}: {end.message}"
            if self._shown:
                self._case.outputs[step.number] = [outputs.error(end.verdict, f"This cell: {end.message}.")]
            return
        self._played.append(step)
        if reply.get("error") is not None:
            self._stopped[step.number] = reasons.of_cell(reply["error"], self._steps, shown=self._shown)
        if self._shown:
            found = outputs.clean(reply, self._case.room)
            self._case.room -= sum(map(outputs.size, found))
            self._case.outputs[step.number] = found

    def _try(self, step: Step) -> None:
        """Run one test and record its result."""
        assert step.cell.grade_id is not None
        if time.monotonic() > self._case.ends:
            spent = CellResult(step.cell.grade_id, 0.0, step.cell.points, Verdict.TIMEOUT, _SPENT)
            self._case.results[step.cell.grade_id] = spent
            return
        session = self._ready()
        self._allow(session, step, self._case.rules.test_timeout)
        told = self._shown or self._case.frank
        if self._case.rules.isolation == "kernel":
            result = self._try_there(step, session, told)
        else:
            ending = trial.run(step, self._namespace)
            result = trial.conclude(ending, step, session, self._steps, shown=told)
            if self._shown and ending.printed:
                self._case.outputs[step.number] = [outputs.printed(ending.printed)]
        if session.gone is not None and session.gone.verdict is Verdict.TIMEOUT and session.calling:
            self._case.condemned[session.calling] = Gone(Verdict.TIMEOUT, result.message)
        self._case.results[step.cell.grade_id] = reasons.nearer(
            result, step, self._steps, self._case.source, self._stopped
        )

    def _try_there(self, step: Step, session: Session, told: bool) -> CellResult:
        try:
            reply = trial.run_there(step, session)
        except Gone:
            return trial.conclude(trial.Ending(None), step, session, self._steps, shown=told)
        return trial.conclude_there(reply, step, shown=told)
