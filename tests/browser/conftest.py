"""One server, one browser and one page for every test; a lesson is opened anew for each."""

import pytest

from tests.browser import lab as labs


@pytest.fixture(scope="session")
def _lab(tmp_path_factory):
    pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if labs.CHROMIUM is None:
        pytest.skip("a browser test needs chromium on the path")
    home = tmp_path_factory.mktemp("lab")
    with labs.server(home) as address, labs.page(address) as page:
        yield labs.Lab(page, home / "notebooks")


@pytest.fixture
def lab(_lab):
    """A page in which the test may open one lesson."""
    yield _lab
    _lab.close()
