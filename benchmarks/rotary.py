"""Print how long RoPE takes here, in the lesson's text, and in what models run on.

Run as ``python -m benchmarks.rotary`` in the checkout; takes about two minutes. PyTorch, transformers and
rotary-embedding-torch are used where they are installed. One thread, processor time. Results are compared
before they are timed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.stopwatch import markdown, medians, milliseconds
from posenc.rotary import rope, rotate, table

HEADS, WIDTH = 8, 64
LENGTHS = (128, 1024, 4096, 16384, 65536)
LESSON = Path(__file__).parents[1] / "solutions" / "06_rotary.py"
COPY, TEXT = "a copy", "the lesson's text, which makes its table"
OURS, OURS_ALL = "posenc, table ready", "posenc, table made"
COMPLEX = "transformers, complex as in Llama 4, table ready"
TORCH, TORCH_ALL = "transformers, table ready", "transformers, table made"


class Way(NamedTuple):
    """A way to rotate: what is timed, and how its result becomes an (h, n, d) array."""

    call: Callable[[], Any]
    read: Callable[[Any], Any] = np.asarray


def lesson_rope() -> Callable[..., Any]:
    """Return the function `rope` of the lesson, from its text."""
    tree = ast.parse(re.sub(r"^%.*$", "", LESSON.read_text(), flags=re.MULTILINE))
    found = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "rope")
    names: dict[str, Any] = {"np": np}
    exec(compile(ast.Module([found], []), LESSON.name, "exec"), names)
    function: Callable[..., Any] = names["rope"]
    return function


def numpy_ways(x: Any, layout: Any) -> dict[str, Way]:
    positions = np.arange(x.shape[1])
    turns, text = table(positions, WIDTH), lesson_rope()
    ways = {
        COPY: Way(x.copy),
        OURS: Way(lambda: rotate(x, turns, layout=layout)),
        OURS_ALL: Way(lambda: rope(x, positions, layout=layout)),
    }
    if layout == "interleaved":
        ways[TEXT] = Way(lambda: text(x, positions[:, None]))
    return ways


def llama_ways(x: Any) -> dict[str, Way]:
    import torch
    from transformers import LlamaConfig
    from transformers.models.llama import modeling_llama as llama

    x = torch.from_numpy(x)[None]
    positions = torch.arange(x.shape[2])[None]
    config = LlamaConfig(hidden_size=HEADS * WIDTH, num_attention_heads=HEADS)
    embedding = llama.LlamaRotaryEmbedding(config)
    cos, sin = embedding(x, positions)
    no_keys = x[:, :0]
    return {
        TORCH: Way(lambda: llama.apply_rotary_pos_emb(x, no_keys, cos, sin), lambda out: out[0][0]),
        TORCH_ALL: Way(
            lambda: llama.apply_rotary_pos_emb(x, no_keys, *embedding(x, positions)),
            lambda out: out[0][0],
        ),
    }


def gptj_ways(x: Any) -> dict[str, Way]:
    """GPT-J's own code, and the complex numbers of Llama 4; both lay heads after positions."""
    import torch
    from transformers.models.gptj import modeling_gptj as gptj
    from transformers.models.llama4 import modeling_llama4 as llama4

    x = torch.from_numpy(x).transpose(0, 1).contiguous()[None]  # (1, n, h, d)
    n = x.shape[1]

    def made() -> tuple[Any, ...]:
        return gptj.create_sinusoidal_positions(n, WIDTH)[None].to(x.dtype).chunk(2, dim=-1)

    sin, cos = made()
    turns = torch.complex(cos, sin)
    q, k = (part.contiguous() for part in x.chunk(2, dim=2))

    def by_head(out: Any) -> Any:
        return np.asarray(out[0]).swapaxes(0, 1)

    ways = {
        TORCH: Way(lambda: gptj.apply_rotary_pos_emb(x, sin, cos), by_head),
        TORCH_ALL: Way(lambda: gptj.apply_rotary_pos_emb(x, *made()), by_head),
    }
    if x.dtype == torch.float32:  # which that code computes in, whatever comes
        ways[COMPLEX] = Way(
            lambda: llama4.apply_rotary_emb(q, k, turns), lambda out: by_head(torch.cat(out, dim=2))
        )
    return ways


