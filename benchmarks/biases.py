"""Print how long the biases of ALiBi and T5 take to build, here and in transformers.

Run as ``python -m benchmarks.biases`` in the checkout; takes about half a minute. PyTorch and transformers
are used where they are installed. One thread, processor time. Results are compared before they are timed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.rotary import installed, one_thread
from benchmarks.stopwatch import markdown, medians, milliseconds
from posenc.alibi import alibi_bias, alibi_slopes
from posenc.relative import t5_bucket

HEADS = 8
LENGTHS = (128, 512, 2048)
Calls = dict[str, Callable[[], Any]]


def alibi_rows(n: int) -> Calls:
    """Return ways to make what the last query adds for each key, (h, 1, n)."""
    slopes = alibi_slopes(HEADS).astype(np.float32)
    calls: Calls = {"posenc": lambda: alibi_bias(1, n, slopes)}
    try:
        from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
    except ImportError:
        return calls
    return calls | {"transformers, MPT": lambda: build_mpt_alibi_tensor(HEADS, n)}


def alibi_squares(n: int) -> Calls:
    """Return ways to make what all queries add, (h, n, n), later keys at minus infinity.

    MPT's row serves all queries: up to a constant of each query, which softmax drops, it is the same.
    """
    slopes = alibi_slopes(HEADS).astype(np.float32)
    calls: Calls = {"posenc": lambda: alibi_bias(n, n, slopes)}
    try:
        import torch
        from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
    except ImportError:
        return calls

    def masked() -> Any:
        seen = torch.ones(n, n, dtype=torch.bool).tril()
        return torch.where(seen, build_mpt_alibi_tensor(HEADS, n), -torch.inf)

    return calls | {"transformers, MPT's row and a mask": masked}


def t5_biases(n: int) -> Calls:
    """Return ways to look up what all queries add, (h, n, n)."""
    weights = np.random.default_rng(0).standard_normal((32, HEADS)).astype(np.float32)

    def by_pair() -> Any:
        r = np.arange(n) - np.arange(n)[:, None]
        return np.moveaxis(weights[t5_bucket(r, bidirectional=True)], -1, 0)

    def by_offset() -> Any:
        row = weights.T[:, t5_bucket(np.arange(1 - n, n), bidirectional=True)]  # (h, 2n - 1)
        return np.lib.stride_tricks.sliding_window_view(row, n, axis=-1)[:, ::-1].copy()

    calls: Calls = {"posenc, a bucket for each pair": by_pair, "posenc, a bucket for each offset": by_offset}
    try:
        import torch
        from transformers import T5Config
        from transformers.models.t5.modeling_t5 import T5Attention
    except ImportError:
        return calls
    layer = T5Attention(T5Config(num_heads=HEADS), has_relative_attention_bias=True)
    layer.relative_attention_bias.weight.data = torch.from_numpy(weights)
    return calls | {"transformers, T5": lambda: layer.compute_bias(n, n)[0]}


def near(got: Any, want: Any) -> None:
    """Assert that two biases give the same weights: rows may differ by a constant."""
    got, want = (np.asarray(each) - np.asarray(each).max(axis=-1, keepdims=True) for each in (got, want))
    np.testing.assert_allclose(got, want, atol=1e-4)


def main() -> None:
    one_thread()
    print(f"{installed()}; one thread; medians of processor time, in turns")
    for title, make in (
        ("ALiBi for one query, (8, 1, n)", alibi_rows),
        ("ALiBi for n queries, (8, n, n)", alibi_squares),
        ("T5 for n queries, (8, n, n)", t5_biases),
    ):
        times = {}
        for n in LENGTHS:
            calls = make(n)
            first, *others = (call() for call in calls.values())
            for other in others:
                near(other, first)
            times[n] = medians(calls)
        names = list(times[LENGTHS[0]])
        print(f"\n**{title}**, float32, ms (multiple of the first)\n")
        rows = [
            [name, *(milliseconds(times[n][name], times[n][names[0]]) for n in LENGTHS)] for name in names
        ]
        print(markdown(["n", *LENGTHS], rows), flush=True)


if __name__ == "__main__":
    main()
