"""The bug of the forgotten offset: decoded tokens at position 0 (lesson 9), and mistakes in mending it.

After Blaizzy/mlx-vlm#1983 and RobertCsordas/moeut#6. Wrong on purpose, each in one way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.attention import attention
from posenc.misconceptions.debugging.bug import Bug, alike, matrices, whole
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.plain import Array
from posenc.rotary import rope

#: Says at which positions the tokens from `start` to `stop` stand, after a prompt.
Placed = Callable[[int, int, int], Any]


def _turned(x: Array, positions: Any) -> Array:
    return rope(x, positions, layout="half")


def _reference(Q: Array, K: Array, V: Array, prompt: int) -> Array:
    p = np.arange(len(Q))
    return attention(_turned(Q, p), _turned(K, p), V, causal=True)


def _probe(n: int, d: int, prompt: int, claim: str) -> Probe:
    Q, K, V = waves(3, n, d)
    return Probe((Q, K, V, prompt), claim)


PROBES = (
    _probe(4, 2, 4, "With the whole text as the prompt, the answer must be the full causal pass."),
    _probe(
        5,
        4,
        2,
        "Decoding must equal the full causal pass: token t stands at position t, as a query and as a key, "
        "and sees tokens 0 to t.",
    ),
    _probe(6, 6, 1, "With a prompt of one token, decoding must still equal the full causal pass."),
    _probe(7, 4, 5, "Whatever the prompt's length, decoding must equal the full causal pass."),
)

FAMILY = Family("decode_after", _reference, PROBES)

CACHE = Bug(
    FAMILY,
    needs=(
        (
            lambda Q, K, V, p: matrices(Q, K, V) and Q.shape == K.shape and Q.shape[1] % 2 == 0,
            "Q and K must be float arrays of one shape (n, d), with d even, and V a float array.",
        ),
        (lambda Q, K, V, p: len(V) == len(Q), "V must be a float array with a row for each of the n tokens."),
        (lambda Q, K, V, p: len(Q) <= 100, "The text is longer than it need be: a few tokens show it."),
        (
            lambda Q, K, V, p: whole(p, 1, len(Q)),
            "prompt must be a whole number, at least 1 and at most the number of tokens.",
        ),
    ),
    blind=(
        (
            lambda Q, K, V, p: len(Q) == 1,
            "Your text has one token, and it stands at position 0. Take a longer text.",
        ),
        (
            lambda Q, K, V, p: p == len(Q),
            "Your whole text is the prompt: the cache starts at 0 and nothing is decoded after it. Leave "
            "some tokens for the decoding.",
        ),
        (
            lambda Q, K, V, p: alike(V),
            "All your values are equal, so every weighted average of them is the same. Let the values "
            "differ.",
        ),
        (
            lambda Q, K, V, p: not Q.any() or not K.any(),
            "Your Q or your K is 0 everywhere: all scores are equal, wherever the tokens stand.",
        ),
    ),
)


def _true(start: int, stop: int, prompt: int) -> Any:
    return np.arange(start, stop)


def _from_0(start: int, stop: int, prompt: int) -> Any:
    return np.arange(stop - start)


def _decoded(
    Q: Array, K: Array, V: Array, prompt: int, query: Placed = _true, key: Placed = _true, again: bool = False
) -> Array:
    """Attend to the prompt at once and then token by token, queries and keys placed as told."""
    keys, out = np.empty((0, K.shape[1])), []
    for start, stop in [(0, prompt), *((t, t + 1) for t in range(prompt, len(Q)))]:
        if again and start:
            keys = _turned(keys, np.arange(start))
        keys = np.concatenate([keys, _turned(K[start:stop], key(start, stop, prompt))])
        turned = _turned(Q[start:stop], query(start, stop, prompt))
        out.append(attention(turned, keys, V[:stop], causal=True))
    return np.concatenate(out)


def _later(place: Callable[[int, int], Any]) -> Placed:
    """Place decoded tokens by a rule of their own, and the prompt rightly."""
    return lambda start, stop, prompt: (
        place(start, prompt) + np.arange(stop - start) if start else np.arange(stop)
    )


def _both(place: Callable[[int, int], Any]) -> Callable[..., Any]:
    return lambda Q, K, V, prompt: _decoded(Q, K, V, prompt, _later(place), _later(place))


@FAMILY.add(
    "shipped",
    "This is still the shipped program: each decoded token is turned as position 0. Its position is the "
    "number of tokens before it: the length of the cache.",
)
def _shipped(Q: Array, K: Array, V: Array, prompt: int) -> Any:
    return _decoded(Q, K, V, prompt, _from_0, _from_0)


@FAMILY.add(
    "query-only",
    "The queries are mended; the keys that are decoded still enter the cache as position 0. Turn both by "
    "the length of the cache.",
)
def _query_only(Q: Array, K: Array, V: Array, prompt: int) -> Any:
    return _decoded(Q, K, V, prompt, _true, _from_0)


@FAMILY.add(
    "key-only",
    "The keys are mended; the queries that are decoded still stand at position 0. Turn both by the length "
    "of the cache.",
)
def _key_only(Q: Array, K: Array, V: Array, prompt: int) -> Any:
    return _decoded(Q, K, V, prompt, _from_0, _true)


FAMILY.add(
    "always-prompt",
    "All decoded tokens stand where the prompt ends. The position grows by one at each step: it is the "
    "length of the cache, not of the prompt.",
)(_both(lambda start, prompt: prompt))
FAMILY.add(
    "after-prompt",
    "Decoded tokens are counted from 0 again after the prompt. They go on where it ended.",
)(_both(lambda start, prompt: start - prompt))
FAMILY.add(
    "one-ahead",
    "Decoded tokens stand one position too far: a gap opens after the prompt. The new token's position is "
    "the length of the cache before it enters.",
)(_both(lambda start, prompt: start + 1))
FAMILY.add(
    "one-behind",
    "Decoded tokens stand one position too early: the first shares its place with the prompt's last. The "
    "position is the length of the cache before it enters.",
)(_both(lambda start, prompt: start - 1))
FAMILY.add(
    "prompt-twice",
    "The prompt's length is counted twice: decoded tokens jump ahead by it. A public tutorial had this bug "
    "too.",
)(_both(lambda start, prompt: start + prompt))


@FAMILY.add(
    "query-one-ahead",
    "The decoded query stands one position beyond its own key: the length of the cache was read after the "
    "key had entered. A token has one position.",
)
def _query_one_ahead(Q: Array, K: Array, V: Array, prompt: int) -> Any:
    return _decoded(Q, K, V, prompt, query=_later(lambda start, prompt: start + 1))


@FAMILY.add(
    "keys-rotated-again",
    "The cache is turned again at every step. A key is turned once, by its own position, when it enters.",
)
def _keys_rotated_again(Q: Array, K: Array, V: Array, prompt: int) -> Any:
    return _decoded(Q, K, V, prompt, again=True)


@FAMILY.add(
    "sees-the-future",
    "Tokens of the prompt see later ones. Keep the causal mask: token t sees tokens 0 to t.",
)
def _sees_the_future(Q: Array, K: Array, V: Array, prompt: int) -> Any:
    p = np.arange(len(Q))
    out = _reference(Q, K, V, prompt)
    out[:prompt] = attention(_turned(Q, p)[:prompt], _turned(K, p)[:prompt], V[:prompt])
    return out


@FAMILY.add(
    "values-rotated", "The values are turned as well. Only queries and keys are; values carry content."
)
def _values_rotated(Q: Array, K: Array, V: Array, prompt: int) -> Any:
    return _reference(Q, K, _turned(V, np.arange(len(V))), prompt)


@FAMILY.add(
    "neighbours",
    "The positions are right, but features 2i and 2i+1 are turned together. The shipped program pairs i "
    "with i + d/2: leave its layout.",
)
def _neighbours(Q: Array, K: Array, V: Array, prompt: int) -> Any:
    p = np.arange(len(Q))
    return attention(rope(Q, p), rope(K, p), V, causal=True)
