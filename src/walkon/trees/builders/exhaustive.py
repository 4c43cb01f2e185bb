"""The exhaustive tree: everything one can do in so many steps (Lau 2009, section 4.2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.trees._kernels_builders import add_children
from walkon.trees.growing import Array, Growth, Progress, Soil

BATCH = 1 << 16
"""Children tried between two reports of progress."""


@dataclass(frozen=True)
class Exhaustive:
    """All nodes down to a depth, level by level.

    Where the nodes run out, the parents of the last level have their children in random order, so that no side of
    the region is left out.
    """

    depth: int = 5

    @property
    def name(self) -> str:
        """As the command line calls it."""
        return "exhaustive"

    def grow(
        self, soil: Soil, nodes: int, random: np.random.Generator, progress: Progress | None = None
    ) -> Growth:
        """At most `nodes` nodes."""
        levels = Levels(soil, nodes, random, progress)
        for _ in range(self.depth):
            if not levels.add():
                break
        return levels.growth()


class Levels:
    """A tree in the making, level by level; every clip drawn among those of its behavior.

    places: (n, 3) x, z, heading of the nodes so far.
    """

    def __init__(
        self, soil: Soil, nodes: int, random: np.random.Generator, progress: Progress | None = None,
        *, per_cell: int | None = None,
    ) -> None:  # fmt: skip
        self.soil, self.room, self.count = soil, nodes, 0
        self._random, self._progress = random, progress
        self._state = random.integers(0, 2**64, 1, dtype=np.uint64)
        self._per_cell = nodes if per_cell is None else per_cell
        self._scattered = per_cell is not None
        self._parents = np.empty(0, dtype=np.int32)
        self._clips = np.empty(0, dtype=np.int32)
        self._poses = np.empty(0, dtype=np.int64)
        self._places = np.empty((0, 3))
        self._counts = np.zeros(soil.region.mask.size, dtype=np.int32)
        self._level = np.array([-1])

    @property
    def places(self) -> Array:
        return self._places[: self.count]

    def add(self) -> bool:
        """One level more; False if there is nothing to add, or no room."""
        begun = self.count
        parents = self._random.permutation(self._level)
        starts = self.soil.moves.follower_starts
        poses = np.where(parents < 0, self.soil.pose, self._poses[parents] if begun else self.soil.pose)
        families = np.cumsum(starts[poses + 1] - starts[poses])
        if self._scattered:
            self._try(self._random.permutation(self._pairs(parents, poses)))
        else:
            first = 0
            while first < len(parents) and self.count < self.room:
                stop = max(first + 1, int(np.searchsorted(families, families[first] + BATCH)))
                self._try(self._pairs(parents[first:stop], poses[first:stop]))
                first = stop
        self._level = np.arange(begun, self.count)
        return begun < self.count < self.room

    def growth(self) -> Growth:
        """What there is so far."""
        return Growth(self._parents[: self.count].copy(), self._clips[: self.count].copy())

    def _pairs(self, parents: NDArray[np.int64], poses: NDArray[np.int64]) -> NDArray[np.int32]:
        """Every node with every behavior that may follow it (n, 2)."""
        moves = self.soil.moves
        starts, stops = moves.follower_starts[poses], moves.follower_starts[poses + 1]
        counts = stops - starts
        begins = np.cumsum(counts) - counts
        slots = np.repeat(starts - begins, counts) + np.arange(counts.sum())
        return np.stack([np.repeat(parents, counts), moves.followers[slots]], axis=1).astype(np.int32)

    def _try(self, pairs: NDArray[np.int32]) -> None:
        soil, moves, region = self.soil, self.soil.moves, self.soil.region
        found = np.empty(int(np.diff(soil.trace_starts).max(initial=1)), dtype=np.int64)
        for first in range(0, len(pairs), BATCH):
            batch = pairs[first : first + BATCH]
            self._make_room(min(self.room, self.count + len(batch)))
            self.count = add_children(
                batch, self._state, self.count, min(self.room, len(self._parents)), self._parents, self._clips,
                self._places, self._poses, self._counts, self._per_cell, moves.exit, moves.clip_starts,
                moves.displacements, soil.trace_starts, soil.traces, region.origin_x, region.origin_z, region.cell,
                region.mask, found,
            )  # fmt: skip
            if self._progress is not None:
                self._progress(self.count, self.room)
            if self.count == self.room:
                break

    def _make_room(self, size: int) -> None:
        """Memory follows the nodes there are, not the number asked for."""
        if size <= len(self._parents):
            return
        size = min(self.room, max(size, 2 * len(self._parents)))
        for name in ("_parents", "_clips", "_poses", "_places"):
            old = getattr(self, name)
            new = np.empty((size, *old.shape[1:]), dtype=old.dtype)
            new[: self.count] = old[: self.count]
            setattr(self, name, new)
