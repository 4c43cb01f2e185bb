"""The line on the ground that a leg of a script is to follow: straight from place to place, round at corners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from walkon.basics import Array

Point = tuple[float, float]

WIDEST_CUT = 1.0
"""[m] before a corner where the line begins to bend at most."""

RUN_IN = 1.2
"""[m] of the way to a place where one is to look somewhere that lead there in that direction."""

CORNER_POINTS = 9
"""Points that a rounded corner is drawn with."""


@dataclass(frozen=True)
class Corner:
    """A place on the line: how far [m] the line may miss it. sharp: points that were drawn, not to be rounded."""

    x: float
    z: float
    slack: float
    sharp: bool = False

    @property
    def point(self) -> Point:
        """x, z [m]."""
        return self.x, self.z


def lay_course(start: Point, corners: Sequence[Corner], heading: float | None = None) -> Array:
    """Points (P, 2) [m] of a line from the start by all corners to the last of them.

    heading [rad]: of the line at its end, where there is room for a run-in.
    """
    stops = [Corner(*start, 0.0, sharp=True), *corners]
    if heading is not None:
        stops[-1:] = _run_in(stops[-2], stops[-1], heading)
    stops = [
        stops[0],
        *(stop for before, stop in pairwise(stops) if stop.point != before.point),
    ]
    points: list[Point] = [stops[0].point]
    for number in range(1, len(stops) - 1):
        points += _rounded(stops[number - 1].point, stops[number], stops[number + 1].point)
    return np.array([*points, stops[-1].point] if len(stops) > 1 else points)


def length_of(course: Array) -> float:
    """[m] of a line (P, 2)."""
    return float(np.hypot(*np.diff(course, axis=0).T).sum())


def arc_of(course: Array, x: float, z: float, after: float = 0.0) -> float:
    """How far [m] along a line (P, 2), from `after` [m] on, it comes nearest to (x, z)."""
    steps = np.diff(course, axis=0)
    sizes = np.maximum(np.hypot(*steps.T), 1e-12)
    begins = np.concatenate([[0.0], np.cumsum(sizes)])[:-1]
    along = ((x - course[:-1, 0]) * steps[:, 0] + (z - course[:-1, 1]) * steps[:, 1]) / sizes
    along = np.clip(along, np.clip(after - begins, 0.0, sizes), sizes)
    ends = course[:-1] + steps * (along / sizes)[:, None]
    away = np.hypot(ends[:, 0] - x, ends[:, 1] - z) + np.where(begins + sizes < after, np.inf, 0.0)
    nearest = int(np.argmin(away))
    return float(begins[nearest] + along[nearest])


def point_at(course: Array, arc: float) -> Point:
    """x, z [m] at an arc length [m] of a line (P, 2); beyond its end, its end."""
    arcs = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(course, axis=0).T))])
    return float(np.interp(arc, arcs, course[:, 0])), float(np.interp(arc, arcs, course[:, 1]))


def _run_in(before: Corner, last: Corner, heading: float) -> list[Corner]:
    """The end of a line, and a place before it from which it leads there in the right direction."""
    reach = min(RUN_IN, 0.5 * math.dist(before.point, last.point))
    if reach < 0.2:
        return [last]
    x, z = last.x - reach * math.sin(heading), last.z - reach * math.cos(heading)
    return [Corner(x, z, 0.5 * reach), last]


def _rounded(before: Point, corner: Corner, after: Point) -> list[Point]:
    """The corner cut so that the line misses it by no more than half its slack."""
    here = np.array(corner.point)
    towards, away = np.array(before) - here, np.array(after) - here
    in_size, out_size = np.hypot(*towards), np.hypot(*away)
    if corner.sharp or min(in_size, out_size) < 1e-9:
        return [corner.point]
    towards, away = towards / in_size, away / out_size
    # A parabola that begins and ends `cut` from the corner passes it at a quarter of |towards + away| times that.
    miss = 0.25 * float(np.hypot(*(towards + away)))
    cut = min(WIDEST_CUT, 0.5 * in_size, 0.5 * out_size, 0.5 * corner.slack / max(miss, 1e-9))
    u = np.linspace(0.0, 1.0, CORNER_POINTS)[:, None]
    curve = here + cut * ((1.0 - u) ** 2 * towards + u**2 * away)
    return [(float(x), float(z)) for x, z in curve]
