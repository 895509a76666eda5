"""Draws the picture at the top of the README: what a lesson shows, and what it says of a wrong answer.

Run it as ``python book/cover.py``; it writes ``book/cover.png``.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np

from posenc import checks, draw, rotary


def half_layout(x, position):
    """Rotate in the wrong layout, as a student might."""
    return rotary.rope(x, position, layout="half")


def named_mistake():
    """Return what the check of lesson 6 says of it."""
    try:
        checks.explain("rope", half_layout)
    except checks.Misconceived as mistake:
        return str(mistake)
    raise AssertionError("the check must name the half layout")


def main():
    """Draw the picture."""
    figure = plt.figure(figsize=(11, 4.4), layout="constrained")
    top, bottom = figure.subfigures(2, 1, height_ratios=[6, 1])
    axes = top.subplots(1, 4, width_ratios=[2.2, 1, 1, 1])
    draw.circle(axes[0], range(6))
    axes[0].set_title("RoPE: a position is a turn")
    positions = np.arange(16)
    ones = np.tile([1.0, 0.0], (16, 4))
    draw.comparison(axes[1:], half_layout(ones, positions), rotary.rope(ones, positions))
    said = textwrap.fill(f"rope_test  FAILED  {named_mistake()}", 120, subsequent_indent=" " * 19)
    bottom.text(0.01, 0.5, said, family="monospace", fontsize=9, va="center")
    figure.savefig(Path(__file__).with_name("cover.png"), dpi=110)


if __name__ == "__main__":
    main()
