"""Answers to lesson 1 that must pass, and wrong ones beyond the catalogue's."""

import math

import numpy as np

from tests.lessons.exercise import Exercise

# --- softmax


def loop_softmax(x):
    x = np.asarray(x, dtype=float)
    out = np.empty(x.shape)
    for row in np.ndindex(x.shape[:-1]):
        e = [math.exp(score - max(x[row])) for score in x[row]]
        out[row] = [part / sum(e) for part in e]
    return out


def list_softmax(x):
    def one(row):
        e = np.exp(np.array(row, dtype=float) - max(row))
        return (e / e.sum()).tolist()

    def each(x):
        return [each(part) for part in x] if isinstance(x[0], list) else one(x)

    return np.array(each(x.tolist()))


def logarithmic_softmax(x):
    top = np.max(x, axis=-1, keepdims=True)
    return np.exp(x - top - np.log(np.sum(np.exp(x - top), axis=-1, keepdims=True)))


def one_over_softmax(x):
    with np.errstate(over="ignore", invalid="ignore"):
        off = x[..., None, :] - x[..., :, None]
        return 1 / np.exp(np.where(np.isnan(off), 0.0, off)).sum(axis=-1)


def none_axis_softmax(x):
    e = np.exp(x - x.max(axis=-1)[..., None])
    return np.einsum("...j,...->...j", e, 1 / e.sum(axis=-1))


def moved_softmax(x):
    rows = np.moveaxis(x, -1, 0).astype(float)
    e = np.exp(rows - rows.max(axis=0))
    return np.moveaxis(e / e.sum(axis=0), 0, -1)


def apply_softmax(x):
    def one(row):
        e = np.exp(row - row.max())
        return e / e.sum()

    return np.apply_along_axis(one, -1, x)


# --- attention


