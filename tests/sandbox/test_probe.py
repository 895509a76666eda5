"""Each protection holds, and each attack succeeds once the layers that answer for it are left out."""

import os

import pytest

from autograder import sandbox
from autograder.sandbox import ruleset
from autograder.sandbox.attacks.amounts import PROCESSOR
from autograder.sandbox.cage import LAYERS
from autograder.sandbox.probe import PROTECTIONS, probe

ATTACKS = [protection for protection in PROTECTIONS if protection.layers]
NEW_TO_LANDLOCK = {
    name
    for since, names in {
        3: ("truncate a file",),
        4: ("connect by TCP", "listen by TCP"),
        6: ("connect to an abstract socket", "signal the parent", "signal a thread of the parent"),
        9: ("connect to a socket in a folder", "send through a pair to elsewhere"),
    }.items()
    if ruleset.abi() < since
    for name in names
}
"""What two layers hold on the newest kernels, and seccomp alone on this one."""

NAMES = [protection.name for protection in ATTACKS]


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    policy = sandbox.policy((), (), tmp_path_factory.mktemp("scratch"))
    return {finding.name: finding for finding in probe(policy)}


@pytest.mark.parametrize("name", [protection.name for protection in PROTECTIONS])
def test_protection_holds(findings, name):
    assert findings[name].held is not False, findings[name].detail


def test_little_is_not_applicable(findings):
    skipped = {finding.name for finding in findings.values() if finding.held is None}
    as_root, as_user = {"start many threads", "make 32-bit calls"}, {"make a device", "make a raw socket"}
    assert skipped <= (as_root if os.getuid() == 0 else as_user | {"make 32-bit calls"})


@pytest.mark.parametrize("protection", ATTACKS, ids=NAMES)
def test_attack_succeeds_without_its_layers(policy, protection):
    [open_] = probe(policy, without=protection.layers, protections=(protection,))
    if open_.held is not False:
        [bare] = probe(policy, without=set(LAYERS), protections=(protection,))
        assert bare.held is not False, f"{protection.layers} do not answer for it alone: {open_.detail}"
        pytest.skip(f"this machine refuses it to this user in any case: {bare.detail}")
    assert "Error" not in open_.detail
    assert "could not be entered" not in open_.detail


@pytest.mark.parametrize("layer", ["landlock", "seccomp", "limits"])
def test_probe_reports_a_missing_layer(policy, layer):
    slow = () if layer == "limits" else (PROCESSOR,)
    tried = tuple(protection for protection in PROTECTIONS if protection not in slow)
    broken = {f.name for f in probe(policy, without={layer}, protections=tried) if f.held is False}
    alone = {p.name for p in ATTACKS if p.layers == {layer}}
    for_users = {p.name for p in ATTACKS if p.layers - {"capabilities"} == {layer}}  # who have none to drop
    assert broken - for_users <= (NEW_TO_LANDLOCK if layer == "seccomp" else set())
    assert len(broken) >= len(alone) * 0.8


def test_nothing_is_left_in_the_scratch_folder(policy):
    probe(policy, protections=ATTACKS[:3])
    assert not list(policy.scratch.iterdir())
