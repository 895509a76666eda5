"""The bug of YaRN's factor: it reaches the queries and not the keys (lesson 9), and mistakes in mending it.

After onnxruntime/mobius#548 and NVIDIA/TensorRT-LLM#16379. Wrong on purpose, each in one way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.attention import attention_weights
from posenc.misconceptions.debugging.bug import Bug, alike, matrices
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.plain import Array
from posenc.scaling import yarn


def _m(s: float) -> float:
    return yarn(4, s, original=4096)[1]


def _reference(q: Array, k: Array, s: float) -> Array:
    return attention_weights(_m(s) * q, _m(s) * k)


def _probe(n: int, m: int, d: int, s: float, claim: str) -> Probe:
    return Probe((waves(n, d), waves(m + 1, d)[1:], s), claim)


PROBES = (
    _probe(3, 4, 4, 1, "At stretch 1 nothing changes: the weights are softmax(q . k / sqrt(d))."),
    _probe(3, 5, 4, 4, "The factor must multiply q and k, so each score by its square, before the softmax."),
    _probe(2, 1, 6, 8, "With one key the weight is 1, whatever the factor."),
    _probe(4, 3, 6, 32, "A larger stretch has a larger factor, 0.1 * ln(s) + 1."),
)


def _leads(q: Array, k: Array) -> Array:
    """Return by how much the largest score of each query leads, before any factor."""
    scores = np.sort(q @ k.T / np.sqrt(q.shape[1]), axis=1)
    return np.asarray(scores[:, -1] - scores[:, -2])


FAMILY = Family("yarn_weights", _reference, PROBES)

FACTOR = Bug(
    FAMILY,
    needs=(
        (
            lambda q, k, s: matrices(q, k) and q.shape[1] == k.shape[1],
            "q and k must be float arrays (n, d) and (m, d), with the same d.",
        ),
        (lambda q, k, s: q.size + k.size <= 2000, "q or k is larger than it need be: a few rows show it."),
        (lambda q, k, s: np.ndim(s) == 0 and 1 <= s <= 10**6, "s must be one number, at least 1."),
    ),
    blind=(
        (
            lambda q, k, s: s == 1,
            "Your stretch is 1: the factor is 1 there, and it does not matter how often it counts.",
        ),
        (
            lambda q, k, s: len(k) == 1,
            "You have one key: it gets all the weight, whatever its score. Take more keys.",
        ),
        (
            lambda q, k, s: not q.any() or alike(k),
            "Every query scores all of your keys alike, and equal scores stay equal under any factor. Let "
            "the keys differ.",
        ),
        (
            lambda q, k, s: np.ptp(q @ k.T, axis=1).max() < 0.1,
            "Your scores are nearly equal for each query, so the weights hardly feel a factor. Make q or k "
            "larger.",
        ),
        (
            lambda q, k, s: _leads(q, k).min() > 7,
            "In each row one score towers above the others, and takes all the weight whatever the factor. "
            "Make q or k smaller.",
        ),
    ),
)

FAMILY.add(
    "shipped",
    "The factor counts once: on the queries alone, on the keys alone, or once on the scores. Both q and k "
    "get it, so a score gets its square.",
)(lambda q, k, s: attention_weights(_m(s) * q, k))


def _scaled(factor: Callable[[float], float]) -> Callable[..., Any]:
    """Multiply the scores by a factor of the stretch."""
    return lambda q, k, s: attention_weights(factor(s) * q, k)


for _name, _line, _factor in (
    (
        "none",
        "The factor is gone: the weights do not depend on the stretch. Multiply both q and k by it.",
        lambda s: 1.0,
    ),
    (
        "four-times",
        "The factor counts four times: it is on q and k, and its square on the scores again. One of the two "
        "is enough.",
        lambda s: _m(s) ** 4,
    ),
    (
        "three-times",
        "The factor counts three times: on q, on k, and on the scores. q and k are enough.",
        lambda s: _m(s) ** 3,
    ),
    (
        "divided",
        "The scores are divided by the factor's square: attention gets flatter. YaRN sharpens it: multiply.",
        lambda s: _m(s) ** -2,
    ),
    (
        "cancelled",
        "The factor divides the scores once. Both q and k are multiplied by it.",
        lambda s: 1 / _m(s),
    ),
    (
        "log-10",
        "The logarithm is that of base 10. The factor has the natural one: np.log.",
        lambda s: (0.1 * np.log10(s) + 1) ** 2,
    ),
    (
        "log-2",
        "The logarithm is that of base 2. The factor has the natural one: np.log.",
        lambda s: (0.1 * np.log2(s) + 1) ** 2,
    ),
    (
        "log-twice",
        "The factor went through its own formula again: a logarithm of a logarithm. Use 0.1 * ln(s) + 1 as "
        "it is.",
        lambda s: (0.1 * _m(s) * np.log(s) + 1) ** 2,
    ),
    (
        "square-inside",
        "The stretch was squared inside the logarithm. Square the factor: (0.1 * ln(s) + 1) ** 2.",
        lambda s: 0.2 * np.log(s) + 1,
    ),
    (
        "no-one",
        "The 1 is missing: at stretch 1 the factor would be 0. It is 0.1 * ln(s) + 1.",
        lambda s: (0.1 * np.log(s)) ** 2,
    ),
    (
        "stretch-itself",
        "The scores are multiplied by the stretch itself. The factor is 0.1 * ln(s) + 1.",
        lambda s: s,
    ),
):
    FAMILY.add(_name, _line)(_scaled(_factor))


@FAMILY.add(
    "after-softmax",
    "The factor multiplies the weights, after the softmax: they no longer sum to 1. It belongs to q and k.",
)
def _after_softmax(q: Array, k: Array, s: float) -> Any:
    return _m(s) ** 2 * attention_weights(q, k)


@FAMILY.add("not-scaled", "The scores are not divided by the square root of d, as the shipped program does.")
def _not_scaled(q: Array, k: Array, s: float) -> Any:
    return attention_weights(_m(s) * q, _m(s) * k, scale=1.0)


@FAMILY.add(
    "scores", "These are scores, not weights. Put each row through the softmax, as the shipped program does."
)
def _scores(q: Array, k: Array, s: float) -> Any:
    return _m(s) ** 2 * q @ k.T / np.sqrt(q.shape[1])
