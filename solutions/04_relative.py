# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.attention", "posenc.relative"]
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
# # Tell attention how far, not where
#
# **What if attention only saw distances?**
#
# Until now a row, added to each word before the first layer, said where it stands. Here nothing is added to the words: relative positions are injected into the attention scores, at every layer. Shaw et al. did so in 2018 with vectors, T5 in 2019 with a few numbers.
#
# - **Do:** write Shaw's index and T5's buckets, add a bias in the right place, watch a table being learned.
# - **Learn:** what a model that sees only distances can know, and where its table ends.
# - **Need:** NumPy, attention and softmax (lesson 1), rows added to embeddings (lesson 2).
# - **Time:** about 80 minutes, for 12 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.checks import close, explain
from posenc.sinusoidal import at

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
distances, numbers = [-3, -2, -1, 0, 1, 2, 3], [-0.5, 0.5, 2, 1, 0, -0.5, -1]
r = np.arange(12) - np.arange(12)[:, None]
fig, (left, right) = plt.subplots(1, 2, figsize=(8.5, 3.4), layout="constrained")
draw.score_against_offset(left, distances, numbers, y="bias (logits)")
bias = np.interp(r, distances, numbers)
ax = draw.heat_map(right, bias, x="key position", y="query position", label="bias (logits)")

# %% [markdown]
# Left: made-up numbers for the distances -3 to 3. Right: they fill the matrix that is added to the scores, one a diagonal; beyond 3 the outer ones go on.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $n_q$, $n_k$ | queries, keys | counts |
# | $h$, $d$ | heads, features of a head | counts |
# | $r$ | distance or offset, key minus query | positions |
# | $k$ | where Shaw clips distances | positions |
# | $m$ | T5's buckets for one direction | count |
# | $q$, $k$, $v$ | queries, keys, values | $(h, n, d)$ |
# | $b$ | bias, added to scores | logits, $(h, n_q, n_k)$ |

