# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.learned"]
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
# # Give every position a row to learn
#
# **Why not let the model learn them?**
#
# Lesson 2 wrote positions with a formula. Here nobody writes anything: there is a table with a row for each position, which starts out random and is trained with all the other weights. BERT, the original GPT and ViT do this.
#
# - **Do:** read a table safely, count positions past padding, resize a table for larger images.
# - **Learn:** what a table can say that a formula cannot, and what becomes of rows that training never reached.
# - **Need:** NumPy indexing; lesson 2 helps.
# - **Time:** about 80 minutes, for 12 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.checks import close, explain
from posenc.sinusoidal import sinusoidal

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
rows = np.random.default_rng(0).normal(scale=0.5, size=(8, 12))
draw.heat_map(left, sinusoidal(12, 12), limit=1, title="a formula goes on")
ax = draw.heat_map(right, np.vstack([rows, np.full((4, 12), np.nan)]), limit=1, title="a table of 8 rows ends")

# %% [markdown]
# Left: the sinusoids of lesson 2 have a row for every position. Right: a table of eight random rows; below them, in grey, there is nothing.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $n$, $d$ | rows of the table, features | counts |
# | $E$, $E_p$ | the table; its row $p$ | $(n, d)$; $(d,)$ |
# | $p$ | a position, counted from 0 | positions |
# | $t_p$, $x_p$ | token vector; what enters block 1 | $(d,)$ |
# | $h$, $w$ | patches down and across an image | counts |
# | mask | 1 for a token, 0 for padding | $(\dots, n)$ |

# %% [markdown]
# ## 1. A row for each position
#
# A token is looked up in a table of words. A position can be looked up in a table of its own, and added before the first block:
#
# $$x_p = t_p + E_p$$
#
# Read aloud: what enters the first block at position $p$ is the token's vector plus row $p$ of the table. These rows are weights like all others: random at first, then moved by gradients.
#
# In "the cat sat on the mat" one word comes twice. Guess: is it the same vector after the addition?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "addition_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
words = ["the", "cat", "sat", "on", "the", "mat"]
rng = np.random.default_rng(1)
tokens, table = rng.normal(size=(5, 10))[[0, 1, 2, 3, 0, 4]], rng.normal(size=(6, 10))
panels = {"tokens": tokens, "rows of the table": table, "sum": tokens + table}
axes = draw.side_by_side(None, panels, x="feature", y="word", label="value")
for ax in axes:
    ax.set_yticks(range(6), words)

# %% [markdown]
# Left, both rows named "the" are equal. In the middle no two are. So on the right the two differ, and attention can tell them apart: that is all the table is for.
#
# What does it cost? Guess how many numbers BERT spends on its positions, out of 110 million.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "sizes", "locked": true, "schema_version": 3, "solution": false, "task": false}
sizes = {"GPT": (512, 768), "BERT base": (512, 768), "GPT-2 small": (1024, 768), "ViT-B/16": (1 + 14 * 14, 768)}
for model, (n, d) in sizes.items():
    print(f"{model:12} {n:5} rows of {d} features: {n * d:7,} numbers")

# %% [markdown]
# About 0.4 %. ([GPT](https://github.com/openai/finetune-transformer-lm/blob/master/train.py), [BERT](https://github.com/google-research/bert/blob/master/modeling.py), [GPT-2](https://github.com/openai/gpt-2/blob/master/src/model.py); ViT cuts 224 pixels into 14 × 14 patches and adds a class token.) BERT normalises the sum with LayerNorm before its first block, GPT-2 hands it on as it is.

# %% [markdown]
# ## 2. Past the end there is nothing
#
# A table has a fixed length: its positions are 0 to $n - 1$, and no others. Take one of 8 rows. Guess: what are `table[8]` and `table[-1]` in NumPy?
#
# <details><summary>(a) Both raise IndexError.</summary>No: only the first does.</details>
# <details><summary>(b) IndexError, and the last row.</summary>Yes: a negative index counts from the end, and nobody is told.</details>
# <details><summary>(c) Both are rows of zeros.</summary>No: NumPy invents nothing.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "past_the_end", "locked": true, "schema_version": 3, "solution": false, "task": false}
table = np.arange(16.0).reshape(8, 2)
print("table[-1] is", table[-1])
try:
    table[8]
