# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.attention"]
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
# # Ask what attention knows of order
#
# **Does attention know which word came first?**
#
# "The cat sat on the mat" and "the mat sat on the cat" use the same words. Here you build attention from nothing, show that it cannot tell them apart, say exactly what it can and cannot see, and meet the three places where position can enter.
#
# - **Do:** write softmax and attention, test equivariance, predict what a mask changes.
# - **Learn:** what shuffling tokens does to attention, and why position must be added.
# - **Need:** NumPy, matrix products.
# - **Time:** about 75 minutes, for 14 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.checks import choice, close, explain, written

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
first, second = "the cat sat on the mat".split(), "the mat sat on the cat".split()
swap = np.array([0, 5, 2, 3, 4, 1])
ax = draw.permutation(plt.subplots(figsize=(7, 2.4), layout="constrained")[1], first, swap)

# %% [markdown]
# The first sentence above, the second below, and a line from each word to itself. Two lines cross: that is all that differs, and it is who sat on whom.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $n$, $d$, $h$ | tokens, features, heads | counts |
# | $X$ | a row for each token | $(n, d)$ |
# | $q$, $k$, $v$ | query, key, value of a token | $(d,)$ |
# | $Q$, $K$, $V$ | a row for each token | $(n, d)$ |
# | order | row `j` after is row `order[j]` before | $(n,)$ |
# | $t$ | a step, counted from 0 | positions |

# %% [markdown]
# ## 1. An average with weights
#
# Let each token (here: a word) average what all tokens offer, and choose whom to listen to. Three offer 10, 20 and 60: with equal weights I hear 30, with weights 0.9, 0.1, 0 I hear 11.
#
# Weights are positive and sum to 1. **Softmax** makes them from any scores:
#
# $$w_j = \frac{e^{x_j}}{\sum_i e^{x_i}}$$
#
# Read aloud: exponentiate each score, divide by the sum of all. Three keys score 0, 1 and $s$. Guess: which $s$ gives the last half of the weight?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "softmax_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def show_weights(s=2.0):
    """Draw the weights of the scores 0, 1 and s."""
    e = np.exp([0, 1, s])
    ax = plt.subplots(figsize=(4.5, 1.9), layout="constrained")[1]
    draw.heat_map(ax, e / e.sum(), x="key", y="", label="weight", limit=1, numbers=".2f").set_yticks([])
    ax.set_xticks(range(3), ["0: score 0", "1: score 1", f"2: score {s:g}"])


show_weights()
try:
    from ipywidgets import interact
except ImportError:
    pass  # The still picture above says the same.
else:
    interact(show_weights, s=(-3.0, 6.0, 0.5))

# %% [markdown]
# At $s = 2$ the last key has 0.67 already; half needs $e^s = 1 + e$, so $s \approx 1.31$. Adding 1000 to all scores changes nothing, since $e^{1000}$ cancels. But a float overflows from $e^{710}$ on, so it has to cancel before it is computed.
#
# ### Exercise 1: `softmax(x)` (2 points)
#
# `x` is an array (..., n) of floats or integers. Return a new array of floats of that shape: weights along the last axis. Scores may be large, rows may differ by thousands, and a score of $-\infty$ gets weight 0 (no row has only such).
#
# By hand: 0 and $\ln 3$ have exponentials 1 and 3, so weights 0.25 and 0.75.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(x):
    """Turn the scores along the last axis into positive weights that sum to 1."""
    ### BEGIN SOLUTION
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "softmax_yours_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
scores = np.array([[0, 1, 2, 3], [1000, 1001, 1002, 1003], [7, 7, 7, 7], [-9000, -9003, -9001, -9000]])
yours = softmax(scores)
expected = 1 / np.exp(scores[:, None, :] - scores[:, :, None]).sum(axis=-1)
axes = draw.comparison(None, yours, expected, x="key", y="row of scores")

