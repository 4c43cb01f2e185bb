"""Random places that keep apart from each other and from what is there already; and who goes to which."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Flags
from walkon.world.world import Gridmap

Rectangle = tuple[float, float, float, float]
"""x and z of the least corner, x and z of the greatest [m]."""

CROWD_DARTS = 40
"""Places tried per person before a regular pattern is."""

MOST_DARTS = 400_000
"""Most places tried for all together: it bounds the time, and a crowd that needs more gets a regular pattern."""

LATTICES = 6
"""Regular patterns that are tried, each shifted anew. More find a little more room in odd corners."""

MOST_LATTICE = 200_000
"""Most points of a pattern: so large a scene is not full, and a larger pattern would only take memory."""

REUSE = 5.0
"""Time [s] after which somebody may start where another started, if there is no other place: by then the first has
walked off. A longer one refuses more crowds."""


class OpenGround(Protocol):
    """What says where one can stand; `footprints.FreeGround` asks outlines, `ClearGround` a field of distances."""

    @property
    def bounds(self) -> Rectangle:
        """Nobody stands outside."""
        ...

    def is_free(self, places: Array, room: float) -> Flags:
        """Whether places (M, 2) are at least `room` [m] from everything."""
        ...


@dataclass(frozen=True, eq=False)
class ClearGround:
    """The free ground of a world, from its clearance [m]: quick, and true after every edit."""

    clearance: Gridmap

    @property
    def bounds(self) -> Rectangle:
        """What the grid covers."""
        grid = self.clearance
        rows, columns = grid.values.shape
        return (
            grid.origin_x,
            grid.origin_z,
            grid.origin_x + grid.cell * (columns - 1),
            grid.origin_z + grid.cell * (rows - 1),
        )

    def is_free(self, places: Array, room: float) -> Flags:
        """Whether the clearance at places (M, 2), bilinear, is at least `room` [m]."""
        grid = self.clearance
        rows, columns = grid.values.shape
        u = np.clip((places[:, 0] - grid.origin_x) / grid.cell, 0.0, columns - 1.000001)
        v = np.clip((places[:, 1] - grid.origin_z) / grid.cell, 0.0, rows - 1.000001)
        i, j = u.astype(int), v.astype(int)
        u, v = u - i, v - j
        near = grid.values[j, i] * (1.0 - u) + grid.values[j, i + 1] * u
        far = grid.values[j + 1, i] * (1.0 - u) + grid.values[j + 1, i + 1] * u
        return near * (1.0 - v) + far * v >= room


class Area(Protocol):
    """Where places are wanted."""

    def scatter(self, count: int, rng: np.random.Generator) -> Array:
        """Random points (count, 2) in it."""
        ...

    def holds(self, places: Array) -> Flags:
        """Which of places (M, 2) lie in it."""
        ...


@dataclass(frozen=True)
class RectangleArea:
    """One or more rectangles, each as likely as it is large."""

    parts: tuple[Rectangle, ...]

    def scatter(self, count: int, rng: np.random.Generator) -> Array:
        """Random points (count, 2) in them."""
        corners = np.array(self.parts)
        areas = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
        odds = areas / areas.sum() if areas.any() else None
        which = rng.choice(len(corners), size=count, p=odds)
        return corners[which, :2] + rng.random((count, 2)) * (corners[which, 2:] - corners[which, :2])

    def holds(self, places: Array) -> Flags:
        """Which of places (M, 2) lie in one of them."""
        x, z = places[:, 0], places[:, 1]
        inside = np.zeros(len(places), dtype=bool)
        for x0, z0, x1, z1 in self.parts:
            inside |= (x >= x0) & (x <= x1) & (z >= z0) & (z <= z1)
        return inside


@dataclass(frozen=True)
class DiscArea:
    """All within a radius [m] of a point."""

    x: float
    z: float
    radius: float

    def scatter(self, count: int, rng: np.random.Generator) -> Array:
        """Random points (count, 2); the first is the middle."""
        angle, far = rng.uniform(0.0, 2.0 * math.pi, count), self.radius * np.sqrt(rng.uniform(0.0, 1.0, count))
        far[:1] = 0.0
        return np.column_stack([self.x + far * np.cos(angle), self.z + far * np.sin(angle)])

    def holds(self, places: Array) -> Flags:
        """Which of places (M, 2) lie in it."""
        return np.hypot(places[:, 0] - self.x, places[:, 1] - self.z) <= self.radius


def place_apart(
    rng: np.random.Generator,
    ground: OpenGround,
    area: Area,
    count: int,
    *,
    spacing: float,
    room: float,
    taken: Array,
) -> Array:
    """Up to `count` free places (n, 2) in an area, in random order, `spacing` [m] apart and from `taken` (m, 2).

    Fewer come back when no more were found: first at random, then in triangular patterns, which pack more.
    """
    found = _darts(rng, ground, area, count, spacing=spacing, room=room, taken=taken)
    if len(found) == count or spacing <= 0.0:
        return found
    for _ in range(LATTICES):
        lattice = _lattice(rng, ground, area, spacing=spacing, room=room, taken=taken)
        found = max(found, lattice, key=len)
        if len(found) >= count:
            break
    return found[:count]


def share_places(places: Array, times: Array, after: float = REUSE) -> Array | None:
    """Places (n, 2) for more people than places, whose start times (count,) [s] rise: one after the other, `after`
    [s] later.

    None when the times are too close together for that.
    """
    if not len(places):
        return None
    free_from = np.full(len(places), -np.inf)
    chosen = np.empty(len(times), dtype=int)
    for person, time in enumerate(times):
        place = int(np.argmin(free_from))
        if free_from[place] > time:
            return None
        chosen[person], free_from[place] = place, time + after
    return places[chosen]


def match_goals(allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A goal for everyone, or -1 where there is none; allowed (P, G): which goals suit which person.

    Goal i goes to person i where that suits both; otherwise two swap; if that is not enough, all are matched anew.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    goals = np.arange(len(allowed))
    for person in range(len(allowed)):
        if allowed[person, goals[person]]:
            continue
        partners = np.flatnonzero(allowed[person, goals] & allowed[:, goals[person]])
        if not len(partners):
            return maximum_bipartite_matching(csr_array(allowed), perm_type="column").astype(np.int64)
        # The partner suits afterwards by the second condition.
        goals[person], goals[partners[0]] = goals[partners[0]], goals[person]
    return goals


def _darts(
    rng: np.random.Generator,
    ground: OpenGround,
    area: Area,
    count: int,
    *,
    spacing: float,
    room: float,
    taken: Array,
) -> Array:
    """Places thrown at random, kept when they are free."""
    kept, apart = np.empty((count, 2)), _Apart(spacing, taken)
    found, left = 0, min(CROWD_DARTS * count + 400, MOST_DARTS)
    while found < count and left > 0:
        batch = min(left, 3 * (count - found) + 50)
        left -= batch
        darts = area.scatter(batch, rng)
        for x, z in darts[ground.is_free(darts, room)].tolist():
            if found < count and apart.admits(x, z):
                kept[found] = x, z
                found += 1
    return kept[:found]


class _Apart:
    """Places of which no two are nearer than `spacing` [m], in the cells of a grid of that size."""

    def __init__(self, spacing: float, taken: Array) -> None:
        self.spacing = spacing
        self.cells: dict[tuple[int, int], list[tuple[float, float]]] = {}
        if spacing > 0.0:
            for x, z in taken.tolist():
                self.cells.setdefault(self._cell(x, z), []).append((x, z))

    def admits(self, x: float, z: float) -> bool:
        """Whether (x, z) is far enough from all; then it is one of them."""
        if self.spacing <= 0.0:
            return True
        i, j = self._cell(x, z)
        for a in range(i - 1, i + 2):
            for b in range(j - 1, j + 2):
                for u, v in self.cells.get((a, b), ()):
                    if (u - x) * (u - x) + (v - z) * (v - z) < self.spacing * self.spacing:
                        return False
        self.cells.setdefault((i, j), []).append((x, z))
        return True

    def _cell(self, x: float, z: float) -> tuple[int, int]:
        return math.floor(x / self.spacing), math.floor(z / self.spacing)


def _lattice(
    rng: np.random.Generator, ground: OpenGround, area: Area, *, spacing: float, room: float, taken: Array
) -> Array:
    """The free points of a triangular pattern, shifted at random, in random order."""
    from scipy.spatial import cKDTree  # pyright: ignore[reportAttributeAccessIssue]

    left, near, right, far = ground.bounds
    step = np.array([spacing, spacing * np.sqrt(0.75)]) * (1.0 + 1e-9)
    columns, rows = int((right - left) / step[0]) + 2, int((far - near) / step[1]) + 2
    if columns * rows > MOST_LATTICE:
        return np.empty((0, 2))  # so large a scene is not full
    shift = rng.random(2) * step
    row, column = np.divmod(np.arange(columns * rows), columns)
    x = left - shift[0] + step[0] * (column + 0.5 * (row % 2))
    z = near - shift[1] + step[1] * row
    places = np.column_stack([x, z])
    places = places[area.holds(places)]
    places = places[ground.is_free(places, room)]
    if len(taken) and len(places):
        places = places[cKDTree(taken).query(places)[0] >= spacing]
    return rng.permutation(places)
