"""Finds which modules of a package are lost once others are withheld. Reads source, imports nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def importers(package_root: Path, withheld: Set[str]) -> set[str]:
    """Return the modules of a package that import a withheld one when they are imported themselves.

    Parameters
    ----------
    package_root : Path
        The package's folder; its name is the package's name.
    withheld : set of str
        Full names, such as ``posenc.rotary``; a package's name stands for all its modules.

    Returns
    -------
    set of str
        Full names, without `withheld`. Imports inside functions and under ``if TYPE_CHECKING`` do not count;
        imports of imports do.
    """
    wanted = {module: wants for module, wants in _modules(package_root) if not _within(module, withheld)}
    lost = set(withheld) | {f"{module.rpartition('.')[0]}.*" for module in withheld}  # a star may load it
    while fresh := {m for m, wants in wanted.items() if m not in lost and (wants | _parents(m)) & lost}:
        lost |= fresh
    return lost & set(wanted)


def _modules(root: Path) -> Iterator[tuple[str, set[str]]]:
    for path in sorted(root.rglob("*.py")):
        parts = [root.name, *path.relative_to(root).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        package = parts[:-1]
        module = ".".join(package if is_package else parts)
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):  # cannot be imported, so imports nothing
            continue
        yield module, {name for node in _executed(tree.body) for name in _named(node, package)}


def _executed(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            continue
        yield node
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            yield from _executed(node.orelse)
        else:
            yield from _executed(ast.iter_child_nodes(node))


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return bool(name == "TYPE_CHECKING")


def _named(node: ast.AST, package: list[str]) -> set[str]:
    """Return every module that an import statement may load, and their parents."""
    if isinstance(node, ast.Import):
        names = {alias.name for alias in node.names}
    elif isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else []
        source = ".".join([*above, *(node.module or "").split(".")]).strip(".")
        names = {source, *(f"{source}.{alias.name}" for alias in node.names)}
    else:
        return set()
    return names.union(*(_parents(name) for name in names))


def _parents(module: str) -> set[str]:
    parts = module.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts))}


def _within(module: str, names: Set[str]) -> bool:
    return module in names or bool(_parents(module) & set(names))
