"""Forged files: bytes that were changed after the take was written. The reader refuses them all."""

from __future__ import annotations

import re

from walkon.take.container import packed, unpacked


def byte_flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def cut_short(data: bytes) -> bytes:
    return data[:-1000]


def something_appended(data: bytes) -> bytes:
    return data + b"\0"


def seal_removed(data: bytes) -> bytes:
    return data.replace(b"walkon take", b"walkon fake")


def seal_of_another_take(data: bytes) -> bytes:
    """The members are another take's, sealed as this one."""
    other = packed({**unpacked(data), "scene.json": b"{}"})
    return other[:-160] + data[-160:]


def digest_invented(data: bytes) -> bytes:
    return re.sub(rb"[0-9a-f]{64}$", b"0" * 64, data)


def newer_version_claimed(data: bytes) -> bytes:
    return data.replace(b"walkon take 1 ", b"walkon take 9 ")


SEALS = (
    byte_flipped,
    cut_short,
    something_appended,
    seal_removed,
    seal_of_another_take,
    digest_invented,
    newer_version_claimed,
)
