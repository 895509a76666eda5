# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.rotary", "posenc.alibi", "posenc.scaling", "posenc.learned"]
#   jupytext:
#     notebook_metadata_filter: autograder,kernelspec,jupytext
#     cell_metadata_filter: nbgrader,autograder,tags
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: "1.3"
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Find the bug that shipped
#
# **Could you find the bug that shipped?**
#
# Ten short programs follow. I wrote each after a public report of a bug that reached users. Each looks right, and each passes the test that comes to mind first.
#
# - **Do:** for each, give an input on which it goes wrong, then mend it.
# - **Learn:** which inputs a test needs so that these ten stay out.
# - **Need:** NumPy, attention (lesson 1), and what a task names of lessons 3 and 5 to 7.
# - **Time:** about 150 minutes, for 12 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.attention import attention, softmax
from posenc.checks import close, explain, exposes, written
from posenc.sinusoidal import frequencies


def turn(x, angle):
    """Turn features i and i + d/2 of x by angle[..., i] radians; keep the dtype of x."""
    first, second = np.split(x, 2, axis=-1)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1).astype(x.dtype)


def outputs(given, *programs):
    """Return what each program makes of a copy of an input."""
    written(given)
    return [f(*(np.array(a) for a in given)) for f in programs]

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
bugs = ["precision", "layout", "heads", "cache", "dynamic", "slopes", "factor", "padding", "grid", "ratio"]
found = [0.96, 1.99, 1.99, 0.32, 0.04, 0.98, 0.18, 1.00, 0.36, np.nan]
off = np.stack([np.zeros(10), found], axis=1)
ax = plt.subplots(figsize=(6, 4), layout="constrained")[1]
ax = draw.heat_map(ax, off, x="", y="", label="largest error (share)", rows=bugs, numbers=".2f")
ticks = ax.set_xticks([0, 1], ["obvious test", "another input"])

# %% [markdown]
# How far off is each program, as a share of the largest right number? Left, by an obvious test: 0, ten times. Right, on an input that exposes it (grey: even the shape is wrong).
#
# An input is a tuple of arguments: plain numbers and arrays. It **exposes** a bug if the shipped and the right program differ in shape, or by a thousandth of the largest right number (in half precision a twentieth). An input earns its half of the points beside a mended program: a test must know what is right.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $n$, $d$, $h$ | tokens, features, heads | counts |
# | $p$ | position, from 0 | positions |
# | $\theta_i$ | `frequencies(d)[i]` | radians per position |
# | $s$ | stretch: new length over old | at least 1 |

# %% [markdown]
# ## 1. A type with too few digits
#
# `turn` and `outputs` above are right, and so is all that I import. `turn` pairs features $i$ and $i + d/2$, as Hugging Face's Llama does.
#
# With fp16 switched on, Megatron-LM made its positions in float16. Late tokens then share a position, and the model cannot tell where they stand ([#535](https://github.com/NVIDIA/Megatron-LM/issues/535)).
#
# ### Exercise 1: `rotate_precisely(x, positions)` (1 point)
#
# `x` is float16, 32 or 64, `(n, d)` with d even, `positions` n whole numbers up to a million. Turn row j to `positions[j]`, in the dtype of `x`. By hand: [[1, 0]] at [2] gives [[-0.4161, 0.9093]].
#
# Give `input_precision`, a tuple `(x, positions)`, on which the program below goes wrong, then mend it.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "precision_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shipped_precision(x, positions):
    """Turn row j of x to positions[j]."""
    p = np.asarray(positions).astype(x.dtype)
    return turn(x, np.multiply.outer(p, frequencies(x.shape[-1])))


x = np.random.default_rng(0).normal(size=(1024, 8))
half = shipped_precision(x.astype(np.float16), np.arange(1024))
print("float16 is close to float64:", np.allclose(half, shipped_precision(x, np.arange(1024)), atol=0.01))

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "precision", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rotate_precisely(x, positions):
    """Turn row j of x to positions[j], with angles in float64."""
    ### BEGIN SOLUTION
    angle = np.multiply.outer(np.asarray(positions, dtype=np.float64), frequencies(x.shape[-1]))
    return turn(x, angle)
    ### END SOLUTION


input_precision = None  # (x, positions)
### BEGIN SOLUTION
input_precision = (np.tile(np.float16([1, 0]), (6, 1)), np.arange(2048, 2054))
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "precision_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
made = outputs(input_precision, shipped_precision, rotate_precisely)
axes = draw.repair(None, *made, x="feature", y="row")

