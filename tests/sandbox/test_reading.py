"""The policy opens the interpreter and the packages, and no file of a withheld module, wherever it lies."""

import importlib
import os
import py_compile
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from autograder import sandbox
from autograder.sandbox import Limits, SandboxError, reading

FILES = {
    "__init__.py": "",
    "open.py": "VALUE = 1",
    "data.txt": "data",
    "rotary.py": "SECRET = 1",
    "rotary.pyi": "SECRET: int",
    "rotary.py.orig": "SECRET = 1",
    "rotary.py~": "SECRET = 1",
    ".rotary.py.swp": "SECRET = 1",
    "sub/__init__.py": "",
    "sub/inner.py": "",
    "sub/rotary.py": "SUB = 1",
}


def _fill(root):
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for module in ("rotary", "open"):
        py_compile.compile(str(root / f"{module}.py"), doraise=True)
    (root / "alias.py").symlink_to("rotary.py")
    return root


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A package in a checkout that is on the path, with a secret beside it."""
    folder = tmp_path / "checkout"
    _fill(folder / "pkg_of_checkout")
    (folder / "solutions.py").write_text("SECRET")
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    return folder / "pkg_of_checkout"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package in a site-packages folder of its own, below a library folder that would be granted whole."""
    library = tmp_path / "lib"
    site = library / "python3" / "site-packages"
    root = _fill(site / "pkg_of_site")
    (site / "other").mkdir()
    (site / "other" / "kept.txt").write_text("kept")
    (site / "old.egg").write_text("may hold anything")
    (library / "libx.so").write_text("")
    found = reading._interpreter_folders()
    monkeypatch.setattr(reading, "_interpreter_folders", lambda: [*found, library])
    monkeypatch.syspath_prepend(str(site))
    importlib.invalidate_caches()
    return root


def _readable(caged, policy, root):
    def read():
        found = []
        for folder, _, names in os.walk(root):
            for name in names:
                try:
                    Path(folder, name).read_bytes()
                except PermissionError:
                    continue
                found.append(str(Path(folder, name).relative_to(root)))
        return "\n".join(sorted(found))

    return set(caged(policy, read).splitlines())


@pytest.mark.parametrize("place", ["checkout", "installed"])
def test_withheld_module_cannot_be_read(request, scratch, caged, place):
    root = request.getfixturevalue(place)
    policy = sandbox.policy([root.name], [f"{root.name}.rotary"], scratch)
    found = {name for name in _readable(caged, policy, root) if "__pycache__" not in name}
    expected = {"__init__.py", "open.py", "data.txt", "sub/__init__.py", "sub/inner.py", "sub/rotary.py"}
    assert found == expected


@pytest.mark.parametrize("place", ["checkout", "installed"])
def test_byte_code_of_a_withheld_module_cannot_be_read(request, scratch, caged, place):
    root = request.getfixturevalue(place)
    policy = sandbox.policy([root.name], [f"{root.name}.rotary"], scratch)
    found = _readable(caged, policy, root / "__pycache__")
    assert any(name.startswith("open.") for name in found)
    assert not any(name.startswith("rotary.") for name in found)


@pytest.mark.parametrize("place", ["checkout", "installed"])
def test_without_withheld_modules_all_can_be_read(request, scratch, caged, place):
    root = request.getfixturevalue(place)
    assert "rotary.py" in _readable(caged, sandbox.policy([root.name], [], scratch), root)


@pytest.mark.parametrize("place", ["checkout", "installed"])
def test_withheld_package_cannot_be_read(request, scratch, caged, place):
    root = request.getfixturevalue(place)
    policy = sandbox.policy([root.name], [f"{root.name}.sub"], scratch)
    found = _readable(caged, policy, root)
    assert "open.py" in found
    assert not any(name.startswith("sub/") for name in found)


def test_withheld_package_cannot_be_imported(checkout, scratch, caged):
    """Its byte code lies within it, and what an earlier module of its name left behind is closed as well."""
    name = checkout.name
    (checkout / "sub" / "inner.py").write_text("SECRET = 1")
    py_compile.compile(str(checkout / "sub" / "inner.py"), doraise=True)
    (checkout / "sub.py").write_text("SECRET = 1")
    py_compile.compile(str(checkout / "sub.py"), doraise=True)
    policy = sandbox.policy([name], [f"{name}.sub"], scratch)

    assert not any("sub" in path for path in _readable(caged, policy, checkout))
    assert "PermissionError" in caged(policy, lambda: importlib.import_module(f"{name}.sub.inner").SECRET)


