"""Hilly ground: painted once for a camera, and what lies on it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.render._kernels_relief import paint_relief, screen_box, shade_relief, stroke_relief
from walkon.render._kernels_shadows import footprint
from walkon.render._kernels_solids import NOBODY, own_pixels
from walkon.render.camera import Camera
from walkon.render.look import Look
from walkon.render.scenery import GroundPath
from walkon.render.solids import sun_plane_of
from walkon.render.triangles import faces_camera, triangle_terms
from walkon.world import HeightField
from walkon.world.surfaces import build_ground

Size = tuple[int, int, int]

VALLEY, SUMMIT = (0.95, 0.985, 0.97), (1.03, 0.99, 0.93)
"""Factors on the ground's colour: cool below, warm above."""

BEYOND = 400.0
"""How far the ground goes on beyond its heights [m]."""

LINE_STEP = 0.25
"""A line on hilly ground follows it in steps of this length [m]."""

CONTOURS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0)
FEWEST_CONTOURS = 6
"""Metres between contour lines that there may be; the largest that still gives this many lines is taken."""


class Relief:
    """Ground that is not level."""

    def __init__(self, ground: HeightField, look: Look) -> None:
        self.ground = ground
        self.field = (ground.origin_x, ground.origin_z, ground.cell)
        self._look = look
        rows, columns = ground.heights.shape
        right, far = ground.origin_x + (columns - 1) * ground.cell, ground.origin_z + (rows - 1) * ground.cell
        surface = build_ground(ground, (ground.origin_x, ground.origin_z, right, far), reach=BEYOND)
        self._corners = surface.points[surface.triangles]
        self._normals = surface.normals[surface.triangles]
        slope_z, slope_x = np.gradient(ground.heights, ground.cell)
        self._slopes = np.ascontiguousarray(np.stack([slope_x, slope_z], axis=-1))
        low, high = float(ground.heights.min()), float(ground.heights.max())
        steps = [step for step in CONTOURS if (high - low) / step >= FEWEST_CONTOURS]
        colour = np.array(look.ground)
        tones = np.minimum([colour * VALLEY, colour * SUMMIT], 255.0)
        self._tones = np.array(
            [low, 1.0 / max(high - low, 1e-6), steps[-1] if steps else CONTOURS[0], *tones.ravel()]
        )

    def paint(self, planes: tuple[NDArray, NDArray, NDArray], size: Size, camera: Camera) -> None:
        """Draw the ground on planes that show only sky: packed colour, depth [m], how strongly a shadow shows."""
        lit, depth, _ = planes
        lens = camera.lens(size[0], size[1])
        front = faces_camera(self._corners, self._normals, camera)
        edges, surfaces, bounds = triangle_terms(self._corners[front], lens, size)
        owner = np.full(lit.shape, NOBODY, np.int32)
        own_pixels(owner, depth, size, lens, edges, surfaces, bounds)
        look = self._look
        weights = np.array([look.ambient, look.hemisphere, look.key])
        light, ground = (look.floor(camera), look.sun, weights), (self._slopes, self.field, self._tones)
        paint_relief(planes, owner, size, lens, light, ground)

    def draw_line(
        self, ink: NDArray, depth: NDArray, spans: NDArray, size: Size, lens: Array, path: GroundPath
    ) -> None:
        """Draw a path over hill and dale on an ink plane (H * S)."""
        plain = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        for a, b in pairwise(self._lifted(np.asarray(path.points))):
            soft = 0.6 * footprint(lens, 0.5 * (a[0] + b[0]), 0.5 * (a[2] + b[2]))
            box = screen_box(lens, size, a, b, 1.5 * (path.width / 2 + soft) + 0.02)
            pen = path.width / 2, (soft, soft), (path.opacity, path.opacity)
            stroke_relief((ink, depth, spans, size, lens), plain, a, b, pen, box)

    def _lifted(self, points: Array) -> Array:
        """The line as points (N, 3) on the ground, close enough together to follow it."""
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        stops = np.union1d(lengths, np.arange(0.0, lengths[-1], LINE_STEP))
        x, z = (np.interp(stops, lengths, points[:, k]) for k in range(2))
        return np.stack([x, self.ground.at(x, z), z], axis=1)

    def shade(
        self,
        planes: tuple[NDArray, NDArray],
        depth: NDArray,
        spans: NDArray,
        size: Size,
        lens: Array,
        capsules: tuple[Array, Array, Array],
    ) -> None:
        """Lay the shadows of capsules on sun and contact planes (H * S). depth: of the empty stage."""
        sun = self._look.sun
        light = sun, sun_plane_of(sun), self._look.softness
        shade_relief(planes, (depth, spans, size, lens), light, (self.ground.heights, self.field), capsules)
