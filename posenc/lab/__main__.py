"""`python -m posenc.lab [NAME ...]` trains the character models whose weights come with the library.

A model a process, two at a time; each writes its weights and its part of the log when it is done, so that a
run that is stopped keeps the models that were finished.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import numpy as np

from posenc.lab.measures import loss_by_position
from posenc.lab.text import Text
from posenc.lab.training import train
from posenc.lab.weights import CONFIGURATION, ENCODINGS, FOLDER, pretrained, save, untrained

LOG = FOLDER / "log.json"
EVERY = 500


def main(names: list[str]) -> None:
    """Train the models of these names, or all."""
    unknown = sorted(set(names) - set(ENCODINGS))
    if unknown:
        sys.exit(f"names must be among {', '.join(ENCODINGS)}, got {', '.join(unknown)}")
    with ProcessPoolExecutor(max_workers=2) as pool:
        jobs = {pool.submit(make, name): name for name in names or ENCODINGS}
        for job in as_completed(jobs):
            note(jobs[job], job.result())
            print(f"{jobs[job]}: {job.result()}", flush=True)


def make(name: str) -> dict[str, Any]:
    """Train one model, keep its weights, and return what the log says of it."""
    model, begin = untrained(name), time.perf_counter()
    run = train(model, Text(), progress=False, **CONFIGURATION["training"])
    if run.interrupted:
        raise KeyboardInterrupt
    save(name, model)
    n = CONFIGURATION["training"]["n"]
    lengths = [n, 2 * n, 4 * n, 8 * n, 16 * n]
    kept = pretrained(name)
    return {
        "seconds": round(time.perf_counter() - begin),
        "training loss": [
            round(float(np.mean(run.losses[i : i + EVERY])), 3) for i in range(0, len(run.losses), EVERY)
        ],
        "held-out loss": {
            length: round(float(loss_by_position(kept, Text(held_out=True), length).mean()), 3)
            for length in lengths
        },
    }


def note(name: str, what: dict[str, Any]) -> None:
    """Write down what came of a model, beside the weights."""
    log = json.loads(LOG.read_text()) if LOG.exists() else {}
    log |= {"configuration": CONFIGURATION, "python": sys.version.split()[0], "numpy": np.__version__}
    log.setdefault("models", {})[name] = what
    LOG.write_text(json.dumps(log, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
