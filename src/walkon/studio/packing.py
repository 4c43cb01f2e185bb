"""Commits as bytes, little endian: u8 kind, u8 version, u16 0, u32 frame, u32 M, u32 S, then the arrays.

u32 who[M], u32 starts[M + 1], u32 clips[S], u32 frames[S], f32 placements[3 S]. Every part begins at a multiple of
four bytes, so a browser can look at the arrays without copying them.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

COMMITS, HISTORY = 1, 2
VERSION = 1
PACKET_HEADER = struct.Struct("<BBHIII")


class Committed(Protocol):
    """What is packed; see `walkon.crowd.live`."""

    @property
    def who(self) -> NDArray: ...
    @property
    def starts(self) -> NDArray: ...
    @property
    def clips(self) -> NDArray: ...
    @property
    def frames(self) -> NDArray: ...
    @property
    def placements(self) -> NDArray: ...


def pack(kind: int, frame: int, commits: Committed) -> bytes:
    """Commits as one binary message. frame: now."""
    header = PACKET_HEADER.pack(kind, VERSION, 0, frame, len(commits.who), len(commits.clips))
    whole = (commits.who, commits.starts, commits.clips, commits.frames)
    arrays = [np.ascontiguousarray(array, dtype="<u4").tobytes() for array in whole]
    return b"".join([header, *arrays, np.ascontiguousarray(commits.placements, dtype="<f4").tobytes()])
