"""A few small cases of each group as JSON, so that `make test` can compare without torch.

Answers are kept to twelve digits: the rest differs between processors.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tests.conformance.agreement import Case, Group

FOLDER = Path(__file__).parents[1] / "posenc" / "goldens"
KEPT, LONGEST = 8, 2000


def plain(value: Any, digits: int) -> Any:
    """Return arrays as nested lists, floats to some digits."""
    if isinstance(value, Mapping):
        return {name: plain(one, digits) for name, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), digits)
    if isinstance(value, list | tuple):
        return [plain(one, digits) for one in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def record(group: Group, cases: list[Case]) -> dict[str, Any]:
    """Return the first few short cases of a group."""
    short = ({"arguments": plain(case.arguments, 15), "want": plain(case.want, 12)} for case in cases)
    kept = [case for case in short if len(json.dumps(case)) <= LONGEST][:KEPT]
    about = {"function": group.function, "about": group.about, "reference": group.reference}
    return {**about, "by_vector": group.by_vector, "cases": kept}


def write(name: str, groups: list[dict[str, Any]], versions: Mapping[str, str]) -> None:
    """Write the goldens of a subject, a case a line."""
    FOLDER.mkdir(exist_ok=True)
    head = json.dumps({"made by": "make conformance", **versions})[1:-1]
    body = ",\n".join(_lines(group) for group in groups)
    (FOLDER / f"{name}.json").write_text(f'{{{head}, "groups": [\n{body}\n]}}\n')


def _lines(group: Mapping[str, Any]) -> str:
    head = json.dumps({name: value for name, value in group.items() if name != "cases"})[1:-1]
    cases = ",\n".join("    " + json.dumps(case) for case in group["cases"])
    return f'  {{{head}, "cases": [\n{cases}\n  ]}}'


def read() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each file and each group in it."""
    for path in sorted(FOLDER.glob("*.json")):
        for group in json.loads(path.read_text())["groups"]:
            yield path.stem, group
