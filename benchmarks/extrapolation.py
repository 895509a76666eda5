"""Print what becomes of each encoding on sequences longer than any in training: registers, needle, text.

Run as ``python -m benchmarks.extrapolation`` in the checkout; takes about three minutes on two cores.
Registers and needle: 3 seeds, trained on 32 tokens, accuracy over the second half of the positions, mean and
spread. Text: the character models that come with the library, trained on 64 characters, mean loss in nats.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from benchmarks.stopwatch import markdown
from posenc import scaling
from posenc.lab import (
    Encoding,
    Needle,
    Registers,
    Text,
    Transformer,
    accuracy,
    encodings,
    loss_by_position,
    pretrained,
    train_all,
)
from posenc.lab.weights import ENCODINGS

SEEDS = (0, 1, 2)
TRAINED: dict[str, Callable[[], Encoding]] = {
    "learned": lambda: encodings.learned(256),
    "sinusoidal": encodings.sinusoidal,
    "RoPE": encodings.rope,
    "ALiBi": encodings.alibi,
    "T5": encodings.t5,
    "NoPE": encodings.nope,
}
TEXT = (64, 128, 256, 512, 1024)
Models = dict[str, list[Transformer]]


def scaled(method: str, d: int, s: float, original: int, beta_fast: float) -> Encoding:
    """Return RoPE for `d` features of a head, stretched by `s` without training."""
    made: dict[str, Callable[[], tuple[Any, float]]] = {
        "PI": lambda: scaling.interpolated(d, s),
        "NTK": lambda: scaling.ntk(d, s),
        "YaRN": lambda: scaling.yarn(d, s, original=original, beta_fast=beta_fast, truncate=False),
    }
    frequencies, factor = made[method]()
    return encodings.rope(
        frequencies=frequencies, attention_factor=factor, name=f"RoPE + {method}, s = {s:g}"
    )


def registers(steps: int = 1500, seeds: Iterable[int] = SEEDS) -> Models:
    """Train the models, one for each encoding and seed, and stretch those with RoPE."""
    seeds = list(seeds)
    models = {
        name: [Transformer(Registers.sizes, 8, encoding(), seed=seed) for seed in seeds]
        for name, encoding in TRAINED.items()
    }
    every = [model for made in models.values() for model in made]
    train_all(every, Registers(), steps=steps, seed=seeds * len(models), progress=sys.stdout.isatty())
    for s in (2, 4):
        for method in ("PI", "NTK", "YaRN"):
            stretched = [m.with_encoding(scaled(method, 16, s, 32, 4)) for m in models["RoPE"]]
            models[stretched[0].encoding.name] = stretched
    return models


def accuracies(models: Models, task: Any, lengths: Iterable[int]) -> dict[str, dict[int, Any]]:
    """Return the accuracy of each model at each length, (n_seeds,)."""
    return {
        name: {n: np.array([accuracy(model, task, n, size=100) for model in made]) for n in lengths}
        for name, made in models.items()
    }


def losses(characters: int = 1 << 15) -> dict[str, dict[int, Any]]:
    """Return the losses of the character models by position, at each length."""
    text = Text(held_out=True)
    found = {
        name: {n: loss_by_position(pretrained(name), text, n, characters=characters) for n in TEXT}
        for name in ENCODINGS
    }
    for method, beta in (("PI", 8), ("NTK", 8), ("YaRN", 8)):
        found[f"RoPE + {method}, s = length / 64"] = {
            n: loss_by_position(
                pretrained("RoPE", scaled(method, 16, n / 64, 64, beta)), text, n, characters=characters
            )
            for n in TEXT[1:]
        }
    return found


def main() -> None:
    models = registers()
    for title, task, lengths in (
        ("registers", Registers(), (32, 64, 128, 256)),
        ("needle", Needle(), (16, 32, 64, 128, 256)),
    ):
        rows = [
            (name, *(f"{a.mean():.3f} ({a.min():.3f}–{a.max():.3f})" for a in by_length.values()))
            for name, by_length in accuracies(models, task, lengths).items()
        ]
        print(markdown((title, *lengths), rows), end="\n\n")
    rows = [
        (
            name,
            *(
                f"{by_length[n].mean():.3f} ({by_length[n][-32:].mean():.3f})" if n in by_length else ""
                for n in TEXT
            ),
        )
        for name, by_length in losses().items()
    ]
    print(markdown(("text: mean loss (last 32 positions)", *TEXT), rows))


if __name__ == "__main__":
    main()
