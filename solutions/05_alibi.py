# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.alibi"]
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
# # Subtract the distance from the scores
#
# **Can a straight line be enough?**
#
# Here position is a price: every score of attention pays for the distance between query and key. Nothing is learned, nothing is added to the words. This is ALiBi, attention with linear biases (Press et al., 2022), the choice of BLOOM and MPT.
#
# - **Do:** build the bias, a slope for each head, and causal attention with a cache.
# - **Learn:** what a softmax makes of a line, and what it buys and costs in long texts.
# - **Need:** NumPy broadcasting, softmax, causal attention (lesson 1).
# - **Time:** about 75 minutes, for 12 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.attention import softmax
from posenc.checks import close, explain

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
r = np.arange(-24, 1)
lines = {"slope 1/2": r / 2, "slope 1/8": r / 8, "slope 1/32": r / 32}
left, right = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")[1]
draw.score_against_offset(left, r, lines, y="bias (logits)")
ax = draw.score_against_offset(right, r, {name: softmax(bias) for name, bias in lines.items()}, y="weight")

# %% [markdown]
# Left: the price of distance in three heads, a straight line each. Right: the weights that a softmax makes of them when all words match equally well.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $N$ or $n$; $d$, $h$ | positions; features, heads | counts |
# | $i$, $j$ | position of a query, of a key | positions |
# | $r$ | offset $j - i$, key minus query | positions |
# | $m$ | slope of a head | logits per position |
# | $c$ | what a match is worth | logits |
# | $q$, $k$, $v$ | queries, keys, values | $(h, n, d)$ |

# %% [markdown]
# ## 1. A price for distance
#
# Attention alone sees no order (lesson 1). What is the least that I can do about it? Lower each score by a fixed price.
#
# $$\text{score}_{ij} = \frac{q_i \cdot k_j}{\sqrt d} - m\,|i - j|$$
#
# Read aloud: the usual score, minus the slope times the distance. The slope $m$ is fixed before training: no learned parameters, no embeddings to add.
#
# Below, one query at position 6 looks at 13 keys, at a slope of 1/2. Guess: which key has the highest score before the price is paid, and which after?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "row_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
content = np.array([0, 1, 0, 3, 0, 0, 1, 0, 2, 0, 0, 0, 3.5])
price = np.interp(np.arange(13), [0, 6, 12], [3, 0, 3])
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
scores = {"before the price": content, "after": content - price}
ax = draw.lines(ax, np.arange(13), scores, x="key position", y="score (logits)")

# %% [markdown]
# Before, the key at 12 wins. After, the one at 3: it pays three times a half, the one at 12 six times.
#
# ### Exercise 1: `alibi_bias(N, slope)` (3 points)
#
# Return the bias of one head, an array (N, N): entry $[i, j]$ is minus `slope` times the distance between $i$ and $j$. Both sides are visible, so no entry is masked. `N` is at least 1, `slope` a number from 0, whole or not.
#
# By hand, for N = 3 and slope 0.5: [[0, -0.5, -1], [-0.5, 0, -0.5], [-1, -0.5, 0]].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "alibi_bias", "locked": false, "schema_version": 3, "solution": true, "task": false}
def alibi_bias(N, slope):
    """Return minus the slope times the distance of every query and key, (N, N)."""
    ### BEGIN SOLUTION
    distances = np.abs(np.arange(N)[:, None] - np.arange(N)[None, :])
    return -slope * distances
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "alibi_bias_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
tent = np.interp(np.arange(17), [0, 8, 16], [-4, 0, -4])
expected = np.stack([tent[8 - i : 17 - i] for i in range(9)])
axes = draw.comparison(None, alibi_bias(9, 0.5), expected, x="key position", y="query position")

