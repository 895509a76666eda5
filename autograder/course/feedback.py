"""A page for each student and lesson, made by nbgrader from what was graded.

The graded notebooks hold no hidden test and no traceback of one, so neither do the pages. Nothing here looks
into a submission or computes a score.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from autograder.course.config import Course, CourseError, Submission
from autograder.course.stamps import Stamps, contents, rows, stamp

REPORT = "report.json"
# Submissions between two calls of `progress`.
BATCH = 20
# All that a page shows beside the notebook itself.
SHOWN = """
    SELECT base_cell.name, grade.auto_score, grade.manual_score, grade.extra_credit,
           comment.auto_comment, comment.manual_comment,
           submitted_notebook.late_submission_penalty
    FROM submitted_assignment
    JOIN assignment ON assignment.id = submitted_assignment.assignment_id
    JOIN submitted_notebook ON submitted_notebook.assignment_id = submitted_assignment.id
    JOIN base_cell ON base_cell.notebook_id = submitted_notebook.notebook_id
    LEFT JOIN grade ON grade.cell_id = base_cell.id AND grade.notebook_id = submitted_notebook.id
    LEFT JOIN comment ON comment.cell_id = base_cell.id AND comment.notebook_id = submitted_notebook.id
    WHERE assignment.name = ? AND submitted_assignment.student_id = ?
    ORDER BY base_cell.id
"""


def feedback(
    course: Course,
    lessons: Sequence[str] = (),
    students: Sequence[str] = (),
    *,
    force: bool = False,
    progress: Callable[[Submission, bool], None] = lambda submission, changed: None,
) -> list[Path]:
    """Write the pages of `lessons` and `students`, or of all that is graded; return those that are new.

    `progress` is called after each submission with the graded folder and whether its pages were written.
    Pages whose notebook, grades and comments are as they were are not touched, unless `force` is given.

    Raises
    ------
    CourseError
        After the other pages are written, if some could not be: the message names each with its reason.
    """
    stamps = Stamps(course, "feedback")
    waiting: list[Submission] = []
    for graded in course.submissions(lessons, students, step=course.autograded):
        if force or not stamps.holds(_name(graded), _stamp(course, graded)):
            waiting.append(graded)
        else:
            progress(graded, False)
    written: list[Path] = []
    failed: list[str] = []
    for batch in _batches(waiting):
        failed += _write(course, batch)
        for graded in batch:
            written += _pages(course, graded)
            stamps.remember(_name(graded), _stamp(course, graded))
            progress(graded, True)
    if failed:
        raise CourseError("feedback must be made from graded notebooks: " + "; ".join(failed))
    return written


def _batches(waiting: Sequence[Submission]) -> Iterator[list[Submission]]:
    """Group what is made in one run: most of a page's cost is nbgrader's template, which a run loads once."""
    for _, one_lesson in itertools.groupby(waiting, key=lambda graded: graded.lesson):
        graded = list(one_lesson)
        yield from (graded[at : at + BATCH] for at in range(0, len(graded), BATCH))


def _write(course: Course, batch: Sequence[Submission]) -> list[str]:
    """Write the pages of `batch`, all of one lesson, and say of which students they could not be written."""
    try:
        _convert(course, batch)
    except CourseError:
        # nbgrader may have stopped at any of them, and its message names none.
        return [reason for graded in batch if (reason := _reason(course, graded))]
    return []


def _reason(course: Course, graded: Submission) -> str | None:
    try:
        _convert(course, [graded])
    except CourseError as error:
        return f"{graded.student}, {error}"
    return None


def _convert(course: Course, batch: Sequence[Submission]) -> None:
    # Loading nbgrader takes two seconds, too long for finding out that there is nothing to do.
    from nbgrader.converters import GenerateFeedback

    from autograder.course.converter import convert

    students = [graded.student for graded in batch]
    convert(GenerateFeedback, course, batch[0].lesson, students=students, ignore=[REPORT])


def _name(graded: Submission) -> str:
    return f"{graded.lesson}/{graded.student}"


def _pages(course: Course, graded: Submission) -> list[Path]:
    return sorted(course.folder(course.feedback, graded.lesson, graded.student).glob("*.html"))


def _stamp(course: Course, graded: Submission) -> str | None:
    """Return a hash of what the pages show and of the pages, or None if there is something to do anyway."""
    shown = rows(course, SHOWN, graded.lesson, graded.student)
    pages = contents(course.folder(course.feedback, graded.lesson, graded.student))
    return stamp(course, contents(graded.path), shown, pages) if shown and pages else None
