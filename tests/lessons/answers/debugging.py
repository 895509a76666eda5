"""Answers to lesson 9 that must pass, and wrong ones beyond the catalogue's: inputs that expose nothing."""

import math

import numpy as np

from tests.lessons.exercise import Exercise


def waves(*shape):
    return np.cos(np.arange(np.prod(shape)) ** 1.3).reshape(shape)


def theta(d, base=10000.0):
    return base ** (-np.arange(0, d, 2) / d)


def turned(x, positions, base=10000.0):
    """Turn the rows of x, features i and i + d/2, by complex numbers."""
    m = x.shape[-1] // 2
    z = (x[..., :m] + 1j * x[..., m:]) * np.exp(1j * np.multiply.outer(positions, theta(x.shape[-1], base)))
    return np.concatenate([z.real, z.imag], axis=-1)


def weights(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def with_input(name, **inputs):
    """Return what to bind for each of several inputs."""
    return {label.replace("_", " "): {f"input_{name}": given} for label, given in inputs.items()}


# --- half precision


def loop_precisely(x, positions):
    out, m = np.empty_like(x), x.shape[1] // 2
    for j, row in enumerate(x):
        for i in range(m):
            a = float(positions[j]) / 10000 ** (2 * i / x.shape[1])
            p, q = float(row[i]), float(row[i + m])
            out[j, i], out[j, i + m] = p * math.cos(a) - q * math.sin(a), p * math.sin(a) + q * math.cos(a)
    return out


def precise_in_single(x, positions):
    return turned(x, np.asarray(positions).astype(np.float32).astype(float)).astype(x.dtype)


HALF = waves(3, 4).astype(np.float16)
PRECISION = Exercise(
    "precision",
    "rotate_precisely",
    "rotate_precisely",
    right={
        "complex": lambda x, positions: turned(x, positions).astype(x.dtype),
        "loop": loop_precisely,
        "positions in float32": precise_in_single,
    }
    | with_input(
        "precision",
        just_past_2048=(np.float16([[1, 0]]), np.array([2049])),
        list_of_positions=(HALF, [5, 10001, 20003]),
        past_the_largest=(HALF, np.array([70001, 3, 4])),
        lists=[HALF, (4097, 2, 3)],
        many_rows=(np.ones((300, 8), np.float16), np.arange(3000, 3300)),
    ),
    wrong=with_input(
        "precision",
        double=(waves(3, 4), np.array([2049, 4097, 30001])),
        single=(waves(3, 4).astype(np.float32), np.array([2049, 4097, 30001])),
        near=(HALF, np.array([0, 255, 2047])),
        even=(HALF, np.array([2050, 3000, 4096])),
        nothing=(0 * HALF, np.array([2049, 2051, 2053])),
        whole_numbers=(np.array([[1, 0]]), np.array([2049])),
        odd_width=(HALF[:, :3], np.array([2049, 2051, 2053])),
        too_few=(HALF, np.array([2049])),
        halves=(HALF, np.array([2049.5, 1, 2])),
        too_far=(HALF, np.array([2049, 10**7, 1])),
        text=(HALF, "2049"),
        one_argument=HALF,
        three=(HALF, np.array([2049, 1, 2]), 4),
        not_a_number=(HALF * np.float16(np.nan), np.array([2049, 1, 2])),
    ),
    hints={
        "double": "make x float16",
        "single": "make x float16",
        "near": "at most 2048",
        "even": "Take one in between",
        "nothing": "0 everywhere",
        "whole numbers": "must be a float array",
        "odd width": "d even",
        "too few": "one for each row",
        "halves": "whole numbers",
        "too far": "a million",
        "text": "no text",
        "one argument": "must be a tuple",
        "three": "one value for each argument",
        "not a number": "finite",
    },
)

# --- the mixed layout


def matrix_neighbours(x, positions):
    d = x.shape[1]
    out = np.zeros(x.shape)
    for j, p in enumerate(positions):
        R = np.zeros((d, d))
        for i, w in enumerate(theta(d)):
            c, s = np.cos(p * w), np.sin(p * w)
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
        out[j] = R @ x[j]
    return out


def complex_neighbours(x, positions):
    z = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * np.outer(positions, theta(x.shape[1])))
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape)


