"""Places where someone can stand: on free ground, and not on top of each other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.world import Gridmap

ROOM = 0.45
"""Least distance [m] from the middle of a person to an obstacle: a body with its arms. With more, narrow places
stay empty."""

SPACING = 0.8
"""Least distance [m] between the middles of two people: they do not touch. With more, fewer find a place."""

DARTS = 30
"""Random places that are tried for each person. With fewer, crowded regions are filled less."""

MOST_DARTS = 60_000
"""Most places that are tried at once, however many people are asked for: it bounds time and memory."""


@dataclass(frozen=True)
class Rectangle:
    """From (x0, z0) to (x1, z1) [m]."""

    x0: float
    z0: float
    x1: float
    z1: float

    @staticmethod
    def of(corners: tuple[float, float, float, float]) -> Rectangle:
        """The rectangle between two corners, given in any order."""
        x0, z0, x1, z1 = corners
        return Rectangle(min(x0, x1), min(z0, z1), max(x0, x1), max(z0, z1))

    def scatter(self, count: int, rng: np.random.Generator) -> Array:
        """Random points (count, 2)."""
        return rng.uniform((self.x0, self.z0), (self.x1, self.z1), (count, 2))

    def within(self, other: Rectangle) -> Rectangle | None:
        """What both have in common."""
        x0, z0 = max(self.x0, other.x0), max(self.z0, other.z0)
        x1, z1 = min(self.x1, other.x1), min(self.z1, other.z1)
        return Rectangle(x0, z0, x1, z1) if x0 <= x1 and z0 <= z1 else None


@dataclass(frozen=True)
class Disc:
    """All within a radius [m] of a point."""

    x: float
    z: float
    radius: float

    def scatter(self, count: int, rng: np.random.Generator) -> Array:
        """Random points (count, 2); the first is the middle."""
        angle, far = rng.uniform(0.0, 2.0 * math.pi, count), self.radius * np.sqrt(rng.uniform(0.0, 1.0, count))
        far[:1] = 0.0
        return np.column_stack([self.x + far * np.cos(angle), self.z + far * np.sin(angle)])


def sample(grid: Gridmap, places: Array) -> Array:
    """Values (n,) of a gridmap at places (n, 2), bilinear; at the edge beyond it."""
    rows, columns = grid.values.shape
    u = np.clip((places[:, 0] - grid.origin_x) / grid.cell, 0.0, columns - 1.000001)
    v = np.clip((places[:, 1] - grid.origin_z) / grid.cell, 0.0, rows - 1.000001)
    i, j = u.astype(int), v.astype(int)
    u, v = u - i, v - j
    near = grid.values[j, i] * (1.0 - u) + grid.values[j, i + 1] * u
    far = grid.values[j + 1, i] * (1.0 - u) + grid.values[j + 1, i + 1] * u
    return near * (1.0 - v) + far * v


def find_spots(
    region: Rectangle | Disc,
    count: int,
    rng: np.random.Generator,
    clearance: Gridmap,
    *,
    taken: Array | None = None,
    spacing: float = SPACING,
    room: float = ROOM,
) -> Array:
    """Up to `count` free places (n, 2) in a region, apart from each other and from `taken` (m, 2).

    spacing 0: they may coincide.
    """
    darts = region.scatter(min(MOST_DARTS, max(200, DARTS * count)), rng)
    darts = darts[sample(clearance, darts) >= room]
    if spacing <= 0.0 or not len(darts):
        return darts[:count]
    from scipy.spatial import cKDTree  # pyright: ignore[reportAttributeAccessIssue]

    if taken is not None and len(taken):
        darts = darts[cKDTree(taken).query(darts)[0] >= spacing]
    return _apart(darts, count, spacing)


def _apart(darts: Array, count: int, spacing: float) -> Array:
    """The first darts (n, 2) of which none is nearer than `spacing` to an earlier one, up to `count`."""
    cell = spacing / math.sqrt(2.0)  # no two that are apart share a cell
    kept: dict[tuple[int, int], tuple[float, float]] = {}
    for x, z in darts.tolist():
        i, j = math.floor(x / cell), math.floor(z / cell)
        around = (kept.get((i + a, j + b)) for a in range(-2, 3) for b in range(-2, 3))
        if all(other is None or math.hypot(other[0] - x, other[1] - z) >= spacing for other in around):
            kept[i, j] = (x, z)
            if len(kept) == count:
                break
    return np.array(list(kept.values())).reshape(-1, 2)


def disc_for(count: int, x: float, z: float, spacing: float = SPACING) -> Disc:
    """A disc that is large enough for `count` people, loosely packed."""
    return Disc(x, z, spacing * (0.55 + 0.75 * math.sqrt(count)) if count > 1 else 0.0)
