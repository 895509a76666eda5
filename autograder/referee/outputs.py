"""What the executed notebook shows: the student's outputs, made harmless, and our reasons under the tests."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.notebook import without_hidden
from autograder.referee.plan import Plan, Step
from autograder.referee.prose import harmless
from autograder.referee.proxies import tidy
from autograder.report import CellResult, Verdict

_TEXT_LIMIT = 100_000
_OUTPUTS = 100
_MARK = "# Hidden tests are not shown."
Output = dict[str, Any]


def error(verdict: Verdict, message: str) -> Output:
    """Return the output that nbgrader reads as no points."""
    return {
        "output_type": "error",
        "ename": verdict.value,
        "evalue": message,
        "traceback": [f"{verdict.value}: {message}"],
    }


def printed(text: str) -> Output:
    """Return text on standard output."""
    return {"output_type": "stream", "name": "stdout", "text": text}


def verdict(result: CellResult) -> list[Output]:
    """Return what stands under a test: nbgrader reads the same score from it."""
    if result.verdict is Verdict.PASSED:
        return [printed(f"PASSED: {result.max_score:g} of {result.max_score:g} points\n")]
    if not result.score:
        return [error(result.verdict, result.message)]
    value = {"text/plain": repr(float(result.score))}
    shown = {"output_type": "execute_result", "metadata": {}, "data": value, "execution_count": None}
    return [printed(result.message + "\n"), shown]


def clean(reply: Mapping[str, Any], room: int) -> list[Output]:
    """Return a cell's outputs as its process told them: text and pixels, up to `room` characters."""
    found: list[Output] = []
    listed = reply.get("outputs")
    for item in listed[:_OUTPUTS] if isinstance(listed, list) else []:
        tidy_item = _clean(item) if isinstance(item, dict) else None
        room -= size(tidy_item)
        if tidy_item is not None and room >= 0:
            found.append(tidy_item)
    problem = reply.get("error")
    if isinstance(problem, dict):
        trace = problem.get("traceback")
        lines = [tidy(str(line), 2_000) for line in (trace if isinstance(trace, list) else [])[:60]]
        name, message = tidy(str(problem.get("name")), 80), tidy(str(problem.get("message")), 2_000)
        found.append({"output_type": "error", "ename": name, "evalue": message, "traceback": lines})
    return found


def size(output: Output | None) -> int:
    """Return about how many characters an output takes."""
    if output is None:
        return 0
    return 100 + len(output.get("text", "")) + sum(len(value) for value in output.get("data", {}).values())


def _clean(item: Mapping[str, Any]) -> Output | None:
    kind = item.get("output_type")
    if kind == "stream":
        name = "stderr" if item.get("name") == "stderr" else "stdout"
        return {"output_type": "stream", "name": name, "text": tidy(str(item.get("text")), _TEXT_LIMIT)}
    data = item.get("data")
    if kind not in ("display_data", "execute_result") or not isinstance(data, dict):
        return None
    kept: dict[str, str] = {}
    if isinstance(data.get("text/plain"), str):
        kept["text/plain"] = tidy(data["text/plain"], _TEXT_LIMIT)
    for mime in ("image/png", "image/jpeg"):
        if isinstance(data.get(mime), str) and _is_base64(data[mime]):
            kept[mime] = data[mime]
    output: Output = {"output_type": kind, "metadata": {}, "data": kept}
    return {**output, "execution_count": None} if kind == "execute_result" else output


def _is_base64(text: str) -> bool:
    try:
        return bool(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return False


def _source(step: Step) -> str:
    """Return the text of a cell as it may be shown: no hidden test, nothing that a browser runs."""
    theirs = step.ours is None or (step.cell.source != step.ours.source and not step.untouched)
    if step.cell.kind != "code" and theirs:
        return harmless(step.cell.source)
    return without_hidden(step.cell.source, _MARK)


def assemble(plan: Plan, shown: Mapping[int, list[Output]], results: Sequence[CellResult]) -> dict[str, Any]:
    """Return the executed notebook; no line of a hidden test is in it."""
    by_id = {result.grade_id: result for result in results}
    cells = []
    count = 0
    for step, raw in zip(plan.steps, plan.notebook["cells"], strict=True):
        cell = {**raw, "source": _source(step)}
        if step.cell.kind == "code":
            found = list(shown.get(step.number, []))
            if step.cell.is_test and step.cell.grade_id in by_id:
                found += verdict(by_id[step.cell.grade_id])
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = [
                {**output, "execution_count": count} if output["output_type"] == "execute_result" else output
                for output in found
            ]
        cells.append(cell)
    return {**plan.notebook, "cells": cells}