def permuted_neighbours(x, positions):
    d = x.shape[1]
    order = [*range(0, d, 2), *range(1, d, 2)]
    return turned(x[:, order], positions)[:, np.argsort(order)]


LAYOUT = Exercise(
    "layout",
    "rotate_neighbours",
    "rotate_neighbours",
    right={
        "complex": complex_neighbours,
        "matrix": matrix_neighbours,
        "permuted": permuted_neighbours,
        "list": lambda x, positions: matrix_neighbours(x, positions).tolist(),
    }
    | with_input(
        "layout",
        one_row=(np.array([[1.0, 0, 0, 0]]), np.array([1])),
        wide=(waves(5, 64), np.arange(5)),
        far=(waves(2, 4), [4001, 9]),
        half_precision=(waves(3, 6).astype(np.float16), np.array([1, 2, 3])),
        back=(waves(2, 4), np.array([-1, -2])),
    ),
    wrong=with_input(
        "layout",
        one_pair=(waves(9, 2), np.arange(9)),
        at_0=(waves(3, 8), np.zeros(3, int)),
        nothing=(np.zeros((3, 8)), np.arange(3)),
        only_at_0=(np.eye(3, 8) * np.array([[1.0], [0], [0]]), np.arange(3)),
        one_position=(waves(3, 8), 4),
        a_row=(waves(8), np.arange(8)),
        empty=(np.zeros((0, 4)), np.zeros(0, int)),
        large=(np.ones((2000, 64)), np.arange(2000)),
    ),
    hints={
        "one pair": "Make the rows wider",
        "at 0": "Move further into the text",
        "nothing": "0 everywhere",
        "only at 0": "at another position",
        "one position": "one for each row",
        "a row": "(n, d)",
        "empty": "(n, d)",
        "large": "a few rows",
    },
)

# --- the heads axis


def loop_heads(q, k):
    n, h, d = q.shape
    out = np.zeros((h, n, n))
    for head in range(h):
        for i in range(n):
            for j in range(n):
                out[head, i, j] = turned(q[i, head], i) @ turned(k[j, head], j) / np.sqrt(d)
    return out


def swapped_heads(q, k):
    q, k = (turned(np.swapaxes(x, 0, 1), np.arange(len(x))) for x in (q, k))
    return q @ np.swapaxes(k, 1, 2) / q.shape[-1] ** 0.5


def offset_heads(q, k):
    n, h, d = q.shape
    return np.array(
        [[[q[i, a] @ turned(k[j, a], j - i) / d**0.5 for j in range(n)] for i in range(n)] for a in range(h)]
    )


ONE = waves(1, 3, 4)
HEADS = Exercise(
    "heads",
    "head_scores",
    "head_scores",
    right={"loop": loop_heads, "swapped axes": swapped_heads, "by offset": offset_heads}
    | with_input(
        "heads",
        two_tokens=(np.ones((2, 1, 2)), np.ones((2, 1, 2))),
        as_many_heads_as_tokens=(waves(3, 3, 4), waves(4, 3, 4)[1:]),
        nested_lists=([[[1.0, 0]], [[1, 0]]], [[[1.0, 0]], [[1, 0]]]),
        many=(waves(8, 5, 6), waves(8, 5, 6) + 1),
    ),
    wrong=with_input(
        "heads",
        one_token=(ONE, ONE),
        no_query=(np.zeros((4, 3, 2)), waves(4, 3, 2)),
        two_axes=(waves(4, 6), waves(4, 6)),
        other_shape=(waves(4, 3, 2), waves(3, 4, 2)),
        odd_width=(waves(4, 3, 5), waves(4, 3, 5)),
        large=(waves(100, 10, 20), waves(100, 10, 20)),
    ),
    hints={
        "one token": "Take more tokens",
        "no query": "all scores are 0",
        "two axes": "(n, h, d)",
        "other shape": "same shape",
        "odd width": "must be even",
        "large": "a few tokens",
    },
)

# --- the cache


def full_pass(Q, K, V, prompt):
    n, d = Q.shape
    scores = turned(Q, np.arange(n)) @ turned(K, np.arange(n)).T / d**0.5
    return weights(np.where(np.tri(n, dtype=bool), scores, -np.inf)) @ V


