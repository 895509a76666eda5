"""What the machine can enforce is found by trying, and namespaces break nothing."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from autograder import sandbox
from autograder.sandbox import Support, ruleset, support, trial


def test_this_machine_is_sufficient():
    found = sandbox.supported()
    assert found.sufficient, found.missing
    assert found.missing == ()
    assert found.landlock == ruleset.abi()


@pytest.mark.parametrize("what", ["files", "network", "processes"])
def test_each_of_the_three_is_needed(what):
    full = Support(files=True, network=True, processes=True)
    assert full.sufficient
    assert not replace(full, **{what: False}).sufficient


def test_without_landlock_files_are_open(monkeypatch):
    monkeypatch.setattr(ruleset, "abi", lambda: 0)
    found = sandbox.supported()
    assert not found.files
    assert found.network
    assert not found.sufficient
    assert any("Landlock" in reason for reason in found.missing)


def test_without_libseccomp_all_is_open(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    found = sandbox.supported()
    assert not found.files
    assert not found.network
    assert not found.processes
    assert any("libseccomp" in reason for reason in found.missing)


def test_other_systems_have_nothing(monkeypatch):
    monkeypatch.setattr(support.sys, "platform", "win32")
    assert not sandbox.supported().sufficient


def test_namespaces_break_no_files_and_no_cage(scratch, policy):
    def enter(_):
        entered = sandbox.unshare()
        (scratch / "made").write_text("x")
        os.unlink(scratch / "made")
        cage = sandbox.Cage(policy)
        cage.enter()
        (scratch / "again").write_text("x")
        return f"{'network' in entered} {bool(entered)}"

    assert trial.start(enter).finish(20).report in {"True True", "False False"}


def test_namespaces_are_really_others():
    before = {name: os.readlink(f"/proc/self/ns/{kind}") for name, kind in KINDS.items()}

    def enter(_):
        names = sandbox.unshare()
        after = {name: os.readlink(f"/proc/self/ns/{kind}") for name, kind in KINDS.items()}
        return str({name for name in KINDS if before[name] != after[name]} == set(names))

    assert trial.start(enter).finish(20).report == "True"


KINDS = {"user": "user", "network": "net", "ipc": "ipc"}


def test_import_works_without_what_only_linux_has():
    code = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('resource', 'pwd', 'fcntl', 'landlockpy', 'pyseccomp')))\n"
        "from autograder import sandbox; sys.platform = 'win32'; print(sandbox.supported().sufficient)"
    )
    root = Path(sandbox.__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=60)
    assert ran.stdout.strip() == "False", ran.stderr


def test_overdue_child_is_ended():
    import time

    ending = trial.start(lambda _: str(time.sleep(30))).finish(0.1)
    assert ending.overdue
    assert ending.signal == 9