def lucidrains_ways(x: Any) -> dict[str, Way]:
    import torch
    from rotary_embedding_torch import RotaryEmbedding

    x = torch.from_numpy(x)[None]
    ways = {}
    for name, kept in (("table ready", True), ("table made", False)):
        embedding = RotaryEmbedding(WIDTH, cache_if_possible=kept, cache_max_seq_len=x.shape[2])
        embedding = embedding.to(x.dtype).requires_grad_(False)
        ways[f"rotary-embedding-torch, {name}"] = Way(
            lambda embedding=embedding: embedding.rotate_queries_or_keys(x), lambda out: out[0]
        )
    return ways


def ways_of(x: Any, layout: str) -> dict[str, Way]:
    """Return every way that is installed."""
    ways = numpy_ways(x, layout)
    for make in (llama_ways,) if layout == "half" else (gptj_ways, lucidrains_ways):
        try:
            ways |= make(x)
        except ImportError:  # the first line says what is not installed
            continue
    return ways


def measure(x: Any, layout: str) -> dict[str, float]:
    """Return the time of each way in seconds, once all were seen to agree."""
    ways = ways_of(x, layout)
    want = ways[OURS].call()
    for name, way in ways.items():
        if name != COPY:  # those that compute angles in float32 are off by 1e-7 a position
            np.testing.assert_allclose(
                way.read(way.call()), want, atol=1e-5 + 1e-6 * x.shape[1], err_msg=name
            )
    return medians({name: way.call for name, way in ways.items()})


def compare(dtype: Any, layout: str) -> dict[int, dict[str, float]]:
    """Print a table of times by length, and return it."""
    random = np.random.default_rng(0)
    times = {}
    for n in LENGTHS:
        times[n] = measure(random.standard_normal((HEADS, n, WIDTH)).astype(dtype), layout)
    print(f"\n**{layout}, {np.dtype(dtype)}**, ({HEADS}, n, {WIDTH}), ms (multiple of a copy)\n")
    rows = [
        [name, *(milliseconds(times[n][name], times[n][COPY]) for n in LENGTHS)] for name in times[LENGTHS[0]]
    ]
    print(markdown(["n", *LENGTHS], rows), flush=True)
    return times


def claims(layout: str, taken: dict[str, float]) -> list[list[str]]:
    """Return what the library promises for float32 (8, 4096, 64), and what came."""
    promised = [
        (OURS, COPY, 2.5 if layout == "interleaved" else 5.0),
        (OURS, TORCH, 1.0),
        (OURS_ALL, TORCH_ALL, 1.25),
        (OURS, TEXT, 0.1),
    ]
    rows = []
    for one, other, most in promised:
        if other in taken:
            ratio = taken[one] / taken[other]
            rows.append(
                [f"{one} / {other}", layout, f"{ratio:.2f}", f"{most:g}", "no" if ratio > most else "yes"]
            )
    return rows


def installed() -> str:
    """Return the versions of what is compared."""
    found = []
    for name in ("numpy", "torch", "transformers", "rotary-embedding-torch"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)


def one_thread() -> None:
    """Keep PyTorch, where it is there, to one thread and to forward passes."""
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)


def main() -> None:
    one_thread()
    print(f"{installed()}; one thread; medians of processor time, in turns")
    promised = []
    for dtype in (np.float32, np.float64):
        for layout in ("interleaved", "half"):
            times = compare(dtype, layout)
            if dtype is np.float32:
                promised += claims(layout, times[4096])
    print("\n**promised for float32**, (8, 4096, 64)\n")
    print(markdown(["ratio", "layout", "measured", "at most", "held"], promised))


if __name__ == "__main__":
    main()
