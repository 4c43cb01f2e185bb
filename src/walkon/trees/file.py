"""Forest files: flat arrays behind a short header, mapped into memory, so that many processes share one copy.

    bytes 0-15    b"walkon tree\\r\\n\\x1a\\n\\0"
    16-19         version of the format, as are all numbers here little-endian
    20-23         length of the header
    24-31         length of the file
    32-           the header, JSON: settings, and type, shape and place of every array
    ...           the arrays, each at a multiple of 64 bytes
    last 32       SHA-256 of everything before

So a file that was cut short, or altered by one byte anywhere, is refused. Hashes guard against accidents; that
every number leads somewhere is checked besides (see `checking`), since kernels follow them without looking.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
import sys
from functools import cache
from pathlib import Path
from types import UnionType
from typing import IO, Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from walkon.errors import TreeError
from walkon.files import atomic_path
from walkon.trees.checking import check_forest
from walkon.trees.forest import Forest

FORMAT = 1
"""Version of the file format that is written, and the newest that is read."""

MAGIC = b"walkon tree\r\n\x1a\n\0"
ALIGNMENT = 64
MOST_HEADER = 1 << 16
MOST_TEXT, MOST_TEXTS = 1000, 1000
_PREFIX = struct.Struct("<16sIIQ")
_DIGEST = 32
_CHUNK = 1 << 22


def write_forest(forest: Forest, path: Path | str) -> None:
    """Write a forest, whole or not at all; by custom the file is called *.tree. Equal forests give equal bytes."""
    check_forest(forest)
    if sys.byteorder != "little":
        raise TreeError("forest files are written on little-endian machines only")
    arrays = {name: np.ascontiguousarray(array) for name, array in forest.arrays().items()}
    header = _written(forest.settings(), arrays)
    places, end = _layout(arrays, len(header))
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        sealed = _Sealed(file)
        sealed.write(_PREFIX.pack(MAGIC, FORMAT, len(header), end + _DIGEST))
        sealed.write(header)
        for name, array in arrays.items():
            sealed.fill(places[name])
            sealed.write(array.reshape(-1).view(np.uint8).data)
        sealed.fill(end)
        file.write(sealed.digest.digest())


def read_forest(path: Path | str) -> Forest:
    """The forest in a file, mapped into memory: its arrays are read from the disk as they are used, and shared
    with all processes that read the same file. Raises TreeError if it was cut short, altered, or is too new."""
    try:
        if Path(path).stat().st_size == 0:
            raise TreeError("the file is empty")
        mapped = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
        return parse_forest(mapped)
    except (OSError, ValueError) as error:
        what = error.strerror or error if isinstance(error, OSError) else error
        raise TreeError(f"{path}: {what}") from None


def parse_forest(data: NDArray[np.uint8]) -> Forest:
    """The forest in the bytes of a file; its arrays are views of them."""
    header = _unsealed(data)
    try:
        described = json.loads(header.tobytes().decode())
    except (ValueError, RecursionError):
        raise TreeError("the header is no JSON") from None
    if not isinstance(described, dict) or set(described) != {"settings", "arrays"}:
        raise TreeError("the header should have settings and arrays, and nothing else")
    values: dict[str, Any] = _settings(described["settings"])
    values.update(_arrays(described["arrays"], data, len(header)))
    forest = Forest(**values)
    check_forest(forest)
    return forest


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


def _written(settings: dict[str, object], arrays: dict[str, NDArray]) -> bytes:
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


def _layout(arrays: dict[str, NDArray], header: int) -> tuple[dict[str, int], int]:
    """Where every array begins, and where the last one ends: everything at multiples of ALIGNMENT."""
    places, end = {}, _aligned(_PREFIX.size + header)
    for name, array in arrays.items():
        places[name] = end
        end = _aligned(end + array.nbytes)
    return places, end


def _aligned(place: int) -> int:
    return -(-place // ALIGNMENT) * ALIGNMENT


def _unsealed(data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes of the header, after everything was found to be as it was written."""
    if data[: len(MAGIC)].tobytes() != MAGIC[: len(data)]:
        raise TreeError("this is no forest of search trees")
    if len(data) < _PREFIX.size + _DIGEST:
        raise TreeError(f"the file was cut short: it has {len(data)} bytes")
    _, version, header, length = _PREFIX.unpack(data[: _PREFIX.size].tobytes())
    if version > FORMAT:
        raise TreeError(f"it was written by a newer walkon, in version {version}; this one reads {FORMAT}")
    if length != len(data):
        raise TreeError(f"the file was cut short or added to: {len(data)} bytes where there should be {length}")
    if version < 1 or header > min(MOST_HEADER, len(data) - _PREFIX.size - _DIGEST):
        raise TreeError(f"a header of {header} bytes in version {version} is none of ours")
    seen = hashlib.sha256()
    for begin in range(0, len(data) - _DIGEST, _CHUNK):
        seen.update(data[begin : min(begin + _CHUNK, len(data) - _DIGEST)].data)
    if seen.digest() != data[-_DIGEST:].tobytes():
        raise TreeError("the file was altered: its content does not agree with its checksum")
    return data[_PREFIX.size : _PREFIX.size + header]


