"""What stands in a scene, as models of points and discs see it: line segments, and outlines made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.world import Scene
from walkon.world.footprints import OVERHEAD, Footprint, make_footprint

DISC_CORNERS = 12
"""Corners of the polygon that stands for a disc."""


@dataclass(frozen=True, eq=False)
class Walls:
    """Everything that nobody can walk through.

    segments: (S, 6) [m] from x, z to x, z, how thick it is to all sides, and the number of the thing that it is a
    side of, rising; a disc is a segment without length.
    outlines: polygons (K, 2) of the same, counter-clockwise (turning from x to z) around things, clockwise around
    the ground.
    """

    segments: Array
    outlines: tuple[Array, ...]


def lay_walls(scene: Scene) -> Walls:
    """The walls of a scene: its bounds, and all obstacles that stand in somebody's way.

    The rivals step over nothing and under nothing, so that things which may be passed are walls as well. They know
    nothing about things that move.
    """
    left, near, right, far = scene.bounds
    edge = np.array([(left, near), (left, far), (right, far), (right, near)])
    outlines, segments = [edge], [_sides(edge, 0.0, 0)]
    segments[0][:, 5] = np.arange(4)  # every side of the ground is a wall of its own
    for number, obstacle in enumerate(scene.obstacles, start=4):
        if obstacle.moves:
            raise SceneError(f"obstacle {obstacle.name!r} moves: rivals only know things that stand still")
        footprint = make_footprint(obstacle, scene.terrain)
        if footprint.low >= OVERHEAD:
            continue
        loops = [footprint.loop] if footprint.triangles is None else list(footprint.triangles)
        segments += [_sides(loop, footprint.rounding, number) for loop in loops]
        outlines += [_outline(loop, footprint) for loop in loops]
    return Walls(np.concatenate(segments), tuple(outlines))


def _sides(loop: Array, rounding: float, number: int) -> Array:
    """Segments (S, 6) of a point, a segment or a polygon."""
    following = np.roll(loop, -1, axis=0)
    if len(loop) < 3:
        loop, following = loop[:1], loop[-1:]
    return np.column_stack([loop, following, np.full(len(loop), rounding), np.full(len(loop), number)])


def _outline(loop: Array, footprint: Footprint) -> Array:
    """Corners (K, 2) around a loop and its rounding, counter-clockwise."""
    if len(loop) > 2 and footprint.rounding == 0.0:
        following = np.roll(loop, -1, axis=0)
        area = float(np.sum(loop[:, 0] * following[:, 1] - loop[:, 1] * following[:, 0]))
        return loop if area > 0.0 else loop[::-1]
    from scipy.spatial import ConvexHull

    angles = np.arange(DISC_CORNERS) * (2.0 * math.pi / DISC_CORNERS)
    radius = max(footprint.rounding, 1e-3) / math.cos(math.pi / DISC_CORNERS)
    ring = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    points = (loop[:, None, :] + ring).reshape(-1, 2)
    return points[ConvexHull(points).vertices]
