"""The worker's loop: requests on one socket, progress and results back on it.

Run as ``python -P -c …`` by the supervisor, so that the working folder is not on the path of this trusted
process.
"""

from __future__ import annotations

import base64
import contextlib
import os
import signal
import socket
import sys
import traceback
from functools import lru_cache
from typing import Any

from autograder import wire
from autograder.notebook import read
from autograder.referee.referee import Rules
from autograder.referee.source import Source
from autograder.report import CellResult
from autograder.worker.grading import Bench, SourceError
from autograder.worker.processes import ZygoteError

MEMORY = 8 * 2**30


def main(descriptor: int) -> None:
    """Serve the supervisor until it hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bound_memory()
    frames = wire.Frames(socket.socket(fileno=descriptor))
    options = frames.receive()
    bench = Bench(
        sandboxed=options["sandbox"],
        figures=options["figures"],
        rules=Rules(**options["rules"]),
        preload=lambda: _preload(options["preload"]),
    )
    with contextlib.closing(bench), contextlib.suppress(wire.Closed):
        while True:
            frames.send(_serve(frames.receive(), bench, frames))


def _serve(request: dict[str, Any], bench: Bench, frames: wire.Frames) -> dict[str, Any]:
    def announce(grade_id: str, seconds: float) -> None:
        frames.send({"at": grade_id, "seconds": seconds})

    try:
        bench.open(_source(request["source"], tuple(request["files"].items())), announce)
        if "submission" not in request:
            return {"done": True}
        verdicts = {item["grade_id"]: CellResult.from_json(item) for item in request["verdicts"]}
        outcome = bench.grade(base64.b64decode(request["submission"]), announce, verdicts)
    except SourceError as error:
        return {"refused": str(error)}
    except ZygoteError as error:
        return {"broken": str(error)}
    except Exception:
        return {"internal": traceback.format_exc()}
    return {
        "done": True,
        "notebook": outcome.notebook,
        "results": [result.to_json() for result in outcome.results],
    }


@lru_cache(maxsize=1)
def _source(packed: str, files: tuple[tuple[str, str], ...]) -> Source:
    """Read the source once for a whole class."""
    return Source(read(base64.b64decode(packed)), {name: base64.b64decode(data) for name, data in files})


def _preload(names: list[str]) -> None:
    """Load what tests import, so that the first submission does not pay for it."""
    import importlib

    for name in names:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def _bound_memory() -> None:
    """Keep what a student returns from taking the machine down through a test that multiplies it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def start() -> None:
    """Run the loop on the descriptor named in the arguments."""
    os.environ.setdefault("MPLBACKEND", "agg")
    main(int(sys.argv[-1]))