def loop_attention(q, k, v):
    """Follow the lesson's own loop, in every batch."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    for b in np.ndindex(q.shape[:-2]):
        for i in range(q.shape[-2]):
            dots = np.array([q[b][i] @ k[b][j] / np.sqrt(q.shape[-1]) for j in range(k.shape[-2])])
            weights = logarithmic_softmax(dots)
            out[b][i] = sum(weights[j] * v[b][j] for j in range(k.shape[-2]))
    return out


def einsum_attention(q, k, v):
    scores = np.einsum("...id,...jd->...ij", q, k) / math.sqrt(k.shape[-1])
    return np.einsum("...ij,...jv->...iv", logarithmic_softmax(scores), v)


def broadcast_attention(q, k, v):
    scores = (q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1) * q.shape[-1] ** -0.5
    weights = logarithmic_softmax(scores)
    return (weights[..., None] * v[..., None, :, :]).sum(axis=-2)


def plain_attention(q, k, v):
    """Exponentiate without subtracting the maximum, which is right where scores are small."""
    e = np.exp(np.matmul(q, np.moveaxis(k, -1, -2)) / np.sqrt(np.shape(q)[-1]))
    return (e @ v) / e.sum(axis=-1, keepdims=True)


def early_scaled_attention(q, k, v):
    d = q.shape[-1]
    scores = (q / d**0.25) @ (k / d**0.25).swapaxes(-2, -1)
    return logarithmic_softmax(scores) @ v


def recursive_attention(q, k, v):
    if q.ndim > 2:
        return np.stack([recursive_attention(*each) for each in zip(q, k, v, strict=True)])
    return np.array([logarithmic_softmax(k @ row / len(row) ** 0.5) @ v for row in q])


# --- is_equivariant


def loop_equivariant(f, X, order):
    moved, still = f(X[order]), f(X)
    for j, i in enumerate(order):
        if not np.allclose(moved[j], still[i]):
            return False
    return True


def inverse_equivariant(f, X, order):
    """Put the rows back: right, though it goes the other way round."""
    return bool(np.isclose(f(X[order])[np.argsort(order)], f(X)).all())


def matrix_equivariant(f, X, order):
    P = np.eye(len(X))[order]
    return bool(np.allclose(f(P @ X), P @ f(X)))


def take_equivariant(f, X, order):
    return np.isclose(f(np.take(X, order, axis=0)), np.take(f(X), order, axis=0)).all()


def _tolerant(f, X, order):
    got, want = f(X[order]), f(X)[order]
    return int(np.abs(got - want).max() < 1e-7)


# --- predict

PREDICT = {
    "no_mask": "equivariant",
    "mean_after": "invariant",
    "causal": "neither",
    "padding": "equivariant",
    "one_query": "invariant",
    "neighbours": "neither",
}
KINDS = ("equivariant", "invariant", "neither")
SLIPS = {
    f"{name} {kind}": PREDICT | {name: kind} for name in PREDICT for kind in KINDS if kind != PREDICT[name]
}

EXERCISES = {
    "softmax": Exercise(
        "softmax",
        "softmax",
        "softmax",
        right={
            "loop": loop_softmax,
            "lists": list_softmax,
            "logarithm": logarithmic_softmax,
            "one over": one_over_softmax,
            "axis by None": none_axis_softmax,
            "moved axis": moved_softmax,
            "along an axis": apply_softmax,
        },
        wrong={
            "rows in a loop, their maximum by table": lambda x: np.array(
                [np.exp(row - np.max(x)) / np.exp(row - np.max(x)).sum() for row in x]
            ),
            "uniform": lambda x: np.full(x.shape, 1 / x.shape[-1]),
            "half precision": lambda x: logarithmic_softmax(x).astype(np.float16),
            "scaled": lambda x: logarithmic_softmax(x / np.sqrt(x.shape[-1])),
            "small constant in the sum": lambda x: (
                np.exp(x - x.max(-1, keepdims=True))
                / (1e-3 + np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True))
            ),
        },
    ),
    "attention": Exercise(
        "attention",
        "attention",
        "attention",
        right={
            "loop": loop_attention,
            "einsum": einsum_attention,
            "broadcast": broadcast_attention,
            "no maximum": plain_attention,
            "scaled early": early_scaled_attention,
            "batch by batch": recursive_attention,
        },
        wrong={
            "keys beyond the queries forgotten": lambda q, k, v: einsum_attention(
                q, k[..., : q.shape[-2], :], v[..., : q.shape[-2], :]
            ),
            "first of the batch only": lambda q, k, v: np.broadcast_to(
                einsum_attention(*(x[:1] if x.ndim > 2 else x for x in (q, k, v))),
                (*q.shape[:-1], v.shape[-1]),
            ),
            "value features shared": lambda q, k, v: np.broadcast_to(
                einsum_attention(q, k, v).mean(axis=-1, keepdims=True),
                (*q.shape[:-1], v.shape[-1]),
            ),
        },
    ),
    "is_equivariant": Exercise(
        "is_equivariant",
        "is_equivariant",
        "is_equivariant",
        right={
            "loop": loop_equivariant,
            "put back": inverse_equivariant,
            "matrix": matrix_equivariant,
            "take": take_equivariant,
            "a number": _tolerant,
        },
        wrong={
            "by shape": lambda f, X, order: f(X[order]).shape == f(X)[order].shape,
            "two rows": lambda f, X, order: loop_equivariant(lambda X: f(X)[:2], X, np.array([1, 0])),
            "of ones": lambda f, X, order: loop_equivariant(f, np.ones_like(X), order),
            "either way": lambda f, X, order: (
                loop_equivariant(f, X, order) or bool(np.allclose(f(X[order]), f(X)))
            ),
            "both ways": lambda f, X, order: (
                loop_equivariant(f, X, order) and bool(np.allclose(f(X[order]), f(X)))
            ),
            "mean of the rows": lambda f, X, order: bool(np.allclose(f(X[order]).mean(0), f(X).mean(0))),
        },
    ),
    "predict": Exercise(
        "predict",
        right={
            "as written": PREDICT,
            "strings made": {name: "".join(kind) for name, kind in PREDICT.items()},
        },
        wrong=SLIPS
        | {
            "not written": PREDICT | {"padding": None},
            "none": dict.fromkeys(PREDICT),
            "all equivariant": dict.fromkeys(PREDICT, "equivariant"),
            "capital letter": PREDICT | {"causal": "Neither"},
            "truth value": PREDICT | {"no_mask": True},
            "list": PREDICT | {"neighbours": ["neither"]},
        },
        hints={label: label.split()[0] + ":" for label in SLIPS}
        | {
            "capital letter": "choose one of",
            "truth value": "choose one of",
            "list": "choose one of",
            "not written": "in place of None",
        },
    ),
}
