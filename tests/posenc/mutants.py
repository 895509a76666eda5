"""Compare the mutants that the tests of posenc let live with those that mutants.md explains.

Run by ``make mutants`` as ``python -m tests.posenc.mutants FOLDER``, the folder that mutmut worked in. No
test: pytest never collects it.
"""

import re
import subprocess
import sys
from pathlib import Path

EXPLAINED = Path(__file__).with_name("mutants.md")
#: What mutmut calls a mutant: ``posenc.alibi.x_alibi_slopes__mutmut_3``.
NAME = re.compile(
    r"^\s*(?P<name>(?P<module>[\w.]+)\.x_(?P<function>\w+)__mutmut_\d+): (?P<fate>[\w ]+)$", re.M
)


def mutmut(folder, *words):
    """Return what a command of mutmut prints."""
    program = Path(sys.executable).with_name("mutmut")
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def living(folder):
    """Return (function, changed line) of each mutant that no test noticed."""
    found = []
    for one in NAME.finditer(mutmut(folder, "results")):
        if one["fate"] != "timeout":  # what never ends is noticed
            added = re.findall(r"^\+(?!\+\+ )(.*)$", mutmut(folder, "show", one["name"]), re.M)
            found.append((f"{one['module']}.{one['function']}", " ".join(map(str.strip, added))))
    return found


def explained():
    """Return (function, changed line) of each mutant that mutants.md gives a reason for."""
    lines = re.findall(r"^- `([\w.]+)`: `(.*?)`: \S", EXPLAINED.read_text(), re.M)
    return set(lines)


def main(folder):
    """Print how many mutants lived, and exit with 1 if one of them is not explained."""
    found = living(folder)
    total = len(NAME.findall(mutmut(folder, "results", "--all", "true")))
    new = [one for one in found if one not in explained()]
    print(f"{total} mutants, {len(found)} not noticed ({len(found) / total:.1%}), {len(new)} not explained")
    for function, line in new:
        print(f"- `{function}`: `{line}`: ")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
