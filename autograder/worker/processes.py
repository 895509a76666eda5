"""Student processes, from the trusted side: a zygote that forks them, a socket to each, how each ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograder import sandbox, wire
from autograder.referee.channels import Overfull, ProcessChannel
from autograder.report import Verdict

_PATIENCE = 60.0
_ALWAYS = frozenset({"numpy", "matplotlib.pyplot", "matplotlib.backends.backend_agg"})
_KEPT = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "LANG", "TZ")
_HEAP = {
    "MALLOC_MMAP_THRESHOLD_": str(64 * 2**20),
    "MALLOC_TRIM_THRESHOLD_": str(256 * 2**20),
    "MALLOC_TOP_PAD_": str(8 * 2**20),
}
"""Keep memory that was freed: else each larger array costs a fresh mapping, and a page fault every 4 kB."""
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_START = (
    "import sys; sys.path.append(sys.argv[1]);"
    "from autograder.student.zygote import main; main(int(sys.argv[2]))"
)


class ZygoteError(RuntimeError):
    """The process that student processes are forked from could not start, or is gone."""


@dataclass(frozen=True)
class Setup:
    """What a zygote is to load and what its students may use."""

    modules: frozenset[str]
    withheld: frozenset[str]
    sandboxed: bool = True
    figures: bool = False
    limits: sandbox.Limits = field(default_factory=sandbox.Limits)


class Zygote:
    """A zygote, started at once and waited for when a student is asked for; use as a context manager."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._scratch = tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True)
        self._home = Path(self._scratch.name)
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = self._start(theirs)
        self._control.settimeout(_PATIENCE)
        self._layers: tuple[str, ...] | None = None

    @property
    def layers(self) -> tuple[str, ...]:
        """The protections in force; waits until the zygote is ready."""
        if self._layers is None:
            self._layers = tuple(self._answer()[0]["layers"])
        return self._layers

    def _start(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        packages = {name.split(".")[0] for name in self._setup.modules | _ALWAYS} | {"IPython"}
        setup = {
            "scratch": self._scratch.name,
            "preload": sorted(
                self._setup.modules | {"numpy", "matplotlib.pyplot", "matplotlib.backends.backend_agg"}
            ),
            "packages": sorted(packages),
            "withheld": sorted(self._setup.withheld),
            "sandbox": self._setup.sandboxed,
            "figures": self._setup.figures,
            "limits": asdict(self._setup.limits),
        }
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment |= dict.fromkeys(_ONE_THREAD, "1")
        environment |= {"PATH": os.defpath, "HOME": self._scratch.name, "IPYTHONDIR": self._scratch.name}
        environment |= {"MPLCONFIGDIR": _font_cache(), "MPLBACKEND": "agg", "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= _HEAP
        environment["AUTOGRADER_ZYGOTE"] = json.dumps(setup)
        root = str(Path(__file__).resolve().parents[2])
        return subprocess.Popen(
            [sys.executable, "-I", "-c", _START, root, str(theirs.fileno())],
            env=environment,
            cwd=self._scratch.name,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
        )

    def _answer(self) -> tuple[dict[str, Any], list[int]]:
        """Return the next line of the zygote's, and the descriptors that came with it."""
        line = b""
        descriptors: list[int] = []
        while not line.endswith(b"\n"):
            try:
                part, came, _, _ = socket.recv_fds(self._control, 2**16, 1)
            except TimeoutError:
                raise ZygoteError(f"the zygote must answer within {_PATIENCE:g} s, and did not") from None
            except OSError as error:
                raise ZygoteError(f"the zygote must answer, got {error}") from None
            if not part:
                raise ZygoteError("the zygote must answer, and ended without a word")
            line, descriptors = line + part, descriptors + came
        answer: dict[str, Any] = json.loads(line)
        if "failed" in answer:
            raise ZygoteError(f"the zygote could not start: {answer['failed']}")
        return answer, descriptors

    def _order(self, what: bytes) -> None:
        try:
            self._control.sendall(what)
        except OSError as error:
            raise ZygoteError(f"the zygote must be there, got {error}") from None

    def student(self) -> ProcessChannel:
        """Return the way to a fresh student process; the one before it is ended."""
        _ = self.layers
        self._order(b"f")
        answer, (descriptor,) = self._answer()
        self._home = Path(answer["home"])
        return ProcessChannel(_Student(self, socket.socket(fileno=descriptor)))

    def end_student(self) -> None:
        """Kill the student."""
        self._order(b"e")

    def how_it_ended(self) -> int | None:
        """Kill and reap the student; return its exit status, negative for a signal."""
        self._order(b"w")
        status: int | None = self._answer()[0]["status"]
        return status

    def watch(self) -> None:
        """Raise Overfull when the student's scratch folder holds more than it may."""
        limits = self._setup.limits
        size, entries = sandbox.usage(self._home, limits.scratch_files + 1)
        if size > limits.scratch_size or entries > limits.scratch_files:
            raise Overfull("it wrote more files than there is room for")

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        self._control.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._scratch.cleanup()

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Student:
    """One student process and the socket to it."""

    def __init__(self, zygote: Zygote, ours: socket.socket) -> None:
        self._zygote = zygote
        self._open = True
        self.frames = wire.Frames(ours, zygote.watch)

    def end(self) -> None:
        if self._open:
            self._open = False
            self._zygote.end_student()
            self.frames.close()

    def ending(self) -> tuple[Verdict, str]:
        self._open = False
        self.frames.close()
        return _ending(self._zygote.how_it_ended())


def _ending(status: int | None) -> tuple[Verdict, str]:
    """Say how a student process came to its end."""
    if status is not None and -status in (signal.SIGXCPU,):
        return Verdict.TIMEOUT, "it used up its processor time"
    if status is not None and status < 0 and -status != signal.SIGKILL:
        return Verdict.CRASHED, f"it crashed the process ({signal.Signals(-status).name})"
    return Verdict.CRASHED, "it ended the process that it ran in"


def _font_cache() -> str:
    """Return matplotlib's own cache folder, so that fonts are not searched anew for every zygote."""
    try:
        import matplotlib
    except ImportError:
        return tempfile.gettempdir()
    return matplotlib.get_cachedir()


def importers(withheld: frozenset[str]) -> frozenset[str]:
    """Return `withheld` with the modules that cannot be loaded without them."""
    from importlib.util import find_spec

    lost = set(withheld)
    for package in {name.split(".")[0] for name in withheld}:
        spec = find_spec(package)
        for root in (spec.submodule_search_locations or []) if spec is not None else []:
            lost |= sandbox.importers(Path(root), set(withheld))
    return frozenset(lost)
