"""What a trained model is worth: accuracy on made-up tasks, loss on text, position by position.

Reads models, changes none. Long sequences go through in small batches, so that memory stays small.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from posenc.lab import layers
from posenc.lab.registers import Batch
from posenc.lab.text import Text
from posenc.lab.threads import one_thread
from posenc.lab.training import Task
from posenc.lab.transformer import Transformer

Array: TypeAlias = NDArray[Any]

__all__ = ["accuracy", "loss_by_position"]

#: So many numbers of attention weights at a time, in all heads of a layer: 32 MB in single precision.
ROOM = 1 << 23


def accuracy(model: Transformer, task: Task, n: int, *, size: int = 64, seed: int = 1) -> float:
    """Return the share of right answers on sequences of `n` tokens, over the second half of the positions.

    The first half is left out because there a short sequence and a long one are the same.
    """
    right = total = 0.0
    drawn = task.batch(np.random.default_rng(seed), size, n)
    with one_thread():
        for batch in parts(drawn, model):
            hits = (model.logits(batch.tokens)[0].argmax(axis=-1) == batch.targets) * batch.counted
            right += float(hits[:, n // 2 :].sum())
            total += float(batch.counted[:, n // 2 :].sum())
    return right / total


def loss_by_position(model: Transformer, text: Text, n: int, *, characters: int = 1 << 14) -> Array:
    """Return the mean loss in nats at each of `n` positions, (n,), over pieces taken evenly from a text."""
    losses = []
    with one_thread():
        for batch in parts(text.spread(max(1, characters // n), n), model):
            losses.append(layers.cross_entropy(model.logits(batch.tokens)[0], batch.targets)[0])
    return np.asarray(np.concatenate(losses).mean(axis=0, dtype=np.float64))


def parts(whole: Batch, model: Transformer) -> list[Batch]:
    """Cut a batch into parts that fit in memory."""
    size, n = whole.targets.shape
    at_once = max(1, ROOM // (model.h * n * n))
    return [
        Batch(whole.tokens[:, part], whole.targets[part], whole.counted[part])
        for part in (slice(i, i + at_once) for i in range(0, size, at_once))
    ]
