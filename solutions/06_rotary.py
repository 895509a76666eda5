# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.rotary"]
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
# # Rotate queries and keys by their position
#
# **What if position were a rotation?**
#
# Here position is a turn: each query and key is rotated by an angle that grows with its position, right before their dot product. This is RoPE (Su et al., 2021), the default of LLaMA and most open language models since.
#
# - **Do:** write RoPE, show that a score sees only distance, convert its two layouts, decode with a cache.
# - **Learn:** why only the offset counts, and what that does not promise.
# - **Need:** NumPy, dot products, sine and cosine, attention (lesson 1).
# - **Time:** about 90 minutes, for 14 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.checks import close, explain, written

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.5), layout="constrained")
draw.circle(left, range(6))
r = np.linspace(-12, 12, 241)
ax = draw.score_against_offset(right, r, np.cos(r))

# %% [markdown]
# Left: the point (1, 0) at positions 0 to 5, a radian further each time. Right: the dot product of two such points against their distance, a cosine wave.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $n$, $d$, $h$ | positions, features, heads | counts |
# | $p$, $r$ | position; offset $p_k - p_q$ | positions |
# | $i$ | pair of features $2i$, $2i+1$ | below $d/2$ |
# | $\theta_i$ | speed of pair $i$ | radians per position |
# | $q$, $k$, $v$ | query, key, value | $(d,)$ |
# | $Q$, $K$, $V$ | a row for each token | $(n, d)$ |

# %% [markdown]
# ## 1. One pair, one angle
#
# Two features are a point $(x, y)$ in the plane. To say "position $p$", I turn it by $p\theta$ radians, counter-clockwise:
#
# $$x' = x\cos p\theta - y\sin p\theta, \qquad y' = x\sin p\theta + y\cos p\theta$$
#
# Read aloud: new $x$ is old $x$ times the cosine minus old $y$ times the sine; new $y$ is old $x$ times the sine plus old $y$ times the cosine. The length stays; position 0 moves nothing.
#
# Guess: at $\theta = 1$, where is (1, 0) after six positions?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "pair_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def show_pair(position=6):
    """Draw the point (1, 0) at every position up to this one."""
    ax = plt.subplots(figsize=(3.5, 3.5), layout="constrained")[1]
    draw.circle(ax, range(position + 1))


show_pair()
try:
    from ipywidgets import interact
except ImportError:
    pass  # The still picture above says the same.
else:
    interact(show_pair, position=(0, 12))

# %% [markdown]
# Six radians are 344 degrees: a little below where it began.
#
# ### Exercise 1: two scores by hand (1 point)
#
# One pair, $\theta = 1$, $q = k = (1, 0)$. The **score** is $q' \cdot k'$, both turned. Find it at the positions $(p_q, p_k) = (0, 2)$ and at $(3, 5)$. Example, at (0, 1): $q$ stays, $k$ becomes (0.5403, 0.8415), the score is 0.5403.
#
# Each number must be right within 0.001. Use $\cos 2 \approx -0.4161$, $\cos 3 \approx -0.9900$, $\sin 3 \approx 0.1411$, $\cos 5 \approx 0.2837$, $\sin 5 \approx -0.9589$.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "hand", "locked": false, "schema_version": 3, "solution": true, "task": false}
score_0_2 = None  # a number
q_at_3 = None  # [x, y], q turned to position 3
k_at_5 = None  # [x, y], k turned to position 5
score_3_5 = None  # a number
### BEGIN SOLUTION
score_0_2 = -0.4161
q_at_3 = [-0.9900, 0.1411]
k_at_5 = [0.2837, -0.9589]
score_3_5 = q_at_3[0] * k_at_5[0] + q_at_3[1] * k_at_5[1]
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "hand_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
ax = draw.circle(plt.subplots(figsize=(3.5, 3.5), layout="constrained")[1], [3, 5])
for point, name in [(q_at_3, "your q at 3"), (k_at_5, "your k at 5")]:
    if point is not None:
        ax.plot(*point, "x", color="black", markersize=12)
        ax.annotate(name, point, (8, 8), textcoords="offset points")

