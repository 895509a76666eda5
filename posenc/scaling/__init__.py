r"""Scaling: frequencies for rotary encodings that reach beyond the length a model was trained with.

Pure functions of a few numbers. Each returns ``(frequencies, attention_factor)``, arguments of these names
for ``posenc.rotary.table`` and ``rope``; nothing here turns a vector, or looks at one.

`s` is the stretch, new length over old, at least 1. `original` is the length in positions that the model was
trained with, before any stretch. Frequencies are in radians per position.

==================  =====================================================================================
interpolated        every frequency divided by s (position interpolation)
ntk, dynamic_ntk    a larger base: the first frequency stays, the last is divided by s
by_parts, yarn      a blend of kept and divided frequencies, and for YaRN a factor on the scores
llama3              the same blend as by_parts, in Llama's terms
longrope            a divisor of its own for each frequency, found by search
partial             only the first features turn
proportional        only the first pairs turn, at the frequencies that they have when all do
==================  =====================================================================================

No encoding at all (NoPE) is a choice too: leave ``rope`` out, and a causal mask alone tells positions apart.
"""

from posenc.scaling.blended import by_parts, llama3, yarn
from posenc.scaling.selected import longrope, partial, proportional
from posenc.scaling.uniform import dynamic_ntk, interpolated, ntk

__all__ = [
    "by_parts",
    "dynamic_ntk",
    "interpolated",
    "llama3",
    "longrope",
    "ntk",
    "partial",
    "proportional",
    "yarn",
]
