# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.scaling"]
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
# # Stretch the rotation to longer texts
#
# **How do you read a book with a model trained on pages?**
#
# A model that was trained on 4096 tokens has never met token 5000. RoPE gives it an angle all the same, one that it may not know. Here I change how fast the pairs turn, and nothing else, so that a long text shows the model what it knows. The methods are called PI, NTK and YaRN.
#
# - **Do:** stretch RoPE in four ways, among them YaRN, and meet the numbers of the library that models run on.
# - **Learn:** which pairs a longer text breaks, what each method costs, how far it reaches.
# - **Need:** NumPy, RoPE (lesson 6).
# - **Time:** about 80 minutes, for 12 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.attention import softmax
from posenc.checks import choice, close, explain, written
from posenc.rotary import rope

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
slowed = {"RoPE": np.ones(64), "PI": np.full(64, 4), "NTK": np.geomspace(1, 4, 64)}
slowed["YaRN"] = 1 / np.interp(np.arange(64), [20, 46], [1, 1 / 4])
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.lines(ax, np.arange(64), slowed, x="pair, from fast to slow", y="slowed down by")

# %% [markdown]
# Where we are going, for a text 4 times as long: PI slows every pair down by 4, NTK each a little more than the one before, YaRN those that need it.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $d$, $i$ | features of a head; pair, below $d/2$ | counts |
# | $b$ | base, 10000 if not said otherwise | number |
# | $f_i$ | frequency $b^{-2i/d}$, in lesson 6 $\theta_i$ | radians per position |
# | $L$ | original length, that of training | positions |
# | $s$ | stretch: new length over $L$ | at least 1 |
# | $\rho_i$ | ramp: how much of pair $i$ is divided | 0 to 1 |
# | $m$ | factor on cosine and sine | number |

# %% [markdown]
# ## 1. Angles that training never showed
#
# Within $L$ tokens pair $i$ turns by $L f_i$ radians. Fast pairs come round again and again, and show the model every angle there is. Slow ones never come round.
#
# Llama 2 has heads of 128 features, so 64 pairs, and was trained on 4096 tokens. Guess: how many of its pairs ever complete a turn?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "wavelengths_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
llama2 = 10000.0 ** (-np.arange(0, 128, 2) / 128)
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.wavelengths(ax, llama2, length=4096)

# %% [markdown]
# 46 do. The 18 hollow ones need more than 4096 tokens for a turn, and meet new angles in a longer text.
#
# Is that bad? I build a head. For fixed contents a RoPE score is a weighted sum of each pair's cosine and sine at the distance. I fit these 64 weights on 512 distances, so that the last 64 tokens get 3 logits and all others 0. Then I let it run on.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "fitted", "locked": true, "schema_version": 3, "solution": false, "task": false}
plain = 10000.0 ** (-np.arange(0, 64, 2) / 64)


def waves(distance, f):
    """Return the cosine and the sine of each pair at each distance, (n, d)."""
    angle = np.outer(distance, f)
    return np.concatenate([np.cos(angle), np.sin(angle)], axis=1)


seen, wish = waves(np.arange(512), plain), np.where(np.arange(512) < 64, 3.0, 0.0)
fitted = np.linalg.solve(seen.T @ seen + 0.1 * np.eye(64), seen.T @ wish)

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "fitted_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
distance = np.arange(2048)
scores = waves(distance, plain) @ fitted
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
parts = {"fitted": np.where(distance < 512, scores, np.nan), "beyond": np.where(distance >= 512, scores, np.nan)}
ax = draw.lines(ax, distance, parts, x="distance (tokens)", y="score (logits)")

# %% [markdown]
# ## 2. Squeeze the positions
#
# Up to 512 the score does as it was told. Beyond, where nobody told it, it climbs to 6 logits near distance 600, nearly twice what the last tokens get. The head looks at whatever stands there.
#
# So let no distance be new: divide each position by $s$. This is **position interpolation**, PI (Chen et al., 2023). An angle is position times frequency, so I may divide the frequencies instead.
#
# ### Exercise 1: `interpolate(f, s)` (1 point)
#
# `f` is a float array (d/2,), `s` a number, at least 1. Return a new array, each frequency divided by `s`. By hand: f = [1, 0.01] and s = 4 give [0.25, 0.0025].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "interpolate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def interpolate(f, s):
    """Return the frequencies that squeeze s times the length into the trained one, (d/2,)."""
    ### BEGIN SOLUTION
    return f / s
    ### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "interpolate_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("interpolate", interpolate)
