"""Files of named arrays: flat memory behind a short header, sealed, and mapped so that many processes share it.

    bytes 0-15    what kind of file it is
    16-19         version of the format, as are all numbers here little-endian
    20-23         length of the header
    24-31         length of the file
    32-           the header, JSON: settings, and type, shape and place of every array
    ...           the arrays, each at a multiple of 64 bytes
    last 32       SHA-256 of everything before

So a file that was cut short, or altered by one byte anywhere, is refused, and no size is believed that is larger
than the file. Hashes guard against accidents; who reads a file still has to check that its numbers lead somewhere.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from walkon.errors import WalkonError
from walkon.files import atomic_path

ALIGNMENT = 64
PREFIX = struct.Struct("<16sIIQ")
SEAL = 32
_CHUNK = 1 << 22


@dataclass(frozen=True)
class ArrayFormat:
    """One kind of file.

    magic: 16 bytes it begins with. version: that is written, and the newest that is read. what: it holds, in
    words. error: raised about it. most_header: bytes of the longest header. dimensions: the most an array has.
    oldest: version that is read.
    """

    magic: bytes
    version: int
    what: str
    error: type[WalkonError]
    most_header: int = 1 << 16
    dimensions: int = 3
    oldest: int = 1

    def fail(self, message: str) -> NoReturn:
        """Raise the error of this kind of file."""
        raise self.error(message) from None


def write_arrays(
    path: Path | str, kind: ArrayFormat, settings: Mapping[str, object], arrays: Mapping[str, NDArray]
) -> None:
    """Write a file, whole or not at all; the same settings and arrays give the same bytes."""
    if sys.byteorder != "little":
        kind.fail("files of arrays are written on little-endian machines only")
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    header = _written(settings, arrays)
    if len(header) > kind.most_header:
        kind.fail(f"a header of {len(header)} bytes is longer than {kind.most_header}")
    places, end = _layout(arrays, len(header))
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        sealed = _Sealed(file)
        sealed.write(PREFIX.pack(kind.magic, kind.version, len(header), end + SEAL))
        sealed.write(header)
        for name, array in arrays.items():
            sealed.fill(places[name])
            sealed.write(array.reshape(-1).view(np.uint8).data)
        sealed.fill(end)
        file.write(sealed.digest.digest())


def map_file(path: Path | str, kind: ArrayFormat) -> NDArray[np.uint8]:
    """The bytes of a file, mapped into memory: read from the disk as they are used."""
    try:
        if Path(path).stat().st_size == 0:
            kind.fail("the file is empty")
        return np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
    except (OSError, ValueError) as error:
        what = error.strerror or error if isinstance(error, OSError) else error
        raise kind.error(f"{path}: {what}") from None


def parse_arrays(
    data: NDArray[np.uint8], kind: ArrayFormat, expected: Mapping[str, tuple[str, ...]]
) -> tuple[Any, dict[str, NDArray]]:
    """The settings in the bytes of a file, as JSON has them, and its arrays as views of the bytes.

    expected: for every array, in order, the types of numbers it may hold, such as "<f8".
    """
    header = _unsealed(data, kind)
    try:
        described = json.loads(header.tobytes().decode())
    except (ValueError, RecursionError):
        kind.fail("the header is no JSON")
    if not isinstance(described, dict) or set(described) != {"settings", "arrays"}:
        kind.fail("the header should have settings and arrays, and nothing else")
    return described["settings"], _arrays(described["arrays"], data, len(header), kind, expected)


class _Sealed:
    """Writes to a file, and keeps count and digest of what was written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._count = 0
        self.digest = hashlib.sha256()

    def write(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self.digest.update(data)
        self._count += len(data)

    def fill(self, place: int) -> None:
        """Zeros up to a place."""
        self.write(bytes(place - self._count))


def _written(settings: Mapping[str, object], arrays: Mapping[str, NDArray]) -> bytes:
    """The header. Places are found by trying: where arrays begin depends on how long the header is."""
    length = 0
    while True:
        places, _ = _layout(arrays, length)
        listed = {
            name: {"dtype": array.dtype.str, "shape": array.shape, "offset": places[name]}
            for name, array in arrays.items()
        }
        described = {"settings": settings, "arrays": listed}
        header = json.dumps(described, allow_nan=False, indent=1, default=np.generic.item).encode()
        if len(header) <= length:
            return header + b" " * (length - len(header))
        length = len(header)


def _layout(arrays: Mapping[str, NDArray], header: int) -> tuple[dict[str, int], int]:
    """Where every array begins, and where the last one ends: everything at multiples of ALIGNMENT."""
    places, end = {}, _aligned(PREFIX.size + header)
    for name, array in arrays.items():
        places[name] = end
        end = _aligned(end + array.nbytes)
    return places, end


def _aligned(place: int) -> int:
    return -(-place // ALIGNMENT) * ALIGNMENT


def _unsealed(data: NDArray[np.uint8], kind: ArrayFormat) -> NDArray[np.uint8]:
    """The bytes of the header, after everything was found to be as it was written."""
    if data[: len(kind.magic)].tobytes() != kind.magic[: len(data)]:
        kind.fail(f"this is no {kind.what}")
    if len(data) < PREFIX.size + SEAL:
        kind.fail(f"the file was cut short: it has {len(data)} bytes")
    _, version, header, length = PREFIX.unpack(data[: PREFIX.size].tobytes())
    if version > kind.version:
        kind.fail(f"it was written by a newer walkon, in version {version}; this one reads {kind.version}")
    if 1 <= version < kind.oldest:
        kind.fail(f"it was written by an older walkon, in version {version}, and must be made again")
    if length != len(data):
        kind.fail(f"the file was cut short or added to: {len(data)} bytes where there should be {length}")
    if version < 1 or header > min(kind.most_header, len(data) - PREFIX.size - SEAL):
        kind.fail(f"a header of {header} bytes in version {version} is none of ours")
    seen = hashlib.sha256()
    for begin in range(0, len(data) - SEAL, _CHUNK):
        seen.update(data[begin : min(begin + _CHUNK, len(data) - SEAL)].data)
    if seen.digest() != data[-SEAL:].tobytes():
        kind.fail("the file was altered: its content does not agree with its checksum")
    return data[PREFIX.size : PREFIX.size + header]


def _arrays(
    given: Any,
    data: NDArray[np.uint8],
    header: int,
    kind: ArrayFormat,
    expected: Mapping[str, tuple[str, ...]],
) -> dict[str, NDArray]:
    """The arrays as views of the file, which must lie exactly where we would put them."""
    if not isinstance(given, dict) or list(given) != list(expected):
        kind.fail(f"the arrays should be {', '.join(expected)}, no more and no less, in that order")
    found, place = {}, _aligned(PREFIX.size + header)
    for name, choices in expected.items():
        dtype, shape = _array(name, given[name], choices, place, kind)
        size = math.prod(shape) * dtype.itemsize
        if size > len(data) - SEAL - place:
            kind.fail(f"{name} {shape} would be larger than the file")
        found[name] = data[place : place + size].view(dtype).reshape(shape)
        place = _aligned(place + size)
    if place != len(data) - SEAL:
        kind.fail(f"the arrays end at {place}, the file at {len(data) - SEAL}")
    return found


def _array(
    name: str, given: Any, choices: tuple[str, ...], place: int, kind: ArrayFormat
) -> tuple[np.dtype, tuple[int, ...]]:
    if not isinstance(given, dict) or set(given) != {"dtype", "shape", "offset"} or given["offset"] != place:
        kind.fail(f"{name} should have dtype, shape and offset {place}")
    dtype, shape = given["dtype"], given["shape"]
    if dtype not in choices:
        kind.fail(f"{name} holds {str(dtype)[:40]!r}, expected {' or '.join(choices)}")
    whole = isinstance(shape, list) and all(type(side) is int and 0 <= side < 2**48 for side in shape)
    if not whole or not 1 <= len(shape) <= kind.dimensions:
        kind.fail(f"{name} has no shape: {str(shape)[:40]}")
    return np.dtype(dtype), tuple(shape)
