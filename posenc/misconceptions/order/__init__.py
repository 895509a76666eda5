"""Mistakes in attention without positions (lesson 1)."""

from __future__ import annotations

from posenc.misconceptions.entry import Family

__all__ = ["HERE"]

HERE: tuple[Family, ...] = ()