@cache
def _kinds() -> tuple[dict[str, Any], dict[str, tuple[str, ...]]]:
    """The settings of a forest with their types, and its arrays with the types of numbers they may hold."""
    settings, arrays = {}, {}
    for name, hint in get_type_hints(Forest).items():
        choices = get_args(hint) if get_origin(hint) is UnionType else (hint,)
        if get_origin(choices[0]) is np.ndarray:
            arrays[name] = tuple(np.dtype(get_args(get_args(choice)[1])[0]).str for choice in choices)
        else:
            settings[name] = hint
    return settings, arrays


def _settings(given: Any) -> dict[str, Any]:
    expected, _ = _kinds()
    if not isinstance(given, dict) or set(given) != set(expected):
        raise TreeError(f"the settings should be {', '.join(expected)}, no more and no less")
    return {name: _setting(name, given[name], kind) for name, kind in expected.items()}


def _setting(name: str, value: Any, kind: Any) -> Any:
    if kind is float and type(value) in (int, float) and abs(value) < 1e12:
        return float(value)
    if kind is int and type(value) is int and abs(value) < 2**63:
        return value
    if kind is str and type(value) is str and len(value) <= MOST_TEXT:
        return value
    if kind not in (float, int, str) and isinstance(value, list) and len(value) <= MOST_TEXTS:
        return tuple(_setting(name, item, str) for item in value)
    raise TreeError(f"setting {name} cannot be {str(value)[:40]!r}")


def _arrays(given: Any, data: NDArray[np.uint8], header: int) -> dict[str, NDArray]:
    """The arrays as views of the file, which must lie exactly where we would put them."""
    _, expected = _kinds()
    if not isinstance(given, dict) or list(given) != list(expected):
        raise TreeError(f"the arrays should be {', '.join(expected)}, no more and no less, in that order")
    found, place = {}, _aligned(_PREFIX.size + header)
    for name, choices in expected.items():
        dtype, shape = _array(name, given[name], choices, place)
        size = math.prod(shape) * dtype.itemsize
        if size > len(data) - _DIGEST - place:
            raise TreeError(f"{name} {shape} would be larger than the file")
        found[name] = data[place : place + size].view(dtype).reshape(shape)
        place = _aligned(place + size)
    if place != len(data) - _DIGEST:
        raise TreeError(f"the arrays end at {place}, the file at {len(data) - _DIGEST}")
    return found


def _array(name: str, given: Any, choices: tuple[str, ...], place: int) -> tuple[np.dtype, tuple[int, ...]]:
    if not isinstance(given, dict) or set(given) != {"dtype", "shape", "offset"} or given["offset"] != place:
        raise TreeError(f"{name} should have dtype, shape and offset {place}")
    dtype, shape = given["dtype"], given["shape"]
    if dtype not in choices:
        raise TreeError(f"{name} holds {str(dtype)[:40]!r}, expected {' or '.join(choices)}")
    whole = isinstance(shape, list) and all(type(side) is int and 0 <= side < 2**48 for side in shape)
    if not whole or not 1 <= len(shape) <= 3:
        raise TreeError(f"{name} has no shape: {str(shape)[:40]}")
    return np.dtype(dtype), tuple(shape)
