"""The weights that come with the library: character models, one an encoding, in half precision.

Reads and writes files in its own folder. `python -m posenc.lab` makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from posenc.lab import encodings
from posenc.lab.encodings import Encoding
from posenc.lab.text import ALPHABET, Text
from posenc.lab.transformer import Transformer

__all__ = ["CONFIGURATION", "ENCODINGS", "FOLDER", "pretrained", "save", "untrained"]

FOLDER = Path(__file__).parent / "weights"
#: Of every character model, and of its training; `weights/log.json` has it too, with what came of it.
CONFIGURATION: dict[str, Any] = {
    "model": {"d": 64, "h": 4, "hidden": 256, "n_layers": 3, "seed": 0},
    "training": {"steps": 6000, "batch": 32, "n": 64, "rate": 3e-3, "warm_up": 100, "seed": 1},
}
#: The longest text that a model is tried on: the learned table has so many rows, most of them never trained.
LONGEST = 16 * CONFIGURATION["training"]["n"]
ENCODINGS: dict[str, Callable[[], Encoding]] = {
    "sinusoidal": encodings.sinusoidal,
    "learned": lambda: encodings.learned(LONGEST),
    "RoPE": encodings.rope,
    "ALiBi": encodings.alibi,
    "NoPE": encodings.nope,
}


def untrained(name: str) -> Transformer:
    """Return the character model of an encoding as it starts.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    if name not in ENCODINGS:
        raise ValueError(f"name must be one of {', '.join(ENCODINGS)}, got {name!r}")
    return Transformer(Text.sizes, len(ALPHABET), ENCODINGS[name](), **CONFIGURATION["model"])


def pretrained(name: str, encoding: Encoding | None = None) -> Transformer:
    """Return a character model that was trained on 64 characters at a time.

    Parameters
    ----------
    name : {"sinusoidal", "learned", "RoPE", "ALiBi", "NoPE"}
        What it was trained with.
    encoding : Encoding, optional
        What it is run with instead, such as RoPE with other frequencies.

    Returns
    -------
    Transformer
        In single precision; its weights are kept in half precision.

    Raises
    ------
    ValueError
        If there is no such model, or `encoding` has parameters of its own.
    """
    model = untrained(name)
    with np.load(FOLDER / f"{name}.npz") as stored:
        model.parameters = {key: stored[key].astype(np.float32) for key in model.parameters}
    return model if encoding is None else model.with_encoding(encoding)


def save(name: str, model: Transformer) -> None:
    """Keep a model's parameters in half precision."""
    FOLDER.mkdir(exist_ok=True)
    half: dict[str, Any] = {key: value.astype(np.float16) for key, value in model.parameters.items()}
    np.savez_compressed(FOLDER / f"{name}.npz", **half)
