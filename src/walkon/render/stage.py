"""The stage: everything that stands still, painted once for a camera and reused in every frame."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from walkon.render._kernels_ground import paint_ground, survey_ground, tint_ground
from walkon.render._kernels_planes import clear_spans, darken, empty_spans
from walkon.render._kernels_shadows import footprint, stroke
from walkon.render._kernels_solids import NOBODY, find_sunlight, own_pixels, paint_solids, shade_prism
from walkon.render.camera import Camera
from walkon.render.look import Look
from walkon.render.scenery import GroundPath, Obstacle
from walkon.render.solids import Solid, build_solid, sun_plane_of

Array = NDArray[np.float64]

OVERRUN = 8
"""Kernels work on eight pixels at a time and may run past the end of a row by less than that."""

CONTACT_REACH = 0.5
"""How far around an obstacle's foot the ground is shaded at most [m]."""


class Stage:
    """Planes (H * S) of the empty stage.

    size: width, height H and stride S. lit, shaded: packed colours without and with the shadows of obstacles.
    depth: [m]. receive: how strongly a shadow shows, 0 where there is no ground.
    sun_plane, contact_plane: shadows 0..1. rows: (H, 5) the ground along each image row.
    """

    def __init__(
        self, width: int, height: int, look: Look, obstacles: Sequence[Obstacle], paths: Sequence[GroundPath]
    ) -> None:
        stride = 2 * ((width + OVERRUN + 1) // 2)  # even, so that rows can be read by pairs
        self.size = (width, height, stride)
        self.look = look
        self.paths = tuple(paths)
        self.solids = tuple(build_solid(obstacle) for obstacle in obstacles)
        self.lit = np.zeros(height * stride, np.uint32)
        self.shaded = np.zeros_like(self.lit)
        self.depth = np.zeros(self.lit.shape, np.float32)
        self.receive = np.zeros_like(self.depth)
        self.sun_plane = np.zeros_like(self.depth)
        self.contact_plane = np.zeros_like(self.depth)
        self.rows = np.zeros((height, 5))
        self._spans = empty_spans(height, width)
        self._shades = _Shades(self.solids, look.sun)

    def paint(self, camera: Camera) -> None:
        """Paint all planes as this camera sees them."""
        width, height, _ = self.size
        lens = camera.lens(width, height)
        survey_ground(lens, self.rows)
        paint_ground(self.lit, self.depth, self.receive, self.size, lens, self.rows, self.look.floor(camera))
        self.sun_plane[:] = 0.0
        self.contact_plane[:] = 0.0
        for path in self.paths:
            self._paint_path(path, lens)
        if self.solids:
            self._paint_solids(camera, lens)
            self._paint_shades(lens)
        self._spans[:] = 0, width - 1
        planes = self.receive, self.sun_plane, self.contact_plane
        darken(self.shaded, self.lit, *planes, self._spans, self.size, self.look.darkness())

    def sunlight(self, starts: Array, ends: Array, sunlight: Array) -> None:
        """Fill sunlight (N,) with the share of the sun that reaches each capsule past the obstacles."""
        if not self.solids:
            sunlight[:] = 1.0
            return
        shades, sun = self._shades, self.look.sun
        find_sunlight(
            sunlight,
            starts,
            ends,
            sun_plane_of(sun),
            sun,
            self.look.softness,
            shades.corners,
            shades.begins,
            shades.centres,
        )

    def _paint_path(self, path: GroundPath, lens: Array) -> None:
        clear_spans(self._spans, self.size[0])
        canvas = self.contact_plane, self._spans, self.size, lens, self.rows
        plain = (1.0, 0.0, 0.0, 1.0)
        points = [(float(x), float(z)) for x, z in np.asarray(path.points)]
        for a, b in pairwise(points):
            soft = 0.6 * footprint(lens, 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))
            stroke(*canvas, plain, a, b, path.width / 2, (soft, soft), (path.opacity, path.opacity))
        tint_ground(self.lit, self.contact_plane, np.asarray(path.colour, np.float64), self._spans, self.size)

    def _paint_solids(self, camera: Camera, lens: Array) -> None:
        corners = np.concatenate([solid.corners for solid in self.solids])
        normals = np.concatenate([solid.normals for solid in self.solids])
        colours = np.concatenate([np.tile(solid.colour, (len(solid.corners), 1)) for solid in self.solids])
        front = _faces_camera(corners, normals, camera)
        corners, normals, colours = corners[front], normals[front] @ camera.axes().T, colours[front]
        edges, planes, bounds = _triangle_terms(corners, lens, self.size)
        owner = np.full(self.lit.shape, NOBODY, np.int32)
        own_pixels(owner, self.depth, self.size, lens, edges, planes, bounds)
        light = self.look.lighting(camera), self.look.air(camera)
        surfaces = edges, planes, bounds, normals, np.ascontiguousarray(corners[..., 1]), colours
        paint_solids(self.lit, self.receive, owner, self.size, lens, *surfaces, *light)

    def _paint_shades(self, lens: Array) -> None:
        across = sun_plane_of(self.look.sun)
        metric = (across[0, 0], across[0, 2], across[1, 0], across[1, 2])
        softness = self.look.softness / self.look.sun[1]
        canvas = self.sun_plane, self.contact_plane, self.size, lens, self.rows, metric
        for solid, hull in self._shades.pieces:
            circle = _shade_circle(solid, self.look.sun)
            shade_prism(*canvas, hull, solid.outline, circle, np.array([solid.bottom, solid.top]), softness)