def step_by_step(Q, K, V, prompt):
    keys, out = [], []
    for t in range(len(Q)):
        keys.append(turned(K[t], t))
        out.append(weights(np.array(keys) @ turned(Q[t], t) / np.sqrt(Q.shape[1])) @ V[: t + 1])
    return np.stack(out)


def length_of_cache(Q, K, V, prompt):
    keys = np.zeros((0, K.shape[1]))
    out = np.zeros(V.shape)
    for rows in [list(range(prompt))] + [[t] for t in range(prompt, len(Q))]:
        p = len(keys) + np.arange(len(rows))
        keys = np.vstack([keys, turned(K[rows], p)])
        scores = turned(Q[rows], p) @ keys.T / np.sqrt(Q.shape[1])
        out[rows] = weights(np.where(p[:, None] >= np.arange(len(keys)), scores, -np.inf)) @ V[: len(keys)]
    return out


SIX = tuple(waves(3, 6, 4) * 2)
CACHE = Exercise(
    "cache",
    "decode_after",
    "decode_after",
    right={"full pass": full_pass, "step by step": step_by_step, "length of the cache": length_of_cache}
    | with_input(
        "cache",
        prompt_of_one=(*SIX, 1),
        one_decoded=(*SIX, 5),
        two_tokens=(np.ones((2, 2)) * 2, np.ones((2, 2)) * 2, np.eye(2), 1),
        as_a_list=[*SIX, 3],
    ),
    wrong=with_input(
        "cache",
        all_prompt=(*SIX, 6),
        one_token=(*(a[:1] for a in SIX), 1),
        equal_values=(SIX[0], SIX[1], np.ones((6, 4)), 2),
        no_keys=(SIX[0], 0 * SIX[1], SIX[2], 2),
        no_prompt=(*SIX, 0),
        prompt_too_long=(*SIX, 7),
        prompt_in_halves=(*SIX, 2.5),
        few_values=(SIX[0], SIX[1], SIX[2][:4], 2),
        odd_width=(*(a[:, :3] for a in SIX), 2),
        long=(*(np.ones((200, 4)),) * 3, 2),
    ),
    hints={
        "all prompt": "Leave some tokens",
        "one token": "Take a longer text",
        "equal values": "Let the values differ",
        "no keys": "all scores are equal",
        "no prompt": "at least 1",
        "prompt too long": "at most the number of tokens",
        "prompt in halves": "whole number",
        "few values": "a row for each",
        "odd width": "d even",
        "long": "a few tokens",
    },
)

# --- the dynamic base


def base_for(length, original, d):
    return 10000.0 * max(1.0, length / original) ** (d / (d - 2))


def rows_of_full_passes(Q, K, V, original):
    rows = []
    for n in range(1, len(Q) + 1):
        base, p = base_for(n, original, Q.shape[1]), np.arange(n)
        scores = turned(Q[:n], p, base) @ turned(K[:n], p, base).T / np.sqrt(Q.shape[1])
        masked = np.where(np.tri(n, dtype=bool), scores, -np.inf)
        rows.append((weights(masked) @ V[:n])[-1])
    return np.array(rows)


def by_offsets(Q, K, V, original):
    out = []
    for t in range(len(Q)):
        base = base_for(t + 1, original, Q.shape[1])
        scores = [turned(K[j], j - t, base) @ Q[t] / np.sqrt(Q.shape[1]) for j in range(t + 1)]
        out.append(weights(np.array(scores)) @ V[: t + 1])
    return out


NINE = tuple(waves(3, 9, 6) * 2)
DYNAMIC = Exercise(
    "dynamic",
    "decode_dynamic",
    "decode_dynamic",
    right={"rows of full passes": rows_of_full_passes, "by offsets": by_offsets}
    | with_input(
        "dynamic",
        original_of_one=(*NINE, 1),
        twice_as_long=(*NINE, 4),
        narrow=(*(a[:, :4] for a in NINE), 2),
    ),
    wrong=with_input(
        "dynamic",
        short=(*NINE, 9),
        very_short=(*NINE, 4096),
        equal_values=(NINE[0], NINE[1], np.ones((9, 6)), 2),
        no_queries=(0 * NINE[0], *NINE[1:], 2),
        one_pair=(*(a[:, :2] for a in NINE), 2),
        other_shapes=(NINE[0], NINE[1][:5], NINE[2], 2),
        long=(*(np.ones((100, 4)),) * 3, 2),
        original_of_none=(*NINE, 0),
        hardly=(1e-3 * NINE[0], 1e-3 * NINE[1], NINE[2], 4),
    ),
    hints={
        "short": "Decode past it",
        "very short": "Decode past it",
        "equal values": "Let the values differ",
        "no queries": "all scores are equal",
        "one pair": "at least 4",
        "other shapes": "one shape",
        "long": "64 tokens are plenty",
        "original of none": "at least 1",
        "hardly": "could be rounding",
    },
)

