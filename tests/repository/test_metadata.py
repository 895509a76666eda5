"""pyproject.toml, environment.yml, constraints.txt and the Makefile say the same things."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]


def requirements(*lists):
    return {one.name: one for names in lists for one in map(Requirement, names)}


KNOWN = requirements(PROJECT["project"]["dependencies"], *EXTRAS.values())


def pinned():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines)


def test_the_extras_are_those_that_the_readers_are_told_of():
    assert set(EXTRAS) == {"lab", "teach", "dask", "book", "conformance", "dev"}


def test_a_student_needs_only_numpy_and_matplotlib():
    assert set(requirements(PROJECT["project"]["dependencies"])) == {"numpy", "matplotlib"}


def test_every_dependency_has_a_lower_bound():
    assert [name for name, one in KNOWN.items() if [part.operator for part in one.specifier] != [">="]] == []


def test_what_only_linux_has_is_asked_for_on_linux_only():
    for name in ("landlockpy", "pyseccomp"):
        assert not KNOWN[name].marker.evaluate({"sys_platform": "win32"})
        assert KNOWN[name].marker.evaluate({"sys_platform": "linux"})


def test_conda_names_what_the_user_asked_for():
    names = set(requirements(line for line in CONDA if isinstance(line, str)))

    assert {"jupyterlab", "numpy", "matplotlib", "nbgrader", "pytest"} <= names
    assert {"pip": ["-e .[lab,teach]"]} in CONDA


def test_conda_has_the_bounds_of_pyproject():
    conda = requirements(line for line in CONDA if isinstance(line, str) and line != "pip")
    python = conda.pop("python")

    assert str(python.specifier) == PROJECT["project"]["requires-python"]
    for name, one in conda.items():
        assert str(one.specifier) == str(KNOWN[name].specifier), name


def test_a_constraint_is_a_plain_pin():
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line), line


@pytest.mark.parametrize("extra", [None, "lab", "teach", "dev"])
def test_everything_that_ci_installs_is_pinned_within_its_bounds(extra):
    pins = {name.lower().replace("_", "-"): version for name, version in pinned().items()}
    asked = PROJECT["project"]["dependencies"] if extra is None else EXTRAS[extra]

    for name, one in requirements(asked).items():
        assert one.specifier.contains(pins[name.lower()]), name


def test_every_verb_that_the_makefile_tells_of_is_there():
    makefile = (ROOT / "Makefile").read_text()
    told = re.findall(r"^#   make (\w+)", makefile, re.MULTILINE)
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()

    assert {"demo", "test", "lab", "build", "release", "check", "bench"} <= set(told)
    assert [verb for verb in told if not re.search(rf"^{verb}:", makefile, re.MULTILINE)] == []
    assert set(told) <= set(phony)


def test_ci_runs_the_pythons_that_are_promised():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text())

    assert workflow["jobs"]["checks"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    assert PROJECT["project"]["requires-python"] == ">=3.11"
