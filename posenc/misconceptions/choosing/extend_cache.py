"""The exercise ``extend_cache(cache, x, W, s, original)`` and its mistakes: one more key and value.

Wrong on purpose, each in one way. The new token's position is the number of tokens already there.
"""

from __future__ import annotations

import numpy as np

from posenc.misconceptions.choosing.block import (
    append,
    at,
    extend_cache,
    split,
    turn_heads,
    turned_by,
    waves,
    weights,
)
from posenc.misconceptions.choosing.turn_heads import without_factor
from posenc.misconceptions.entry import Family, Probe
from posenc.plain import Array
from posenc.rotary import rope
from posenc.scaling import yarn

PROBES = (
    Probe(
        (waves(2, 3, 0, 6), waves(18), weights(18), 2, 100),
        "The first token stands at position 0: its key is not turned, though multiplied by the "
        "attention factor, and "
        "its value is plain.",
    ),
    Probe(
        (waves(2, 3, 5, 6, phase=1), waves(18, phase=2), weights(18, phase=3), 2, 100),
        "The new token comes last, and stands at the position that is the number of tokens before it.",
    ),
    Probe(
        (waves(2, 2, 9, 16, phase=4), waves(32, phase=5), weights(32, phase=6), 4, 256),
        "Any number of heads, any head's width, any stretch: the key is turned head by head, the "
        "value is not.",
    ),
)


EXTEND_CACHE = Family("extend_cache", extend_cache, PROBES)


EXTEND_CACHE.add(
    "key-not-turned",
    "The key is stored as it came from its matrix. Turn it to its position when it enters.",
)(turned_by(extend_cache, lambda x, p, s, original: x))
EXTEND_CACHE.add(
    "key-at-0",
    "Every key is turned to position 0. The new token's position is the number of tokens that are in "
    "the cache.",
)(at(extend_cache, lambda cache: 0))
EXTEND_CACHE.add(
    "key-one-ahead",
    "The key stands one position too far: with t tokens in the cache, the new one stands at t, "
    "counted from 0.",
)(at(extend_cache, lambda cache: cache.shape[2] + 1))
EXTEND_CACHE.add(
    "key-one-behind",
    "The key stands at the last token's position. With t tokens in the cache, the new one stands at t.",
)(at(extend_cache, lambda cache: cache.shape[2] - 1))
EXTEND_CACHE.add(
    "position-is-len",
    "The position is len(cache), which is 2 however long the text: one for keys, one for values. "
    "Tokens lie along "
    "axis 2.",
)(at(extend_cache, len))
EXTEND_CACHE.add(
    "position-is-heads",
    "The position is the number of heads. The cache is (2, h, t, w): tokens lie along axis 2.",
)(at(extend_cache, lambda cache: cache.shape[1]))
EXTEND_CACHE.add(
    "not-stretched",
    "The key is turned by plain RoPE. Use turn_heads, which stretches as YaRN does.",
)(turned_by(extend_cache, lambda x, p, s, original: rope(x, p)))
EXTEND_CACHE.add(
    "factor-missing",
    "The attention factor is missing from the key. Keys carry it as queries do.",
)(
    turned_by(
        extend_cache,
        without_factor,
    )
)
EXTEND_CACHE.add(
    "extended-length",
    "The extended length goes into the turning. Hand on the original length as it came.",
)(turned_by(extend_cache, lambda x, p, s, original: turn_heads(x, p, s, original * s)))


@EXTEND_CACHE.add(
    "key-turned-unsplit",
    "The key is turned before it is cut into heads, so pairs get the model's speeds. Cut first, then "
    "turn each head.",
)
def _key_turned_unsplit(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    _, h, t, _ = cache.shape
    key = turn_heads((x @ W[1])[None, None], [t], s, original)
    return append(cache, split(key, h), split(x @ W[2], h))


@EXTEND_CACHE.add(
    "turned-before-matrix",
    "The row is turned before its matrix. Multiply by the key matrix first, then turn what comes out.",
)
def _turned_before_matrix(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    _, h, t, _ = cache.shape
    turned = turn_heads(split(x, h), [t], s, original).reshape(-1)
    return append(cache, split(turned @ W[1], h), split(x @ W[2], h))


@EXTEND_CACHE.add(
    "cache-turned-again",
    "The keys that were in the cache are turned again. A key is turned once, when it enters.",
)
def _cache_turned_again(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    _, h, t, _ = cache.shape
    longer = append(cache, split(x @ W[1], h), split(x @ W[2], h))
    return np.stack([turn_heads(longer[0], np.arange(t + 1), s, original), longer[1]])


@EXTEND_CACHE.add(
    "values-turned",
    "The value is turned as well. Values carry content and stay as they are.",
)
def _values_turned(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    _, h, t, _ = cache.shape
    return append(cache, *(turn_heads(split(x @ W[i], h), [t], s, original) for i in (1, 2)))


@EXTEND_CACHE.add(
    "values-scaled",
    "The value is multiplied by the attention factor. That belongs to queries and keys.",
)
def _values_scaled(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    longer = extend_cache(cache, x, W, s, original)
    longer[1, :, -1] *= yarn(cache.shape[-1], s, original=original)[1]
    return longer


@EXTEND_CACHE.add(
    "keys-and-values-exchanged",
    "Key and value are exchanged. Keys are cache[0], values cache[1].",
)
def _keys_and_values_exchanged(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    new = extend_cache(cache, x, W, s, original)[:, :, -1:]
    return append(cache, new[1], new[0])


@EXTEND_CACHE.add(
    "matrices-shifted",
    "The matrices are one off: W[0] makes queries, W[1] keys, W[2] values, W[3] the output.",
)
def _matrices_shifted(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return extend_cache(cache, x, np.roll(W, 1, axis=0), s, original)


@EXTEND_CACHE.add(
    "matrices-transposed", "The matrices are used from the wrong side: rows go on the left, x @ W[1]."
)
def _matrices_transposed(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return extend_cache(cache, x, W.swapaxes(1, 2), s, original)


@EXTEND_CACHE.add(
    "heads-interleaved",
    "Features are dealt out to the heads one by one. A head is a run of neighbours: reshape to (h, "
    "1, w), heads first.",
)
def _heads_interleaved(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    h, w = cache.shape[1], cache.shape[3]
    dealt = W.reshape(4, h * w, w, h).swapaxes(2, 3).reshape(W.shape)
    return extend_cache(cache, x, dealt, s, original)


@EXTEND_CACHE.add(
    "new-one-first", "The new token comes first. It is the latest: append it behind the others."
)
def _new_one_first(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return np.roll(extend_cache(cache, x, W, s, original), 1, axis=2)


@EXTEND_CACHE.add("only-the-new", "Only the new key and value came back. Return the old ones as well.")
def _only_the_new(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    return extend_cache(cache, x, W, s, original)[:, :, -1:]


@EXTEND_CACHE.add(
    "oldest-dropped",
    "The oldest token fell out, so the cache does not grow. This one keeps all tokens.",
)
def _oldest_dropped(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
    longer = extend_cache(cache, x, W, s, original)
    return longer[:, :, 1:] if cache.shape[2] else longer
