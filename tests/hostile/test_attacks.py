"""No attack gains a point, sees a secret, reaches outside or costs an honest exercise; all end explained."""

import json
import os
import stat

import pytest

from autograder.referee.referee import Rules
from autograder.supervise import Grader, Options
from tests.hostile import lesson

ATTACKS = {attack.name: attack for attack in lesson.attacks()}
SECRETS = {"gradebook": "canary-gradebook", "other": "canary-submission", "home": "canary-home"}
NAMED = {"gradebook": "gradebook.db", "other": "submitted/other/x/x.ipynb", "home": "home/.secret"}
STEERS = {chr(n) for n in (*range(9), *range(11, 32), 127, 0x202E, 0x2066, 0x2069)}


@pytest.fixture(scope="module")
def grader():
    options = Options(preload=("numpy",), rules=Rules(cell_timeout=1, test_timeout=1, total_timeout=30))
    with Grader(options) as grader:
        yield grader


@pytest.fixture(scope="module")
def source():
    return json.dumps(lesson.source()).encode()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with a gradebook, another student's work and a home file, each with a canary."""
    root = tmp_path_factory.mktemp("course")
    for name, text in SECRETS.items():
        path = root / NAMED[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def handed_in(attack, course):
    """Return the attacker's notebook, which knows where the secrets lie."""
    places = {"course": str(course), **{name: str(course / place) for name, place in NAMED.items()}}
    return json.dumps(lesson.submission(attack, places)).encode()


def state(root):
    """Return every path below `root` with its contents, mode, owner and time."""
    found = {}
    for path in sorted(root.rglob("*")):
        about = os.lstat(path)
        text = path.read_bytes() if stat.S_ISREG(about.st_mode) else b""
        found[str(path)] = (about.st_mode, about.st_uid, about.st_mtime_ns, text)
    return found


def told(graded):
    """Return everything that a student or an instructor is shown, as one text."""
    return json.dumps([graded.notebook, graded.report.to_json()], ensure_ascii=False)


def outputs(graded):
    """Return the outputs of all cells."""
    return [one for cell in graded.notebook["cells"] for one in cell.get("outputs", [])]


def output(graded):
    """Return the outputs of all cells as text."""
    parts = []
    for one in outputs(graded):
        parts += [one.get("text", ""), one.get("evalue", ""), *one.get("traceback", [])]
        parts += [str(value) for value in one.get("data", {}).values()]
    return "".join(parts)


def marked(name):
    # Whoever watches the trusted side waits ten seconds longer than a test may take.
    return pytest.param(name, marks=pytest.mark.slow if "numbers that take for ever" in name else ())


@pytest.mark.parametrize("name", [marked(name) for name in ATTACKS])
def test_attack_comes_to_nothing(name, grader, source, course, capfd):
    attack, before = ATTACKS[name], state(course)
    graded = grader.grade(source, handed_in(attack, course), student="eve")
    rows = {cell.grade_id: cell for cell in graded.report.cells}
    passed = {grade_id for grade_id, cell in rows.items() if cell.verdict == "PASSED"}
    assert list(rows) == lesson.TESTS
    assert passed & lesson.ATTACKED == attack.deserves, (
        "points that the answer does not deserve, or lost ones"
    )
    assert lesson.KEPT - passed - attack.may_lose == attack.loses, "an honest exercise lost its points"
    explained(rows.values())
    harmless(graded)
    assert state(course) == before
    assert capfd.readouterr() == ("", "")


def explained(cells):
    """Assert that each row has its points, a sentence, and no fault of ours."""
    for cell in cells:
        assert cell.verdict != "INTERNAL", cell
        assert cell.score == (cell.max_score if cell.verdict == "PASSED" else 0), cell
        assert (cell.message or cell.verdict == "PASSED") and len(cell.message) <= 700, cell
        assert cell.misconception is None, cell


def harmless(graded):
    """Assert that nothing secret, nothing that runs and nothing that steers a terminal is shown."""
    text = told(graded)
    for secret in (lesson.CANARY, lesson.NUMBER, *SECRETS.values(), "root:x:0"):
        assert secret not in text, f"{secret} is shown"
    for boast in ("STARTED", "UNDONE", "OPEN <"):
        assert boast not in output(graded), f"{boast}: something worked that must not"
    assert len(text) < 3_000_000
    said = "".join(cell.message for cell in graded.report.cells) + output(graded)
    assert not set(said) & STEERS
    kinds = {kind for one in outputs(graded) for kind in one.get("data", {})}
    assert kinds <= {"text/plain", "image/png", "image/jpeg"}


def test_the_honest_answers_pass(grader, source, course):
    right = lesson.Attack("right", lesson.CELLS["shout"])
    graded = grader.grade(source, handed_in(right, course))
    assert {cell.verdict.value for cell in graded.report.cells} == {"PASSED"}


def test_without_a_sandbox_the_spy_sees_the_canaries(source, course):
    """Show that the attacks which read files can fail the test above."""
    attack = ATTACKS["d_reading: read by every way of opening"]
    with Grader(Options(sandboxed=False, rules=Rules(cell_timeout=5))) as open_grader:
        text = told(open_grader.grade(source, handed_in(attack, course)))
    assert "canary-gradebook" in text and "canary-home" in text


def test_what_one_submission_leaves_the_next_does_not_find(grader, source, course):
    for name in ("keep in files, for whoever comes next", "print whatever somebody left"):
        graded = grader.grade(source, handed_in(ATTACKS[f"d_reading: {name}"], course))
    assert lesson.CANARY not in told(graded) and lesson.NUMBER not in told(graded)
