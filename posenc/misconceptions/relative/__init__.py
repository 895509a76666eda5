"""Mistakes in relative positions (lesson 4): in Shaw's index, in T5's buckets, in where a bias is added."""

from __future__ import annotations

from posenc.misconceptions.relative.biased_attention_scale import BIASED_ATTENTION
from posenc.misconceptions.relative.relative_index_clip import RELATIVE_INDEX
from posenc.misconceptions.relative.t5_bucket_logarithm import T5_BUCKET

__all__ = ["HERE"]

HERE = (RELATIVE_INDEX, T5_BUCKET, BIASED_ATTENTION)
