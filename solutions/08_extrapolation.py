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
# # Train on 32 tokens, read 256
#
# **Which one really extrapolates?**
#
# Seven lessons, many claims: sinusoids do not extrapolate, learned rows cannot, ALiBi does, RoPE a little, NTK and YaRN stretch it. Here I train small models with each, on this machine, and look.
#
# - **Do:** play the task by hand, guess the curves, train fourteen models, plug in your own encodings.
# - **Learn:** that "extrapolates" depends on the task, and what a laptop can show of it.
# - **Need:** NumPy; lessons 5 and 6, or the library's encodings in their place.
# - **Time:** about 90 minutes, two of them the machine's, for 14 points.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

from posenc import draw, scaling
from posenc.alibi import alibi_bias, alibi_slopes
from posenc.checks import choice, close, explain, written
from posenc.lab import Encoding, Needle, Registers, Text, Transformer, accuracy
from posenc.lab import encodings, loss_by_position, pretrained, train_all
from posenc.lab.text import ALPHABET
from posenc.rotary import rope

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "cover_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
held = """..........6666663444 ..661111111111111111 .1111111111111144444 ...........332333335
          ............00000033 77777733777777777777 .......1166666666666 ...22222222222222222"""
held = [[np.nan if value == "." else int(value) for value in row] for row in held.split()]
ax = plt.subplots(figsize=(9, 3.2), layout="constrained")[1]
draw.heat_map(ax, held, x="step", y="register", label="value held", numbers="g")
rings = ax.plot(range(20), [*map(int, "07416272703133736433")], "o", ms=19, mfc="none", mec="#E69F00", mew=2.5)

# %% [markdown]
# Eight registers over twenty steps. A cell is the value that a register holds, grey while it is empty; each step writes one. A ring marks the register that the step reads, after writing.
#
# | symbol | meaning | shape or unit |
# |---|---|---|
# | $k$, $v$, $q$ | register written, value, register read | $(n,)$, 0 to 7 |
# | $n$; $h$, $d$ | tokens of a sequence; heads, features of a head | counts |
# | $s$ | stretch, new length over trained | at least 1 |
# | accuracy | share of right answers | 1/8 by guessing |
# | loss | minus the log probability of the right answer | nats |

# %% [markdown]
# ## 1. Eight registers
#
# I need a task of any length, whose every answer I know, and that asks for order. A token is three numbers: **write value $v$ into register $k$, then read register $q$**. All are random: there is nothing to memorise. The model must say what $q$ holds. It needs the tokens that wrote $q$, which is content; of those the last, which is position.
#
# ### Exercise 1: `read_registers(k, v, q)` (2.5 points)
#
# `k`, `v`, `q` are three lists or arrays of n whole numbers from 0 to 7; all registers start empty. Return a list or array of n numbers: what each step reads after its own write, -1 where that register is still empty. Leave the three as they are.
#
# By hand: k = [2, 5, 2, 5], v = [7, 1, 3, 0], q = [5, 2, 2, 5] reads [-1, 7, 3, 0].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "read_registers", "locked": false, "schema_version": 3, "solution": true, "task": false}
def read_registers(k, v, q):
    """Write and read in turn, and return what each step reads, -1 where there is nothing."""
    ### BEGIN SOLUTION
    held, answers = {}, []
    for register, value, query in zip(k, v, q):
        held[register] = value
        answers.append(held.get(query, -1))
    return answers
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "read_registers_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
batch = Registers().batch(np.random.default_rng(0), 8, 24)
yours = [read_registers(*batch.tokens[:, row]) for row in range(8)]
expected = np.where(batch.counted > 0, batch.targets, -1)
axes = draw.comparison(None, yours, expected, x="step", y="sequence")

