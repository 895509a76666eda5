"""Grades the submissions of a class, several at a time, and records each as it is done.

Theory of operation
-------------------
Threads grade: each has processes of its own to do it in, and writes the result folder. The caller's thread
alone writes the gradebook and tells of progress. A fault of ours costs one submission its result, never the
others theirs; a lesson whose source does not pass its own tests is not graded at all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.classroom import lesson as lessons_
from autograder.classroom import results, submissions
from autograder.classroom.absent import FAULT, explained
from autograder.classroom.desk import Desk, Desks, How
from autograder.classroom.lesson import Lesson, Page
from autograder.classroom.record import Gradebook, load_ahead
from autograder.classroom.submissions import Opened
from autograder.course.config import Course, CourseError, Submission
from autograder.report import Report, Verdict
from autograder.supervise import Graded, SourceError

log = logging.getLogger("autograder")


@dataclass(frozen=True)
class Result:
    """What became of one submission. `fresh` says whether it was graded or recorded now."""

    student: str
    lesson: str
    reports: Sequence[Report]
    fresh: bool
    notes: Sequence[str] = ()

    @property
    def internal(self) -> bool:
        """Whether a fault of ours is in it."""
        return any(report.internal for report in self.reports)


@dataclass(frozen=True)
class Outcome:
    """What became of a class; `problems` are lessons that could not be graded, each with its reason."""

    results: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Done:
    opened: Opened
    reports: list[Report]
    notebooks: dict[str, Graded] | None
    notes: list[str]


Progress = Callable[[int, int, Result], None]


def grade(
    course: Course,
    lessons: Sequence[str] = (),
    students: Sequence[str] = (),
    how: How | None = None,
    progress: Progress = lambda done, total, result: None,
) -> Outcome:
    """Grade what `students` (all, if none are named) handed in for `lessons` (all).

    `progress` is called after each submission with how many are done, of how many, and what became of it.

    Raises
    ------
    CourseError
        If there is no such lesson, or one of `students` handed nothing in.
    """
    names = course.lessons(lessons)
    submissions.check_students(course, names, students)
    waiting = {name: found for name in names if (found := submissions.find(course, name, students))}
    total = sum(map(len, waiting.values()))
    outcome = Outcome()
    for name, found in waiting.items():
        try:
            for result in _Class(course, name, how or How()).grade(found):
                outcome.results.append(result)
                progress(len(outcome.results), total, result)
        except (CourseError, SourceError) as error:
            log.debug("lesson %s", name, exc_info=True)
            outcome.problems.append(_told(name, error))
            total -= len(found) - sum(one.lesson == name for one in outcome.results)
    outcome.results.sort(key=lambda one: (one.lesson, one.student))
    return outcome


def _told(name: str, error: Exception) -> str:
    return str(error) if name in str(error) else f"{name}: {error}"


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


class _Class:
    """The submissions of one lesson while they are graded."""

    def __init__(self, course: Course, name: str, how: How) -> None:
        self._course = course
        self._how = how = replace(how, timeout=how.timeout or course.timeout)
        self._lesson: Lesson = lessons_.read(course, name)
        self._gradebook = Gradebook(course, name)
        self._desks = Desks(how)

    def grade(self, found: Sequence[Submission]) -> Iterator[Result]:
        """Yield what becomes of each submission, in the order in which they are done."""
        self._gradebook.check()
        pool = ThreadPoolExecutor(self._how.jobs)
        try:
            for future in as_completed({pool.submit(self._one, one) for one in found}):
                yield self._record(future)
        except (KeyboardInterrupt, GeneratorExit):
            # Whatever is still being graded is of no use to anybody.
            self._desks.close()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            self._desks.close()
            self._gradebook.close()

    def _one(self, submission: Submission) -> _Done:
        """Grade a submission, whatever goes wrong on our side. Runs in a thread of the pool."""
        try:
            opened = submissions.open_(self._course, self._lesson, submission)
            return self._opened(opened)
        except (CourseError, SourceError):
            raise
        except Exception as error:
            log.debug("%s of %s", self._lesson.name, submission.student, exc_info=True)
            return self._failed(submission, error)

    def _opened(self, opened: Opened) -> _Done:
        """Grade a submission unless its result lies there already."""
        desk, pages = self._desks.mine(), self._lesson.pages
        blanks = {page.name: self._blank(desk, page, opened) for page in pages}
        if not self._how.force:
            there = results.read(self._course, self._lesson.name, opened.student)
            if _are_current(there, list(blanks.values())):
                return _Done(opened, there, None, list(opened.notes))
        load_ahead()
        notes = list(opened.notes)
        graded = {page.name: self._page(desk, page, opened, blanks[page.name], notes) for page in pages}
        if self._desks.closed:
            raise CourseError("grading was interrupted")
        results.write(self._course, self._lesson, opened, graded)
        return _Done(opened, [one.report for one in graded.values()], graded, notes)

    def _failed(self, submission: Submission, error: Exception) -> _Done:
        """Return rows without a score, and take away the result of an earlier version."""
        student, place = submission.student, submission.path
        results.remove(self._course, self._lesson.name, student)
        graded = {}
        for page in self._lesson.pages:
            blank = Report(page.file, (place / page.file).as_posix(), student, [], self._how.isolation)
            blank = replace(blank, sandbox=self._how.sandboxed)
            graded[page.name] = explained(page, blank, FAULT, Verdict.INTERNAL)
        opened = Opened(student, self._lesson.name, place, {})
        notes = [f"the submission must be readable and its result writable: {_named(error)}"]
        return _Done(opened, [one.report for one in graded.values()], graded, notes)

    def _blank(self, desk: Desk, page: Page, opened: Opened) -> Report:
        """Return a report without results, with the hashes of all that they will depend on."""
        handed = opened.notebooks[page.name]
        hashes = {
            "result": desk.key(page, handed, opened.files),
            "files": results.fingerprint(opened),
        }
        root = self._course.root
        path = handed.path.relative_to(root) if handed.path.is_relative_to(root) else handed.path
        how = self._how
        return Report(page.file, path.as_posix(), opened.student, [], how.isolation, how.sandboxed, hashes)

    def _page(self, desk: Desk, page: Page, opened: Opened, blank: Report, notes: list[str]) -> Graded:
        """Grade one notebook; what goes wrong on our side is told, and costs only this one."""
        try:
            graded = desk.grade(page, opened.notebooks[page.name], opened.files, blank)
        except SourceError:
            raise
        except Exception as error:
            log.debug("%s of %s", page.file, opened.student, exc_info=True)
            notes.append(f"the grader failed on {page.file}: {_named(error)}")
            return explained(page, blank, FAULT, Verdict.INTERNAL)
        if graded.fault:
            notes.append(f"the grader failed on {page.file}: {graded.fault}")
        return graded

    def _record(self, future: Future[_Done]) -> Result:
        done = future.result()
        opened, notes = done.opened, done.notes
        fresh = done.notebooks is not None
        if fresh or not self._gradebook.holds(opened.student, done.reports, opened.submitted):
            fresh = True
            try:
                self._gradebook.record(opened.student, done.reports, opened.submitted, self._answers(done))
            except CourseError:
                raise
            except Exception as error:
                log.debug("recording %s", opened.student, exc_info=True)
                return self._unrecorded(done, error)
        return Result(opened.student, self._lesson.name, done.reports, fresh, notes)

    def _answers(self, done: _Done) -> dict[str, Any]:
        if done.notebooks is not None:
            return {name: graded.notebook for name, graded in done.notebooks.items()}
        return results.answers(self._course, self._lesson.name, done.opened.student, done.reports)

    def _unrecorded(self, done: _Done, error: Exception) -> Result:
        """Take a result away that the gradebook does not have, so that the next run grades it again."""
        student = done.opened.student
        results.remove(self._course, self._lesson.name, student)
        blanks = zip(self._lesson.pages, done.reports, strict=True)
        lost = [explained(page, report, FAULT, Verdict.INTERNAL).report for page, report in blanks]
        notes = [*done.notes, f"the gradebook must take the result: {_named(error)}"]
        return Result(student, self._lesson.name, lost, True, notes)


def _are_current(there: Sequence[Report], wanted: Sequence[Report]) -> bool:
    """Say whether the reports that lie there are of what is handed in now, and nothing of ours failed."""
    if len(there) != len(wanted) or any(report.internal for report in there):
        return False
    return [_what(old) for old in there] == [_what(new) for new in wanted]


def _what(report: Report) -> tuple[str, str, Mapping[str, str]]:
    # How it was graded, in the sandbox or not, is part of the hashes.
    return report.notebook, report.path, report.hashes