# --- the slopes


def press(h):
    """Answer as the authors' code does, by recursion and in lists."""
    if math.log2(h).is_integer():
        start = 2 ** (-(2 ** -(math.log2(h) - 3)))
        return [start * start**i for i in range(h)]
    c = 2 ** math.floor(math.log2(h))
    return press(c) + press(2 * c)[0::2][: h - c]


def as_mpt(h):
    c = 2 ** math.ceil(math.log2(h))
    slopes = 1 / 2 ** (np.arange(1, c + 1) * 8 / c)
    return slopes if c == h else np.concatenate([slopes[1::2], slopes[::2]])[:h]


SLOPES = Exercise(
    "slopes",
    "head_slopes",
    "head_slopes",
    right={"authors": press, "as MPT": as_mpt}
    | with_input(
        "slopes", three=(3,), forty=(40,), bare=12, list=[5], numpy=(np.int64(7),), array=np.array(6)
    ),
    wrong=with_input(
        "slopes",
        eight=(8,),
        one=(1,),
        bare_sixteen=16,
        none_at_all=(0,),
        negative=(-6,),
        halves=(6.5,),
        huge=(10**9,),
        text="6",
        two=(6, 12),
    ),
    hints={
        "eight": "power of two",
        "one": "Try more",
        "bare sixteen": "power of two",
        "none at all": "from 1",
        "negative": "from 1",
        "halves": "whole number",
        "huge": "from 1 to 1000",
        "text": "no text",
        "two": "one value for each argument",
    },
)

# --- the factor


def on_the_scores(q, k, s):
    return weights((0.1 * math.log(s) + 1) ** 2 * np.einsum("id,jd->ij", q, k) / math.sqrt(q.shape[1]))


def loop_weights(q, k, s):
    m = 1 + math.log(s) / 10
    out = []
    for row in q:
        e = [
            math.exp(sum(m * a * m * b for a, b in zip(row, key, strict=True)) / math.sqrt(len(row)))
            for key in k
        ]
        out.append([x / sum(e) for x in e])
    return out


FIVE = waves(5, 6) * 2
FACTOR = Exercise(
    "factor",
    "yarn_weights",
    "yarn_weights",
    right={"on the scores": on_the_scores, "loop": loop_weights}
    | with_input(
        "factor",
        two_keys=(np.array([[2.0, 0]]), np.eye(2), 4),
        stretch_of_two=(FIVE, FIVE[::-1] + 0.1, 2),
        broken_stretch=(FIVE, np.eye(6) * 3, 1.5),
        lists=([[2.0, 0]], [[1.0, 0], [0, 1.0]], 16),
    ),
    wrong=with_input(
        "factor",
        stretch_1=(FIVE, FIVE, 1),
        one_key=(FIVE, FIVE[:1], 8),
        equal_keys=(FIVE, np.ones((4, 6)), 8),
        no_query=(0 * FIVE, FIVE, 8),
        small=(1e-4 * FIVE, FIVE, 8),
        decided=(40 * np.eye(3), 40 * np.eye(3), 8),
        squeezed=(FIVE, FIVE, 0.5),
        two_stretches=(FIVE, FIVE, np.array([2, 4])),
        other_width=(FIVE, FIVE[:, :4], 8),
        large=(np.ones((2000, 1)), np.ones((2000, 1)), 8),
    ),
    hints={
        "stretch 1": "the factor is 1 there",
        "one key": "Take more keys",
        "equal keys": "Let the keys differ",
        "no query": "scores all of your keys alike",
        "small": "Make q or k larger",
        "decided": "Make q or k smaller",
        "squeezed": "at least 1",
        "two stretches": "one number",
        "other width": "the same d",
        "large": "a few rows",
    },
)

