"""How far places are from the outlines of obstacles: to judge starts and goals, and to find room for crowds.

Plain geometry of its own, for hundreds of places; planners have distance fields for millions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.rotations import rotate
from walkon.world.scene import HeightField, Obstacle
from walkon.world.shapes import Mesh

OVERHEAD = 2.2
"""[m] What hangs higher than this above the ground is in nobody's way."""

MOST_SWEPT = 200
"""Outlines of one moving obstacle, spread over the time asked for."""

BLOCK = 2_000_000
"""Distances computed at a time; more would take memory without being faster."""


@dataclass(frozen=True, eq=False)
class Footprint:
    """The outline of an obstacle on the ground at one time.

    loop (K, 2): a point, a segment, or a simple polygon; rounding [m] around it. triangles (T, 3, 2): instead of a
    loop, for meshes. middle (2,), reach [m]: a circle around it all. low [m]: how high it begins above the ground.
    """

    loop: Array
    rounding: float
    triangles: Array | None
    middle: Array
    reach: float
    low: float


def make_footprint(obstacle: Obstacle, terrain: HeightField, frame: int = 0) -> Footprint:
    """The outline of an obstacle at a frame."""
    row = min(frame, len(obstacle.positions) - 1)
    position, rotation = obstacle.positions[row], obstacle.rotations[row]
    shape = obstacle.shape
    points = position + rotate(rotation, shape.span())
    flat, triangles = points[:, [0, 2]], None
    upright = abs(rotate(rotation, np.array([0.0, 1.0, 0.0]))[1]) > 1.0 - 1e-9
    if isinstance(shape, Mesh):
        loop, rounding, triangles = flat[:0], 0.0, _low_triangles(points, shape, terrain)
    else:
        loop, rounding = shape.loop(flat, upright=upright)
    middle = (flat.min(axis=0) + flat.max(axis=0)) / 2.0
    reach = float(np.hypot(*(flat - middle).T).max()) + rounding
    low = float((points[:, 1] - rounding - terrain.at(points[:, 0], points[:, 2])).min())
    return Footprint(loop, rounding, triangles, middle, reach, low)


def distances(footprint: Footprint, places: Array) -> Array:
    """Distances (M,) [m] of places (M, 2) to the outline; negative inside (for meshes 0)."""
    size = len(footprint.loop) if footprint.triangles is None else 3 * len(footprint.triangles)
    if not size:
        return np.full(len(places), np.inf)
    found = np.empty(len(places))
    block = max(1, BLOCK // size)
    for start in range(0, len(places), block):
        part = places[start : start + block]
        if footprint.triangles is None:
            found[start : start + block] = _to_loop(part, footprint.loop) - footprint.rounding
        else:
            found[start : start + block] = _to_triangles(part, footprint.triangles)
    return found


def sweep(obstacle: Obstacle, terrain: HeightField, first: int, last: int, step: int) -> list[Footprint]:
    """The outlines of an obstacle from frame `first` to `last`: one if it stands still."""
    end = len(obstacle.positions) - 1
    step = max(step, (last - first) // MOST_SWEPT + 1)
    frames = {min(frame, end) for frame in (*range(first, last, step), last)}
    return [make_footprint(obstacle, terrain, frame) for frame in sorted(frames)]


class FreeGround:
    """The places of a scene that are free: inside its bounds, away from its obstacles."""

    def __init__(self, bounds: tuple[float, float, float, float], footprints: list[Footprint]) -> None:
        self.bounds = bounds
        self.footprints = [footprint for footprint in footprints if footprint.low < OVERHEAD]

    def is_free(self, places: Array, room: float) -> NDArray[np.bool_]:
        """Whether places (M, 2) are at least `room` [m] from bounds and obstacles."""
        left, near, right, far = self.bounds
        x, z = places[:, 0], places[:, 1]
        free = (x >= left + room) & (x <= right - room) & (z >= near + room) & (z <= far - room)
        for footprint in self.footprints:
            close = np.hypot(*(places - footprint.middle).T) < footprint.reach + room
            asked = np.flatnonzero(free & close)
            if len(asked):
                free[asked] = distances(footprint, places[asked]) >= max(room, 1e-9)
        return free


def _low_triangles(points: Array, shape: Mesh, terrain: HeightField) -> Array:
    """The triangles (T, 3, 2) of a mesh that are not above everybody's head."""
    above = points[:, 1] - terrain.at(points[:, 0], points[:, 2])
    low = above[shape.faces].min(axis=1) < OVERHEAD
    return points[:, [0, 2]][shape.faces[low]]


def _to_segments(places: Array, starts: Array, stops: Array) -> Array:
    """Distances (M, K) of places (M, 2) to segments (K, 2)."""
    along = stops - starts
    square = np.maximum(np.sum(along**2, axis=1), 1e-18)
    apart = places[:, None, :] - starts
    share = np.clip(np.sum(apart * along, axis=2) / square, 0.0, 1.0)
    return np.hypot(*np.moveaxis(apart - share[..., None] * along, 2, 0))


def _to_loop(places: Array, loop: Array) -> Array:
    """Distances (M,) to a point, a segment or a simple polygon, negative inside."""
    following = np.roll(loop, -1, axis=0)
    nearest = _to_segments(places, loop, following).min(axis=1)
    if len(loop) < 3:
        return nearest
    x, z = places[:, :1], places[:, 1:]
    crossing = (loop[:, 1] > z) != (following[:, 1] > z)
    rise = np.where(following[:, 1] == loop[:, 1], 1.0, following[:, 1] - loop[:, 1])
    where = loop[:, 0] + (z - loop[:, 1]) / rise * (following[:, 0] - loop[:, 0])
    inside = np.sum(crossing & (x < where), axis=1) % 2 == 1
    return np.where(inside, -nearest, nearest)


def _to_triangles(places: Array, triangles: Array) -> Array:
    """Distances (M,) to the nearest of the triangles (T, 3, 2), 0 inside."""
    corners = [triangles[:, i] for i in range(3)]
    nearest = np.full(len(places), np.inf)
    signs = []
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        nearest = np.minimum(nearest, _to_segments(places, a, b).min(axis=1))
        edge, apart = b - a, places[:, None, :] - a
        signs.append(edge[:, 0] * apart[..., 1] - edge[:, 1] * apart[..., 0])
    inside = np.all([sign > 0.0 for sign in signs], axis=0) | np.all([sign < 0.0 for sign in signs], axis=0)
    return np.where(inside.any(axis=1), 0.0, nearest)
