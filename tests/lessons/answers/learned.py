"""Answers to lesson 3 that must pass, and wrong ones beyond the catalogue's."""

import numpy as np

from tests.lessons.exercise import Exercise

# --- lookup


def loop_lookup(table, positions):
    flat = []
    for p in positions.ravel():
        if p < 0 or p >= table.shape[0]:
            raise IndexError(p)
        flat.append(table[p])
    return np.array(flat).reshape(*positions.shape, table.shape[1])


def let_numpy_refuse(table, positions):
    if (positions < 0).any():
        raise IndexError("negative")
    return table[positions].copy()


def one_hot(table, positions):
    if positions.min() < 0 or positions.max() > len(table) - 1:
        raise IndexError("no such row")
    return np.equal.outer(positions, np.arange(len(table))) @ table


def take(table, positions):
    return np.take(table, np.where(positions < 0, len(table), positions), axis=0)


def recursive(table, positions):
    if positions.ndim:
        return np.stack([recursive(table, p) for p in positions])
    p = int(positions)
    return [row for row in table][p if p >= 0 else len(table)]


def einsum_lookup(table, positions):
    hot = positions[..., None] == np.arange(len(table))
    if not hot.any(axis=-1).all():
        raise IndexError("no such row")
    return np.einsum("...n,nd->...d", hot.astype(float), table)


def lists(table, positions):
    if positions.min() < 0:
        raise IndexError("negative")
    return table[positions].tolist()


def none_outside(table, positions):
    if ((positions < 0) | (positions >= len(table))).any():
        print("no such row")
        return None
    return table[positions]


# --- positions_from_mask


def loop_count(mask):
    out = np.zeros(mask.shape, dtype=int)
    for row in np.ndindex(mask.shape[:-1]):
        seen = 0
        for place, there in enumerate(mask[row]):
            if there:
                out[(*row, place)] = seen
                seen += 1
    return out


def triangle(mask):
    n = mask.shape[-1]
    before = np.tri(n, k=-1, dtype=int)
    return np.einsum("ij,...j,...i->...i", before, mask.astype(int), mask.astype(int))


def where(mask):
    return np.where(mask, np.cumsum(mask, axis=-1) - 1, 0)


def exclusive(mask):
    there = mask.astype(float)
    return ((np.cumsum(there, axis=-1) - there) * there).tolist()


def assigned(mask):
    out = np.zeros(mask.shape, dtype=np.int32)
    flat, rows = out.reshape(-1, mask.shape[-1]), mask.reshape(-1, mask.shape[-1])
    for position, row in zip(flat, rows, strict=True):
        position[row == 1] = np.arange(int(row.sum()))
    return out


# --- resize


def loop_1d(rows, n):
    m = len(rows)
    new = np.zeros((n, *rows.shape[1:]))
    for j in range(n):
        c = min(max((j + 0.5) * m / n - 0.5, 0), m - 1)
        low = int(c)
        high = min(low + 1, m - 1)
        new[j] = rows[low] + (c - low) * (rows[high] - rows[low])
    return new


def lesson_loop(table, old, new):
    tall = loop_1d(table[1:].reshape(old[0], old[1], -1), new[0])
    lines = [loop_1d(line, new[1]) for line in tall]
    return np.vstack([table[0], *lines])


def weights(m, n):
    c = np.clip((np.arange(n) + 0.5) * m / n - 0.5, 0, m - 1)
    return np.maximum(0, 1 - np.abs(c[:, None] - np.arange(m)))


def einsum_resize(table, old, new):
    grid = table[1:].reshape(*old, table.shape[1])
    out = np.einsum("yi,xj,ijd->yxd", weights(old[0], new[0]), weights(old[1], new[1]), grid)
    return np.concatenate([table[:1], out.reshape(-1, table.shape[1])])


def kron_resize(table, old, new):
    A = np.kron(weights(old[0], new[0]), weights(old[1], new[1]))
    return np.vstack([table[0], A @ table[1:]])


