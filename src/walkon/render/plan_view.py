"""A scene from above, as a drawing: x to the right, z down, as a camera over it would see it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from walkon.basics import Array
from walkon.render.page import LARGER, Page, whole_colour
from walkon.render.palette import BOLD_GRID, EDGE, FLOOR, GRID, INK, PAPER
from walkon.render.renderer import check_size
from walkon.rotations import rotate
from walkon.world import Obstacle, Scene
from walkon.world.tints import obstacle_tint

HIGH_GROUND, LOW_GROUND = np.array([236.0, 218.0, 188.0]), np.array([226.0, 238.0, 228.0])
"""Colours of the highest and the lowest ground of a scene."""

HEAD_ROOM, FOOT_ROOM, SIDE_ROOM = 64, 56, 28
"""Space [px] above the plan for the title, below it for the legend, and free at its sides."""

SPILL = 10
"""How far [px] things may stick out of the bounds before they are cut off."""

LEAST_WIDTH, LEAST_PLAN_HEIGHT, MOST_PLAN_HEIGHT = 800, 240, 1600
"""Width of the page at least, and height of the plan at least and at most [px]."""


class PlanView(Page):
    """A drawing of a scene from above, at most `width` [px] wide; widths of lines and text are in its pixels."""

    def __init__(self, scene: Scene, width: int) -> None:
        check_size(width, width)
        left, near, right, far = scene.bounds
        scale = min((width - 2 * SIDE_ROOM) / (right - left), MOST_PLAN_HEIGHT / (far - near))
        plan = round(scale * (far - near))
        # A tall scene leaves a wide page mostly empty.
        width = min(width, max(round(scale * (right - left)) + 2 * SIDE_ROOM, LEAST_WIDTH))
        super().__init__(width, HEAD_ROOM + max(plan, LEAST_PLAN_HEIGHT) + FOOT_ROOM)
        self.scale = scale
        self._scene = scene
        self._origin = np.array([0.5 * width - 0.5 * scale * (left + right), HEAD_ROOM - scale * near])

    def pixels(self, points: Array) -> Array:
        """Ground points (..., 2) x, z [m] as pixels of the large drawing."""
        return LARGER * (self._origin + self.scale * np.asarray(points, dtype=np.float64))

    def floor(self) -> None:
        """The ground: heights as shade and contour lines, a grid, and the bounds."""
        left, near, right, far = self._scene.bounds
        corners = self.pixels(np.array([(left, near), (right, far)]))
        self._pen.rectangle([tuple(corners[0]), tuple(corners[1])], fill=FLOOR)
        if not self._scene.terrain.is_flat:
            self._hills(corners)
        step = _grid_step(right - left)
        for axis, (low, high) in enumerate(((left, right), (near, far))):
            for k in range(math.ceil(low / step), math.floor(high / step) + 1):
                ends = [(k * step, near), (k * step, far)] if axis == 0 else [(left, k * step), (right, k * step)]
                colour = (*(BOLD_GRID if k % 5 == 0 else GRID), 150)
                self.line(np.array(ends), colour, 1.0)
        box = [tuple(corners[0] - LARGER), tuple(corners[1] + LARGER)]
        self._pen.rectangle(box, outline=EDGE, width=2 * LARGER)

    def _hills(self, corners: Array) -> None:
        (left, top), (right, bottom) = np.round(corners).astype(int)
        columns, rows = np.arange(left, right), np.arange(top, bottom)
        x, z = np.meshgrid(
            (columns / LARGER - self._origin[0]) / self.scale,
            (rows / LARGER - self._origin[1]) / self.scale,
        )
        heights = self._scene.terrain.at(x, z)
        low, high = float(heights.min()), float(heights.max())
        tone = ((heights - low) / max(high - low, 1e-9))[..., None]
        slope_z, slope_x = np.gradient(heights, 1.0 / (LARGER * self.scale))
        # Lit from the upper left, as maps are.
        light = np.clip(1.0 - 0.28 * (slope_x + slope_z), 0.8, 1.07)[..., None]
        colours = (LOW_GROUND + tone * (HIGH_GROUND - LOW_GROUND)) * light
        levels = np.floor(heights / _contour_step(high - low) + 0.5)
        contour = np.zeros(levels.shape, dtype=bool)
        contour[:-1] |= levels[:-1] != levels[1:]
        contour[:, :-1] |= levels[:, :-1] != levels[:, 1:]
        colours[contour] *= 0.86
        self._image.paste(Image.fromarray(np.clip(colours, 0, 255).astype(np.uint8)), (int(left), int(top)))

    def obstacle(self, obstacle: Obstacle, index: int, *, frame: int = 0, strength: float = 1.0) -> None:
        """What an obstacle covers of the ground, at a frame of its motion."""
        surface = obstacle.shape.surface()
        at = min(frame, len(obstacle.positions) - 1)
        points = rotate(obstacle.rotations[at], surface.points) + obstacle.positions[at]
        corners = self.pixels(points[:, [0, 2]])
        low, high = np.floor(corners.min(axis=0)) - 4, np.ceil(corners.max(axis=0)) + 5
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        if min(size) < 1 or max(size) > 4 * max(self._image.size):
            return
        mask = Image.new("L", size, 0)
        pen = ImageDraw.Draw(mask)
        for triangle in surface.triangles:
            pen.polygon([tuple(point) for point in corners[triangle] - low], fill=255)
        colour = obstacle_tint(obstacle, index)
        rim = ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(2 * LARGER + 1)))
        spot = (int(low[0]), int(low[1]))
        fill, dark = whole_colour(colour, 1.0), whole_colour(colour, 0.72)
        self._image.paste(
            fill, (*spot, spot[0] + size[0], spot[1] + size[1]), mask.point(lambda v: int(v * 0.85 * strength))
        )
        self._image.paste(
            dark, (*spot, spot[0] + size[0], spot[1] + size[1]), rim.point(lambda v: int(v * strength))
        )

    def line(self, points: Array, colour: Sequence[int], width: float) -> None:
        """A line through ground points (K, 2)."""
        pixels = [tuple(point) for point in self.pixels(points)]
        self._pen.line(pixels, fill=tuple(colour), width=max(round(LARGER * width), 1), joint="curve")

    def area(self, corners: Array, colour: Sequence[int], edge: Sequence[int]) -> None:
        """A convex area with corners (K, 2) on the ground, filled, with a fine edge."""
        pixels = [tuple(point) for point in self.pixels(corners)]
        self._pen.polygon(pixels, fill=tuple(colour), outline=tuple(edge), width=max(round(0.8 * LARGER), 1))

    def dashes(self, points: Array, colour: Sequence[int], width: float, dash: float = 9.0) -> None:
        """A dashed line through ground points (K, 2); dash: [px]."""
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        step = dash / self.scale
        for begin in np.arange(0.0, lengths[-1], 2.0 * step):
            stops = np.linspace(begin, min(begin + step, lengths[-1]), 5)
            self.line(np.stack([np.interp(stops, lengths, points[:, k]) for k in range(2)], axis=1), colour, width)

    def dot(self, point: Iterable[float], colour: Sequence[int], radius: float) -> None:
        """A filled dot with a white rim; radius: [px]."""
        self._disc(point, LARGER * (radius + 1.2), fill=(255, 255, 255))
        self._disc(point, LARGER * radius, fill=tuple(colour))

    def spot(self, point: Iterable[float], colour: Sequence[int], radius: float) -> None:
        """A filled dot; radius: [px]."""
        self._disc(point, LARGER * radius, fill=tuple(colour))

    def ring(self, point: Iterable[float], colour: Sequence[int], metres: float, width: float) -> None:
        """A circle of that radius [m]."""
        self._disc(
            point,
            max(LARGER * self.scale * metres, 4.0 * LARGER),
            outline=tuple(colour),
            width=round(LARGER * width),
        )

    def cross(self, point: Iterable[float], colour: Sequence[int], radius: float) -> None:
        """A cross; radius: [px]."""
        x, z = self.pixels(np.array(list(point)))
        r = LARGER * radius
        for sign in (-1, 1):
            self._pen.line([(x - r, z - sign * r), (x + r, z + sign * r)], fill=tuple(colour), width=2 * LARGER)

    def _disc(self, point: Iterable[float], radius: float, **style) -> None:
        x, z = self.pixels(np.array(list(point)))
        self._pen.ellipse([x - radius, z - radius, x + radius, z + radius], **style)

    def label(self, point: Iterable[float], text: str, *, size: int = 12, above: float = 0.0) -> None:
        """Text in the middle of a ground point, `above` [px] over it, legible on anything."""
        x, z = self.pixels(np.array(list(point)))
        self._write((x, z - LARGER * above), text, size, INK, "mm", halo=True)

    def scale_bar(self) -> None:
        """A length to compare with, at the lower right."""
        metres = next(
            m for m in (50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1) if m * self.scale < 0.16 * self.width or m == 0.1
        )
        right, y = self.width - SIDE_ROOM, self.height - FOOT_ROOM / 2
        left = right - metres * self.scale
        ends = [(LARGER * left, LARGER * y), (LARGER * right, LARGER * y)]
        self._pen.line(ends, fill=INK, width=LARGER)
        for x in (left, right):
            self._pen.line(
                [(LARGER * x, LARGER * (y - 4)), (LARGER * x, LARGER * (y + 4))],
                fill=INK,
                width=LARGER,
            )
        self.text((left - 8, y), f"{metres:g} m", anchor="rm")

    def clear_margins(self) -> None:
        """Take away what was drawn far outside the bounds, where title and legend go."""
        left, near, right, far = self._scene.bounds
        corners = self.pixels(np.array([(left, near), (right, far)]))
        (x0, y0), (x1, y1) = corners[0] - LARGER * SPILL, corners[1] + LARGER * SPILL
        wide, high = self._image.size
        for box in ((0, 0, wide, y0), (0, y1, wide, high), (0, 0, x0, high), (x1, 0, wide, high)):
            if box[2] > box[0] and box[3] > box[1]:
                self._pen.rectangle(box, fill=PAPER)


def _grid_step(extent: float) -> float:
    return next((step for step in (0.5, 1.0, 2.0, 5.0, 10.0, 20.0) if extent / step < 60), 50.0)


def _contour_step(extent: float) -> float:
    steps = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
    return next((step for step in steps if extent / step <= 12), 25.0)
