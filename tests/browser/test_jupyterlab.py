"""Lesson 6 as a student sees it: JupyterLab in headless Chromium, answers put in, all cells run."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ROOT = Path(__file__).resolve().parents[2]
LESSON = "06_rotary"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="a browser test needs chromium on the path"),
]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
FLAGS += ["--disable-background-networking", "--disable-component-update"]

SET_ANSWERS = """answers => {
  const cells = window.jupyterapp.shell.currentWidget.content.widgets;
  for (const cell of cells) {
    const marks = cell.model.getMetadata('nbgrader');
    if (marks && marks.grade_id in answers) cell.model.sharedModel.setSource(answers[marks.grade_id]);
  }
}"""
STATE = """() => {
  const notebook = window.jupyterapp.shell.currentWidget;
  if (!notebook || !notebook.content) return null;
  return notebook.content.widgets.filter(cell => cell.model.type === 'code').map(cell => ({
    name: (cell.model.getMetadata('nbgrader') || {}).grade_id,
    count: cell.model.executionCount,
    outputs: cell.model.outputs.toJSON(),
  }));
}"""
SCROLL = """number => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  const code = notebook.widgets.map((cell, at) => [cell, at]).filter(pair => pair[0].model.type === 'code');
  notebook.scrollToItem(code[number][1], 'start');
}"""
HALF = """def rope(x, position):
    d = x.shape[-1]
    theta = 10000.0 ** (-np.arange(0, d, 2) / d)
    cos, sin = np.cos(position * theta), np.sin(position * theta)
    first, second = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    home = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    port = free_port()
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", f"--ServerApp.port={port}"]
    command += ["--allow-root", "--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    command += [f"--ServerApp.root_dir={home / 'notebooks'}", "--LabApp.news_url="]
    environment = {**os.environ, "HOME": str(home), "JUPYTER_RUNTIME_DIR": str(home / "runtime")}
    with open(home / "log", "wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{address}/api", timeout=2).close()
                break
            except OSError:
                time.sleep(0.5)
        else:
            pytest.fail((home / "log").read_text()[-2000:])
        yield address
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


def solutions():
    notebook = json.loads((ROOT / "solutions" / LESSON / f"{LESSON}.ipynb").read_text())
    found = {}
    for cell in notebook["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("solution"):
            found[marks["grade_id"]] = "".join(cell["source"])
    return found


def run_all(page, lab, answers):
    """Open the lesson, put the answers in, run it, and return the code cells by name."""
    page.goto(f"{lab}/lab/tree/{LESSON}/{LESSON}.ipynb?reset")
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context?.isReady", timeout=90_000)
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'",
        timeout=90_000,
    )
    page.evaluate(SET_ANSWERS, answers)
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    for _ in range(240):
        state = page.evaluate(STATE)
        if state and all(cell["count"] for cell in state):
            return {cell["name"]: cell["outputs"] for cell in state}
        if any(output["output_type"] == "error" for cell in state or [] for output in cell["outputs"]):
            time.sleep(1)
            return {cell["name"]: cell["outputs"] for cell in page.evaluate(STATE)}
        time.sleep(0.5)
    raise AssertionError("the notebook did not come to its end within two minutes")


def look_at(page, number, name):
    """Scroll to the code cell `number` and, where SCREENSHOTS names a folder, keep a picture of it."""
    for _ in range(3):  # figures above grow while they load, so one jump lands short
        page.evaluate(SCROLL, number)
        page.wait_for_timeout(700)
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def test_right_answers_pass_every_visible_check_and_draw_every_figure(lab, browser):
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    outputs = run_all(page, lab, solutions())
    errors = {
        name: output["evalue"]
        for name, found in outputs.items()
        for output in found
        if output["output_type"] == "error"
    }
    assert errors == {}
    for name, found in outputs.items():
        if name and name.endswith("_test"):
            assert "every check here passes" in str(found), name
    pictures = [name for name in outputs if name and name.endswith("_picture")]
    assert len(pictures) >= 10
    for name in pictures:
        kinds = [kind for output in outputs[name] for kind in output.get("data", {})]
        assert "image/png" in kinds, name
    for name in ("cover_picture", "rope_picture", "fade_picture", "decode_test"):
        look_at(page, list(outputs).index(name), name)
    page.close()


def test_the_wrong_layout_is_named(lab, browser):
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    outputs = run_all(page, lab, {**solutions(), "rope": HALF})
    said = [output["evalue"] for output in outputs["rope_test"] if output["output_type"] == "error"]
    assert said and "half" in said[0] and "neighbours" in said[0]
    (shown,) = [output["traceback"] for output in outputs["rope_test"] if output["output_type"] == "error"]
    assert shown == [f"Not yet: {said[0]}"]
    look_at(page, list(outputs).index("rope_test"), "wrong_layout")
    page.close()
