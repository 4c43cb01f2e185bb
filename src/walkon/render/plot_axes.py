"""Axes with curves: a panel of a page with ticks at round numbers, and data drawn where it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.render.page import Page
from walkon.render.palette import EDGE, FLOOR, INK
from walkon.render.ticks import ticks

TICK_LINE = (230, 232, 235)
"""Of the lines across a panel."""

LEFT, ABOVE, RIGHT, BELOW = 52.0, 30.0, 14.0, 42.0
"""[px] of a panel that ticks and names take around the axes."""

AXIS_ROOM = 0.05
"""Free share of the range of values at either end of an axis."""


@dataclass(frozen=True)
class Axes:
    """A rectangle of a page in which values have places.

    left, top, right, bottom: [px]. across, up: least and greatest value of either axis.
    """

    left: float
    top: float
    right: float
    bottom: float
    across: tuple[float, float]
    up: tuple[float, float]

    def places(self, points: Array) -> Array:
        """Values (K, 2) as places (K, 2) [px] on the page."""
        share_across = (points[:, 0] - self.across[0]) / (self.across[1] - self.across[0])
        share_up = (points[:, 1] - self.up[0]) / (self.up[1] - self.up[0])
        x = self.left + share_across * (self.right - self.left)
        y = self.bottom - share_up * (self.bottom - self.top)
        return np.stack([x, y], axis=1)

    def curve(self, page: Page, points: Array, colour: Sequence[int], width: float) -> None:
        """A line through values (K, 2)."""
        if len(points) > 1:
            page.stroke(self.places(points), colour, width)


def lay_out_axes(box: tuple[float, float, float, float], points: Array) -> Axes:
    """Axes for values (K, 2) in a panel with a left, a top, a width and a height [px]."""
    left, top, width, height = box
    low, high = points.min(axis=0), points.max(axis=0)
    room = AXIS_ROOM * np.maximum(high - low, 1e-9)
    ranges = [(float(a), float(b)) for a, b in zip(low - room, high + room, strict=True)]
    return Axes(left + LEFT, top + ABOVE, left + width - RIGHT, top + height - BELOW, ranges[0], ranges[1])


def draw_axes(page: Page, axes: Axes, across: str, up: str) -> None:
    """The frame, the ticks, and what either axis shows: below to the right, and above to the left."""
    corners = [(axes.left, axes.top), (axes.right, axes.top), (axes.right, axes.bottom), (axes.left, axes.bottom)]
    page.patch(np.array(corners), FLOOR)
    for value in ticks(*axes.across):
        x = axes.places(np.array([[value, axes.up[0]]]))[0, 0]
        page.stroke(np.array([(x, axes.top), (x, axes.bottom)]), TICK_LINE, 1.0)
        page.text((x, axes.bottom + 11), _written(value), size=11, anchor="mm")
    for value in ticks(*axes.up):
        y = axes.places(np.array([[axes.across[0], value]]))[0, 1]
        page.stroke(np.array([(axes.left, y), (axes.right, y)]), TICK_LINE, 1.0)
        page.text((axes.left - 6, y), _written(value), size=11, anchor="rm")
    page.stroke(np.array([*corners, corners[0]]), EDGE, 1.0)
    page.text((axes.right, axes.bottom + 29), across, size=12, anchor="rm", colour=INK)
    page.text((axes.left, axes.top - 13), up, size=12, anchor="lm", colour=INK)


def _written(value: float) -> str:
    return f"{round(value, 10) + 0.0:g}"
