"""Plain data as tagged lists: what may cross, and how it is written and read.

Theory of operation
-------------------
Every value becomes ``[tag, ...]``, so that no value can be mistaken for a tag: a student's list ``["f", 1]``
travels as ``["l", [["s", "f"], ["i", 1]]]``. Lists, dicts and arrays are *mutable*: each gets a number in the
order in which it is met, and meeting it again writes ``["m", number]``. Both sides of a call number alike, so
an argument that comes back keeps its identity. What is not plain data stays with its owner and is lent: the
other side gets a handle.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

import numpy as np

DEPTH = 60
SIZE = 40 * 2**20
_KINDS = "biufcUSmM"
_DTYPE = re.compile(r"[<>=|]?[biufcUSmM]\d{0,7}(\[\w{1,12}\])?\Z")
_NAMED_TYPES: dict[str, type] = {
    **{kind.__name__: kind for kind in (bool, int, float, complex, str, bytes, list, tuple, dict)},
    **{f"numpy.{kind.__name__}": kind for kind in np.sctypeDict.values() if isinstance(kind, type)},
}
_TYPE_NAMES = {kind: name for name, kind in _NAMED_TYPES.items()}
_WORDS = {"masked array": np.ma.MaskedArray, "matrix": np.matrix, "record array": np.recarray}


class Malformed(Exception):
    """A value that is not plain data; the message ends the sentence "your function returned …"."""


class Unsendable(TypeError):
    """The trusted side tried to send what cannot cross."""


class Lender(Protocol):
    """One side's handles: what it lends and what it has on loan."""

    def lend(self, value: object) -> list[Any]:
        """Return the tagged list of a handle for `value`."""

    def adopt(self, item: list[Any]) -> object:
        """Return what stands here for the handle `item`."""


def encode(value: object, mutables: list[object], lender: Lender, depth: int = 0) -> list[Any]:
    """Write `value` as a tagged list; new mutable objects are appended to `mutables`."""
    if depth > DEPTH:
        raise Malformed(f"data nested more than {DEPTH} deep")
    writer = _EXACT.get(type(value))
    if writer is not None:
        return writer(value)
    for number, known in enumerate(mutables):
        if known is value:
            return ["m", number]
    if isinstance(value, np.ndarray):
        return _write_array(value, mutables)
    if isinstance(value, list | tuple | dict):
        return _write_container(value, mutables, lender, depth)
    if isinstance(value, np.generic):
        return _write_scalar(value)
    if isinstance(value, np.dtype):
        return ["T", _dtype_name(value)]
    if isinstance(value, type) and value in _TYPE_NAMES:
        return ["k", _TYPE_NAMES[value]]
    return _write_subclass(value) or lender.lend(value)


_EXACT: dict[type, Callable[[Any], list[Any]]] = {
    type(None): lambda value: ["n"],
    bool: lambda value: ["b", value],
    int: lambda value: ["i", value] if -(2**62) < value < 2**62 else ["I", hex(value)],
    float: lambda value: ["f", value],
    complex: lambda value: ["c", value.real, value.imag],
    str: lambda value: ["s", value if len(value) <= SIZE else _refuse(len(value))],
    bytes: lambda value: ["y", _packed(value, len(value))],
    type(...): lambda value: ["e"],
}


def _packed(value: bytes | np.ndarray[Any, Any], size: int) -> str:
    if size > SIZE:
        _refuse(size)
    raw = value if isinstance(value, bytes) else value.tobytes()
    return base64.b64encode(raw).decode("ascii")


def _refuse(size: int) -> NoReturn:
    raise Malformed(f"{size >> 20} MB of data; at most {SIZE >> 20} MB may be returned")


def _write_subclass(value: object) -> list[Any] | None:
    """Write a member of an enumeration or the like as the plain number or text that it also is."""
    if isinstance(value, int):
        return _EXACT[int](int.__int__(value))
    if isinstance(value, float):
        return _EXACT[float](float.__float__(value))
    if isinstance(value, complex):
        return ["c", complex.real.__get__(value), complex.imag.__get__(value)]
    if isinstance(value, str):
        return _EXACT[str](str.__str__(value))
    return _EXACT[bytes](bytes.__getitem__(value, slice(None))) if isinstance(value, bytes) else None


