"""Solids that move, drawn into a frame, and the shadows they bring along."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.render._kernels_light import CONTACT_REACH, landing
from walkon.render._kernels_relief import screen_box, shade_hull
from walkon.render._kernels_shadows import footprint
from walkon.render.camera import Camera
from walkon.render.movers import join_triangles
from walkon.render.solids import Solid, sun_plane_of
from walkon.render.stage import PaintedStage
from walkon.render.triangles import TrianglePainter

Box = tuple[int, int, int, int]
Canvas = tuple[NDArray, NDArray, tuple[int, int, int], Array]
"""Depth of the ground (H * S), spans, size and lens."""

PLAN = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""Seen from above."""


def draw_solids(
    painter: TrianglePainter,
    solids: Sequence[Solid],
    stage: PaintedStage,
    camera: Camera,
    planes: tuple[NDArray, NDArray, NDArray],
    spans: NDArray,
) -> None:
    """Draw solids on a frame's planes: packed colour, depth [m], and one that is scratch."""
    for solid in solids:
        triangles = join_triangles([solid], stage.setting.ground)
        painter.paint(triangles, camera, stage.look, planes, stage.depth, spans)


def shade_solids(
    planes: tuple[NDArray, NDArray], solids: Sequence[Solid], stage: PaintedStage, lens: Array, spans: NDArray
) -> None:
    """Lay the shadows and contact shades of solids on sun and contact planes (H * S)."""
    sun = stage.look.sun
    canvas = stage.ground, spans, stage.size, lens
    for solid in solids:
        hulls, outlines = solid.shadow_hulls(sun), solid.outlines()
        for piece, hull, outline in zip(solid.pieces, hulls, outlines, strict=True):
            if (piece[:, 1] <= stage.setting.ground.at(piece[:, 0], piece[:, 2])).all():
                continue  # under the ground
            if len(hull) > 2:
                _cast(planes[0], canvas, stage, piece, hull)
            if len(outline) > 2:
                _touch(planes[1], canvas, stage, piece, outline)


def _cast(plane: NDArray, canvas: Canvas, stage: PaintedStage, piece: Array, hull: Array) -> None:
    """Lay the shadow of a convex piece, points (P, 3), on the ground."""
    sun, ground, lens = stage.look.sun, stage.setting.ground, canvas[3]
    field = ground.origin_x, ground.origin_z, ground.cell
    landed = np.array([landing(ground.heights, field, sun, *point) for point in piece])
    middle = landed.mean(axis=0)
    sharp = 0.02 + footprint(lens, middle[0], middle[2])
    softness = 2.0 * stage.look.softness
    towards = piece @ sun
    reach = sharp + softness * max(float((towards - landed @ sun).max()), 0.0)
    levels = float(towards.mean()), float(towards.max()), sharp, softness
    box = _box(lens, stage.size, landed, reach)
    shade_hull((plane, *canvas), sun_plane_of(sun), hull, sun, levels, 1.0, box)


def _touch(plane: NDArray, canvas: Canvas, stage: PaintedStage, piece: Array, outline: Array) -> None:
    """Shade the ground around the foot of a piece that stands on it, or nearly so."""
    below = np.array(piece)
    below[:, 1] = stage.setting.ground.at(below[:, 0], below[:, 2])
    gaps = piece[:, 1] - below[:, 1]
    gap = max(float(gaps.min()), 0.0)
    if gap < CONTACT_REACH:
        strength = (1.0 - gap / CONTACT_REACH) ** 2
        box = _box(canvas[3], stage.size, below, CONTACT_REACH)
        levels = 0.0, 1e9, CONTACT_REACH, 0.0
        shade_hull((plane, *canvas), PLAN, outline, stage.look.sun, levels, strength, box)


def _box(lens: Array, size: tuple[int, int, int], points: Array, reach: float) -> Box:
    """Pixels within `reach` [m] of the box around points (P, 3); none if some are behind the camera."""
    boxes = np.array([screen_box(lens, size, point, point, reach) for point in points])
    if (boxes[:, 1] < 0).all() or (boxes[:, 1] < boxes[:, 0]).all():
        return 0, -1, 0, -1
    return int(boxes[:, 0].min()), int(boxes[:, 1].max()), int(boxes[:, 2].min()), int(boxes[:, 3].max())
