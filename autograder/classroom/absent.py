"""Results of notebooks that are not run: missing, unreadable, or not graded through a fault of ours.

Every graded cell has an explained row all the same. Nothing is run here.
"""

from __future__ import annotations

from dataclasses import replace

from autograder.classroom.lesson import Page
from autograder.referee.outputs import assemble
from autograder.referee.plan import lay
from autograder.report import CellResult, Report, Verdict
from autograder.supervise import Graded

FAULT = "The grader failed here, which is not your fault. It has to be graded again."


def explained(page: Page, report: Report, reason: str, verdict: Verdict) -> Graded:
    """Return `report` with a row for each graded cell of `page`, and the release with the reason in it.

    A fault of ours (INTERNAL) is no score at all; whatever else it is, is 0, and nothing waits for a person.
    """
    ours = verdict is Verdict.INTERNAL
    cells = [
        CellResult(
            str(cell.grade_id),
            None if ours else 0.0,
            cell.points,
            Verdict.MANUAL if cell.is_manual and not ours else verdict,
            _sentence(reason),
        )
        for cell in page.source.graded
    ]
    notebook = assemble(lay(page.source, {"cells": []}), {}, cells)
    return Graded(notebook, replace(report, cells=cells))


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:].rstrip(".") + "."
