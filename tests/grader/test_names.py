from __future__ import annotations

import pytest

from autograder.referee import names


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1", {"x"}),
        ("def f(a):\n    b = 1", {"f"}),
        ("class C:\n    y = 1", {"C"}),
        ("a, (b, *c) = z", {"a", "b", "c"}),
        ("for i in range(3):\n    j = i", {"i", "j"}),
        ("with open(p) as file:\n    pass", {"file"}),
        ("[k for k in range(3)]", set()),
        ("k = 1\n[k for k in range(3)]", {"k"}),
        ("[(w := v) for v in range(3)]", {"w"}),
        ("if True:\n    y = 1\nelse:\n    z = 1", {"y", "z"}),
        ("x += 1", {"x"}),
        ("import numpy as np", set()),
        ("%matplotlib inline\nx = 1", {"x"}),
        ("!ls\nx = 1", {"x"}),
        ("%%bash\nx=1", set()),
        ("not python at all", set()),
    ],
)
def test_bound(source, expected):
    assert names.bound(names.parse(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x[0] = 1", {"x"}),
        ("x.y.z = 1", {"x"}),
        ("x.append(1)", {"x"}),
        ("x.rc['a'].update(b=1)", {"x"}),
        ("y = x.append(1)", set()),
        ("print(x)", set()),
    ],
)
def test_changed(source, expected):
    assert names.changed(names.parse(source)) == expected


def test_imports_are_bound_by_their_first_name():
    tree = names.parse("import a.b\nimport c as d\nfrom e import f as g")
    assert set(names.imports(tree)) == {"a", "d", "g"}


def test_modules_are_named_in_full():
    tree = names.parse("from posenc import draw\nimport numpy as np\ndef f():\n    import os.path")
    assert names.modules(tree) == {"posenc", "posenc.draw", "numpy", "os.path"}
