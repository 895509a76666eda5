"""A page for each student and lesson, made by nbgrader from what was graded.

The graded notebooks hold no hidden test and no traceback of one, so neither do the pages. Nothing here looks
into a submission or computes a score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.course.config import Course, CourseError, Submission
from autograder.course.stamps import Stamps, contents, rows, stamp

REPORT = "report.json"
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
    written: list[Path] = []
    failed: list[str] = []
    stamps = Stamps(course, "feedback")
    for graded in course.submissions(lessons, students, step=course.autograded):
        name = f"{graded.lesson}/{graded.student}"
        new = force or not stamps.holds(name, _stamp(course, graded))
        if new:
            try:
                written += _write(course, graded)
            except CourseError as error:
                failed.append(f"{graded.student}, {error}")
            stamps.remember(name, _stamp(course, graded))
        progress(graded, new)
    if failed:
        raise CourseError("feedback must be made from graded notebooks: " + "; ".join(failed))
    return written


def _write(course: Course, graded: Submission) -> list[Path]:
    # Loading nbgrader takes two seconds, too long for finding out that there is nothing to do.
    from nbgrader.converters import GenerateFeedback

    from autograder.course.converter import convert

    convert(GenerateFeedback, course, graded.lesson, student=graded.student, ignore=[REPORT])
    return sorted(course.folder(course.feedback, graded.lesson, graded.student).glob("*.html"))


def _stamp(course: Course, graded: Submission) -> str | None:
    """Return a hash of what the pages show and of the pages, or None if there is something to do anyway."""
    shown = rows(course, SHOWN, graded.lesson, graded.student)
    pages = contents(course.folder(course.feedback, graded.lesson, graded.student))
    return stamp(course, contents(graded.path), shown, pages) if shown and pages else None
