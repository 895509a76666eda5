"""What a cell showed: streams, displays, results and figures, bounded while they are made."""

from __future__ import annotations

import base64
import io
import sys
from typing import Any

STREAM_LIMIT = 100_000
OUTPUTS_LIMIT = 100
IMAGE_LIMIT = 2 * 2**20
_KEPT = ("text/plain", "image/png", "image/jpeg")


class Capture:
    """Collects the outputs of one cell in nbformat's form.

    Only plain text and pixels are kept: HTML and scripts of a student would run in the instructor's browser.
    """

    def __init__(self) -> None:
        self.outputs: list[dict[str, Any]] = []
        self._streamed = 0

    def stream(self, name: str, text: str) -> None:
        room = STREAM_LIMIT - self._streamed
        if room <= 0 or not text:
            return
        self._streamed += len(text)
        if len(text) > room:
            text = text[:room] + "\n… (the rest of the output is cut)\n"
        last = self.outputs[-1] if self.outputs else None
        if last is not None and last["output_type"] == "stream" and last["name"] == name:
            last["text"] += text
        else:
            self._add({"output_type": "stream", "name": name, "text": text})

    def display(self, data: dict[str, Any]) -> None:
        self._add({"output_type": "display_data", "metadata": {}, "data": _kept(data)})

    def result(self, data: dict[str, Any], count: int) -> None:
        self._add(
            {"output_type": "execute_result", "metadata": {}, "data": _kept(data), "execution_count": count}
        )

    def _add(self, output: dict[str, Any]) -> None:
        if len(self.outputs) < OUTPUTS_LIMIT and (output["output_type"] == "stream" or output["data"]):
            self.outputs.append(output)


def _kept(data: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for mime in _KEPT:
        value = data.get(mime)
        if isinstance(value, bytes):
            value = base64.b64encode(value).decode("ascii")
        if isinstance(value, str):
            if mime == "text/plain":
                kept[mime] = value[:STREAM_LIMIT]
            elif len(value) <= IMAGE_LIMIT:
                kept[mime] = value
    return kept


class Stream(io.TextIOBase):
    """Stands for standard output or standard error while student code runs."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.capture: Capture | None = None

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self.capture is not None:
            self.capture.stream(self._name, text)
        return len(text)


def redirect() -> tuple[Stream, Stream]:
    """Put capturing streams in the place of this process's standard ones."""
    out, err = Stream("stdout"), Stream("stderr")
    sys.stdout, sys.stderr = out, err
    return out, err


def figures(capture: Capture, render: bool) -> None:
    """Add the open figures to `capture` and close them, as the inline backend does at the end of a cell."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        data: dict[str, Any] = {"text/plain": repr(figure)}
        if render:
            file = io.BytesIO()
            figure.savefig(file, format="png", bbox_inches="tight")
            data["image/png"] = file.getvalue()
        capture.display(data)
    pyplot.close("all")
