"""Results of notebooks that are not run: missing, unreadable, or not graded through a fault of ours.

Every graded cell has an explained row all the same. Nothing is run here.
"""

from __future__ import annotations

from dataclasses import replace

from autograder.classroom.lesson import Page
from autograder.report import Report, Verdict
from autograder.supervise import FAULT, Graded
from autograder.worker.grading import unreadable

__all__ = ["FAULT", "explained"]


def explained(page: Page, report: Report, reason: str, verdict: Verdict) -> Graded:
    """Return `report` with a row for each graded cell of `page`, and the release with the reason in it.

    A fault of ours (INTERNAL) is no score at all; whatever else it is, is 0, and nothing waits for a person.
    """
    outcome = unreadable(page.source, _sentence(reason), verdict)
    return Graded(outcome.notebook, replace(report, cells=list(outcome.results)))


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:].rstrip(".") + "."
