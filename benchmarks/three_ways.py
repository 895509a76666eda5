"""Print what plain nbgrader, nbgrader with our engine and ``autograder grade`` make of the sample class.

Run as ``python -m benchmarks.three_ways`` in the checkout; takes a few minutes, most of them nbgrader's.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.comparison import ways
from tests.zoo import roster


def table(graded: dict[str, ways.Graded]) -> str:
    """Return the totals as Markdown; a dash is a submission that was dropped."""
    rows = ["| student | what | " + " | ".join(graded) + " |", "|---|---|" + "--:|" * len(graded)]
    for student in roster.students():
        totals = [way.total(student.name) for way in graded.values()]
        cells = ["–" if total is None else f"{total:g}" for total in totals]
        rows.append(f"| {student.name} | {student.about} | " + " | ".join(cells) + " |")
    seconds = [f"{way.seconds:.0f} s" for way in graded.values()]
    return "\n".join([*rows, f"| all {len(roster.students())} | time | " + " | ".join(seconds) + " |"])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        ways.prepare(root / "course")
        names = (ways.STOCK, ways.ENGINE, ways.OURS)
        print(table({way: ways.grade(way, root / "course", root / way) for way in names}))


if __name__ == "__main__":
    main()
