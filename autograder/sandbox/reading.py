"""Decides which paths a student process may read, from where Python and the packages lie. Enforces nothing.

Theory of operation
-------------------
The interpreter's own folders are granted whole. A withheld module is a hole: every folder above it is granted
child by child instead, so that the hole is left out, and only its names are listed. A package that lies
elsewhere (a checkout, a PYTHONPATH entry) is listed, and its files are granted singly: a folder above it is
never granted.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
import zoneinfo
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from autograder.sandbox.errors import SandboxError
from autograder.sandbox.policy import DEVICES, Limits, Policy

SYSTEM: Final = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share")
INTERPRETER: Final = ("stdlib", "platstdlib", "purelib", "platlib")
ARCHIVES: Final = frozenset({".egg", ".zip", ".whl", ".gz", ".pth"})


@dataclass
class _Grants:
    """Collects paths; a dict keeps their order and drops repetitions."""

    folders: dict[Path, None] = field(default_factory=dict)
    files: dict[Path, None] = field(default_factory=dict)
    listed: dict[Path, None] = field(default_factory=dict)


def policy(
    packages: Iterable[str], withheld: Iterable[str], scratch: Path, limits: Limits | None = None
) -> Policy:
    """Return what a student process may read and write.

    Parameters
    ----------
    packages : iterable of str
        Top-level names that are to be importable. Those in site-packages are so anyway.
    withheld : iterable of str
        Full names of modules whose source and byte code must not be readable.
    scratch : Path
        The folder that may be written. It must exist.
    limits : Limits, optional
        What may be used up.

    Raises
    ------
    SandboxError
        If a package cannot be found or the scratch folder is not a folder.
    """
    if not scratch.is_dir():
        raise SandboxError(f"the scratch folder must exist, got {scratch}")
    scratch = scratch.resolve()
    grants = _grants(list(packages), set(withheld), scratch)
    folders, files, listed = (tuple(paths) for paths in (grants.folders, grants.files, grants.listed))
    return Policy(folders, files, listed, scratch, limits or Limits())


def _grants(packages: list[str], withheld: set[str], scratch: Path) -> _Grants:
    locations = {name: _locate(name) for name in packages}
    roots = _interpreter_folders()
    holes = _holes(withheld, [*roots, *_import_folders(roots)], locations) | {scratch, *_homes()}
    grants = _Grants()
    for root in roots:
        _cover(root, holes, grants)
    for path in (path for paths in locations.values() for path in paths):
        if not any(path.is_relative_to(root) for root in roots):
            _grant_singly(path, holes, grants)
    grants.files.update(dict.fromkeys(device for device in DEVICES if device.exists()))
    return grants


def _locate(package: str) -> list[Path]:
    if "." in package:
        raise SandboxError(f"a package must be a top-level name, got {package!r}")
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError) as failure:
        raise SandboxError(f"the package {package!r} must be importable: {failure}") from None
    if spec is None:
        raise SandboxError(f"the package {package!r} must be installed")
    if spec.submodule_search_locations is not None:
        return [Path(folder).resolve() for folder in spec.submodule_search_locations]
    return [Path(spec.origin).resolve()] if spec.origin and spec.has_location else []


def _interpreter_folders() -> list[Path]:
    libraries = Path(sys.base_prefix, "lib")
    candidates: list[str | Path] = [
        *SYSTEM,
        *(sysconfig.get_path(name) for name in INTERPRETER),
        *([libraries] if libraries.parent not in _homes() else []),
        *(str(folder) for folder in zoneinfo.TZPATH if not str(folder).startswith("/etc")),
    ]
    found = dict.fromkeys(Path(path).resolve() for path in candidates if os.path.isdir(path))
    return [path for path in found if not any(path != p and path.is_relative_to(p) for p in found)]


def _homes() -> set[Path]:
    """Return the user's home folder, by the environment and by the system, which need not agree."""
    homes = {os.path.expanduser("~")}
    with suppress(ImportError, KeyError):  # not on Windows; and a user may be a bare number
        import pwd

        homes.add(pwd.getpwuid(os.getuid()).pw_dir)
    return {Path(home).resolve() for home in homes}


def _import_folders(roots: list[Path]) -> Iterator[Path]:
    """Yield the folders from which something may be imported and that a grant may reach."""
    for root in roots:
        for pattern in ("python*", "*-packages", "python*/*-packages"):
            yield from (path for path in root.glob(pattern) if path.is_dir())
    for entry in sys.path:
        path = Path(entry).resolve()
        if any(path.is_relative_to(root) for root in roots):
            yield path


def _holes(withheld: set[str], folders: Iterable[Path], locations: dict[str, list[Path]]) -> set[Path]:
    """Return every file and folder that holds a withheld module."""
    above = set(folders)
    holes: set[Path] = set()
    for module in withheld:
        package, *inner = module.split(".")
        tops = {folder / package for folder in above} | set(locations.get(package, ()))
        for top in tops if inner else {path.parent for path in tops}:
            parent = top.joinpath(*inner[:-1])
            holes.update(_files_of(module.rpartition(".")[2], parent))
    return holes | {hole.resolve() for hole in holes}


def _files_of(name: str, parent: Path) -> Iterator[Path]:
    """Yield what is called `name` up to its first dot: source, byte code, extension, stub, a copy."""
    for folder in (parent, parent / "__pycache__"):
        if folder.is_dir():
            yield from (
                path for path in folder.iterdir() if path.name.lstrip(".#").split(".")[0].rstrip("~") == name
            )


def _cover(path: Path, holes: set[Path], grants: _Grants) -> None:
    if path in holes or path.resolve() in holes:
        return
    if not path.is_dir():
        grants.files[path] = None
    elif not any(hole.is_relative_to(path) for hole in holes):
        grants.folders[path] = None
    else:
        grants.listed[path] = None
        for child in sorted(path.iterdir()):
            if not _leads_elsewhere(child):
                _cover(child, holes, grants)


def _grant_singly(path: Path, holes: set[Path], grants: _Grants) -> None:
    if path in holes:
        return
    if path.is_dir():
        grants.listed[path] = None
        for child in sorted(path.iterdir()):
            if not child.name.startswith((".", "#")) and not _leads_elsewhere(child):
                _grant_singly(child, holes, grants)
    elif path.is_file() and not path.name.endswith("~"):
        grants.files[path] = None


def _leads_elsewhere(path: Path) -> bool:
    """Tell whether granting `path` could open something else: a link's target, or what an archive holds."""
    return path.is_symlink() or path.suffix in ARCHIVES
