"""A caged process can do honest work and nothing else; a cage that cannot be closed is refused."""

import ctypes
import errno
import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from autograder import sandbox
from autograder.sandbox import Cage, Limits, SandboxError, calls, privileges, ruleset
from autograder.sandbox import filter as seccomp
from autograder.sandbox.cage import LAYERS


def test_layers_name_what_is_enforced(policy):
    layers = Cage(policy).layers
    assert [layer for layer in layers if layer in LAYERS] == list(LAYERS)
    assert ("landlock-tcp" in layers) == (ruleset.abi() >= 4)
    assert ("landlock-signals" in layers) == (ruleset.abi() >= 6)


def test_unknown_layer_is_refused(policy):
    with pytest.raises(ValueError, match="must be of"):
        Cage(policy, without={"lock"})


def test_numpy_works(policy, caged):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((5, 5))
    assert caged(policy, lambda: np.allclose(np.linalg.inv(x) @ x, np.eye(5))) == "True"


def test_modules_can_still_be_imported(scratch, caged):
    policy = sandbox.policy(["numpy"], (), scratch)
    rare = ("colorsys", "wave", "xmlrpc.client", "sched", "netrc")
    names = [name for name in rare if name not in sys.modules][:2]

    def imports():
        for name in (*names, "sqlite3", "decimal", "numpy.polynomial"):
            __import__(name)
        return "imported"

    assert caged(policy, imports) == "imported"


def test_callbacks_from_c_work(policy, caged):
    def back():
        return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x + 1)(3)

    assert caged(policy, back) == "4"


def test_touch_makes_a_file(policy, scratch, caged):
    caged(policy, (scratch / "made").touch)
    assert (scratch / "made").exists()


def test_clone_of_a_file_is_unsupported_rather_than_refused(policy, scratch, caged):
    (scratch / "a").touch()

    def clone():
        with open(scratch / "a", "rb") as source, open(scratch / "b", "wb") as copy:
            fcntl.ioctl(copy, calls.FICLONE, source.fileno())

    assert caged(policy, clone).startswith(f"OSError: [Errno {errno.EOPNOTSUPP}]")


def test_shell_command_fails_alone(policy, caged):
    assert caged(policy, lambda: subprocess.run(["true"])).startswith("PermissionError")


def test_writing_stays_in_the_scratch_folder(policy, scratch, caged):
    assert caged(policy, lambda: (scratch / "a").write_text("x")) == "1"
    assert caged(policy, lambda: (scratch.parent / "a").write_text("x")).startswith("PermissionError")


def test_descriptors_are_closed_but_for_those_to_keep(policy, caged):
    reading, writing = os.pipe()
    try:
        assert caged(policy, lambda: os.write(writing, b"x")).startswith("OSError: [Errno 9]")
    finally:
        os.close(reading)
        os.close(writing)


def test_second_thread_is_refused(policy, caged):
    cage, gate = Cage(policy), threading.Event()
    thread = threading.Thread(target=gate.wait)
    thread.start()
    try:
        with pytest.raises(SandboxError, match=r"must have one thread .* got [2-9]"):
            cage.enter()
    finally:
        gate.set()
        thread.join()


def test_no_privilege_is_left(policy, caged):
    def left():
        lines = Path("/proc/self/status").read_text().splitlines()
        sets = dict(line.split(":\t") for line in lines if line.startswith(("Cap", "NoNewPrivs")))
        bounding = sets.pop("CapBnd")
        return {int(value, 16) for value in sets.values()}, os.getuid() != 0 or int(bounding, 16)

    bare = {"landlock", "seccomp"}
    expected = "({0, 1}, %s)" % (0 if os.getuid() == 0 else True)
    assert caged(policy, left, without=bare) == expected
    if os.getuid() == 0:
        assert caged(policy, left, without=bare | {"capabilities"}) != expected


@pytest.mark.parametrize("name", ["prctl", "capset", "capget"])
def test_refused_step_raises(policy, caged, name):
    class Refusing:
        def __init__(self, library):
            self._library = library

        def __getattr__(self, attribute):
            return (lambda *_: -1) if attribute == name else getattr(self._library, attribute)

    cage = Cage(policy)
    cage._libc = Refusing(cage._libc)
    ending = caged(policy, cage.enter, without=set(LAYERS))
    assert ending.startswith("SandboxError"), ending


def test_refused_limit_raises(monkeypatch, policy, caged):
    def refuse(*_):
        raise ValueError("not allowed")

    monkeypatch.setattr(privileges.resource, "setrlimit", refuse)
    assert caged(policy, str).startswith("SandboxError: the resource limits must be set")


def test_refused_filter_raises(policy, caged):
    cage = Cage(policy)
    cage._program = cage._program[:8]  # a program must end in a verdict
    assert "seccomp filter" in caged(policy, cage.enter, without={"descriptors", "landlock", "seccomp"})


def test_without_landlock_there_is_no_cage(monkeypatch, policy):
    monkeypatch.setattr(ruleset, "abi", lambda: 0)
    with pytest.raises(SandboxError, match="Landlock must be enabled"):
        Cage(policy)


def test_without_libseccomp_there_is_no_cage(monkeypatch, policy):
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    with pytest.raises(SandboxError, match="libseccomp"):
        Cage(policy)


def test_every_call_is_spelt_as_libseccomp_spells_it():
    library = seccomp.library()
    others = (*calls.CONDITIONAL, *calls.CONDITIONALLY_ANSWERED, *calls.ANSWERED)
    names = {*calls.ALLOWED, *(name for name, *_ in others)}
    unknown = {name for name in names if library.resolve_syscall(library.Arch.NATIVE, name) == -1}
    assert unknown <= set(calls.NUMBERS)


@pytest.mark.parametrize("name", sorted(calls.NUMBERS))
def test_numbers_are_those_of_libseccomp(name):
    library = seccomp.library()
    found = library.resolve_syscall(library.Arch.NATIVE, name)
    assert found in {-1, calls.NUMBERS[name]}


def test_calls_are_found_by_number_or_name():
    library = seccomp.library()
    known = {seccomp.number(library, name) for name in ("read", "clone3", "openat2", "fchmodat2")}
    assert min(known) >= 0
    assert seccomp.number(library, "no_such_call") < 0


def test_memory_limit_is_on_top_of_what_is_there(scratch, caged):
    """More than 64 MiB at a time: so much can an arena of malloc's hold in reserve."""
    policy = sandbox.policy((), (), scratch, Limits(memory=96 << 20))
    assert caged(policy, lambda: len(bytearray(80 << 20))) == str(80 << 20)
    assert caged(policy, lambda: len(bytearray(160 << 20))).startswith("MemoryError")