# %% [markdown]
# The circle shows where (1, 0) stands at positions 3 and 5; my crosses must lie on those points. They are two radians apart, as at positions 0 and 2. So I expect one score, twice, and a negative one: the two look away from each other.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "hand_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
written(score_0_2, q_at_3, k_at_5, score_3_5)
for number in (score_0_2, score_3_5):
    assert isinstance(number, int | float | np.number), "Write a number for each of the two scores."
for wrong, slip in [
    (np.cos(3 + 5), "The positions were added. Both turn the same way, so their angles subtract."),
    (-np.cos(2), "Check the sign: 2 radians are more than a quarter turn."),
    (np.sin(2), "q is (1, 0): its dot product with k reads the first coordinate of k, the cosine."),
    (1.0, "Near 1? The key turned by degrees, or not at all: it stands 2 radians (115 degrees) from q."),
]:
    for number in (score_0_2, score_3_5):
        assert not np.isclose(number, wrong, rtol=0, atol=1e-3), slip
close(score_0_2, np.cos(2), "At (0, 2) the score is the cosine of 2.", rtol=0, atol=1e-3)
close(score_3_5, score_0_2, "Both keys are 2 positions ahead: one score, twice.", rtol=0, atol=2e-3)
print("✓ hand: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "hand_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# More about the same numbers: the two vectors, and the second score.
### BEGIN HIDDEN TESTS
close(score_0_2, -0.41614684, "score_0_2 must be right within 0.001.", rtol=0, atol=1e-3, quiet=True)
close(score_3_5, -0.41614684, "score_3_5 must be right within 0.001.", rtol=0, atol=1e-3, quiet=True)
close(q_at_3, [-0.98999250, 0.14112001], "q_at_3 is (1, 0) turned counter-clockwise by 3 radians.", rtol=0, atol=1e-3, quiet=True)
close(k_at_5, [0.28366219, -0.95892427], "k_at_5 is (1, 0) turned counter-clockwise by 5 radians.", rtol=0, atol=1e-3, quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Many pairs, many speeds
#
# A head has $d/2$ pairs. Pair $i$ holds features $2i$ and $2i+1$, and turns at its own speed:
#
# $$\theta_i = 10000^{-2i/d}$$
#
# Read aloud: the first pair turns one radian per position, each later one is slower by the same factor. These are the sinusoidal frequencies; nothing is learned. The **wavelength** $2\pi/\theta_i$ is the number of positions in a full turn.
#
# Guess: with $d = 64$, how many of the 32 pairs complete a turn in 512 positions?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "wavelength_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
theta = 10000.0 ** (-np.arange(0, 64, 2) / 64)
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.wavelengths(ax, theta, length=512)

# %% [markdown]
# Each dot is a wavelength, the dashed line the length of the text. The sixteen hollow ones never come round, and meet new angles in a longer text.
#
# ### Exercise 2: `rope(x, position)` (2 points)
#
# `x` is a float array (..., d) with d even, `position` a number. Return a new array of that shape: each pair $(2i, 2i+1)$ turned counter-clockwise by $p\,\theta_i$.
#
# By hand, d = 4, so $\theta = (1, 0.01)$: (1, 0, 1, 0) at position 2 becomes $(\cos 2, \sin 2, \cos 0.02, \sin 0.02)$ = (-0.4161, 0.9093, 0.9998, 0.0200).

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "rope", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rope(x, position):
    """Turn each pair (2i, 2i+1) of x by position * theta_i radians."""
    ### BEGIN SOLUTION
    theta = 10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    cos, sin = np.cos(position * theta), np.sin(position * theta)
    even, odd = x[..., 0::2], x[..., 1::2]
    out = np.empty_like(x)
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "rope_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
yours = np.array([rope(np.tile([1.0, 0.0], 4), p) for p in range(24)])
angle = np.outer(np.arange(24), [1, 0.1, 0.01, 0.001])
expected = np.stack([np.cos(angle), np.sin(angle)], axis=-1).reshape(24, 8)
axes = draw.comparison(None, yours, expected)

# %% [markdown]
# Each row is (1, 0, 1, 0, 1, 0, 1, 0) at one position. The first two columns come round every 6.3 rows, the next two every 63, and the last four hardly move in 24. The third panel, the difference, is blank when the two agree.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "rope_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("rope", rope)
x = np.arange(1.0, 9.0)
close(rope(x, 0), x, "At position 0 nothing moves: rope(x, 0) equals x.")
close(np.hypot(*rope(x, 7).reshape(4, 2).T), np.hypot(x[0::2], x[1::2]), "A turn keeps each pair's length.")
close(rope(x[:4], 1), [-1.14263966, 1.9220756, 2.95985067, 4.0297995], "Pair 0 turns by 1 radian, pair 1 by 0.01.")
print("✓ rope: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "rope_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other widths, batches and positions.
### BEGIN HIDDEN TESTS
explain("rope", rope)
x = np.array([[1.0, 2, 3, 4, 5, 6], [2, -1, 0.5, 3, -2, 1]])
kept = x.copy()
far = [2.14781231, -0.62201469, -1.41777113, -4.79478102, -7.79047608, -0.55541193]
near = [2.16479111, 0.56007094, -0.48383442, 3.00264954, -2.01485304, 0.96972534]
close(rope(x, 4001)[0], far, "Six features far into a text: each pair has its own speed.", quiet=True)
close(rope(x, 7)[1], near, "Six features: theta is 10000 ** (-2i / d), with the width d of x.", quiet=True)
close(rope(np.stack([x] * 3), 7)[2, 1], near, "Leading axes are batch axes: each row is turned alike.", quiet=True)
close(rope(np.array([3.0, 5.0]), 2), [-5.79492764, 0.6471581], "One pair turns by position radians, counter-clockwise.", quiet=True)
close(x, kept, "x itself must not change: write into a new array.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. Only the distance counts
#
# A query at position 0 and a key at 5 have some score. I put a word before them, so that they stand at 1 and 6. What happens to the score?
#
# <details><summary>(a) It grows.</summary>No: a turn changes no length, and the angle between the two stays.</details>
# <details><summary>(b) It shrinks.</summary>No: being further out turns both alike, and drops out.</details>
# <details><summary>(c) It stays.</summary>Yes: both turn one step more, and the angle between them is as before.</details>
# <details><summary>(d) That depends on the contents.</summary>No: the score does, but under a shift it stays, whatever the contents.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "check_on_arrays", "locked": true, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(0)
q, k = rng.normal(size=8), rng.normal(size=8)
for pq, pk in [(0, 0), (0, 5), (3, 8), (10, 15)]:
    print(f"pos_q={pq}, pos_k={pk}, relative={pk - pq}: {rope(q, pq) @ rope(k, pk):.4f}")

# %% [markdown]
# The last three lines agree. Let $R(p)$ turn every pair by $p\theta_i$. Turning both gives the same dot product as leaving $q$ and turning $k$ by the difference:
#
# $$q'^\top k' = q^\top R(p_k - p_q)\, k$$
#
# So for fixed contents $q$ and $k$ the score depends on $r = p_k - p_q$ alone.
#
# ### Exercise 3a: `score(q, k, pq, pk)` (1 point)
#
# `q`, `k` are float arrays (d,), `pq`, `pk` their positions. Return a number, the dot product after rotation, not divided by $\sqrt d$. Example: for $q = k = (1, 0)$ at (3, 5), -0.4161.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "score", "locked": false, "schema_version": 3, "solution": true, "task": false}
def score(q, k, pq, pk):
    """Rotate q to position pq and k to position pk, and return their dot product."""
    ### BEGIN SOLUTION
    return rope(q, pq) @ rope(k, pk)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "score_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
one = np.tile([1.0, 0.0], 4)
yours = np.array([[score(one, one, pq, pk) for pk in range(16)] for pq in range(16)])
r = np.arange(16) - np.arange(16)[:, None]
expected = sum(np.cos(r * theta_i) for theta_i in [1, 0.1, 0.01, 0.001])
axes = draw.comparison(None, yours, expected, x="key position", y="query position")

# %% [markdown]
# Rows are query positions, columns key positions, and $q = k = (1, 0, 1, 0, \dots)$. Every diagonal has one colour: along it both positions grow by one and the offset stays. Stripes that run across or down mean that only one of the two was turned.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "score_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("score", score)
q, k = np.array([1.0, 2.0, 3.0, 4.0]), np.array([4.0, 3.0, 2.0, 1.0])
close(score(q, k, 0, 0), 20.0, "At position 0 nothing turns: the score is q . k.")
close(score(q, k, 105, 103), score(q, k, 5, 3), "Moving both positions by 100 leaves the score as it is.")
close(score(q, k, 5, 3), 1.19005123, "Turn q to position 5 and k to position 3, then multiply and add.")
assert not np.isclose(score(q, k, 0, 4), score(q, k, 0, 5)), "Another offset gives another score."
print("✓ score: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "score_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other widths and offsets.
### BEGIN HIDDEN TESTS
explain("score", score)
q, k = np.array([1.0, -2, 3, 0.5, -1, 2]), np.array([2.0, 1, -1, 3, 0.5, -0.5])
close(score(q, k, 7, 4), -0.96449935, "Key before query: rotate both, each by its own position.", quiet=True)
close(score(q, k, 1002, 1009), -9.23137497, "Key after query, far into a text: rotate both.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 3b: `is_relative(score, q, k, offsets, shifts)` (2 points)
#
# Now the claim itself, for any score function. Return `True` if for every offset $r$ and shift $s$ `score(q, k, s, s + r)` is close to `score(q, k, 0, r)`, as `np.isclose` judges it by default; else `False`. `offsets` and `shifts` are lists of integers.
#
# By hand: `pk - pq` is relative, and so is a constant; `pq + pk` is not: at (0, 4) it is 4, shifted by 3 it is 10. NaN is close to nothing, so it is not relative.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "is_relative", "locked": false, "schema_version": 3, "solution": true, "task": false}
def is_relative(score, q, k, offsets, shifts):
    """Tell whether each offset keeps its score when both positions move by each shift."""
    ### BEGIN SOLUTION
    return all(np.isclose(score(q, k, s, s + r), score(q, k, 0, r)) for r in offsets for s in shifts)
    ### END SOLUTION


is_relative(score, np.array([1.0, 2.0]), np.array([3.0, 1.0]), [0, 4, -2], [3, 100])  # your score: True

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "is_relative_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
q, k = np.array([1.0, 2.0, 3.0, 4.0]), np.array([4.0, 3.0, 2.0, 1.0])
assert is_relative(lambda q, k, pq, pk: pk - pq, q, k, [4, 5], [3, 10]), "pk - pq is the offset: relative."
assert is_relative(lambda q, k, pq, pk: q @ k, q, k, [4, 5], [3, 10]), "A constant is relative too."
assert not is_relative(lambda q, k, pq, pk: pq + pk, q, k, [4], [3]), "pq + pk grows with the shift."
print("✓ is_relative: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "is_relative_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with scores that are relative, nearly so, or not at all.
### BEGIN HIDDEN TESTS
q, k = np.array([1.0, -2.0, 0.5, 3.0, 1.5, 2.5]), np.array([0.5, 1.0, -1.0, 2.0, 4.0, 1.0])
relative = [
    lambda q, k, pq, pk: np.cos(pq) * np.cos(pk) + np.sin(pq) * np.sin(pk),
    lambda q, k, pq, pk: q @ k * (pk - pq) ** 2,
]
absolute = [
    lambda q, k, pq, pk: q @ k * np.cos(pk),
    lambda q, k, pq, pk: pk - pq + (pq == 31) * (pk - pq == 11),
    lambda q, k, pq, pk: (-1) ** pq * (2.0 + pk - pq),
    lambda q, k, pq, pk: 1.0 + (pk - pq) ** 2 + 1e-3 * pq,
    lambda q, k, pq, pk: np.nan,
]
said = [is_relative(f, q, k, [4, 11, -2], [3, 31, 6]) for f in relative + absolute]
assert np.array_equal(said[:2], [True] * 2), "A score of the offset alone is relative, up to rounding."
assert np.array_equal(said[2:], [False] * 5), "One offset that changes under one shift: not relative."
said = [is_relative(f, q, k, [2], [5]) for f in (relative[0], absolute[0])]
assert np.array_equal(said, [True, False]), "With one shift, compare against the positions (0, r)."
### END HIDDEN TESTS

# %% [markdown]
# ## 4. Does the score fade with distance?
#
# Many texts say that RoPE makes far tokens count less. I draw 1000 random queries and keys of 64 features, put the keys at offsets 0, 10, 100 and 1000, and take the spread (standard deviation) of $q' \cdot k' / \sqrt d$. What do I see?
#
# <details><summary>(a) It falls towards 0.</summary>No: equal vectors do that, a special case, below.</details>
# <details><summary>(b) It stays near 1.</summary>Yes: look, then say why.</details>
# <details><summary>(c) It swings like a cosine.</summary>No: a single score swings, the spread over many does not.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "spread", "locked": true, "schema_version": 3, "solution": false, "task": false}
many_q, many_k = np.random.default_rng(0).normal(size=(2, 1000, 64))


def spread(r):
    """Return the spread of the scaled scores of 1000 random queries and keys at offset r."""
    return np.std((many_q * rope(many_k, r)).sum(axis=-1) / np.sqrt(64))


np.round([spread(r) for r in [0, 10, 100, 1000]], 3)

# %% [markdown]
# The spread stays near 1 at every offset, up to the noise of 1000 draws.
#
# ### Exercise 4: in your own words (2 points, read by a person)
#
# Two or three sentences on each: why does the spread of the scores of random $q$ and $k$ not shrink with the offset? And why are $q$ and $k$ rotated, but not $v$?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "fade", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# A rotation keeps lengths and angles, so a random key with no preferred direction is, after any turn, again such a key. Its dot product with q has the same distribution at every offset, and so the same spread. Decay appears when q and k share a direction in all pairs: then the cosines of many speeds fall out of step.
#
# Position must reach the weights, and those come from the dot product of q and k, in which only the difference of the two turns is left. In a rotated v nothing cancels the turn: the output would depend on where each token stood.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "fade_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
r = np.append(0, np.unique(np.geomspace(1, 1000, 60).round()))
phase = np.exp(1j * r[:, None] * 10000.0 ** (-np.arange(0, 64, 2) / 64))
bound = np.abs(phase.cumsum(axis=1)).mean(axis=1)
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
draw.score_against_offset(ax, r, {"q = k": phase.real.mean(axis=1), "bound": bound / bound[0]})
ax.plot([0, 10, 100, 1000], [spread(r) for r in [0, 10, 100, 1000]], "ks", label="random q, k: spread")
legend = ax.legend()
ax.set_xscale("symlog")

# %% [markdown]
# Where does the talk of decay come from? From equal vectors: their curve falls, with ripples, and so does the bound in section 3.4.3 of the paper, a limit on how large a score can be (each starts at 1 here, so compare shapes only). The squares of random vectors stay up. Decay is a bound and a special case, not a law: a head looks as far as it learns to.

# %% [markdown]
# ## 5. A whole sequence, and a staircase
#
# float16 keeps 11 significant bits, bfloat16 only 8. Suppose a model stores its positions in such a type before it multiplies by $\theta_i$, as several libraries once did. Below, the dashed line is the true position, the steps are what is stored. Guess: up to which position does each count without a mistake?
#
# <details><summary>(a) 65504, the largest float16.</summary>No: it fits, but not every integer below it does.</details>
# <details><summary>(b) 2048 and 256.</summary>Yes: two to the number of bits. Then come only even numbers.</details>
# <details><summary>(c) Both to 2048.</summary>No: bfloat16 traded digits for range.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "staircase_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def to_bfloat16(x):
    """Round to the nearest float32 whose last 16 bits are 0, ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


left, right = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")[1]
for ax, stored, first in [(left, to_bfloat16, 250), (right, np.float16, 2042)]:
    p = np.arange(first, first + 19)
    ax.plot(p, p, "--", color="grey", label="true position")
    ax.plot(p, stored(p), "o-", color="black", markersize=4, label="stored position")
    ax.set(title="bfloat16" if ax is left else "float16", xticks=p[::4], yticks=p[::4])
    ax.set(xlabel="position", ylabel="position, as stored")
    ax.legend()

# %% [markdown]
# In bfloat16 positions 256 to 262 become 256, 256, 258, 260, 260, 260, 262; in float16, 2049 becomes 2048, while 2050 is exact. Neighbours share a rotation. So I make angles in float64 and cast last.
#
# ### Exercise 5: `rotate(X, positions)` (2 points)
#
# All rows at once. As a loop: `np.stack([rope(row, p) for row, p in zip(X, positions)])`. Write it without one, for `X` (..., n, d) and integers `positions` (n,), in any order. Return a new array: float16, float32, float64 keep their dtype, integers give float64. Odd d raises `ValueError`.
#
# By hand: [[1, 0], [1, 0]] at [0, 2] gives [[1, 0], [-0.4161, 0.9093]].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "rotate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rotate(X, positions):
    """Turn row j of X to positions[j], in the dtype of X."""
    ### BEGIN SOLUTION
    d = X.shape[-1]
    if d % 2:
        raise ValueError(f"d must be even, got {d}")
    floating = np.issubdtype(X.dtype, np.floating)
    wide = X.astype(np.float64)
    turn = np.exp(1j * np.multiply.outer(positions, 10000.0 ** (-np.arange(0, d, 2) / d)))
    pairs = (wide[..., 0::2] + 1j * wide[..., 1::2]) * turn
    out = np.stack([pairs.real, pairs.imag], axis=-1).reshape(X.shape)
    return out.astype(X.dtype) if floating else out
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "rotate_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
positions = np.array([3, 1, 4, 15, 9, 2, 6, 5, 35, 8, 7, 0])
yours = rotate(np.tile([1.0, 0.0], (12, 4)), positions)
angle = np.outer(positions, [1, 0.1, 0.01, 0.001])
expected = np.stack([np.cos(angle), np.sin(angle)], axis=-1).reshape(12, 8)
axes = draw.comparison(None, yours, expected, y="row")

# %% [markdown]
# Twelve equal rows at positions that are not in order, the last at 0: its cosines are 1 and its sines 0. A `rotate` that counts rows instead of reading `positions` differs here, though it looks right on 0, 1, 2, ... The checks also look at float16 near position 2049.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "rotate_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("rotate", rotate)
X, positions = np.arange(1.0, 43.0).reshape(7, 6), np.array([4, 0, 9, 2, 2, 31, 5])
whole = rotate(X, positions)
close(whole[5:], rotate(X[5:], positions[5:]), "Row j reads positions[j], whatever rows come before it.")
close(rotate(X.astype(int), positions), whole, "Integers are computed in float64.")
assert rotate(X.astype(np.float32), positions).dtype == np.float32, "float32 in, float32 out."
print("✓ rotate: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "rotate_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with batches, other dtypes, far positions and an odd width.
### BEGIN HIDDEN TESTS
explain("rotate", rotate)
X, positions = np.array([[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8], [9, 7, 9, 3, 2, 3]]), np.array([4, 0, 4001])
first = [-1.20412837, -2.92405111, 3.74665718, 1.72120887, 4.92225565, 9.04275397]
want = [first, [2, 6, 5, 3, 5, 8], [8.51150431, -7.58645467, -7.39008646, -5.94866557, -3.54864089, -0.63808135]]
close(rotate(X, positions), want, "Integer input: compute in float64, each row at its own position.", quiet=True)
batch = rotate(np.stack([[X * 1.0] * 2] * 4), positions)
close(batch[3, 1], want, "Leading axes are batch and heads: the positions belong to the rows.", quiet=True)
half = rotate(np.array([[1, 0]] * 2, dtype=np.float16), np.array([2049, 2050]))
assert half.dtype == np.float16, "float16 in, float16 out."
want = [[0.7765720, 0.6300285], [-0.1105670, 0.9938687]]
close(half, want, "Make the angles in float64: float16 cannot hold position 2049.", quiet=True)
try:
    odd_width = rotate(np.ones((7, 5)), np.arange(7))
except ValueError:
    odd_width = None
assert odd_width is None, "An odd number of features has no last pair: raise ValueError."
### END HIDDEN TESTS

# %% [markdown]
# ## 6. Two layouts of one rotation
#
# Here pairs are neighbours, $(2i, 2i+1)$: **interleaved**, as in RoFormer, GPT-J and Meta's LLaMA. GPT-NeoX and Hugging Face's Llama pair $i$ with $i + d/2$: **half**. Weights of one in code of the other give gibberish.
#
# ### Exercise 6: `to_half(x)` and `permute_weights(W, h)` (2 points)
#
# `to_half` puts the features of `x` (..., d) in the order 0, 2, 4, ..., 1, 3, 5, ... `permute_weights` does so to the rows of `W` (h * d, n_in) within each of `h` heads. Example, 2 heads of 4: rows 0, 2, 1, 3, 4, 6, 5, 7. Both return new arrays.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "layouts", "locked": false, "schema_version": 3, "solution": true, "task": false}
def to_half(x):
    """Put the even features first, then the odd ones."""
    ### BEGIN SOLUTION
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)
    ### END SOLUTION


def permute_weights(W, h):
    """Reorder the rows of each of the h heads from interleaved to half."""
    ### BEGIN SOLUTION
    return W.reshape(h, -1, 2, W.shape[-1]).swapaxes(1, 2).reshape(W.shape)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "layouts_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
yours = permute_weights(np.eye(12), 2)
expected = np.eye(12)[[0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]]
axes = draw.comparison(None, yours, expected, x="old row", y="new row")

# %% [markdown]
# Two heads of six features. In each row the bright square says which old row comes there: within a head 0, 2, 4, then 1, 3, 5, and none leaves its head. The check then rotates in the half layout and finds the same numbers, reordered. A converter does this to $W_q$ and $W_k$, never to $W_v$, which is not rotated.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "layouts_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("to_half", to_half)
explain("permute", permute_weights)
here = np.array([2.20151073, -0.3915999, 1.99956383, 4.58276603, 4.93507811, 6.05351171])  # 1..6 at 5
first, second = np.split(to_half(np.arange(1.0, 7.0)), 2)
moved = (first + 1j * second) * np.exp(1j * 5 * 10000.0 ** (-np.arange(0, 6, 2) / 6))
close(to_half(here), [*moved.real, *moved.imag], "Reorder, then rotate: as if rotated, then reordered.")
W = np.random.default_rng(0).normal(size=(18, 7))
close(permute_weights(W, 3)[6:12, 0], to_half(W[6:12, 0]), "Head 1 must make its features in the half layout.")
print("✓ layouts: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "layouts_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same functions with other widths, batches and numbers of heads.
### BEGIN HIDDEN TESTS
explain("to_half", to_half)
explain("permute", permute_weights)
x = np.arange(70.0).reshape(7, 10) ** 2
close(to_half(x)[3], x[3, [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]], "Even features first, then odd ones, on the last axis.", quiet=True)
W = np.arange(90.0).reshape(18, 5) ** 2
rows = [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11, 12, 14, 16, 13, 15, 17]
close(permute_weights(W, 3), W[rows], "Three heads of six: reorder the rows inside each head, keep the columns.", quiet=True)
close(permute_weights(W, 1), W[[*range(0, 18, 2), *range(1, 18, 2)]], "With one head, all rows are reordered together.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 7. Decode with a cache
#
# A model that writes adds one token at a time, and keeps earlier keys and values in a **cache**. A rotated key never changes, so I rotate it once, when it enters.
#
# ### Exercise 7: `decode(Q, K, V)` (2 points)
#
# All are float arrays (n, d). At step $t$: rotate key $t$ to position $t$ and store it, store value $t$ as it is, rotate query $t$ to position $t$. Row $t$ of the output is $\operatorname{softmax}(\text{scores}/\sqrt d)$ over keys $0 \dots t$, times the stored values. Return (n, d). By hand: row 0 is `V[0]`, for one key gets all the weight.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "decode", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decode(Q, K, V):
    """Attend one token at a time, with a cache of rotated keys and plain values."""
    ### BEGIN SOLUTION
    keys, values, out = [], [], []
    for t, (q, k, v) in enumerate(zip(Q, K, V, strict=True)):
        keys.append(rope(k, t))
        values.append(v)
        scores = np.array(keys) @ rope(q, t) / np.sqrt(len(q))
        weights = np.exp(scores - scores.max())
        out.append(weights / weights.sum() @ np.array(values))
    return np.array(out)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "decode_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
same = np.tile([3.0, 0.0], (8, 4))
yours = decode(same, same, np.eye(8))
r = np.arange(8) - np.arange(8)[:, None]
scores = 9 * sum(np.cos(r * theta_i) for theta_i in [1, 0.1, 0.01, 0.001]) / np.sqrt(8)
expected = np.tril(np.exp(scores)) / np.tril(np.exp(scores)).sum(axis=1, keepdims=True)
axes = draw.comparison(None, yours, expected, x="key position", y="step")

# %% [markdown]
# With equal queries and keys and the identity for `V`, the output is the attention weights themselves, a row for each step. A step looks at itself most; from row 6 on, next most at the token six back, where the fastest pair has almost come round. Nothing lies right of the diagonal, for a cache holds no future.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "decode_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("decode", decode)
Q, K, V = np.random.default_rng(0).normal(size=(3, 7, 6))
close(decode(Q, K, V)[0], V[0], "At step 0 there is one key, so the output is V[0].")
close(decode(Q, K, V)[:5], decode(Q[:5], K[:5], V[:5]), "Later tokens must not change earlier rows.")
phase = np.exp(1j * np.outer(np.arange(7), 10000.0 ** (-np.arange(0, 6, 2) / 6)))
q, k = ((A[:, 0::2] + 1j * A[:, 1::2]) * phase for A in (Q, K))
weights = np.exp((q[6].conj() * k).real.sum(axis=1) / np.sqrt(6))
close(decode(Q, K, V)[6], weights / weights.sum() @ V, "The last step must equal the full pass.")
print("✓ decode: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "decode_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other lengths and widths, against a full pass.
### BEGIN HIDDEN TESTS
explain("decode", decode)
Q = np.array([[1.0, 0, 2, 1], [0, 1, 1, -1], [2, 1, 0, 1]])
K = np.array([[0.0, 1, 1, 2], [1, 1, 0, 0], [1, -1, 2, 0]])
V = np.array([[1.0, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 13]])
second, third = [3.68586493, 4.68586493, 5.68586493, 6.68586493], [3.56127449, 4.56127449, 5.56127449, 6.71830966]
close(decode(Q, K, V), [V[0], second, third], "Three steps: rotate a key once, the query to its own position, and no value.", quiet=True)
long = decode(np.tile(Q, (4, 2)), np.tile(K, (4, 2)), np.tile(V, (4, 2)))
last = [3.5176227, 4.5176227, 5.5176227, 6.62881048] * 2
close(long[11], last, "Twelve steps must equal the full pass: a cached key keeps its position.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## In practice
#
# RoPE has no parameters, carries relative position by itself, and is the default of new decoders (closed models do not say what they use). For longer contexts take it with a scaling method: YaRN or NTK reach 2 to 4 times the trained length without fine-tuning, plain RoPE only a little further (lesson 7).
#
# Real code makes one table of cosines and sines, in float32, for all heads and layers. Meta's LLaMA and GPT-J are interleaved, Hugging Face's Llama and GPT-NeoX half. Some rotate part of each head; Llama 3 has base 500 000. Caches hold rotated keys, so the base must not change midway.

# %% [markdown]
# ## On your own
#
# - Rotate `V` too in `decode`. What becomes of the picture?
# - With base 500 000, how many pairs come round in 512 positions?
#
# ## Further reading
#
# - Su et al., *RoFormer*, 2021, [arXiv:2104.09864](https://arxiv.org/abs/2104.09864): section 3.2 derives the rotation, 3.4.3 the bound.
# - Biderman et al., [*Rotary Embeddings: A Relative Revolution*](https://blog.eleuther.ai/rotary-embeddings/), 2021: the same with complex numbers, and what it costs.
# - Barbero et al., *Round and Round We Go!*, 2024, [arXiv:2410.06205](https://arxiv.org/abs/2410.06205): why decay is not what makes it work.
# - Peng et al., *YaRN*, 2023, [arXiv:2309.00071](https://arxiv.org/abs/2309.00071): where lesson 7 goes.