# %% [markdown]
# Every row is the same tent, one step further right: 0 on the diagonal, half a logit less with each step away. Each diagonal has one colour, for its entries share a distance. The third panel is blank where the two agree.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "alibi_bias_test", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("alibi_bias", alibi_bias)
bias = alibi_bias(7, 0.125)
close(np.diagonal(bias), np.zeros(7), "A token is at distance 0 from itself.")
close(bias, np.transpose(bias), "Query and key may change places: their distance stays.")
close(bias[2], [-0.25, -0.125, 0, -0.125, -0.25, -0.375, -0.5], "Row 2 pays 1/8 for each step away from 2.")
close(alibi_bias(7, 0), np.zeros((7, 7)), "With slope 0 distance is free.")
print("✓ alibi_bias: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "alibi_bias_hidden", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other lengths and slopes.
### BEGIN HIDDEN TESTS
explain("alibi_bias", alibi_bias)
want = [[0, -0.3, -0.6, -0.9], [-0.3, 0, -0.3, -0.6], [-0.6, -0.3, 0, -0.3], [-0.9, -0.6, -0.3, 0]]
close(alibi_bias(4, 0.3), want, "Every entry is minus the slope times the distance, before and after the query.", quiet=True)
close(alibi_bias(2, 3), [[0, -3], [-3, 0]], "A whole number is a slope too.", quiet=True)
long = alibi_bias(300, 0.00390625)
close(np.take(long[299], [0, 1, 298, 299]), [-1.16796875, -1.1640625, -0.00390625, 0], "In long texts the line goes on.", quiet=True)
close(np.take(long[0], [0, 1, 299]), [0, -0.00390625, -1.16796875], "The first row pays for what comes after it.", quiet=True)
close(alibi_bias(1, 0.7), [[0]], "One token: one row, one column.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# The same for five tokens, printed. Follow a diagonal: the positions grow, the entry stays, so the bias matrix is a function of distance only. (NumPy writes `-0.` for minus a half times zero. It equals 0.)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "check_on_arrays", "locked": true, "schema_version": 3, "solution": false, "task": false}
bias = alibi_bias(N=5, slope=0.5)
print("ALiBi bias matrix (slope=0.5):")
print(bias.round(2))

# %% [markdown]
# ## 2. What a softmax makes of a line
#
# All keys match equally well, the slope is 1/2, and only the past is visible. How much weight does the previous token get, compared with the query's own?
#
# <details><summary>(a) Half as much.</summary>No: it is half a logit less, and a softmax takes exponentials.</details>
# <details><summary>(b) About 0.61 of it.</summary>Yes: the exponential of -1/2, and the token before it 0.61 of that again.</details>
# <details><summary>(c) None.</summary>No: a finite penalty leaves some weight everywhere.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def show_weights(slope=0.5):
    """Draw the weights of the last 24 keys, all of which match equally well."""
    r = np.arange(-23, 1)
    ax = plt.subplots(figsize=(7, 2.6), layout="constrained")[1]
    draw.score_against_offset(ax, r, softmax(slope * r), y="weight").set(ylim=(0, 1))


show_weights()
try:
    from ipywidgets import interact
except ImportError:
    pass  # The still picture above says the same.
else:
    interact(show_weights, slope=(0.0, 2.0, 0.05))

# %% [markdown]
# The own token (offset 0) gets 0.39, the one before 0.24, then 0.14: each step back multiplies the weight by $e^{-m}$. A line in the scores is a geometric decay in the weights.
#
# So "closer tokens get more attention than far ones" holds where contents tie. A better match can outbid the price, as in section 1. How far does a head see? I count the nearest keys that hold 95 % of the weight.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "span", "locked": true, "schema_version": 3, "solution": false, "task": false}
def span(slope):
    """Return how many of the nearest keys hold 95 % of the weight, if all match equally well."""
    weights = softmax(-slope * np.arange(10_000))
    return 1 + int(np.argmax(weights.cumsum() >= 0.95))


print([span(m) for m in [1 / 2, 1 / 16, 1 / 256]])

# %% [markdown]
# Each is the logarithm of 20, which is 3.0, over the slope, rounded up. Where contents tie, **a head sees about 3 / slope tokens**.

# %% [markdown]
# ## 3. A slope for each head
#
# One slope is one range: too short for some things, too blurred for others. So every head gets its own. For $h$ heads, $h$ a power of two, head number $a = 1, \dots, h$ has
#
# $$m_a = 2^{-8a/h}$$
#
# Read aloud: from head to head the slope shrinks by one and the same ratio, down to $2^{-8}$, that is 1/256. With eight heads: 1/2, 1/4, ..., 1/256. How many tokens does the widest of the eight see? Guess first.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "span_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
m = 0.5 ** np.arange(1, 9)
spans = [span(slope) for slope in m]
ax = plt.subplots(figsize=(6, 3.2), layout="constrained")[1]
draw.lines(ax, m, spans, x="slope (logits per position)", y="attention span (tokens)")
ax.set(xscale="log", yscale="log")
ax.set_xticks(m, [f"1/{1 / slope:.0f}" for slope in m], minor=False)
ax.set_yticks(spans, spans)
ax.minorticks_off()

# %% [markdown]
# The spans of eight heads against their slopes, both axes logarithmic: 6 tokens at 1/2, 767 at 1/256. Half the slope, twice the span: eight heads reach from a phrase to a page or two.
#
# Would learned slopes be better? The authors tried: it "did not yield strong extrapolation results" (section 3 of the paper). And if $h$ is no power of two? BLOOM has 112 heads. The authors' code then fills up from a second series.

# %% [markdown]
# ### Exercise 2: `alibi_slopes(h)` (4 points)
#
# Return the slopes for any whole number of heads `h` from 1, an array (h,). For a power of two, the formula above. Otherwise let $c$ be the largest power of two below $h$: first the $c$ slopes for $c$ heads, then the first, third, fifth, ... slope for $2c$ heads, until there are $h$. The second series is appended; nothing is sorted.
#
# By hand, six heads: $c = 4$ gives 1/4, 1/16, 1/64, 1/256. Eight heads would have 1/2, 1/4, 1/8, ...; of these I append 1/2 and 1/8.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "alibi_slopes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def alibi_slopes(h):
    """Return the slope of each of h heads, in logits per position, (h,)."""
    ### BEGIN SOLUTION
    c = 2 ** int(np.log2(h))
    first = 2.0 ** (-8 * np.arange(1, c + 1) / c)
    between = 2.0 ** (-8 * np.arange(1, 2 * c, 2) / (2 * c))
    return np.concatenate([first, between[: h - c]])
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "alibi_slopes_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
fig, axes = plt.subplots(1, 2, figsize=(8, 3), sharey=True, layout="constrained")
draw.slopes(axes[0], alibi_slopes(12)).set(title="yours, 12 heads")
ax = draw.slopes(axes[1], np.exp2([-1, -2, -3, -4, -5, -6, -7, -8, -0.5, -1.5, -2.5, -3.5])).set(title="expected")

# %% [markdown]
# Twelve heads, the slopes on a logarithmic axis: eight fall from 1/2 to 1/256, then come four halfway between the first ones. The jump is right. A trained head expects the slope of its own place; a sorted list would give it another's.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "alibi_slopes_test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("alibi_slopes", alibi_slopes)
ratios = np.divide(alibi_slopes(16)[1:], alibi_slopes(16)[:-1])
close(ratios, np.full(15, 0.5**0.5), "For 16 heads each slope is the one before times 2 ** (-1/2).")
for h in (1, 2, 4, 8, 32):
    close(alibi_slopes(h)[h - 1], 1 / 256, "For every power of two the last slope is 1/256.")
close(alibi_slopes(6)[4:], [1 / 2, 1 / 8], "Six heads: the last two are the first and third slope for eight.")
print("✓ alibi_slopes: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "alibi_slopes_hidden", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other numbers of heads.
### BEGIN HIDDEN TESTS
explain("alibi_slopes", alibi_slopes)
want = [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625, 0.70710678, 0.35355339]
close(alibi_slopes(10), want, "Ten heads: the slopes for eight, then the first and third for sixteen.", quiet=True)
close(alibi_slopes(4), [0.25, 0.0625, 0.015625, 0.00390625], "Four heads: a ratio of 1/4.", quiet=True)
want = [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125, 0.03125]
close(alibi_slopes(7), want, "Seven heads: the slopes for four, then the first, third and fifth for eight.", quiet=True)
close(alibi_slopes(1), [0.00390625], "One head: one slope, 2 ** -8.", quiet=True)
assert [np.shape(alibi_slopes(h)) for h in (40, 112)] == [(40,), (112,)], "As many slopes as heads, in one row."
want = [0.84089642, 0.70710678, 0.59460356, 0.00390625, 0.91700404, 0.77110541]
got = np.take(alibi_slopes(40), [0, 1, 2, 31, 32, 33])
close(got, want, "Forty heads: the slopes for 32, then eight of those for 64.", quiet=True)
### END HIDDEN TESTS

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "heads_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
biases = {f"head {a}: 1/{1 / m:.0f}": alibi_bias(16, m) for a, m in enumerate(alibi_slopes(4))}
axes = draw.side_by_side(None, biases, label="bias (logits)")

# %% [markdown]
# The biases of four heads, one scale of colours for all. Head 0 takes nearly four logits off in the corners and reads what is near; head 3 is flat, all but blind to position at this length.

# %% [markdown]
# ## 4. A number per row is free
#
# In causal attention $|i - j|$ is $i - j$, and the bias is $mj - mi$. For one query $mi$ is the same number at every key. I leave it out: the bias becomes $mj$, the same row for every query. Which weights change?
#
# <details><summary>(a) All of them.</summary>No: exponentials of one constant cancel in the fraction.</details>
# <details><summary>(b) None.</summary>Yes: a softmax does not see a constant added to a whole row.</details>
# <details><summary>(c) Those of the future.</summary>No: they are masked, and stay at 0.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "rows_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
i, j = np.arange(6)[:, None], np.arange(6)
by_distance = -0.5 * (i - j)
by_key = 0.5 * np.tile(j, (6, 1))
biases = {"m (j - i)": by_distance, "m j": by_key}
hidden = {name: np.where(j <= i, bias, -np.inf) for name, bias in biases.items()}
axes = draw.side_by_side(None, hidden, label="bias (logits)")
weights = {f"weights of {name}": softmax(bias) for name, bias in hidden.items()}
axes = draw.side_by_side(None, weights, label="weight")

# %% [markdown]
# The first figure has two biases that share no row but row 0; grey is masked. The second has their weights, equal in every cell. So one row of numbers serves all queries: BLOOM and the authors' fairseq add $mj$, MPT adds $m(j - n + 1)$.
#
# Now I take the mask away, as in an encoder.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "encoder_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
biases = {"weights of -m |i - j|": alibi_bias(6, 0.5), "weights of m j": by_key}
axes = draw.side_by_side(None, {name: softmax(bias) for name, bias in biases.items()}, label="weight")

# %% [markdown]
# Left, each query looks at itself most. Right, all look at the last token, wherever they stand: without a mask the shortcut is wrong, since $|i - j|$ bends at each query's own place. Encoders need the symmetric form of exercise 1.

# %% [markdown]
# ## 5. Attention with a cache
#
# Three things decide whether the line works inside attention. First, the order. The bias is added after the division by $\sqrt d$: the paper says so in a footnote, the code of BLOOM and MPT does so. That of Falcon-RW adds it before, and so divides the slope as well. With 64 features, what becomes of a head of slope 1/2?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "order_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
r = np.arange(-40, 1)
orders = {"added after scaling": softmax(r / 2), "added before scaling": softmax(r / 2 / 8)}
ax = plt.subplots(figsize=(7, 2.6), layout="constrained")[1]
ax = draw.score_against_offset(ax, r, orders, y="weight")

# %% [markdown]
# The slope becomes 1/16, and the head sees eight times as far. Neither is a mistake where it was trained; mixing them is.
#
# Second, a cache. A model that writes has few queries and all the keys so far: the queries are **the last** positions. One query among six keys stands at 5, not at 0.
#
# Third, the future gets minus infinity. A common stand-in is -10 000, as it fits half precision, whose largest number is 65 504. But a line has no end:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "finite_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
ahead = 20_480
print("future key, slope 1/2, masked with -10 000:", 0.5 * ahead - 10_000)

# %% [markdown]
# Add $m(j - i)$ to every key, the mask on top, and a key that far ahead comes out 240 logits above the query's own. Minus infinity stays minus infinity.

# %% [markdown]
# ### Exercise 3: `alibi_attention(q, k, v, slopes)` (5 points)
#
# Causal attention with the bias, for all heads at once. Float arrays `q` (h, n_q, d), `k` (h, n_k, d), `v` (h, n_k, d_v), `slopes` (h,); the queries are the last `n_q` of the `n_k` positions. Return a new array (h, n_q, d_v). `softmax(x)` is imported, and works along the last axis.
#
# By hand: one query, keys that match equally at distances 1 and 0, slope $\ln 3$: the weights are 1/4 and 3/4. For values 0 and 8 the output is 6.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "alibi_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def alibi_attention(q, k, v, slopes):
    """Attend causally, each score lowered by its head's slope times the distance, (h, n_q, d_v)."""
    ### BEGIN SOLUTION
    n_q, n_k = q.shape[1], k.shape[1]
    i, j = np.arange(n_k - n_q, n_k)[:, None], np.arange(n_k)
    bias = -slopes[:, None, None] * (i - j)  # (h, n_q, n_k)
    scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2]) + bias
    return softmax(np.where(j <= i, scores, -np.inf)) @ v
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "alibi_attention_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
content = np.array([0, 2, 0, 0, 3, 0, 0, 0.0])
yours = alibi_attention(np.ones((1, 5, 1)), content[None, :, None], np.eye(8)[None], np.array([0.5]))[0]
faded, expected = np.zeros(8), []
for t in range(8):
    faded = np.exp(-0.5) * faded + np.exp(content[t]) * np.eye(8)[t]
    expected.append(faded / faded.sum())
axes = draw.comparison(None, yours, expected[3:], x="key position", y="query")

# %% [markdown]
# Five queries on a cache of eight keys; the identity for `v` makes the output the weights. Keys 1 and 4 match better than the rest. Query 0 stands at position 3, and is dark from key 4 on; query 4 sees all.
#
# The expected side knows no distances: at each step old weights fade by $e^{-m}$ and a new key enters. Where the query's content stays the same, ALiBi is a fading memory.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "alibi_attention_test", "locked": true, "points": 2.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("alibi_attention", alibi_attention)
q, k, v = np.random.default_rng(0).normal(size=(3, 2, 7, 6))
slopes = np.array([0.5, 0.0625])
whole = alibi_attention(q, k, v, slopes)
close(whole[:, 0], v[:, 0], "The first token sees only itself: its output is its own value.")
close(alibi_attention(q[:, 5:], k, v, slopes), whole[:, 5:], "A cache: the last 2 queries, as in the full pass.")
close(alibi_attention(q[:, :4], k[:, :4], v[:, :4], slopes), whole[:, :4], "Later tokens change no earlier row.")
two = alibi_attention(np.zeros((1, 1, 3)), np.ones((1, 2, 3)), np.array([[[0.0], [8.0]]]), np.log([3.0]))
close(two, [[[6.0]]], "Slope ln 3: the key at distance 1 gets a third of the other's weight.")
print("✓ alibi_attention: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "alibi_attention_hidden", "locked": true, "points": 2.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other sizes, slopes and caches.
### BEGIN HIDDEN TESTS
explain("alibi_attention", alibi_attention)
q = (np.arange(126).reshape(3, 7, 6) * 7 % 5) - 2.0
k = ((np.arange(126).reshape(3, 7, 6) * 11 % 7) - 3.0) / 2
v = np.arange(42.0).reshape(3, 7, 2) ** 2 % 13
slopes = np.array([0.5, 0.125, 1.0])
whole = alibi_attention(q, k, v, slopes)
got = [whole[0][3], whole[1][6], whole[2][2]]
want = [[8.61500027, 9.45162197], [5.7621965, 4.916245], [9.25690258, 9.89019806]]
close(got, want, "Full pass: scale the scores, subtract slope times distance, hide the future.", quiet=True)
want = [[9.02259793, 7.02239776], [5.84614388, 8.11638754], [7.49835319, 3.95802324]]
step = alibi_attention(q[:, :2], k, v, slopes)
close([head[0] for head in step], want, "Two queries, seven keys: the first stands at position 5.", quiet=True)
steep = alibi_attention(q[:1], k[:1], v[:1], np.array([4000.0]))
close(steep[0], v[0], "A very steep head sees itself alone, and never the future.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 6. Needle against recency
#
# A match is worth $c = 8$ logits, all other keys 0: plenty, when contents alone decide. Now it lies far back, a needle, in a head of slope 1/16. From where on does it score below the query's own token?
#
# <details><summary>(a) Never: contents win.</summary>No: a line falls below any number.</details>
# <details><summary>(b) From 128 tokens.</summary>Yes: the price reaches 8 at 8 times 16.</details>
# <details><summary>(c) From 48, the span.</summary>No: that is where ties lose. This match bids 8 logits.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "needle", "locked": true, "schema_version": 3, "solution": false, "task": false}
def weight_on_match(slope, distance, n=2048, c=8.0):
    """Return the weight on one match at this distance, among n keys of which the others are worth 0."""
    match = np.exp(c - slope * distance)
    others = np.exp(-slope * np.arange(n)).sum() - np.exp(-slope * distance)
    return match / (match + others)


def weight_on_latest(slope, n, c=8.0):
    """Return the weight on the latest match, if every eighth of n keys is one."""
    distance = np.arange(n)
    return softmax(c * (distance % 8 == 1) - slope * distance)[1]

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "needle_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
heads = {"slope 1/2": 1 / 2, "slope 1/16": 1 / 16, "slope 1/256": 1 / 256, "no bias": 0}
left, right = plt.subplots(1, 2, figsize=(9, 3.3), layout="constrained")[1]
distance, n = np.unique(np.geomspace(1, 2047, 80).astype(int)), 2 ** np.arange(4, 12)
far = {name: weight_on_match(m, distance) for name, m in heads.items()}
late = {name: [weight_on_latest(m, a) for a in n] for name, m in heads.items()}
draw.lines(left, distance, far, x="distance to the match (tokens)", y="weight on the match", title="needle")
draw.lines(right, n, late, x="length of the text (tokens)", y="weight on the latest match", title="recency")
left.set(xscale="log", ylim=(-0.05, 1.05))
right.set(xscale="log", ylim=(-0.05, 1.05))
right.get_legend().remove()

# %% [markdown]
# Left, one match among 2048 tokens: each head lets go, and falls to half the weight at 14, 83 and 628 tokens. Without a bias distance is free: 0.59 anywhere. Right, every eighth token matches, and I want the latest: the steepest head gives it 0.98 at any length, while without a bias all matches share alike.
#
# The line that finds the latest loses the needle. Does my attention agree with the formula?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "needle_check", "locked": true, "schema_version": 3, "solution": false, "task": false}
q, k, v = np.ones((4, 1, 1)), np.zeros((4, 101, 1)), np.zeros((4, 101, 1))
k[:, 40], v[:, 40] = 8, 1
by_attention = alibi_attention(q, k, v, np.array([1 / 2, 1 / 16, 1 / 256, 0]))[:, 0, 0]
by_formula = [weight_on_match(m, 60, n=101) for m in (1 / 2, 1 / 16, 1 / 256, 0)]
print(np.round(by_attention, 4), np.allclose(by_attention, by_formula))

# %% [markdown]
# It does: one match 60 tokens back, in three heads with a slope and one without.
#
# For half the weight at distance $D$ a match must bid the price $mD$ plus the logarithm of what the others weigh together. At 100 000 tokens even slope 1/256 asks for 396 logits. Without a bias 11.5 are enough, the logarithm of 99 999.

# %% [markdown]
# ## 7. Longer than trained
#
# "Generalizes to longer sequences than training because the bias is purely a function of distance", say many texts. For fixed contents RoPE's scores are such a function too (lesson 6), and still RoPE degrades (lesson 8). So that alone cannot be why. What else is there? Watch four heads while the text grows.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "window_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
n = 2 ** np.arange(6, 14)
shares = {name: [softmax(-m * np.arange(a))[:64].sum() for a in n] for name, m in heads.items()}
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
draw.lines(ax, n, shares, x="length of the text (tokens)", y="weight on the last 64 tokens")
ax.set_xscale("log", base=2)

# %% [markdown]
# The share of the last 64 tokens, where contents tie. With a slope it settles once the text is longer than the span: a book looks like a page. Without, it falls as 64 / length. The line is a soft window, and behind a window nothing new comes into view.
#
# Chi et al. (2022) say so: for distant tokens ALiBi is "highly similar to windowed attention", and holds if the training length covers the window. Press et al., appendix B: beyond the trained length it "might not be using contexts longer than the ones it was trained on".

# %% [markdown]
# So the loss holds on text that the near past predicts, and finding something far back is another matter. Lesson 8 trains it: a small ALiBi model on 32 tokens reads registers. Below, the mean of three runs. The latest of many writes is read right in 0.984 of cases at eight times the length; one write at the start, in 0.07 at twice, no better than a guess among 8.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson8_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
accuracy = {"recency": [0.995, 0.982, 0.985, 0.984], "needle": [0.717, 0.070, 0.097, 0.100]}
accuracy["a guess"] = [1 / 8] * 4
ax = plt.subplots(figsize=(6, 3), layout="constrained")[1]
draw.lines(ax, [32, 64, 128, 256], accuracy, x="length of the text (tokens), trained on 32", y="accuracy")
ax.set(xscale="log", ylim=(0, 1.05))
ax.set_xticks([32, 64, 128, 256], [32, 64, 128, 256])
ax.minorticks_off()

# %% [markdown]
# ## In practice
#
# [BLOOM](https://github.com/huggingface/transformers/blob/main/src/transformers/models/bloom/modeling_bloom.py), [MPT](https://github.com/huggingface/transformers/blob/main/src/transformers/models/mpt/modeling_mpt.py) and [Baichuan-13B](https://github.com/baichuan-inc/Baichuan-13B) use ALiBi, [JinaBERT](https://huggingface.co/jinaai/jina-embeddings-v2-base-en) the symmetric form. BLOOM's 112 heads and Baichuan's 40 need the second series; MPT's code takes both from the next power of two, slopes `[1::2]` and then `[::2]`. ALiBi comes in place of position embeddings, not on top: sinusoids would bring back what fails at new positions (lesson 2).
#
# A common recipe: "Long-context experimentation or position generalization is critical: ALiBi." Put exactly: yes, if the task lives on the recent past and must not break at any length; no, if it must find something far back (lessons 8 and 10).

# %% [markdown]
# ## On your own
#
# - Set all slopes of `alibi_attention` to 0. Which head of lesson 1 is left?
# - Is there a slope at which a match worth 8 logits keeps half the weight at distance 10 000? How many logits would do?
#
# ## Further reading
#
# - Press et al., *Train Short, Test Long*, 2022, [arXiv:2108.12409](https://arxiv.org/abs/2108.12409): the method in section 3, its limits in appendix B.
# - Chi et al., *Dissecting Transformer Length Extrapolation*, 2022, [arXiv:2212.10356](https://arxiv.org/abs/2212.10356): ALiBi as a window.
# - Kazemnejad et al., *The Impact of Positional Encoding on Length Generalization*, 2023, [arXiv:2305.19466](https://arxiv.org/abs/2305.19466): where ALiBi does not help.
# - [ofirpress/attention_with_linear_biases, issue 5](https://github.com/ofirpress/attention_with_linear_biases/issues/5): what to do in encoders.