# %% [markdown]
# This picture shows your own input: left what shipped makes of it, then yours, then the difference, on a scale of its own. If the third panel is blank, your input is blind. If not, look for rows that are alike on the left and differ in the middle: their positions were stored as one number.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "precision_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("rotate_precisely", input_precision)
print("Your input exposes it.")
explain("rotate_precisely", rotate_precisely)
close(rotate_precisely(np.array([[1.0, 0]]), np.array([2])), [[-0.41614684, 0.90929743]], "Turn by 2 radians.")
print("✓ precision: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "precision_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function in other types, and further out.
### BEGIN HIDDEN TESTS
explain("rotate_precisely", rotate_precisely)
x, p = np.array([[3.0, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8], [9, 7, 9, 3, 2, 3]]), np.array([4, 0, 4001])
first = [-1.20412837, 0.05982036, 3.92229278, -2.92405111, 5.0986686, 9.03413634]
last = [4.57739285, -5.86402181, -8.40100096, -8.30948101, -4.31430739, 4.40717403]
out = rotate_precisely(x, p)
close(out, [first, x[1], last], "Row j turns to positions[j], pairs i and i + d/2.", quiet=True)
assert np.asarray(out).dtype == np.float64, "float64 in, float64 out."
half = rotate_precisely(np.array([[1, 0]] * 2, dtype=np.float16), np.array([2051, 4097]))
assert half.dtype == np.float16, "float16 in, float16 out."
want = [[-0.8960513, 0.4439506], [0.934772, 0.3552483]]
close(half, want, "Far positions in half precision: angles in float64.", quiet=True)
far = rotate_precisely(np.array([[1, 1, 0, 0]], dtype=np.float16), np.array([40001]))
close(far, [[-0.6221909, -0.516761, 0.7828656, -0.8561297]], "Four features, further out: positions and frequencies as they are.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Right numbers in the wrong place
#
# A refactoring of transformers gave the speech part of Qwen2.5-Omni cosines in one layout and a swap in the other ([#47328](https://github.com/huggingface/transformers/issues/47328)); V-JEPA 2 has a similar report ([#15](https://github.com/facebookresearch/vjepa2/pull/15)). All shapes fit.
#
# ### Exercise 2: `rotate_neighbours(x, positions)` (1 point)
#
# `x` is a float array `(n, d)`, d even; turn the neighbours $(2i, 2i+1)$ of row j counter-clockwise by `positions[j]` $\theta_i$. By hand: [[1, 0]] at [2] gives [[-0.4161, 0.9093]]. Give `input_layout`, a tuple `(x, positions)`, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "layout_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shipped_layout(x, positions):
    """Turn the pairs (2i, 2i + 1) of row j of x to positions[j]."""
    angle = np.multiply.outer(positions, frequencies(x.shape[-1]))
    cos, sin = np.tile(np.cos(angle), 2), np.tile(np.sin(angle), 2)
    swapped = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)
    return x * cos + swapped * sin


p, x = np.arange(9), np.random.default_rng(0).normal(size=(9, 8))
by_hand = np.stack([np.cos(p), np.sin(p)], axis=-1)
print("one pair turns as by hand:", np.allclose(shipped_layout(np.tile([1.0, 0.0], (9, 1)), p), by_hand))
print("position 0 moves nothing:", np.allclose(shipped_layout(x, 0 * p), x))

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "layout", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rotate_neighbours(x, positions):
    """Turn the pairs (2i, 2i + 1) of row j of x to positions[j]."""
    ### BEGIN SOLUTION
    angle = np.multiply.outer(positions, frequencies(x.shape[-1]))
    cos, sin = np.repeat(np.cos(angle), 2, axis=-1), np.repeat(np.sin(angle), 2, axis=-1)
    swapped = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)
    return x * cos + swapped * sin
    ### END SOLUTION


input_layout = None  # (x, positions)
### BEGIN SOLUTION
input_layout = (np.tile([1.0, 0.0], (24, 4)), np.arange(24))
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "layout_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
made = outputs(input_layout, shipped_layout, rotate_neighbours)
axes = draw.repair(None, *made, x="feature", y="row")

