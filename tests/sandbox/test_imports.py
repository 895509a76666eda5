"""What is lost with a withheld module is found from the source, and nothing more."""

import pytest

from autograder.sandbox import importers


@pytest.fixture
def package(tmp_path):
    def make(**sources):
        root = tmp_path / "pkg"
        for name, source in {"__init__": "", **sources}.items():
            path = root.joinpath(*name.split("__dot__")).with_suffix(".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source)
        return root

    return make


@pytest.mark.parametrize(
    "line",
    [
        "import pkg.rotary",
        "import pkg.rotary as r",
        "from pkg import rotary",
        "from pkg.rotary import rope",
        "from . import rotary",
        "from .rotary import rope as r",
        "from pkg import *",
        "if True:\n    from .rotary import rope",
        "try:\n    import pkg.rotary\nexcept ImportError:\n    pass",
        "class A:\n    from .rotary import rope",
        "with open('x') as f:\n    import pkg.rotary",
    ],
)
def test_import_at_module_level_counts(package, line):
    assert importers(package(rotary="", xpos=line), {"pkg.rotary"}) == {"pkg.xpos"}


@pytest.mark.parametrize(
    "line",
    [
        "def f():\n    from .rotary import rope",
        "async def f():\n    import pkg.rotary",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .rotary import rope",
        "import other.rotary",
        "import rotary",
        "from .rotary2 import x",
        "text = 'import pkg.rotary'",
        "import pkg.rotary as (",
    ],
)
def test_what_does_not_import_it_does_not_count(package, line):
    assert importers(package(rotary="", rotary2="", xpos=line), {"pkg.rotary"}) == set()


def test_other_branch_of_type_checking_counts(package):
    source = "import typing\nif typing.TYPE_CHECKING:\n    pass\nelse:\n    from . import rotary"
    assert importers(package(rotary="", xpos=source), {"pkg.rotary"}) == {"pkg.xpos"}


def test_imports_of_imports_count(package):
    root = package(rotary="", a="from .rotary import x", b="from .a import x", c="import pkg.b", d="")
    assert importers(root, {"pkg.rotary"}) == {"pkg.a", "pkg.b", "pkg.c"}


def test_a_package_that_is_lost_takes_its_modules_along(package):
    root = package(rotary="", sub__dot____init__="from ..rotary import x", sub__dot__inner="")
    assert importers(root, {"pkg.rotary"}) == {"pkg.sub", "pkg.sub.inner"}


def test_a_withheld_package_stands_for_its_modules(package):
    root = package(sub__dot____init__="", sub__dot__inner="", a="from pkg.sub.inner import x")
    assert importers(root, {"pkg.sub"}) == {"pkg.a"}


@pytest.mark.parametrize(
    "line",
    [
        "from pkg.rotary import rope",
        "from .rotary.pairs import rope",
        "from . import rotary",
        "import pkg.rotary.pairs as p",
        "from .rotary import pairs",
    ],
)
def test_what_imports_a_withheld_package_or_its_modules_is_lost(package, line):
    """And nothing else is: not what the package itself imports."""
    root = package(
        rotary__dot____init__="from pkg.rotary.pairs import rope",
        rotary__dot__pairs="from pkg.plain import width",
        plain="",
        other="from pkg.plain import width",
        user=line,
    )
    assert importers(root, {"pkg.rotary"}) == {"pkg.user"}


def test_nothing_is_imported(package):
    assert importers(package(rotary="", xpos="raise SystemExit"), {"pkg.rotary"}) == set()
