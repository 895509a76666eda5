"""The IPython shell in which a student's cells run: names and magics as in Jupyter, in this process only."""

from __future__ import annotations

import ast
import asyncio
import os
import sys
import warnings
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from autograder.student import capture
from autograder.student.problems import Places


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

    def transform_cell(self, raw_cell: str) -> str:
        """Leave plain Python as it is: looking it through for magics costs more than running it."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(raw_cell)
        except Exception:
            transformed: str = super().transform_cell(raw_cell)  # type: ignore[no-untyped-call]
            return transformed
        return raw_cell if raw_cell.endswith("\n") else raw_cell + "\n"

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
        self._places = Places()
        self._out, self._err = capture.redirect()

    @property
    def names(self) -> dict[str, Any]:
        """The notebook's global names."""
        return dict.copy(self._shell.user_ns)

    def run(self, number: int, source: str) -> dict[str, Any]:
        """Run one cell; return its outputs and, where it failed, the problem."""
        taken = capture.Capture()
        self._direct(taken)
        self._shell.compile.get_code_name = lambda *_: self._places.name(number)
        error: BaseException | None
        try:
            result = self._shell.run_cell(source, store_history=True)
            error = result.error_before_exec or result.error_in_exec
            capture.figures(taken, self._render)
        except BaseException as caught:
            error = caught
        finally:
            self._direct(None)
        return {"outputs": taken.outputs, "error": None if error is None else self._places.describe(error)}

    def _direct(self, taken: capture.Capture | None) -> None:
        self._out.capture = self._err.capture = taken
        self._shell.displayhook.capture = taken
        self._shell.display_pub.capture = taken

    def problem(self, error: BaseException) -> dict[str, Any]:
        """Describe `error`."""
        return self._places.describe(error)


def settle(folder: str) -> None:
    """After the fork: a clean event loop, and `folder` as the place to be."""
    asyncio.set_event_loop(None)
    os.chdir(folder)
    for name in ("HOME", "IPYTHONDIR", "MPLCONFIGDIR", "TMPDIR"):
        os.environ[name] = folder
