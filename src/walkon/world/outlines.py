"""Obstacles as rounded convex parts, and the outlines those draw on the ground."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from walkon.basics import Array, Indices
from walkon.rotations import rotate
from walkon.world.scene import HeightField, Obstacle
from walkon.world.shapes import Box, Capsule, Cylinder, Mesh, Polygon, Shape, Sphere
from walkon.world.triangulation import convex_hull, is_convex, signed_area, triangulate

BODY_HEIGHT = 2.3
"""[m] above the ground: what lies higher is in nobody's way."""

BODY_REACH = 0.5
"""[m] on the ground: whoever touches an obstacle stands on ground this near to it."""

_UPRIGHT = 1e-9
_RING = 24  # corners around the end of a tilted cylinder
_MOST_CORNERS = 200  # of a polygon that is cut into convex parts; one with more is taken as its hull
_MOST_POINTS = 48  # of the hull of a mesh


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


@dataclass(frozen=True, eq=False)
class Outlines:
    """A part on the ground at T frames. corners (T, HULL, 2), sizes (T,): 0 where it is above all heads or below
    the ground; rounding, bottom, top (T,) [m], the last two above the ground there; discs (T, 3) around all of
    it."""

    corners: Array
    sizes: Indices
    rounding: Array
    bottom: Array
    top: Array
    discs: Array


def is_upright(rotations: Array) -> bool:
    """Whether turns (T, 4) all keep y up."""
    return bool(np.all(np.hypot(rotations[:, 1], rotations[:, 3]) < _UPRIGHT))


def convex_parts(shape: Shape, rotations: Array) -> list[Part]:
    """A shape as convex parts, given all the ways it will be turned (T, 4)."""
    if isinstance(shape, Polygon):
        return [_prism(corners, shape.height) for corners in convex_pieces(shape.corners)]
    return [_convex_part(shape, rotations)]


def _convex_part(shape: Box | Capsule | Cylinder | Mesh | Sphere, rotations: Array) -> Part:
    match shape:
        case Sphere(radius):
            return Part(np.zeros((1, 3)), _pairs(1), radius, radius)
        case Capsule(radius, length):
            return Part(np.array([[0.0, 0.0, 0.0], [0.0, length, 0.0]]), _pairs(2), radius, radius)
        case Box(width, height, depth):
            corners = 0.5 * np.array([[-width, -depth], [width, -depth], [width, depth], [-width, depth]])
            return _prism(corners, height)
        case Cylinder(radius, height):
            if is_upright(rotations):
                return replace(_prism(np.zeros((1, 2)), height), rounding=radius)
            return replace(_prism(_ring(radius), height), rim=radius)
        case Mesh():
            points = _mesh_hull(shape.vertices[np.unique(shape.faces)])
            return Part(points, _pairs(len(points)))


def convex_pieces(corners: Array) -> list[Array]:
    """A simple polygon (K, 2) cut into convex ones: triangles, joined again across diagonals where that is convex.

    Beyond 200 corners it is the convex hull instead.
    """
    if signed_area(corners) < 0.0:
        corners = corners[::-1]
    if is_convex(corners):
        return [corners]
    if len(corners) > _MOST_CORNERS:
        return [convex_hull(corners)]
    pieces = [list(map(int, triangle)) for triangle in triangulate(corners)]
    joined = True
    while joined:
        joined = False
        for a in range(len(pieces)):
            for b in range(a + 1, len(pieces)):
                union = _joined(pieces[a], pieces[b])
                if union is not None and is_convex(corners[union]):
                    pieces[a] = union
                    del pieces[b]
                    joined = True
                    break
    return [corners[piece] for piece in pieces]


def draw(part: Part, obstacle: Obstacle, terrain: HeightField, *, most: int) -> Outlines:
    """Outlines with at most `most` corners that hold the part from half a frame before to half a frame after
    each."""
    from walkon.world._kernels_outlines import draw_outlines

    positions, rotations = obstacle.positions, obstacle.rotations
    points = rotate(rotations[:, None], part.points[None]) + positions[:, None]
    aside, upward = _motion(points, rotations, float(np.linalg.norm(part.points, axis=1).max()))
    rounding = part.rounding + aside
    lowest, highest = ground_range(terrain, points, rounding)
    frames = len(points)
    corners, sizes = np.zeros((frames, most, 2)), np.zeros(frames, dtype=np.int64)
    discs = np.zeros((frames, 3))
    spare = part.puff + upward
    draw_outlines(points, part.edges, lowest - spare, highest + BODY_HEIGHT + spare, corners, sizes, discs)
    discs[:, 2] += rounding
    bottom, top = (positions[:, 1] + extent for extent in vertical_extent(part, rotations))
    return Outlines(corners, sizes, rounding, bottom - upward - highest, top + upward - lowest, discs)


