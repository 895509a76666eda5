"""What went wrong in student code: the kinds of an exception, its message, the lines it came through."""

from __future__ import annotations

import linecache
import traceback
from types import TracebackType
from typing import Any

TEXT_LIMIT = 2_000
LINES_LIMIT = 40


class Places:
    """Knows which compiled file is which cell."""

    def __init__(self) -> None:
        self._cells: dict[str, int] = {}

    def name(self, number: int) -> str:
        """Return the file name under which cell `number` is to be compiled."""
        name = f"<cell {number}>"
        self._cells[name] = number
        return name

    def describe(self, error: BaseException) -> dict[str, Any]:
        """Describe `error`: its built-in kinds, its message and the lines it came through."""
        steps = self._steps(error.__traceback__)
        if isinstance(error, SyntaxError) and error.filename in self._cells and error.lineno:
            steps.append((self._cells[error.filename], error.lineno))
        try:
            message = str(error)[:TEXT_LIMIT]
        except BaseException:
            message = ""
        name = type(error).__name__[:100]
        return {
            "kinds": [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"],
            "name": name,
            "message": message,
            "steps": steps[-LINES_LIMIT:],
            "traceback": [*self._lines(error.__traceback__), f"{name}: {message}"],
        }

    def _steps(self, trace: TracebackType | None) -> list[tuple[int, int]]:
        return [
            (self._cells[frame.f_code.co_filename], line)
            for frame, line in traceback.walk_tb(trace)
            if frame.f_code.co_filename in self._cells and line
        ]

    def _lines(self, trace: TracebackType | None) -> list[str]:
        lines = []
        for frame, line in list(traceback.walk_tb(trace))[-LINES_LIMIT:]:
            file = frame.f_code.co_filename
            if file in self._cells:
                text = linecache.getline(file, line).strip()
                where = f"cell {self._cells[file]}, line {line}, in {frame.f_code.co_name}"
                lines.append(f"{where}: {text}"[:300])
        return lines
