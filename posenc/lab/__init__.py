"""A small Transformer in NumPy, with its gradients by hand: enough to see which encoding extrapolates.

Any number of layers, any encoding of the library or of the reader's own making, three tasks, and a training
loop that a laptop finishes in seconds. Written to be read: `layers` holds every gradient, `transformer` puts
layers together, `training` moves the weights. Nothing here is tuned for a score.

Examples
--------
>>> from posenc.lab import Registers, Transformer, encodings, train
>>> model = Transformer(Registers.sizes, 8, encodings.alibi(), seed=0)
>>> run = train(model, Registers(), steps=3, progress=False)
>>> len(run.losses)
3
"""

from __future__ import annotations

from posenc.lab import encodings
from posenc.lab.encodings import Encoding
from posenc.lab.measures import accuracy, loss_by_position
from posenc.lab.registers import Needle, Registers
from posenc.lab.text import Text
from posenc.lab.training import Run, train, train_all
from posenc.lab.transformer import Transformer
from posenc.lab.weights import pretrained

__all__ = [
    "Encoding",
    "Needle",
    "Registers",
    "Run",
    "Text",
    "Transformer",
    "accuracy",
    "encodings",
    "loss_by_position",
    "pretrained",
    "train",
    "train_all",
]
