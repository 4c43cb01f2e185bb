"""Damage to sealed files of arrays (`walkon.array_files`): as a whole, or before they are sealed anew."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from functools import partial

import _runner

from walkon.array_files import ALIGNMENT, PREFIX, SEAL


def parts(data: bytes) -> tuple[bytes, bytes]:
    """The header of a good file, and the arrays behind it."""
    _, _, length, _ = PREFIX.unpack(data[: PREFIX.size])
    begin = -(-(PREFIX.size + length) // ALIGNMENT) * ALIGNMENT
    return data[PREFIX.size : PREFIX.size + length], data[begin:-SEAL]


def sealed(magic: bytes, header: bytes, arrays: bytes, *, version: int = 1) -> bytes:
    """A file with that header and those arrays, its lengths and its seal as they should be."""
    room = -(PREFIX.size + len(header)) % ALIGNMENT
    length = PREFIX.size + len(header) + room + len(arrays) + SEAL
    content = PREFIX.pack(magic, version, len(header), length) + header + bytes(room) + arrays
    return content + hashlib.sha256(content).digest()


def damaged(data: bytes, rng: random.Random, tokens: Sequence[bytes], *, sizes: Sequence[int], most: int) -> bytes:
    """A damaged file: as a whole, or sealed after its header or its arrays were damaged.

    sizes: of numbers [bytes] that are replaced as a whole. most: small numbers that replace them are below.
    """
    magic, version, _, _ = PREFIX.unpack(data[: PREFIX.size])
    seal, (header, arrays) = partial(sealed, magic, version=version), parts(data)
    match rng.randrange(5):
        case 0:
            return _runner.mutated(data, rng, tokens)
        case 1:
            return seal(_runner.mutated(header, rng, tokens), arrays)
        case 2:
            return seal(_other_digits(header, rng), arrays)
        case 3:
            return seal(header, _runner.mutated(arrays, rng, tokens))
    return seal(header, _other_numbers(arrays, rng, sizes, most))


def _other_digits(header: bytes, rng: random.Random) -> bytes:
    """A header with a digit or two changed: still JSON, of the same length, but with other sizes and settings."""
    body = bytearray(header)
    digits = [place for place, letter in enumerate(body) if 48 <= letter < 58]
    for _ in range(rng.randint(1, 2)):
        body[rng.choice(digits)] = rng.choice(b"0123456789")
    return bytes(body)


def _other_numbers(arrays: bytes, rng: random.Random, sizes: Sequence[int], most: int) -> bytes:
    """Arrays with a few bytes changed, or a few whole numbers."""
    body = bytearray(arrays)
    for _ in range(rng.randint(1, 2)):
        size = rng.choice(sizes)
        place = rng.randrange(len(body) // size) * size
        small = rng.randrange(-2, most).to_bytes(size, "little", signed=True)
        body[place : place + size] = rng.choice((small, rng.randbytes(size), b"\xff" * size))
    return bytes(body)
