"""The exhaustive tree: everything one can do in a few steps (Lau 2009, section 4.2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Progress
from walkon.trees._kernels_builders import Sprouts, add_children
from walkon.trees.growing import Growth, Soil, clip_paths, region_plot

CHILDREN = 1 << 16
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
        self._sprouts = Sprouts(
            parents=np.empty(0, dtype=np.int32),
            clips=np.empty(0, dtype=np.int32),
            poses=np.empty(0, dtype=np.int64),
            places=np.empty((0, 3)),
            counts=np.zeros(soil.region.mask.size, dtype=np.int32),
        )
        self._level = np.array([-1])

    @property
    def places(self) -> Array:
        return self._sprouts.places[: self.count]

    def add(self) -> bool:
        """One level more; False if there is nothing to add, or no room."""
        begun = self.count
        parents = self._random.permutation(self._level)
        starts = self.soil.moves.follower_starts
        poses = np.where(parents < 0, self.soil.pose, self._sprouts.poses[parents] if begun else self.soil.pose)
        families = np.cumsum(starts[poses + 1] - starts[poses])
        if self._scattered:
            self._try(self._random.permutation(self._pairs(parents, poses)))
        else:
            first = 0
            while first < len(parents) and self.count < self.room:
                stop = max(first + 1, int(np.searchsorted(families, families[first] + CHILDREN)))
                self._try(self._pairs(parents[first:stop], poses[first:stop]))
                first = stop
        self._level = np.arange(begun, self.count)
        return begun < self.count < self.room

    def growth(self) -> Growth:
        """What there is so far."""
        return Growth(self._sprouts.parents[: self.count].copy(), self._sprouts.clips[: self.count].copy())

    def _pairs(self, parents: NDArray[np.int64], poses: NDArray[np.int64]) -> NDArray[np.int32]:
        """Every node with every behavior that may follow it (n, 2)."""
        moves = self.soil.moves
        starts, stops = moves.follower_starts[poses], moves.follower_starts[poses + 1]
        counts = stops - starts
        begins = np.cumsum(counts) - counts
        slots = np.repeat(starts - begins, counts) + np.arange(counts.sum())
        return np.stack([np.repeat(parents, counts), moves.followers[slots]], axis=1).astype(np.int32)

    def _try(self, pairs: NDArray[np.int32]) -> None:
        paths, plot = clip_paths(self.soil), region_plot(self.soil.region)
        for first in range(0, len(pairs), CHILDREN):
            batch = pairs[first : first + CHILDREN]
            self._make_room(min(self.room, self.count + len(batch)))
            room = min(self.room, len(self._sprouts.parents))
            self.count = add_children(
                batch, self._state, self._sprouts, self.count, room, self._per_cell, paths, plot
            )
            if self._progress is not None:
                self._progress(self.count, self.room)
            if self.count == self.room:
                break

    def _make_room(self, size: int) -> None:
        """Memory follows the nodes there are, not the number asked for."""
        held = len(self._sprouts.parents)
        if size <= held:
            return
        size, larger = min(self.room, max(size, 2 * held)), {}
        for name in ("parents", "clips", "poses", "places"):
            old = getattr(self._sprouts, name)
            larger[name] = np.empty((size, *old.shape[1:]), dtype=old.dtype)
            larger[name][: self.count] = old[: self.count]
        self._sprouts = self._sprouts._replace(**larger)
