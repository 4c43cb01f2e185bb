"""Poses side by side: one scale, one ground line, the time below each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Picture
from walkon.render.camera import Camera
from walkon.render.captions import Caption, write_captions
from walkon.render.look import SUN_TO_THE_LEFT, Look
from walkon.render.pose_series import UP, PoseSeries
from walkon.render.renderer import Renderer
from walkon.render.scenery import GroundPath
from walkon.render.setting import level_setting

POSES_A_ROW = 6
TILT = math.radians(9.0)
"""How far the camera looks down: enough to see the shadows under the feet."""

SIDE_ROOM = 1.14
"""Width of a panel against that of the widest pose."""

NARROWEST = 0.55
"""Least width of a panel against the height of the tallest pose."""

STRIP_DISTANCE = 100.0
"""Distance [m] of the camera, which is orthographic: anything that leaves no body behind it."""


@dataclass(frozen=True, eq=False)
class StripLayout:
    """How P poses are set in rows.

    right, away: (3,) unit vectors on the ground, along the strip and into it. columns: poses a row.
    panel, tall: width and height [m] of a panel's space. scale: [px/m]. caption: height of the text [px], 0 for
    none.
    """

    right: Array
    away: Array
    columns: int
    panel: float
    tall: float
    scale: float
    caption: int

    @property
    def foot_room(self) -> float:
        """Space [m] in the picture below the ground line, for the shadows and the caption."""
        return 0.10 * self.tall + 2.4 * self.caption / self.scale

    @property
    def row_height(self) -> int:
        """[px] of one row."""
        return math.ceil((1.08 * self.tall * math.cos(TILT) + self.foot_room) * self.scale)

    def camera(self) -> Camera:
        """The camera of one row; the ground line runs through the origin."""
        span = self.row_height / self.scale
        middle = (0.5 * span - self.foot_room) / math.cos(TILT) * UP
        azimuth = math.atan2(-self.away[0], -self.away[2])
        return Camera.orbit(middle, STRIP_DISTANCE, azimuth=azimuth, elevation=TILT, span=span)

    def slots(self) -> Array:
        """Where along the strip the poses of a row stand (columns,) [m]."""
        return self.panel * (np.arange(self.columns, dtype=np.float64) - 0.5 * (self.columns - 1))


def lay_out_strip(series: PoseSeries, width: int, azimuth: float, *, captions: bool) -> StripLayout:
    """A layout that fills `width` [px], in rows as even as possible."""
    right = np.array([math.cos(azimuth), 0.0, -math.sin(azimuth)])
    away = np.array([-math.sin(azimuth), 0.0, -math.cos(azimuth)])
    columns = math.ceil(len(series) / math.ceil(len(series) / POSES_A_ROW))
    low, high = series.bounds(right)
    tall = max(float(series.bounds(UP)[1].max()), 0.1)
    panel = SIDE_ROOM * max(float((high - low).max()), NARROWEST * tall)
    scale = width / (columns * panel)
    caption = max(10, min(round(0.06 * panel * scale), 28)) if captions else 0
    return StripLayout(right, away, columns, panel, tall, scale, caption)


def draw_strip(series: PoseSeries, layout: StripLayout, width: int, look: Look | None) -> Picture:
    """All rows, one below the other."""
    camera = layout.camera()
    if look is None:
        look = replace(Look(), fog=STRIP_DISTANCE, sun_azimuth=camera.azimuth + SUN_TO_THE_LEFT)
    edge = 0.5 * layout.columns * layout.panel * layout.right[[0, 2]]
    ground_line = GroundPath([-edge, edge], width=0.006 * layout.tall, opacity=0.3)
    renderer = Renderer(width, layout.row_height, camera, look=look, setting=level_setting(paths=[ground_line]))
    rows = []
    for first in range(0, len(series), layout.columns):
        chosen = np.arange(first, min(first + layout.columns, len(series)))
        rows.append(_draw_row(renderer, series, layout, chosen))
    return np.concatenate(rows)


def _draw_row(renderer: Renderer, series: PoseSeries, layout: StripLayout, chosen: NDArray[np.int64]) -> Picture:
    """One row: each pose moved, on the ground, so that it stands in the middle of its panel and on the line."""
    slots = layout.slots()[: len(chosen)]
    along = 0.5 * np.add(*series.bounds(layout.right))[chosen]
    inwards = 0.5 * np.add(*series.bounds(layout.away))[chosen]
    shifts = np.outer(slots - along, layout.right) - np.outer(inwards, layout.away)
    picture = renderer.draw(
        (series.starts[chosen] + shifts[:, None]).reshape(-1, 3),
        (series.ends[chosen] + shifts[:, None]).reshape(-1, 3),
        np.tile(series.radii, len(chosen)),
        np.tile(series.colours, (len(chosen), 1)),
    )
    if not layout.caption:
        return picture
    columns = renderer.camera.project(np.outer(slots, layout.right), renderer.width, renderer.height)[:, 0]
    row = renderer.height - 1.2 * layout.caption
    labels = [
        Caption(f"{time:.2f} s", (float(column), row))
        for time, column in zip(series.times[chosen], columns, strict=True)
    ]
    return write_captions(picture, labels, size=layout.caption)
