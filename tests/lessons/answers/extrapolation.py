"""Answers to lesson 8 that must pass, and wrong ones beyond the catalogue's."""

import functools
import math

import numpy as np

from tests.lessons.answers.alibi import bloom, mpt, press
from tests.lessons.answers.rotary import ROPES, loop_rotate
from tests.lessons.exercise import Exercise

# --- playing the registers


def dictionary(k, v, q):
    held, answers = {}, []
    for register, value, query in zip(k, v, q, strict=True):
        held[register] = value
        answers.append(held.get(query, -1))
    return answers


def eight_slots(k, v, q):
    slots = np.full(8, -1)
    out = np.empty(len(k))
    for t in range(len(k)):
        slots[k[t]] = v[t]
        out[t] = slots[q[t]]
    return out


def searching_back(k, v, q):
    answers = []
    for t, query in enumerate(q):
        answer = -1
        for earlier in range(t, -1, -1):
            if k[earlier] == query:
                answer = int(v[earlier])
                break
        answers.append(answer)
    return tuple(answers)


def as_attention(k, v, q):
    """Answer as a head would: match, hide the future, take the latest."""
    k, v, q = map(np.asarray, (k, v, q))
    step = np.arange(len(k))
    seen = (q[:, None] == k) & (step <= step[:, None])
    latest = np.where(seen, step, -1).max(axis=1)
    return np.where(latest < 0, -1, v[latest])


def masked_history(k, v, q):
    history = np.full((len(k), 8), -1)
    for t, (register, value) in enumerate(zip(k, v, strict=True)):
        history[t:, register] = value
    return np.take_along_axis(history, np.asarray(q)[:, None], axis=1)[:, 0]


def latest_by_value(k, v, q):
    """Take the latest only among writes of values that are not 0."""
    return [
        next((x for r, x in zip(k[t::-1], v[t::-1], strict=True) if r == q[t] and x), -1)
        for t in range(len(q))
    ]


# --- the second half


