"""Grades notebooks in nbgrader's format; knows nothing of positional encodings."""
