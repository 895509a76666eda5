"""Answers to lesson 7 that must pass, and wrong ones beyond the catalogue's."""

import math

import numpy as np

from tests.lessons.exercise import Exercise

# --- a larger base


def logarithmic_base(d, s, base=10000.0):
    return math.exp(math.log(base) + d / (d - 2) * math.log(s))


def base_of_the_last_pair(d, s, base=10000.0):
    """Solve for the base whose last frequency is that of position interpolation."""
    last = base ** (-(d - 2) / d) / s
    return last ** (-d / (d - 2))


def base_step_by_step(d, s, base=10000.0):
    """Count as digits do: d/2 - 1 steps from the first pair to the last share the stretch."""
    step = base ** (2 / d) * s ** (1 / (d // 2 - 1))
    return np.prod([step] * (d // 2))


def hf_dynamic(d, s, length, original, base=10000.0):
    length = max(length, original)
    return base * ((s * length / original) - (s - 1)) ** (d / (d - 2))


def branching_dynamic(d, s, length, original, base=10000.0):
    if length <= original:
        return base
    return base * (1 + s * (length - original) / original) ** (d / (d - 2))


# --- the ramp


def hf_ramp(d, original, beta_fast=32, beta_slow=1, base=10000.0):
    """Answer as the code of transformers does, its way out of a division by zero included."""

    def correction_dim(rotations):
        return (d * math.log(original / (rotations * 2 * math.pi))) / (2 * math.log(base))

    low, high = (
        max(math.floor(correction_dim(beta_fast)), 0),
        min(math.ceil(correction_dim(beta_slow)), d - 1),
    )
    if low == high:
        high += 0.001
    return np.clip((np.arange(d // 2, dtype=np.float64) - low) / (high - low), 0, 1)


def loop_ramp(d, original, beta_fast=32, beta_slow=1, base=10000.0):
    lo = max(0, int(np.floor(d * np.log(original / (2 * np.pi * beta_fast)) / (2 * np.log(base)))))
    hi = min(d - 1, int(np.ceil(d * np.log(original / (2 * np.pi * beta_slow)) / (2 * np.log(base)))))
    values = []
    for i in range(d // 2):
        if i <= lo:
            values.append(0.0)
        elif i >= hi:
            values.append(1.0)
        else:
            values.append((i - lo) / (hi - lo))
    return np.array(values)


def interpolated_ramp(d, original, beta_fast=32, beta_slow=1, base=10000.0):
    """Draw the straight line with np.interp, and solve for the pairs in wavelengths."""
    lo, hi = (d / 2 * np.log2(original / n / (2 * np.pi)) / np.log2(base) for n in (beta_fast, beta_slow))
    return np.interp(np.arange(d // 2), [max(np.floor(lo), 0), min(np.ceil(hi), d - 1)], [0, 1])


def list_ramp(d, original, beta_fast=32, beta_slow=1, base=10000.0):
    return loop_ramp(d, original, beta_fast, beta_slow, base).tolist()


# --- the blend


def hf_blend(f, s, ramp):
    kept = 1 - ramp
    return f / s * (1 - kept) + f * kept


def loop_blend(f, s, ramp):
    out = np.empty(len(f))
    for i in range(len(f)):
        out[i] = f[i] + ramp[i] * (f[i] / s - f[i])
    return out


def branching_temperature(s):
    if s <= 1:
        return 1.0
    return 0.1 * math.log(s) + 1.0


HAND = {"m_16": 1.27726, "logit_16": 3.2628, "weights_become": "sharper"}

EXERCISES = {
    "interpolate": Exercise(
        "interpolate",
        "interpolate",
        "interpolate",
        right={
            "times a quotient": lambda f, s: f * (1 / s),
            "loop": lambda f, s: np.array([each / s for each in f]),
            "list": lambda f, s: [each / s for each in f],
            "by one position": lambda f, s: np.outer([1 / s], f)[0],
        },
        wrong={
            "whole stretches only": lambda f, s: f / int(s),
            "four always": lambda f, s: f / 4,
            "no more than four": lambda f, s: f / min(s, 4),
            "a column": lambda f, s: (f / s)[:, None],
        },
    ),
    "ntk_base": Exercise(
        "ntk_base",
        "ntk_base",
        "ntk_base",
        right={
            "logarithms": logarithmic_base,
            "from the last pair": base_of_the_last_pair,
            "step by step": base_step_by_step,
            "an array of no axes": lambda d, s, base=10000.0: np.array(logarithmic_base(d, s, base)),
        },
        wrong={
            "right for 128 features": lambda d, s, base=10000.0: base * s ** (128 / 126),
            "an array of one": lambda d, s, base=10000.0: np.array([logarithmic_base(d, s, base)]),
            "text": lambda d, s, base=10000.0: str(logarithmic_base(d, s, base)),
        },
    ),
    "dynamic_base": Exercise(
        "dynamic_base",
        "dynamic_base",
        "dynamic_base",
        right={
            "transformers": hf_dynamic,
            "branching": branching_dynamic,
            "the larger growth": lambda d, s, length, original, base=10000.0: (
                base * max(s * length / original - (s - 1), 1) ** (d / (d - 2))
            ),
        },
        wrong={
            "the larger base": lambda d, s, length, original, base=10000.0: max(
                base, 10000.0 * (s * length / original - (s - 1))
            ),
            "steps of the original": lambda d, s, length, original, base=10000.0: branching_dynamic(
                d, s, math.ceil(length / original) * original, original, base
            ),
            "up to four times": lambda d, s, length, original, base=10000.0: branching_dynamic(
                d, s, min(length, 3 * original), original, base
            ),
        },
    ),
    "ramp": Exercise(
        "ramp",
        "ramp",
        "ramp",
        right={
            "transformers": hf_ramp,
            "loop": loop_ramp,
            "np.interp": interpolated_ramp,
            "list": list_ramp,
        },
        wrong={
            "Llama 2 only": lambda d, original, beta_fast=32, beta_slow=1, base=10000.0: np.interp(
                np.arange(d // 2), [20, 46], [0, 1]
            ),
            "starts at 0": lambda d, original, beta_fast=32, beta_slow=1, base=10000.0: np.linspace(
                0, 1, d // 2
            ),
            "none": lambda d, original, beta_fast=32, beta_slow=1, base=10000.0: np.zeros(d // 2),
        },
    ),
    "blend": Exercise(
        "blend",
        "blend",
        "blend",
        right={
            "transformers": hf_blend,
            "loop": loop_blend,
            "factored": lambda f, s, ramp: f * (1 - ramp * (1 - 1 / s)),
            "list": lambda f, s, ramp: [a * (1 - r) + a / s * r for a, r in zip(f, ramp, strict=True)],
        },
        wrong={
            "four always": lambda f, s, ramp: (1 - ramp) * f + ramp * f / 4,
            "roots": lambda f, s, ramp: ((1 - ramp) * f**0.5 + ramp * (f / s) ** 0.5) ** 2,
        },
    ),
    "temperature": Exercise(
        "temperature",
        "temperature",
        "temperature",
        right={
            "branching": branching_temperature,
            "the larger": lambda s: max(1, 0.1 * np.log(s) + 1),
            "another base": lambda s: 1 + 0.1 * math.log2(max(s, 1)) / math.log2(math.e),
        },
        wrong={
            "table": lambda s: {4: 1.1386294361, 16: 1.2772588722}.get(s, 1.0),
            "capped": lambda s: min(branching_temperature(s), 1.3),
        },
    ),
    "hand": Exercise(
        "temperature",
        right={
            "as written": HAND,
            "exact": HAND | {"m_16": 1 + 0.1 * math.log(16), "logit_16": 2 * (1 + 0.1 * math.log(16)) ** 2},
            "rounded": HAND | {"m_16": 1.277, "logit_16": 3.26},
            "NumPy's numbers": HAND | {"m_16": np.float64(1.2773), "logit_16": np.float32(3.263)},
        },
        wrong={
            label: HAND | slip
            for label, slip in {
                "log10": {"m_16": 1.1204},
                "no 1": {"m_16": 0.2773},
                "squared": {"m_16": 1.6314},
                "past the tolerance": {"m_16": 1.27725887 + 0.00101},
                "m once": {"logit_16": 2.5545},
                "divided": {"logit_16": 1.2260},
                "unchanged": {"logit_16": 2},
                "added": {"logit_16": 3.6314},
                "four factors": {"logit_16": 5.3229},
                "coarse": {"logit_16": 3.28},
                "nan": {"logit_16": math.nan},
                "text": {"logit_16": "3.2628"},
                "list": {"m_16": [1.2773]},
                "softer": {"weights_become": "softer"},
                "equal": {"weights_become": "equal"},
                "other words": {"weights_become": "Sharper!"},
                "not written": {"m_16": None},
                "not chosen": {"weights_become": None},
            }.items()
        },
        hints={
            "m once": "gets it twice",
            "divided": "Multiply",
            "softer": "further apart",
            "equal": "not shifted",
            "other words": "choose one of",
            "text": "Write a number",
            "log10": "a tenth of 2.7726",
            "no 1": "plus 1",
            "unchanged": "times m for the key",
        },
    ),
}
