"""The whole suite as an ordinary user, when root runs it: what holds for the one need not for the other."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

NOBODY = 65534
NEEDED = (
    *("pytest", "_pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments", "numpy", "numpy.libs"),
    *("landlockpy", "pyseccomp.py"),
)
BULK = shutil.ignore_patterns("__pycache__", "site-packages", "test", "tests", "idlelib", "config-*", "*.a")
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become somebody else"
)


def _run(command, **options):
    return subprocess.run(
        command,
        user=NOBODY,
        group=NOBODY,
        extra_groups=(),
        capture_output=True,
        text=True,
        timeout=300,
        **options,
    )


def _obstacle(python, environment):
    """Return why an ordinary user cannot use this interpreter, or nothing."""
    try:
        return _run([python, "-c", "import pytest, numpy, landlockpy"], env=environment).stderr
    except OSError as failure:
        return str(failure)


@pytest.fixture
def place():
    """A folder that everybody may enter. pytest's own belong to root alone."""
    with tempfile.TemporaryDirectory(prefix="ordinary-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def _environment(place):
    """Return an interpreter and its environment, copied where root's home keeps others out of them."""
    home = place / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    environment = {
        "HOME": str(home),
        "TMPDIR": str(home),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    if not _obstacle(sys.executable, environment):
        return sys.executable, environment
    return _copy(place), environment | {
        "PYTHONHOME": str(place / "python"),
        "PYTHONPATH": str(place / "packages"),
        "LD_LIBRARY_PATH": str(place / "python/lib"),
    }


def _copy(place):
    library = Path(sysconfig.get_path("stdlib"))
    base = Path(sys.base_prefix)
    stdlib = base / library.relative_to(library.parents[1])
    shutil.copytree(stdlib, place / "python" / stdlib.relative_to(base), ignore=BULK)
    for shared in (base / "lib").glob("libpython*.so*"):
        shutil.copy(shared, place / "python/lib")
    python = place / "python/bin/python"
    python.parent.mkdir()
    shutil.copy(os.path.realpath(sys.executable), python)
    site = Path(sysconfig.get_path("purelib"))
    (place / "packages").mkdir()
    for name in NEEDED:
        if (site / name).is_dir():
            shutil.copytree(
                site / name, place / "packages" / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        elif (site / name).exists():
            shutil.copy(site / name, place / "packages")
    return str(python)


def test_suite_passes_as_an_ordinary_user(place):
    python, environment = _environment(place)
    if obstacle := _obstacle(python, environment):
        pytest.skip(f"an ordinary user can run no interpreter here, not even a copy: {obstacle}")
    work = place / "work"
    for room in ("autograder", "tests/sandbox"):
        shutil.copytree(ROOT / room, work / room, ignore=shutil.ignore_patterns("__pycache__"))
    (work / "pytest.ini").write_text("[pytest]\npythonpath = .\nfilterwarnings = error\n")
    options = ("-q", "-rsfE", "-p", "no:cacheprovider", "--import-mode=importlib")
    command = [python, "-m", "pytest", *options, "tests/sandbox"]
    ran = _run(command, cwd=work, env=environment)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    print(ran.stdout)
    assert " passed" in ran.stdout
