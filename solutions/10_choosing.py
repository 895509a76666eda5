# ---
# jupyter:
#   autograder:
#     withhold: ["posenc.misconceptions"]
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
# # Choose an encoding, and build it in
#
# **Which one would you use?**
#
# Nine lessons took encodings apart. Here you weigh them: what each costs, what it is worth, and which one nine projects need. Then you build one in as it ships: a decoder block with RoPE, a cache, and YaRN at twice the length.
#
# - **Do:** count parameters and bytes, choose for nine projects, decode with a stretched block.
# - **Learn:** what decides, and what hardly matters.
# - **Need:** NumPy, RoPE (lesson 6), YaRN (lesson 7); what lesson 8 measures.
# - **Time:** about 120 minutes, for 12 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw
from posenc.attention import attention
from posenc.checks import choice, close, explain, written
from posenc.rotary import rope
from posenc.scaling import yarn

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
layers = {
    "Mistral 7B v0.1": "w" * 16,
    "Gemma 3": "wwwwwrwwwwwrwwww",
    "ModernBERT": "rwwrwwrwwrwwrwwr",
    "SmolLM3": "rrrn" * 4,
    "Command R7B": "wwwn" * 4,
    "Llama 4": "cccn" * 4,
    "Jamba": "mmmmnmmmmmmmnmmm",
}
kinds = {"w": "RoPE, in a window", "r": "RoPE, sees all", "c": "RoPE, in chunks"}
kinds |= {"n": "no position, sees all", "m": "no attention"}
ax = plt.subplots(figsize=(9, 3.6), layout="constrained")[1]
ax = draw.marks(ax, layers, kinds, x="layer (the first 16)")

# %% [markdown]
# Seven published models, a letter for each layer ([their code](https://github.com/huggingface/transformers/tree/main/src/transformers/models)). Six turn by RoPE, mostly within a window. Four have layers without any position: those see everything. At the end you can say why.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $n$, $d$, $h$ | tokens, features of the model, heads | counts |
# | $w$ | width of a head, $d/h$ | features |
# | $t$ | tokens before this one: its position | positions |
# | $s$ | stretch: new length over trained length | at least 1 |
# | $m$ | YaRN's attention factor | number |
# | $W$ | matrices for query, key, value, output | $(4, d, d)$ |
# | $U$, $D$ | the MLP's matrices, up and down | $(d, \cdot)$, $(\cdot, d)$ |
# | cache | keys, then values | $(2, h, t, w)$ |

# %% [markdown]
# ## 1. The same at the trained length?
#
# "The choice rarely affects accuracy by more than 1–2 % at the same context length, but greatly affects how well the model generalizes to longer contexts." Is it so? Guess: by how many percent does a language model's loss change?
#
# Left: a [Vision Transformer](https://arxiv.org/abs/2010.11929) (table 8). Middle: [EleutherAI's language models](https://blog.eleuther.ai/rotary-embeddings/). Right: lesson 8's registers, trained on 32 tokens (means of three runs).

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "same_length_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
vit = {"none": 61.4, "1-D": 64.2, "2-D": 64.0, "relative": 64.0}
losses = {"web text": [2.809, 2.801, 2.759], "the Pile": [2.240, 2.223, 2.173]}
registers = {"learned": [0.993, 0.142], "sinusoidal": [0.993, 0.162], "none": [0.606, 0.293]}
registers |= {"RoPE": [0.998, 0.575], "T5": [0.975, 0.834], "ALiBi": [0.995, 0.984]}
left, middle, right = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")[1]
left.plot(list(vit), list(vit.values()), "ko")
left.set(ylim=(60, 65), ylabel="accuracy (%)", title="images", xlabel="positions")
relative = {name: 100 * (np.array(loss) / loss[0] - 1) for name, loss in losses.items()}
draw.lines(middle, range(3), relative, x="positions", y="loss against learned (%)", title="text")
middle.set_xticks(range(3), ["learned", "T5", "rotary"])
draw.lines(right, range(6), {"32 tokens": [a for a, _ in registers.values()],
                             "256 tokens": [b for _, b in registers.values()]}, x="positions", y="accuracy")
for line in right.lines:
    line.set_linestyle("none")
right.set(title="registers, trained on 32", ylim=(0, 1.05))
ticks = right.set_xticks(range(6), list(registers), rotation=45)

# %% [markdown]
# Left: three kinds lie within 0.2 points, no positions 2.6 or more below. Middle: up to 3 % in loss, which is 6.5 % in perplexity. Right: five encodings start together, from 0.975 to 0.998, and end between 0.14 and 0.98.
#
# Put exactly: *between reasonable encodings* accuracy rarely moves by more than 1–2 % at the trained length. The loss can move by 3 %, and an encoder without any positions loses more. Beyond that length, the choice decides.

