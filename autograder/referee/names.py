"""What the cells of the source say about names, by `ast`: bound, changed, imported."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Facts:
    """What one cell says of names; read once a source, since every submission asks."""

    tree: ast.Module

    @cached_property
    def imports(self) -> dict[str, ast.stmt]:
        """The names that import statements bind."""
        return imports(self.tree)

    @cached_property
    def bound(self) -> set[str]:
        """The names that are bound otherwise."""
        return bound(self.tree) - set(self.imports)

    @cached_property
    def changed(self) -> set[str]:
        """The names whose objects are changed in place."""
        return changed(self.tree)

    @cached_property
    def read(self) -> set[str]:
        """The names that are mentioned."""
        return read(self.tree)


_MAGIC = re.compile(r"^\s*[%!?]|^[^#'\"]*\?\s*$")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def parse(source: str) -> ast.Module:
    """Parse a cell, leaving out IPython's magics; a cell that is not Python is empty."""
    if re.match(r"\s*%%", source):
        return ast.Module(body=[], type_ignores=[])
    for text in (source, "\n".join("" if _MAGIC.match(line) else line for line in source.split("\n"))):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return ast.Module(body=[], type_ignores=[])


def _top(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run at the cell's top level: not the bodies of functions and classes."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _SCOPES):
            yield from _top(child)


def imports(tree: ast.Module) -> dict[str, ast.stmt]:
    """Return the names that import statements at top level bind, each with its statement."""
    found: dict[str, ast.stmt] = {}
    for node in _top(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name.split(".")[0]] = node
    return found


def modules(tree: ast.Module) -> set[str]:
    """Return the modules that a cell imports anywhere, as they are named."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*")
    return found


def bound(tree: ast.Module) -> set[str]:
    """Return the names that a cell binds at top level, imports left out."""
    found: set[str] = set()
    for node in _top(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found - _comprehension_targets(tree)


def _comprehension_targets(tree: ast.Module) -> set[str]:
    """Return names that only comprehensions bind: these stay inside them."""
    inner: set[str] = set()
    for node in _top(tree):
        if isinstance(node, ast.comprehension):
            inner.update(part.id for part in ast.walk(node.target) if isinstance(part, ast.Name))
    outer: set[str] = set()
    for node in tree.body:
        for part in _outside_comprehensions(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                outer.add(part.id)
    return inner - outer


def _outside_comprehensions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if isinstance(node, ast.comprehension):
        return
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _SCOPES):
            yield from _outside_comprehensions(child)


def changed(tree: ast.Module) -> set[str]:
    """Return the names whose objects a cell changes in place, as in ``x[0] = 1`` or ``x.append(1)``."""
    found: set[str] = set()
    for node in _top(tree):
        target: ast.AST | None = None
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            target = node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            target = node.value.func if isinstance(node.value.func, ast.Attribute) else None
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
        if isinstance(target, ast.Name):
            found.add(target.id)
    return found


def read(tree: ast.Module) -> set[str]:
    """Return every name that a cell mentions."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def sentences(tree: ast.Module) -> set[str]:
    """Return the constant texts that a test means to say, so that a hidden one may say them.

    These are the message of an ``assert``, what a ``raise`` is called with, and the texts handed straight
    to a call that stands alone, as in ``close(got, want, "the claim")``. Others may be inputs or expected
    values.
    """
    found: set[Any] = set()
    for node in ast.walk(tree):
        said: list[ast.expr] = []
        if isinstance(node, ast.Assert) and node.msg is not None:
            said = list(_joined(node.msg))
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            said = [part for argument in node.exc.args for part in _joined(argument)]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            said = [*node.value.args, *(keyword.value for keyword in node.value.keywords)]
        found.update(part.value for part in said if isinstance(part, ast.Constant))
    return {text for text in found if isinstance(text, str) and len(text.strip()) > 3}


def _joined(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the constant parts of a text: all of a constant, the fixed parts of an f-string or a sum."""
    if isinstance(node, ast.JoinedStr):
        yield from node.values
    elif isinstance(node, ast.BinOp):
        yield from _joined(node.left)
        yield from _joined(node.right)
    else:
        yield node
