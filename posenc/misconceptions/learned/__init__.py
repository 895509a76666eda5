"""Mistakes in learned encodings (lesson 3)."""

from __future__ import annotations

from posenc.misconceptions.entry import Family

__all__ = ["HERE"]

HERE: tuple[Family, ...] = ()