# --- left padding


def loop_positions(tokens, mask, table):
    out = np.zeros(tokens.shape)
    for b, text in enumerate(mask):
        seen = 0
        for j, there in enumerate(text):
            if there:
                out[b, j] = tokens[b, j] + table[seen]
                seen += 1
    return out


def where_positions(tokens, mask, table):
    there = np.asarray(mask).astype(bool)
    positions = np.where(there, np.cumsum(there, axis=1) - 1, 0)
    return np.where(there[:, :, None], tokens + np.take(table, positions, axis=0), 0.0)


def one_hot_positions(tokens, mask, table):
    rows = (np.cumsum(mask, axis=1) - 1)[..., None] == np.arange(len(table))
    return (tokens + np.einsum("bnp,pd->bnd", rows, table)) * mask[..., None]


TEXTS, ROWS = waves(2, 5, 3), waves(8, 3) + 1
PADDING = Exercise(
    "padding",
    "add_positions",
    "add_positions",
    right={"loop": loop_positions, "where": where_positions, "one hot": one_hot_positions}
    | with_input(
        "padding",
        one_text=(TEXTS[:1], np.array([[0, 1, 1, 1, 1]]), ROWS),
        booleans=(TEXTS, np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]]) == 1, ROWS),
        a_gap=(TEXTS, np.array([[1, 0, 1, 1, 1], [1, 1, 1, 1, 1]]), ROWS),
        floats=(TEXTS, np.array([[0, 0, 0, 0, 1.0], [1, 1, 1, 0, 0]]), ROWS),
        as_lists=(TEXTS.tolist(), [[0, 1, 1, 1, 1], [1] * 5], ROWS.tolist()),
    ),
    wrong=with_input(
        "padding",
        full=(TEXTS, np.ones((2, 5), int), ROWS),
        padded_right=(TEXTS, np.array([[1, 1, 1, 0, 0], [1] * 5]), ROWS),
        no_token=(TEXTS, np.zeros((2, 5), int), ROWS),
        equal_rows=(TEXTS, np.array([[0, 0, 1, 1, 1], [1] * 5]), np.ones((8, 3))),
        short_table=(TEXTS, np.array([[0, 0, 1, 1, 1], [1] * 5]), ROWS[:4]),
        minus_infinity=(TEXTS, np.array([[-1e9, 0, 0, 0, 0], [0] * 5]), ROWS),
        one_mask=(TEXTS, np.array([0, 0, 1, 1, 1]), ROWS),
        two_axes=(TEXTS[0], np.array([0, 0, 1, 1, 1]), ROWS),
        large=(np.ones((500, 300, 1)), np.ones((500, 300)), np.ones((300, 1))),
    ),
    hints={
        "full": "different lengths",
        "padded right": "behind the tokens",
        "no token": "Let some tokens be there",
        "equal rows": "are equal",
        "short table": "at least n positions",
        "minus infinity": "of 0 and 1",
        "one mask": "a number for each token",
        "two axes": "(B, n, d)",
        "large": "two short texts",
    },
)

# --- the grid


def loop_grid(table, old, new):
    def at(j, m, n):
        return j * (m - 1) / (n - 1) if n > 1 else 0.0

    out = []
    for y in range(new[0]):
        for x in range(new[1]):
            v, u = at(y, old[0], new[0]), at(x, old[1], new[1])
            rows = [(int(v), int(v) + 1 - v), (min(int(v) + 1, old[0] - 1), v - int(v))]
            columns = [(int(u), int(u) + 1 - u), (min(int(u) + 1, old[1] - 1), u - int(u))]
            out.append(sum(a * b * table[i * old[1] + j] for i, a in rows for j, b in columns))
    return np.array(out)


def interp_grid(table, old, new):
    y, x = (np.linspace(0, m - 1, n) for m, n in zip(old, new, strict=True))
    channels = []
    for feature in np.transpose(table):
        grid = feature.reshape(old)
        across = np.array([np.interp(x, np.arange(old[1]), line) for line in grid])
        channels.append(np.array([np.interp(y, np.arange(old[0]), line) for line in across.T]).T.ravel())
    return np.stack(channels, axis=-1)


