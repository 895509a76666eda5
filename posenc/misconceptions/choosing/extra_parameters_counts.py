"""Mistakes in counting what an encoding adds: learned or not, in each layer or once, how many rows, how wide.

Wrong on purpose, each for one encoding.
"""

from __future__ import annotations

from posenc.misconceptions.choosing.extra_parameters import (
    BUCKETS,
    EXTRA_PARAMETERS,
    RIGHT,
    ROWS,
    Formula,
    counted,
)

__all__ = ["EXTRA_PARAMETERS"]

#: Name, encoding, line, and how it is counted.
_MISTAKES: tuple[tuple[str, str, str, Formula], ...] = (
    (
        "learned-each-layer",
        "learned",
        "The learned table is counted once a layer. It is added to the embeddings, before the first "
        "layer, and "
        "nowhere else.",
        lambda n, d, h, layers: layers * n * d,
    ),
    (
        "learned-head-width",
        "learned",
        "The learned rows are as wide as one head. They are added to the embeddings, so each has d numbers.",
        lambda n, d, h, layers: n * (d // h),
    ),
    (
        "learned-each-head",
        "learned",
        "The learned table is counted once a head. It is added before anything is split into heads.",
        lambda n, d, h, layers: n * d * h,
    ),
    (
        "learned-extra-row",
        "learned",
        "There is a row too many in the learned table: positions 0 to n - 1 are n rows.",
        lambda n, d, h, layers: (n + 1) * d,
    ),
    (
        "learned-number",
        "learned",
        "A learned position is one number here. It is a row of d numbers.",
        lambda n, d, h, layers: n,
    ),
    (
        "sinusoidal-counted",
        "sinusoidal",
        "The table of sinusoids is counted. It takes memory, but a formula fills it and training "
        "never moves it.",
        lambda n, d, h, layers: n * d,
    ),
    (
        "rope-frequencies",
        "rope",
        "RoPE's frequencies are counted. They follow from the base and the head's width: none is learned.",
        lambda n, d, h, layers: d // h // 2,
    ),
    (
        "rope-table",
        "rope",
        "RoPE's table of cosines and sines is counted. It is computed from positions, and none of it "
        "is learned.",
        lambda n, d, h, layers: n * (d // h),
    ),
    (
        "alibi-slopes",
        "alibi",
        "ALiBi's slopes are counted, one a head. They follow from the number of heads: none is learned.",
        lambda n, d, h, layers: h,
    ),
    (
        "alibi-bias",
        "alibi",
        "ALiBi's whole bias matrix is counted. It is computed from slopes and distances, and none of "
        "it is learned.",
        lambda n, d, h, layers: h * n * n,
    ),
    (
        "t5-each-layer",
        "t5",
        "T5's table is counted once a layer. All layers of a stack read the same one.",
        lambda n, d, h, layers: layers * BUCKETS * h,
    ),
    (
        "t5-one-head",
        "t5",
        "T5's heads share their numbers here. Each bucket has a number for each head.",
        lambda n, d, h, layers: BUCKETS,
    ),
    (
        "t5-each-distance",
        "t5",
        "There is a number for every distance here. T5 sorts all distances into 32 buckets, however "
        "long the text.",
        lambda n, d, h, layers: (2 * n - 1) * h,
    ),
    (
        "t5-each-position",
        "t5",
        "There are n rows here. T5's rows are its 32 buckets, however long the text.",
        lambda n, d, h, layers: n * h,
    ),
    (
        "t5-vectors",
        "t5",
        "T5's buckets hold vectors of d features here. They hold a single number for each head, "
        "added to the score.",
        lambda n, d, h, layers: BUCKETS * d,
    ),
    (
        "shaw-keys-only",
        "shaw",
        "Only one of Shaw's two tables is counted. One is added to the keys, the other to the values.",
        lambda n, d, h, layers: layers * ROWS * (d // h),
    ),
    (
        "shaw-once",
        "shaw",
        "Shaw's tables are counted once for all layers. Each layer has its own.",
        lambda n, d, h, layers: 2 * ROWS * (d // h),
    ),
    (
        "shaw-each-head",
        "shaw",
        "Shaw's rows are d wide, or counted once a head. They are as wide as one head, and the heads "
        "share them.",
        lambda n, d, h, layers: layers * 2 * ROWS * d,
    ),
    (
        "shaw-even-rows",
        "shaw",
        "Shaw's table has 2k rows here. Offsets from -k to k are 2k + 1 rows: 0 is one of them.",
        lambda n, d, h, layers: layers * 2 * (ROWS - 1) * (d // h),
    ),
    (
        "shaw-one-side",
        "shaw",
        "Shaw's table has rows for one direction only. Keys before and after the query have rows of "
        "their own.",
        lambda n, d, h, layers: layers * 2 * (ROWS // 2 + 1) * (d // h),
    ),
    (
        "shaw-each-distance",
        "shaw",
        "There is a row for every distance here. Shaw clips distances at k, so the text's length "
        "does not matter.",
        lambda n, d, h, layers: layers * 2 * (2 * n - 1) * (d // h),
    ),
    (
        "shaw-numbers",
        "shaw",
        "Shaw's rows are a number for each head here. They are vectors as wide as a head, added to "
        "keys and values.",
        lambda n, d, h, layers: layers * 2 * ROWS * h,
    ),
)


def _add(name: str, encoding: str, line: str, formula: Formula) -> None:
    EXTRA_PARAMETERS.add(name, line)(counted({**RIGHT, encoding: formula}))


for _mistake in _MISTAKES:
    _add(*_mistake)


@EXTRA_PARAMETERS.add(
    "unknown-name",
    "A name that is not in the list counts as 0. Raise ValueError, or a misspelt encoding looks free.",
)
def _unknown_name(encoding: str, n: int, d: int, h: int, layers: int) -> int:
    return RIGHT.get(encoding, RIGHT["none"])(n, d, h, layers)
