"""The numbers that lesson 7 gives its students, and how to ask transformers for each.

`make conformance` computes them anew from transformers. Without torch, `tests/lessons/test_07_claims.py`
holds that each stands in the lesson, that the lesson's own answers give it, and that no golden is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

HEAD = """| lesson 7 | transformers | numbers agreed / tried | worst |
|---|---|--:|--:|"""
#: A number of the lesson is right to its last digit.
DIGITS = 0.5000001e-8


@dataclass(frozen=True)
class Golden:
    """A call as it stands in the lesson, what it gives there, and the entry of transformers that says so too.

    `read` makes the lesson's numbers of what comes back: frequencies and the attention factor.
    """

    call: str
    want: tuple[float, ...]
    kind: str
    d: int
    parameters: dict[str, Any]
    read: Callable[[Any, float], Any]
    length: int | None = None

    def asked(self) -> Any:
        """Return what transformers makes of it, in double precision; imports torch."""
        from tests.conformance.precision import precision
        from tests.conformance.scaling import reference

        with precision("float64"):
            frequencies, factor = reference(self.kind, self.d, self.parameters, self.length)
        return np.atleast_1d(self.read(np.asarray(frequencies, np.float64), float(factor)))

    def off(self) -> Any:
        """Return how far transformers is from each number, in units of what its last digit allows."""
        allowed = DIGITS + 1e-10 * np.abs(self.want)
        return np.abs(self.asked() - np.asarray(self.want)) / allowed


def plain(d: int, base: float) -> Any:
    return base ** (-np.arange(0, d, 2) / d)


def interpolate(call: str, d: int, s: float, want: tuple[float, ...], base: float = 1e4) -> Golden:
    return Golden(call, want, "linear", d, {"rope_theta": base, "factor": s}, lambda f, m: f)


def larger_base(
    call: str, d: int, s: float, length: int, original: int, want: float, base: float = 1e4, digits: int = 8
) -> Golden:
    """Read the base off the second frequency: it is the base to the power -2 / d."""
    parameters = {"rope_theta": base, "factor": s, "original_max_position_embeddings": original}
    return Golden(
        call, (want,), "dynamic", d, parameters, lambda f, m: round(f[1] ** (-d / 2), digits), length
    )


def ntk(call: str, d: int, s: float, want: float, base: float = 1e4) -> Golden:
    """Ask for dynamic NTK with a factor of 1, at a length of s times the original: that is NTK."""
    return larger_base(call, d, 1.0, round(1000 * s), 1000, want, base)


def yarn(d: int, s: float, original: int, base: float, **betas: float) -> dict[str, Any]:
    return {"rope_theta": base, "factor": s, "original_max_position_embeddings": original, **betas}


def ramp(
    call: str, d: int, original: int, want: tuple[float, ...], base: float = 1e4, **betas: float
) -> Golden:
    """Read the ramp off the frequencies at s = 2: it is twice the part that was taken off."""
    parameters = yarn(d, 2.0, original, base, **betas)
    return Golden(call, want, "yarn", d, parameters, lambda f, m: 2 * (1 - f / plain(d, base)))


def temperature(call: str, s: float, want: float, read: Callable[[float], float] = lambda m: m) -> Golden:
    return Golden(call, (want,), "yarn", 8, yarn(8, s, 2048, 1e4), lambda f, m: read(m))


def llama3(call: str, pairs: slice, want: tuple[float, ...]) -> Golden:
    parameters = {"rope_theta": 5e5, "factor": 8.0, "original_max_position_embeddings": 8192}
    parameters |= {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    return Golden(call, want, "llama3", 128, parameters, lambda f, m: (plain(128, 5e5) / f)[pairs].round(4))


THIRDS = (0.0, 0.33333333, 0.66666667, 1.0, 1.0, 1.0, 1.0, 1.0)

GOLDENS = (
    interpolate("interpolate(f, 4)", 8, 4.0, (0.25, 0.025, 0.0025, 0.00025)),
    interpolate("interpolate(f, 2.5)", 6, 2.5, (0.4, 0.05039684, 0.0063496), 500.0),
    interpolate("interpolate(f, 16)", 6, 16.0, (0.0625, 0.00787451, 0.00099213), 500.0),
    ntk("ntk_base(4, 2, base=100.0)", 4, 2.0, 400.0, 100.0),
    ntk("ntk_base(8, 4)", 8, 4.0, 63496.04207873),
    ntk("ntk_base(128, 4)", 128, 4.0, 40889.94243249),
    ntk("ntk_base(6, 3, base=500.0)", 6, 3.0, 2598.07621135, 500.0),
    ntk("ntk_base(6, 1.5, base=100.0)", 6, 1.5, 183.71173071, 100.0),
    ntk("ntk_base(128, 2)", 128, 2.0, 20221.26168974),
    ntk("ntk_base(10, 1)", 10, 1.0, 10000.0),
    larger_base("dynamic_base(8, 2, 5, 8)", 8, 2.0, 5, 8, 10000.0),
    larger_base("dynamic_base(4, 2, 12, 8, base=100.0)", 4, 2.0, 12, 8, 400.0, 100.0),
    larger_base("dynamic_base(128, 2, 4096, 2048)", 128, 2.0, 4096, 2048, 30527.73674881),
    larger_base("dynamic_base(128, 1, 4096, 2048)", 128, 1.0, 4096, 2048, 20221.26168974),
    larger_base("dynamic_base(6, 3, 11, 7, base=100.0)", 6, 3.0, 11, 7, 447.18099857, 100.0),
    larger_base("dynamic_base(6, 3, 6, 7)", 6, 3.0, 6, 7, 10000.0),
    larger_base("dynamic_base(10, 1, 50, 16)", 10, 1.0, 50, 16, 41549.18669488),
    larger_base("dynamic_base(6, 3, 7, 7, base=500.0)", 6, 3.0, 7, 7, 500.0, 500.0),
    ramp("ramp(16, 256)", 16, 256, (0, 0.25, 0.5, 0.75, 1, 1, 1, 1)),
    ramp("ramp(16, 64)", 16, 64, THIRDS),
    ramp("ramp(12, 700)", 12, 700, (0, 0.25, 0.5, 0.75, 1, 1)),
    ramp(
        "ramp(32, 8192, base=500000.0)",
        32,
        8192,
        (0, 0, 0, 0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1, 1, 1, 1, 1, 1),
        5e5,
    ),
    ramp(
        "ramp(14, 300, beta_fast=8, base=100.0)", 14, 300, (0, 0, 0, 0.25, 0.5, 0.75, 1), 100.0, beta_fast=8.0
    ),
    ramp("ramp(14, 80)", 14, 80, (0, 0.5, 1, 1, 1, 1, 1)),
    ramp("ramp(12, 700, base=10.0)", 12, 700, (0, 0, 0, 0, 0.125, 0.25), 10.0),
    ramp("ramp(24, 100000)", 24, 100000, (0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2, 0.4, 0.6)),
    ramp(
        "ramp(10, 1000, beta_fast=16, beta_slow=0.5, base=30.0)",
        10,
        1000,
        (0, 0, 0, 0, 0.16666667),
        30.0,
        beta_fast=16.0,
        beta_slow=0.5,
    ),
    Golden(
        "blend(f, 4, rho)",
        (1, 0.25693506, 0.0625, 0.01383496, 0.0025, 0.00079057, 0.00025, 0.00007906),
        "yarn",
        16,
        yarn(16, 4.0, 256, 1e4),
        lambda f, m: f,
    ),
    temperature("temperature(4)", 4.0, 1.13862944),
    temperature("temperature(32)", 32.0, 1.34657359),
    temperature("temperature(0.7)", 0.7, 1.0),
    temperature("m_16", 16.0, 1.27725887),
    temperature("logit_16", 16.0, 3.26278045, lambda m: 2 * m * m),
    llama3(
        "(old / llama3(128, 8, 8192))[28:36]",
        slice(28, 36),
        (1.0, 1.2075, 1.5534, 2.0263, 2.6945, 3.6843, 5.2573, 8.0),
    ),
)
#: Numbers of the prose and the pictures, by the words that they stand in.
PROSE = (
    *(
        larger_base(f"{base:.2f}", 128, 2.0, length, 2048, base, digits=2)
        for length, base in [(3072, 20221.26), (4096, 30527.74), (8192, 72195.86)]
    ),
    Golden(
        "1.1902 for $s = 32$, $L = 4096$",
        (1.1902,),
        "longrope",
        8,
        {**yarn(8, 32.0, 4096, 1e4), "short_factor": [1.0] * 4, "long_factor": [2.0] * 4},
        lambda f, m: round(m, 4),
        8192,
    ),
    Golden(
        "stops halfway: 1, 0.1, 0, 0",
        (1.0, 0.1, 0.0, 0.0),
        "proportional",
        8,
        {"rope_theta": 1e4, "factor": 1.0, "partial_rotary_factor": 0.5},
        lambda f, m: f,
    ),
)
#: Goldens that transformers cannot be asked for: a ramp that no model has.
OURS_ALONE = ("blend(f, 2.5, rho)",)


def agreement() -> Iterator[tuple[Golden, int, float]]:
    """Yield each golden, how many of its numbers transformers agrees with, and the worst, 1 being allowed."""
    for golden in (*GOLDENS, *PROSE):
        off = golden.off()
        yield golden, int((off <= 1).sum()) if off.shape == (len(golden.want),) else 0, float(off.max())


def agrees() -> bool:
    """Print the table; return whether transformers agrees with every number of the lesson."""
    print(f"\n{HEAD}")
    all_agree = True
    for golden, agreed, worst in agreement():
        print(f"| `{golden.call}` | {golden.kind} | {agreed} / {len(golden.want)} | {worst:.2g} |")
        all_agree = all_agree and agreed == len(golden.want)
    return all_agree