# %% [markdown]
# ## 1. The same words, further on
#
# "The cat sat down here" may open a text, or stand 20 words in. Its five words attend to each other, the first at position 0 or 20, in two ways: with the sinusoidal rows of lesson 2 added to the words, and without, but with 2 logits more for the word before.
#
# Guess: which pattern of attention stays the same?
#
# <details><summary>(a) Both.</summary>No: rows 20 to 24 are other vectors than rows 0 to 4, and scores are made of them.</details>
# <details><summary>(b) The one with rows.</summary>No: a map could be learned that undoes the shift; a random one does not.</details>
# <details><summary>(c) The one with a bias.</summary>Yes: "the word before" is the same word, wherever the phrase stands.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
def softmax(x):
    """Turn the scores along the last axis into weights, as in lesson 1."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "two_ways", "locked": true, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(0)
words, Wq, Wk = rng.normal(size=(5, 8)), rng.normal(size=(8, 8)) / 2, rng.normal(size=(8, 8)) / 2


def with_rows(first):
    """Attend with sinusoidal rows added to the words, the first word at this position."""
    x = words + at(first + np.arange(5), 8)
    return softmax(x @ Wq @ (x @ Wk).T / np.sqrt(8))


def with_bias(first):
    """Attend with a bias of 2 logits for the word before, and nothing added to the words."""
    p = first + np.arange(5)
    before = np.where(p - p[:, None] == -1, 2.0, 0.0)
    return softmax(words @ Wq @ (words @ Wk).T / np.sqrt(8) + before)


[float(np.abs(f(20) - f(0)).max().round(2)) for f in (with_rows, with_bias)]

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "shift_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
axes = plt.subplots(1, 4, figsize=(12, 3.3), layout="constrained")[1]
panels = {f"{name}, first at {p}": f(p) for name, f in [("rows", with_rows), ("bias", with_bias)] for p in (0, 20)}
sentence = "the cat sat down here".split()
axes = draw.side_by_side(axes, panels, x="key", y="query", label="weight", words=[sentence] * 4)

# %% [markdown]
# Each panel shows how much a query (row) attends to each key (column). With rows, "sat" looks at "cat" when the phrase comes first, and at "the" 20 words in; the largest change of a weight is 0.56. With a bias the two panels are one picture: the habit is learned once, for every place. In return, nobody can tell from these weights where the phrase stood. (A decoder can still count the words that it sees, lesson 1.)

# %% [markdown]
# ## 2. A row for each distance
#
# From now on a distance is $r$ = key position minus query position: -1 is the word before, 1 the next one. Below are all of them for six words. Along a diagonal both positions grow by one and $r$ stays. A matrix with one value on each diagonal is called **Toeplitz**, and every bias that depends on distance alone is one.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "distance_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
ax = plt.subplots(figsize=(5, 3.8), layout="constrained")[1]
r = np.arange(6) - np.arange(6)[:, None]
ax = draw.heat_map(ax, r, x="key position", y="query position", label="distance (positions)", numbers="g")

# %% [markdown]
# A text of 1000 words has distances from -999 to 999, too many to learn well. So Shaw clips: beyond $k$ all share the row of $k$, below $-k$ that of $-k$. That leaves $2k+1$ rows; distance $r$ reads row $\operatorname{clip}(r, -k, k) + k$.
#
# ### Exercise 1: `relative_index(n_q, n_k, k)` (3 points)
#
# Return an integer array $(n_q, n_k)$: the row that each query reads for each key. Keys stand at positions 0 to $n_k - 1$, queries at the **last** $n_q$ of these, as when decoding with a cache; $1 \le n_q \le n_k$, $k \ge 1$.
#
# By hand, $n_q = n_k = 3$, $k = 1$: [[1, 2, 2], [0, 1, 2], [0, 0, 1]]. With $n_q = 1$ only the last row remains.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "relative_index", "locked": false, "schema_version": 3, "solution": true, "task": false}
def relative_index(n_q, n_k, k):
    """Return the row of a table of 2k + 1 that each query reads for each key."""
    ### BEGIN SOLUTION
    r = np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]
    return np.clip(r, -k, k) + k
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "relative_index_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
yours = relative_index(5, 8, 2)
expected = sum(np.triu(np.ones((5, 8)), diagonal) for diagonal in (2, 3, 4, 5))
axes = draw.comparison(None, yours, expected, x="key position", y="query (the last five)")

# %% [markdown]
# Five queries, eight keys, $k = 2$. The first query stands at position 3, where its row is 2, between 0 (far past, lower left) and 4 (future, upper right). If the upper left corner has the middle colour, your queries stand at the first positions.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "relative_index_test", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("relative_index", relative_index)
index = np.asarray(relative_index(7, 7, 3))
close(np.diag(index), [3] * 7, "A key at the query's own position has distance 0 and reads row k.")
close(index[3], [0, 1, 2, 3, 4, 5, 6], "The word before reads row k - 1, the next one row k + 1.")
close(index[0], [3, 4, 5, 6, 6, 6, 6], "Beyond distance k all keys read row 2k.")
close(index[6], [0, 0, 0, 0, 1, 2, 3], "Below distance -k all keys read row 0.")
close(index[1:, 1:], index[:-1, :-1], "Along a diagonal the distance stays, and so does the row.")
close(relative_index(2, 7, 3), index[-2:], "With a cache, the queries are the last n_q of the keys' positions.")
assert index.dtype.kind in "iu", "Rows of a table are whole numbers: return an integer array."
print("✓ relative_index: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "relative_index_hidden", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other numbers of queries and keys, and other k.
### BEGIN HIDDEN TESTS
explain("relative_index", relative_index)
want = [[3, 4, 5, 6, 6], [2, 3, 4, 5, 6], [1, 2, 3, 4, 5], [0, 1, 2, 3, 4], [0, 0, 1, 2, 3]]
close(relative_index(5, 5, 3), want, "Five words: row r + 3, with distances beyond 3 clipped.", quiet=True)
want = [[0, 0, 0, 0, 1, 2, 3, 4, 5], [0, 0, 0, 0, 0, 1, 2, 3, 4]]
close(relative_index(2, 9, 4), want, "Two queries, nine keys: the queries stand at the last positions.", quiet=True)
close(relative_index(4, 4, 8)[3], [5, 6, 7, 8], "Where no distance passes k nothing is clipped.", quiet=True)
assert np.asarray(relative_index(3, 7, 2)).dtype.kind in "iu", "Rows of a table are whole numbers."
### END HIDDEN TESTS

# %% [markdown]
# ## 3. What a row holds
#
# In Shaw's table a row is a learned vector $a$ of $d$ features, added to the key before the dot product:
#
# $$e_{ij} = q_i \cdot (k_j + a_{\operatorname{index}(i,j)})\,/\sqrt d$$
#
# Read aloud: the score is the dot product of the query with the key plus the vector of their distance, scaled as usual. (A second table is added to the values likewise.) As a loop:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "shaw_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shaw_scores(q, k, table, index):
    """Score with the vector of each distance added to the key."""
    e = np.empty((len(q), len(k)))
    for i, j in np.ndindex(e.shape):
        e[i, j] = q[i] @ (k[j] + table[index[i, j]]) / np.sqrt(q.shape[1])
    return e

# %% [markdown]
# Without the loop, `table[index]` is an array $(n_q, n_k, d)$: a vector for every pair of words, on the way to one number. I can avoid it: $q_i \cdot (k_j + a) = q_i \cdot k_j + q_i \cdot a$, and there are only $2k+1$ different $a$. So I multiply each query with the whole table first, and pick afterwards:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "shaw_at_once", "locked": true, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(0)
q, k, table = rng.normal(size=(7, 6)), rng.normal(size=(7, 6)), rng.normal(size=(5, 6))
index = np.asarray(relative_index(7, 7, 2))
at_once = (q @ k.T + np.take_along_axis(q @ table.T, index, axis=1)) / np.sqrt(6)
bool(np.allclose(at_once, shaw_scores(q, k, table, index)))

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "memory_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
n = 2 ** np.arange(7, 15)
sizes = {"a vector for each pair, d = 64": 4 * 64 * n**2 / 2**20, "a number for each pair": 4 * n**2 / 2**20}
ax = draw.lines(plt.subplots(figsize=(7, 3), layout="constrained")[1], n, sizes, x="words", y="MiB, in float32")
ax.set_xscale("log", base=2)
ax.set_yscale("log", base=2)

# %% [markdown]
# Memory for one head, on logarithmic scales. At 2048 ($2^{11}$) words vectors for all pairs take 1024 ($2^{10}$) MiB, numbers 16.
#
# T5 has no vectors: a row is **one learned number for each head**, added to the score, and one table serves all layers. What is lost: with Shaw a query may look for the word before it or not, depending on what it is; T5's number is added whatever the query says.

# %% [markdown]
# ## 4. Near ones exactly, far ones in bulk
#
# Whether a word is 2 or 3 back matters; whether 102 or 103, hardly. So T5 sorts distances into **buckets**: near ones have a bucket each, far ones share, ever more of them, and the last takes all the rest. With 8 buckets and a `max_distance` of 16 a decoder counts back like this:

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "bucket_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
bucket = [0, 1, 2, 3] + [4] * 2 + [5] * 2 + [6] * 4 + [7] * 13
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.staircase(ax, -np.arange(25), bucket)

# %% [markdown]
# Right to left: four distances with a step each, then steps of two, two and four, and from 12 back all is bucket 7.
#
# Let a direction have $m$ buckets, the first $e = m/2$ exact. A word $n$ away has bucket $n$ if $n < e$, else
#
# $$\min\left(m - 1,\; e + \left\lfloor \frac{\ln(n/e)}{\ln(\text{max\_distance}/e)}\,(m - e) \right\rfloor\right)$$
#
# Read aloud: the quotient runs from 0 at $e$ to 1 at `max_distance`; it is spread over the $m - e$ far buckets and rounded down. The last bucket, $m - 1$, begins somewhat before `max_distance` and never ends.

# %% [markdown]
# ### Exercise 2: `t5_bucket(r, bidirectional, n_buckets=32, max_distance=128)` (5 points)
#
# `r` is an integer array of any shape; return an integer array of that shape. In a decoder (`bidirectional` false) words see only their past: $m$ is `n_buckets`, $n = \max(-r, 0)$, and the future is bucket 0. In an encoder they see both sides: $m$ is half of `n_buckets`, $n = |r|$, and keys **after** the query ($r > 0$) have the upper half: add $m$. `n_buckets` is a multiple of 4, `max_distance` more than $e$.
#
# By hand, encoder, 8 and 16, so $m = 4$, $e = 2$: $r = -1$ is bucket 1; $-5$ is $2 + \lfloor 0.88 \rfloor = 2$; $-100$ is 3; 0 is 0; 1 is $4 + 1 = 5$; 6 is $4 + 2 + \lfloor 1.06 \rfloor = 7$.
#
# Keep 0 out of the logarithm (`np.maximum`), or NumPy warns.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "t5_bucket", "locked": false, "schema_version": 3, "solution": true, "task": false}
def t5_bucket(r, bidirectional, n_buckets=32, max_distance=128):
    """Return the bucket of each distance r, key minus query."""
    ### BEGIN SOLUTION
    m = n_buckets // 2 if bidirectional else n_buckets
    n = np.abs(r) if bidirectional else np.maximum(-r, 0)
    e = m // 2
    part = np.log(np.maximum(n, e) / e) / np.log(max_distance / e)
    far = np.minimum(m - 1, e + np.floor(part * (m - e)).astype(int))
    upper = m * (r > 0) if bidirectional else 0
    return np.where(n < e, n, far) + upper
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "t5_bucket_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
r = np.arange(-140, 141)
yours = t5_bucket(r, True)
steps = np.searchsorted([1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91], abs(r), side="right")
ax = plt.subplots(figsize=(9, 3.4), layout="constrained")[1]
ax = draw.staircase(ax, r, {"expected": steps + 16 * (r > 0), "yours": yours})

# %% [markdown]
# T5's encoder, 32 and 128. Your dashed steps must cover mine: from 0 at distance 0 up to 15 on the left, and over a jump into the upper half to 31 on the right. Bucket 16 would be distance 0 of the future: nothing ever reads it.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "t5_bucket_test", "locked": true, "points": 2.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("t5_bucket", t5_bucket)
by_hand = t5_bucket(np.array([[-100, -5, -1], [0, 1, 6]]), True, 8, 16)
close(by_hand, [[3, 2, 1], [0, 5, 7]], "The example by hand, in an array of two rows.")
close(t5_bucket(np.array([0, 1, 50]), False), [0, 0, 0], "In a decoder the whole future is bucket 0.")
close(t5_bucket(np.array([-200, 200]), True), [15, 31], "From max_distance on: the last bucket of a direction.")
close(t5_bucket(np.array([-20]), False), [17], "A decoder has all 32 buckets for the past, 16 exact.")
assert np.asarray(t5_bucket(np.array([-20, 3]), True)).dtype.kind in "iu", "Buckets are whole numbers."
print("✓ t5_bucket: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "t5_bucket_hidden", "locked": true, "points": 2.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other distances, shapes, numbers of buckets and reaches.
### BEGIN HIDDEN TESTS
explain("t5_bucket", t5_bucket)
r = np.array([-150, -60, -20, -7, -1, 0, 2, 8, 40, 90, 2000])
kept = r.copy()
close(t5_bucket(r, True, 20, 100), [9, 9, 7, 5, 1, 0, 12, 15, 18, 19, 19], "An encoder with 20 buckets up to 100.", quiet=True)
close(r, kept, "r itself must not change.", quiet=True)
r = np.array([[-70, -40, -20, -11], [-4, 0, 3, 60]])
close(t5_bucket(r, False, 12, 50), [[11, 11, 9, 7], [4, 0, 0, 0]], "A decoder with 12 buckets up to 50.", quiet=True)
r = np.array([-90, -14, -8, -6, 0, 1, 7, 9, 25, 127, 128, 400])
close(t5_bucket(r, True), [14, 9, 8, 6, 0, 17, 23, 24, 27, 31, 31, 31], "T5's encoder: 32 buckets, 128.", quiet=True)
r = np.array([-500, -127, -100, -61, -33, -18, -15, -2, 0, 1, 70])
close(t5_bucket(r, False), [31, 31, 30, 26, 21, 16, 15, 2, 0, 0, 0], "T5's decoder: 32 buckets, 128.", quiet=True)
assert np.asarray(t5_bucket(r, True)).dtype.kind in "iu", "Buckets are whole numbers."
### END HIDDEN TESTS

# %% [markdown]
# One caution. Some distances lie exactly on an edge: for 64 in T5's encoder the logarithmic part is 6 on paper. In floats, `np.log(8) * (8 / np.log(16))` falls short of that, and down a bucket. My checks keep clear of edges; released code works in single precision, `posenc` in whole numbers.
#
# What does the number of buckets decide? How finely distances are told apart. Below, the encoder with 8, 16 and 32.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "number_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def show_buckets(reach=128):
    """Draw the buckets of an encoder with 8, 16 and 32 of them, for this max_distance."""
    r = np.arange(-140, 141)
    each = {f"{count} buckets": t5_bucket(r, True, count, reach) for count in (8, 16, 32)}
    draw.staircase(plt.subplots(figsize=(9, 3.4), layout="constrained")[1], r, each)


show_buckets()
try:
    from ipywidgets import interact
except ImportError:
    pass  # The still picture above says the same.
else:
    interact(show_buckets, reach=(16, 140))

# %% [markdown]
# With 8 buckets a direction has four: distances 0 and 1, those from 2, and all from 16 on. With 32, distances to 7 are exact and the last bucket begins at 91. None runs past its table: a key a million words back reads the row of one 200 back.

# %% [markdown]
# ## 5. Add it in the right place
#
# The bias is added to the scaled scores, before the softmax, for each head its own. What if I added it to the weights instead, after the softmax? Guess, then look at one query and three keys, with scores 1, 0, 2 and biases 0, 0.5, -1.
#
# <details><summary>(a) The same: a bias is a bias.</summary>No: added to a score, a bias multiplies that key's weight before the row is normalised.</details>
# <details><summary>(b) The weights no longer sum to 1.</summary>Yes: they sum to 1 plus all the biases, and one may be negative.</details>
# <details><summary>(c) Only the largest weight changes.</summary>No: each changes by its own bias.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "place_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
scores, bias = np.array([1.0, 0.0, 2.0]), np.array([0.0, 0.5, -1.0])
rows = np.stack([softmax(scores), softmax(scores + bias), softmax(scores) + bias])
rows = np.column_stack([rows, rows.sum(axis=1)])
names = {"rows": ["no bias", "to the scores", "to the weights"], "columns": ["0", "1", "2", "Σ"]}
ax = plt.subplots(figsize=(6.5, 2.6), layout="constrained")[1]
ax = draw.heat_map(ax, rows, x="key", y="bias added", label="weight", numbers=".2f", **names)

# %% [markdown]
# Added to the scores, key 2 loses, keys 0 and 1 gain, and the row still sums to 1 (last column). Added to the weights, key 2 has a negative weight and the sum is 0.5.
#
# ### Exercise 3: `biased_attention(q, k, v, bias)` (4 points)
#
# Float arrays: `q` $(h, n_q, d)$, `k` $(h, n_k, d)$, `v` $(h, n_k, d_v)$, `bias` $(h, n_q, n_k)$. Return an array $(h, n_q, d_v)$: for each head $\operatorname{softmax}(q k^\top/\sqrt d + b)\, v$. Read aloud: scale the scores, add the bias, softmax over the keys, average the values. A bias of `-np.inf` hides a key; no query has all its keys hidden. Use the `softmax` of section 1. T5 leaves $1/\sqrt d$ out; here it stays.
#
# By hand, one head and $q = 0$: with bias $(0, \ln 3)$ the weights are 0.25 and 0.75, and the values 10 and 20 give 17.5.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "biased_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def biased_attention(q, k, v, bias):
    """Attend with a bias added to the scaled scores of each head."""
    ### BEGIN SOLUTION
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) + bias  # (h, n_q, n_k)
    return softmax(scores) @ v
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "biased_attention_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
distance = np.abs(np.arange(8) - np.arange(8)[:, None])
expected = np.where(distance <= 2, 3.0 - distance, 0.1)
expected /= expected.sum(axis=1, keepdims=True)
yours = biased_attention(np.zeros((1, 8, 4)), np.zeros((1, 8, 4)), np.eye(8)[None], np.log(expected)[None])[0]
axes = draw.comparison(None, yours, expected, x="key position", y="query position")

# %% [markdown]
# With $q = k = 0$ and the identity for $v$ the output is the weights themselves, and a bias of $\ln w$ must give back the weights $w$: here a band around the diagonal. If your band is wider and paler, the bias was divided by $\sqrt d = 2$.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "biased_attention_test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("biased_attention", biased_attention)
q, k, v = np.zeros((1, 1, 4)), np.zeros((1, 2, 4)), np.array([[[10.0], [20.0]]])
close(biased_attention(q, k, v, np.log([[[1.0, 3.0]]])), [[[17.5]]], "The example by hand.")
close(biased_attention(q, k, v, np.array([[[0, -np.inf]]])), [[[10]]], "A bias of -inf hides its key.")
q, k = np.array([[[2.0, 0, 0, 0]]]), np.array([[[0.0, 0, 0, 0], [np.log(3), 0, 0, 0]]])
even = biased_attention(q, k, v, np.log([[[3.0, 1.0]]]))
close(even, [[[15]]], "The second score is 2 ln 3 / sqrt(4): a bias of ln 3 for the first makes both even.")
q, k, v, bias = np.random.default_rng(0).normal(size=(4, 3, 5, 5))
both = biased_attention(q, k, v, bias)
close(biased_attention(q[1:], k[1:], v[1:], bias[1:]), both[1:], "A head attends as if it were alone.")
close(biased_attention(q, k, v, bias + 7), both, "7 more for every key changes nothing.")
print("✓ biased_attention: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "biased_attention_hidden", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with two heads, fewer queries than keys, and hidden keys.
### BEGIN HIDDEN TESTS
explain("biased_attention", biased_attention)
q = np.array([[[1.0, 0, 2, -1], [0, 1, 1, 1]], [[2, -1, 0, 1], [1, 1, -1, 0]]])
k, v = np.arange(40.0).reshape(2, 5, 4) % 3 - 1, np.arange(30.0).reshape(2, 5, 3) ** 2 / 100
bias = np.array([[[0, -1, 2, 0.5, 1], [1, 0, -1, 2, 0.5]], [[-2, 0.5, 0, 1, -1], [0.5, -2, 1, 0, 3]]])
kept = bias.copy()
first = [[0.49238299, 0.62585451, 0.77932603], [0.65389902, 0.80332887, 0.97275871]]
second = [[5.52830119, 6.00675698, 6.50521277], [5.4977957, 5.97047289, 6.46315007]]
close(biased_attention(q, k, v, bias), [first, second], "Two heads, each with its own bias, added after scaling.", quiet=True)
close(bias, kept, "The bias itself must not change: the next layer adds it again.", quiet=True)
bias[:, 0, 4] = bias[1, 1, :2] = -np.inf
first[0] = [0.42802591, 0.55358343, 0.69914096]
second = [[5.52174591, 5.99993548, 6.49812506], [5.8442959, 6.3342959, 6.8442959]]
close(biased_attention(q, k, v, bias), [first, second], "A key with a bias of minus infinity has weight 0.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 6. Learn a number for each bucket
#
# Can 32 numbers teach a head a habit? I take a decoder of 64 positions without content (all scores 0), and say which weights I want. The derivative of the cross-entropy by a score is weight minus wanted weight; that by a bucket's number is their sum over its cells. Gradient descent:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "learn", "locked": true, "schema_version": 3, "solution": false, "task": false}
def learn(wanted, max_distance, steps=3000):
    """Fit the 32 numbers of a decoder's table so that the softmax of its bias comes close to `wanted`."""
    n = len(wanted)
    r = np.arange(n) - np.arange(n)[:, None]
    bucket = np.asarray(t5_bucket(r, False, 32, max_distance))
    hidden, table = np.where(r > 0, -np.inf, 0.0), np.zeros(32)
    for _ in range(steps):
        off = softmax(table[bucket] + hidden) - wanted
        table -= 5 * np.bincount(bucket.ravel(), off.ravel(), minlength=32) / n
    return table


