"""The table of conventions: every call in it runs, and every source that it names is listed."""

import re
from pathlib import Path

import numpy as np
import pytest

from posenc import alibi, learned, relative, rotary, scaling

PAGE = (Path(__file__).parents[2] / "book/conventions.md").read_text()
ROWS = [line.strip("|").split("|") for line in PAGE.splitlines() if re.match(r"\| [^|]+ \|.*\d\] \|$", line)]
CALLS = [call for row in ROWS for call in re.findall(r"`(\w+\(.+?\)|permute_weights\(w, h\))`", row[-2])]
NAMES = {
    name: getattr(module, name)
    for module in (alibi, learned, relative, rotary, scaling)
    for name in module.__all__
} | {
    "np": np,
    "n": 6,
    "past": 2,
    "h": 4,
    "p": np.arange(6),
    "r": np.arange(-3, 3),
    "x": np.ones((6, 128)),
    "w": np.ones((32, 3)),
    "thw": np.ones((3, 6)),
    "table": np.ones((17, 2)),
    "short": np.ones(48),
    "long": np.ones(48),
}


FAMILIES = (
    "GPT-2 BERT ViT T5 BLOOM MPT Falcon GPT-J GPT-NeoX Pythia LLaMA Llama Mistral Qwen2 Qwen2.5 Qwen2-VL"
)
FAMILIES += " Phi-3 Gemma DeepSeek-V2 DeepSeek-V3 gpt-oss StableLM Command"


def test_every_family_has_a_row():
    named = " ".join(row[0] for row in ROWS)
    assert [family for family in FAMILIES.split() if family not in named] == []
    assert len(CALLS) >= len(ROWS) == 28


@pytest.mark.parametrize("call", CALLS)
def test_call_in_the_table_runs(call):
    got = eval(call, dict(NAMES))
    assert np.isfinite(np.where(np.isneginf(got), 0, got) if isinstance(got, np.ndarray) else got[0]).all()


def test_every_source_is_listed_and_used():
    body, sources = PAGE.split("## Sources")
    used = {int(n) for group in re.findall(r"\[([\d, ]+)\]", body + sources) for n in group.split(",")}
    assert used == {int(n) for n in re.findall(r"^(\d+)\. ", sources, re.M)}