f = np.array([1.0, 0.1, 0.01, 0.001])
close(interpolate(f, 4), [0.25, 0.025, 0.0025, 0.00025], "s = 4 makes every pair four times slower.")
close(np.multiply(interpolate(f, 2), 4096), 2048 * f, "At s = 2, position 4096 gets the angles of 2048.")
close(interpolate(f, 1), f, "Without a stretch nothing changes.")
print("✓ interpolate: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "interpolate_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other frequencies and stretches.
### BEGIN HIDDEN TESTS
explain("interpolate", interpolate)
f = 500.0 ** (-np.arange(0, 6, 2) / 6)
kept = f.copy()
close(interpolate(f, 2.5), [0.4, 0.05039684, 0.0063496], "The stretch need not be whole.", quiet=True)
close(interpolate(f, 16), [0.0625, 0.00787451, 0.00099213], "Every frequency is divided by s.", quiet=True)
close(f, kept, "f itself must not change: return a new array.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# Now no distance is new. What does it cost? Take a head for the token before: its query is the pattern $u$ of its keys, turned back by one step, at the speeds of its training. (Scores are not divided by $\sqrt d$ here: a sharp head.) I leave the query and divide all speeds by 4. Where does it look?
#
# <details><summary>(a) At the token before, as ever.</summary>No: one step now turns a key a quarter as far.</details>
# <details><summary>(b) At the token four back.</summary>Yes: only there has a key turned as far as one back used to be.</details>
# <details><summary>(c) At itself.</summary>No: the query is still turned by one old step.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "previous_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
def previous_head(frequencies, m=1.0):
    """Return the weights of the last of 256 tokens: a query that was trained to look one back."""
    u = np.tile([1.0, 0.0], 32)
    query = rope(rope(u, -1, frequencies=plain), 255, frequencies=frequencies, attention_factor=m)
    keys = rope(u, np.arange(256), frequencies=frequencies, attention_factor=m)
    return softmax(keys @ query)

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cost_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
squeezed = np.asarray(interpolate(plain, 4))
left, right = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")[1]
reach = {"RoPE": scores[:1024], "PI, s = 4": waves(distance[:1024], squeezed) @ fitted}
draw.lines(left, distance[:1024], reach, x="distance (tokens)", y="score (logits)", title="the fitted head")
weights = {"RoPE": previous_head(plain)[-12:], "PI, s = 4": previous_head(squeezed)[-12:]}
ax = draw.score_against_offset(right, np.arange(-11, 1), weights, y="weight")
title = ax.set_title("the head for the token before")

# %% [markdown]
# Left: nothing runs away, but the window of 64 tokens has become one of about 256. Right: the token before had 0.587 of the weight and keeps 0.082; the peak is four back, and low.
#
# Every habit about near tokens is off by $s$. Fine-tuning repairs it: Chen et al. stretch LLaMA from 2048 to 32768 tokens "within 1000 steps". Without it I want something better.

# %% [markdown]
# ## 3. Change the base
#
# You only ever counted to 2999. Which digits have you met? All of the units, tens and hundreds. Of the thousands, 0, 1 and 2.
#
# To count to 11999 you could divide by 4. Then the units move in quarters, which is new to you: that is PI. Or you count in a larger base. Units still step by one; the leading place is worth four times as much, and still stops at 2.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "digits_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
places = 10 ** np.array([3, 2, 1, 0])
digits = np.arange(3000)[:, None] // places % 10
share = np.stack([np.bincount(place, minlength=10) for place in digits.T]) / 30
ax = plt.subplots(figsize=(7, 2.6), layout="constrained")[1]
names = ["thousands", "hundreds", "tens", "units"]
ax = draw.heat_map(ax, share, x="digit", y="place", rows=names, numbers=".0f", label="share of numbers (%)")

# %% [markdown]
# A head counts like that, with pairs for places: the fastest is the units. From pair to pair the speed falls by $b^{2/d}$, in $d/2 - 1$ steps. To keep the first and divide the last by $s$, each step takes its share, $s^{2/(d-2)}$. The base is $d/2$ steps, so it becomes
#
# $$b' = b\, s^{d/(d-2)}$$
#
# Read aloud: the old base times the stretch, the stretch to a power a little above one. This is **NTK-aware** scaling ([bloc97, 2023](https://www.reddit.com/r/LocalLLaMA/comments/14lz7j5/ntkaware_scaled_rope_allows_llama_models_to_have/)).
#
# ### Exercise 2: `ntk_base(d, s, base=10000.0)` (2 points)
#
# `d` is even, at least 4. Return the new base, a number. By hand, d = 4, s = 2, base = 100: the speeds are 1 and 1/10. The exponent is 2, the new base 400, the last speed 1/20.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "ntk_base", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ntk_base(d, s, base=10000.0):
    """Return the base for which the fastest pair stays and the slowest is divided by s."""
    ### BEGIN SOLUTION
    return base * s ** (d / (d - 2))
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "ntk_base_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
yours = llama2 / ntk_base(128, 4) ** (-np.arange(0, 128, 2) / 128)
ax = plt.subplots(figsize=(7, 2.8), layout="constrained")[1]
draw.lines(ax, np.arange(64), {"yours": yours}, x="pair, from fast to slow", y="slowed down by")
ax.plot(np.arange(0, 64, 7), np.geomspace(1, 4, 64)[::7], "s", color="black", mfc="none", label="expected")
legend = ax.legend()

# %% [markdown]
# 64 pairs, $s = 4$: the line must run through the squares. The first pair keeps its speed, the last is slowed down by 4.
#
# And between? Llama 2's pair 46, the first slow one, is slowed down by 2.75: a text 4 times as long turns it 1.45 times as far as any training text did. Of the 18 slow pairs only the last stays within what it knows. NTK with $s$ reaches less than $s$ times the length.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "ntk_base_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("ntk_base", ntk_base)
close(ntk_base(4, 2, base=100.0), 400.0, "Two pairs, s = 2: the base is multiplied by 2 squared.")
close(ntk_base(6, 3) ** (-4 / 6), 10000.0 ** (-4 / 6) / 3, "Pair 2 of 0, 1, 2 must be three times slower.")
close(ntk_base(8, 4), 63496.04207873, "Eight features, s = 4.")
print("✓ ntk_base: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "ntk_base_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other widths, stretches and bases.
### BEGIN HIDDEN TESTS
explain("ntk_base", ntk_base)
close(ntk_base(128, 4), 40889.94243249, "A wide head: the exponent is d / (d - 2).", quiet=True)
close(ntk_base(6, 3, base=500.0), 2598.07621135, "The old base is an argument.", quiet=True)
close(ntk_base(6, 1.5, base=100.0), 183.71173071, "Neither s nor the base need be whole.", quiet=True)
close(ntk_base(128, 2), 20221.26168974, "Twice the length: the base a little more than doubles.", quiet=True)
close(ntk_base(10, 1), 10000.0, "Without a stretch the base stays.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 4. Grow as you go
#
# A fixed stretch changes short texts too. **Dynamic NTK** ([emozilla, 2023](https://www.reddit.com/r/LocalLLaMA/comments/14mrgpr/dynamically_scaled_rope_further_increases/)) sets the base by the present length $\ell$:
#
# $$b' = b\,\left(s\,\frac{\max(\ell, L)}{L} - (s - 1)\right)^{d/(d-2)}$$
#
# Read aloud: up to the original length the bracket is 1; from there it grows by $s$ for every further $L$ tokens.
#
# ### Exercise 3: `dynamic_base(d, s, length, original, base=10000.0)` (2 points)
#
# Return the base for a text of `length` tokens, a number. By hand, d = 4, s = 2, original = 8, base = 100: at length 12 the bracket is 2 · 1.5 - 1 = 2 and the base 400; at 5 it is 100.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "dynamic_base", "locked": false, "schema_version": 3, "solution": true, "task": false}
def dynamic_base(d, s, length, original, base=10000.0):
    """Return the base for the present length: the old one up to the original length, larger beyond."""
    ### BEGIN SOLUTION
    growth = s * max(length, original) / original - (s - 1)
    return base * growth ** (d / (d - 2))
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "dynamic_base_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
lengths, known = np.arange(512, 8193, 256), [1024, 2048, 3072, 4096, 8192]
yours = [dynamic_base(128, 2, length, 2048) for length in lengths]
ax = plt.subplots(figsize=(7, 2.8), layout="constrained")[1]
draw.lines(ax, lengths, {"yours": yours}, x="length of the text (tokens)", y="base")
expected = [10000, 10000, 20221.26, 30527.74, 72195.86]
ax.plot(known, expected, "s", color="black", mfc="none", label="transformers")
legend = ax.legend()

# %% [markdown]
# 128 features, $s = 2$, trained on 2048 tokens. The squares are what Hugging Face's transformers computes. Flat up to 2048, then nearly a straight line. At length 4096 the base is that of NTK with stretch 3, not 2: for $s$ above 1 this rule stretches by more than the length asks. With $s = 1$ the bracket is the length over the original, as the YaRN paper has it.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "dynamic_base_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("dynamic_base", dynamic_base)
close(dynamic_base(8, 2, 5, 8), 10000.0, "A text shorter than the original: the old base.")
close(dynamic_base(4, 2, 12, 8, base=100.0), 400.0, "Length 12 of 8, s = 2: the bracket is 2.")
close(dynamic_base(128, 2, 4096, 2048), 30527.73674881, "Twice the original length, s = 2: the bracket is 3.")
print("✓ dynamic_base: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "dynamic_base_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other widths, lengths and bases.
### BEGIN HIDDEN TESTS
explain("dynamic_base", dynamic_base)
close(dynamic_base(128, 1, 4096, 2048), 20221.26168974, "s = 1: the bracket is length / original.", quiet=True)
close(dynamic_base(6, 3, 11, 7, base=100.0), 447.18099857, "s = 3, one and a half times the length.", quiet=True)
close(dynamic_base(6, 3, 6, 7), 10000.0, "Never below the old base.", quiet=True)
close(dynamic_base(10, 1, 50, 16), 41549.18669488, "The base grows as long as the text does.", quiet=True)
close(dynamic_base(6, 3, 7, 7, base=500.0), 500.0, "At the original length nothing changes yet.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# A model that writes keeps its keys in a cache, already rotated (lesson 6). Now the base depends on the length. With $L = 8$, from which length on are the scores of cached keys wrong?
#
# <details><summary>(a) Never: each key was rotated rightly when it entered.</summary>No: by another base than the query's, and then the two turns do not subtract to a distance.</details>
# <details><summary>(b) From 9.</summary>Yes: token 9 brings a new base, and eight keys carry the old one.</details>
# <details><summary>(c) From 16, twice the original.</summary>No: the base moves with the first token past 8.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "stale_cache", "locked": true, "schema_version": 3, "solution": false, "task": false}
Q, K = np.random.default_rng(0).normal(size=(2, 16, 8))


def speeds(length):
    """Return the four frequencies for a text of this length, trained on 8 tokens."""
    return dynamic_base(8, 2, length, 8) ** (-np.arange(0, 8, 2) / 8)


cache = np.stack([rope(k, t, frequencies=speeds(t + 1)) for t, k in enumerate(K)])
for n in (7, 8, 9, 12, 16):
    q = rope(Q[n - 1], n - 1, frequencies=speeds(n))
    fresh = rope(K[:n], np.arange(n), frequencies=speeds(n))
    print(f"{n} tokens: scores off by up to {np.abs(cache[:n] @ q - fresh @ q).max():.3f}")

# %% [markdown]
# Up to 8 nothing is off: a dynamic model must equal plain RoPE there. From 9 on every step disagrees with a full pass. Two cures, each at a price in time: keep the cached keys unrotated and rotate all of them at each step, or compute the cache anew when the base moves. The maintainers of transformers know, and found both too slow ([pull request 27227](https://github.com/huggingface/transformers/pull/27227)); vLLM took one base for all lengths, and so changed short texts too ([issue 3488](https://github.com/vllm-project/vllm/issues/3488)).

# %% [markdown]
# ## 5. Count the turns
#
# A pair that turned 32 times in training has shown every angle: keep it. One that turned less than once has not: divide it by $s$. In between, blend. The pair that turns $n$ times in $L$ tokens has the index
#
# $$i(n) = \frac{d\,\ln\frac{L}{2\pi n}}{2\ln b}$$
#
# Read aloud: more turns, smaller index. It need not be whole.
#
# ### Exercise 4: `ramp(d, original, beta_fast=32, beta_slow=1, base=10000.0)` (3 points)
#
# lo is $i(n)$ for n = `beta_fast`, rounded down, at least 0; hi is that for `beta_slow`, rounded up, at most d - 1. `original` is $L$, not the new length. Return an array (d/2,), from 0 (keep) to 1 (divide): (i - lo) / (hi - lo), clipped. You may rely on lo < hi.
#
# By hand, d = 16, original = 256: $i(32) = 0.21$, $i(1) = 3.22$, so lo = 0, hi = 4: 0, 1/4, 1/2, 3/4, 1, 1, 1, 1.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "ramp", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ramp(d, original, beta_fast=32, beta_slow=1, base=10000.0):
    """Return how far each pair is interpolated, 0 to 1, (d/2,)."""
    ### BEGIN SOLUTION
    turns = np.array([beta_fast, beta_slow])
    lo, hi = d * np.log(original / (2 * np.pi * turns)) / (2 * np.log(base))
    lo, hi = max(np.floor(lo), 0), min(np.ceil(hi), d - 1)
    return np.clip((np.arange(d // 2) - lo) / (hi - lo), 0, 1)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "ramp_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
turns = 4096 * llama2 / (2 * np.pi)
both = {"yours, by index": ramp(128, 4096), "paper, by turns": np.clip((32 - turns) / 31, 0, 1)}
ax = plt.subplots(figsize=(7, 2.8), layout="constrained")[1]
draw.lines(ax, np.arange(64), both, x="pair, from fast to slow", y="ramp: 0 keep, 1 divide")
known = [0, 0, 1 / 26, 1 / 2, 25 / 26, 1, 1]
ax.plot([0, 20, 21, 33, 45, 46, 63], known, "s", color="black", mfc="none", label="expected")
legend = ax.legend()

# %% [markdown]
# Llama 2 again: pairs up to 20 are kept, those from 46 on divided. Between, paper and code part. The paper's NTK-by-parts (dashed) is linear in the number of turns. The [authors' code](https://github.com/jquesnelle/yarn/blob/master/scaled_rope/LlamaYaRNScaledRotaryEmbedding.py) is linear in the index, and so is transformers'. Pair 33 turns 5.6 times: the code gives it 0.5, the paper 0.85. A checkpoint needs the ramp that it was tuned with; asked here is the code's.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "ramp_test", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("ramp", ramp)
close(ramp(16, 256), [0, 0.25, 0.5, 0.75, 1, 1, 1, 1], "d = 16, original = 256: lo = 0, hi = 4.")
close(ramp(12, 700, base=500000.0)[0], 0.0, "The fastest pair is kept.")
close(ramp(16, 64), [0, 1 / 3, 2 / 3, 1, 1, 1, 1, 1], "In 64 tokens no pair turns 32 times: lo is 0, hi is 3.")
print("✓ ramp: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "ramp_hidden", "locked": true, "points": 1.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other widths, lengths, turns and bases.
### BEGIN HIDDEN TESTS
explain("ramp", ramp)
close(ramp(12, 700), [0, 0.25, 0.5, 0.75, 1, 1], "Six pairs, 700 tokens.", quiet=True)
want = [0, 0, 0, 0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1, 1, 1, 1, 1, 1]
close(ramp(32, 8192, base=500000.0), want, "The base is an argument.", quiet=True)
want = [0, 0, 0, 0.25, 0.5, 0.75, 1]
close(ramp(14, 300, beta_fast=8, base=100.0), want, "beta_fast is an argument.", quiet=True)
want = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2, 0.4, 0.6]
close(ramp(24, 100000), want, "hi may lie beyond the last pair.", quiet=True)
close(ramp(14, 80), [0, 0.5, 1, 1, 1, 1, 1], "lo is at least 0.", quiet=True)
close(ramp(12, 700, base=10.0), [0, 0, 0, 0, 0.125, 0.25], "hi is at most d - 1.", quiet=True)
want = [0, 0, 0, 0, 1 / 6]
close(ramp(10, 1000, beta_fast=16, beta_slow=0.5, base=30.0), want, "beta_slow is one too, and hi at most d - 1.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 6. Blend, and sharpen
#
# The ramp $\rho$ says how much of each pair is divided. So
#
# $$f'_i = (1 - \rho_i)\, f_i + \rho_i\, \frac{f_i}{s}$$
#
# Read aloud: of the old frequency what the ramp leaves, of the divided one what the ramp takes.
#
# ### Exercise 5: `blend(f, s, ramp)` (1.5 points)
#
# `f` and `ramp` are float arrays (d/2,). Return the new frequencies, a new array. By hand: f = [1, 0.1], s = 4, ramp = [0, 0.5] give [1, 0.0625], for 0.05 + 0.0125 is 0.0625.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "blend", "locked": false, "schema_version": 3, "solution": true, "task": false}
def blend(f, s, ramp):
    """Return frequencies that are kept where the ramp is 0 and divided by s where it is 1, (d/2,)."""
    ### BEGIN SOLUTION
    return (1 - ramp) * f + ramp * f / s
    ### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "blend_test", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("blend", blend)
f = np.array([1.0, 0.1, 0.01])
close(blend(f, 4, np.zeros(3)), f, "Ramp 0: every frequency is kept.")
close(blend(f, 4, np.ones(3)), [0.25, 0.025, 0.0025], "Ramp 1: every frequency is divided by s.")
close(blend(f, 4, np.array([0, 0.5, 1])), [1, 0.0625, 0.0025], "Halfway: half of f and half of f / s.")
print("✓ blend: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "blend_hidden", "locked": true, "points": 0.75, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with the ramps of other heads.
### BEGIN HIDDEN TESTS
explain("blend", blend)
f, rho = 10000.0 ** (-np.arange(0, 16, 2) / 16), np.array([0, 0.25, 0.5, 0.75, 1, 1, 1, 1])
want = [1, 0.25693506, 0.0625, 0.01383496, 0.0025, 0.00079057, 0.00025, 0.00007906]
close(blend(f, 4, rho), want, "YaRN's frequencies for 16 features, trained on 256 tokens, s = 4.", quiet=True)
f, rho = 500.0 ** (-np.arange(0, 6, 2) / 6), np.array([0.1, 0.3, 0.6])
kept = f.copy(), rho.copy()
close(blend(f, 2.5, rho), [0.94, 0.10331352, 0.01015937], "Each pair is mixed by its own part of the ramp.", quiet=True)
close([f, rho], kept, "The arguments must not change: return a new array.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# Slower pairs tell neighbours apart less well, and the weights spread out, as under PI. YaRN sharpens them again: cosine and sine are multiplied by $m = 0.1 \ln s + 1$, a fit by its authors. So each query and each key grows by $m$.
#
# ### Exercise 6: `temperature(s)`, and a logit by hand (2.5 points)
#
# Return $m$, a number; for `s` up to 1 return 1.
#
# Then by hand, for s = 16, with $\ln 16 \approx 2.7726$: `m_16`; `logit_16`, what a key of 2 logits gets through $m$, at unchanged angles, within 0.01; and whether the head's `weights_become` "softer", "sharper" or "equal". Example, s = 4: $m$ is 1.1386, and 1 logit becomes 1.2965.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "temperature", "locked": false, "schema_version": 3, "solution": true, "task": false}
def temperature(s):
    """Return what cosines and sines are multiplied by at stretch s."""
    ### BEGIN SOLUTION
    return 0.1 * np.log(max(s, 1)) + 1
    ### END SOLUTION


m_16 = None  # a number, right within 0.001
logit_16 = None  # a number, right within 0.01
weights_become = None  # "softer", "sharper" or "equal"
### BEGIN SOLUTION
m_16 = 0.1 * 2.7726 + 1
logit_16 = 2 * m_16**2
weights_become = "sharper"
### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "temperature_test", "locked": true, "points": 1.25, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("temperature", temperature)
written(m_16, logit_16, weights_become)
for number in (m_16, logit_16):
    assert isinstance(number, int | float | np.number), "Write a number for m_16 and for logit_16."
close(m_16, 1.27726, "m for s = 16 is a tenth of 2.7726, plus 1.", rtol=0, atol=1e-3, quiet=True)
for wrong, slip in [
    (2.5545, "Query and key are both multiplied by m: their product gets it twice."),
    (1.2260, "Multiply: m is above 1, so logits grow."),
]:
    assert not np.isclose(logit_16, wrong, rtol=0, atol=0.01), slip
close(logit_16, 3.2628, "2 logits, times m for the query, times m for the key.", rtol=0, atol=0.01, quiet=True)
softer = "Larger logits lie further apart, and a softmax gives the largest more."
equal = "Every logit is multiplied, not shifted: a softmax does see that."
choice(weights_become, "sharper", {"softer": softer, "equal": equal})
print("✓ temperature: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "temperature_hidden", "locked": true, "points": 1.25, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function at other stretches, and the same answers.
### BEGIN HIDDEN TESTS
explain("temperature", temperature)
close(temperature(4), 1.13862944, "s = 4.", quiet=True)
close(temperature(32), 1.34657359, "s = 32.", quiet=True)
close(temperature(0.7), 1.0, "Below 1 there is no stretch.", quiet=True)
close(m_16, 1.27725887, "m_16 must be right within 0.001.", rtol=0, atol=1e-3, quiet=True)
close(logit_16, 3.26278045, "logit_16 must be right within 0.01.", rtol=0, atol=0.01, quiet=True)
assert weights_become == "sharper", "A factor above 1 moves logits apart."
### END HIDDEN TESTS

# %% [markdown]
# Your three functions are YaRN. Below, all methods side by side; with a live kernel, move $s$. Guess first: which of NTK and YaRN gives the token before more weight?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "yarn", "locked": true, "schema_version": 3, "solution": false, "task": false}
def yarn(d, s, original, base=10000.0):
    """Return YaRN's frequencies and its factor m, as in the released code."""
    f = base ** (-np.arange(0, d, 2) / d)
    return blend(f, s, np.asarray(ramp(d, original, base=base))), temperature(s)

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "methods_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def show_methods(s=4.0):
    """Draw how far each method slows each pair down, and where it lets the head for the token before look."""
    ways = {"RoPE": (plain, 1), "PI": (interpolate(plain, s), 1)}
    ways |= {"NTK": (ntk_base(64, s) ** (-np.arange(0, 64, 2) / 64), 1), "YaRN": yarn(64, s, 256)}
    slowed = {name: plain / np.asarray(f) for name, (f, m) in ways.items()}
    before = {name: previous_head(np.asarray(f), m)[-2] for name, (f, m) in ways.items()}
    left, right = plt.subplots(1, 2, figsize=(9, 3.3), layout="constrained")[1]
    draw.lines(left, np.arange(32), slowed, x="pair, from fast to slow", y="slowed down by", title=f"s = {s:g}")
    right.bar_label(right.bar(list(before), list(before.values()), color="0.6"), fmt="%.3f")
    right.set(ylabel="weight", title="on the token before", ylim=(0, 1))


show_methods()
try:
    from ipywidgets import interact
except ImportError:
    pass  # The still picture above says the same.
else:
    interact(show_methods, s=(1.0, 16.0, 0.5))

# %% [markdown]
# 64 features, trained on 256 tokens, $s = 4$. Left, what becomes of the speeds; right, of the weight that the head for the token before gives to that token: 0.587 before, 0.082 under PI, 0.552 under NTK. YaRN has 0.614; its frequencies alone give 0.538, and $m$ does the rest. NTK and YaRN nearly keep the fastest pairs, which tell one step from two. (The paper divides scores by $t$, with $1/t = m^2$.)

# %% [markdown]
# ## 7. Other names, other frequencies
#
# [Llama 3.1](https://github.com/meta-llama/llama-models/blob/main/models/llama3/model.py), trained on 8192 tokens, was stretched by a rule of its own, $s = 8$. Is it new? Wavelengths below $L/4$ are kept, those above $L$ stretched by 8, and a factor named "smooth" mixes the two in between. A wavelength of $L/4$ is four turns in $L$ tokens. So this is the paper's blend by turns, from 1 to 4 in place of 1 to 32. The cell prints, for pairs 28 to 35, old frequency over new:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "llama3", "locked": true, "schema_version": 3, "solution": false, "task": false}
def llama3(d, s, original, base=500000.0, low=1.0, high=4.0):
    """Return Llama 3's frequencies: your blend, with a ramp that is linear in the number of turns."""
    f = base ** (-np.arange(0, d, 2) / d)
    smooth = np.clip((original * f / (2 * np.pi) - low) / (high - low), 0, 1)
    return blend(f, s, 1 - smooth)


old = 500000.0 ** (-np.arange(0, 128, 2) / 128)
(old / llama3(128, 8, 8192))[28:36].round(4)

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "llama3_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
new = {"Llama 3.1": np.asarray(llama3(128, 8, 8192)), "YaRN, s = 8": np.asarray(yarn(128, 8, 8192, 500000.0)[0])}
ax = plt.subplots(figsize=(7, 2.8), layout="constrained")[1]
slowed = {name: old / f for name, f in new.items()}
ax = draw.lines(ax, np.arange(64), slowed, x="pair, from fast to slow", y="slowed down by")

# %% [markdown]
# Both keep the fast pairs; Llama's band is narrow, pairs 29 to 34. **LongRoPE** ([Phi-3](https://huggingface.co/microsoft/Phi-3-mini-128k-instruct/blob/main/config.json)) searches a divisor for each pair: one list up to the original length, one beyond, and a factor $\sqrt{1 + \ln s / \ln L}$, 1.1902 for $s = 32$, $L = 4096$.
#
# Two words to tell apart, for half of d = 8. **Partial** RoPE ([GPT-NeoX](https://github.com/EleutherAI/gpt-neox/blob/main/megatron/model/transformer.py)) is a RoPE of the first four features: 1, 0.01. **Proportional** RoPE ([Gemma 4](https://github.com/huggingface/transformers/blob/main/src/transformers/models/gemma4/configuration_gemma4.py)) keeps the spacing of eight and stops halfway: 1, 0.1, 0, 0.

# %% [markdown]
# ## 8. How far does it reach?
#
# YaRN's authors [publish](https://github.com/jquesnelle/yarn/blob/master/data/proofpile-long-small-8k.csv) perplexities (lower is better) of Llama 2 7B on ten long documents, trained on 4096 tokens, then fine-tuned for 8192. (The PI model is [another team's](https://huggingface.co/conceptofmind/LLongMA-2-7b).)
#
# | tokens | 4096 | 8192 | 10240 | 16384 |
# |---|--:|--:|--:|--:|
# | PI | 3.51 | 3.34 | 8.07 | 102.74 |
# | NTK | 3.75 | 3.59 | 6.24 | 74.44 |
# | YaRN | 3.51 | 3.36 | 6.05 | 77.23 |
#
# Fine-tuned, PI and YaRN are level up to 8192; past it PI breaks first. And untuned? Below, small models as in lesson 8, which read registers, trained on 32 tokens: the mean of three, each method at $s = 4$. (YaRN has `beta_fast` 4, for no pair turns 32 times in 32 tokens.)

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "reach_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
accuracy = {"RoPE": [0.998, 0.860, 0.689, 0.575], "PI": [0.956, 0.956, 0.960, 0.916]}
accuracy |= {"NTK": [0.997, 0.988, 0.787, 0.733], "YaRN": [0.974, 0.964, 0.965, 0.925]}
ax = plt.subplots(figsize=(7, 3.2), layout="constrained")[1]
ax = draw.by_length(ax, [32, 64, 128, 256], accuracy, trained=32)

# %% [markdown]
# ## In practice
#
# RoPE "generalizes modestly to longer contexts"; with NTK or YaRN it "can be retrofitted to 2-4x training length". That is about models that are not tuned further. Above, plain RoPE falls to 0.86 at 2 times; NTK holds to 2, and costs nothing at 32; PI and YaRN hold to 4, and cost 0.04 and 0.02. Tuned, YaRN [reaches](https://github.com/jquesnelle/yarn) 64k and 128k from 4096, 16 and 32 times. So a decoder that may have to grow takes RoPE, and one of these when it does.
#
# [Qwen3](https://github.com/QwenLM/Qwen3/blob/main/docs/source/inference/transformers.md) advises YaRN at 4 for long texts only, as a static stretch may harm short ones. [DeepSeek-V3](https://github.com/huggingface/transformers/blob/main/src/transformers/models/deepseek_v3/modeling_deepseek_v3.py) puts $m^2$ into the scale of its scores, [gpt-oss](https://github.com/huggingface/transformers/blob/main/src/transformers/models/gpt_oss/configuration_gpt_oss.py) leaves lo and hi unrounded. In a [config](https://github.com/huggingface/transformers/blob/main/src/transformers/modeling_rope_utils.py) `attention_factor` replaces $m$, and the ramp needs the original length.

# %% [markdown]
# ## On your own
#
# - Give `previous_head` a query for the token ten back, then thirty. Where does each method look?
# - In `stale_cache`, keep the keys unrotated and rotate them all at each step. How many rotations do 16 tokens take?
#
# ## Further reading
#
# - Peng et al., *YaRN*, 2023, [arXiv:2309.00071](https://arxiv.org/abs/2309.00071), with its [errata](https://github.com/jquesnelle/yarn/blob/32c9f217c4462c25ea0a8bc70357c0f936d4201b/Errata.md): the first version had squeeze and temperature upside down.
# - Chen et al., *Positional Interpolation*, 2023, [arXiv:2306.15595](https://arxiv.org/abs/2306.15595): why extrapolating explodes.
# - Su, [*RoPE is a β-based encoding*](https://normxu.github.io/Rethinking-Rotary-Position-Embedding/), 2023: digits and bases, in full.
# - Ding et al., *LongRoPE*, 2024, [arXiv:2402.13753](https://arxiv.org/abs/2402.13753): a search in place of a formula.
