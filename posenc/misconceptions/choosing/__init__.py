"""Mistakes in choosing (lesson 10): in counting costs, and in a decoder block put together."""

from __future__ import annotations

from posenc.misconceptions.choosing.attend import ATTEND
from posenc.misconceptions.choosing.cache_bytes import CACHE_BYTES
from posenc.misconceptions.choosing.decode_block_memory import DECODE_BLOCK
from posenc.misconceptions.choosing.extend_cache import EXTEND_CACHE
from posenc.misconceptions.choosing.extra_parameters_counts import EXTRA_PARAMETERS
from posenc.misconceptions.choosing.turn_heads import TURN_HEADS

__all__ = ["HERE"]

HERE = (EXTRA_PARAMETERS, CACHE_BYTES, TURN_HEADS, EXTEND_CACHE, ATTEND, DECODE_BLOCK)
