"""Obstacles as surfaces that can be drawn, and as the shapes of their shadows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.world.surfaces import Surface
from walkon.world.tints import Colour
from walkon.world.triangulation import convex_hull

MOST_PIECES = 1500
"""A mesh of more faces casts the shadow of its convex hull."""


@dataclass(frozen=True, eq=False)
class Solid:
    """One obstacle ready to draw.

    corners, normals: (T, 3, 3) [m] and unit, of its triangles. groups: (T,) triangles that make one smooth or flat
    face have the same number. colour: (3,) 0..255. pieces: points (P, 3) whose convex hulls together fill it.
    """

    corners: Array
    normals: Array
    groups: NDArray[np.int64]
    colour: Array
    pieces: tuple[Array, ...]

    @property
    def bottom(self) -> float:
        """Height of its lowest point [m]."""
        return float(self.corners[..., 1].min())

    @property
    def top(self) -> float:
        """Height of its highest point [m]."""
        return float(self.corners[..., 1].max())

    def outlines(self) -> list[Array]:
        """The convex polygon (K, 2) that each piece covers on the ground, x and z."""
        return [convex_hull(piece[:, [0, 2]]) for piece in self.pieces]

    def shadow_hulls(self, sun: Array) -> list[Array]:
        """Convex polygons (K, 2) that the pieces cover in the plane facing the sun (see `sun_plane_of`)."""
        across = sun_plane_of(sun)
        return [convex_hull(piece @ across.T) for piece in self.pieces]


def sun_plane_of(sun: Array) -> Array:
    """Two unit vectors (2, 3) across the sun's rays: level, and down the shadow."""
    flat = math.hypot(sun[0], sun[2])
    x, z = (sun[0] / flat, sun[2] / flat) if flat > 1e-9 else (1.0, 0.0)
    return np.array([[-z, 0.0, x], [sun[1] * x, -flat, sun[1] * z]])


def solid_of_surface(surface: Surface, colour: Colour) -> Solid:
    """A solid of any surface: one piece if it is convex, else one for every triangle."""
    corners, normals = surface.points[surface.triangles], surface.normals[surface.triangles]
    if len(corners) > MOST_PIECES or _bulges(corners):
        pieces = [np.unique(np.round(surface.points, 9), axis=0)]
    else:
        pieces = list(corners)
    return make_solid(corners, normals, colour, pieces)


def make_solid(corners: Array, normals: Array, colour: Colour, pieces: Sequence[Array]) -> Solid:
    """A solid whose faces are found by what their corners share."""
    return Solid(
        corners, normals, face_groups(corners, normals), np.array(colour, dtype=np.float64), tuple(pieces)
    )


def face_groups(corners: Array, normals: Array) -> NDArray[np.int64]:
    """A number (T,) for each triangle: the same where triangles share a corner and its normal."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows = np.round(np.concatenate([corners, normals], axis=2).reshape(-1, 6), 6)
    _, shared = np.unique(rows, axis=0, return_inverse=True)
    count, owners = len(corners), np.repeat(np.arange(len(corners)), 3)
    size = count + int(shared.max()) + 1
    links = coo_array((np.ones(3 * count), (owners, count + shared.ravel())), shape=(size, size))
    return connected_components(links, directed=False)[1][:count].astype(np.int64)


def _bulges(corners: Array) -> bool:
    """Whether no corner lies outside the plane of any face."""
    planes = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    planes /= np.maximum(np.linalg.norm(planes, axis=1, keepdims=True), 1e-18)
    points = np.unique(np.round(corners.reshape(-1, 3), 9), axis=0)
    heights = points @ planes.T - np.einsum("tk,tk->t", planes, corners[:, 0])
    return bool(heights.max() < 1e-6 * max(float(np.ptp(points, axis=0).max()), 1e-6))
