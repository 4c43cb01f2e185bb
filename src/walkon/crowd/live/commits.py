"""What was decided, as arrays that can be sent, kept and replayed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Commits:
    """M decisions of S segments together.

    who: (M,) numbers of people. starts: (M + 1,) decision m has the segments starts[m] to starts[m + 1]. clips,
    frames: (S,) what is played, and from which frame on. placements: (S, 3) x, z, heading at that frame. From the
    frame of its first segment on, a decision replaces whatever that person had decided before.
    """

    who: NDArray[np.int64]
    starts: NDArray[np.int64]
    clips: NDArray[np.int64]
    frames: NDArray[np.int64]
    placements: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.who)


class CommitPile:
    """Decisions as they come, until somebody takes them away; no more than `most` segments are kept."""

    def __init__(self, most: int = 2_000_000) -> None:
        self._most = most
        self._parts: list[Commits] = []
        self._segments = 0

    def add(self, part: Commits) -> None:
        """Keep some more. If nobody ever takes them away, the oldest go."""
        if len(part):
            self._parts.append(part)
            self._segments += len(part.clips)
        while self._segments > self._most and len(self._parts) > 1:
            self._segments -= len(self._parts.pop(0).clips)

    def take(self) -> Commits:
        """All there are, and none is left."""
        parts, self._parts, self._segments = self._parts, [], 0
        return join_commits(parts)


def join_commits(parts: list[Commits]) -> Commits:
    """Several as one."""
    lengths = [np.diff(part.starts) for part in parts]
    return Commits(
        np.concatenate([np.zeros(0, dtype=np.int64), *(part.who for part in parts)]),
        np.concatenate([[0], np.cumsum(np.concatenate([np.zeros(0, dtype=np.int64), *lengths]))]),
        np.concatenate([np.zeros(0, dtype=np.int64), *(part.clips for part in parts)]),
        np.concatenate([np.zeros(0, dtype=np.int64), *(part.frames for part in parts)]),
        np.concatenate([np.zeros((0, 3)), *(part.placements for part in parts)]),
    )


class Diary:
    """Every segment that was ever begun, in order of time: rows that grow by doubling. Of 36 bytes each, as it is
    most of what a crowd that lives for hours adds to its memory."""

    def __init__(self) -> None:
        self._numbers = np.empty((1024, 3), dtype=np.int32)
        self._places = np.empty((1024, 3))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Bytes of memory that are written."""
        return self._count * (self._numbers[0].nbytes + self._places[0].nbytes)

    def write(self, who: NDArray, clips: NDArray, frames: NDArray, places: NDArray) -> None:
        """Note segments (K,) that begin, with their places (K, 3)."""
        needed = self._count + len(who)
        if needed > len(self._numbers):
            room = max(needed, 2 * len(self._numbers))
            for name in ("_numbers", "_places"):
                old = getattr(self, name)
                larger = np.empty((room, 3), dtype=old.dtype)
                larger[: self._count] = old[: self._count]
                setattr(self, name, larger)
        rows = slice(self._count, needed)
        self._numbers[rows, 0], self._numbers[rows, 1], self._numbers[rows, 2] = who, clips, frames
        self._places[rows] = places
        self._count = needed

    def read(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """who, clips, frames (K,) and places (K, 3) of all segments."""
        numbers = self._numbers[: self._count].astype(np.int64)
        return numbers[:, 0], numbers[:, 1], numbers[:, 2], self._places[: self._count]
