"""The exercise ``cache_bytes(n, layers, heads, d, full, window)`` and its mistakes: what a cache weighs.

Wrong on purpose, each in one way. A layer keeps all tokens, or the last `window` of them.
"""

from __future__ import annotations

from collections.abc import Callable

from posenc.misconceptions.entry import Family, Probe

#: How many tokens all layers together keep, from n, layers, full and window.
Kept = Callable[[int, int, int, int], int]
#: How many bytes a token takes in a layer, from heads and d.
Token = Callable[[int, int], float]

PROBES = (
    Probe((50, 7, 3, 6, 7, 11), "Where every layer keeps all tokens: a key and a value, 2 bytes a number."),
    Probe((50, 7, 3, 6, 0, 11), "Where every layer has a window, no layer keeps more tokens than that."),
    Probe((50, 7, 3, 6, 2, 11), "Some layers keep all tokens, and the others the last ones only."),
    Probe(
        (5, 7, 3, 6, 2, 11), "As long as the text is shorter than the window, every layer keeps all tokens."
    ),
)


def _right_kept(n: int, layers: int, full: int, window: int) -> int:
    return full * n + (layers - full) * min(n, window)


def _right_token(heads: int, d: int) -> float:
    return 2 * 2 * heads * d


def weighed(kept: Kept = _right_kept, token: Token = _right_token) -> Callable[..., float]:
    """Return the function that counts tokens and their bytes in these ways."""

    def cache_bytes(n: int, layers: int, heads: int, d: int, full: int, window: int) -> float:
        return kept(n, layers, full, window) * token(heads, d)

    return cache_bytes


CACHE_BYTES = Family("cache_bytes", weighed(), PROBES)

CACHE_BYTES.add(
    "half",
    "Half of it is missing: a token leaves a key and a value, and each number takes 2 bytes.",
)(weighed(token=lambda heads, d: 2 * heads * d))
CACHE_BYTES.add(
    "quarter",
    "A quarter of it is there: a token leaves a key and a value, and each number takes 2 bytes.",
)(weighed(token=lambda heads, d: heads * d))
CACHE_BYTES.add(
    "single-precision",
    "That is twice as much: a float16 takes 2 bytes, not 4.",
)(weighed(token=lambda heads, d: 8 * heads * d))
CACHE_BYTES.add(
    "bits",
    "That is eight times as much: the answer is in bytes, not in bits.",
)(weighed(token=lambda heads, d: 32 * heads * d))
CACHE_BYTES.add(
    "queries-too",
    "Queries are counted as well. A query is used once, at its own step: the cache holds keys and "
    "values only.",
)(weighed(token=lambda heads, d: 6 * heads * d))
CACHE_BYTES.add(
    "one-head",
    "Only one head is counted, or d is divided by the heads. Here d is the width of one head: "
    "multiply by both.",
)(weighed(token=lambda heads, d: 4 * d))
CACHE_BYTES.add(
    "kibibytes",
    "The answer must be in bytes: here it is divided by 1024.",
)(weighed(token=lambda heads, d: 4 * heads * d / 1024))
CACHE_BYTES.add(
    "gibibytes",
    "The answer must be in bytes: here it is divided by 1024 three times.",
)(weighed(token=lambda heads, d: 4 * heads * d / 1024**3))
CACHE_BYTES.add(
    "window-ignored",
    "Every layer keeps all tokens here. Only the full layers do; the others drop what is behind "
    "their window.",
)(weighed(lambda n, layers, full, window: layers * n))
CACHE_BYTES.add(
    "all-windowed",
    "Every layer has a window here. The full layers keep all tokens.",
)(weighed(lambda n, layers, full, window: layers * min(n, window)))
CACHE_BYTES.add(
    "window-always-filled",
    "A window is counted whole from the first token on. A layer keeps no more tokens than there are.",
)(weighed(lambda n, layers, full, window: full * n + (layers - full) * window))
CACHE_BYTES.add(
    "larger-of-the-two",
    "A windowed layer keeps the smaller of the two, the tokens so far or the window. Here it is the larger.",
)(weighed(lambda n, layers, full, window: full * n + (layers - full) * max(n, window)))
CACHE_BYTES.add(
    "full-exchanged",
    "The two kinds of layers are exchanged: `full` says how many keep all tokens.",
)(weighed(lambda n, layers, full, window: (layers - full) * n + full * min(n, window)))
CACHE_BYTES.add(
    "full-only",
    "Only the full layers are counted. The others hold a window of tokens each.",
)(weighed(lambda n, layers, full, window: full * n))
CACHE_BYTES.add(
    "full-counted-twice",
    "The full layers are counted twice, with a window as well. There are layers minus full windowed ones.",
)(weighed(lambda n, layers, full, window: full * n + layers * min(n, window)))
CACHE_BYTES.add(
    "layers-missing",
    "One layer of each kind is counted. Multiply by how many there are: full of one, the rest of the other.",
)(weighed(lambda n, layers, full, window: (n if full else 0) + (min(n, window) if full < layers else 0)))
CACHE_BYTES.add(
    "squared",
    "That grows with the square of the length, as a matrix of scores does. The cache holds a key and "
    "a value a "
    "token.",
)(weighed(lambda n, layers, full, window: full * n * n + (layers - full) * min(n, window) ** 2))