except IndexError as error:
    print("table[8]:", error)

# %% [markdown]
# Libraries disagree on what to do instead. Past the end, PyTorch raises IndexError on a CPU and [breaks off](https://github.com/huggingface/diffusers/issues/12656) on a GPU; TensorFlow's [gather](https://www.tensorflow.org/api_docs/python/tf/gather) fails on a CPU and gives zeros on a GPU; JAX's [take](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.take.html) gives NaN, MXNet's [take](https://mxnet.apache.org/api/java/docs/api/org/apache/mxnet/javaapi/takeParam.html) clamps to the last row. `np.take` can wrap or clamp, if told to. What goes wrong then?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "outside_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
p = np.arange(-3, 12)
inside = (p >= 0) & (p < 8)
asked = [np.where(p < 8, p % 8, np.nan), p % 8, np.clip(p, 0, 7), np.where(inside, p, np.nan)]
names = ["NumPy", "wrap", "clamp", "wanted"]
ax = plt.subplots(figsize=(8, 2.2), layout="constrained")[1]
ax = draw.heat_map(ax, asked, x="position", y="", label="row read", rows=names, numbers="g")
ticks = ax.set_xticks(range(15), p)

# %% [markdown]
# Numbers are the rows that are read, grey is an error. Wrapped or clamped, a position gets the row of another: to the model those two tokens stand in one place, as in lesson 1. NumPy alone wraps below 0 and stops past 7. The last line is what I want.
#
# ### Exercise 1: `lookup(table, positions)` (4 points)
#
# `table` is a float array (n, d), `positions` an integer array of any shape, also (). Return a new array (..., d), where row `table[p]` stands in the place of each `p`. If any position is below 0 or past the last row, raise `IndexError`.
#
# By hand: from [[0, 5], [1, 6], [2, 7]] the positions [2, 0] read [[2, 7], [0, 5]]; [0, 3] and [-1] raise.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lookup", "locked": false, "schema_version": 3, "solution": true, "task": false}
def lookup(table, positions):
    """Copy the row of each position; there is none below 0 or past the end."""
    ### BEGIN SOLUTION
    p = np.asarray(positions)
    if (p < 0).any() or (p >= len(table)).any():
        raise IndexError(f"positions must be from 0 to {len(table) - 1}")
    return np.array(table[p])
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "lookup_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
waves = np.cos(np.outer(np.arange(12), np.arange(1, 7)) / 4)
positions = np.array([0, 1, 2, 3, 0, 1, 2, 11, 5, 5])
expected = np.cos(np.multiply.outer(positions, np.arange(1, 7)) / 4)
axes = draw.comparison(None, lookup(waves, positions), expected, y="place in the text")

# %% [markdown]
# Row $p$ of this table is $\cos(pj/4)$ for $j = 1, \dots, 6$, so I can compute what comes out without a table. The positions are 0, 1, 2, 3, then 0, 1, 2 again, then 11, 5 and 5: rows repeat and jump. Reading in order from the top looks right for four rows only.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "lookup_test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("lookup", lookup)
table = np.arange(28.0).reshape(7, 4)
close(lookup(table, np.array([0, 6])), [[0, 1, 2, 3], [24, 25, 26, 27]], "First and last row belong to the table.")
close(lookup(table, np.array(2)), [8, 9, 10, 11], "One position, shape (), reads one row, shape (d,).")
for outside, why in [(7, "Seven rows end at position 6: 7 must raise IndexError."),
                     (-1, "NumPy would read -1 as the last row: raise IndexError.")]:
    refused = False
    try:
        lookup(table, np.array([3, outside]))
    except IndexError:
        refused = True
    assert refused, why
