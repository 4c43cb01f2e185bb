"""The stage: everything that stands still, painted once for a camera and reused in every frame."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from walkon.basics import Array
from walkon.render._kernels_ground import paint_ground, survey_ground, tint_ground
from walkon.render._kernels_planes import clear_spans, darken, empty_spans
from walkon.render._kernels_shadows import footprint, stroke
from walkon.render.camera import Camera
from walkon.render.lightmap import Lightmap
from walkon.render.look import Look
from walkon.render.movers import join_triangles
from walkon.render.relief import Relief
from walkon.render.scenery import GroundPath
from walkon.render.setting import Setting
from walkon.render.triangles import TrianglePainter

OVERRUN = 8
"""Kernels work on eight pixels at a time and may run past the end of a row by less than that."""


class PaintedStage:
    """Planes (H * S) of the empty stage.

    size: width, height H and stride S. lit, shaded: packed colours without and with the shadows of obstacles.
    depth: [m]; ground: [m] likewise, as if nothing stood on it. receive: how strongly a shadow shows, 0 where
    there is no ground. sun_plane, contact_plane: shadows 0..1. rows: (H, 5) level ground along each image row.
    relief: ground that is not level, or None.
    """

    def __init__(self, width: int, height: int, look: Look, setting: Setting) -> None:
        stride = 2 * ((width + OVERRUN + 1) // 2)  # even, so that rows can be read by pairs
        self.size = (width, height, stride)
        self.look = look
        self.setting = setting
        self.relief = None if setting.ground.is_flat else Relief(setting.ground, look)
        self.lit = np.zeros(height * stride, np.uint32)
        self.shaded = np.zeros_like(self.lit)
        self.depth = np.zeros(self.lit.shape, np.float32)
        self.ground = np.zeros_like(self.depth)
        self.receive = np.zeros_like(self.depth)
        self.sun_plane = np.zeros_like(self.depth)
        self.contact_plane = np.zeros_like(self.depth)
        self.rows = np.zeros((height, 5))
        self._spans = empty_spans(height, width)
        self._light = Lightmap(setting.solids, setting.ground, look) if setting.solids else None
        self._painter = TrianglePainter(self.size)

    def paint(self, camera: Camera) -> None:
        """Paint all planes as this camera sees them."""
        width, height, _ = self.size
        lens = camera.lens(width, height)
        self.sun_plane[:] = 0.0
        self.contact_plane[:] = 0.0
        self._paint_ground(camera, lens)
        for path in self.setting.paths:
            self._paint_path(path, lens)
        np.copyto(self.ground, self.depth)
        if self._light is not None:
            planes = self.sun_plane, self.contact_plane
            self._light.lay(planes, self.depth, self.receive, self.size, lens)
            triangles = join_triangles(self.setting.solids, self.setting.ground)
            surfaces = self.lit, self.depth, self.receive
            self._painter.paint(triangles, camera, self.look, surfaces, self.ground, self._spans)
        self._spans[:] = 0, width - 1
        planes = self.receive, self.sun_plane, self.contact_plane
        darken(self.shaded, self.lit, *planes, self._spans, self.size, self.look.darkness())

    def sunlight(self, starts: Array, ends: Array, sunlight: Array) -> None:
        """Fill sunlight (N,) with the share of the sun that reaches each capsule past the obstacles."""
        if self._light is None:
            sunlight[:] = 1.0
        else:
            self._light.sunlight(starts, ends, sunlight)

    def _paint_ground(self, camera: Camera, lens: Array) -> None:
        survey_ground(lens, self.rows)
        planes = self.lit, self.depth, self.receive
        if self.relief is not None:
            self.rows[:, 0] = 0.0  # no row sees level ground: paint nothing but sky
        paint_ground(*planes, self.size, lens, self.rows, self.look.floor(camera))
        if self.relief is not None:
            self.relief.paint(planes, self.size, camera)

    def _paint_path(self, path: GroundPath, lens: Array) -> None:
        clear_spans(self._spans, self.size[0])
        if self.relief is not None:
            self.relief.draw_line(self.contact_plane, self.depth, self._spans, self.size, lens, path)
        else:
            self._draw_line(path, lens)
        tint_ground(self.lit, self.contact_plane, np.asarray(path.colour, np.float64), self._spans, self.size)

    def _draw_line(self, path: GroundPath, lens: Array) -> None:
        """Draw a path on level ground."""
        canvas = self.contact_plane, self._spans, self.size, lens, self.rows
        plain = (1.0, 0.0, 0.0, 1.0)
        points = [(float(x), float(z)) for x, z in np.asarray(path.points)]
        for a, b in pairwise(points):
            soft = 0.6 * footprint(lens, 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))
            stroke(canvas, plain, a, b, (path.width / 2, (soft, soft), (path.opacity, path.opacity)))