def vertical_extent(part: Part, rotations: Array) -> tuple[Array, Array]:
    """Least and greatest height (T,) [m] of a part in the turns (T, 4), from the origin of its frame."""
    if part.rim == 0.0:
        heights = rotate(rotations[:, None], part.points[None])[..., 1]
        return heights.min(axis=1) - part.puff, heights.max(axis=1) + part.puff
    axis_y = rotate(rotations, np.array([0.0, 1.0, 0.0]))[:, 1]
    end, tilt = part.points[-1, 1] * axis_y, part.rim * np.sqrt(np.maximum(1.0 - axis_y**2, 0.0))
    return np.minimum(end, 0.0) - tilt, np.maximum(end, 0.0) + tilt


def ground_range(terrain: HeightField, points: Array, rounding: Array) -> tuple[Array, Array]:
    """Least and greatest height (T,) [m] of the ground where somebody can touch points (T, N, 3)."""
    from walkon.world._kernels_outlines import ground_ranges

    frames = len(points)
    lowest, highest = np.zeros(frames), np.zeros(frames)
    if not terrain.is_flat:
        margin = (np.asarray(rounding) + BODY_REACH)[:, None]
        ground = points[:, :, [0, 2]]
        boxes = np.concatenate([ground.min(axis=1) - margin, ground.max(axis=1) + margin], axis=1)
        ground_ranges(terrain.origin_x, terrain.origin_z, terrain.cell, terrain.heights, boxes, lowest, highest)
    return lowest, highest


def _motion(points: Array, rotations: Array, radius: float) -> tuple[Array, Array]:
    """How far (T,) [m] any of points (T, N, 3) goes within half a frame of each frame, on the ground and upwards.

    Between frames positions go straight and turns are even. A point that turns by an angle at `radius` [m] or less
    leaves the chord of its arc by radius (1 - cos(angle / 2)) at most; half the chord lies within half a frame.
    """
    steps = np.diff(points, axis=0)
    across = np.concatenate([[0.0], np.hypot(steps[..., 0], steps[..., 2]).max(axis=1, initial=0.0), [0.0]])
    upward = np.concatenate([[0.0], np.abs(steps[..., 1]).max(axis=1, initial=0.0), [0.0]])
    # |q · q'| is the cosine of half the angle between two turns.
    bulge = radius * (1.0 - np.minimum(np.abs(np.sum(rotations[1:] * rotations[:-1], axis=1)), 1.0))
    bulge[bulge < 1e-12 * radius] = 0.0
    bulge = np.concatenate([[0.0], bulge, [0.0]])
    across, upward = 0.5 * across + bulge, 0.5 * upward + bulge
    return np.maximum(across[1:], across[:-1]), np.maximum(upward[1:], upward[:-1])


def _prism(corners: Array, height: float) -> Part:
    """A prism over corners (K, 2), K >= 1: points at the bottom, then at the top."""
    count = len(corners)
    floor = np.stack([corners[:, 0], np.zeros(count), corners[:, 1]], axis=1)
    here, following = np.arange(count), np.roll(np.arange(count), -1)
    rings = [np.stack([here + level, following + level], axis=1) for level in (0, count)]
    posts = np.stack([here, here + count], axis=1)
    return Part(np.concatenate([floor, floor + np.array([0.0, height, 0.0])]), np.concatenate([*rings, posts]))


def _pairs(count: int) -> Indices:
    """All pairs (E, 2) of `count` points."""
    return np.stack(np.triu_indices(count, 1), axis=1)


def _ring(radius: float) -> Array:
    """Corners (RING, 2) of a regular polygon around a circle."""
    angles = 2.0 * np.pi * (np.arange(_RING) + 0.5) / _RING
    return radius / np.cos(np.pi / _RING) * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _joined(a: list[int], b: list[int]) -> list[int] | None:
    """Two polygons as one across the edge they share, or None when they share none."""
    for i in range(len(a)):
        start, stop = a[i], a[(i + 1) % len(a)]
        if stop in b and b[(b.index(stop) + 1) % len(b)] == start:
            j = b.index(stop)
            around = [b[(j + k) % len(b)] for k in range(2, len(b))]
            return a[: i + 1] + around + a[i + 1 :]
    return None


def _mesh_hull(vertices: Array) -> Array:
    """Points of the convex hull of vertices (V, 3), or of a simpler body around it."""
    from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

    try:
        hull = vertices[ConvexHull(vertices).vertices]
        if len(hull) <= _MOST_POINTS:
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
        return _prism(corners, float(high[1] - low[1])).points + np.array([0.0, low[1], 0.0])
