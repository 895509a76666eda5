"""English prose, character by character: the help texts that come with Python.

Read from the installed Python, never copied. A full Python has `pydoc_data.topics`, some 465 000 characters;
versions of Python differ a little in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from posenc.lab.registers import Batch

Array: TypeAlias = NDArray[Any]

__all__ = ["ALPHABET", "Text"]

#: Printable ASCII and the newline; the last one stands for everything else.
ALPHABET = "".join(map(chr, range(32, 127))) + "\n\N{REPLACEMENT CHARACTER}"
#: Topics whose names come after this one in the alphabet are kept for the test: a tenth of the text.
LAST_TRAINED = "types"


@dataclass(frozen=True)
class Text:
    """Guess the next character. `held_out` chooses the part that no model was trained on."""

    held_out: bool = False
    sizes: ClassVar[tuple[int]] = (len(ALPHABET),)

    @cached_property
    def codes(self) -> Array:
        """The text as numbers, an index of `ALPHABET` for each character.

        Raises
        ------
        ModuleNotFoundError
            If this Python was built without its help texts.
        """
        return encode("\n".join(text for name, text in topics() if (name > LAST_TRAINED) is self.held_out))

    def batch(self, rng: np.random.Generator, size: int, n: int) -> Batch:
        """Draw `size` pieces of `n` characters, each with the characters that follow."""
        return self.pieces(rng.integers(0, len(self.codes) - n, size), n)

    def spread(self, size: int, n: int) -> Batch:
        """Take `size` pieces of `n` characters evenly from the whole text, the same ones each time."""
        return self.pieces(np.linspace(0, len(self.codes) - n - 1, size).astype(int), n)

    def pieces(self, starts: Array, n: int) -> Batch:
        """Cut pieces of `n` characters that begin at `starts`."""
        cut = self.codes[starts[:, None] + np.arange(n + 1)]
        return Batch(cut[None, :, :-1], cut[:, 1:], np.ones((len(starts), n)))


def topics() -> list[tuple[str, str]]:
    """Return the help texts by name, in alphabetical order."""
    try:
        from pydoc_data import topics as found
    except ImportError:
        raise ModuleNotFoundError(
            "this Python has no pydoc_data.topics, the help texts that the model reads; install a full"
            " Python, such as that of python.org or conda"
        ) from None
    return sorted(found.topics.items())


def encode(text: str) -> Array:
    """Return the index of each character in `ALPHABET`."""
    index = {character: i for i, character in enumerate(ALPHABET)}
    return np.array([index.get(character, len(ALPHABET) - 1) for character in text])
