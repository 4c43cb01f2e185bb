"""Triangles in space, made ready for the kernels that draw them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.render._kernels_solids import (
    MOST_CANDIDATES,
    NOBODY,
    disown,
    find_ranges,
    find_rims,
    list_candidates,
    own_pixels,
    paint_solids,
)
from walkon.render.camera import Camera
from walkon.render.look import Look

Size = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Triangles:
    """T triangles: corners, normals (T, 3, 3) [m] in the world; groups (T,) of one face; colours (T, 3) 0..255;
    heights (T, 3) [m] of the corners above the ground."""

    corners: Array
    normals: Array
    groups: NDArray[np.int64]
    colours: Array
    heights: Array


class TrianglePainter:
    """Draws triangles on planes (H * S) of one size: those of a stage, or those of a frame."""

    def __init__(self, size: Size) -> None:
        _, height, stride = size
        self.size = size
        self._owner = np.full(height * stride, NOBODY, np.int32)
        self._rims = np.full_like(self._owner, NOBODY)
        self._ranges = np.zeros((height, 2), np.int64)

    def paint(
        self,
        triangles: Triangles,
        camera: Camera,
        look: Look,
        planes: tuple[NDArray, NDArray, NDArray],
        behind: NDArray,
        spans: NDArray,
    ) -> None:
        """Draw on planes: packed colour, depth [m], and how strongly a shadow shows. behind: depth before."""
        lit, depth, receive = planes
        front = faces_camera(triangles.corners, triangles.normals, camera)
        if not front.any():
            return
        lens = camera.lens(self.size[0], self.size[1])
        edges, surfaces, bounds = triangle_terms(triangles.corners[front], lens, self.size)
        low, high = bounds[:, ::2].min(axis=0), bounds[:, 1::2].max(axis=0)
        box = int(low[0]), int(high[0]), int(low[1]), int(high[1])
        if box[0] > box[1] or box[2] > box[3]:
            return
        own_pixels(self._owner, depth, self.size, lens, edges, surfaces, bounds)
        find_ranges(self._owner, self._ranges, self.size, box)
        rims = find_rims(self._owner, self._rims, triangles.groups[front], self._ranges, self.size, box)
        lists, counts = np.empty((rims, MOST_CANDIDATES), np.int64), np.zeros(rims, np.int64)
        list_candidates(self._rims, lists, counts, self.size, lens, edges, bounds)
        coats = triangles.normals[front] @ camera.axes().T, triangles.heights[front], triangles.colours[front]
        light = look.lighting(camera), look.air(camera)
        pixels = self._owner, self._rims, self._ranges, box[2:]
        shapes = edges, surfaces
        paint_solids((lit, receive), behind, spans, self.size, lens, pixels, (lists, counts), shapes, coats, light)
        disown(self._owner, self._rims, self._ranges, self.size, box)


def faces_camera(corners: Array, normals: Array, camera: Camera) -> NDArray[np.bool_]:
    """Which triangles (T,) show their outer side; a smooth wall is judged by its own plane, not its normals."""
    plane = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    plane *= np.sign(np.einsum("tk,tk->t", plane, normals.sum(axis=1)))[:, None]
    ray = corners[:, 0] - camera.position if camera.span is None else camera.axes()[2]
    return np.sum(plane * ray, axis=1) < 0.0


def triangle_terms(corners: Array, lens: Array, size: Size) -> tuple[Array, Array, NDArray[np.int64]]:
    """Edge vectors (T, 3, 3), planes (T, 4) and pixel bounds (T, 4) of triangles (T, 3, 3) in the world."""
    width, height, _ = size
    seen = (corners - lens[0:3]) @ lens[3:12].reshape(3, 3).T
    flat = seen.copy()
    if lens[15] == 0:
        flat[..., 2] = 1.0
    edges = np.cross(flat[:, [1, 2, 0]], flat[:, [2, 0, 1]])
    edges *= np.sign(np.einsum("tk,tk->t", edges[:, 0], flat[:, 0]))[:, None, None]
    normal = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
    planes = np.concatenate([normal, np.einsum("tk,tk->t", normal, seen[:, 0])[:, None]], axis=1)
    limits = np.tile(np.array([0, width - 1, 0, height - 1]), (len(corners), 1))
    before = np.all(seen[..., 2] > 1e-3, axis=1) | (lens[15] == 0)
    image = lens[13:15] + lens[12] * flat[before, :, :2] / flat[before, :, 2:]
    low, high = np.floor(image.min(axis=1)) - 1, np.ceil(image.max(axis=1)) + 1
    limits[before, 0], limits[before, 2] = np.clip(low, 0, [width, height]).T
    limits[before, 1], limits[before, 3] = np.clip(high, -1, [width - 1, height - 1]).T
    return edges, planes, limits
