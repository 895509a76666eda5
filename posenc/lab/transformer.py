"""A causal Transformer of any number of layers, and the way back through it.

Each layer normalises, attends, adds; normalises, goes through a small network, adds. No biases, no gains, no
dropout. This room puts `layers` together and knows every parameter by name; it moves none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from posenc.attention import causal_mask
from posenc.lab import layers
from posenc.lab.encodings import Encoding
from posenc.lab.layers import Array, linear, relu, rms_norm

__all__ = ["Gradients", "Transformer"]

Gradients: TypeAlias = dict[str, Array]


class Transformer:
    """A small decoder: tokens in, logits of the next answer out.

    Parameters
    ----------
    sizes : sequence of int
        How many different tokens each stream has. The embeddings of all streams are added.
    n_out : int
        Number of classes to choose among.
    encoding : Encoding
        Where position enters.
    d, h, hidden, n_layers : int, optional
        Features, heads, width of the small network, layers.
    seed : int, optional
        Decides the random start.
    dtype : dtype, optional
        Of parameters and of all that is computed.

    Attributes
    ----------
    parameters : dict of str to ndarray
        Every parameter by name.

    Raises
    ------
    ValueError
        If the features cannot be shared out among the heads.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        n_out: int,
        encoding: Encoding,
        *,
        d: int = 64,
        h: int = 4,
        hidden: int = 128,
        n_layers: int = 1,
        seed: int = 0,
        dtype: DTypeLike = np.float32,
    ) -> None:
        if d % h:
            raise ValueError(f"d must be a multiple of h, got d = {d} and h = {h}")
        self.encoding, self.d, self.h, self.n_layers = encoding, d, h, n_layers
        rng = np.random.default_rng(seed)

        def start(n: int, m: int, spread: float) -> Array:
            return (spread * rng.normal(size=(n, m))).astype(dtype)

        self.parameters: dict[str, Array] = {}
        for i, size in enumerate(sizes):
            self.parameters[f"embedding {i}"] = start(size, d, 1.0)
        if encoding.rows:
            self.parameters["positions"] = start(encoding.rows, d, 1.0)
        if encoding.n_buckets:
            self.parameters["buckets"] = start(encoding.n_buckets, h, 0.0)
        deep = (2 * n_layers) ** -0.5  # so that the sum of all layers starts no larger than the embedding
        for i in range(n_layers):
            self.parameters[f"{i} qkv"] = start(d, 3 * d, d**-0.5)
            self.parameters[f"{i} out"] = start(d, d, deep * d**-0.5)
            self.parameters[f"{i} up"] = start(d, hidden, d**-0.5)
            self.parameters[f"{i} down"] = start(hidden, d, deep * hidden**-0.5)
        self.parameters["unembed"] = start(d, n_out, d**-0.5)

    @property
    def dtype(self) -> np.dtype[Any]:
        """What everything is computed in."""
        return self.parameters["unembed"].dtype

    def with_encoding(self, encoding: Encoding) -> Transformer:
        """Return a model that shares these parameters, with position entering in another way.

        Raises
        ------
        ValueError
            If the other encoding has parameters, which nothing has trained.
        """
        if encoding.rows or encoding.n_buckets:
            raise ValueError(f"encoding must have no parameters of its own, got {encoding.name}")
        other = object.__new__(Transformer)
        other.__dict__ = self.__dict__ | {"encoding": encoding}
        return other

    def logits(self, tokens: NDArray[np.integer[Any]]) -> tuple[Array, Callable[[Array], Gradients]]:
        """Run the model: tokens (streams, batch, n) to logits (batch, n, n_out), and the way back.

        Raises
        ------
        IndexError
            If a learned table has fewer than `n` rows.
        ValueError
            If `tokens` has another number of streams or axes.
        """
        n = tokens.shape[-1]
        gradients: Gradients = {}
        x, back_embed = self._embed(tokens)
        maps = self.encoding.maps(n, self.d // self.h, self.dtype)
        bias, back_bias = self._bias(n)
        blocks = []
        for i in range(self.n_layers):
            x, back_attend = self._attend(i, x, maps, bias)
            x, back_think = self._think(i, x)
            blocks.append((back_attend, back_think))
        x, back_norm = rms_norm(x)
        logits, back_unembed = linear(x, self.parameters["unembed"])

        def back(dlogits: Array) -> Gradients:
            dx, gradients["unembed"] = back_unembed(dlogits)
            dx, dbias = back_norm(dx), np.zeros_like(bias)
            for back_attend, back_think in reversed(blocks):
                dx = back_think(dx, gradients)
                dx, more = back_attend(dx, gradients)
                dbias = dbias + more
            back_bias(dbias, gradients)
            back_embed(dx, gradients)
            return gradients

        return logits, back

    def loss(
        self, tokens: NDArray[np.integer[Any]], targets: NDArray[np.integer[Any]], counted: Array
    ) -> tuple[float, Callable[[], Gradients]]:
        """Return the mean loss in nats over the places that are counted, (batch, n), and the way back."""
        logits, back = self.logits(tokens)
        each, back_each = layers.cross_entropy(logits, targets)
        share = (counted / max(counted.sum(), 1)).astype(self.dtype)
        return float((each * share).sum()), lambda: back(back_each(share))

    def _embed(self, tokens: Array) -> tuple[Array, Callable[[Array, Gradients], None]]:
        """Add up the embeddings of all streams, and what the encoding adds."""
        n, encoding = tokens.shape[-1], self.encoding
        streams = sum(name.startswith("embedding") for name in self.parameters)
        if tokens.ndim != 3 or len(tokens) != streams:
            raise ValueError(f"tokens must have shape ({streams}, batch, n), got {tokens.shape}")
        looked_up = [
            layers.embedding(stream, self.parameters[f"embedding {i}"]) for i, stream in enumerate(tokens)
        ]
        x = sum((rows for rows, _ in looked_up[1:]), looked_up[0][0])
        if encoding.rows:
            if n > encoding.rows:
                raise IndexError(f"positions must be from 0 to {encoding.rows - 1}, got {n - 1}")
            x = x + self.parameters["positions"][:n]
        if encoding.add is not None:
            x = x + np.asarray(encoding.add(n, self.d)).astype(self.dtype)

        def back(dx: Array, gradients: Gradients) -> None:
            for i, (_, back_rows) in enumerate(looked_up):
                gradients[f"embedding {i}"] = back_rows(dx)
            if encoding.rows:
                gradients["positions"] = np.zeros_like(self.parameters["positions"])
                gradients["positions"][:n] = dx.sum(axis=0)

        return x, back

    def _bias(self, n: int) -> tuple[Array, Callable[[Array, Gradients], None]]:
        """Return what is added to the scores, (h or 1, n, n): -inf for keys after the query."""
        encoding = self.encoding
        bias = np.where(causal_mask(n, n), 0, -np.inf)[None].astype(self.dtype)
        if encoding.bias is not None:
            bias = bias + np.asarray(encoding.bias(n, self.h)).astype(self.dtype)
        bucket = None if encoding.bucket is None else np.asarray(encoding.bucket(n))
        if bucket is not None:
            bias = bias + np.moveaxis(self.parameters["buckets"][bucket], -1, 0)

        def back(dbias: Array, gradients: Gradients) -> None:
            if bucket is not None:
                reads = layers.one_hot(bucket.ravel(), encoding.n_buckets, self.dtype)
                gradients["buckets"] = reads.T @ dbias.reshape(self.h, -1).T

        return bias, back

    def _attend(
        self, i: int, x: Array, maps: Array | None, bias: Array
    ) -> tuple[Array, Callable[[Array, Gradients], tuple[Array, Array]]]:
        batch, n, d = x.shape
        y, back_norm = rms_norm(x)
        qkv, back_qkv = linear(y, self.parameters[f"{i} qkv"])
        q, k, v = np.moveaxis(qkv.reshape(batch, n, 3, self.h, -1), (2, 3), (0, 2))  # each (batch, h, n, d/h)
        q, back_q = layers.turned(q, maps)
        k, back_k = layers.turned(k, maps)
        heads, back_heads = layers.attention(q, k, v, bias)
        out, back_out = linear(heads.swapaxes(1, 2).reshape(batch, n, d), self.parameters[f"{i} out"])

        def back(dy: Array, gradients: Gradients) -> tuple[Array, Array]:
            dheads, gradients[f"{i} out"] = back_out(dy)
            dq, dk, dv, dbias = back_heads(dheads.reshape(batch, n, self.h, -1).swapaxes(1, 2))
            dqkv = np.stack([back_q(dq), back_k(dk), dv])  # (3, batch, h, n, d/h)
            dqkv = np.moveaxis(dqkv, (0, 2), (2, 3)).reshape(batch, n, -1)
            dx, gradients[f"{i} qkv"] = back_qkv(dqkv)
            return dy + back_norm(dx), dbias

        return x + out, back

    def _think(self, i: int, x: Array) -> tuple[Array, Callable[[Array, Gradients], Array]]:
        y, back_norm = rms_norm(x)
        up, back_up = linear(y, self.parameters[f"{i} up"])
        on, back_on = relu(up)
        down, back_down = linear(on, self.parameters[f"{i} down"])

        def back(dy: Array, gradients: Gradients) -> Array:
            dx, gradients[f"{i} down"] = back_down(dy)
            dx, gradients[f"{i} up"] = back_up(back_on(dx))
            return np.asarray(dy + back_norm(dx))

        return x + down, back
