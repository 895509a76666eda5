"""A lesson in JupyterLab in headless Chromium, opened, answered, run and read. It judges nothing."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*/*.ipynb"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
FLAGS += ["--disable-background-networking", "--disable-component-update"]


@dataclass(frozen=True)
class Cell:
    """A code cell after a run."""

    name: str
    picture: bool
    answer: bool
    source: str
    ran: bool
    outputs: list[dict[str, Any]]

    @property
    def errors(self) -> list[dict[str, Any]]:
        """What was raised: nothing, or one output."""
        return [output for output in self.outputs if output["output_type"] == "error"]

    @property
    def kinds(self) -> set[str]:
        """The MIME types of what is displayed."""
        return {kind for output in self.outputs for kind in output.get("data", {})}

    @property
    def value(self) -> str:
        """The value of the last expression, as text."""
        results = [output for output in self.outputs if output["output_type"] == "execute_result"]
        return "".join(output["data"]["text/plain"] for output in results)

    def said(self, stream: str = "stdout") -> str:
        """Return what was written to a stream."""
        return "".join(output["text"] for output in self.outputs if output.get("name") == stream)


class Lab:
    """One server's page, in which a lesson is open at a time."""

    def __init__(self, page: Any, root: Path) -> None:
        self.page, self.root = page, root

    def open(self, lesson: str, answers: Mapping[str, str] | None = None) -> None:
        """Open a fresh copy of a lesson as it is released, and put answers in by grade_id."""
        shutil.rmtree(self.root / lesson, ignore_errors=True)
        shutil.copytree(ROOT / "notebooks" / lesson, self.root / lesson)
        self.page.evaluate("path => lesson.open(path)", f"{lesson}/{lesson}.ipynb")
        self.page.evaluate("answers => lesson.answer(answers)", dict(answers or {}))

    def close(self) -> None:
        """End the kernel of the lesson that is open, and close it."""
        self.page.evaluate("() => lesson.close()")

    def run_all(self) -> dict[str, Cell]:
        """Choose Run All Cells, which stops at an error, and return the code cells by name."""
        self.page.evaluate("() => lesson.runAll()")
        return self._cells()

    def run_each(self) -> dict[str, Cell]:
        """Run one code cell after the other, whatever they raise."""
        self.page.evaluate("() => lesson.runEach()")
        return self._cells()

    def _cells(self) -> dict[str, Cell]:
        return {cell["name"]: Cell(**cell) for cell in self.page.evaluate("() => lesson.read()")}

    def misset(self) -> list[str]:
        """Return what is left in the prose of formulas that MathJax cannot set."""
        return list(self.page.evaluate("() => lesson.misset()"))

    def show(self, name: str) -> Any:
        """Scroll a cell into view, and return its element."""
        return self.page.evaluate_handle("name => lesson.shown(name)", name).as_element()

    def keep(self, lesson: str, *names: str, as_: str = "") -> None:
        """Where SCREENSHOTS names a folder, keep a picture there of each of these cells."""
        for name in names if "SCREENSHOTS" in os.environ else ():
            self.show(name).screenshot(path=Path(os.environ["SCREENSHOTS"]) / f"{lesson}-{name}{as_}.png")


def solutions(lesson: str) -> dict[str, str]:
    """Return the solution's answers by grade_id."""
    notebook = json.loads((ROOT / "solutions" / lesson / f"{lesson}.ipynb").read_text())
    marked = [(cell["metadata"].get("nbgrader", {}), cell["source"]) for cell in notebook["cells"]]
    return {marks["grade_id"]: "".join(source) for marks, source in marked if marks.get("solution")}


@contextmanager
def server(home: Path) -> Iterator[str]:
    """Serve JupyterLab on an empty folder of `home`, `notebooks`, and yield its address."""
    (home / "notebooks").mkdir()
    news = home / "settings" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    news.parent.mkdir(parents=True)
    news.write_text('{"fetchNews": "false", "checkForUpdates": false}')  # it asks in a corner, over the cells
    port = _free_port()
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", f"--ServerApp.port={port}"]
    command += ["--allow-root", "--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    command += [f"--ServerApp.root_dir={home / 'notebooks'}"]
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT)}
    environment |= {
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(news.parents[2]),
    }
    with open(home / "log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        _wait(f"http://127.0.0.1:{port}", home / "log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def page(address: str) -> Iterator[Any]:
    """Open JupyterLab in a browser, and yield the page."""
    from playwright import sync_api

    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        opened = browser.new_page(viewport={"width": 1400, "height": 1600})
        opened.goto(f"{address}/lab?reset")
        opened.wait_for_function("() => window.jupyterapp?.restored.then(() => true)", timeout=90_000)
        opened.add_script_tag(path=str(Path(__file__).with_name("lab.js")))
        yield opened
        browser.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(address: str, log: Path) -> None:
    for _ in range(120):
        try:
            urllib.request.urlopen(f"{address}/api", timeout=2).close()
            return
        except OSError:
            time.sleep(0.5)
    raise RuntimeError(f"JupyterLab must answer within a minute, got {log.read_text()[-2000:]}")
