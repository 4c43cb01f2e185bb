"""Arrays as .npy members of a take: equal arrays are stored once, and nothing is unpickled.

Written by numpy, read by hand: only headers such as we write are accepted, and they are checked against the bytes
there are before anything is allocated.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.errors import TakeError
from walkon.records import JsonObject

DTYPES = ("<f8", "<i8", "|b1")
"""The types of numbers a take holds."""

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][fib][18])', 'fortran_order': False, 'shape': \((\d{1,12}(?:, ?\d{1,12})*),?\), \} *\n"
)


class ArrayWriter:
    """Collects arrays as members `arrays/0000.npy`, and so on; the same array twice is one member."""

    def __init__(self) -> None:
        self.members: dict[str, bytes] = {}
        self._names: dict[bytes, str] = {}

    def add(self, values: ArrayLike, dtype: str) -> str:
        """The name of the member that holds the values."""
        buffer = io.BytesIO()
        np.lib.format.write_array(
            buffer, np.ascontiguousarray(values, dtype=dtype), version=(1, 0), allow_pickle=False
        )
        content = buffer.getvalue()
        name = self._names.setdefault(content, f"arrays/{len(self._names):04d}.npy")
        self.members[name] = content
        return name


class ArrayReader:
    """Hands out the arrays among the members of a take. most: bytes in all; an array given out twice counts twice,
    because who gets it may copy it."""

    def __init__(self, members: Mapping[str, bytes], most: float = math.inf) -> None:
        self._members = members
        self._known: dict[str, NDArray] = {}
        self._left = most

    def get(self, record: JsonObject, key: str, dtype: str, shape: tuple[int | None, ...]) -> NDArray:
        """The array whose name a record holds under `key`, read-only; None in the shape stands for any number."""
        name = record.text(key)
        if name not in self._known:
            content = self._members.get(name)
            if content is None:
                raise TakeError(f"there is no array {name!r:.40}")
            self._known[name] = parse_array(content, name)
        array = self._known[name]
        fits = len(array.shape) == len(shape) and all(
            b is None or a == b for a, b in zip(array.shape, shape, strict=True)
        )
        if array.dtype.str != dtype or not fits:
            wanted = ", ".join("any" if length is None else str(length) for length in shape)
            raise TakeError(f"{name} holds {array.dtype.str} {array.shape}, expected {dtype} ({wanted})")
        self._left -= array.nbytes
        if self._left < 0:
            raise TakeError(f"{name} is used more often than a file of this size may")
        return array


def parse_array(content: bytes, name: str) -> NDArray:
    """The array in the bytes of a .npy file as we write them."""
    length = int.from_bytes(content[8:10], "little")
    header = _HEADER.fullmatch(content[10 : 10 + length])
    if content[:8] != _MAGIC or header is None or header[1].decode() not in DTYPES:
        raise TakeError(f"{name} is no array of a take")
    dtype = np.dtype(header[1].decode())
    shape = tuple(int(number) for number in header[2].split(b","))
    body = memoryview(content)[10 + length :]
    if math.prod(shape) * dtype.itemsize != len(body):
        raise TakeError(f"{name} has {len(body)} bytes of numbers; {dtype.str} {shape} needs another number")
    if dtype.kind == "b" and (np.frombuffer(body, np.uint8) > 1).any():
        raise TakeError(f"{name} holds truth values other than 0 and 1")
    return np.frombuffer(body, dtype).reshape(shape)
