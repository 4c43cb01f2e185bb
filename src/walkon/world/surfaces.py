"""Triangle surfaces for pictures and files: what those of shapes and of the ground are put together from.

Nothing here decides about collisions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array, Indices
from walkon.world.triangulation import triangulate

if TYPE_CHECKING:
    from walkon.world.scene import HeightField

ROUND_SIDES = 32
"""Facets around whatever is round."""

CREASE = math.radians(40.0)
"""Faces of a mesh that meet at less than this are shaded as one smooth surface."""

MOST_CELLS = 256
"""Cells of a terrain along each side at most; a finer one is sampled."""


@dataclass(frozen=True, eq=False)
class Surface:
    """points (V, 3) [m] and normals (V, 3), outward; a point on a hard edge is there once for every side of it.

    triangles: (T, 3) indices, counter-clockwise seen from outside.
    """

    points: Array
    normals: Array
    triangles: Indices


def build_ground(
    terrain: HeightField, bounds: tuple[float, float, float, float], *, reach: float = 0.0
) -> Surface:
    """The ground over the bounds, and `reach` [m] beyond them, as heights on a grid."""
    left, near, right, far = bounds
    xs, zs = _grid_line(left, right, terrain, reach), _grid_line(near, far, terrain, reach)
    x, z = np.meshgrid(xs, zs)
    points = np.stack([x, terrain.at(x, z), z], axis=-1)
    slope_z, slope_x = np.gradient(points[..., 1], zs, xs)
    normals = np.stack([-slope_x, np.ones_like(x), -slope_z], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    here = (np.arange(len(zs) - 1)[:, None] * len(xs) + np.arange(len(xs) - 1)).ravel()
    there = here + len(xs)
    triangles = [np.stack([here, there, here + 1], axis=1), np.stack([here + 1, there, there + 1], axis=1)]
    return Surface(points.reshape(-1, 3), normals.reshape(-1, 3), np.concatenate(triangles))


def _grid_line(low: float, high: float, terrain: HeightField, reach: float) -> Array:
    cells = 1 if terrain.is_flat else int(np.clip(math.ceil((high - low) / terrain.cell), 1, MOST_CELLS))
    line = np.linspace(low, high, cells + 1)
    return np.concatenate([[low - reach], line, [high + reach]]) if reach > 0.0 else line


def prism_surface(outline: Array, height: float) -> Surface:
    """Walls over an outline (K, 2) that turns from x to z, and two lids."""
    a, b = outline, np.roll(outline, -1, axis=0)
    along = b - a
    out = np.stack([along[:, 1], np.zeros(len(a)), -along[:, 0]], axis=1)
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
    corners = [np.insert(points, 1, level, axis=1) for points, level in ((a, 0), (b, 0), (b, height), (a, height))]
    points = np.stack(corners, axis=1).reshape(-1, 3)
    first = 4 * np.arange(len(a))[:, None]
    triangles = np.concatenate([first + np.array([0, 2, 1]), first + np.array([0, 3, 2])])
    return joined_surfaces(Surface(points, np.repeat(out, 4, axis=0), triangles), *lids(outline, height))


def lids(outline: Array, height: float) -> tuple[Surface, Surface]:
    """What closes the walls over an outline (K, 2), at `height` [m] and at 0."""
    fan = triangulate(outline)
    up, down = np.tile([0.0, 1.0, 0.0], (len(outline), 1)), np.tile([0.0, -1.0, 0.0], (len(outline), 1))
    top, bottom = np.insert(outline, 1, height, axis=1), np.insert(outline, 1, 0.0, axis=1)
    return Surface(top, up, fan[:, ::-1]), Surface(bottom, down, fan)


def pole_surface(radius: float, length: float, sides: int) -> Surface:
    """A ball, drawn out to `length` along y."""
    angles = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 2 * max(sides // 4, 2) + 1)
    middle = len(angles) // 2
    # The equator is there twice, once at each end, unless the ends are one place.
    angles = np.insert(angles, middle, 0.0) if length > 0.0 else angles
    rise = np.where(np.arange(len(angles)) > middle, length, 0.0)
    out = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    profile = radius * out + np.stack([np.zeros_like(rise), rise], axis=1)
    profile[[0, -1], 0] = out[[0, -1], 0] = 0.0
    return revolved(profile, out, sides)


def revolved(profile: ArrayLike, slopes: ArrayLike, sides: int) -> Surface:
    """A profile (K, 2) of radius and height, from the bottom up, with its normals likewise, turned about y."""
    profile, slopes = np.asarray(profile, dtype=np.float64), np.asarray(slopes, dtype=np.float64)
    angle = 2.0 * math.pi * np.arange(sides) / sides
    turn = np.stack([np.cos(angle), np.ones(sides), np.sin(angle)], axis=1)
    points = (turn * profile[:, None, [0, 1, 0]]).reshape(-1, 3)
    normals = (turn * slopes[:, None, [0, 1, 0]]).reshape(-1, 3)
    row = sides * np.arange(len(profile) - 1)[:, None]
    k, after = np.arange(sides), (np.arange(sides) + 1) % sides
    low, low_next, high, high_next = row + k, row + after, row + sides + k, row + sides + after
    lower = np.stack([low, high, low_next], axis=-1)[profile[:-1, 0] > 0.0]
    upper = np.stack([low_next, high, high_next], axis=-1)[profile[1:, 0] > 0.0]
    return Surface(points, normals, np.concatenate([lower.reshape(-1, 3), upper.reshape(-1, 3)]))


def creased(vertices: Array, faces: Indices) -> Surface:
    """A mesh whose corners carry the mean normal of the faces around them that bend only a little."""
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    faces, normals, areas = faces[areas > 0.0], normals[areas > 0.0], areas[areas > 0.0]
    units = normals / areas[:, None]
    owners = np.repeat(np.arange(len(faces)), 3)
    one, two = _pairs(faces.ravel())
    alike = np.einsum("pk,pk->p", units[owners[one]], units[owners[two]]) > math.cos(CREASE)
    sums = np.zeros((3 * len(faces), 3))
    np.add.at(sums, one[alike], normals[owners[two[alike]]])
    sums /= np.linalg.norm(sums, axis=1, keepdims=True)
    rows = np.concatenate([vertices[faces.ravel()], np.round(sums, 6)], axis=1)
    _, first, index = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return Surface(vertices[faces.ravel()[first]], sums[first], index.reshape(-1, 3))


def _pairs(vertices: Indices) -> tuple[Indices, Indices]:
    """All ordered pairs (P,), (P,) of face corners that share a vertex, each with itself among them."""
    order = np.argsort(vertices, kind="stable")
    _, starts, counts = np.unique(vertices[order], return_index=True, return_counts=True)
    mates = np.repeat(counts, counts)
    one = np.repeat(order, mates)
    begins = np.repeat(starts, counts)
    ranks = np.arange(len(one)) - np.repeat(np.cumsum(mates) - mates, mates)
    return one, order[np.repeat(begins, mates) + ranks]


def joined_surfaces(*parts: Surface) -> Surface:
    """Several surfaces as one."""
    starts = np.cumsum([0, *(len(part.points) for part in parts)])
    return Surface(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=False)]),
    )
