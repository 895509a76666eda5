"""Grades a class: finds what was handed in, has it graded, writes the results and the gradebook.

It decides nothing about points: that is the work of `autograder.supervise`. It never runs what a student
wrote, never follows a symbolic link in a submission, and prints nothing.
"""

from __future__ import annotations

from autograder.classroom.desk import How
from autograder.classroom.grade import Outcome, Result, grade

__all__ = ["How", "Outcome", "Result", "grade"]