print("✓ lookup: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "lookup_hidden", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other tables, shapes and positions outside.
### BEGIN HIDDEN TESTS
explain("lookup", lookup)
table = np.array([[3.0, -1], [0.5, 2], [7, 4], [-2, 6], [1, 9]])
want = [[1, 9], [3, -1], [7, 4], [7, 4]]
close(lookup(table, np.array([4, 0, 2, 2])), want, "Rows may be read in any order, and twice.", quiet=True)
want = [[[0.5, 2], [-2, 6], [3, -1]], [[7, 4], [7, 4], [0.5, 2]]]
close(lookup(table, np.array([[1, 3, 0], [2, 2, 1]])), want, "Features are one more axis, the last.", quiet=True)
close(lookup(table, np.array(3)), [-2, 6], "A single position reads a single row.", quiet=True)
refused = []
for outside in ([5], [-1], [0, -2], [-3, 1], [1, 12, 0], [-5], [[2, 1], [0, 6]]):
    try:
        lookup(table, np.array(outside))
    except IndexError:
        refused.append(True)
    else:
        refused.append(False)
assert refused == [True] * 7, "If any position is below 0 or past the last row, raise IndexError."
### END HIDDEN TESTS

# %% [markdown]
# ## 3. What a table can say that a formula cannot
#
# I want a model to act differently at even and odd positions. Suppose a layer only adds up the features of a position, each times a weight: a **linear reader**. From eight sinusoidal features, how well can the best such reader draw the pattern $-1, +1, -1, +1, \dots$ over 32 positions? And from a table of eight features?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "pattern", "locked": true, "schema_version": 3, "solution": false, "task": false}
odd = np.where(np.arange(32) % 2 == 1, 1.0, -1.0)
formula = sinusoidal(32, 8)
best = formula @ np.linalg.lstsq(formula, odd, rcond=None)[0]
rows = np.outer(odd, np.ones(8))  # a table that training may find
from_table = rows @ np.full(8, 1 / 8)
for name, drawn in [("formula", best), ("table", from_table), ("always 0", 0 * odd)]:
    print(f"{name:8} is off by {np.sqrt(np.mean((drawn - odd) ** 2)):.2f} (root mean square)")

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "pattern_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
ax = plt.subplots(figsize=(7, 2.8), layout="constrained")[1]
shown = {"the pattern, and the table": odd, "best from the formula": best}
draw.lines(ax, np.arange(32), shown, y="what is read")
ax.set_ylim(-1.2, 1.8)
legend = ax.legend(loc="upper center", ncols=2)

# %% [markdown]
# The formula stays near 0, but for the ends: its fastest wave needs 6.28 positions for a turn, the pattern 2. More features, or layers that bend, would help it. The table needs no help. Any $n \times d$ numbers can be its rows, the sinusoids among them, so at trained positions it can do all that they do, and more.
#
# Does that matter? In the first Transformer learned rows and sinusoids gave "nearly identical results" ([Vaswani et al.](https://arxiv.org/abs/1706.03762), table 3, row E). The table is slightly more flexible; there it made no difference.

# %% [markdown]
# ## 4. Rows that no gradient reached
#
# I train a table of 64 rows on texts of 32 tokens. A reader $w$, trained too, says how probably $p$ is odd: $\hat y_p = \sigma(E_p \cdot w)$ with $\sigma(z) = 1/(1 + e^{-z})$. The gradient of the loss (cross-entropy) is
#
# $$\frac{\partial\,\text{loss}}{\partial E_p} = (\hat y_p - y_p)\, w$$
#
# Read aloud: row $p$ is moved along the reader, against the error at $p$. A position that is in no text appears in no loss. Guess what the model says at position 40:
#
# <details><summary>(a) Even: it has learned the rule.</summary>No: it learned 32 rows, and no rule connects them to row 40.</details>
# <details><summary>(b) About half and half.</summary>Yes: row 40 is the random start, small here, so it says almost nothing.</details>
# <details><summary>(c) It raises IndexError.</summary>No: the table has a row 40. That is the trap.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "train", "locked": true, "schema_version": 3, "solution": false, "task": false}
def train(pick):
    """Learn which positions are odd; return the table before, the table after, and the reader."""
    rng = np.random.default_rng(0)
    start, w = rng.normal(scale=0.02, size=(64, 8)), rng.normal(size=8)
    E = start.copy()
    for _ in range(200):
        p = pick(rng)  # 32 positions, all different
        error = 1 / (1 + np.exp(-E[p] @ w)) - p % 2
        change_E, change_w = np.outer(error, w), error @ E[p]
        E[p] -= 0.1 * change_E
        w -= 0.1 * change_w
    return start, E, w


start, trained, w = train(lambda rng: np.arange(32))
print("rows 32 to 63 are still their random start:", np.array_equal(trained[32:], start[32:]))

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "trained_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
panels = {"start": start, "after 200 steps": trained, "change": trained - start}
axes = plt.subplots(1, 3, figsize=(8, 5), layout="constrained")[1]
axes = draw.side_by_side(axes, panels, x="feature", y="position", label="value")

# %% [markdown]
# At the start all rows are small, with spread 0.02 as in BERT. Afterwards rows 0 to 31 alternate between two patterns, one for even and one for odd. Below row 31 nothing moved: the change is exactly 0, for no loss depended on those rows. So what does the model say there?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "said", "locked": true, "schema_version": 3, "solution": false, "task": false}
says = 1 / (1 + np.exp(-trained @ w))
correct = (says > 0.5) == (np.arange(64) % 2 == 1)
print("right at 0 to 31:", correct[:32].sum(), "of 32; at 32 to 63:", correct[32:].sum(), "of 32")

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "said_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
ax = plt.subplots(figsize=(7, 2.6), layout="constrained")[1]
ax.axvline(31.5, color="grey", linestyle=":")
ax = draw.lines(ax, np.arange(64), says, y="probability of odd")

# %% [markdown]
# Left of the dotted line the answers swing from 0 to 1, all right. Right of it they hang between 0.4 and 0.6, and 15 of 32 are right: a coin. That is zero generalisation, exactly: nothing that was learned about rows 0 to 31 reaches row 32. Larger random starts would make it confident, and no better.
#
# BERT knew. It trains on 128 tokens for 90 % of its steps, and then on 512 "to learn the positional embeddings" ([appendix A.2](https://arxiv.org/abs/1810.04805)). Another way: give short texts positions drawn from the whole table. Will that fill all rows?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "random_positions", "locked": true, "schema_version": 3, "solution": false, "task": false}
_, everywhere, reader = train(lambda rng: np.sort(rng.choice(64, 32, replace=False)))
correct = (everywhere @ reader > 0) == (np.arange(64) % 2 == 1)
print("right at all positions:", correct.sum(), "of 64")

# %% [markdown]
# All 64. [Ruoss et al.](https://arxiv.org/abs/2305.16843) do so with positions in order and with gaps, so that a model meets more positions than its texts have tokens. The table still ends at row 63.

# %% [markdown]
# ## 5. Which position is this?
#
# A table is only as good as the numbers it is asked for. Texts of a batch have different lengths, so short ones are **padded**, and those that a model shall continue are padded on the left. A **mask** says which places are real. Attention hides the padding. Guess: does a text of three tokens, padded to five, read the rows it reads alone?
#
# <details><summary>(a) Yes, the padding is hidden.</summary>No: hidden as keys, but it still pushed the text two places to the right.</details>
# <details><summary>(b) Padded on the right, yes; on the left, no.</summary>Yes: place and position are then no longer the same.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "padding_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
mask = np.array([[0, 0, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
names = ["padded left", "padded right", "full"]
left, right = plt.subplots(1, 2, figsize=(8, 2.4), layout="constrained")[1]
draw.heat_map(left, mask, x="place", y="", label="token there", numbers="g", rows=names, title="mask")
places = np.where(mask == 1, np.arange(5), np.nan)
title = "place of each token"
ax = draw.heat_map(right, places, x="place", y="", label="place", numbers="g", rows=names, title=title)

# %% [markdown]
# Right: the first text's tokens stand at places 2, 3 and 4, and the same tokens padded on the right at 0, 1 and 2. With places for positions GPT-2 reads other rows for them, and predicts something else without any error ([transformers #3021](https://github.com/huggingface/transformers/issues/3021), [nnsight #673](https://github.com/ndif-team/nnsight/pull/673)).
#
# ### Exercise 2: `positions_from_mask(mask)` (4 points)
#
# `mask` is an array (..., n) of 0 and 1, integers or booleans. Return integers of that shape: at tokens 0, 1, 2, ... in order, at padding 0. Padding may stand anywhere, and each row counts on its own.
#
# By hand: [0, 0, 1, 1, 1] gives [0, 0, 0, 1, 2], and [1, 0, 1, 1, 0] gives [0, 0, 1, 2, 0].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "positions_from_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def positions_from_mask(mask):
    """Count the tokens along the last axis, from 0; padding gets 0."""
    ### BEGIN SOLUTION
    there = np.asarray(mask).astype(int)
    return (np.cumsum(there, axis=-1) - 1) * there
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "positions_from_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
mask = np.array([[0, 0, 0, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 1, 1, 0, 1], [1] * 8])
expected = [[0, 0, 0, 0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 0, 0, 0], [0, 1, 0, 0, 2, 3, 0, 4], [0, 1, 2, 3, 4, 5, 6, 7]]
axes = draw.comparison(None, positions_from_mask(mask), expected, x="place", y="text")

# %% [markdown]
# Each row is a text: padded left, padded right, with gaps, full. The first three hold five tokens each, so their ramps all run from 0 to 4, and pause where there is padding. Padding reads row 0, which exists; attention has to hide it whatever it reads.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "positions_from_mask_test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("positions_from_mask", positions_from_mask)
for before in range(4):
    padded = positions_from_mask(np.array([0] * before + [1, 1, 1] + [0] * (3 - before)))
    close(padded[before : before + 3], [0, 1, 2], "Wherever three tokens stand, their positions are 0, 1, 2.")
two = positions_from_mask(np.array([[1, 0, 1], [1, 1, 1]]))
close(two, [[0, 0, 1], [0, 1, 2]], "Each text counts on its own.")
print("✓ positions_from_mask: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "positions_from_mask_hidden", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other lengths, gaps, batches and booleans.
### BEGIN HIDDEN TESTS
explain("positions_from_mask", positions_from_mask)
mask = np.array([[0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0, 0], [0, 1, 0, 1, 1, 0, 1], [1] * 7, [0] * 7])
kept = mask.copy()
want = [[0, 0, 0, 0, 1, 2, 3], [0, 1, 2, 3, 4, 0, 0], [0, 0, 0, 1, 2, 0, 3], [0, 1, 2, 3, 4, 5, 6], [0] * 7]
close(positions_from_mask(mask), want, "Count the tokens of each text from 0; padding gets 0.", quiet=True)
close(mask, kept, "The mask itself must not change: attention still needs it.", quiet=True)
close(positions_from_mask(mask[2] == 1), want[2], "A mask of booleans counts like one of 0 and 1.", quiet=True)
batch = positions_from_mask(np.array([mask[:3, :6], mask[2:, 1:]]))
want = [[[0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 0], [0, 0, 0, 1, 2, 0]],
        [[0, 0, 1, 2, 0, 3], [0, 1, 2, 3, 4, 5], [0] * 6]]
close(batch, want, "Only the last axis is counted along.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# A model that writes one token at a time has another trap. The new token comes alone, as a text of length 1, but it stands after all that is in the **cache**: its position is the number of past tokens, as in GPT-2's `positions_for`. One that always reads row 0 runs without an error. I read a table at once, and token by token:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cache", "locked": true, "schema_version": 3, "solution": false, "task": false}
table = np.random.default_rng(0).normal(size=(8, 6))
at_once = lookup(table, np.arange(8))
one_by_one = np.concatenate([lookup(table, past + np.arange(1)) for past in range(8)])
np.array_equal(at_once, one_by_one)

# %% [markdown]
# Two more places where counting is not `arange`. **Packed** training puts several texts into one row, and positions start at 0 again in each. And RoBERTa has 514 rows for 512 tokens: its padding is token 1, positions count from 2, row 1 is zeros, row 0 is never used ([fairseq #1187](https://github.com/facebookresearch/fairseq/issues/1187)).

# %% [markdown]
# ## 6. One row a patch
#
# ViT cuts an image into $h \times w$ patches and reads them as a text, line by line: patch $(y, x)$ has row $1 + yw + x$, for row 0 is the class token's, which stands for no patch and gathers the answer. That is a **1-D** table: it is told nothing of the grid. A **2-D** table gives half of the features to $y$ and half to $x$.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "patches_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
h, w = 3, 4
left, right = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")[1]
patches = 1 + np.arange(h * w).reshape(h, w)
axes_named = {"x": "x (patches)", "y": "y (patches)", "label": "row of the table"}
draw.heat_map(left, patches, **axes_named, numbers="g", title="1-D: a row for each patch")
of_y, of_x = np.random.default_rng(0).normal(size=(2, 4, 5))
both = np.hstack([of_y[np.arange(h * w) // w], of_x[np.arange(h * w) % w]])
ax = draw.heat_map(right, both, y="patch", title="2-D: features of y, then of x")

# %% [markdown]
# Left: rows 1 and 5 belong to neighbours, one above the other, though they are $w$ apart in the table. Right: in a 2-D table the first five features stay the same for four patches, the width; the others come round after four.
#
# Guess which makes the better classifier:
#
# <details><summary>(a) The 2-D table, which knows the grid.</summary>No: 64.0 %, against 64.2.</details>
# <details><summary>(b) They hardly differ.</summary>Yes: 64.2 % with 1-D, 64.0 % with 2-D (few-shot on ImageNet, appendix D.4, table 8 of the <a href="https://arxiv.org/abs/2010.11929">paper</a>).</details>
# <details><summary>(c) No positions do as well.</summary>No: 61.4 %. That there are positions matters, the kind hardly.</details>

# %% [markdown]
# ## 7. Another image size
#
# At 224 pixels ViT-B/16 has 14 × 14 patches, at 384 pixels 24 × 24: 197 rows become 577. A longer text goes on where the table ends; a larger image shows the same view in more patches. So there is something to read: between the old rows. Along one axis from $m$ to $n$ points, new point $j$ lies at
#
# $$c = \left(j + \tfrac12\right)\frac{m}{n} - \tfrac12$$
#
# Read aloud: the middle of new patch $j$, measured in old patches. These are **half pixels**, PyTorch's default; ViT's own code **aligns corners**, $c = j\,\frac{m-1}{n-1}$.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "places_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def show_places(m=2, n=4):
    """Draw where n new points lie among m old ones, by either rule."""
    ax = plt.subplots(figsize=(7, 2.4), layout="constrained")[1]
    half, corners = (np.arange(n) + 0.5) * m / n - 0.5, np.linspace(0, m - 1, n)
    for y, c, marker in [(2, np.arange(m), "s"), (1, half, "o"), (0, corners, "^")]:
        ax.plot(c, np.full(len(c), y), marker, color="black", markersize=9)
    ax.axvspan(0, m - 1, color="0.9")
    ax.set(xlabel="c (old patches)", ylim=(-0.5, 2.5))
    ax.set_yticks([2, 1, 0], ["old", "new, half pixels", "new, aligned corners"])


show_places()
try:
    from ipywidgets import interact
except ImportError:
    pass  # The still picture above says the same.
else:
    interact(show_places, m=(1, 8), n=(1, 12))

# %% [markdown]
# From 2 to 4: half pixels lie at -0.25, 0.25, 0.75 and 1.25; those outside the grey band read the end rows. Aligned corners lie at 0, 1/3, 2/3 and 1. As a loop, for `rows` of numbers:
#
# ```python
# for j in range(n):
#     c = min(max((j + 0.5) * m / n - 0.5, 0), m - 1)
#     low = int(c)
#     high = min(low + 1, m - 1)
#     new[j] = rows[low] + (c - low) * (rows[high] - rows[low])
# ```
#
# From [0, 1] it makes [0, 0.25, 0.75, 1]. DINO passed the ratio $n/m$ to a library that multiplies and rounds down. Guess for which $n$ the product $37 \cdot (n/37)$, rounded down, is not $n$:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "ratio", "locked": true, "schema_version": 3, "solution": false, "task": false}
[n for n in range(1, 128) if int(37 * (n / 37)) != n]

# %% [markdown]
# For these six the product falls short, and a row of patches is missing. DINO added 0.1 to be safe; DINOv2 now passes sizes ([#378](https://github.com/facebookresearch/dinov2/pull/378)). So does the exercise.
#
# ### Exercise 3: `resize(table, old, new)` (4 points)
#
# `table` is a float array (1 + h * w, d), class token first; `old` is (h, w), `new` is (h2, w2). Return a new array (1 + h2 * w2, d): row 0 as it is, then the grid, resized by half pixels along both axes, line by line. Which axis comes first makes no difference.
#
# By hand: [[9], [0], [1]] from (1, 2) to (1, 4) gives [[9], [0], [0.25], [0.75], [1]].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "resize", "locked": false, "schema_version": 3, "solution": true, "task": false}
def resize(table, old, new):
    """Keep the class token, and resize the grid of the other rows by half pixels."""
    ### BEGIN SOLUTION

    def along(rows, n):
        """Bring axis 0 of (m, k, d) to length n."""
        m = len(rows)
        c = np.clip((np.arange(n) + 0.5) * m / n - 0.5, 0, m - 1)
        low = c.astype(int)
        high = np.minimum(low + 1, m - 1)
        return rows[low] + (c - low)[:, None, None] * (rows[high] - rows[low])

    grid = along(table[1:].reshape(*old, -1), new[0])
    grid = along(grid.swapaxes(0, 1), new[1]).swapaxes(0, 1)
    return np.concatenate([table[:1], grid.reshape(new[0] * new[1], -1)])
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "resize_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
y, x = np.arange(3)[:, None], np.arange(4)
table = np.append(-7.0, 3 * y - 2 * x)[:, None]
yours = resize(table, (3, 4), (6, 5))[1:].reshape(6, 5)
down, across = np.array([0, 0.25, 0.75, 1.25, 1.75, 2]), np.array([0, 0.7, 1.5, 2.3, 3])
axes = draw.comparison(None, yours, 3 * down[:, None] - 2 * across, x="x (patches)", y="y (patches)")

# %% [markdown]
# The old grid is a slope: one feature, which grows by 3 a patch downwards and falls by 2 to the right. On straight lines a slope stays a slope, so I know what comes out: largest at bottom left, smallest at top right, in even steps that are smaller at the edges. A broken slope says that patches changed places; a shifted one, that $c$ follows another rule.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "resize_test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("resize", resize)
table = np.array([[9.0], [0], [1]])
close(resize(table, (1, 2), (1, 4)), [[9], [0], [0.25], [0.75], [1]], "From 2 to 4 across, as in the loop above.")
close(resize(table, (2, 1), (4, 1)), [[9], [0], [0.25], [0.75], [1]], "From 2 to 4 down, as in the loop above.")
table = np.random.default_rng(0).normal(size=(1 + 3 * 5, 4))
close(resize(table, (3, 5), (3, 5)), table, "Resized to its own size, a table stays as it is.")
close(resize(table, (3, 5), (7, 2))[0], table[0], "The class token stands nowhere in the image: keep it.")
assert len(resize(table, (3, 5), (7, 2))) == 1 + 7 * 2, "The new table has 1 + h2 * w2 rows."
print("✓ resize: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "resize_hidden", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other grids, larger, smaller and of another shape.
### BEGIN HIDDEN TESTS
explain("resize", resize)
table = np.array([[7.0, -1], [1, 0], [2, 4], [4, -2], [8, 1], [16, 3], [32, -6]])
kept = table.copy()
want = [[7, -1], [1, 0], [1.625, 2.5], [2.75, 1.75], [4, -2], [4.5, 0.5], [7.3125, 2.375],
        [12.375, 0.6875], [18, -4], [8, 1], [13, 2.25], [22, -0.375], [32, -6]]
close(resize(table, (2, 3), (3, 4)), want, "From (2, 3) to (3, 4): mix neighbours along both axes.", quiet=True)
want = [[7, -1], [5.625, 1.25], [15.75, -2.125]]
close(resize(table, (2, 3), (1, 2)), want, "Fewer patches: the two nearest along each axis count.", quiet=True)
want = [[7, -1], [1.25, 1], [3.5, -0.5], [5.625, 1.25], [15.75, -2.125], [10, 1.5], [28, -3.75]]
close(resize(table, (2, 3), (3, 2)), want, "As many patches on another grid are read anew.", quiet=True)
close(table, kept, "The old table must not change: write into a new array.", quiet=True)
want = [0, 1, 3.4, 7.33333333, 12.73333333, 19.6, 27.93333333, 37.73333333, 49, 62, 76.46666667, 92.4, 109.8,
        128.66666667, 149, 169]
line = resize(np.arange(14.0)[:, None] ** 2, (1, 13), (1, 15))
close(line, np.array(want)[:, None], "The result has exactly the size that was asked for.", quiet=True)
### END HIDDEN TESTS

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "resized_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
y, x = np.mgrid[:4, :6]
table = np.append(0.0, np.cos(y + x / 2) + 0.4 * np.random.default_rng(0).normal(size=(4, 6)))[:, None]
larger = resize(table, (4, 6), (8, 9))[1:].reshape(8, 9)
panels = {"4 by 6 patches": table[1:].reshape(4, 6), "8 by 9 patches": larger}
axes = draw.side_by_side(None, panels, x="x (patches)", y="y (patches)", label="one feature")

# %% [markdown]
# Hills and valleys stay where they were in the image, at more points; nothing new is known between them. So ViT resizes and then trains on. Reading between trained rows instead of past them is what lesson 7 does for text.
#
# ## In practice
#
# For encoders of fixed-length text a learned table is fine; for ViT too, 1-D or 2-D. Its length is part of the model: [Longformer](https://arxiv.org/abs/2004.05150), to reach 4096, started from eight copies of RoBERTa's 512 rows and trained on. Decoders that may need more context mostly use RoPE instead (lesson 6).

# %% [markdown]
# ## On your own
#
# - Shrink `E` by 1 % in each step of `train` (weight decay). What becomes of rows 32 to 63?
# - Resize from 4 × 6 to 8 × 9 and back. Why is it not the old grid?
#
# ## Further reading
#
# - Gehring et al., [*Convolutional Sequence to Sequence Learning*](https://arxiv.org/abs/1705.03122), 2017: a learned row for each position, before Transformers.
# - Devlin et al., [*BERT*](https://arxiv.org/abs/1810.04805), 2019: appendix A.2 for the two lengths.
# - Dosovitskiy et al., [*An Image is Worth 16x16 Words*](https://arxiv.org/abs/2010.11929), 2021: section 3.2 on resizing, D.4 on kinds of tables.
# - Ruoss et al., [*Randomized Positional Encodings*](https://arxiv.org/abs/2305.16843), 2023: positions drawn at random, to train every row.