previous, fading = np.eye(64, k=-1), np.tril(np.exp((np.arange(64) - np.arange(64)[:, None]) / 8))
previous[0, 0] = 1
fading /= fading.sum(axis=1, keepdims=True)

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "learned_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
far = np.arange(-63, 1)
bucket = np.asarray(t5_bucket(far, False, 32, 64))
faded = learn(fading, 64)[bucket]
left, right = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained")[1]
draw.staircase(left, far, {"look at the word before": learn(previous, 64)[bucket]})
draw.staircase(right, far, {"let attention fade": faded})
right.plot(far, far / 8 + faded[-1], "--", color="black", label="r / 8, moved")
legend = right.legend()
labels = left.set_ylabel("bias (logits)"), right.set_ylabel("bias (logits)")

# %% [markdown]
# Left, "look at the word before" became a spike, more than 12 logits above all others. Right, "fade by a factor $e$ every 8 words" became stairs along the line $r/8$ (moved: a softmax ignores constants), on the line where a distance has a bucket of its own; the last treads are seldom asked, and not down yet. Nobody told the table about lines. Lesson 5 asks whether the line alone would do.
#
# With $h$ heads the table is $(32, h)$, and `np.moveaxis(table[bucket], -1, 0)` is the bias of exercise 3.

# %% [markdown]
# ## 7. Where the table ends
#
# A table has a row for every distance, so the fading head can read any text. Does that make it good at length? I train it on 64 words and use it on up to 1024. What should `max_distance` have been?
#
# <details><summary>(a) 128, as in T5: room to grow.</summary>No: 64 words never read the buckets from distance 67 on. These still hold the 0 that they began with.</details>
# <details><summary>(b) 64, no more than the trained length.</summary>Yes: every number is trained. Yet look what becomes of the weights.</details>
# <details><summary>(c) It does not matter, both have an answer for every distance.</summary>No: they have an answer, but one of them was never asked.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "near_share", "locked": true, "schema_version": 3, "solution": false, "task": false}
def near_share(table, max_distance, n):
    """Return the weight that the last of n words gives to itself and the 63 before it."""
    bucket = np.asarray(t5_bucket(np.arange(n) - (n - 1), False, 32, max_distance))
    return softmax(table[bucket])[-64:].sum()

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "reach_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
lengths, far = 2 ** np.arange(6, 11), np.arange(-140, 1)
tables = {reach: learn(fading, reach) for reach in (128, 64)}
biases = {f"max_distance {reach}": table[t5_bucket(far, False, 32, reach)] for reach, table in tables.items()}
shares = {f"max_distance {reach}": [near_share(tables[reach], reach, n) for n in lengths] for reach in tables}
left, right = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")[1]
draw.score_against_offset(left, far, biases, y="bias (logits)")
draw.lines(right, lengths, shares, x="words in the text", y="weight on the last 64 words")
right.set_xscale("log", base=2)
limits = right.set_ylim(0, 1.05)