# %% [markdown]
# Equal rows show most. In the middle the two columns of a pair swing together, and each pair is slower than the one before. On the left a fast column stands beside a slow one. Where the two features of a pair turn by different angles there is no rotation: lengths change, and scores see more than the offset.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "layout_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("rotate_neighbours", input_layout)
print("Your input exposes it.")
explain("rotate_neighbours", rotate_neighbours)
close(rotate_neighbours(np.array([[1.0, 0]]), np.array([2])), [[-0.41614684, 0.90929743]], "Pair 0 turns by 2.")
print("✓ layout: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "layout_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with another width and far positions.
### BEGIN HIDDEN TESTS
explain("rotate_neighbours", rotate_neighbours)
x = np.array([[3.0, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8], [9, 7, 9, 3, 2, 3]])
out = rotate_neighbours(x, np.array([4, 1, 4001]))
near = [-1.20412837, -2.92405111, 3.74665718, 1.72120887, 4.92225565, 9.04275397]
far = [8.51150431, -7.58645467, -7.39008646, -5.94866557, -3.54864089, -0.63808135]
close(out[0], near, "Both features of a pair turn by one angle.", quiet=True)
close(out[2], far, "Both features of a pair turn by one angle, far out too.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# One more number in the wrong place. The attention of xformers wants tokens before heads; its rotary class counted positions along the last axis but one, the heads ([#841](https://github.com/facebookresearch/xformers/issues/841), noticed in [open_lm](https://github.com/mlfoundations/open_lm/issues/4)).
#
# ### Exercise 3: `head_scores(q, k)` (1 point)
#
# `q` and `k` are float arrays `(n, h, d)`, d even. Turn token i to position i, pairs $i$ and $i + d/2$, and return `(h, n, n)`: in entry (head, i, j) query i times key j, over $\sqrt d$. By hand: a token with q = k = [1, 0] scores $1/\sqrt2$ = 0.7071 with itself. Give `input_heads`, a tuple `(q, k)`, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "heads_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shipped_heads(q, k):
    """Score turned queries with turned keys, both (n, h, d)."""
    angle = np.multiply.outer(np.arange(q.shape[-2]), frequencies(q.shape[-1]))
    return np.einsum("ihd,jhd->hij", turn(q, angle), turn(k, angle)) / np.sqrt(q.shape[-1])


q, k = np.random.default_rng(0).normal(size=(2, 6, 3, 8))
before, after = shipped_heads(q[1:], k[1:]), shipped_heads(q, k)
print("a token put in front changes no score:", np.allclose(after[:, 1:, 1:], before))

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def head_scores(q, k):
    """Score turned queries with turned keys, both (n, h, d)."""
    ### BEGIN SOLUTION
    angle = np.multiply.outer(np.arange(len(q))[:, None], frequencies(q.shape[-1]))  # (n, 1, d/2)
    return np.einsum("ihd,jhd->hij", turn(q, angle), turn(k, angle)) / np.sqrt(q.shape[-1])
    ### END SOLUTION


input_heads = None  # (q, k)
### BEGIN SOLUTION
input_heads = (np.ones((12, 1, 2)), np.ones((12, 1, 2)))
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "heads_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
made = outputs(input_heads, shipped_heads, head_scores)
axes = draw.repair(None, *made, x="key", y="query, head by head", label="score")

# %% [markdown]
# Give all tokens the same numbers. Then, where distance counts, scores run in stripes; on the left each head has one colour. The obvious test was that scores depend on the offset alone. Scores that depend on no position at all pass it: a **property** that holds of a constant needs a second test, that something changes.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "heads_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("head_scores", input_heads)
print("Your input exposes it.")
explain("head_scores", head_scores)
one = np.array([[[1.0, 0.0]]])
close(head_scores(one, one), [[[0.70710678]]], "A token's offset to itself is 0: the score is q . k over sqrt(d).")
print("✓ heads: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "heads_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with all sizes different.
### BEGIN HIDDEN TESTS
explain("head_scores", head_scores)
q, k = np.arange(1.0, 25).reshape(3, 2, 4) % 5 - 2, np.arange(1.0, 25).reshape(3, 2, 4) % 7 - 3
first = [[2, 2.54020231, 3.51254928], [-0.93212543, -1.5, -3.19319478], [0.30889551, -0.60812688, -0.5]]
second = [[-4.5, -2.32389855, -1.1779366], [6.5767448, 1, 0.68509713], [-0.56458021, -2.74144176, 1]]
close(head_scores(q, k)[0], first, "Positions belong to tokens: head 0.", quiet=True)
close(head_scores(q, k)[1], second, "Positions belong to tokens: head 1.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. What a cache must remember
#
# Qwen3-Omni in mlx-vlm read a prompt rightly. Then each token that it wrote stood at position 0 ([#1983](https://github.com/Blaizzy/mlx-vlm/issues/1983)).
#
# ### Exercise 4: `decode_after(Q, K, V, prompt)` (1.5 points)
#
# Float arrays, `Q` and `K` `(n, d)`, d even, `V` with n rows. The first `prompt` tokens (1 to n) are read at once, the others one by one, with a cache. Token t stands at position t, in queries and keys, and sees tokens 0 to t; scores over $\sqrt d$. Return an array like `V`; its row 0 is `V[0]`. Give `input_cache`, a tuple `(Q, K, V, prompt)`, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cache_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shipped_cache(Q, K, V, prompt):
    """Read the prompt at once, then decode token by token, with a cache of turned keys."""
    keys, out = K[:0], []
    for start, stop in [(0, prompt), *((t, t + 1) for t in range(prompt, len(Q)))]:
        angle = np.multiply.outer(np.arange(stop - start), frequencies(Q.shape[-1]))
        keys = np.concatenate([keys, turn(K[start:stop], angle)])
        out.append(attention(turn(Q[start:stop], angle), keys, V[:stop], causal=True))
    return np.concatenate(out)


Q, K, V = np.random.default_rng(0).normal(size=(3, 9, 8))
angle = np.multiply.outer(np.arange(9), frequencies(8))
full = attention(turn(Q, angle), turn(K, angle), V, causal=True)
print("reading a text is the full pass:", np.allclose(shipped_cache(Q, K, V, prompt=9), full))

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cache", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decode_after(Q, K, V, prompt):
    """Read the prompt at once, then decode token by token, with a cache of turned keys."""
    ### BEGIN SOLUTION
    keys, out = K[:0], []
    for start, stop in [(0, prompt), *((t, t + 1) for t in range(prompt, len(Q)))]:
        angle = np.multiply.outer(np.arange(start, stop), frequencies(Q.shape[-1]))
        keys = np.concatenate([keys, turn(K[start:stop], angle)])
        out.append(attention(turn(Q[start:stop], angle), keys, V[:stop], causal=True))
    return np.concatenate(out)
    ### END SOLUTION


input_cache = None  # (Q, K, V, prompt)
### BEGIN SOLUTION
equal_tokens = np.tile(np.repeat([2.0, 0.0], 4), (8, 1))
input_cache = (equal_tokens, equal_tokens, np.eye(8), 4)
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cache_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
made = outputs(input_cache, shipped_cache, decode_after)
axes = draw.repair(None, *made, x="feature of V", y="token")

# %% [markdown]
# To see the attention weights themselves, let `V` be the identity and all tokens equal. In the middle each token then looks at itself most. On the left this stops where the prompt ends: the decoded tokens all stand at position 0, share their weight evenly, and give as much to the very first.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "cache_test", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("decode_after", input_cache)
print("Your input exposes it.")
explain("decode_after", decode_after)
Q, K, V = np.random.default_rng(1).normal(size=(3, 6, 4))
close(decode_after(Q, K, V, 6)[0], V[0], "The first token sees itself alone.")
print("✓ cache: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "cache_hidden", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function on another text, from other prompts.
### BEGIN HIDDEN TESTS
explain("decode_after", decode_after)
Q = np.array([[1.0, 0, 2, 1], [0, 1, 1, -1], [2, 1, 0, 1], [1, -1, 1, 0], [0, 2, -1, 1]])
K = np.array([[0.0, 1, 1, 2], [1, 1, 0, 0], [1, -1, 2, 0], [0, 1, -1, 1], [2, 0, 1, -1]])
V = np.arange(20.0).reshape(5, 4) ** 2 / 10
second = [1.07434597, 1.71151896, 2.54869194, 3.58586493]
last = [5.01032983, 6.0225979, 7.23486597, 8.64713404]
short, long = decode_after(Q, K, V, 2), decode_after(Q, K, V, 4)
close([short[0], short[1], short[4]], [V[0], second, last], "A cached key keeps its position.", quiet=True)
close([long[0], long[1], long[4]], [V[0], second, last], "The prompt's length changes nothing.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# Dynamic NTK (lesson 7) lets the base grow with the text. In transformers, cached keys kept the turn that they had entered with ([#25104](https://github.com/huggingface/transformers/issues/25104)).
#
# ### Exercise 5: `decode_dynamic(Q, K, V, original)` (1.5 points)
#
# Float arrays as before, d at least 4. Step t must equal the last row of a full pass over its t + 1 tokens: query and keys 0 to t are all turned with `base_for(t + 1, original, d)`. By hand: up to `original` tokens that is plain RoPE. Give `input_dynamic`, a tuple `(Q, K, V, original)`, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "dynamic_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def base_for(length, original, d):
    """Return the base of dynamic NTK: 10000 up to the original length, then larger."""
    return 10000.0 * max(length / original, 1.0) ** (d / (d - 2))


def shipped_dynamic(Q, K, V, original):
    """Decode token by token, with a cache of turned keys."""
    keys, out = [], []
    for t in range(len(Q)):
        angle = t * frequencies(Q.shape[-1], base=base_for(t + 1, original, Q.shape[-1]))
        keys.append(turn(K[t], angle))
        out.append(attention(turn(Q[t], angle)[None], np.array(keys), V[: t + 1])[0])
    return np.array(out)


Q, K, V = np.random.default_rng(0).normal(size=(3, 9, 8))
angle = np.multiply.outer(np.arange(9), frequencies(8))
full = attention(turn(Q, angle), turn(K, angle), V, causal=True)
print("a short text is plain RoPE:", np.allclose(shipped_dynamic(Q, K, V, original=16), full))

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "dynamic", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decode_dynamic(Q, K, V, original):
    """Decode token by token, with a cache of keys that are not turned yet."""
    ### BEGIN SOLUTION
    out = []
    for n in range(1, len(Q) + 1):
        theta = frequencies(Q.shape[-1], base=base_for(n, original, Q.shape[-1]))
        keys = turn(K[:n], np.multiply.outer(np.arange(n), theta))
        out.append(attention(turn(Q[n - 1], (n - 1) * theta)[None], keys, V[:n])[0])
    return np.array(out)
    ### END SOLUTION


input_dynamic = None  # (Q, K, V, original)
### BEGIN SOLUTION
equal_tokens = np.tile(np.repeat([3.0, 0.0], 4), (24, 1))
input_dynamic = (equal_tokens, equal_tokens, np.eye(24), 6)
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "dynamic_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
made = outputs(input_dynamic, shipped_dynamic, decode_dynamic)
axes = draw.repair(None, *made, x="feature of V", y="token")

# %% [markdown]
# The damage is gentle: the two left panels look alike, and only the third shows that keys nearby get a little too much or too little weight, once the base grows. In text that comes out, who would see that? The maintainers knew, and [found](https://github.com/huggingface/transformers/pull/27227) each remedy slow: keys without their turn must be turned again at every step.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "dynamic_test", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("decode_dynamic", input_dynamic)
print("Your input exposes it.")
explain("decode_dynamic", decode_dynamic)
Q, K, V = np.random.default_rng(1).normal(size=(3, 7, 6))
close(decode_dynamic(Q, K, V, 7)[0], V[0], "The first token sees itself alone.")
print("✓ dynamic: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "dynamic_hidden", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function on another text, within and past the original length.
### BEGIN HIDDEN TESTS
explain("decode_dynamic", decode_dynamic)
Q = 3 * np.array([[1.0, 0, 2, 1], [0, 1, 1, -1], [2, 1, 0, 1], [1, -1, 1, 0], [0, 2, -1, 1]])
K = np.array([[0.0, 1, 1, 2], [1, 1, 0, 0], [1, -1, 2, 0], [0, 1, -1, 1], [2, 0, 1, -1]])
V = np.arange(20.0).reshape(5, 4) ** 2 / 10
plain, grown = [1.98666742, 2.42635361, 3.06603981, 3.905726], [2.15186568, 2.62013143, 3.28839719, 4.15666294]
close(decode_dynamic(Q, K, V, 7)[4], plain, "Up to the original length this is plain RoPE.", quiet=True)
close(decode_dynamic(Q, K, V, 2)[4], grown, "Past it, all keys turn with the present base.", quiet=True)
third = [0.045119, 0.16266928, 0.48021956, 0.99776983]
close(decode_dynamic(Q, K, V, 2)[2], third, "Step 2 has the base for three tokens.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 4. A formula and its exceptions
#
# ALiBi gives c heads, c a power of two, the slopes $2^{-8j/c}$, $j = 1, \dots, c$: each is the one before times the first. For any h, its authors' code takes the slopes for the largest such c up to h, then the first, third, fifth, ... slope for 2c heads, until there are h. MLX had the formula alone, and kept it for two years after the report ([#343](https://github.com/ml-explore/mlx/issues/343), [#3071](https://github.com/ml-explore/mlx/pull/3071)).
#
# ### Exercise 6: `head_slopes(h)` (1.5 points)
#
# Return the slopes for h heads, an array `(h,)`. By hand: 4 heads have 1/4, 1/16, 1/64, 1/256. Give `input_slopes`, a tuple `(h,)`, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "slopes_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shipped_slopes(h):
    """Return the slope of each head."""
    return 2.0 ** (-8 * np.arange(1, h + 1) / h)


print("right for 8 heads:", np.allclose(shipped_slopes(8), 1 / np.array([2, 4, 8, 16, 32, 64, 128, 256])))
print("right for 16 heads:", np.allclose(shipped_slopes(16)[1::2], shipped_slopes(8)))

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "slopes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def head_slopes(h):
    """Return the slope of each head, whatever their number."""
    ### BEGIN SOLUTION
    c = 2 ** int(np.log2(h))
    whole, extra = (2.0 ** (-8 * np.arange(1, count + 1) / count) for count in (c, 2 * c))
    return np.concatenate([whole, extra[0::2][: h - c]])
    ### END SOLUTION


input_slopes = None  # (h,)
### BEGIN SOLUTION
input_slopes = (6,)
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "slopes_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
written(input_slopes)
shipped, yours = outputs(np.ravel(input_slopes), shipped_slopes, head_slopes)
ax = plt.subplots(figsize=(6, 3), layout="constrained")[1]
both = {"shipped": shipped, "yours": yours}
draw.lines(ax, np.arange(len(yours)), both, x="head", y="slope (logits per position)")
ax.set_yscale("log", base=2)

# %% [markdown]
# The formula's slopes fall evenly, on this scale along a line. The right ones fall for c heads, and then start anew. Is that better? A model may be trained with either. But weights that were trained with one and run with the other meet other slopes in most heads, and no error tells.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "slopes_test", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("head_slopes", input_slopes)
print("Your input exposes it.")
explain("head_slopes", head_slopes)
close(head_slopes(4), [1 / 4, 1 / 16, 1 / 64, 1 / 256], "Powers of two were right before, and stay so.")
print("✓ slopes: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "slopes_hidden", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function for other numbers of heads.
### BEGIN HIDDEN TESTS
explain("head_slopes", head_slopes)
close(head_slopes(9), [*0.5 ** np.arange(1, 9), 0.70710678], "Eight heads, then the first slope for sixteen.", quiet=True)
six = [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
close(head_slopes(6), six, "Four heads, then the first and third slope for eight.", quiet=True)
forty = [0.00390625, 0.91700404, 0.77110541, 0.64841978, 0.54525387, 0.45850202, 0.38555271, 0.32420989, 0.27262693]
close(head_slopes(40)[31:], forty, "Thirty-two heads, then every other slope for sixty-four.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 5. A factor that counts twice
#
# YaRN (lesson 7) multiplies queries and keys by $m = 0.1 \ln s + 1$, so each score by $m^2$. Read aloud: a tenth of the logarithm of the stretch, plus 1. In public code $m$ was [not read](https://github.com/vllm-project/vllm/pull/46280), [became 1](https://github.com/turboderp-org/exllamav3/issues/259), had its [logarithm taken twice](https://github.com/NVIDIA/TensorRT-LLM/pull/16379), or was [left out of the scores](https://github.com/onnxruntime/mobius/pull/548). Say it reaches the queries alone. What stays right?
#
# <details><summary>(a) The order of the keys.</summary>Yes: a positive factor keeps it.</details>
# <details><summary>(b) The weights.</summary>No: they depend on gaps between scores.</details>
# <details><summary>(c) Nothing.</summary>No: see (a).</details>
#
# ### Exercise 7: `yarn_weights(q, k, s)` (1 point)
#
# `q` `(n, d)` and `k` `(m, d)` are float arrays, turned already; `s` is at least 1. Return `(n, m)`: softmax of the scores over $\sqrt d$. By hand: `s` = 1, a query [1, 0], keys [1, 0] and [0, 1]: 0.6698 and 0.3302. Give `input_factor`, a tuple `(q, k, s)`, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "factor_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shipped_factor(q, k, s):
    """Return attention weights at stretch s."""
    q = (0.1 * np.log(s) + 1) * q
    return softmax(q @ k.T / np.sqrt(q.shape[-1]))


q, k = np.random.default_rng(0).normal(size=(2, 5, 8))
plain = softmax(q @ k.T / np.sqrt(8))
print("stretch 1 changes nothing:", np.allclose(shipped_factor(q, k, 1), plain))
print("the order of the keys stays:", (np.argsort(shipped_factor(q, k, 8)) == np.argsort(plain)).all())
print("one key gets all the weight:", np.allclose(shipped_factor(q, k[:1], 8), 1))

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "factor", "locked": false, "schema_version": 3, "solution": true, "task": false}
def yarn_weights(q, k, s):
    """Return attention weights at stretch s."""
    ### BEGIN SOLUTION
    m = 0.1 * np.log(s) + 1
    return softmax((m * q) @ (m * k).T / np.sqrt(q.shape[-1]))
    ### END SOLUTION


input_factor = None  # (q, k, s)
### BEGIN SOLUTION
input_factor = (3 * np.eye(5), np.eye(5), 32)
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "factor_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
made = outputs(input_factor, shipped_factor, yarn_weights)
axes = draw.repair(None, *made, x="key", y="query", label="weight")

# %% [markdown]
# In the middle the largest weight of a row is larger than on the left, and the others are smaller: attention is sharper, and each row still sums to 1. mobius matched its reference almost exactly at position 0, where one key gets all the weight: a test of the first token sees nothing.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "factor_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("yarn_weights", input_factor)
print("Your input exposes it.")
explain("yarn_weights", yarn_weights)
close(yarn_weights(np.array([[1.0, 0]]), np.eye(2), 1), [[0.6697615, 0.3302385]], "At stretch 1 m is 1.")
print("✓ factor: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "factor_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function at other stretches.
### BEGIN HIDDEN TESTS
explain("yarn_weights", yarn_weights)
q, k = np.array([[1.0, 2], [0, -1], [3, 1]]), np.array([[1.0, 0], [0, 1], [1, 1], [-1, 2]])
eight = [[0.05114233, 0.14350538, 0.40267614, 0.40267614], [0.54354785, 0.19370913, 0.19370913, 0.06903389]]
forty = [0.20670201, 0.01460331, 0.77766297, 0.00103171]
close(yarn_weights(q, k, 8)[:2], eight, "Both q and k are multiplied by m, at stretch 8.", quiet=True)
close(yarn_weights(q, k, 40)[2], forty, "Both q and k are multiplied by m, at stretch 40.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 6. Which token is the first?
#
# nnsight pads the prompts of a batch on the left. GPT-2 then read the wrong row of its table for each shorter prompt, and "silently" predicted something else ([#672](https://github.com/ndif-team/nnsight/issues/672)); TransformerLens had the same ([#1609](https://github.com/TransformerLensOrg/TransformerLens/issues/1609)).
#
# ### Exercise 8: `add_positions(tokens, mask, table)` (1 point)
#
# `tokens` is `(B, n, d)`, `mask` `(B, n)` with 1 for a token and 0 for padding, which may stand anywhere; `table` has at least n rows of d. Add to each token the row of its position, counting the tokens of its own text from 0; padding becomes 0. Return a new `(B, n, d)`. By hand: mask [1, 1, 0] reads row 0, row 1, none. Give `input_padding`, a tuple `(tokens, mask, table)`, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "padding_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shipped_padding(tokens, mask, table):
    """Add the row of its position to each token, and clear the padding."""
    positions = np.arange(tokens.shape[1])
    return (tokens + table[positions]) * mask[..., None]


rng = np.random.default_rng(0)
tokens, table = rng.normal(size=(2, 7, 4)), rng.normal(size=(9, 4))
mask = np.array([[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0]])
alone = shipped_padding(tokens[1:, :4], mask[1:, :4], table)
print("padded or alone, a text is the same:", np.allclose(shipped_padding(tokens, mask, table)[1, :4], alone))

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "padding", "locked": false, "schema_version": 3, "solution": true, "task": false}
def add_positions(tokens, mask, table):
    """Add the row of its position to each token, and clear the padding."""
    ### BEGIN SOLUTION
    positions = (np.cumsum(mask, axis=-1) - 1) * mask
    return (tokens + table[positions]) * mask[..., None]
    ### END SOLUTION


input_padding = None  # (tokens, mask, table)
### BEGIN SOLUTION
input_padding = (np.zeros((2, 6, 6)), np.array([[0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]]), np.eye(6))
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "padding_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
made = outputs(input_padding, shipped_padding, add_positions)
axes = draw.repair(None, *made, x="feature", y="place, text by text")

# %% [markdown]
# With tokens of 0 and the identity as the table, a bright square in each row says which position was read. In the middle each text begins at position 0. On the left a text begins where it stands, as if it were the end of a longer one: the model reads its first word as, say, a third.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "padding_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("add_positions", input_padding)
print("Your input exposes it.")
explain("add_positions", add_positions)
read = add_positions(np.zeros((1, 3, 2)), np.array([[1, 1, 0]]), np.array([[1.0, 2], [3, 4], [5, 6]]))
close(read, [[[1, 2], [3, 4], [0, 0]]], "The first token reads row 0, and padding becomes 0.")
print("✓ padding: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "padding_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with gaps, and another number of texts.
### BEGIN HIDDEN TESTS
explain("add_positions", add_positions)
tokens, mask = np.arange(1.0, 25).reshape(2, 6, 2), np.array([[0, 0, 1, 1, 0, 1], [1, 1, 1, 0, 0, 0]])
kept, table = tokens.copy(), np.array([[0.5, -1], [2, 0.25], [-3, 4], [7, 1], [9, 9], [8, 3], [6, 5]])
out = add_positions(tokens, mask, table)
close(out[0], [[0, 0], [0, 0], [5.5, 5], [9, 8.25], [0, 0], [8, 16]], "Count tokens, not places.", quiet=True)
close(out[1], [[13.5, 13], [17, 16.25], [14, 22], *np.zeros((3, 2))], "Each text counts on its own.", quiet=True)
close(tokens, kept, "The tokens that came in must not change.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 7. Another grid, another size
#
# A ViT's table has a row for each patch of a grid, line by line. For images of another shape it is resized (lesson 3). timm handed some tables back as they were ([#2737](https://github.com/huggingface/pytorch-image-models/pull/2737)).
#
# ### Exercise 9: `resize_grid(table, old, new)` (1 point)
#
# `table` is `(h * w, d)`, `old` = (h, w), `new` = (h2, w2). Return `(h2 * w2, d)`, read on straight lines with the corners kept, as the program below does where it resizes. By hand: [[0], [4]] from (1, 2) to (1, 3) gives [[0], [2], [4]]. Give `input_grid`, a tuple `(table, old, new)`, sides up to 64, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "grid_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def between(rows, at):
    """Read rows at places between them, on straight lines."""
    low = np.floor(at).astype(int)
    part = (at - low).reshape(-1, *[1] * (rows.ndim - 1))
    return rows[low] * (1 - part) + rows[np.minimum(low + 1, len(rows) - 1)] * part


def shipped_grid(table, old, new):
    """Resize a grid of rows, corners aligned."""
    if len(table) == new[0] * new[1]:
        return table
    grid = between(table.reshape(*old, -1), np.linspace(0, old[0] - 1, new[0]))
    grid = between(grid.swapaxes(0, 1), np.linspace(0, old[1] - 1, new[1])).swapaxes(0, 1)
    return grid.reshape(new[0] * new[1], -1)


y, x = (a.reshape(-1, 1) for a in np.mgrid[:2, :2])
print("its own size changes nothing:", np.allclose(shipped_grid(y + x, (2, 2), (2, 2)), y + x))
print("2 by 2 becomes 3 by 3:", shipped_grid(4.0 * y + x, (2, 2), (3, 3)).ravel())

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "grid", "locked": false, "schema_version": 3, "solution": true, "task": false}
def resize_grid(table, old, new):
    """Resize a grid of rows, corners aligned."""
    ### BEGIN SOLUTION
    if tuple(old) == tuple(new):
        return table.copy()
    grid = between(table.reshape(*old, -1), np.linspace(0, old[0] - 1, new[0]))
    grid = between(grid.swapaxes(0, 1), np.linspace(0, old[1] - 1, new[1])).swapaxes(0, 1)
    return grid.reshape(new[0] * new[1], -1)
    ### END SOLUTION


input_grid = None  # (table, old, new)
### BEGIN SOLUTION
input_grid = (np.add.outer(np.arange(2.0), np.arange(8) / 4).reshape(16, 1), (2, 8), (4, 4))
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "grid_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
shipped, yours = outputs(input_grid, shipped_grid, resize_grid)
table, old, new = input_grid
made = {"old": (table, old), "shipped": (shipped, new), "yours": (yours, new)}
made = {name: np.reshape(rows, (*grid, -1))[..., 0] for name, (rows, grid) in made.items()}
axes = draw.side_by_side(None, made, x="x (patches)", y="y (patches)", label="feature 0")

# %% [markdown]
# Left feature 0 of your old grid, then what shipped makes of it, then yours. A slope shows most: numbers that grow evenly to the right and downwards. Resized it must stay a slope, as on the right. Handed back as it was, patches of the image get the rows of others, and the slope breaks.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "grid_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("resize_grid", input_grid)
print("Your input exposes it.")
explain("resize_grid", resize_grid)
close(resize_grid(np.array([[0.0], [4]]), (1, 2), (1, 3)), [[0], [2], [4]], "Corners stay, the middle is new.")
print("✓ grid: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "grid_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function on other grids.
### BEGIN HIDDEN TESTS
explain("resize_grid", resize_grid)
table = np.array([[1.0], [2], [4], [8], [16], [32]])
same = resize_grid(table, (2, 3), (3, 2))
close(same, [[1], [4], [4.5], [18], [8], [32]], "As many patches on another grid are read anew.", quiet=True)
close(resize_grid(table, (2, 3), (2, 2)), [[1], [4], [8], [32]], "Only the width changes.", quiet=True)
close(resize_grid(table[:4], (1, 4), (2, 2)), [[1], [8]] * 2, "A row becomes a square.", quiet=True)
close(resize_grid(table, (6, 1), (2, 3)), [[1]] * 3 + [[32]] * 3, "A column becomes a rectangle.", quiet=True)
wide = resize_grid(np.arange(9.0)[:, None] ** 2, (3, 3), (2, 5))
want = [0, 0.5, 1, 2.5, 4, 36, 42.5, 49, 56.5, 64]
close(wide, np.array(want)[:, None], "Another number of patches is resized as before.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# For some image sizes DINO's resized table missed a row; its successor passes sizes ([dinov2 #378](https://github.com/facebookresearch/dinov2/pull/378)), since PyTorch [rounds a product down](https://github.com/pytorch/pytorch/issues/96236).
#
# ### Exercise 10: `resize_rows(table, n)` (1.5 points)
#
# `table` is a float array `(m, d)`. Return exactly n rows: row j is read at $(j + \tfrac12)\tfrac mn - \tfrac12$, its middle in old rows, kept within 0 and m - 1, on straight lines. By hand: [[0], [1]] to 4 rows gives [[0], [0.25], [0.75], [1]]. Give `input_ratio`, a tuple `(table, n)`, with m and n up to 1000, and mend the program.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "ratio_shipped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shipped_ratio(table, n):
    """Resize a table to n rows, by half pixels."""
    scale = n / len(table)
    size = int(len(table) * scale)
    at = (np.arange(size) + 0.5) / scale - 0.5
    return between(table, np.clip(at, 0, len(table) - 1))


for m, n in [(7, 14), (14, 7), (16, 24), (14, 24), (14, 32)]:
    print(f"from {m} to {n}:", len(shipped_ratio(np.zeros((m, 2)), n)), "rows")

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "ratio", "locked": false, "schema_version": 3, "solution": true, "task": false}
def resize_rows(table, n):
    """Resize a table to n rows, by half pixels."""
    ### BEGIN SOLUTION
    at = (np.arange(n) + 0.5) * len(table) / n - 0.5
    return between(table, np.clip(at, 0, len(table) - 1))
    ### END SOLUTION


input_ratio = None  # (table, n)
### BEGIN SOLUTION
input_ratio = next((np.eye(14), n) for n in range(1, 1000) if int(14 * (n / 14)) != n)
### END SOLUTION

# %% [markdown]
# Why does `int(m * (n / m))` fall short? The quotient is rounded to 53 binary digits. Times m, it can land a hair below n, and `int` drops what follows the point. No tolerance in a test of values shows that; the shape does. DINO first added 0.1: the count was then right, and each row was read a little off its place.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "ratio_test", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
exposes("resize_rows", input_ratio)
print("Your input exposes it.")
explain("resize_rows", resize_rows)
close(resize_rows(np.array([[0.0], [1]]), 4), [[0], [0.25], [0.75], [1]], "Four rows from two, by half pixels.")
print("✓ ratio: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "ratio_hidden", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other sizes.
### BEGIN HIDDEN TESTS
explain("resize_rows", resize_rows)
want = [0, 0.8, 3, 6.66666667, 11.8, 18.4, 26.46666667, 36, 47.26666667, 60, 74.2, 89.86666667, 107, 125.6, 144]
line = resize_rows(np.arange(13.0)[:, None] ** 2, 15)
close(line, np.array(want)[:, None], "Exactly n rows, each in its place.", quiet=True)
seven = resize_rows(np.array([[1.0], [2], [4], [8], [16]]), 7)
want = [1, 1.57142857, 2.57142857, 4, 6.85714286, 11.42857143, 16]
close(seven, np.array(want)[:, None], "The places follow from n and m alone.", quiet=True)
close(resize_rows(np.zeros((7, 3)), 29), np.zeros((29, 3)), "No row more than asked for, either.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## In practice
#
# Some were found in losses or in output ([heads](https://github.com/mlfoundations/open_lm/issues/4), [padding](https://github.com/TransformerLensOrg/TransformerLens/issues/1609)), some by reading ([precision](https://github.com/NVIDIA/Megatron-LM/issues/535)), some by a test that compares two ways ([cache](https://github.com/RobertCsordas/moeut/pull/6), [grid](https://github.com/huggingface/pytorch-image-models/pull/2737)). A checklist to keep:
#
# | test | would have caught |
# |---|---|
# | every size different: n = 7, d = 6, h = 3, grids 2 × 8 | layout, grid |
# | numbers from another program, written down | layout, heads, slopes, factor |
# | far positions, against float64 | precision |
# | decoding equals the full pass, past the trained length | cache, dynamic |
# | a padded text equals itself alone, on both sides | padding |
# | a loop over all sizes | slopes, ratio |
# | something that must change, changes | heads, factor |

# %% [markdown]
# ## On your own
#
# - `exposes` holds a right program. Which of your ten inputs would show the bug without one, by two ways that must agree?
# - Write one test of `head_scores` that each wrong version fails.
#
# ## Further reading
#
# - Karpathy, [*A Recipe for Training Neural Networks*](https://karpathy.github.io/2019/04/25/recipe/), 2019: networks fail silently, and how to work then.
# - Claessen and Hughes, [*QuickCheck*](https://doi.org/10.1145/351240.351266), 2000: state a property, let a program look for the input.
# - [Hypothesis](https://hypothesis.readthedocs.io/): the same for Python, with arrays of any shape and type.