SIXTEEN = waves(16, 2)
GRID = Exercise(
    "grid",
    "resize_grid",
    "resize_grid",
    right={"loop": loop_grid, "interp": interp_grid}
    | with_input(
        "grid",
        turned=(waves(6, 3), (2, 3), (3, 2)),
        line_to_square=(waves(4, 1), (1, 4), (2, 2)),
        whole_numbers=(np.arange(12)[:, None], (3, 4), (2, 6)),
        lists=(SIXTEEN, [4, 4], [2, 8]),
        arrays=(SIXTEEN, np.array([2, 8]), np.array([4, 4])),
    ),
    wrong=with_input(
        "grid",
        squares=(SIXTEEN, (4, 4), (7, 7)),
        same_rectangle=(SIXTEEN, (2, 8), (2, 8)),
        other_number=(SIXTEEN, (2, 8), (4, 8)),
        equal_rows=(np.ones((16, 2)), (2, 8), (4, 4)),
        wrong_old=(SIXTEEN, (3, 5), (4, 4)),
        huge=(SIXTEEN, (2, 8), (10**5, 10**5)),
        one_number=(SIXTEEN, 16, 16),
        a_line=(waves(16), (2, 8), (4, 4)),
        no_rows=(SIXTEEN, (2, 8), (0, 4)),
        large=(np.ones((16, 10**4)), (2, 8), (4, 4)),
    ),
    hints={
        "squares": "Try a rectangle",
        "same rectangle": "Let them differ",
        "other number": "first condition",
        "equal rows": "are equal",
        "wrong old": "h * w rows",
        "huge": "from 1 to 64",
        "one number": "pairs (h, w)",
        "a line": "(h * w, d)",
        "no rows": "from 1 to 64",
        "large": "a small grid",
    },
)

# --- the ratio


def loop_rows(table, n):
    out = []
    for j in range(n):
        c = min(max((j + 0.5) * len(table) / n - 0.5, 0), len(table) - 1)
        low = int(c)
        high = min(low + 1, len(table) - 1)
        out.append(table[low] + (c - low) * (table[high] - table[low]))
    return np.array(out)


def interp_rows(table, n):
    at = (np.arange(n) + 0.5) * len(table) / n - 0.5
    return np.stack([np.interp(at, np.arange(len(table)), column) for column in table.T], axis=1)


def rounded_rows(table, n):
    scale = n / len(table)
    size = round(len(table) * scale)
    at = (np.arange(size) + 0.5) / scale - 0.5
    return np.stack([np.interp(at, np.arange(len(table)), column) for column in table.T], axis=1)


RATIO = Exercise(
    "ratio",
    "resize_rows",
    "resize_rows",
    right={"loop": loop_rows, "interp": interp_rows, "rounded": rounded_rows}
    | with_input(
        "ratio",
        as_DINOv2=(waves(37, 2), 39),
        smaller=(waves(49, 1), next(n for n in range(1, 49) if int(49 * (n / 49)) != n)),
        zeros=(np.zeros((11, 3)), 15),
        as_a_list=[waves(13, 2).tolist(), 15],
    ),
    wrong=with_input(
        "ratio",
        doubled=(waves(14, 2), 28),
        own_size=(waves(37, 2), 37),
        power_of_two=(waves(16, 2), 23),
        comes_out=(waves(37, 2), 40),
        too_much=(waves(7, 2), 29),
        halves=(waves(37, 2), 39.0),
        huge=(waves(37, 2), 10**9),
        a_line=(waves(37), 39),
        none_at_all=(waves(37, 2), 0),
        large=(np.ones((37, 200)), 39),
    ),
    hints={
        "doubled": "no multiple",
        "own size": "no multiple",
        "power of two": "loses no digit",
        "comes out": "let a loop try",
        "too much": "let a loop try",
        "halves": "whole number",
        "huge": "from 1 to 1000",
        "a line": "(m, d)",
        "none at all": "from 1 to 1000",
        "large": "larger than",
    },
)

EXERCISES = {
    each.cell: each
    for each in (PRECISION, LAYOUT, HEADS, CACHE, DYNAMIC, SLOPES, FACTOR, PADDING, GRID, RATIO)
}
