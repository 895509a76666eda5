"""`autograder doctor` prints what was found, and says so in its status."""

import pytest

from autograder import sandbox
from autograder.sandbox import Support, probe
from autograder.sandbox.probe import Finding

ENOUGH = Support(files=True, network=True, processes=True, landlock=4)
HELD = Finding("read a file", True, "Permission denied")
BROKEN = Finding("send by UDP", False, "sent 3 bytes")
NOT_HERE = Finding("open devices", None, "there are none")


@pytest.mark.parametrize(
    ("support", "findings", "status", "said"),
    [
        (ENOUGH, [HELD, NOT_HERE], 0, "The sandbox holds here (Landlock ABI 4, seccomp)"),
        (ENOUGH, [HELD, BROKEN], 1, "The sandbox does not hold here: send by UDP."),
        (Support(missing=("no Landlock",)), [], 1, "missing: no Landlock\nStudent code cannot be closed off"),
    ],
)
def test_doctor(call, monkeypatch, support, findings, status, said):
    monkeypatch.setattr(sandbox, "supported", lambda: support)
    monkeypatch.setattr(probe, "probe", lambda policy: findings)
    result = call("doctor")
    assert result.exit_code == status
    assert said in result.stdout
    for finding in findings:
        assert finding.name in result.stdout
        assert finding.detail in result.stdout
