"""Measure what a submission costs: plain nbgrader, with our engine, ``autograder grade``, one warm process.

A class of 40 is made of the sample class's honest answers with small variations. Run in the
checkout as ``python -m benchmarks.grading [STUDENTS [FOR_NBGRADER]]``; with nbgrader fewer are graded, since
each takes seconds. Prints Markdown.
"""

from __future__ import annotations

import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import breakdown
from tests.comparison import ways
from tests.zoo import roster

HONEST = ("ada", "bao", "chidi", "dilnoza", "farid", "giulia", "hana", "jun", "keola", "lucia")


def a_class(students: int) -> dict[str, bytes]:
    """Return that many submissions, no two alike."""
    given = roster.release(roster.source())
    made = {}
    for number, name in zip(range(students), itertools.cycle(HONEST), strict=False):
        answers = roster.answers(roster.read(name))
        varied = {key: f"{text}\n# version {number} of mine" for key, text in answers.items()}
        made[f"{name}{number:02}"] = json.dumps(roster.fill(given, varied)).encode()
    return made


def each(course: Path) -> list[float]:
    """Return the seconds from one graded notebook to the next."""
    times = sorted(path.stat().st_mtime_ns for path in course.glob("autograded/*/*/*.ipynb"))
    return [(later - sooner) / 1e9 for sooner, later in itertools.pairwise(times)]


def warm(handed_in: dict[str, bytes]) -> list[float]:
    """Return the seconds that the same cells and tests take in this process, which has everything loaded."""
    tests = {roster.grade_id(cell): "".join(cell["source"]) for cell in json.loads(roster.source())["cells"]}
    seconds = []
    for data in [*itertools.islice(handed_in.values(), 2), *handed_in.values()]:
        start = time.perf_counter()
        namespace: dict[str, object] = {"__name__": "__main__"}
        for text in _texts(json.loads(data), tests):
            breakdown.run_quietly(text, namespace)
        seconds.append(time.perf_counter() - start)
    return seconds[2:]


def _texts(notebook: roster.Notebook, tests: dict[str, str]) -> Iterator[str]:
    for cell in notebook["cells"]:
        name = roster.grade_id(cell)
        is_picture = cell["metadata"].get("autograder", {}).get("picture")
        if cell["cell_type"] == "code" and not is_picture:
            yield tests[name] if name.endswith(("_test", "_hidden")) else cell["source"]


def table(rows: dict[str, tuple[int, float, list[float]]]) -> str:
    """Return rows of what, how many, whole time and time of each as Markdown."""
    least = rows[ways.OURS][1] / rows[ways.OURS][0]
    lines = [
        "| way | submissions | in all | a submission | median | against `autograder grade` |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, (count, whole, single) in rows.items():
        mean, median = whole / count, statistics.median(single)
        lines.append(
            f"| {name} | {count} | {whole:.1f} s | {mean:.3f} s | {median:.3f} s | {mean / least:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    students, few = (int(word) for word in (*sys.argv[1:], "40", "12")[:2])
    handed_in = a_class(students)
    rows: dict[str, tuple[int, float, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, ones in (("all", handed_in), ("few", dict(list(handed_in.items())[:few]))):
            ways.prepare(root / name, ones)
        for way, name in ((ways.STOCK, "few"), (ways.ENGINE, "few"), (ways.OURS, "all")):
            graded = ways.grade(way, root / name, root / way.replace(" ", "-"))
            rows[way] = (len(graded.scores), graded.seconds, each(graded.course))
        alone = warm(handed_in)
        rows["one warm process"] = (students, sum(alone), alone)
        print(table(rows), "", breakdown.table(root / "all", root / "breakdown"), sep="\n")


if __name__ == "__main__":
    main()
