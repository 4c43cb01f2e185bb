"""Obstacles as surfaces that can be drawn, and as the shapes of their shadows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.render.polygons import convex_hull, is_convex, triangulate
from walkon.render.scenery import Cylinder, Obstacle

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Solid:
    """One obstacle ready to draw.

    corners, normals: (T, 3, 3) [m] and unit, of its triangles. colour: (3,) 0..255.
    outline: (K, 2) on the ground. pieces: convex polygons that fill the outline. bottom, top: [m].
    """

    corners: Array
    normals: Array
    colour: Array
    outline: Array
    pieces: tuple[Array, ...]
    bottom: float
    top: float

    def shadow_hulls(self, sun: Array) -> list[Array]:
        """Convex polygons (K, 2) that the obstacle covers in the plane facing the sun (see `sun_plane_of`)."""
        hulls = []
        for piece in self.pieces:
            ends = [np.insert(piece, 1, height, axis=1) for height in (self.bottom, self.top)]
            hulls.append(convex_hull(np.concatenate(ends) @ sun_plane_of(sun).T))
        return hulls


def sun_plane_of(sun: Array) -> Array:
    """Two unit vectors (2, 3) across the sun's rays: level, and down the shadow."""
    flat = math.hypot(sun[0], sun[2])
    x, z = (sun[0] / flat, sun[2] / flat) if flat > 1e-9 else (1.0, 0.0)
    return np.array([[-z, 0.0, x], [sun[1] * x, -flat, sun[1] * z]])


def build_solid(obstacle: Obstacle) -> Solid:
    """Walls, top and, where it hangs, the underside of an obstacle."""
    outline = obstacle.outline()
    bottom, top = obstacle.bottom, obstacle.bottom + obstacle.height
    triangles = triangulate(outline)
    faces = [
        _walls(outline, bottom, top, smooth=isinstance(obstacle, Cylinder)),
        _lid(outline, triangles, top, 1.0),
    ]
    if bottom > 0.0:
        faces.append(_lid(outline, triangles, bottom, -1.0))
    pieces = (outline,) if is_convex(outline) else tuple(outline[triangle] for triangle in triangles)
    corners, normals = (np.concatenate(arrays) for arrays in zip(*faces, strict=True))
    return Solid(corners, normals, np.array(obstacle.colour, dtype=np.float64), outline, pieces, bottom, top)


def _walls(outline: Array, bottom: float, top: float, *, smooth: bool) -> tuple[Array, Array]:
    """Two triangles an edge; smooth walls share their normals across edges."""
    a, b = outline, np.roll(outline, -1, axis=0)
    edge = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-12)
    out = np.stack([edge[:, 1], np.zeros(len(a)), -edge[:, 0]], axis=1)
    out_a = out_b = out
    if smooth:
        out_a = out + np.roll(out, 1, axis=0)
        out_a /= np.linalg.norm(out_a, axis=1, keepdims=True)
        out_b = np.roll(out_a, -1, axis=0)
    low_a, low_b = np.insert(a, 1, bottom, axis=1), np.insert(b, 1, bottom, axis=1)
    high_a, high_b = np.insert(a, 1, top, axis=1), np.insert(b, 1, top, axis=1)
    corners = [np.stack([low_a, low_b, high_b], axis=1), np.stack([low_a, high_b, high_a], axis=1)]
    normals = [np.stack([out_a, out_b, out_b], axis=1), np.stack([out_a, out_b, out_a], axis=1)]
    return np.concatenate(corners), np.concatenate(normals)


def _lid(outline: Array, triangles: NDArray[np.int64], height: float, facing: float) -> tuple[Array, Array]:
    corners = np.insert(outline, 1, height, axis=1)[triangles]
    normals = np.zeros_like(corners)
    normals[..., 1] = facing
    return corners, normals
