"""Compare posenc with torch and transformers, and keep a few of their numbers.

``make conformance`` runs this in an environment of its own. It prints Markdown tables, writes
tests/posenc/goldens, and ends with status 1 where a case does not agree or a known difference is gone.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from types import ModuleType

import numpy as np
import torch
from transformers.utils import logging

from tests.conformance import biases, differences, goldens, lesson_07, positions, rotary, scaling
from tests.conformance.agreement import TOLERANCES, Agreement, Group, compare
from tests.conformance.precision import precision

SUBJECTS: tuple[ModuleType, ...] = (positions, biases, rotary, scaling)
PACKAGES = ("torch", "transformers", "rotary-embedding-torch")
HEAD = """| posenc | what | reference | float64 agreed / tried | worst | float32 agreed / tried | worst |
|---|---|---|--:|--:|--:|--:|"""


def ask(group: Group, number: int) -> tuple[dict[str, Agreement], dict[str, object]]:
    """Compare a group in both precisions; return how it went, and the goldens, which are double."""
    went, kept = {}, {}
    for dtype in TOLERANCES:
        with precision(dtype):
            went[dtype], cases = compare(group, group.cases(np.random.default_rng(number), dtype), dtype)
        if dtype == "float64":
            kept = goldens.record(group, cases)
    return went, kept


def row(group: Group, went: dict[str, Agreement]) -> str:
    """Return a row of the table."""
    counts = [f"{one.agreed} / {one.tried} | {one.worst:.1e}" for one in went.values()]
    return f"| `{group.function}` | {group.about} | {group.reference} | {' | '.join(counts)} |"


def compared(versions: dict[str, str]) -> bool:
    """Print the table and write the goldens; return whether all agreed."""
    print(HEAD)
    number, wrong, agreed, tried = 0, [], 0, 0
    for subject in SUBJECTS:
        kept = []
        for group in subject.GROUPS:
            went, golden = ask(group, number)
            kept.append(golden)
            print(row(group, went), flush=True)
            number += 1
            for dtype, one in went.items():
                agreed, tried = agreed + one.agreed, tried + one.tried
                wrong += [f"{group.function} ({group.about}, {dtype}) {each}" for each in one.disagreements]
        goldens.write(subject.__name__.rsplit(".", 1)[1], kept, versions)
    print(f"\n{agreed} of {tried} agreed", *wrong, sep="\n")
    return agreed == tried > 0


def differ() -> bool:
    """Print where theirs is known to differ; return whether it still does."""
    print(f"\n{differences.HEAD}", *(each.row() for each in differences.DIFFERENCES), sep="\n")
    gone = [each.what for each in differences.DIFFERENCES if not each.is_there()]
    print(*(f"no longer differs: {what}" for what in gone), sep="\n")
    return not gone


def main() -> int:
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    logging.set_verbosity_error()
    versions = {name: version(name).split("+")[0] for name in PACKAGES}
    print(*(f"{name} {number}" for name, number in versions.items()), f"numpy {np.__version__}", sep=", ")
    print()
    return int(not all([compared(versions), lesson_07.agrees(), differ()]))


if __name__ == "__main__":
    sys.exit(main())