# %% [markdown]
# Left: with 128 the stairs climb back to 0 where nothing was trained. Right: at 256 words the last 64 get 31 % of the weight, at 1024 words 8 %. With 64 it is 95 % and 78 %: all words from 59 back share one number, and many small weights add up.
#
# So a table never fails at a distance, and "extrapolates" as far as its last bucket is trained. (The spike keeps 99 % at 1024 words either way.) Lesson 8 measures whole models.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "counts", "locked": true, "schema_version": 3, "solution": false, "task": false}
counts = {"BERT base, a row a position": 512 * 768, "Shaw, k = 16, one layer": 2 * (2 * 16 + 1) * 64}
counts["T5 small, all layers of its encoder"] = 32 * 8
counts

# %% [markdown]
# ## In practice
#
# [T5](https://github.com/huggingface/transformers/blob/main/src/transformers/models/t5/modeling_t5.py), mT5 and Flan-T5 use the buckets above: one table for the encoder's layers, another for the decoder's; [UMT5](https://github.com/huggingface/transformers/blob/main/src/transformers/models/umt5/modeling_umt5.py) has one in each layer. Cross-attention gets none: a word of the answer is at no distance from a word of the question ([an early port](https://github.com/huggingface/transformers/pull/8518) added one by mistake). T5 does not divide by $\sqrt d$; its initial weights make up for it. [Swin](https://github.com/huggingface/transformers/blob/main/src/transformers/models/swin/modeling_swin.py) and [BEiT](https://github.com/huggingface/transformers/blob/main/src/transformers/models/beit/modeling_beit.py) learn a bias for each offset between patches, in two dimensions.
#
# The price: a learned bias is a whole matrix $(h, n_q, n_k)$, and [fast kernels](https://github.com/huggingface/transformers/pull/47014) that never write the scores down need special support for it. The next two lessons need no table.

# %% [markdown]
# ## On your own
#
# - Teach `learn` to look 3 words back, then 42. Which one can 32 buckets not hold, and who gets the weight instead?
# - Write Shaw's second table, added to the values.
# - Shuffle the rows of a learned table: which habits survive?
#
# ## Further reading
#
# - Shaw et al., *Self-Attention with Relative Position Representations*, 2018, [arXiv:1803.02155](https://arxiv.org/abs/1803.02155): section 3.3 splits the score into two terms, as section 3 here.
# - Raffel et al., *Exploring the Limits of Transfer Learning*, 2020, [arXiv:1910.10683](https://arxiv.org/abs/1910.10683): section 2.1 has the whole idea in a paragraph.
# - Huang et al., *Music Transformer*, 2018, [arXiv:1809.04281](https://arxiv.org/abs/1809.04281): the same vectors, with memory that grows with the length and not with its square.
# - Kazemnejad et al., *The Impact of Positional Encoding on Length Generalization*, 2023, [arXiv:2305.19466](https://arxiv.org/abs/2305.19466): T5's bias against the others.
