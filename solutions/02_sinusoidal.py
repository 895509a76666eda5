# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.sinusoidal"]
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
# # Write a position as waves
#
# **How do you write a position as numbers?**
#
# Attention sees no order (lesson 1). The first Transformer (Vaswani et al., 2017) therefore adds to each token a vector that says where it stands: sines and cosines of the position, a fixed function without parameters.
#
# - **Do:** compute codes by hand, write the whole table, encode any position, build the matrix that moves every code.
# - **Learn:** what such codes promise, and what a model makes of them beyond the lengths it saw.
# - **Need:** NumPy, sine and cosine, matrix products; for section 7, attention (lesson 1).
# - **Time:** about 90 minutes, for 12 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.attention import softmax
from posenc.checks import close, explain, written

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
p = np.arange(64)
bits = p[:, None] >> np.arange(6) & 1
angle = np.outer(p, np.sqrt(0.1) ** np.arange(8))
waves = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(64, 16)
left, right = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")[1]
draw.heat_map(left, bits, x="binary digit, ones first", label="digit", title="counting in binary")
ax = draw.heat_map(right, waves, title="counting in waves")

# %% [markdown]
# Left: positions 0 to 63 in binary, a row each. Right: the same positions in the code of this lesson. On both sides the first columns change fast and the last ones slowly.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $N$, $d$ | positions, features | counts |
# | $p$, $k$ | position, shift | positions |
# | $i$ | pair of features $2i$, $2i+1$ | below $d/2$ |
# | $\omega_i$ | frequency of pair $i$ | radians per position |
# | $\text{PE}$ | the table; row $\text{PE}(p)$ is the code of $p$ | $(N, d)$ |
# | $M_k$ | the matrix that moves a code by $k$ | $(d, d)$ |

# %% [markdown]
# ## 1. From counting to waves
#
# Position 1000 could be written as the number 1000, but then it drowns the token that it is added to. As $p/N$, the third word of a text has another code whenever the text is longer. In binary, ten digits suffice, each is 0 or 1, and a word's code does not depend on what follows.
#
# Guess: how far does a binary code move from 30 to 31, and how far from 31 to 32?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "steps_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
p = np.arange(65)
bits = p[:, None] >> np.arange(7) & 1
angle = np.outer(p, np.sqrt(0.1) ** np.arange(8))
waves = np.hstack([np.sin(angle), np.cos(angle)])
codes = {"binary": bits, "waves": waves}
steps = {name: np.linalg.norm(np.diff(code, axis=0), axis=1) for name, code in codes.items()}
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.lines(ax, p[:-1], steps, y="distance to the next position")

# %% [markdown]
# The solid line is binary: from 30 to 31 one digit flips, from 31 to 32 six do. Its steps say more about powers of two than about distance. The dashed line is the code of this lesson: every step has the same length. It keeps the good idea, fast digits and slow ones, and makes each digit round.

# %% [markdown]
# ## 2. A pair of waves is the hand of a clock
#
# One sine says too little: it takes every value twice in a turn. A cosine beside it makes the pair a point on a circle, like the tip of a clock's hand. The code has $d/2$ hands, each slower than the one before:
#
# $$\text{PE}(p, 2i) = \sin(p\,\omega_i), \qquad \text{PE}(p, 2i+1) = \cos(p\,\omega_i), \qquad \omega_i = 10000^{-2i/d}$$
#
# Read aloud: feature $2i$ is the sine of the position times a frequency, the next feature its cosine. The frequency starts at 1 radian per position and falls by the same factor from pair to pair. The paper writes $p / 10000^{2i/d}$, the same angle.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "hands_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def show_hands(position=12):
    """Draw the four pairs of an 8-feature code at one position."""
    axes = plt.subplots(1, 4, figsize=(11, 3), layout="constrained")[1]
    for i, ax in enumerate(axes):
        draw.circle(ax, [position], frequency=-(0.1**i), start=(0.0, 1.0))
        ax.set(title=rf"pair {i}: $\omega$ = {0.1**i:g}", xlabel="sine", ylabel="cosine")


