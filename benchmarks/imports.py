"""Print how long a fresh interpreter takes to import posenc, next to what numpy takes.

Run as ``python -m benchmarks.imports`` in the checkout; takes about ten seconds. Wall time of whole
processes, start and end of the interpreter included, in turns. ``import posenc`` is meant to cost less than
50 ms more than ``import numpy``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

from benchmarks.stopwatch import markdown

RUNS = 15
CODES = {
    "nothing": "pass",
    "numpy": "import numpy",
    "posenc": "import posenc",
    "posenc.rotary": "import posenc.rotary",
    "all of posenc's submodules": "import posenc; [getattr(posenc, name) for name in posenc.SUBMODULES]",
}


def seconds(code: str) -> float:
    """Return the wall time of a fresh interpreter that runs some code."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def rounds(codes: dict[str, str], runs: int) -> dict[str, list[float]]:
    """Return the times of each code, from rounds that run each once; one more goes before, unmeasured."""
    taken: dict[str, list[float]] = {name: [] for name in codes}
    for run in range(runs + 1):
        for name, code in codes.items():
            once = seconds(code)
            if run:
                taken[name].append(once)
    return taken


def main() -> None:
    taken = rounds(CODES, RUNS)
    numpy = median(taken["numpy"])
    print(
        f"Python {sys.version.split()[0]}; medians of {RUNS} fresh interpreters each, wall time, in turns\n"
    )
    rows = [
        [
            name,
            f"{1000 * median(each):.1f}",
            f"{1000 * min(each):.1f}",
            f"{1000 * (median(each) - numpy):+.1f}",
        ]
        for name, each in taken.items()
    ]
    print(markdown(["imported", "ms", "fastest", "ms more than numpy"], rows))


if __name__ == "__main__":
    main()