# %% [markdown]
# ## 2. What does it add?
#
# ### Exercise 1: `extra_parameters(encoding, n, d, h, layers)` (2 points)
#
# How many numbers must training find for positions? `n` is the longest text, `layers` the number of layers.
#
# - `"learned"`: a row of $d$ for each position, added before the first layer.
# - `"shaw"`: in every layer one table for keys and one for values, which the heads share. A row, as wide as a head, for each offset from $-16$ to 16.
# - `"t5"`: 32 buckets, a number for each head, one table for all layers.
# - `"sinusoidal"`, `"alibi"`, `"rope"`, `"none"`.
#
# Return an integer; any other name raises `ValueError`. By hand, `("learned", 5, 8, 2, 3)`: 5 rows of 8, so 40.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "extra_parameters", "locked": false, "schema_version": 3, "solution": true, "task": false}
def extra_parameters(encoding, n, d, h, layers):
    """Count the learned numbers that an encoding adds to a model."""
    ### BEGIN SOLUTION
    counts = {"learned": n * d, "shaw": layers * 2 * 33 * (d // h), "t5": 32 * h} | dict.fromkeys(["sinusoidal", "alibi", "rope", "none"], 0)
    if encoding in counts:
        return counts[encoding]
    raise ValueError(f"encoding must be one of {', '.join(counts)}, got {encoding!r}")
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "extra_parameters_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
models = {"BERT base": (512, 768, 12, 12), "GPT-2": (1024, 768, 12, 12)}
models |= {"T5-XXL encoder": (512, 4096, 64, 24), "Llama 2 7B": (4096, 4096, 32, 32)}
names = ["learned", "shaw", "t5", "sinusoidal", "alibi", "rope", "none"]
yours = np.log10([[1 + extra_parameters(name, *sizes) for sizes in models.values()] for name in names])
counts = [[393216, 786432, 2097152, 16777216], [50688, 50688, 101376, 270336], [384, 384, 2048, 1024]]
axes = draw.comparison(None, yours, np.log10(np.array(counts + [[0] * 4] * 4) + 1.0), x="", y="encoding")
axes[0].figure.set_size_inches(11, 3.8)
for ax in axes:
    ax.set_xticks(range(4), list(models), rotation=45, ha="right")
    ticks = ax.set_yticks(range(7), names)

# %% [markdown]
# Colours are powers of ten: 5 is a hundred thousand learned numbers. The table grows with the text, the others do not, and the last four rows are 0. Llama 2 would learn 17 million numbers for 4096 positions, a quarter of a percent of its 6.7 billion. So parameters rarely decide; that a table has an end does.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "extra_parameters_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("extra_parameters", extra_parameters)
close(extra_parameters("learned", 512, 768, 12, 12), 393216, "BERT base learns 512 rows of 768.")
close(extra_parameters("learned", 1024, 768, 12, 12), 786432, "GPT-2 learns 1024 rows of 768.")
close(extra_parameters("t5", 512, 4096, 64, 24), 2048, "T5-XXL: 32 buckets, 64 heads, for all 24 layers.")
close(extra_parameters("rope", 4096, 4096, 32, 32), 0, "Llama learns nothing for its positions.")
print("✓ extra_parameters: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "extra_parameters_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other sizes, and with a name that is not in the list.
### BEGIN HIDDEN TESTS
explain("extra_parameters", extra_parameters)
close(extra_parameters("learned", 197, 768, 12, 12), 151296, "ViT-B/16: a row for each patch and the class.", quiet=True)
close(extra_parameters("t5", 512, 512, 8, 6), 256, "T5 small: a number for each bucket and head.", quiet=True)
close(extra_parameters("shaw", 100, 42, 7, 3), 1188, "Shaw: keys and values, in each layer, rows of a head's width.", quiet=True)
for name in ("sinusoidal", "alibi", "rope", "none"):
    close(extra_parameters(name, 100, 42, 7, 3), 0, "A fixed formula adds nothing that is learned.", quiet=True)
try:
    unknown = extra_parameters("Rope", 100, 42, 7, 3)
except ValueError:
    unknown = None
assert unknown is None, "A name that is not in the list must raise ValueError."
### END HIDDEN TESTS

# %% [markdown]
# And in arithmetic? A layer takes about $24d^2 + 4nd$ operations a token: matrices and an MLP of width $4d$, then scores and average over $n$ keys. Turning $q$ and $k$ takes $6d$, a bias $h$ additions a key. Guess, for $d = 4096$: what share is RoPE?
#
# <details><summary>(a) About 5 %.</summary>No: it grows with d, the layer with d².</details>
# <details><summary>(b) About 0.5 %.</summary>No: less by far.</details>
# <details><summary>(c) Below 0.01 %.</summary>Yes: 6d of more than 24d² is less than 1/(4d).</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "work_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
n, d, h = 2.0 ** np.arange(10, 18), 4096, 32
layer = 24 * d**2 + 4 * n * d
share = {"a bias: ALiBi, T5": 100 * h * n / layer, "RoPE": 100 * 6 * d / layer}
share["a table added once, 32 layers"] = 100 * (d / 32) / layer
ax = plt.subplots(figsize=(7, 3.6), layout="constrained")[1]
draw.lines(ax, n, share, x="keys n (tokens)", y="share of a layer's work (%)")
ax.set_yscale("log")
ax.set_xscale("log", base=2)
legend = ax.legend(loc="center left", bbox_to_anchor=(0, 0.42))

# %% [markdown]
# All lie below 0.2 %: arithmetic does not decide. Memory traffic costs more: with fused code EleutherAI [measured](https://blog.eleuther.ai/rotary-embeddings/) 1–3 % for RoPE. And a bias that is written down for 32 heads and 4096 tokens fills 1 GiB in float16; good kernels compute it on the fly, but they must support it. RoPE's scores need no bias.

# %% [markdown]
# ## 3. What must be remembered?
#
# A decoder keeps keys and values of what it has read. RoPE's keys are stored turned, so position adds not a byte. Yet it decides what may be dropped.
#
# ### Exercise 2: `cache_bytes(n, layers, heads, d, full, window)` (2 points)
#
# After `n` tokens, `full` of the `layers` hold them all, every other layer at most the last `window`. A token leaves in a layer a key and a value for each of `heads` heads of width `d`, 2 bytes a number (float16). Return the bytes of all layers, an integer.
#
# By hand, `(5, 2, 1, 4, 1, 3)`: 16 bytes a token and layer; one layer holds 5, the other 3: 128.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cache_bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def cache_bytes(n, layers, heads, d, full, window):
    """Count the bytes of a cache in which some layers keep a window only."""
    ### BEGIN SOLUTION
    kept = full * n + (layers - full) * min(n, window)
    return 2 * 2 * heads * d * kept
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cache_bytes_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
models = {"Llama 2 7B": (32, 32, 128, 32, 0), "Llama 3 8B": (32, 8, 128, 32, 0)}
models |= {"Command R7B": (32, 8, 128, 8, 4096), "Mistral 7B v0.1": (32, 8, 128, 0, 4096)}
n = 2 ** np.arange(10, 18)
yours = {name: [cache_bytes(int(k), *sizes) / 2**30 for k in n] for name, sizes in models.items()}
ax = plt.subplots(figsize=(7, 3.6), layout="constrained")[1]
draw.lines(ax, n, yours, x="tokens so far", y="cache (GiB)")
ax.plot([2**17] * 4, [64, 16, 4.375, 0.5], "kx", markersize=12, label="expected")
ax.set_yscale("log", base=2)
ax.set_xscale("log", base=2)
legend = ax.legend()

# %% [markdown]
# Your lines must end in my crosses. In Llama 3 four query heads share a key head: a quarter of Llama 2. Command R7B lets three layers in four forget: after 131 072 tokens 4.4 GiB instead of 16. Mistral's window stops at half a GiB, for good. What does a position mean, once the beginning is forgotten? Offsets still hold; section 5 asks.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "cache_bytes_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("cache_bytes", cache_bytes)
close(cache_bytes(4096, 32, 32, 128, 32, 0), 2 * 2**30, "Llama 2 7B at 4096 tokens: 2 GiB.")
close(cache_bytes(1, 32, 32, 128, 32, 0), 2**19, "That is half a mebibyte a token.")
close(cache_bytes(10**6, 32, 8, 128, 0, 4096), 2**29, "Mistral 7B never holds more than half a GiB.")
print("✓ cache_bytes: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "cache_bytes_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other models, before and behind the window.
### BEGIN HIDDEN TESTS
explain("cache_bytes", cache_bytes)
close(cache_bytes(131072, 32, 8, 128, 8, 4096), 4697620480, "Eight full layers, and 24 with a window.", quiet=True)
close(cache_bytes(100, 7, 3, 6, 2, 31), 25560, "Full layers keep all, the others a window.", quiet=True)
close(cache_bytes(30, 7, 3, 6, 2, 31), 15120, "Before the window is full, every layer keeps all.", quiet=True)
close(cache_bytes(31, 5, 1, 10, 0, 31), 6200, "At the window's edge nothing is dropped yet.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 4. Four everyday projects
#
# What does each encoding hold? Two columns come from lesson 8's small model, trained on 32 tokens (mean of three runs): it reads the latest of many values at 256 tokens, and a needle, one value written at the start, at 64. YaRN has $s = 4$, without more training. Before you look: which is good at both?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "needs_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
recent = {"learned": 0.142, "sinusoidal": 0.162, "T5": 0.834, "ALiBi": 0.984, "RoPE": 0.575}
recent |= {"RoPE + YaRN": 0.925, "none (causal)": 0.293}
needle = {"learned": 0.323, "sinusoidal": 0.713, "T5": 1.000, "ALiBi": 0.070, "RoPE": 0.993}
needle |= {"RoPE + YaRN": 1.000, "none (causal)": 1.000}
other = {"learned": "ny", "sinusoidal": "yy", "T5": "nn", "ALiBi": "yn", "RoPE": "yy"}
other |= {"RoPE + YaRN": "yy", "none (causal)": "yy"}
marked = [["n", "p", "y"][(a > 0.5) + (a > 0.9)] + ["n", "p", "y"][(needle[k] > 0.5) + (needle[k] > 0.9)]
          for k, a in recent.items()]
rows = {name: both + other[name] for name, both in zip(recent, marked, strict=True)}
asked = ["latest value,\n8 × as long", "needle,\n2 × as long", "nothing\nlearned", "scores need\nno bias"]
kinds = {"y": "yes, above 0.9", "p": "partly, above 0.5", "n": "no"}
ax = plt.subplots(figsize=(7.5, 4), layout="constrained")[1]
ax = draw.marks(ax, rows, kinds, columns=asked)

# %% [markdown]
# Only RoPE with YaRN has a row of yes. ALiBi holds the near past and loses the needle; plain RoPE keeps the needle and reads little more than half of the latest values.
#
# ### Exercise 3: choose (2 points)
#
# The projects of the usual recipe. Try `"none"`, `"learned"`, `"alibi"`, `"rope"`, in this order, and take the first that meets every need.
#
# - `encoder`: BERT-style (no mask), texts are cut at 512 tokens, always.
# - `vit`: a ViT for images of 224 × 224 pixels, always.
# - `decoder`: a decoder-only LLM, trained on 8k tokens, to be extended to 32k next year, and to find a sentence anywhere.
# - `experiment`: train on 512 tokens, test on 4096 with nothing changed; near context predicts the next word.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "choose", "locked": false, "schema_version": 3, "solution": true, "task": false}
encoder = None
vit = None
decoder = None
experiment = None
### BEGIN SOLUTION
encoder, vit, decoder, experiment = "learned", "learned", "rope", "alibi"
### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "choose_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
written(encoder, vit, decoder, experiment)
choice(encoder, "learned", {"none": "encoder: without mask or positions it reads a bag of words (lesson 1).",
    "alibi": "encoder: it would do, in its symmetric form. A table is plainer, and no text outgrows it.",
    "rope": "encoder: it does as well, and newer encoders use it. A table is plainer, and no text outgrows it."})
choice(vit, "learned", {"none": "vit: without positions an image is a bag of patches: 61.4 % instead of 64.2 %.",
    "alibi": "vit: patch numbers are no distances: the patch below is a whole row away. A table learns the grid.",
    "rope": "vit: possible, in two dimensions. At one size, once and for all, a table is plainer and as good."})
choice(decoder, "rope", {"none": "decoder: the latest value was right in 0.61 of cases, at the trained length.",
    "learned": "decoder: the table ends where training did: there is no row for position 8192.",
    "alibi": "decoder: the loss would hold, but a far sentence sinks under the penalty: the needle was lost."})
choice(experiment, "alibi", {"none": "experiment: near context needs order: 0.29 at eight times the length.",
    "learned": "experiment: rows 512 and up were never trained.",
    "rope": "experiment: unscaled, its slow pairs meet new angles: 0.575 at eight times the length."})
print("✓ choose: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "choose_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same four choices.
### BEGIN HIDDEN TESTS
assert encoder == "learned", "encoder: the plainest that knows order, for a length that never grows."
assert vit == "learned", "vit: one size of grid, so one table."
assert decoder == "rope", "decoder: it must stretch, and find what is far away."
assert experiment == "alibi", "experiment: near context, any length, nothing changed."
### END HIDDEN TESTS

# %% [markdown]
# ## 5. Five harder ones
#
# A phone keeps the last few tokens only, and writes for ever. Left, the positions of the keys that each token sees, right, how far back they are. Grey is forgotten or not yet written. Guess which of the two stays what training showed, however long it runs.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "window_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
p = np.arange(12)
seen = (p <= p[:, None]) & (p > p[:, None] - 4)
axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")[1]
numbers = {"position of the key": np.where(seen, p, np.nan)}
numbers["how far back"] = np.where(seen, p[:, None] - p, np.nan)
axes = draw.side_by_side(axes, numbers, label="positions")

# %% [markdown]
# Left: positions grow without end. Right: distances stay at 0 to 3, all of them trained.
#
# ### Exercise 4: harder (1 point)
#
# - `stretch`: a RoPE model of 4096 tokens must read 16 384, after a few hundred more steps: `"alibi"`, `"rope"`, `"yarn"`.
# - `phone`: writes without end, keeps 1024 tokens, as in training; its kernel takes no bias: `"learned"`, `"alibi"`, `"rope"`, `"yarn"`.
# - `pages`: an image encoder for pages of any size and shape: `"learned"`, `"rope"`, `"rope_2d"`.
# - `genes`: DNA (or music), unmasked, always 8192 tokens; a motif at a meaningful distance, however far: `"none"`, `"alibi"`, `"rope"`.
# - `points`: 500 points of a surface, in no order, coordinates among the features: `"none"`, `"learned"`, `"rope"`.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "harder", "locked": false, "schema_version": 3, "solution": true, "task": false}
stretch = None
phone = None
pages = None
genes = None
points = None
### BEGIN SOLUTION
stretch, phone, pages, genes, points = "yarn", "rope", "rope_2d", "rope", "none"
### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "harder_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
written(stretch, phone, pages, genes, points)
choice(stretch, "yarn", {"alibi": "stretch: queries and keys were trained to be turned. That is another model.",
    "rope": "stretch: unscaled, the slow pairs start at angles never trained, and steps are few. Scale first."})
choice(phone, "rope", {"learned": "phone: a table ends, and the phone writes on.",
    "alibi": "phone: it would hold, but the bias must go into the scores, and this kernel takes none.",
    "yarn": "phone: no distance exceeds the window, so there is nothing to stretch."})
choice(pages, "rope_2d", {"learned": "pages: to be resized for each shape (lesson 3), with rows never trained.",
    "rope": "pages: with patches in a line, the one below lies further off on a wider page."})
choice(genes, "rope", {"none": "genes: unmasked and without positions, it reads a bag of bases.",
    "alibi": "genes: the penalty grows with the distance, and a far motif sinks under it."})
choice(points, "none", {"learned": "points: a point would depend on its place in the list, which means nothing.",
    "rope": "points: distances in the list would count, and the list has no order."})
print("✓ harder: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "harder_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same five choices.
### BEGIN HIDDEN TESTS
assert stretch == "yarn", "stretch: keep the encoding, and scale its frequencies."
assert phone == "rope", "phone: distances within a window, and no bias in the scores."
assert pages == "rope_2d", "pages: a row and a column for each patch."
assert genes == "rope", "genes: exact distances, without a penalty on far ones."
assert points == "none", "points: a set has no order to encode."
### END HIDDEN TESTS

# %% [markdown]
# Pin this to the wall:
#
# | what you build | take | since |
# |---|---|---|
# | encoder, one length | learned | plain; RoPE if it may grow |
# | ViT, one size | learned, 1-D or 2-D | they hardly differ |
# | images of any size | 2-D RoPE | the same offsets everywhere |
# | decoder | RoPE; YaRN or NTK later | finds far things, can be stretched |
# | length studies on near context | ALiBi | holds at any length |
# | facts far beyond the trained length | RoPE with YaRN, T5, layers without position | a penalty would hide them |
# | endless text, small cache | RoPE in a window | no new distances |
# | a set | none | no order |
#
# Then measure: a table of other people's tasks is a start.

# %% [markdown]
# ## 6. A head, stretched and remembered
#
# A head is $w$ neighbouring features: the first $w$ are head 0.
#
# ### Exercise 5: `turn_heads(x, positions, s, original)`, `extend_cache(cache, x, W, s, original)` (2 points)
#
# `turn_heads`: `x` (h, n, w) turned to `positions` (n,) by `rope`, with what `yarn(w, s, original=original)` returns: its `frequencies`, and $m$ as `attention_factor`.
#
# `extend_cache`: token `x` (d,) comes after the `t` in `cache` (2, h, t, w). Behind them put key `x @ W[1]`, split into heads and turned to position $t$, and value `x @ W[2]`, split and plain. Both return new arrays, here (2, h, t + 1, w).
#
# By hand: at $s = 2$, $m = 1 + 0.1 \ln 2 = 1.0693$; so (1, 0) at position 0 becomes (1.0693, 0).

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cache", "locked": false, "schema_version": 3, "solution": true, "task": false}
def turn_heads(x, positions, s, original):
    """Turn row j of each head to positions[j], with YaRN at stretch s."""
    ### BEGIN SOLUTION
    frequencies, factor = yarn(x.shape[-1], s, original=original)
    return rope(x, positions, frequencies=frequencies, attention_factor=factor)
    ### END SOLUTION


def extend_cache(cache, x, W, s, original):
    """Return the cache with the turned key and the plain value of one more token."""
    ### BEGIN SOLUTION
    _, h, t, w = cache.shape
    key, value = (x @ W[1]).reshape(h, 1, w), (x @ W[2]).reshape(h, 1, w)
    new = np.stack([turn_heads(key, [t], s, original), value])
    return np.concatenate([cache, new], axis=2)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cache_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
yours = np.zeros((2, 2, 0, 6))
for _ in range(24):
    yours = extend_cache(yours, np.tile([1.0, 0.0], 6), np.stack([np.eye(12)] * 4), 2, 100)
angle = np.outer(np.arange(24), [1, 0.02320794, 0.00107722])
expected = 1.06931472 * np.stack([np.cos(angle), np.sin(angle)], axis=-1).reshape(24, 6)
axes = draw.comparison(None, yours[0, 1], expected)

# %% [markdown]
# The keys of head 1 as they entered, the same row 24 times. The first pair goes round every 6.3 positions as ever, the other two at half their speed. All are 7 % longer than 1: that is $m$. A key that stands at another place than its row number differs here, and so does one that was turned at every step.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "cache_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("turn_heads", turn_heads)
explain("extend_cache", extend_cache)
x, W = np.random.default_rng(0).normal(size=18), np.random.default_rng(1).normal(size=(4, 18, 18))
old = np.random.default_rng(2).normal(size=(2, 3, 7, 6))
new = extend_cache(old, x, W, 2, 100)
close(new[:, :, :7], old, "What is in the cache stays as it is.")
close(new[1, :, 7].reshape(18), x @ W[2], "The value enters as it came from its matrix, head by head.")
lengths = np.linalg.norm([new[0, :, 7].reshape(18), x @ W[1]], axis=1)
close(lengths[0] / lengths[1], 1.06931472, "A turn keeps the key's length, the factor adds 7 %.")
print("✓ cache: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "cache_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same functions with other heads, widths, lengths and stretches.
### BEGIN HIDDEN TESTS
explain("turn_heads", turn_heads)
explain("extend_cache", extend_cache)
x = np.arange(1.0, 33.0).reshape(2, 1, 16)
kept = x.copy()
half = [-26.69909137, -6.49976796, -22.83254478, -20.39775897, 18.49968814, -28.23418301, -12.0017623, 34.88678551]
close(turn_heads(x, np.array([700]), 3, 40)[1, 0, :8], half, "Two heads of sixteen features, stretched by three.", quiet=True)
close(x, kept, "x itself must not change: return a new array.", quiet=True)
x = np.array([[[1.0, 2, 3, 4, 5, 6, 7, 8], [2, -1, 0, 3, 1, 1, -2, 4]], [[0, 1] * 4, [5, 4, 3, 2, 1, 0, -1, -2]]])
first = [2.35410783, -0.41874354, 1.41837406, 5.1550038, 5.18452237, 6.54753386, 7.46379336, 8.573204]
close(turn_heads(x, np.array([5, 31]), 2, 120)[0, 0], first, "yarn for the head's width, and the original length.", quiet=True)
x, W = np.sin(np.arange(32.0)), np.cos(np.arange(4.0 * 32 * 32)).reshape(4, 32, 32) / 4
new = extend_cache(np.ones((2, 2, 5, 16)), x, W, 3, 40)
close(new[:, :, :5], np.ones((2, 2, 5, 16)), "The old keys and values stay, in front.", quiet=True)
key = [[-0.12231538, -0.08806423, -0.03304009, -0.21527087], [0.17509598, 0.04112747, 0.07423519, 0.16923396]]
close(new[0, :, 5, :4], key, "The key: through W[1], split, turned to the next position.", quiet=True)
value = [[0.07297292, -0.10507362, -0.18651596], [-0.0204432, 0.14501589, 0.17714803]]
close(new[1, :, 5, :3], value, "The value: through W[2], split, and plain.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 7. A block that decodes
#
# ### Exercise 6: `attend(cache, x, W, s, original)` (1 point)
#
# One token asks all that came before, and itself. `cache` (2, h, t + 1, w) holds it already, as the last. Return a new row (d,): query `x @ W[0]`, split, and turned to the token's own position; for each head `attention(q, K, V)`, which divides by $\sqrt w$; the heads side by side again, then `@ W[3]`.
#
# Before you write: which position is that? By hand: with one token in the cache all the weight is its own, so the row is `x @ W[2] @ W[3]`.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "attend", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attend(cache, x, W, s, original):
    """Let the last token of the cache attend to all of it."""
    ### BEGIN SOLUTION
    keys, values = cache
    h, count, w = keys.shape
    q = turn_heads((x @ W[0]).reshape(h, 1, w), [count - 1], s, original)
    return attention(q, keys, values).reshape(-1) @ W[3]
    ### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "attend_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("attend", attend)
x, W = np.random.default_rng(0).normal(size=18), np.random.default_rng(1).normal(size=(4, 18, 18)) / 4
same = np.tile((x @ W[2]).reshape(3, 1, 6), (2, 1, 7, 1))
close(attend(same[:, :, :1], x, W, 2, 100), x @ W[2] @ W[3], "Alone, a token gets its own value, through W[3].")
close(attend(same, x, W, 2, 100), x @ W[2] @ W[3], "Where all values are equal, so is their average.")
print("✓ attend: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "attend_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other heads, widths, lengths and stretches.
### BEGIN HIDDEN TESTS
explain("attend", attend)
cache = np.sin(1 + np.arange(2.0 * 2 * 6 * 16) ** 1.5).reshape(2, 2, 6, 16)
x, W = np.sin(np.arange(32.0)), np.cos(np.arange(4.0 * 32 * 32)).reshape(4, 32, 32) / 4
close(attend(cache, x, W, 3, 40)[:3], [-0.34280607, -0.2953706, 0.02362724], "Two heads against six tokens.", quiet=True)
close(attend(cache[:, :, :1], x, W, 3, 40)[:3], [-0.99953413, 0.53613457, 1.57888362], "One token: its value.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 7: `decode_block(X, W, U, D, h, s, original)` (2 points)
#
# The whole block, a token at a time, from an empty cache (2, h, 0, d/h). For each row $x$ of `X` (n, d):
#
# $$a = x + \operatorname{attend}(\operatorname{norm}(x)), \qquad y = a + \operatorname{relu}(\operatorname{norm}(a)\,U)\,D$$
#
# Read aloud: normalise, extend, attend, add; normalise, feed, add. Into the cache goes $\operatorname{norm}(x)$ too. Return a new array (n, d), the rows $y$. `norm` is given, and a full pass over all tokens at once, in complex numbers: yours must equal it to $10^{-10}$.
#
# By hand: with $W = 0$ and $D = 0$, `X` comes back.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "full_pass", "locked": true, "schema_version": 3, "solution": false, "task": false}
def norm(x):
    """Divide each row by its root mean square."""
    return x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 1e-6)


def full_pass(X, W, U, D, h, s, original):
    """The block over all tokens at once."""
    n, d = X.shape
    frequencies, factor = yarn(d // h, s, original=original)
    turns = factor * np.exp(1j * np.outer(np.arange(n), frequencies))
    q, k, v = (norm(X) @ W[i] for i in range(3))
    q, k = (A.view(complex).reshape(n, h, -1) * turns[:, None] for A in (q, k))
    scores = np.einsum("ihf,jhf->hij", q, k.conj()).real / np.sqrt(d // h)
    weights = np.exp(scores) * np.tri(n)
    weights /= weights.sum(axis=-1, keepdims=True)
    A = X + np.einsum("hij,jhf->ihf", weights, v.reshape(n, h, -1)).reshape(n, d) @ W[3]
    return A + np.maximum(norm(A) @ U, 0) @ D

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "decode_block", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decode_block(X, W, U, D, h, s, original):
    """Run a pre-norm decoder block token by token, with a cache."""
    ### BEGIN SOLUTION
    cache = np.zeros((2, h, 0, X.shape[1] // h))
    rows = []
    for x in X:
        cache = extend_cache(cache, norm(x), W, s, original)
        a = x + attend(cache, norm(x), W, s, original)
        rows.append(a + np.maximum(norm(a) @ U, 0) @ D)
    return np.array(rows)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "decode_block_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
rng = np.random.default_rng(0)
X, W = rng.normal(size=(16, 18)), rng.normal(size=(4, 18, 18)) / 3
U, D = rng.normal(size=(18, 40)) / 4, rng.normal(size=(40, 18)) / 6
yours, expected = decode_block(X, W, U, D, 3, 2, 100), full_pass(X, W, U, D, 3, 2, 100)
axes = draw.comparison(None, yours, expected)

# %% [markdown]
# Sixteen tokens of random features go through one block. Nothing to read in the colours: what counts is the third panel. Blank means that tokens which came one at a time, with a cache, got what they get all at once. A difference that begins at row 1 is often the query's position or a key turned twice; one in row 0 as well, a norm or a residual.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "decode_block_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("decode_block", decode_block)
rng = np.random.default_rng(1)
X, W = rng.normal(size=(7, 18)), rng.normal(size=(4, 18, 18)) / 3
U, D = rng.normal(size=(18, 10)) / 4, rng.normal(size=(10, 18)) / 3
close(decode_block(X, 0 * W, U, 0 * D, 3, 2, 100), X, "With W = 0 and D = 0 each row passes through both sums.")
whole = decode_block(X, W, U, D, 3, 2, 100)
close(whole[:5], decode_block(X[:5], W, U, D, 3, 2, 100), "Later tokens must not change earlier rows.")
full = full_pass(X, W, U, D, 3, 2, 100)
close(whole, full, "Decoding equals the full pass, to 1e-10.", rtol=0, atol=1e-10)
print("✓ decode_block: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "decode_block_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other heads, widths, lengths and stretches.
### BEGIN HIDDEN TESTS
explain("decode_block", decode_block)
X, W = np.sin(np.arange(288.0) ** 1.5).reshape(9, 32), np.cos(np.arange(4096.0)).reshape(4, 32, 32) / 4
U, D = np.cos(2 * np.arange(224.0)).reshape(32, 7) / 3, np.sin(3 * np.arange(224.0)).reshape(7, 32) / 2
kept = X.copy()
rows = decode_block(X, W, U, D, 2, 3, 40)
close(np.shape(rows), [9, 32], "A row for every token.", quiet=True)
first = [-2.4252842, 3.08057738, -2.50767591, 1.80182954, -1.40889785, 1.84235207]
close(rows[0][:6], first, "The first token: both norms, both residuals, its own value.", quiet=True)
last = [-0.45899536, -0.88236138, 0.38338502, 0.59690058, 0.89888791, -0.12098666]
close(rows[8][:6], last, "Nine tokens must equal the full pass, stretched by three.", quiet=True)
close(X, kept, "X itself must not change: return new rows.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 8. And without attention?
#
# Let a state run along the text, and fade: $h_t = a\,h_{t-1} + x_t$. Read aloud: the new state is $a$ times the old one, plus the new token. No positions are added. I shuffle the tokens, as in lesson 1. Guess:
#
# <details><summary>(a) The rows move along with their tokens.</summary>No: that was attention, which sees all tokens at once.</details>
# <details><summary>(b) The last state stays, the others change.</summary>No: what came early has faded, and that is another token now.</details>
# <details><summary>(c) Every state changes with the order.</summary>Yes: the order is in the fading.</details>

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "recurrence", "locked": true, "schema_version": 3, "solution": false, "task": false}
def recurrence(X, a=0.8):
    """Run the state h = a h + x along the rows of X."""
    states = [X[0]]
    for x in X[1:]:
        states.append(a * states[-1] + x)
    return np.array(states)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "shuffled_states", "locked": true, "schema_version": 3, "solution": false, "task": false}
X, order = np.random.default_rng(0).normal(size=(6, 4)), np.array([3, 1, 0, 5, 2, 4])
moved, kept = recurrence(X[order]), recurrence(X)
{"rows move along": np.allclose(moved, kept[order]), "last state stays": np.allclose(moved[-1], kept[-1])}

# %% [markdown]
# Neither. Unrolled, $h_t = \sum_j a^{t-j} x_j$: what is $r$ steps back counts $a^r = e^{-mr}$, with $m = -\ln a$. That is ALiBi's factor, undivided by a softmax (below, left and middle). With $a$ complex, each step also turns, as in RoPE (right, the real part). So a recurrence needs no positional encoding: its stepping is one. And its memory is one state, however long the text.
#
# The next lesson introduces an alternative to attention entirely: state space models, which learn such steps.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "recurrence_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
r = np.arange(16)[:, None] - np.arange(16)
fades = {"state, a = 0.8": recurrence(np.eye(16)), "ALiBi, m = 0.223": np.exp(-0.2231 * r) * (r >= 0)}
fades["state that turns"] = ((0.9 * np.exp(0.5j)) ** np.maximum(r, 0)).real * (r >= 0)
axes = plt.subplots(1, 3, figsize=(10, 3.3), layout="constrained")[1]
axes = draw.side_by_side(axes, fades, x="token", y="step", label="weight of the token")

# %% [markdown]
# ## In practice
#
# RoPE is the default of new decoders, where it displaced sinusoids and tables; closed models do not say. Read the cover again. Layers without position look everywhere, with no new angle to meet: [Command R7B](https://github.com/huggingface/transformers/blob/main/src/transformers/models/cohere2/modeling_cohere2.py), [SmolLM3](https://github.com/huggingface/transformers/blob/main/src/transformers/models/smollm3/configuration_smollm3.py), [Llama 4](https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama4/modeling_llama4.py), which also sharpens their scores. [Jamba](https://github.com/huggingface/transformers/blob/main/src/transformers/models/jamba/modeling_jamba.py) learns order from its state spaces.
#
# Encoders moved too: [ModernBERT](https://github.com/huggingface/transformers/blob/main/src/transformers/models/modernbert/modeling_modernbert.py) turns; [DNABERT-2](https://arxiv.org/abs/2306.15006) has ALiBi. Images: [Pixtral](https://github.com/huggingface/transformers/blob/main/src/transformers/models/pixtral/modeling_pixtral.py) and [DINOv3](https://github.com/huggingface/transformers/blob/main/src/transformers/models/dinov3_vit/modeling_dinov3_vit.py) turn by row and column, [Qwen2-VL](https://github.com/huggingface/transformers/blob/main/src/transformers/models/qwen2_vl/modeling_qwen2_vl.py) by time too (M-RoPE). [FLUX](https://github.com/huggingface/diffusers/blob/main/src/diffusers/models/transformers/transformer_flux.py) draws with RoPE on three axes, and reads your prompt with T5's buckets.

# %% [markdown]
# ## On your own
#
# - Recommend an encoding for a project of yours, in five sentences. Which measurement would change your mind?
# - Let `extend_cache` keep the last 4 tokens only. Up to which row does decoding equal the full pass? What no longer tells the position?
#
# ## Further reading
#
# - Yang et al., *Rope to Nope and Back Again*, 2025, [arXiv:2501.18795](https://arxiv.org/abs/2501.18795): why layers without position help.
# - Other biases: [KERPLE](https://arxiv.org/abs/2205.09921), [Sandwich](https://arxiv.org/abs/2212.10356). Positions from context: [CoPE](https://arxiv.org/abs/2405.18719), [DAPE](https://arxiv.org/abs/2405.14722).
# - Other turns: [xPos](https://arxiv.org/abs/2212.10554) fades with distance, [PoPE](https://arxiv.org/abs/2509.10534) parts what from where.
# - Longer without training: [Self-Extend](https://arxiv.org/abs/2401.01325), [ReRoPE](https://github.com/bojone/rerope).
# - Gu and Dao, *Mamba*, 2023, [arXiv:2312.00752](https://arxiv.org/abs/2312.00752): where the next lesson begins.
