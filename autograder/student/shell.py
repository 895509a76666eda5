"""The IPython shell in which a student's cells run: names and magics as in Jupyter, in this process only."""

from __future__ import annotations

import asyncio
import linecache
import os
import sys
import traceback
from types import TracebackType
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from autograder.student import capture

_TEXT_LIMIT = 2_000
_LINES_LIMIT = 40


class Publisher(DisplayPublisher):
    """Hands what is displayed to the capture of the cell that runs."""

    capture: capture.Capture | None = None

    def publish(self, data: dict[str, Any], metadata: Any = None, **_: Any) -> None:  # type: ignore[override]
        if self.capture is not None:
            self.capture.display(data)


class Hook(DisplayHook):
    """Hands the value of a cell's last expression to the capture of the cell."""

    capture: capture.Capture | None = None

    def __call__(self, result: object = None) -> None:
        shell: Any = self.shell
        if result is None or self.capture is None or self.quiet():  # type: ignore[no-untyped-call]
            return
        data, _ = shell.display_formatter.format(result)
        self.capture.result(data, shell.execution_count)


class StudentShell(InteractiveShell):
    """A shell without history, terminal, subprocesses or event loop of a front end."""

    displayhook_class = Type(Hook)
    display_pub_class = Type(Publisher)

    def enable_gui(self, gui: Any = None) -> None:
        """Do nothing: no front end is there to draw."""

    def enable_matplotlib(self, gui: Any = None) -> tuple[str, str]:
        """Keep the backend that was chosen before the fork."""
        return "inline", "agg"

    def system(self, cmd: str) -> None:
        raise PermissionError("grading starts no other programs")

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
        raise PermissionError("grading starts no other programs")

    def ask_exit(self) -> None:
        """Do nothing: ``exit()`` in a notebook does not end grading."""

    def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
        """Do nothing: `problem` reports it."""

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: `problem` reports it."""

    def showsyntaxerror(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: `problem` reports it."""

    def init_sys_modules(self) -> None:
        """Make ``__main__`` the notebook's module, as in a kernel."""
        self._main_mod_cache = {}
        sys.modules["__main__"] = self.user_module

    def atexit_operations(self) -> None:
        """Do nothing: the process ends without ceremony."""


def make() -> StudentShell:
    """Build the shell once, before the fork."""
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.autocall = 0
    shell = StudentShell.instance(config=config)
    sys.displayhook = shell.displayhook
    return shell


def quiet_matplotlib() -> None:
    """Let ``plt.show()`` do nothing: figures are taken at the end of the cell."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.show = lambda *args, **kwargs: None


class Cells:
    """Runs cells in the shell and knows which line of which cell a traceback speaks of."""

    def __init__(self, shell: StudentShell, render: bool = False) -> None:
        self._shell: Any = shell
        self._render = render
        self._files: dict[str, int] = {}
        self._out, self._err = capture.redirect()

    @property
    def names(self) -> dict[str, Any]:
        """The notebook's global names."""
        return dict.copy(self._shell.user_ns)

    def run(self, number: int, source: str) -> dict[str, Any]:
        """Run one cell; return its outputs and, where it failed, the problem."""
        taken = capture.Capture()
        self._direct(taken)
        self._shell.compile.get_code_name = lambda *_: self._name(number)
        error: BaseException | None
        try:
            result = self._shell.run_cell(source, store_history=True)
            error = result.error_before_exec or result.error_in_exec
            capture.figures(taken, self._render)
        except BaseException as caught:
            error = caught
        finally:
            self._direct(None)
        return {"outputs": taken.outputs, "error": None if error is None else self.problem(error)}

    def _direct(self, taken: capture.Capture | None) -> None:
        self._out.capture = self._err.capture = taken
        self._shell.displayhook.capture = taken
        self._shell.display_pub.capture = taken

    def _name(self, number: int) -> str:
        name = f"<cell {number}>"
        self._files[name] = number
        return name

    def problem(self, error: BaseException) -> dict[str, Any]:
        """Describe `error`: its built-in kinds, its message and the lines it came through."""
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
        steps = self._steps(error.__traceback__)
        if isinstance(error, SyntaxError) and error.filename in self._files and error.lineno:
            steps.append((self._files[error.filename], error.lineno))
        try:
            message = str(error)
        except BaseException:
            message = ""
        name = type(error).__name__[:100]
        return {
            "kinds": kinds,
            "name": name,
            "message": message[:_TEXT_LIMIT],
            "steps": steps[-_LINES_LIMIT:],
            "traceback": self._traceback(error, name, message),
        }

    def _steps(self, trace: TracebackType | None) -> list[tuple[int, int]]:
        found = []
        for frame, line in traceback.walk_tb(trace):
            number = self._files.get(frame.f_code.co_filename)
            if number is not None and line:
                found.append((number, line))
        return found

    def _traceback(self, error: BaseException, name: str, message: str) -> list[str]:
        lines = []
        for frame, line in list(traceback.walk_tb(error.__traceback__))[-_LINES_LIMIT:]:
            file = frame.f_code.co_filename
            if file in self._files:
                text = linecache.getline(file, line).strip()
                lines.append(
                    f"cell {self._files[file]}, line {line}, in {frame.f_code.co_name}: {text}"[:300]
                )
        return [*lines, f"{name}: {message}"[:_TEXT_LIMIT]]


def settle(folder: str) -> None:
    """After the fork: a clean event loop, and `folder` as the place to be."""
    asyncio.set_event_loop(None)
    os.chdir(folder)
    for name in ("HOME", "IPYTHONDIR", "MPLCONFIGDIR", "TMPDIR"):
        os.environ[name] = folder