# %% [markdown]
# Eight sequences, a row each. The darkest cells are the -1 of empty registers: many in the first steps, few after step 16. The third panel is blank where yours and the lab's agree. Only steps that read something count for a model.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "read_registers_test", "locked": true, "points": 1.25, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("read_registers", read_registers)
close(read_registers([2, 5, 2, 5], [7, 1, 3, 0], [5, 2, 2, 5]), [-1, 7, 3, 0], "The example by hand.")
close(read_registers([4, 4, 4], [1, 2, 3], [4, 4, 4]), [1, 2, 3], "A step reads its own write.")
close(read_registers([4, 0, 1, 2], [6, 0, 0, 0], [4] * 4), [6] * 4, "A value stays until it is overwritten.")
print("✓ read_registers: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "read_registers_hidden", "locked": true, "points": 1.25, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with longer sequences, as lists and as arrays.
### BEGIN HIDDEN TESTS
explain("read_registers", read_registers)
got = read_registers([1, 1, 6, 3, 4, 4, 5, 0, 3, 1, 3, 7, 4], [0, 4, 1, 6, 7, 7, 4, 6, 2, 1, 4, 3, 5], [7, 2, 6, 1, 2, 6, 1, 5, 3, 4, 7, 6, 6])
close(got, [-1, -1, 1, 4, -1, 1, 4, 4, 2, 7, -1, 1, 1], "Thirteen steps: the last value written, or -1.", quiet=True)
k, v, q = np.array([[2, 3, 3, 0, 0, 1, 2, 3, 1], [6, 2, 6, 4, 0, 0, 4, 6, 6], [3, 3, 0, 3, 0, 2, 1, 0, 0]])
close(read_registers(k, v, q), [-1, 2, -1, 6, 0, 6, 0, 0, 0], "Few registers: later values replace earlier ones, and 0 is a value.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Count the second half
#
# A sequence of 256 tokens begins like one of 32, so a mean over all of it flatters. I count positions $n/2$ and later, and of those the steps that read something.
#
# What is a poor result? Three rules need no training: answer with this step's own value; with the first value written to $q$; with the commonest one, a vote. Guess what each reaches at 32 tokens, and at 256.

# %% [markdown]
# ### Exercise 2: `second_half(right, counted)` (2 points)
#
# Two arrays (batch, n) of 0 and 1, or False and True: whether an answer is right, and whether it counts. Return one number: of all answers in the batch that count and stand at position `n // 2` or later, the share that is right. At least one does.
#
# By hand: right [[1, 1, 0, 1]], counted [[1, 1, 1, 0]]. Of positions 2 and 3 only 2 counts, and it is wrong: 0.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "second_half", "locked": false, "schema_version": 3, "solution": true, "task": false}
def second_half(right, counted):
    """Return the share of right answers among those that count in the second half."""
    ### BEGIN SOLUTION
    half = right.shape[1] // 2
    hits = right[:, half:] * counted[:, half:]
    return hits.sum() / counted[:, half:].sum()
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "second_half_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def play(rule, n):
    """Return your second_half for a rule that answers from where q was written, and what."""
    (k, v, q), targets, counted = Registers().batch(np.random.default_rng(0), 100, n)
    said = [rule(k[:, : t + 1] == q[:, t, None], v[:, : t + 1]) for t in range(n)]
    return second_half(np.transpose(said) == targets, counted)


rules = {
    "own value": lambda wrote, v: v[:, -1],
    "first write": lambda wrote, v: v[range(100), wrote.argmax(axis=1)],
    "vote": lambda wrote, v: np.argmax([(wrote & (v == x)).sum(axis=1) for x in range(8)], axis=0),
}
lengths = [32, 64, 128, 256]
reached = {name: [play(rule, n) for n in lengths] for name, rule in rules.items()}
ax = draw.by_length(plt.subplots(figsize=(6, 3.2), layout="constrained")[1], lengths, reached)
for expected in [0.224, 0.226, 0.232, 0.24], [0.255, 0.128, 0.121, 0.111], [0.533, 0.389, 0.28, 0.247]:
    ax.plot(lengths, expected, "kx", markersize=10)

# %% [markdown]
# Crosses mark what is expected. The own value is right where the step reads what it wrote, and else by luck: $1/8 + 7/8 \cdot 1/8 = 0.23$, at any length. The first write sinks to a guess, 1/8. The vote falls from 0.53 to 0.25. So a model shows that it knows *the last* write only above these lines.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "second_half_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
explain("second_half", second_half)
close(second_half(np.array([[1, 1, 0, 1]]), np.array([[1, 1, 1, 0]])), 0, "The example by hand.")
half = np.array([[0, 0, 1, 1]] * 3)
close(second_half(half, np.ones((3, 4))), 1, "All right from n // 2 on: what comes before does not matter.")
close(second_half(1 - half, np.ones((3, 4))), 0, "Right before n // 2 alone: no hit.")
print("✓ second_half: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "second_half_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other batches, an odd length, and True and False.
### BEGIN HIDDEN TESTS
explain("second_half", second_half)
right, counted = np.array([[0, 1, 1, 0, 1, 0, 1, 1, 1], [1, 1, 0, 0, 0, 1, 1, 0, 1], [0, 1, 1, 0, 0, 1, 1, 0, 1]]), np.array([[1, 0, 1, 1, 0, 1, 1, 1, 0], [1, 0, 1, 1, 1, 1, 0, 1, 0], [1, 1, 1, 0, 0, 0, 0, 0, 1]])
close(second_half(right, counted), 4 / 7, "Nine positions: those from 4 on, over all rows together.", quiet=True)
right, counted = np.array([[1, 1, 1, 1, 0, 0], [1, 0, 0, 0, 0, 1]]), np.array([[1, 1, 1, 1, 0, 1], [1, 1, 1, 0, 1, 1]])
close(second_half(right == 1, counted == 1), 0.5, "True and False: the same share as with 1 and 0.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. Guess, then train
#
# People say, of new lengths: sinusoidal codes are defined for any $p$, but "generalization to unseen lengths is poor"; learned rows have "zero generalization past" their table; ALiBi "generalizes to longer sequences"; RoPE "modestly". Here all train on 32 tokens, and end near 1 there.
#
# ### Exercise 3: `predict` (1 point)
#
# For each, three numbers from 0 to 1: the accuracy that you expect at 64, 128 and 256 tokens. The point is for guessing, right or not.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "predict", "locked": false, "schema_version": 3, "solution": true, "task": false}
guess_learned = None  # [at 64, at 128, at 256]
guess_sinusoidal = None
guess_rope = None
guess_alibi = None
### BEGIN SOLUTION
guess_learned, guess_sinusoidal = [0.5, 0.2, 0.125], [0.6, 0.3, 0.2]
guess_rope, guess_alibi = [0.9, 0.7, 0.5], [1, 0.95, 0.9]
### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "predict_test", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
written(guess_learned, guess_sinusoidal, guess_rope, guess_alibi)
for guess in (guess_learned, guess_sinusoidal, guess_rope, guess_alibi):
    close(np.shape(guess), (3,), "Each guess is a list of three numbers: at 64, 128 and 256 tokens.")
    assert np.max(guess) <= 1, "An accuracy is a share, at most 1. Did you write percent?"
    assert np.min(guess) >= 0, "An accuracy is a share, at least 0."
print("✓ predict: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "predict_hidden", "locked": true, "points": 0.5, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same guesses: numbers throughout.
### BEGIN HIDDEN TESTS
for guess in (guess_learned, guess_sinusoidal, guess_rope, guess_alibi):
    assert np.shape(guess) == (3,), "Each guess is a list of three numbers."
    close(np.clip(guess, 0, 1), guess, "Each number is a share from 0 to 1.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# Now train: one layer, 64 features, four heads, 34 816 numbers to learn. So small a model learns the task in seconds, and I can afford three random starts of each (one of T5's learned bias, and of NoPE, no encoding but the causal mask). What differs more between encodings than between starts is the encodings' doing.
#
# Each makes 1000 steps on 32 sequences of 32 tokens; all fourteen take about a minute on two cores. Stop the cell, and each keeps what it has learned. The first picture is the loss: a blind guess costs $\ln 8 = 2.08$ nats, and five of the curves come down towards 0. Then come lengths that no model has seen, measured with the lab's `accuracy`, which counts as your `second_half` does.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "train_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
made = {
    "learned": lambda: encodings.learned(256),
    "sinusoidal": encodings.sinusoidal,
    "RoPE": encodings.rope,
    "ALiBi": encodings.alibi,
    "T5": encodings.t5,
    "NoPE": encodings.nope,
}
starts = [(name, seed) for name in made for seed in range(1 if name in ("T5", "NoPE") else 3)]
models = [Transformer(Registers.sizes, 8, made[name](), seed=seed) for name, seed in starts]
runs = train_all(models, Registers(), steps=1000, seed=[seed for _, seed in starts])
m = min(len(run.losses) for run in runs) // 25
losses = {name: np.reshape(run.losses[: 25 * m], (m, 25)).mean(axis=1) for (name, _), run in zip(starts, runs)}
ax = plt.subplots(figsize=(7, 3.2), layout="constrained")[1]
ax = draw.lines(ax, 25 * np.arange(1, m + 1), losses, x="step", y="loss (nats)")

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "registers_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def measure(task, lengths, models, tokens=4096):
    """Return the accuracy of every start at every length, by encoding."""
    table = {}
    for model in models:
        row = [accuracy(model, task, n, size=tokens // n) for n in lengths]
        table.setdefault(model.encoding.name, []).append(row)
    return {name: np.array(rows) for name, rows in table.items()}


registers = measure(Registers(), lengths, models)
guesses = {"learned": guess_learned, "sinusoidal": guess_sinusoidal, "RoPE": guess_rope, "ALiBi": guess_alibi}
guesses = {name: [1, *guess] for name, guess in guesses.items() if guess is not None}
left, right = plt.subplots(1, 2, figsize=(10, 3.8), sharey=True, layout="constrained")[1]
draw.by_length(left, lengths, guesses, trained=32, title="your guess" if guesses else "your guess: none yet")
draw.by_length(right, lengths, registers, trained=32, title="measured")
left.get_legend().remove()
legend = right.legend(loc="center left", bbox_to_anchor=(1, 0.5))

# %% [markdown]
# Lines are means, bands the spread of starts. At 32 tokens the four lie within two points: "the choice rarely affects accuracy by more than 1–2 % at the same context length" holds among them. NoPE, 0.59, cannot tell which write was last, and stays near the vote. At 64 tokens the four lie sixty points apart, by place: rows that are added collapse, a rotation bends, a bias holds.
#
# Why? A learned row past 32 is as random as it began (and with 32 rows only, token 33 would raise `IndexError`). Sinusoidal rows exist, but the network never met them. RoPE's scores see distance alone, yet six of its eight pairs make no full turn in 32 tokens: farther means new angles. To ALiBi's window nothing is new.

# %% [markdown]
# ## 4. Plug in your own
#
# What if your encoding differs a little from the one that a model learned with? I trained another model for you: RoPE, three layers, 64 characters of Python's own help texts at a time.
#
# ### Exercise 4: `rotate(x, positions)` (2 points)
#
# RoPE for a whole sequence. `x` is (..., n, d), `positions` n whole numbers. Return a new array: in row $j$ every pair $(2i, 2i+1)$ turned counter-clockwise by $p_j \cdot 10000^{-2i/d}$ radians, $p_j$ being `positions[j]`. float16, float32 and float64 keep their dtype, integers give float64, odd $d$ raises `ValueError`. Your `rotate` of lesson 6 fits as it is, and so does the library's `rope`.
#
# By hand: [[1, 0], [1, 0]] at [0, 2] gives [[1, 0], [-0.4161, 0.9093]].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "rotate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rotate(x, positions):
    """Turn row j of x to positions[j], in the dtype of x."""
    ### BEGIN SOLUTION
    return rope(x, positions)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "rotate_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
text = Text(held_out=True)
plugged = {"yours": pretrained("RoPE", Encoding("yours", turn=rotate)), "as trained": pretrained("RoPE")}
by_position = {name: loss_by_position(model, text, 64, characters=8192) for name, model in plugged.items()}
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.lines(ax, np.arange(64), by_position, x="position (characters)", y="loss (nats)")

# %% [markdown]
# The loss of the next character at each position, on help texts kept from training. The first characters cost most, since nothing is known yet. With the right rotation the two lines are one; guessing among 97 characters would cost $\ln 97 = 4.57$.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "rotate_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 30}
explain("rotate", rotate)
with_yours = pretrained("RoPE", Encoding("yours", turn=rotate))
loss, own = (loss_by_position(m, Text(), 64, characters=4096).mean() for m in (with_yours, pretrained("RoPE")))
close(loss, own, "A model that was trained with RoPE must read as well with yours.", rtol=0, atol=1e-3)
print("✓ rotate: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "rotate_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with batches, other dtypes, far positions and an odd width.
### BEGIN HIDDEN TESTS
explain("rotate", rotate)
x, positions = np.array([[2, 7, 1, 8, 2, 8], [1, 8, 2, 8, 4, 5], [9, 0, 4, 5, 2, 3]]), np.array([5, 0, 3001])
first, last = [7.27979429, 0.06778675, -0.86682347, 8.01552351, 1.91370824, 8.02107978], [-6.40444811, -6.32321472, -2.43002942, 5.92409968, 1.42307162, 3.3128337]
close(rotate(x, positions), [first, [1, 8, 2, 8, 4, 5], last], "Integers: compute in float64, each row at its own position.", quiet=True)
batch = rotate(np.stack([[x * 1.0] * 2] * 4), positions)
close(batch[2, 1], [first, [1, 8, 2, 8, 4, 5], last], "Leading axes are batch and heads: the positions belong to the rows.", quiet=True)
half = rotate(np.array([[1, 0]] * 2, dtype=np.float16), np.array([2049, 2050]))
assert half.dtype == np.float16, "float16 in, float16 out."
close(half, [[0.776572, 0.6300285], [-0.110567, 0.9938687]], "Make the angles in float64: float16 cannot hold position 2049.", quiet=True)
try:
    odd_width = rotate(np.ones((7, 5)), np.arange(7))
except ValueError:
    odd_width = None
assert odd_width is None, "An odd number of features has no last pair: raise ValueError."
### END HIDDEN TESTS

# %% [markdown]
# Three slips on purpose, and no rotation at all, in models that were trained with the right one. And if a model trains with a slip from its first step?
#
# <details><summary>(a) It learns less.</summary>No: each marks distance well.</details>
# <details><summary>(b) It learns as well.</summary>Yes: weights grow around whatever marks position.</details>
# <details><summary>(c) It never learns.</summary>No: it never knew another rotation.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "slips_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
slips = {
    "half layout": lambda x, positions: rope(x, positions, layout="half"),
    "base 1000": lambda x, positions: rope(x, positions, base=1000.0),
    "clockwise": lambda x, positions: rope(x, -positions),
}
tried = [encodings.rope(), *(Encoding(name, turn=turn) for name, turn in slips.items()), encodings.nope()]
names = ["as trained", *slips, "no rotation"]
right_one = next(model for model in models if model.encoding.name == "RoPE")
scratch = [Transformer(Registers.sizes, 8, each, seed=0) for each in tried[1:4]]
runs = train_all(scratch, Registers(), steps=1000)
scratch = [right_one, *scratch, models[-1]]
plugged = [accuracy(right_one.with_encoding(each), Registers(), 32, size=128) for each in tried]
grown = [accuracy(model, Registers(), 32, size=128) for model in scratch]
text = Text(held_out=True)
costs = [loss_by_position(pretrained("RoPE", each), text, 64, characters=8192).mean() for each in tried]
left, right = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")[1]
draw.bars(left, names, {"plugged in": costs}, x="loss on 64 characters (nats)")
ax = draw.bars(right, names, {"plugged in": plugged, "trained so": grown}, x="accuracy on 32 tokens")

# %% [markdown]
# Left, the character model: in the half layout or clockwise it is no better off than without rotation; base 1000 is milder, for its fast pairs turn almost alike. Right, the registers, filled: the same kind of damage. Hatched: trained so, all three reach 1.00. A wrong RoPE is wrong for weights that expect another.
#
# ### Exercise 5: `alibi(n, h)` (2 points)
#
# Another place for position: a bias. Return (h, n, n): entry $[a, i, j]$ is minus the slope of head $a$ times $|i - j|$, on both sides, finite, for the model hides the future itself. The slopes are lesson 5's, for any h; `alibi_slopes` and `alibi_bias` are imported, and `help` explains them.
#
# By hand: one head has slope 1/256, so `alibi(2, 1)` is [[[0, -1/256], [-1/256, 0]]].

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "alibi", "locked": false, "schema_version": 3, "solution": true, "task": false}
def alibi(n, h):
    """Return minus slope times distance for every head, query and key, (h, n, n)."""
    ### BEGIN SOLUTION
    return alibi_bias(n, n, alibi_slopes(h), causal=False)
    ### END SOLUTION

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "alibi_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
yours = np.array(alibi(12, 6))[:, -1]
expected = np.outer([-1 / 4, -1 / 16, -1 / 64, -1 / 256, -1 / 2, -1 / 8], np.arange(11, -1, -1))
axes = draw.comparison(None, yours, expected, x="key position", y="head")

# %% [markdown]
# The last query of each of six heads: 0 at its own key, on the right, then a straight line down to the left. Head 4 is the steepest, for its slope was appended.

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "alibi_test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 30}
explain("alibi_heads", alibi)
with_yours = pretrained("ALiBi", Encoding("yours", bias=alibi))
loss, own = (loss_by_position(m, Text(), 64, characters=4096).mean() for m in (with_yours, pretrained("ALiBi")))
close(loss, own, "A model that was trained with ALiBi must read as well with yours.", rtol=0, atol=1e-3)
print("✓ alibi: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "alibi_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same function with other lengths and numbers of heads.
### BEGIN HIDDEN TESTS
explain("alibi_heads", alibi)
assert [np.shape(alibi(n, h)) for n, h in [(7, 3), (2, 16)]] == [(3, 7, 7), (16, 2, 2)], "The shape is (h, n, n)."
got = np.array(alibi(4, 6))
close(got[:, 0, 3], [-0.75, -0.1875, -0.046875, -0.01171875, -1.5, -0.375], "Six heads at distance 3: the slopes for four, then the first and third for eight.", quiet=True)
close(got[1], [[0, -0.0625, -0.125, -0.1875], [-0.0625, 0, -0.0625, -0.125], [-0.125, -0.0625, 0, -0.0625], [-0.1875, -0.125, -0.0625, 0]], "One of six heads: the distance on both sides, 0 on the diagonal.", quiet=True)
close(np.array(alibi(4, 40))[[0, 31, 32, 39], 3, 1], [-1.68179283, -0.0078125, -1.83400809, -0.54525387], "Forty heads at distance 2.", quiet=True)
close(alibi(3, 1), [[[0, -0.00390625, -0.0078125], [-0.00390625, 0, -0.00390625], [-0.0078125, -0.00390625, 0]]], "One head keeps its axis.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 5. A needle
#
# Registers reward the recent past. Now the same models, untouched, on another task: register 0 is written once, by the first token, and read once, by the last. Who wins now?
#
# <details><summary>(a) ALiBi, as before.</summary>No: its price grows with distance, and this is far.</details>
# <details><summary>(b) NoPE.</summary>Yes, with T5: one write needs no order, content finds it.</details>
# <details><summary>(c) RoPE.</summary>Not for sure: at some lengths, from some starts.</details>

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "needle_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
needle = measure(Needle(), lengths, models, tokens=8192)
tables = {"registers: the latest of many writes": registers, "needle: one write, at the start": needle}
axes = plt.subplots(1, 2, figsize=(10, 3.2), layout="constrained")[1]
for ax, (title, table) in zip(axes, tables.items()):
    means = [rows.mean(axis=0) for rows in table.values()]
    named = {"rows": list(table), "columns": [str(n) for n in lengths], "x": "length (tokens)", "y": ""}
    draw.heat_map(ax, means, **named, label="accuracy", title=title, limit=1, numbers=".2f")
    ax.tick_params(axis="x", rotation=0)

# %% [markdown]
# Mean accuracy; bright is right. Left, ALiBi is best at every new length and NoPE worst at the old. Right, the reverse: from 64 tokens on ALiBi guesses; NoPE is always right. So is T5, whose last bucket holds all distances from 27 on. RoPE and sinusoidal swing.
#
# The literature disagrees likewise. Press et al. measure perplexity on running text: ALiBi wins. Kazemnejad et al. measure reasoning and arithmetic: ALiBi and rotary are "not well suited for length generalization in downstream tasks", NoPE is ahead.
#
# ### Exercise 6: in your own words (2 points, read by a person)
#
# Why does ALiBi win left and lose right, and NoPE the reverse? What must you know of a task before you say that an encoding extrapolates?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "two_tables", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# On the left the answer is the latest of many matches, about seven tokens back whatever the length. ALiBi's penalty prefers the near, and its window looks the same in a long sequence. NoPE sees all writes of the register but not which was last, so it can do little more than vote, and the vote gets worse with every write.
#
# On the right the only match lies at the start. ALiBi's penalty grows with the length until it exceeds what the match is worth. NoPE pays nothing for distance and needs no order. So I must know how far back the answer lies and whether order decides: an encoding extrapolates on a kind of task.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "distance_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
k, _, q = Registers().batch(np.random.default_rng(0), 4000, 64).tokens
matches = k[:, ::-1] == q[:, -1:]  # of the last step, from its own token back
latest = np.bincount(matches.argmax(axis=1), minlength=64) / 4000
within = {"registers": latest.cumsum(), "needle": np.arange(64) >= 63}
ax = plt.subplots(figsize=(7, 3), layout="constrained")[1]
ax = draw.lines(ax, np.arange(64), within, x="distance back (tokens)", y="answers within it (share)")

# %% [markdown]
# How far back the last of 64 steps must look. Of the registers' answers an eighth stands in its own token, half within five, nearly all within 32, and a longer sequence changes nothing. The needle is as far as can be.
#
# ## 6. Stretch RoPE
#
# Lesson 7 stretched RoPE by its frequencies: PI divides all by $s$, NTK raises the base, YaRN divides the slow and keeps the fast. "With NTK scaling or YaRN", it is said, RoPE "can be retrofitted to 2-4x training length". I take $s = 4$, so 128 tokens should look like 32. Guess: who keeps its accuracy at 32, who reaches 128? And after 60 steps of training at 128?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "stretch_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def stretched(s, original, fast):
    """Return RoPE for heads of 16 features as it is, and stretched by s in three ways."""
    yarn = scaling.yarn(16, s, original=original, beta_fast=fast, beta_slow=1, truncate=False)
    ways = {"RoPE": (None, 1.0), "PI": scaling.interpolated(16, s), "NTK": scaling.ntk(16, s), "YaRN": yarn}
    return [encodings.rope(frequencies=f, attention_factor=a, name=name) for name, (f, a) in ways.items()]


ropes = [model for model in models if model.encoding.name == "RoPE"]
untouched = [model.with_encoding(each) for model in ropes for each in stretched(4, 32, fast=4)]
tuned = [model.with_encoding(model.encoding) for model in untouched]
for model in tuned:  # weights of their own
    model.parameters = {name: value.copy() for name, value in model.parameters.items()}
runs = train_all(tuned, Registers(), steps=60, n=128, batch=8, warm_up=10, seed=9)
left, right = plt.subplots(1, 2, figsize=(10, 3.6), sharey=True, layout="constrained")[1]
before, after = (measure(Registers(), lengths, group, tokens=2048) for group in (untouched, tuned))
draw.by_length(left, lengths, before, trained=32, title="not trained further")
ax = draw.by_length(right, lengths, after, trained=128, title="60 steps at 128")

# %% [markdown]
# Left, weights untouched. NTK keeps 0.99 at 32 but reaches only 64, less than $s$. PI and YaRN pay three to six points at 32 and arrive with them at 128, where plain RoPE has about 0.65.
#
# Right, after 60 steps, a second of work: PI and YaRN have 0.98 at 128. But see plain RoPE, 0.94, with no stretch at all! Such small models are soon mended. At 256, where nobody trained, all fall again; NTK least.

# %% [markdown]
# ## 7. Real text
#
# Do registers say anything of language? Five character models come with the library, with the log of their training on 64 characters at a time. I try them on help texts that they never saw. First the beginning of one, character by character.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "text_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
def show_text(name="RoPE"):
    """Write 256 characters, each on the colour of what it cost the model of this name."""
    text = Text(held_out=True)
    letters = "".join(ALPHABET[code] for code in text.codes[1:257])
    costs = loss_by_position(pretrained(name), text, 256, characters=256)
    ax = plt.subplots(figsize=(10, 1.9), layout="constrained")[1]
    draw.coloured_text(ax, letters, costs, limit=8, title=name)


show_text("RoPE")
show_text("ALiBi")
try:
    from ipywidgets import interact
except ImportError:
    pass  # The still pictures above say the same.
else:
    interact(show_text, name=["learned", "sinusoidal", "NoPE", "ALiBi", "RoPE"])

# %% [markdown]
# Dark characters were foreseen, bright ones cost eight nats or more. The first row is the trained length: both models read it alike. From the third row on, RoPE's is bright all over; ALiBi's stays as it was. Now all five, RoPE stretched as well, on 8192 characters to sixteen times the length.

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "loss_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
text, sizes, spoken = Text(held_out=True), [64, 128, 256, 512, 1024], {}
for name in ["learned", "sinusoidal", "NoPE", "ALiBi", "RoPE"]:
    spoken[name] = [loss_by_position(pretrained(name), text, n, characters=8192) for n in sizes]
for way in (1, 2, 3):
    ways = [stretched(n / 64, 64, fast=8)[way] for n in sizes]
    each = [loss_by_position(pretrained("RoPE", e), text, n, characters=8192) for e, n in zip(ways, sizes)]
    spoken[f"RoPE, {ways[0].name}"] = each
left, right = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")[1]
smooth = {name: np.reshape(rows[3], (-1, 32)).mean(axis=1) for name, rows in list(spoken.items())[:5]}
draw.lines(left, np.arange(16, 512, 32), smooth, x="position (characters)", y="loss (nats)")
left.axvline(64, color="0.6", linewidth=1)
left.set_ylim(bottom=0)
left.legend(loc="lower right", ncols=3)
means = [[losses.mean() for losses in rows] for rows in spoken.values()]
named = {"rows": list(spoken), "columns": [str(n) for n in sizes], "x": "length (characters)", "y": ""}
draw.heat_map(right, means, **named, label="mean loss (nats)", numbers=".2f")
right.tick_params(axis="x", rotation=0)

# %% [markdown]
# Left, the loss along 512 characters; the thin line is the trained length. Right, mean losses; $s$ is length over 64. At 64 (texts of Python 3.11) those with an encoding lie within 0.1 nats, 8 % of the loss; in characters guessed right, within 1.2 points, 65 to 67 of 100. So "1–2 %" fits accuracy, not loss.
#
# Beyond, it is the registers over again: learned and sinusoidal double at once, RoPE a little later, ALiBi holds to sixteen times. NTK gives RoPE twice the length for next to nothing, YaRN for little. At four times both cost half as much again, or more. PI, so good on registers, is worse than no stretch: it slows the pairs by which a head finds the previous character (lesson 7).

# %% [markdown]
# ### Exercise 7: `reading` (2.5 points)
#
# Six statements to read off the pictures of sections 3, 5, 6 and 7: four names, spelled as there, and two numbers, for which 0.03 more or less on the first and 0.1 on the second do no harm, since your models are not quite mine.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "reading", "locked": false, "schema_version": 3, "solution": true, "task": false}
best_registers = None  # of "learned", "sinusoidal", "RoPE", "ALiBi": most accurate on registers at 256
sure_needle = None  # of "sinusoidal", "RoPE", "ALiBi", "NoPE": always finds the needle at 256
free_stretch = None  # of "PI", "NTK", "YaRN", not trained further: costs least on registers at 32
steady_on_text = None  # of "learned", "NoPE", "ALiBi", "RoPE": reads 512 characters as well as 64
spread_at_32 = None  # a number: among those of the first line, best minus worst on registers at 32
lost_by_rope = None  # a number: RoPE's accuracy on registers at 32, minus that at 128
### BEGIN SOLUTION
best_registers, sure_needle, free_stretch, steady_on_text = "ALiBi", "NoPE", "NTK", "ALiBi"
spread_at_32, lost_by_rope = 0.01, 0.35
### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "reading_test", "locked": true, "points": 1.25, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
written(best_registers, sure_needle, free_stretch, steady_on_text, spread_at_32, lost_by_rope)
choice(best_registers, "ALiBi", {"learned": "best_registers: rows past 32 were never trained.",
    "sinusoidal": "best_registers: the network has not met rows past 32. It falls below the vote.",
    "RoPE": "best_registers: RoPE keeps about half. One keeps nearly all."})
choice(sure_needle, "NoPE", {"sinusoidal": "sure_needle: it finds more or fewer, by length and start.",
    "RoPE": "sure_needle: at 64 yes, at 256 it depends on the start. One of the four finds all.",
    "ALiBi": "sure_needle: its price for distance loses the needle at 64 already."})
choice(free_stretch, "NTK", {"PI": "free_stretch: PI slows the fast pairs as well, and costs most at 32.",
    "YaRN": "free_stretch: YaRN costs a few points at 32. One of the three costs next to none."})
choice(steady_on_text, "ALiBi", {"learned": "steady_on_text: rows past 64 were never trained.",
    "NoPE": "steady_on_text: NoPE gets worse as well, more slowly than most.",
    "RoPE": "steady_on_text: RoPE, as it is, has lost the thread at 256."})
for number in (spread_at_32, lost_by_rope):
    assert isinstance(number, int | float | np.number), "Write a number for each of the last two."
    assert 0 <= number < 1, "A share from 0 to 1: no percent, and the smaller subtracted from the larger."
assert not 0.55 < lost_by_rope < 0.85, "lost_by_rope: that is what RoPE keeps at 128. How much has it lost?"
close(min(spread_at_32, 0.04), spread_at_32, "spread_at_32: at the trained length they differ little.")
close(np.clip(lost_by_rope, 0.15, 0.55), lost_by_rope, "lost_by_rope: subtract what it reaches at 128.")
print("✓ reading: every check here passes.")

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "reading_hidden", "locked": true, "points": 1.25, "schema_version": 3, "solution": false, "task": false} autograder={"timeout": 5}
# The same six statements.
### BEGIN HIDDEN TESTS
assert best_registers == "ALiBi", "best_registers: one of the four keeps nearly all at 256 tokens."
assert sure_needle == "NoPE", "sure_needle: one of the four finds it every time."
assert (free_stretch, steady_on_text) == ("NTK", "ALiBi"), "One stretch leaves the fastest pair as it is; one encoding reads 512 characters as well as 64."
close(np.clip(spread_at_32, 0, 0.04), spread_at_32, "spread_at_32: the best minus the worst of the four.", quiet=True)
close(np.clip(lost_by_rope, 0.15, 0.55), lost_by_rope, "lost_by_rope: the accuracy at 32 minus that at 128.", quiet=True)
### END HIDDEN TESTS

# %% [markdown]
# ## 8. What a tiny model cannot tell you
#
# Not the numbers: my heads have two pairs that come round in 32 tokens, LLaMA's 46 of 64 in 4096. Not the repair by 60 steps. Not ALiBi's calm: with 3 billion parameters, says the card of BTLM, "2,048 context length training alone does not extrapolate well in practice".
#
# The shape, perhaps. Guess: Llama 2 learned 4096 tokens, was stretched to 8192 and trained a little more. What happens past 8192?

# %% tags=["picture"] nbgrader={"cell_type": "code", "grade": false, "grade_id": "published_picture", "locked": true, "schema_version": 3, "solution": false, "task": false} autograder={"picture": true}
ours = {name: np.exp([losses.mean() for losses in rows]) for name, rows in list(spoken.items())[4:]}
published = {
    "PI (LLongMA-2-7b)": [3.92, 3.51, 3.34, 8.07, 102.7],
    "NTK (NTK-Llama-2-7b-8k)": [4.20, 3.75, 3.59, 6.24, 74.4],
    "YaRN (Yarn-Llama-2-7b-8k)": [3.92, 3.51, 3.36, 6.05, 77.2],
}
left, right = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")[1]
draw.by_length(left, sizes, ours, trained=64, x="length (characters)", title="ours, no further training")
tokens = [2048, 4096, 8192, 10240, 16384]
draw.by_length(right, tokens, published, trained=8192, x="length (tokens)", title="Llama 2 7B, published")
for ax in (left, right):
    ax.set(yscale="log", ylabel="perplexity")
    ax.set_yticks([3, 10, 30, 100], ["3", "10", "30", "100"], minor=False)
    ax.minorticks_off()
ticks = right.set_xticks(tokens, ["2k", "4k", "8k", "10k", "16k"])

# %% [markdown]
# Perplexity is $e$ to the loss. Right, [the data of the YaRN repository](https://github.com/jquesnelle/yarn/blob/master/data/proofpile-long-small-8k.csv): well up to the length of the last training, about doubled a quarter beyond, 74 to 103 at twice: the cliff of sections 6 and 7. So "2–4×" is for weights left alone; with training, [YaRN went](https://github.com/jquesnelle/yarn/blob/master/data/proofpile-long-small.csv) from 4096 to 131 072 tokens.
#
# ## In practice
#
# Look at the loss by position, since a mean hides where it breaks, and at a retrieval task beside it. At one length encodings differ little: in EleutherAI's comparison of learned and rotary, 1.3 billion parameters, most tasks moved by a point or two, BoolQ by four. Choose for the lengths that you will meet.

# %% [markdown]
# ## On your own
#
# - Let the needle be written twice. Who still finds the last value?
# - Train RoPE with base 100, or T5 with `max_distance=64`. Which gains past 32, which loses, and why?
#
# ## Further reading
#
# - Press et al., *Train Short, Test Long*, 2022, [arXiv:2108.12409](https://arxiv.org/abs/2108.12409): the question of this lesson, asked of running text.
# - Kazemnejad et al., *The Impact of Positional Encoding on Length Generalization*, 2023, [arXiv:2305.19466](https://arxiv.org/abs/2305.19466): the same of reasoning tasks.
# - Peng et al., *YaRN*, 2023, [arXiv:2309.00071](https://arxiv.org/abs/2309.00071): stretching with little training.
# - [btlm-3b-8k-base](https://huggingface.co/cerebras/btlm-3b-8k-base), 2023: ALiBi in a large model, loss by position.
# - EleutherAI, [rotary and learned embeddings compared](https://blog.eleuther.ai/rotary-embeddings-eval-harness): two encodings, many tasks, one length.
