"""Other people's code in the precision that it was released in, or the same code in double.

Released code works out frequencies in float32 whatever its inputs are, so it cannot confirm more than six
digits. In double here means: the names and methods by which it asks for float32 give float64 for a while.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from unittest import mock

import torch

_SINGLE = torch.float32


@contextlib.contextmanager
def precision(dtype: str) -> Iterator[None]:
    """Run torch code as it is ("float32") or in double ("float64")."""
    if dtype == "float32":
        yield
        return
    with contextlib.ExitStack() as stack:
        for name in ("float", "float32"):
            stack.enter_context(mock.patch.object(torch, name, torch.float64))
        stack.enter_context(mock.patch.object(torch.Tensor, "float", torch.Tensor.double))
        stack.enter_context(mock.patch.object(torch, "FloatTensor", torch.DoubleTensor))
        torch.set_default_dtype(torch.float64)
        stack.callback(torch.set_default_dtype, _SINGLE)
        yield
