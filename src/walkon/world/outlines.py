"""The outlines that the parts of an obstacle draw on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkon.basics import Array, Indices
from walkon.rotations import rotate
from walkon.world.parts import Part, vertical_extent

if TYPE_CHECKING:
    from walkon.world.scene import HeightField, Obstacle

HULL_CORNERS = 12
"""Room for the corners of a solid's outline; rounder outlines are drawn around, never inside."""

BODY_HEIGHT = 2.3
"""[m] above the ground: what lies higher is in nobody's way."""

BODY_REACH = 0.5
"""[m] on the ground: whoever touches an obstacle stands on ground this near to it."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """A part on the ground at T frames. corners (T, HULL, 2), sizes (T,): 0 where it is above all heads or below
    the ground; rounding, bottom, top (T,) [m], the last two above the ground there; discs (T, 3) around all of
    it."""

    corners: Array
    sizes: Indices
    rounding: Array
    bottom: Array
    top: Array
    discs: Array


def draw(part: Part, obstacle: Obstacle, terrain: HeightField, *, most: int) -> Outlines:
    """Outlines with at most `most` corners that hold the part from half a frame before to half a frame after
    each."""
    from walkon.world._kernels_outlines import draw_outlines

    positions, rotations = obstacle.positions, obstacle.rotations
    points = rotate(rotations[:, None], part.points[None]) + positions[:, None]
    aside, upward = _motion(points, rotations, float(np.linalg.norm(part.points, axis=1).max()))
    rounding = part.rounding + aside
    lowest, highest = ground_range(terrain, points, rounding)
    frames = len(points)
    corners, sizes = np.zeros((frames, most, 2)), np.zeros(frames, dtype=np.int64)
    discs = np.zeros((frames, 3))
    spare = part.puff + upward
    draw_outlines(points, part.edges, lowest - spare, highest + BODY_HEIGHT + spare, corners, sizes, discs)
    discs[:, 2] += rounding
    bottom, top = (positions[:, 1] + extent for extent in vertical_extent(part, rotations))
    return Outlines(corners, sizes, rounding, bottom - upward - highest, top + upward - lowest, discs)


def ground_range(terrain: HeightField, points: Array, rounding: Array) -> tuple[Array, Array]:
    """Least and greatest height (T,) [m] of the ground where somebody can touch points (T, N, 3)."""
    from walkon.world._kernels_outlines import ground_ranges

    frames = len(points)
    lowest, highest = np.zeros(frames), np.zeros(frames)
    if not terrain.is_flat:
        margin = (np.asarray(rounding) + BODY_REACH)[:, None]
        ground = points[:, :, [0, 2]]
        boxes = np.concatenate([ground.min(axis=1) - margin, ground.max(axis=1) + margin], axis=1)
        ground_ranges(terrain.origin_x, terrain.origin_z, terrain.cell, terrain.heights, boxes, lowest, highest)
    return lowest, highest


def _motion(points: Array, rotations: Array, radius: float) -> tuple[Array, Array]:
    """How far (T,) [m] any of points (T, N, 3) goes within half a frame of each frame, on the ground and upwards.

    Between frames positions go straight and turns are even. A point that turns by an angle at `radius` [m] or less
    leaves the chord of its arc by radius (1 - cos(angle / 2)) at most; half the chord lies within half a frame.
    """
    steps = np.diff(points, axis=0)
    across = np.concatenate([[0.0], np.hypot(steps[..., 0], steps[..., 2]).max(axis=1, initial=0.0), [0.0]])
    upward = np.concatenate([[0.0], np.abs(steps[..., 1]).max(axis=1, initial=0.0), [0.0]])
    # |q · q'| is the cosine of half the angle between two turns.
    bulge = radius * (1.0 - np.minimum(np.abs(np.sum(rotations[1:] * rotations[:-1], axis=1)), 1.0))
    bulge[bulge < 1e-12 * radius] = 0.0
    bulge = np.concatenate([[0.0], bulge, [0.0]])
    across, upward = 0.5 * across + bulge, 0.5 * upward + bulge
    return np.maximum(across[1:], across[:-1]), np.maximum(upward[1:], upward[:-1])
