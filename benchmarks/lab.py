"""Print how many training steps a second the lab makes, beside the same model in PyTorch.

Run as ``OPENBLAS_NUM_THREADS=1 python -m benchmarks.lab`` in the checkout; takes about a minute. The model is
that of the registers task: one layer, 64 features, 4 heads, RoPE, batches of 32 sequences of 32 tokens, Adam.
Both get the same weights and batches, and their losses and gradients are compared before they are timed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.stopwatch import markdown, medians
from posenc.lab import Registers, Transformer, encodings
from posenc.lab.registers import Batch
from posenc.lab.training import clipped, move, zeros

OURS, TORCH = "posenc.lab, NumPy", "torch, eager"
BATCHES = 10


def batches() -> list[Batch]:
    rng = np.random.default_rng(0)
    return [Registers().batch(rng, 32, 32) for _ in range(BATCHES)]


def model() -> Transformer:
    return Transformer(Registers.sizes, 8, encodings.rope())


def ours(given: list[Batch]) -> Callable[[], None]:
    """Return a call that makes a step of training with each batch."""
    trained = model()
    moments = zeros(trained), zeros(trained)

    def steps() -> None:
        for batch in given:
            _, back = trained.loss(*batch)
            move(trained.parameters, clipped(back()), moments, 10, 1e-3)

    return steps


def torch_model() -> tuple[Any, Callable[[Batch], Any]]:
    """Return the same model's parameters in PyTorch, and its loss."""
    import torch
    from torch.nn import functional

    start = model()
    p = {name: torch.from_numpy(v.copy()).requires_grad_() for name, v in start.parameters.items()}
    angles = torch.outer(torch.arange(32.0), 10000.0 ** (-torch.arange(0, 16, 2) / 16))
    cos, sin = angles.cos(), angles.sin()
    mask = torch.full((32, 32), -torch.inf).triu(1)

    def norm(x: Any) -> Any:
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)

    def rotated(x: Any) -> Any:
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)

    def loss(batch: Batch) -> Any:
        tokens, targets, counted = (torch.from_numpy(part) for part in batch)
        x = sum(functional.embedding(stream, p[f"embedding {i}"]) for i, stream in enumerate(tokens))
        q, k, v = (norm(x) @ p["0 qkv"]).view(32, 32, 3, 4, 16).permute(2, 0, 3, 1, 4)
        scores = rotated(q) @ rotated(k).transpose(-1, -2) / 4 + mask
        x = x + (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(32, 32, 64) @ p["0 out"]
        x = x + torch.relu(norm(x) @ p["0 up"]) @ p["0 down"]
        logits = norm(x) @ p["unembed"]
        each = functional.cross_entropy(logits.view(-1, 8), targets.view(-1), reduction="none")
        return (each * counted.view(-1)).sum() / counted.sum()

    return p, loss


def theirs(given: list[Batch]) -> Callable[[], None]:
    import torch

    torch.set_num_threads(1)
    compare(given[0])
    p, loss = torch_model()
    adam = torch.optim.Adam(p.values(), lr=1e-3, betas=(0.9, 0.98))

    def steps() -> None:
        for batch in given:
            adam.zero_grad()
            loss(batch).backward()
            torch.nn.utils.clip_grad_norm_(p.values(), 1.0)
            adam.step()

    return steps


def compare(batch: Batch) -> None:
    """Assert that both compute the same loss and the same gradients."""
    p, loss = torch_model()
    got = loss(batch)
    got.backward()
    want, back = model().loss(*batch)
    np.testing.assert_allclose(got.item(), want, rtol=1e-5)
    for name, gradient in back().items():
        np.testing.assert_allclose(p[name].grad.numpy(), gradient, rtol=1e-3, atol=1e-6)


def main() -> None:
    given = batches()
    calls = {OURS: ours(given)}
    try:
        calls[TORCH] = theirs(given)
    except ImportError:
        print("PyTorch is not installed: only our own time is shown (see `make conformance`).\n")
    taken = medians(calls, seconds=20)
    rows = [
        (name, f"{1000 * t / BATCHES:.2f}", f"{BATCHES / t:.0f}", f"{t / taken[OURS]:.2f}")
        for name, t in taken.items()
    ]
    print(markdown(("one training step", "ms", "steps a second", "time / ours"), rows))


if __name__ == "__main__":
    main()