class _Shades:
    """Convex pieces of all obstacles in the plane that faces the sun, as a list and flat for the kernel."""

    def __init__(self, solids: Sequence[Solid], sun: Array) -> None:
        self.pieces = [(solid, hull) for solid in solids for hull in solid.shadow_hulls(sun)]
        self.corners = np.concatenate([hull for _, hull in self.pieces]) if self.pieces else np.zeros((0, 2))
        self.begins = np.cumsum([0, *(len(hull) for _, hull in self.pieces)])
        self.centres = np.array([_middle(solid) @ sun for solid, _ in self.pieces])


def _middle(solid: Solid) -> Array:
    return solid.corners.reshape(-1, 3).mean(axis=0)


def _shade_circle(solid: Solid, sun: Array) -> Array:
    """Circle (x, z, radius) on the ground that holds the obstacle's shadow and contact shade."""
    fall = -sun[[0, 2]] / sun[1]
    points = np.concatenate([solid.outline, solid.outline + fall * solid.bottom, solid.outline + fall * solid.top])
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return np.array([*centre, np.linalg.norm(points - centre, axis=1).max() + CONTACT_REACH])


def _faces_camera(corners: Array, normals: Array, camera: Camera) -> NDArray[np.bool_]:
    """Which triangles (T,) show their outer side; a smooth wall is judged by its own plane, not its normals."""
    plane = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    plane *= np.sign(np.einsum("tk,tk->t", plane, normals.sum(axis=1)))[:, None]
    ray = corners[:, 0] - camera.position if camera.span is None else camera.axes()[2]
    return np.sum(plane * ray, axis=1) < 0.0


def _triangle_terms(corners: Array, lens: Array, size: tuple[int, int, int]) -> tuple[Array, Array, NDArray]:
    """Edge vectors (T, 3, 3), planes (T, 4) and pixel bounds (T, 4) of triangles (T, 3, 3) in the world."""
    width, height, _ = size
    seen = (corners - lens[0:3]) @ lens[3:12].reshape(3, 3).T
    flat = seen.copy()
    if lens[15] == 0:
        flat[..., 2] = 1.0
    edges = np.cross(np.roll(flat, -1, axis=1), np.roll(flat, -2, axis=1))
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