def interp_resize(table, old, new):
    (h, w), (h2, w2) = old, new
    y, x = ((np.arange(n) + 0.5) * m / n - 0.5 for m, n in ((h, h2), (w, w2)))
    out = np.empty((1 + h2 * w2, table.shape[1]))
    out[0] = table[0]
    for f in range(table.shape[1]):
        grid = table[1:, f].reshape(h, w)
        wide = np.array([np.interp(x, range(w), line) for line in grid])
        out[1:, f] = np.array([np.interp(y, range(h), column) for column in wide.T]).T.ravel()
    return out


def four_corners(table, old, new):
    (h, w), (h2, w2) = old, new
    out = [table[0]]
    for j in range(h2 * w2):
        y = np.clip((j // w2 + 0.5) * h / h2 - 0.5, 0, h - 1)
        x = np.clip((j % w2 + 0.5) * w / w2 - 0.5, 0, w - 1)
        y0, x0 = int(y), int(x)
        y1, x1 = min(y0 + 1, h - 1), min(x0 + 1, w - 1)
        a, b = y - y0, x - x0
        top = (1 - b) * table[1 + y0 * w + x0] + b * table[1 + y0 * w + x1]
        low = (1 - b) * table[1 + y1 * w + x0] + b * table[1 + y1 * w + x1]
        out.append((1 - a) * top + a * low)
    return np.array(out)


def first_feature_only(table, old, new):
    out = einsum_resize(table, old, new)
    out[1:] = out[1:, :1]
    return out


def integers(table, old, new):
    return einsum_resize(table, old, new).astype(int)


def in_the_table(table, old, new):
    table[1:] = einsum_resize(table, old, old)[1:] * 1.5
    return einsum_resize(table / 1.5, old, new)


EXERCISES = {
    "lookup": Exercise(
        "lookup",
        "lookup",
        "lookup",
        right={
            "loop": loop_lookup,
            "let NumPy refuse the end": let_numpy_refuse,
            "one-hot matrix": one_hot,
            "take": take,
            "row by row": recursive,
            "einsum": einsum_lookup,
            "lists": lists,
        },
        wrong={
            "none outside": none_outside,
            "no rows": lambda table, positions: positions,
            "doubled": lambda table, positions: 2 * let_numpy_refuse(table, positions),
            "rounded": lambda table, positions: np.round(let_numpy_refuse(table, positions)),
            "first feature": lambda table, positions: let_numpy_refuse(table, positions)[..., :1],
            "stop iteration": lambda table, positions: np.array([next(iter(())) for p in positions.ravel()]),
        },
        hints={
            "none outside": "must raise IndexError",
            "first feature": "wrong shape",
        },
    ),
    "positions_from_mask": Exercise(
        "positions_from_mask",
        "positions_from_mask",
        "positions_from_mask",
        right={
            "loop": loop_count,
            "triangle": triangle,
            "where": where,
            "exclusive sum, floats, lists": exclusive,
            "assigned": assigned,
        },
        wrong={
            "mask itself": lambda mask: mask * 1,
            "doubled": lambda mask: 2 * where(mask),
            "capped": lambda mask: np.minimum(where(mask), 4),
            "one axis only": lambda mask: where(mask) if mask.ndim == 1 else np.zeros(mask.shape, int),
            "keeps an axis": lambda mask: where(mask)[..., None],
            "last text for all": lambda mask: np.broadcast_to(
                where(mask.reshape(-1, mask.shape[-1])[-1]), mask.shape
            ),
        },
        hints={"keeps an axis": "wrong shape"},
    ),
    "resize": Exercise(
        "resize",
        "resize",
        "resize",
        right={
            "the lesson's loop": lesson_loop,
            "einsum": einsum_resize,
            "one matrix": kron_resize,
            "np.interp": interp_resize,
            "four corners": four_corners,
            "lists": lambda *args: einsum_resize(*args).tolist(),
        },
        wrong={
            "first feature only": first_feature_only,
            "integers": integers,
            "changes the table": in_the_table,
            "class token halved": lambda table, old, new: einsum_resize(
                table * np.append(0.5, np.ones(len(table) - 1))[:, None], old, new
            ),
            "float16": lambda *args: einsum_resize(*args).astype(np.float16).astype(float) * 1.001,
            "grid on its own axis": lambda table, old, new: einsum_resize(table, old, new)[None],
        },
        hints={
            "class token halved": "class token",
            "grid on its own axis": "wrong shape",
            "changes the table": "must not be changed",
        },
    ),
}