def by_mask(right, counted):
    kept = np.asarray(counted, dtype=bool).copy()
    kept[:, : kept.shape[1] // 2] = False
    return np.asarray(right)[kept].mean()


def by_loop(right, counted):
    hits = total = 0
    for row, counts in zip(right, counted, strict=True):
        for position in range(len(row) // 2, len(row)):
            if counts[position]:
                total += 1
                hits += bool(row[position])
    return hits / total


def by_average(right, counted):
    half = np.shape(right)[-1] // 2
    return np.average(np.asarray(right)[:, half:], weights=np.asarray(counted)[:, half:])


def by_einsum(right, counted):
    late = np.arange(right.shape[1]) >= right.shape[1] // 2
    weight = counted.astype(float)
    return np.einsum("bn,bn,n->", right.astype(float), weight, late) / np.einsum("bn,n->", weight, late)


# --- the bias of all heads


def broadcast(n, h):
    p = np.arange(n)
    return -np.array(press(h))[:, None, None] * np.abs(p[:, None] - p)


def loops(n, h):
    bias = np.zeros((h, n, n))
    for head, slope in enumerate(bloom(h)):
        for i in range(n):
            for j in range(n):
                bias[head, i, j] = -slope * abs(i - j)
    return bias


def lists(n, h):
    return [[[-slope * math.fabs(i - j) for j in range(n)] for i in range(n)] for slope in press(h)]


def stacked(n, h):
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return np.stack([distance * -m for m in mpt(h)])


def einsum_bias(n, h):
    r = np.arange(n) - np.arange(n)[:, None]
    return -np.einsum("h,ij->hij", np.asarray(press(h)), abs(r))


# --- what is written down

GUESSES = {
    "guess_learned": [0.5, 0.2, 0.125],
    "guess_sinusoidal": [0.6, 0.3, 0.2],
    "guess_rope": [0.9, 0.7, 0.5],
    "guess_alibi": [1, 0.95, 0.9],
}
READ = {
    "best_registers": "ALiBi",
    "sure_needle": "NoPE",
    "free_stretch": "NTK",
    "steady_on_text": "ALiBi",
    "spread_at_32": 0.01,
    "lost_by_rope": 0.35,
}

EXERCISES = {
    "read_registers": Exercise(
        "read_registers",
        "read_registers",
        "read_registers",
        right={
            "dictionary": dictionary,
            "eight slots": eight_slots,
            "searching back": searching_back,
            "as attention": as_attention,
            "history": masked_history,
        },
        wrong={
            "values of 0 are skipped": latest_by_value,
            "four registers": lambda k, v, q: [
                x if y < 4 else -1 for x, y in zip(dictionary(k, v, q), q, strict=True)
            ],
            "the last five steps": lambda k, v, q: [
                dictionary(k[max(0, t - 4) : t + 1], v[max(0, t - 4) : t + 1], q[max(0, t - 4) : t + 1])[-1]
                for t in range(len(q))
            ],
            "generator": lambda k, v, q: (x for x in dictionary(k, v, q)),
            "nothing is returned": lambda k, v, q: None,
        },
        hints={"nothing is returned": "Is the return missing?"},
    ),
    "second_half": Exercise(
        "second_half",
        "second_half",
        "second_half",
        right={"mask": by_mask, "loop": by_loop, "weighted average": by_average, "einsum": by_einsum},
        wrong={
            "last quarter": lambda right, counted: by_loop(
                right[:, len(right[0]) // 2 :], counted[:, len(right[0]) // 2 :]
            ),
            "rounded": lambda right, counted: round(by_loop(right, counted), 1),
            "first row": lambda right, counted: by_loop(right[:1], counted[:1]),
            "a pair": lambda right, counted: (right * counted).sum() / 2,
        },
    ),
    "predict": Exercise(
        "predict",
        right={
            "as written": GUESSES,
            "tuples and arrays": GUESSES
            | {"guess_rope": (0.5, 0.4, 0), "guess_alibi": np.array([1.0, 1.0, 1.0])},
            "all alike": {key: [0.125, 0.125, 0.125] for key in GUESSES},
        },
        wrong={
            label: GUESSES | slip
            for label, slip in {
                "not written": {"guess_rope": None},
                "percent": {"guess_rope": [90, 70, 50]},
                "two numbers": {"guess_alibi": [1, 0.9]},
                "one number": {"guess_alibi": 0.9},
                "at 32 as well": {"guess_learned": [1, 0.5, 0.2, 0.1]},
                "below 0": {"guess_learned": [0.1, -0.2, 0]},
                "text": {"guess_sinusoidal": "low"},
                "nan": {"guess_sinusoidal": [0.5, np.nan, 0.1]},
            }.items()
        },
        hints={
            "percent": "percent",
            "two numbers": "three numbers",
            "one number": "three numbers",
            "at 32 as well": "three numbers",
            "below 0": "at least 0",
        },
    ),
    "rotate": Exercise(
        "rotate",
        "rotate",
        "rotate",
        right={style: functools.partial(loop_rotate, rope) for style, rope in ROPES.items()},
    ),
    "alibi": Exercise(
        "alibi",
        "alibi",
        "alibi_heads",
        right={
            "broadcast": broadcast,
            "loops": loops,
            "nested lists": lists,
            "stacked": stacked,
            "einsum": einsum_bias,
        },
        wrong={
            "clipped": lambda n, h: np.maximum(broadcast(n, h), -1),
            "up to eight heads": lambda n, h: broadcast(n, min(h, 8)),
            "row by row": lambda n, h: broadcast(n, h) - broadcast(n, h)[:, :1],
        },
    ),
    "reading": Exercise(
        "reading",
        right={
            "as written": READ,
            "other numbers": READ | {"spread_at_32": 0, "lost_by_rope": 0.2},
            "numpy": READ | {"spread_at_32": np.float64(0.03), "lost_by_rope": np.float32(0.5)},
        },
        wrong={
            label: READ | slip
            for label, slip in {
                "not written": {"best_registers": None},
                "learned": {"best_registers": "learned"},
                "sinusoidal": {"best_registers": "sinusoidal"},
                "rope": {"best_registers": "RoPE"},
                "lower case": {"best_registers": "alibi"},
                "sinusoidal finds": {"sure_needle": "sinusoidal"},
                "rope finds": {"sure_needle": "RoPE"},
                "alibi finds": {"sure_needle": "ALiBi"},
                "pi": {"free_stretch": "PI"},
                "yarn": {"free_stretch": "YaRN"},
                "rope on text": {"steady_on_text": "RoPE"},
                "learned on text": {"steady_on_text": "learned"},
                "nope on text": {"steady_on_text": "NoPE"},
                "spread in percent": {"spread_at_32": 1.2},
                "spread at 64": {"spread_at_32": 0.6},
                "loss in percent": {"lost_by_rope": 35},
                "what is kept": {"lost_by_rope": 0.65},
                "turned around": {"lost_by_rope": -0.35},
                "text": {"spread_at_32": "small"},
                "nan": {"lost_by_rope": math.nan},
                "number not written": {"lost_by_rope": None},
            }.items()
        },
        hints={
            "learned": "never trained",
            "sinusoidal": "has not met",
            "rope": "keeps about half",
            "lower case": "choose one of",
            "sinusoidal finds": "more or fewer",
            "rope finds": "depends on the start",
            "alibi finds": "price for distance",
            "pi": "slows the fast pairs",
            "yarn": "a few points",
            "rope on text": "lost the thread",
            "learned on text": "never trained",
            "nope on text": "gets worse as well",
            "spread in percent": "percent",
            "spread at 64": "differ little",
            "loss in percent": "percent",
            "what is kept": "that is what RoPE keeps",
            "turned around": "the smaller subtracted",
        },
    ),
}
