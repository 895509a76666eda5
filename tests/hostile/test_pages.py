"""What a student writes in prose must not run in the browser of whoever opens the feedback page."""

import json
import sys
from html.parser import HTMLParser

import pytest

from tests.comparison import ways
from tests.zoo import roster

pytestmark = pytest.mark.slow
EVIL = """\
<script>alert("evil")</script> <img src=x onerror="alert('evil')"> [x](javascript:alert('evil'))
<svg onload="alert('evil')"></svg> <iframe src="javascript:alert('evil')"></iframe>
<details open ontoggle="alert('evil')">x</details> <a href="  JavaScript:alert('evil')">x</a>
[x](&#106;avascript:alert%28'evil'%29) [y](<javascript:alert('evil')>) [z]: javascript:alert('evil')
"""


class Dangers(HTMLParser):
    """Collects what would run the student's words, unless the page's policy forbids it."""

    def __init__(self):
        super().__init__()
        self.found, self.policy, self._script = [], "", False

    def handle_starttag(self, tag, attrs):
        self._script = tag == "script"
        values = {name: value or "" for name, value in attrs}
        if tag == "meta" and values.get("http-equiv", "").lower() == "content-security-policy":
            self.policy = values["content"]
        self.found += [
            f"{tag} {name}" for name, value in attrs if name.startswith("on") and "evil" in (value or "")
        ]
        self.found += [f"{tag} {name}" for name in ("href", "src") if _runs(values.get(name, ""))]

    def handle_data(self, data):
        if self._script and "evil" in data:
            self.found.append("script")

    def handle_endtag(self, tag):
        self._script = False


def _runs(address):
    return address.strip().lower().startswith("javascript:")


def test_prose_does_not_run_on_the_feedback_page(tmp_path):
    given = roster.release(roster.source())
    notebook = roster.fill(given, {"fade": EVIL})
    notebook["cells"].append({"cell_type": "markdown", "id": "more", "metadata": {}, "source": EVIL})
    notebook["cells"].append(
        {"cell_type": "raw", "id": "raw", "metadata": {"format": "text/html"}, "source": EVIL}
    )
    course = tmp_path / "course"
    ways.prepare(course, {"eve": json.dumps(notebook).encode()})
    for verb in ("grade", "feedback"):
        assert ways.run(course, sys.executable, "-m", "autograder", verb, ways.LESSON).returncode == 0
    dangers = Dangers()
    dangers.feed(next(course.glob("feedback/eve/*/*.html")).read_text())
    forbids = "script-src" in dangers.policy and "unsafe-inline" not in dangers.policy
    assert forbids or dangers.found == []