def _write_container(value: Any, mutables: list[object], lender: Lender, depth: int) -> list[Any]:
    if isinstance(value, tuple):
        return ["t", [encode(item, mutables, lender, depth + 1) for item in tuple.__iter__(value)]]
    mutables.append(value)
    if isinstance(value, list):
        return ["l", [encode(item, mutables, lender, depth + 1) for item in list.__iter__(value)]]
    pairs = []
    for key, item in dict.items(value):
        if type(key) is not str:
            raise Malformed(f"a dict with a key of type {type(key).__name__}; keys must be strings")
        pairs.append([key, encode(item, mutables, lender, depth + 1)])
    return ["d", pairs]


def _dtype_name(dtype: np.dtype[Any]) -> str:
    if dtype.kind not in _KINDS or dtype.hasobject:
        raise Malformed(f"an array of dtype {dtype}; return an array of numbers")
    return dtype.str


def _write_array(value: np.ndarray[Any, Any], mutables: list[object]) -> list[Any]:
    if type(value) is not np.ndarray:
        word = next((word for word, kind in _WORDS.items() if isinstance(value, kind)), "subclass of ndarray")
        raise Malformed(f"a {word}; return a plain NumPy array")
    name = _dtype_name(value.dtype)
    mutables.append(value)
    data = _packed(value, value.nbytes)
    return ["a", name, list(value.shape), data, bool(value.flags.writeable)]


def _write_scalar(value: np.generic) -> list[Any]:
    name = _dtype_name(value.dtype)
    return ["g", name, base64.b64encode(value.tobytes()).decode("ascii")]


def decode(item: Any, mutables: list[object], lender: Lender, depth: int = 0) -> Any:
    """Read a tagged list; raise ValueError where it is not one."""
    if not isinstance(item, list) or not item or depth > DEPTH + 2:
        raise ValueError("not a tagged value")
    tag = item[0]
    reader = _PLAIN.get(tag) if isinstance(tag, str) else None
    try:
        if reader is not None:
            return reader(*item[1:])
        if tag == "a":
            array = _read_array(*item[1:])
            mutables.append(array)
            return array
        if tag == "m":
            return mutables[_index(item[1], len(mutables))]
        if tag in ("l", "t", "d"):
            return _read_container(tag, item[1], mutables, lender, depth)
        return lender.adopt(item)
    except (TypeError, IndexError, KeyError, OverflowError, binascii.Error) as error:
        raise ValueError(f"not a tagged value: {type(error).__name__}") from None


def _read_container(tag: str, items: Any, mutables: list[object], lender: Lender, depth: int) -> Any:
    if tag == "t":
        return tuple(decode(item, mutables, lender, depth + 1) for item in _listed(items))
    if tag == "l":
        result: list[Any] = []
        mutables.append(result)
        result.extend(decode(item, mutables, lender, depth + 1) for item in _listed(items))
        return result
    mapping: dict[str, Any] = {}
    mutables.append(mapping)
    for key, item in _listed(items):
        mapping[_text(key)] = decode(item, mutables, lender, depth + 1)
    return mapping


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("not a list")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("not text")
    return value


def _index(value: Any, length: int) -> int:
    if type(value) is not int or not 0 <= value < length:
        raise ValueError("not a known object")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise ValueError("not a number")
    return float(value)


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise ValueError("not an integer")
    return value


def _boolean(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("not a truth value")
    return value


def _dtype(name: Any) -> np.dtype[Any]:
    if not _DTYPE.match(_text(name)):
        raise ValueError("not a dtype")
    dtype: np.dtype[Any] = np.dtype(name)
    return dtype


def _read_array(name: Any, shape: Any, data: Any, writeable: Any) -> np.ndarray[Any, Any]:
    dtype = _dtype(name)
    sizes = tuple(_index(size, 2**40) for size in _listed(shape))
    raw = base64.b64decode(_text(data), validate=True)
    array = np.empty(sizes, dtype) if not raw else np.frombuffer(raw, dtype).reshape(sizes).copy()
    if array.nbytes != len(raw):
        raise ValueError("an array whose bytes do not fill its shape")
    array.flags.writeable = _boolean(writeable)
    return array


def _read_scalar(name: Any, data: Any) -> Any:
    raw = base64.b64decode(_text(data), validate=True)
    return np.frombuffer(raw, _dtype(name))[0] if raw else _dtype(name).type()


_PLAIN: dict[str, Callable[..., Any]] = {
    "n": lambda: None,
    "e": lambda: ...,
    "b": _boolean,
    "i": _integer,
    "I": lambda text: int(_text(text), 16),
    "f": _number,
    "c": lambda real, imag: complex(_number(real), _number(imag)),
    "s": _text,
    "y": lambda text: base64.b64decode(_text(text), validate=True),
    "T": _dtype,
    "k": lambda name: _NAMED_TYPES[name],
    "g": _read_scalar,
}