# %% [markdown]
# Rows 0 and 1 look alike, though one is larger by 1000: only differences count. Row 2 has equal scores, and equal weights. Grey cells in the first panel are NaN: an overflow. The third panel, the difference, is blank when the two agree.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "softmax_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("softmax", softmax)
x = np.array([[1.0, 2.0, 4.0, 1.0, 0.0, -1.0, 3.0]])
close(softmax(x).sum(axis=-1), [1.0], "Weights sum to 1.")
close(softmax(x + 5000), softmax(x), "Adding the same number to all scores changes nothing.")
close(softmax(np.array([0.0, np.log(3.0)])), [0.25, 0.75], "Exponentials 1 and 3 make the weights 1/4 and 3/4.")
print("✓ softmax: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "softmax_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other sizes, batches and far-off rows.
### BEGIN HIDDEN TESTS
explain("softmax", softmax)
x = np.array([[[2, -1, 0], [1, 1, 3]], [[4000, 4002, 4001], [-7000, -7001, -7003]]])
kept = x.copy()
one, two = [0.84379473, 0.04201007, 0.1141952], [0.10650698, 0.10650698, 0.78698604]
three, four = [0.09003057, 0.66524096, 0.24472847], [0.70538451, 0.25949646, 0.03511903]
close(softmax(x), [[one, two], [three, four]], "Each row along the last axis by itself, of any size.", quiet=True)
close(softmax(x * 1.0)[1], [three, four], "Floats and integers give the same weights.", quiet=True)
close(softmax(np.array([0.0, -np.inf, 2.0, 900.0])), [0, 0, 0, 1], "Far below the largest, weights are 0.", quiet=True)
close(softmax(np.eye(7))[3, 3], 0.311791, "Seven scores: the weights sum to 1.", quiet=True)
close(x, kept, "x itself must not change: write into a new array.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Ask, match, listen
#
# The tokens set the scores. By learned matrices each makes a **query** (what it looks for), a **key** (what it is found by) and a **value** (what it passes on). A score is $q \cdot k / \sqrt d$.
#
# Why the root? With $d$ random features of spread 1 each, $q \cdot k$ has spread $\sqrt d$. A query meets ten such keys. Guess: how much weight goes to the best, as $d$ grows?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "scaling_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
widths = np.array([1, 4, 16, 64, 256, 1024])
undivided, divided = [], []
for d in widths:
    q, k = np.random.default_rng(0).normal(size=(2, 300, 10, d))
    dots = (q[:, :1] * k).sum(axis=-1)  # (300, 10): 300 queries, ten keys each
    undivided.append(softmax(dots).max(axis=-1).mean())
    divided.append(softmax(dots / np.sqrt(d)).max(axis=-1).mean())
ax = plt.subplots(figsize=(6.5, 3), layout="constrained")[1]
ax = draw.lines(ax, widths, {"q · k": undivided, "q · k / √d": divided}, x="features d", y="largest weight, mean")
ax.set(xscale="log", xticks=widths, xticklabels=widths, ylim=(0, 1))
ax.minorticks_off()

# %% [markdown]
# Undivided, wide heads put nearly all weight on one key, where softmax has almost no gradient to learn by (Vaswani et al., 2017, section 3.2.1). Divided, the choice stays soft. So
#
# $$\operatorname{attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{QK^\top}{\sqrt d}\right) V$$
#
# Read aloud: compare each query with each key, make weights, average the values. Texts often write $\operatorname{softmax}(QK^\top)V$ for short.
#
# ### Exercise 2: `attention(q, k, v)` (4 points)
#
# As a loop, for arrays with two axes:
#
# ```
# for i in range(n_q):
#     weights = softmax(np.array([q[i] @ k[j] / np.sqrt(d) for j in range(n_k)]))
#     out[i] = sum(weights[j] * v[j] for j in range(n_k))
# ```
#
# Write it without one. `q` (..., n_q, d), `k` (..., n_k, d), `v` (..., n_k, d_v) are float arrays with the same batch axes in front, or none. Return a new array (..., n_q, d_v).
#
# By hand, d = 4: $q = (2, 0, 0, 0)$ meets keys 0 and $(\ln 3, 0, 0, 0)$. Scores 0 and $\ln 3$, weights 0.25 and 0.75; values 0 and 8 average to 6.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention(q, k, v):
    """Average the values of all keys, weighted by how well each key fits the query."""
    ### BEGIN SOLUTION
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., n_q, n_k)
    return softmax(scores) @ v
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "attention_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
angle = 2 * np.pi * np.arange(12) / 12
points = 3 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
yours = attention(points[:8], points, np.eye(12))
fit = np.exp(9 * np.cos(angle[:8, None] - angle) / np.sqrt(2))
expected = fit / fit[0].sum()
axes = draw.comparison(None, yours, expected, x="key", y="query")

# %% [markdown]
# Twelve keys stand on a circle, and eight queries at the first eight of them. The values are the identity, so the output is the weights themselves: each query listens most to the key at its own angle, and to both neighbours a little. Key 11 is a neighbour of query 0.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "attention_test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("attention", attention)
q, k, v = np.random.default_rng(0).normal(size=(3, 7, 6))
close(attention(0 * q, k, v), np.tile(v.mean(axis=0), (7, 1)), "A query of zeros gets the plain mean.")
close(attention(q[2:4], k, v), attention(q, k, v)[2:4], "Queries do not see each other.")
close(attention(q, np.tile(k, (2, 1)), np.tile(v, (2, 1))), attention(q, k, v), "All keys twice: no change.")
pair = attention(*np.stack([[q, k], [k, k], [v, q]]))
close(pair[1], attention(k, k, q), "A batch of two: each is treated as if it came alone.")
print("✓ attention: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "attention_hidden", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other numbers of queries, keys and features, and in batches.
### BEGIN HIDDEN TESTS
explain("attention", attention)
q = np.array([[1.0, 0, 2], [0, -1, 1]])
k = np.array([[0.0, 1, 1], [2, 0, -1], [1, 1, 0], [-1, 2, 1]])
v = np.array([[1.0, 2, 0, 3, -1], [0, 1, 4, 1, 1], [3, 0, 1, 1, 2], [2, 2, 2, 0, 5]])
one = [1.56154427, 1.41018578, 1.2078984, 1.59009986, 1.33098693]
two = [1.41829521, 1.37255718, 1.46403325, 1.53596675, 1.30062368]
close(attention(q, k, v), [one, two], "Two queries, four keys, three features: scale by the root of three.", quiet=True)
batch = attention(*(np.stack([[x, x[::-1]]] * 3) for x in (q, k, v)))
close(batch[2, 0], [one, two], "Leading axes are batch axes.", quiet=True)
close(batch[1, 1], [two, one], "Leading axes are batch axes, each with keys and values of its own.", quiet=True)
square = attention(k[:3], q[[0, 1, 0]] + v[:3, :3], v[:3, :3])
want = [[0.80299006, 1.13121626, 2.2995308], [2.69223753, 0.30249336, 0.85797425], [1.90537823, 1, 0.66558809]]
close(square, want, "Where all sizes are equal: rows are queries, columns keys.", quiet=True)
close(q, [[1, 0, 2], [0, -1, 1]], "The arguments must not change: write into new arrays.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. Two sentences, one bag of words
#
# Now the two sentences. Each word gets a vector, and there are three matrices: random here, learned in a real model. In **self-attention** queries, keys and values all come from the same rows.
#
# First "cat" sits on the mat, then it is sat on. Guess: what does "cat" get in the second sentence?
#
# <details><summary>(a) What "mat" got in the first, whose place it took.</summary>No: its query comes from the word, not from the place.</details>
# <details><summary>(b) Something new: its neighbours changed.</summary>No: nothing says who is near.</details>
# <details><summary>(c) What it got in the first.</summary>Yes: the same query, keys and values, in another order.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "words", "locked": true, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(0)
vector = dict(zip(["the", "cat", "sat", "on", "mat"], rng.normal(size=(5, 8)), strict=True))
W_q, W_k, W_v = rng.normal(size=(3, 8, 8)) / np.sqrt(8)
first, second = "the cat sat on the mat".split(), "the mat sat on the cat".split()
A, B = (np.array([vector[word] for word in sentence]) for sentence in (first, second))
swap, order = np.array([0, 5, 2, 3, 4, 1]), np.array([3, 1, 0, 5, 2, 4])  # B is A[swap]


def self_attention(X):
    """Let each row of X attend to every row."""
    return attention(X @ W_q, X @ W_k, X @ W_v)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "same_outputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
np.abs(self_attention(A) - self_attention(B)[swap]).max(axis=1)  # a number for each word of the first sentence

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "sentences_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
weights = {" ".join(s): attention(X @ W_q, X @ W_k, np.eye(6)) for s, X in [(first, A), (second, B)]}
axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")[1]
axes = draw.side_by_side(axes, weights, x="key", y="query", label="weight", words=[first, second])

# %% [markdown]
# The numbers say how much each word's output changes: not at all, up to rounding. In the picture each row is a word that asks, each column one that is asked. The row of "cat" has the same colours on both sides, two columns exchanged.
#
# Can a whole Transformer do better? Its many heads stand side by side, and all else (adding $X$ back, a ReLU layer) treats each row alone. So no. Below: two layers of two heads, with the same matrices, and a blank after the sentence. Guess: how many different probabilities does "cat" get there, over all 720 orders of the six words?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "model", "locked": true, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(1)
W_1, W_2 = rng.normal(size=(2, 8, 8)) / 3
blank, place = rng.normal(size=8), rng.normal(size=(7, 8))  # place: a random vector for each position
orders = np.indices((6,) * 6).reshape(6, -1).T
orders = orders[(np.sort(orders, axis=1) == np.arange(6)).all(axis=1)]  # (720, 6), every order once


def model(X):
    """Pass X (..., n, 8) through two layers: two heads of four features, then a ReLU layer, each added to X."""
    for _ in range(2):
        q, k, v = (np.swapaxes((X @ W).reshape(*X.shape[:-1], 2, 4), -2, -3) for W in (W_q, W_k, W_v))
        X = X + np.swapaxes(attention(q, k, v), -2, -3).reshape(X.shape)
        X = X + np.maximum(X @ W_1, 0) @ W_2
    return X


def fill(X):
    """Return the probability of each word in the blank, the last row of X (..., n, 8)."""
    return softmax(model(X)[..., -1, :] @ np.array(list(vector.values())).T / np.sqrt(8))

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "bag_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
shuffled = np.concatenate([A[orders], np.tile(blank, (720, 1, 1))], axis=1)  # (720, 7, 8)
lines = {"no position": fill(shuffled)[:, 1], "a vector added for each position": fill(shuffled + place)[:, 1]}
lines = {name: np.sort(line) for name, line in lines.items()}
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.lines(ax, np.arange(720), lines, x="order of the six words, sorted by height", y="probability of “cat”")

# %% [markdown]
# Without positions one flat line: a single probability for all 720 orders. The model sees a **bag of words**: which words, how often, no more. With a vector added for each position, order counts.
#
# So, without a mask, a lack of positions destroys language modelling: what is said of one sentence is said of the other. The price depends on what a bag gives away: filling one hidden word suffers little, filling many suffers much (Lasri et al., 2022).

# %% [markdown]
# ## 4. Equivariant, exactly
#
# Let order hold each of $0 \dots n-1$ once, so that `X[order]` shuffles the rows. For every order, a function $f$ is
#
# - **equivariant** if `f(X[order]) == f(X)[order]`: shuffling, then $f$, is $f$, then shuffling;
# - **invariant** if `f(X[order]) == f(X)`: shuffling changes nothing.
#
# Attention is equivariant. Shuffling $X$ shuffles queries, keys and values alike; a query then meets the same keys, and its average has the same terms. It is not invariant: its rows move.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "rows_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
f = self_attention
panels = {"f(X)": f(A), "f(X)[order]": f(A)[order], "f(X[order])": f(A[order])}
axes = plt.subplots(1, 3, figsize=(10, 3), layout="constrained")[1]
for ax, (title, rows) in zip(axes, panels.items(), strict=True):
    shown = first if title == "f(X)" else [first[i] for i in order]
    ax = draw.heat_map(ax, rows, y="", title=title, rows=shown)

# %% [markdown]
# The output for the first sentence; its rows shuffled; the output for the shuffled sentence. The last two agree, and the first differs.
#
# This order is [3, 1, 0, 5, 2, 4], on purpose. The two sentences differ by a swap, which undoes itself: whoever confuses an order with its inverse would not notice. This one has the inverse [2, 1, 4, 0, 5, 3].

# %% [markdown]
# ### Exercise 3: `is_equivariant(f, X, order)` (4 points)
#
# `f` takes an array (n, d) and returns an array of n rows, `order` is an integer array (n,). Return `True` if `f(X[order])` and `f(X)[order]` are close, as `np.allclose` judges by default, else `False`. `X` must not change. NaN is close to nothing.
#
# By hand: $X$ has the rows 1, 2, 3, and order = [2, 0, 1], so `X[order]` is 3, 1, 2. Doubling gives 6, 2, 4, and so does reordering 2, 4, 6: `True`. Running sums give 3, 4, 6, while reordering 1, 3, 6 gives 6, 1, 3: `False`.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "is_equivariant", "locked": false, "schema_version": 3, "solution": true, "task": false}
def is_equivariant(f, X, order):
    """Tell whether the rows of f(X) move along when the rows of X are put in this order."""
    ### BEGIN SOLUTION
    return np.allclose(f(X[order]), f(X)[order])
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "is_equivariant_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
functions = {
    "double": lambda X: 2 * X,
    "less the mean": lambda X: X - X.mean(axis=0),
    "sort": lambda X: np.sort(X, axis=0),
    "running sum": lambda X: np.cumsum(X, axis=0),
    "upside down": lambda X: X[::-1],
}
some = {"as it was": np.arange(6), "swap": swap, "upside down": np.arange(6)[::-1], "[3, 1, 0, 5, 2, 4]": order}
yours = [[is_equivariant(f, A, each) for f in functions.values()] for each in some.values()]
expected = [[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1, 1, 0, 0, 1], [1, 1, 0, 0, 0]]
axes = draw.comparison(None, yours, expected, x="", y="order")
for ax in axes:
    ax.set_xticks(range(5), functions, rotation=90)
    ax.set_yticks(range(4), some if ax is axes[0] else [""] * 4)

# %% [markdown]
# Bright is `True`. Doubling, and taking the mean away, pass every order. Sorting is invariant, so its rows do not move along. Row 0 is all bright, and "upside down" passes the order that turns all upside down: one order that passes is no proof, one that fails is a refutation.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "is_equivariant_test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("is_equivariant", is_equivariant)
X, back = np.arange(21.0).reshape(7, 3) ** 1.5, np.array([6, 0, 5, 1, 4, 2, 3])
share, from_first = lambda X: X / X.sum(axis=0), lambda X: X - X[0]
assert is_equivariant(share, X, back), "Shares of the total move along with their rows, up to rounding."
assert not is_equivariant(from_first, X, back), "What is measured from the first row is not equivariant."
print("✓ is_equivariant: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "is_equivariant_hidden", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other sizes, orders and functions.
### BEGIN HIDDEN TESTS
explain("is_equivariant", is_equivariant)
X, mixed = np.cos(np.arange(35.0) ** 1.3).reshape(7, 5), np.array([4, 2, 0, 6, 1, 3, 5])
kept = X.copy()
moving = [lambda X: X * np.abs(X).max(), lambda X: X @ X.T @ X, lambda X: 0 * X + X.max(axis=0)]
fixed = [
    lambda X: np.sort(X, axis=0),
    lambda X: np.cumprod(X, axis=0),
    lambda X: np.where(np.arange(7)[:, None] == 3, -X, X),
    lambda X: X + 2e-4 * np.arange(7)[:, None],
    lambda X: X + np.abs(np.arange(7) - 3.0)[:, None],
    lambda X: X[:, :1] + X[:1, :1],
    lambda X: X * np.nan,
]
said = [is_equivariant(f, X, mixed) for f in moving + fixed]
assert np.array_equal(said[:3], [True] * 3), "Functions that treat all rows alike are equivariant, up to rounding."
assert np.array_equal(said[3:], [False] * 7), "Where one row does not follow its token, the answer is False."
said = [is_equivariant(f, X, np.array([0, 1, 2, 3, 4, 6, 5])) for f in (fixed[2], fixed[4], fixed[5])]
assert np.array_equal(said, [True, False, True]), "The given order decides: use it, whatever it is."
close(X, kept, "X itself must not change.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 5. Mask, pool, or ask once
#
# ### Exercise 4: predict (2 points)
#
# Six functions of $X$, all built on attention with fixed matrices. Write for each `"equivariant"`, `"invariant"` or `"neither"`, before you run on.
#
# - `no_mask`: self-attention.
# - `mean_after`: the same, then the mean over the tokens.
# - `causal`: token $t$ sees tokens $0 \dots t$ only.
# - `padding`: empty tokens, rows of zeros, are hidden from all, wherever they stand.
# - `one_query`: one learned query, the same for every input, attends to all tokens.
# - `neighbours`: each token sees itself and the one on either side.
#
# The check explains every wrong choice. Then come the results.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "predict", "locked": false, "schema_version": 3, "solution": true, "task": false}
no_mask = None
mean_after = None
causal = None
padding = None
one_query = None
neighbours = None
### BEGIN SOLUTION
no_mask = padding = "equivariant"
mean_after = one_query = "invariant"
causal = neighbours = "neither"
### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "predict_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
written(no_mask, mean_after, causal, padding, one_query, neighbours)
choice(no_mask, "equivariant", {"invariant": "no_mask: the rows do change place, with their tokens.",
    "neither": "no_mask: queries, keys and values only move along with their tokens, and so do the averages."})
choice(mean_after, "invariant", {"equivariant": "mean_after: one vector is left, so no rows can move along.",
    "neither": "mean_after: shuffled rows have the same mean, so the output does not change."})
choice(causal, "neither", {"equivariant": "causal: a token that moves to the front sees less, and changes.",
    "invariant": "causal: the first token sees itself alone, so row 0 changes when another token comes first."})
choice(padding, "equivariant", {"invariant": "padding: the rows of all tokens still change place with them.",
    "neither": "padding: the mask is read from the tokens, so it moves with them: who is hidden stays hidden."})
choice(one_query, "invariant", {"equivariant": "one_query: one vector comes out, so no rows can move along.",
    "neither": "one_query: it meets the same keys and values in any order, and averages them alike."})
choice(neighbours, "neither", {"equivariant": "neighbours: who stands beside a token depends on the order.",
    "invariant": "neighbours: a token that gets new neighbours gets another output."})
print("✓ predict: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "predict_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# All six.
### BEGIN HIDDEN TESTS
assert no_mask == "equivariant", "no_mask: the rows move along with their tokens."
assert mean_after == "invariant", "mean_after: shuffled rows have the same mean."
assert causal == "neither", "causal: what a token sees depends on where it stands."
assert padding == "equivariant", "padding: the mask moves along with the tokens."
assert one_query == "invariant", "one_query: one query, the same keys and values, and so the same average."
assert neighbours == "neither", "neighbours: who stands beside a token depends on the order."
### END HIDDEN TESTS

# %% [markdown]
# Now the results. A mask says who sees whom: where it is False the score becomes $-\infty$, and the weight 0. I use the first sentence with its last word left empty.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "kinds", "locked": true, "schema_version": 3, "solution": false, "task": false}
def masked(X, seen):
    """Let row i of X attend to row j where seen[i, j], or seen[j] for all i, is True."""
    scores = X @ W_q @ (X @ W_k).T / np.sqrt(8)
    return softmax(np.where(seen, scores, -np.inf)) @ X @ W_v


asks, steps = np.random.default_rng(2).normal(size=(1, 8)), np.arange(6)
kinds = {
    "no_mask": self_attention,
    "mean_after": lambda X: self_attention(X).mean(axis=0),
    "causal": lambda X: masked(X, steps[:, None] >= steps),
    "padding": lambda X: masked(X, X.any(axis=1)),
    "one_query": lambda X: attention(asks, X @ W_k, X @ W_v)[0],
    "neighbours": lambda X: masked(X, np.abs(steps[:, None] - steps) <= 1),
}

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "kinds_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
X = A * (steps[:, None] < 5)
moves = [is_equivariant(f, X, order) if f(X).ndim == 2 else np.nan for f in kinds.values()]
stays = [np.allclose(f(X[order]), f(X)) for f in kinds.values()]
ax = plt.subplots(figsize=(6, 3), layout="constrained")[1]
ax = draw.heat_map(
    ax, np.transpose([moves, stays]), x="", y="", label="1 is True", limit=1, rows=list(kinds), numbers="g"
)
ticks = ax.set_xticks([0, 1], ["equivariant", "invariant"])

# %% [markdown]
# Left: do the rows move along? (Grey: one vector, no rows.) Right: does the output stay? A single query's does: the same keys and values, in any order. With a causal mask, or neighbours only, neither holds: such a mask is tied to places, not to tokens. So "attention ignores order" holds without one only. GPT has one. What can it know?

# %% [markdown]
# ## 6. A head that counts
#
# A causal head listens equally to all it sees: its queries are 0. The value is 1 for the first token (BOS, beginning of sequence), else 0. Guess: what does token $t$ get?
#
# <details><summary>(a) The same as every other.</summary>No: each sees one token more than the one before.</details>
# <details><summary>(b) t</summary>No: an average of zeros and a one is at most 1.</details>
# <details><summary>(c) 1/(t + 1)</summary>Yes: a single 1 among t + 1 values.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "count_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
t = np.arange(16)
weights = softmax(np.where(t[:, None] >= t, 0.0, -np.inf))  # equal scores, and no view ahead
left, right = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")[1]
draw.heat_map(left, weights, x="key", y="query, step t", label="weight")
output = weights @ (t == 0)  # 1 for BOS, 0 for the others
ax = draw.lines(right, t, {"output of the head": output, "1 / (t + 1)": 1 / (t + 1)}, x="step t", y="output")

# %% [markdown]
# Left, row $t$ spreads its weight over $t + 1$ keys. Right, the output is $1/(t+1)$: position came in through the mask alone. A first layer can pass it on (Kazemnejad et al., 2023, Theorem 1), and models trained without any encoding (**NoPE**) do carry positions (Haviv et al., 2022).
#
# So a word can know how many came before. And in which order? I shuffle the first five, and look at the sixth.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "depth", "locked": true, "schema_version": 3, "solution": false, "task": false}
shuffle = np.array([3, 1, 0, 4, 2, 5])  # the last word stays last


def change_of_rows(layers):
    """Return how far each row ends from where it does when the first five are shuffled, after causal layers."""
    X, Y = A[shuffle], A
    for _ in range(layers):
        X, Y = (Z + masked(Z, steps[:, None] >= steps) for Z in (X, Y))
    return np.linalg.norm(X - Y[shuffle], axis=1)


print(f"change of the last row: {change_of_rows(1)[5]:.2f} after one layer, {change_of_rows(2)[5]:.2f} after two")

# %% [markdown]
# Nothing after one layer: the last word sees all the others, with the keys and values that they had.
#
# ### Exercise 5: in your own words (2 points, read by a person)
#
# A friend trains a Transformer without mask and without positions to fill in "the cat sat on the mat, what is sat on? ___", and the same for the other sentence. It is right half of the time, so the friend makes it larger. Two or three sentences on each: why does no size help? And why can a causal mask help, without positions, from two layers on?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "blind", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# Both inputs hold the same words. Every part of the model is equivariant, and the blank attends to the same keys and values in both, so it gets the same vector and gives the same answer. The right answers differ, so one of the two is wrong, whatever the matrices are; size and training only choose the matrices.
#
# A causal mask is tied to places: what a word sees depends on which words came before it. After one layer the rows of the earlier words depend on the order, but the blank, which comes last, still averages the same keys and values. In a second layer it attends to rows that have changed.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "depth_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
rows, layers = [change_of_rows(1), change_of_rows(2)], ["1 layer", "2 layers"]
ax = plt.subplots(figsize=(7, 2.2), layout="constrained")[1]
ax = draw.heat_map(ax, rows, x="word", y="", label="change", rows=layers, numbers=".2f")
ticks = ax.set_xticks(range(6), [first[i] for i in shuffle])

# %% [markdown]
# How much each row changes, by length of the difference. After one layer the last word has not noticed. In the second it listens to words that saw others than before, and it changes too.

# %% [markdown]
# ## 7. Three places for position
#
# Most models are told positions outright, in one of three places.
#
# 1. **Absolute**: a vector for each position is added to the embeddings (the rows of $X$), before the first layer (lessons 2 and 3).
# 2. **Relative**: a number for each offset from query to key is added to the scores, in every layer (lessons 4 and 5).
# 3. **Rotary**: queries and keys are turned by their positions before the dot product, in every layer (lesson 6).
#
# Follow the arrows below from the embeddings to the weighted average: the numbers mark the three places. Then come three stand-ins, each the least that does it.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "places_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
ax = draw.places(plt.subplots(figsize=(9, 3.6), layout="constrained")[1])

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "three", "locked": true, "schema_version": 3, "solution": false, "task": false}
def absolute(X):
    """Add a vector to each row: here a random one for each position."""
    return self_attention(X + place[:6])


def relative(X):
    """Add a number to each score: here minus half the distance."""
    scores = X @ W_q @ (X @ W_k).T / np.sqrt(8) - 0.5 * np.abs(steps[:, None] - steps)
    return softmax(scores) @ X @ W_v


def rotary(X):
    """Turn queries and keys: here features i and i + 4 as a point, by as many radians as the position says."""
    cos, sin = np.cos(steps)[:, None], np.sin(steps)[:, None]
    q, k = ((Z[:, :4], Z[:, 4:]) for Z in (X @ W_q, X @ W_k))
    q, k = (np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=1) for a, b in (q, k))
    return attention(q, k, X @ W_v)


{f.__name__: is_equivariant(f, A, order) for f in (self_attention, model, absolute, relative, rotary)}

# %% [markdown]
# None of the three is equivariant. Below, how much each word's output changes from the first sentence to the second: not at all with nothing added, and with each of the three nearly everywhere, since around every word things moved. One zero is left. Find it, and say why: "on" stands two places from "cat" and two from "mat", and this bias knows how far, but not on which side.
#
# So attention knows which word came first once it is told, or once a mask tells it how many came before. On texts longer than any in training the three behave differently: lesson 8 measures it.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "change_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
ways = {"nothing": self_attention, "1 absolute": absolute, "2 relative": relative, "3 rotary": rotary}
change = [np.linalg.norm(f(A) - f(B)[swap], axis=1) for f in ways.values()]
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.heat_map(ax, change, x="word of the first", y="", label="change", rows=[*ways], numbers=".2f")
ticks = ax.set_xticks(range(6), first)

# %% [markdown]
# ## In practice
#
# Four flavours dominate: sinusoidal (the original Transformer), learned (BERT, GPT-2, ViT), ALiBi (BLOOM, MPT) and RoPE (LLaMA and most open models since). "Modern LLMs all use one of the latter two" is nearly true: T5 has learned biases, and some models leave position out of part of their layers, every fourth in [Command R7B](https://github.com/huggingface/transformers/blob/main/src/transformers/models/cohere2/modeling_cohere2.py) and [SmolLM3](https://github.com/huggingface/transformers/blob/main/src/transformers/models/smollm3/configuration_smollm3.py) (lesson 10). What closed models use is not published.
#
# Real code runs scores, softmax and average as one fused operation, and pads a batch to one length, with a mask that travels with its tokens. Where order carries no meaning, as in point clouds, equivariance is what one wants.

# %% [markdown]
# ## On your own
#
# - `is_equivariant(relative, A, np.arange(6)[::-1])` is `True`. Why? What must a bias do to tell "dog bites man" from "man bites dog"?
# - To prove equivariance, which $n - 1$ orders suffice?
#
# ## Further reading
#
# - Vaswani et al., *Attention Is All You Need*, 2017, [arXiv:1706.03762](https://arxiv.org/abs/1706.03762): section 3.2 is this lesson's attention, 3.5 its first remedy.
# - Lee et al., *Set Transformer*, 2019, [arXiv:1810.00825](https://arxiv.org/abs/1810.00825): attention for sets, on purpose.
# - Haviv et al., 2022, [arXiv:2203.16634](https://arxiv.org/abs/2203.16634), and Kazemnejad et al., 2023, [arXiv:2305.19466](https://arxiv.org/abs/2305.19466): language models without positions.
# - Lasri et al., *Word Order Matters when you Increase Masking*, 2022, [arXiv:2211.04427](https://arxiv.org/abs/2211.04427): what a bag of words gives away.
