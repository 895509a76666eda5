"""What crosses between the trusted and the untrusted side: plain data as tagged lists, in frames.

Nothing here runs code that came over the wire: no pickle, no object arrays, no subclasses.
"""

from autograder.wire.changes import Ledger, apply
from autograder.wire.frames import Closed, Expired, Frames, Garbled
from autograder.wire.values import Lender, Malformed, Unsendable, decode, encode

__all__ = [
    "Closed",
    "Expired",
    "Frames",
    "Garbled",
    "Ledger",
    "Lender",
    "Malformed",
    "Unsendable",
    "apply",
    "decode",
    "encode",
]
