"""Kernels of the room around watched points: reach and depth of circles, and of outlines."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.motion.features.outlines import COMPASS, DIRECTIONS

_TURN = 2.0 * math.pi / DIRECTIONS
_SINE, _COSINE = math.sin(_TURN), math.cos(_TURN)


@kernel
def watch_circles(points, starts, circles, frame_starts, radii, cores):
    """Raise radii and cores (K,) of points (K, 2) to what circles (F, 3) need and fill."""
    for clip in range(len(starts) - 1):
        for row in range(frame_starts[clip], frame_starts[clip + 1]):
            best, least = starts[clip], math.inf
            for point in range(starts[clip], starts[clip + 1]):
                away = math.hypot(points[point, 0] - circles[row, 0], points[point, 1] - circles[row, 1])
                cores[point] = max(cores[point], circles[row, 2] - away)
                if away + circles[row, 2] < least:
                    best, least = point, away + circles[row, 2]
            radii[best] = max(radii[best], least)


@kernel
def watch_outlines(points, starts, circles, supports, frame_starts, radii, cores):
    """The same for outlines (F, 2, DIRECTIONS) around the middles of circles. That of a frame holds all until the
    next, so that the last one of a clip is not needed."""
    corners = np.empty((DIRECTIONS, 2))
    for clip in range(len(starts) - 1):
        for row in range(frame_starts[clip], max(frame_starts[clip + 1] - 1, frame_starts[clip] + 1)):
            _lay_corners(circles[row], supports[row], corners)
            best, least = starts[clip], math.inf
            for point in range(starts[clip], starts[clip + 1]):
                x, z = points[point]
                cores[point] = max(cores[point], _depth(x - circles[row, 0], z - circles[row, 1], supports[row]))
                reach = 0.0
                for k in range(DIRECTIONS):
                    reach = max(reach, math.hypot(corners[k, 0] - x, corners[k, 1] - z))
                if reach < least:
                    best, least = point, reach
            radii[best] = max(radii[best], least)


@kernel
def _lay_corners(circle, supports, corners):
    """The corners of an outline: where the lines of neighboring directions cross."""
    for k in range(DIRECTIONS):
        n = (k + 1) % DIRECTIONS
        reach, following = max(supports[0, k], supports[1, k]), max(supports[0, n], supports[1, n])
        aside = (following - reach * _COSINE) / _SINE
        corners[k, 0] = circle[0] + reach * COMPASS[k, 0] + aside * COMPASS[k, 1]
        corners[k, 1] = circle[1] + reach * COMPASS[k, 1] - aside * COMPASS[k, 0]


@kernel
def _depth(x, z, supports):
    """How deep [m] a place is inside of both parts of an outline; below 0 where it is outside of one."""
    depth = math.inf
    for band in range(2):
        for k in range(DIRECTIONS):
            depth = min(depth, supports[band, k] - x * COMPASS[k, 0] - z * COMPASS[k, 1])
    return depth
