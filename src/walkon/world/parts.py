"""Rounded convex parts: what every shape is put together from for those who must avoid it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Indices
from walkon.rotations import rotate

UPRIGHT = 1e-9
"""Parts x and z of a quaternion: less than this is no tilt but rounding."""

MOST_HULL_POINTS = 48
"""Of the hull of a mesh that planners avoid; a rounder one is replaced by a simpler body around it. More points
would cost every planner time, for a few centimetres."""


@dataclass(frozen=True, eq=False)
class Part:
    """The convex hull of points (N, 3) of a shape's frame, with its edges among pairs (E, 2) of them, with
    `rounding` [m] around it on the ground and `puff` [m] above and below. rim: radius [m] of a tilted cylinder,
    whose points are drawn around it; 0 for all else."""

    points: Array
    edges: Indices
    rounding: float = 0.0
    puff: float = 0.0
    rim: float = 0.0


def is_upright(rotations: Array) -> bool:
    """Whether turns (T, 4) all keep y up."""
    return bool(np.all(np.hypot(rotations[:, 1], rotations[:, 3]) < UPRIGHT))


def prism_part(corners: Array, height: float) -> Part:
    """A prism over corners (K, 2), K >= 1: points at the bottom, then at the top."""
    count = len(corners)
    floor = at_height(corners, 0.0)
    here, following = np.arange(count), np.roll(np.arange(count), -1)
    rings = [np.stack([here + level, following + level], axis=1) for level in (0, count)]
    posts = np.stack([here, here + count], axis=1)
    return Part(np.concatenate([floor, floor + np.array([0.0, height, 0.0])]), np.concatenate([*rings, posts]))


def pole_part(radius: float, length: float) -> Part:
    """A segment from the origin to (0, length, 0) with `radius` [m] around it; a ball if it has no length."""
    points = np.array([[0.0, 0.0, 0.0], [0.0, length, 0.0]])[: 2 if length > 0.0 else 1]
    return Part(points, all_pairs(len(points)), radius, radius)


def all_pairs(count: int) -> Indices:
    """All pairs (E, 2) of `count` points."""
    return np.stack(np.triu_indices(count, 1), axis=1)


def at_height(corners: Array, y: float) -> Array:
    """Corners (K, 2) on the ground as points (K, 3) at a height [m]."""
    return np.column_stack([corners[:, 0], np.full(len(corners), y), corners[:, 1]])


def vertical_extent(part: Part, rotations: Array) -> tuple[Array, Array]:
    """Least and greatest height (T,) [m] of a part in the turns (T, 4), from the origin of its frame."""
    if part.rim == 0.0:
        heights = rotate(rotations[:, None], part.points[None])[..., 1]
        return heights.min(axis=1) - part.puff, heights.max(axis=1) + part.puff
    axis_y = rotate(rotations, np.array([0.0, 1.0, 0.0]))[:, 1]
    end, tilt = part.points[-1, 1] * axis_y, part.rim * np.sqrt(np.maximum(1.0 - axis_y**2, 0.0))
    return np.minimum(end, 0.0) - tilt, np.maximum(end, 0.0) + tilt


def hull_points(vertices: Array) -> Array:
    """Points of the convex hull of vertices (V, 3), or of a simpler body around it."""
    from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

    try:
        hull = vertices[ConvexHull(vertices).vertices]
        if len(hull) <= MOST_HULL_POINTS:
            return hull
        # Planes that touch it from the directions of a cube's sides, edges and corners.
        normals = np.stack(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3), axis=-1).reshape(-1, 3)
        normals = normals[np.any(normals != 0.0, axis=1)]
        offsets = (hull @ normals.T).max(axis=0)
        planes = np.concatenate([normals, -offsets[:, None]], axis=1)
        return np.unique(HalfspaceIntersection(planes, hull.mean(axis=0)).intersections, axis=0)
    except QhullError:  # flat: the box around it is as good
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        corners = np.array([[low[0], low[2]], [high[0], low[2]], [high[0], high[2]], [low[0], high[2]]])
        return prism_part(corners, float(high[1] - low[1])).points + np.array([0.0, low[1], 0.0])