show_hands()
try:
    from ipywidgets import interact
except ImportError:
    pass  # The still picture above says the same.
else:
    interact(show_hands, position=(0, 100))

# %% [markdown]
# At position 0 all four hands point up, and then turn clockwise. Here, at 12, the first has come round almost twice, the second is a fifth of a turn on, the last have hardly moved.
#
# ### Exercise 1: two rows by hand (2 points)
#
# For $d = 4$, write $\text{PE}(0)$ and $\text{PE}(1)$ as lists of 4 numbers. Example with $d = 2$, where the only frequency is 1: $\text{PE}(3) = [\sin 3, \cos 3] = [0.1411, -0.9900]$.
#
# Each number must be right within 0.001. Use $\sin 1 \approx 0.8415$, $\cos 1 \approx 0.5403$, $\sin 0.01 \approx 0.01$, $\cos 0.01 \approx 1$.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "hand", "locked": false, "schema_version": 3, "solution": true, "task": false}
pe_0 = None  # [number, number, number, number]
pe_1 = None  # [number, number, number, number]
### BEGIN SOLUTION
pe_0 = [0, 1, 0, 1]
pe_1 = [0.8415, 0.5403, 0.01, 1]
### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "hand_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
axes = plt.subplots(1, 2, figsize=(7, 3.5), layout="constrained")[1]
for i, ax in enumerate(axes):
    draw.circle(ax, [0, 1][i:], frequency=-(0.01**i), start=(0.0, 1.0))
    ax.set(title=f"pair {i}", xlabel=f"feature {2 * i}: sine", ylabel=f"feature {2 * i + 1}: cosine")
    for row, mark in [(pe_0, "x"), (pe_1, "+")]:
        if np.shape(row) == (4,):
            ax.plot(row[2 * i], row[2 * i + 1], mark, color="black", markersize=12)

# %% [markdown]
# The arrows show the hands at positions 0 and 1. My $\times$ is $\text{PE}(0)$, my $+$ is $\text{PE}(1)$, and they must lie on the tips. The second hand moves by a hundredth of a radian, so its two arrows would look like one: I draw the one for position 1.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "hand_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
written(pe_0, pe_1)
assert all(np.shape(row) == (4,) for row in (pe_0, pe_1)), "Write each row as a list of 4 numbers."
for row, wrong, slip in [
    (pe_0, [0, 0, 0, 0], "The sine of 0 is 0, but its cosine is 1."),
    (pe_0, [1, 0, 1, 0], "The sine comes first: at position 0 features 0 and 2 are 0."),
    (pe_0, [0, 0, 1, 1], "Right numbers, in blocks. Sine and cosine alternate: sin, cos, sin, cos."),
    (pe_0, [0.8415, 0.5403, 0.01, 1], "Positions are counted from 0: at position 0 every angle is 0."),
    (pe_0, [0.8415, 0.5403, 0, 1], "Only 10000 takes the exponent: p / 10000^(2i/d), and at p = 0 that is 0."),
    (pe_1, [0.0175, 0.9998, 0.0002, 1], "These are sines of degrees. The angles are radians."),
    (pe_1, [0.8415, 0.5403, 0.0998, 0.9950], "The second pair has i = 1: its exponent is 2i/d = 2/4, not 1/4."),
    (pe_1, [0.8415, 0.9950, 0.01, 1], "Sine and cosine share one frequency: both features of pair 0 have 1."),
    (pe_1, [0.8415, 0.5403, 0.0001, 1], "10000 is raised to 2/4, which gives 100: the second angle is 1/100."),
    (pe_1, [0.8415, 0.5403, -0.5064, 0.8623], "Divide by 10000^(2i/d): the second pair is the slower one."),
    (pe_1, [0.8415, 0.5403, 0.0316, 0.9995], "Your base looks like 1000. It is 10000."),
    (pe_1, [0.8415, 0.5403, 0.8415, 0.5403], "Each pair has its own frequency: the second has 10000^(-2/4)."),
]:
    assert not np.allclose(row, wrong, rtol=0, atol=1e-3), slip