def test_withheld_inner_module_cannot_be_read(checkout, scratch, caged):
    found = _readable(
        caged, sandbox.policy([checkout.name], [f"{checkout.name}.sub.rotary"], scratch), checkout
    )
    assert "rotary.py" in found
    assert "sub/inner.py" in found
    assert "sub/rotary.py" not in found


def test_withheld_top_level_package_cannot_be_read(installed, scratch, caged):
    found = _readable(caged, sandbox.policy([], [installed.name], scratch), installed.parent)
    assert found == {"other/kept.txt"}


def test_neighbours_in_site_packages_can_be_read(installed, scratch, caged):
    policy = sandbox.policy([installed.name], [f"{installed.name}.rotary"], scratch)
    assert {"other/kept.txt"} <= _readable(caged, policy, installed.parent)
    assert "old.egg" not in _readable(caged, policy, installed.parent)
    assert "libx.so" in _readable(caged, policy, installed.parents[2])


def test_checkout_itself_is_closed(checkout, scratch, caged):
    policy = sandbox.policy([checkout.name], [], scratch)
    assert "solutions.py" not in _readable(caged, policy, checkout.parent)
    assert caged(policy, lambda: os.listdir(checkout.parent)).startswith("PermissionError")


def test_rest_of_a_package_can_be_imported(checkout, scratch, caged):
    policy = sandbox.policy([checkout.name], [f"{checkout.name}.rotary"], scratch)
    name = checkout.name
    assert caged(policy, lambda: importlib.import_module(f"{name}.open").VALUE) == "1"
    assert "PermissionError" in caged(policy, lambda: importlib.import_module(f"{name}.rotary").SECRET)


def test_single_module_is_a_package_too(tmp_path, scratch, caged, monkeypatch):
    (tmp_path / "one_file_only.py").write_text("VALUE = 2")
    monkeypatch.syspath_prepend(str(tmp_path))
    policy = sandbox.policy(["one_file_only"], [], scratch)
    assert caged(policy, lambda: importlib.import_module("one_file_only").VALUE) == "2"


def test_editable_install_is_found(tmp_path, scratch):
    """A finder, not a path entry, is what editable installs add; ask a fresh interpreter that has one."""
    _fill(tmp_path / "src" / "pkg_editable")
    code = (
        "import sys, importlib.util as u, importlib.machinery as m\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        return u.spec_from_file_location(name, {str(tmp_path / 'src/pkg_editable/__init__.py')!r})"
        " if name == 'pkg_editable' else None\n"
        "sys.meta_path.append(Finder())\n"
        "from pathlib import Path\n"
        "from autograder import sandbox\n"
        f"p = sandbox.policy(['pkg_editable'], ['pkg_editable.rotary'], Path({str(scratch)!r}))\n"
        "print(*p.files, sep='\\n')"
    )
    root = Path(sandbox.__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True, timeout=60
    )
    names = {Path(line).name for line in ran.stdout.splitlines()}
    assert "open.py" in names
    assert not any("rotary" in name for name in names - {"rotary.py"})
    assert str(tmp_path / "src/pkg_editable/rotary.py") not in ran.stdout.splitlines()


def test_interpreter_is_open_and_home_is_not(scratch):
    policy = sandbox.policy(["numpy"], [], scratch)
    for name in ("stdlib", "purelib"):
        path = Path(sysconfig.get_path(name)).resolve()
        assert any(path.is_relative_to(folder) for folder in policy.folders)
    closed = (Path.home(), Path("/etc/passwd"), Path("/proc"), Path("/tmp"), Path("/"), Path.cwd())
    for path in closed:
        assert not any(path.is_relative_to(folder) for folder in (*policy.folders, *policy.listed)), path


def test_home_is_never_granted_even_as_a_prefix(tmp_path, scratch, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "lib").mkdir()
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    policy = sandbox.policy([], [], scratch)
    assert not any(tmp_path in (folder, folder.parent) for folder in policy.folders)


def test_home_below_a_library_folder_is_left_out(installed, scratch, monkeypatch, caged):
    monkeypatch.setenv("HOME", str(installed.parent / "other"))
    found = _readable(caged, sandbox.policy([], [], scratch), installed.parent)
    assert "pkg_of_site/open.py" in found
    assert "other/kept.txt" not in found


@pytest.mark.parametrize("name", ["no_such_package_here", "numpy.linalg"])
def test_package_that_cannot_be_granted_is_refused(scratch, name):
    with pytest.raises(SandboxError, match="must be"):
        sandbox.policy([name], [], scratch)


def test_missing_scratch_folder_is_refused(scratch):
    with pytest.raises(SandboxError, match="must exist"):
        sandbox.policy([], [], scratch / "none")


def test_limits_are_kept(scratch):
    assert sandbox.policy([], [], scratch, Limits(cpu=3)).limits.cpu == 3