close(pe_0, [0, 1, 0, 1], "At position 0 every hand points up: sine 0, cosine 1.", rtol=0, atol=1e-3)
close(pe_1, [0.8415, 0.5403, 0.01, 1], "At position 1 the angles are 1 and 0.01.", rtol=0, atol=1e-3)
print("✓ hand: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "hand_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same two rows, against all their digits.
### BEGIN HIDDEN TESTS
close(pe_0, [0, 1, 0, 1], "pe_0 must be right within 0.001, in the order sin, cos, sin, cos.", rtol=0, atol=1e-3, quiet=True)
close(pe_1, [0.84147098, 0.54030231, 0.00999983, 0.99995000], "pe_1 must be right within 0.001, in the order sin, cos, sin, cos.", rtol=0, atol=1e-3, quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. The whole table
#
# Often one reads that each dimension is a sinusoid of its own frequency. Exactly: each *pair* has its own, so there are $d/2$.
#
# ### Exercise 2: `sinusoidal(N, d)` (3 points)
#
# Return the float array (N, d) whose row $p$ is $\text{PE}(p)$, for $p = 0 \dots N-1$, any $N \ge 1$ and even $d$. Far rows must be right within $10^{-6}$, so compute in float64, NumPy's default.
#
# By hand: `sinusoidal(2, 4)` holds your two rows of exercise 1. Two loops are fine; `pe[:, 0::2]`, all rows of every second column, needs none.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "sinusoidal", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sinusoidal(N, d):
    """Return the codes of positions 0 to N - 1, a row each."""
    ### BEGIN SOLUTION
    pe = np.zeros((N, d))
    pos = np.arange(N)[:, None]
    div = np.exp(np.arange(0, d, 2) * -(np.log(10000.0) / d))
    pe[:, 0::2] = np.sin(pos * div)
    pe[:, 1::2] = np.cos(pos * div)
    return pe
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "sinusoidal_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
yours = sinusoidal(24, 8)
angle = np.outer(np.arange(24), [1, 0.1, 0.01, 0.001])
expected = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(24, 8)
axes = draw.comparison(None, yours, expected)

# %% [markdown]
# Each row is a position. The first two columns come round every 6.3 rows, the next two every 63; the sines at 4 and 6 stay near 0 and the cosines at 5 and 7 near 1. The third panel, the difference, is blank when the two agree.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "sinusoidal_test", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("sinusoidal", sinusoidal)
two_rows = [[0, 1, 0, 1], [0.84147098, 0.54030231, 0.00999983, 0.99995]]
close(sinusoidal(2, 4), two_rows, "These are your two rows of exercise 1.")
close(sinusoidal(7, 6)[:3], sinusoidal(3, 6), "A row depends on its position alone, not on how many follow.")
close(np.linalg.norm(sinusoidal(7, 6), axis=1), [np.sqrt(3)] * 7, "Three hands of length 1: length sqrt(3).")
print("✓ sinusoidal: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "sinusoidal_hidden", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other sizes, and far rows.
### BEGIN HIDDEN TESTS
explain("sinusoidal", sinusoidal)
second = [0.90929743, -0.41614684, 0.0926985, 0.99569422, 0.00430886, 0.99999072]
first = [0.84147098, 0.54030231, 0.04639922, 0.99892298, 0.00215443, 0.99999768]
third = [0.14112001, -0.9899925, 0.1387981, 0.9903207, 0.00646326, 0.99997911]
close(sinusoidal(4, 6), [[0, 1, 0, 1, 0, 1], first, second, third], "Four rows of six: sin, cos, sin, cos, from position 0 on.", quiet=True)
eighth = [0.98935825, -0.14550003, 0.95448090, 0.29827204, 0.1996012, 0.97987722, 0.03184319, 0.99949288, 0.00504764, 0.99998726]
close(sinusoidal(9, 10)[8], eighth, "Ten features: pair i has the angle p / 10000 ** (2i/d).", quiet=True)
far = [-0.98352786, 0.18075659, -0.34853034, -0.9372975, 0.72075077, -0.69319429]
close(sinusoidal(4002, 6)[4001], far, "A far row: compute the angles in float64.", quiet=True)
close(sinusoidal(5004, 2)[5003], [0.99990617, -0.01369873], "A table may have as many rows as are asked for.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# Now the check on arrays. Before I look: is $\text{PE}(1)$ close to $\text{PE}(0)$?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "check_on_arrays", "locked": true, "schema_version": 3, "solution": false, "task": false}
PE = sinusoidal(N=32, d=8)
print(f"sinusoidal PE shape: {PE.shape}")
print(f"PE(0): {PE[0].round(2)}")
print(f"PE(1): {PE[1].round(2)}  (PE(0), moved by a linear shift)")
print(f"distance from PE(0) to PE(1): {np.linalg.norm(PE[1] - PE[0]):.2f}")

# %% [markdown]
# Close it is not: it is almost the length of a hand away, and nearly all of that is the fast pair's. What holds exactly is that one fixed matrix takes $\text{PE}(0)$ to $\text{PE}(1)$, and $\text{PE}(1)$ to $\text{PE}(2)$. Section 6 builds it.
#
# The code is *added*, once, to the token's embedding $e$ before the first block: $x_p = \sqrt d\, e + \text{PE}(p)$. The factor belongs to the token. Why is it there? Here are three lengths at the paper's width, 512: of an embedding, drawn at random as its authors' library does, of the same after the factor, and of a code.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lengths", "locked": true, "schema_version": 3, "solution": false, "task": false}
PE = sinusoidal(1, 512)
token = np.random.default_rng(0).normal(scale=512**-0.5, size=512)
[round(float(np.linalg.norm(v)), 1) for v in (token, np.sqrt(512) * token, PE[0])]

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "table_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
PE = sinusoidal(200, 128)
ax = draw.heat_map(plt.subplots(figsize=(8, 4), layout="constrained")[1], PE)

# %% [markdown]
# Unscaled, the position would be sixteen times as long as its token. The picture has 200 rows of 128 features: fast stripes on the left, wide bands in the middle, and on the right columns that stay at 0 or 1 for the whole text.

# %% [markdown]
# ## 4. Is every position different?
#
# The hands come round, as hands do. So do two positions ever get the same code?
#
# <details><summary>(a) Yes: after 2π positions the first pair repeats.</summary>No: 2π is no whole number of positions, and the other pairs have moved on.</details>
# <details><summary>(b) Yes: after 10000 · 2π positions all pairs repeat.</summary>No: no pair is that slow, and the others are at odd angles then.</details>
# <details><summary>(c) No, never.</summary>Yes: for that the first pair alone would do.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "longest", "locked": true, "schema_version": 3, "solution": false, "task": false}
{d: round(2 * np.pi * 10000 ** ((d - 2) / d), 2) for d in [8, 64, 512]}  # longest wavelength, in positions

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "wavelengths_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.wavelengths(ax, 10000.0 ** (-np.arange(0, 64, 2) / 64), length=512)

# %% [markdown]
# A pair's **wavelength**, $2\pi/\omega_i$, is the number of positions in a turn: one dot a pair, for $d = 64$. They run in equal factors from $2\pi$ up to $2\pi \cdot 10000^{(d-2)/d}$, always below the $10000 \cdot 2\pi \approx 62832$ that the paper names as the end. In 512 positions, the dashed line, half of the pairs never come round.
#
# Two whole positions share the first pair only if they differ by a multiple of $2\pi$. As $\pi$ is irrational, none do: all codes differ. But by how much?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "nearest", "locked": true, "schema_version": 3, "solution": false, "task": false}
for d in [4, 8, 64]:
    distance = np.linalg.norm(sinusoidal(20000, d)[1:] - sinusoidal(1, d), axis=1)
    print(f"d={d}: nearest to PE(0) is PE({1 + distance.argmin()}), at distance {distance.min():.4f}")

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "nearest_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
codes = {f"d = {d}": sinusoidal(151, d) / np.sqrt(d / 2) for d in [4, 64]}
away = {name: np.linalg.norm(PE - PE[0], axis=1) for name, PE in codes.items()}
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.lines(ax, np.arange(151), away, y="distance / code length")

# %% [markdown]
# "Different" is a statement about exact numbers. The lines show how far each code is from $\text{PE}(0)$. With $d = 4$, solid, it comes back near its start every 6.3 positions, and $\text{PE}(13823)$ misses $\text{PE}(0)$ by 0.0077. With $d = 64$, dashed, none of 20000 positions comes nearer than the very next one. Many hands at many speeds keep codes apart; a few do so on paper only.

# %% [markdown]
# ## 5. Any position, in any order
#
# The formula is defined for any $p$, also beyond the longest text of the training. A decoder with a cache wants the code of position 57 alone, fairseq counts its first token as 2, a padded batch has a row of positions for each text, a diffusion model encodes a time step such as 12.5.
#
# ### Exercise 3: `encode(positions, d)` (3 points)
#
# `positions` is a real number or an array of them, of any shape (...), in any order. Return a float64 array (..., d), and leave `positions` as it is. Odd $d$ is allowed: the last pair is then a sine without its cosine, and the exponent is still $2i/d$.
#
# By hand: `encode(3, 2)` is `[0.1411, -0.99]`, of shape (2,). `encode(np.array([[1], [3]]), 1)` is `[[[0.8415]], [[0.1411]]]`.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "encode", "locked": false, "schema_version": 3, "solution": true, "task": false}
def encode(positions, d):
    """Return the code of each position along a new last axis."""
    ### BEGIN SOLUTION
    angle = np.asarray(positions)[..., None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    pe = np.zeros((*np.shape(positions), d))
    pe[..., 0::2] = np.sin(angle)
    pe[..., 1::2] = np.cos(angle)[..., : d // 2]
    return pe
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "encode_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
positions = np.array([3, 1, 4, 1.5, 9, 26, 5, 35, 8, -9, 7, 0])
angle = np.outer(positions, 0.1 ** np.arange(4))
expected = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(12, 8)
axes = draw.comparison(None, encode(positions, 8), expected, y="row")

# %% [markdown]
# Twelve positions that are in no order, one of them between integers, row 9 below 0, the last at 0, where sines are 0 and cosines 1. An `encode` that counts rows instead of reading `positions` differs in almost every row, though it looks right on 0, 1, 2, ...

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "encode_test", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("encode", encode)
positions = np.array([4, 0, 9.5, 2, 2, 31, -5])
close(encode(positions, 6)[5], encode(31, 6), "A code depends on its position alone, wherever it stands.")
close(encode(np.arange(7), 4)[1], [0.84147098, 0.54030231, 0.00999983, 0.99995], "The code of 1 is your pe_1.")
close(np.shape(encode(np.ones((2, 3)), 5)), (2, 3, 5), "One axis of d features comes last, for odd d too.")
print("✓ encode: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "encode_hidden", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other positions, shapes and widths.
### BEGIN HIDDEN TESTS
explain("encode", encode)
half = [0.59847214, -0.80114362, 0.11577948, 0.99327494, 0.00538606, 0.9999855]
back = [-0.14112001, -0.9899925, -0.1387981, 0.9903207, -0.00646326, 0.99997911]
second = [0.90929743, -0.41614684, 0.0926985, 0.99569422, 0.00430886, 0.99999072]
kept = np.array([2.5, -3, 2])
close(encode(kept, 6), [half, back, second], "Positions between integers and below 0, in any order.", quiet=True)
close(kept, [2.5, -3, 2], "positions must not change.", quiet=True)
odd = [-0.53657292, 0.84385396, 0.76020124, 0.64968767, 0.06211369, 0.99806908, 0.0044731]
close(encode(12, 7), odd, "One number and an odd width: seven features, the last one a sine.", quiet=True)
column = [[[0.6569866, 0.75390225, 0.17492742, 0.98458133, 0.00441669]], [[-0.50636564, 0.86231887, 0.58890735, -0.80820055, 0.06305388]]]
close(encode(np.array([[7], [100]]), 5), column, "Positions of any shape, and an odd width.", quiet=True)
far = [0.63002846, 0.77657204, -0.91703131, -0.39881522, 0.93314732, 0.3594942, 0.9543757, -0.29860849, 0.96161591, 0.27439907]
close(encode(2049, 10), far, "A far position: compute the angles in float64.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 6. Moving on is one matrix
#
# I take the dot product of every code with every other. What will the table look like?
#
# <details><summary>(a) Large at high positions.</summary>No: every code has the same length, whatever its position.</details>
# <details><summary>(b) Each diagonal has one value.</summary>Yes: look, then say why.</details>
# <details><summary>(c) Larger to the right of the main diagonal than to the left.</summary>No: a dot product is the same both ways, so it cannot tell before from after.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "gram_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
PE = sinusoidal(81, 512)
left, right = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")[1]
draw.gram(left, PE)
ax = draw.score_against_offset(right, np.arange(-40, 41), PE @ PE[40], y="dot product with position 40")

# %% [markdown]
# Left: one colour along every diagonal. Right, a row of it: 256 at offset 0, falling in small waves on both sides alike. The dot product of two hands is the cosine of the angle between them, so it sums $\cos(\omega_i (p - q))$: only the offset is left. (A matrix whose diagonals are constant is a *Toeplitz* matrix.)
#
# And the step itself? From $p$ to $p + k$, hand $i$ turns by $k\,\omega_i$, wherever it stands. With $a = p\,\omega_i$ and $b = k\,\omega_i$:
#
# $$\sin(a + b) = \sin a \cos b + \cos a \sin b, \qquad \cos(a + b) = \cos a \cos b - \sin a \sin b$$
#
# Read aloud: the new sine and cosine are sums of the old ones, times numbers in which $p$ does not occur.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "step", "locked": true, "schema_version": 3, "solution": false, "task": false}
PE = sinusoidal(9, 4)
M = np.linalg.lstsq(PE[:-3], PE[3:], rcond=None)[0].T  # the matrix that fits PE[p + 3] = M @ PE[p] best
float(np.abs(PE[:-3] @ M.T - PE[3:]).max().round(12))

# %% [markdown]
# Least squares finds a matrix that moves six codes by 3 with no error but rounding. You know the formula, so you need no data:
#
# ### Exercise 4: `shift_matrix(k, d)` (4 points)
#
# Return the (d, d) matrix with `shift_matrix(k, d) @ PE[p]` equal to `PE[p + k]` for *every* $p$, with even $d$. $k$ is any real number; negative moves back.
#
# By hand, $d = 2$ and $k = \pi/2$, a quarter turn: the new sine is the old cosine, the new cosine minus the old sine, so the matrix is [[0, 1], [-1, 0]].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "shift_matrix", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shift_matrix(k, d):
    """Return the matrix that moves the code of every position on by k."""
    ### BEGIN SOLUTION
    M = np.zeros((d, d))
    for j in range(0, d, 2):
        cos, sin = np.cos(k / 10000 ** (j / d)), np.sin(k / 10000 ** (j / d))
        M[j : j + 2, j : j + 2] = [[cos, sin], [-sin, cos]]
    return M
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "shift_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
yours = shift_matrix(3, 8)
turned = np.eye(8).view(complex) * np.exp(-3j * 0.1 ** np.arange(4))
axes = draw.comparison(None, yours, turned.view(float).T, x="old feature", y="new feature")

# %% [markdown]
# Row 0 says how the new sine of the first pair is mixed from the old features: a sine, and a cosine. Four blocks of 2 × 2 stand on the diagonal, one a hand, and the rest is 0. The later the pair, the nearer is its block to the identity, for slow hands hardly move in 3 positions.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "shift_matrix_test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("shift_matrix", shift_matrix)
first, second = [0.84147098, 0.54030231, 0.00999983, 0.99995], [0.90929743, -0.41614684, 0.01999867, 0.9998]
PE = np.array([[0, 1, 0, 1], first, second])
close(shift_matrix(1, 4) @ PE[0], PE[1], "From position 0 to 1.", atol=1e-6)
close(shift_matrix(1, 4) @ PE[1], PE[2], "The same matrix goes from 1 to 2.", atol=1e-6)
on, back = np.array(shift_matrix(3, 6)), np.array(shift_matrix(-3, 6))
close(on @ back, np.eye(6), "Three on and three back is where it began.")
close(on @ on.T, np.eye(6), "Hands keep their length: the matrix is orthogonal.")
print("✓ shift_matrix: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "shift_matrix_hidden", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other shifts and widths, at positions near and far.
### BEGIN HIDDEN TESTS
explain("shift_matrix", shift_matrix)
back = [[-0.41614684, -0.90929743, 0, 0], [0.90929743, -0.41614684, 0, 0], [0, 0, 0.99980001, -0.01999867], [0, 0, 0.01999867, 0.99980001]]
close(shift_matrix(-2, 4), back, "Four features, two positions back: a block for each pair.", quiet=True)
close(shift_matrix(0.5, 2), [[0.87758256, 0.47942554], [-0.47942554, 0.87758256]], "Half a position is a shift too.", quiet=True)
near = np.array([0.98935825, -0.14550003, 0.9544809, 0.29827204, 0.1996012, 0.97987722, 0.03184319, 0.99949288, 0.00504764, 0.99998726])
six = np.array([-0.2794155, 0.96017029, 0.81395955, 0.58092155, 0.15014327, 0.98866425, 0.02388416, 0.99971473, 0.00378574, 0.99999283])
forty = np.array([0.74511316, -0.66693806, 0.05635759, 0.99841065, 0.84403037, 0.53629538, 0.1585707, 0.98734763, 0.02523561, 0.99968153])
far = np.array([0.63002846, 0.77657204, -0.91703131, -0.39881522, 0.93314732, 0.3594942, 0.9543757, -0.29860849, 0.96161591, 0.27439907])
close(shift_matrix(2, 10) @ six, near, "Ten features, from a near position on by two.", atol=1e-6, quiet=True)
close(shift_matrix(2041, 10) @ near, far, "Ten features, on to a far position.", atol=1e-6, quiet=True)
close(shift_matrix(-2009, 10) @ far, forty, "The same formula back from a far position.", atol=1e-6, quiet=True)
wide = np.array(shift_matrix(-5, 64))
close(np.trace(wide), 47.00794162, "A wide code: the diagonal holds the cosine of each pair's angle, twice.", quiet=True)
close(wide @ wide.T, np.eye(64), "A wide code: the matrix is orthogonal, for it was not fitted to some positions.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 7. What extrapolates?
#
# This is why the paper chose sines: relative positions are representable. Let a head's query be $M_{-3}\,\text{PE}(p)$ and its keys the codes themselves (I leave the tokens out). The score is largest where the key *is* $\text{PE}(p-3)$, so the head looks three back. Nothing in it knows a longest text. I take $d = 64$, multiply scores by 4 so that it looks sharply, and ask for the weight on $p - 3$.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "head", "locked": true, "schema_version": 3, "solution": false, "task": false}
def head(M, p):
    """Return the weights that position p gives to positions 0 to p when its query is M @ PE[p]."""
    PE = encode(np.arange(p + 1), 64)
    return softmax(4 * PE @ (M @ PE[p]))


{p: round(float(head(shift_matrix(-3, 64), p)[p - 3]), 3) for p in [10, 128, 2000]}

# %% [markdown]
# The same weight at 2000 as at 10. A trained model, though, is not handed $M_{-3}$: it finds a matrix from texts. Say they had 32 positions. I fit $M$ to move their codes three back, with a small penalty on large entries, since training leans towards small weights too. Where does this head look at position 128?
#
# <details><summary>(a) At 125, three back.</summary>No: on 32 positions many matrices agree, and few of them are right elsewhere.</details>
# <details><summary>(b) Everywhere a little.</summary>No: it is as sure of itself as before, and wrong.</details>
# <details><summary>(c) Somewhere among the first 32 positions.</summary>Yes: see below.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "fitted", "locked": true, "schema_version": 3, "solution": false, "task": false}
def fitted(n, penalty=1e-3):
    """Fit the matrix that moves each code of n positions three back."""
    PE = encode(np.arange(n), 64)
    now, then = PE[3:], PE[:-3]
    return np.linalg.solve(now.T @ now + penalty * np.eye(64), now.T @ then).T


{p: int(head(fitted(32), p).argmax()) - p for p in [10, 31, 64, 128, 256]}  # offset that it looks at

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "fitted_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
heads = {"built by hand": shift_matrix(-3, 64), "fitted on positions 0 to 31": fitted(32)}
axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")[1]
for ax, p in zip(axes, [30, 128], strict=True):
    draw.lines(ax, np.arange(p + 1), {name: head(M, p) for name, M in heads.items()}, x="key position", y="weight")
    ax.set_title(f"query at position {p}")
axes[1].get_legend().remove()  # the same two lines

# %% [markdown]
# Solid: built by hand; dashed: fitted. At position 30 both look at 27, and the lines coincide. At 128 the built one looks at 125; the fitted one puts nine tenths of its weight on 24, a position that it knows, and none on 125. In 32 positions only 6 of the 32 hands come round. Of the others the fit saw an arc, and nothing ties it down on the rest of the circle.
#
# So the *encoding* extrapolates and the *learned map* does not: that is how sinusoids generalise in principle while models overfit to seen positions. This is a toy. Press et al. (2022) measured language models: sinusoidal ones get worse soon after the trained length. Lesson 8 trains some.

# %% [markdown]
# ## 8. One name, several tables
#
# Code that says "sinusoidal" may mean any of these. **Interleaved** is the paper's: the Annotated Transformer, PyTorch's examples. **Half** has all sines, then all cosines: x-transformers, GPT-NeoX. **tensor2tensor**, the paper's own authors' library, has halves and divides $i$ by $d/2 - 1$, so that the last frequency is exactly 1/10000; fairseq and Whisper's encoder follow it. The half is a reordering of columns, the third has other numbers.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "variants_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
PE = sinusoidal(32, 16)
angle = np.arange(32)[:, None] / 10000 ** (np.arange(8) / 7)
tables = {"interleaved": PE, "half": np.hstack([PE[:, 0::2], PE[:, 1::2]])}
tables["tensor2tensor"] = np.hstack([np.sin(angle), np.cos(angle)])
axes = draw.side_by_side(None, tables, x="feature", y="position")

# %% [markdown]
# ## In practice
#
# From scratch, either order of columns will do, for a layer can reorder its weights alike. A checkpoint needs the table that it was trained with: take the layout, the spacing, the base and the first position from its code.
#
# Odd $d$ is handled in four ways: drop the last cosine (here), add a column of zeros (tensor2tensor, fairseq), refuse (x-transformers), or crash with a mismatch of shapes (PyTorch's examples). Many programs keep a table of `max_len=5000` rows; the formula needs none. Language models have mostly moved on, to RoPE above all; sinusoids live on in speech encoders such as [Whisper's](https://github.com/openai/whisper/blob/main/whisper/model.py), and for the time steps of diffusion models.

# %% [markdown]
# ## On your own
#
# - Fit the head on 64, 128 and 256 positions. From where on does it hold at 2000?
# - With base 100 in place of 10000, how many hands come round in 32 positions? What becomes of the fitted head?
#
# ## Further reading
#
# - Vaswani et al., *Attention Is All You Need*, 2017, [arXiv:1706.03762](https://arxiv.org/abs/1706.03762): section 3.5 is one page, and names the shift as the reason for the choice.
# - Press et al., *Train Short, Test Long*, 2022, [arXiv:2108.12409](https://arxiv.org/abs/2108.12409): measures extrapolation, and proposes ALiBi (lesson 5).
# - Kazemnejad, [*Transformer Architecture: The Positional Encoding*](https://kazemnejad.com/blog/transformer_architecture_positional_encoding/), 2019: the binary counter, and the shift derived step by step.
