"""Round cones as triangles: two spheres and the cone that touches both, or one sphere that holds the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array

SIDES = 12
"""Corners of every ring around the axis."""

CAP_RINGS = 4
"""Rings on each rounded end, besides its pole."""

VERTICES = 2 + 2 * CAP_RINGS * SIDES
"""Of one round cone: the first half belongs to the first sphere, the second half to the second."""


def swallow(centres: Array, radii: Array) -> tuple[Array, Array]:
    """The same round cones, with two equal spheres (a ball) wherever one sphere holds the other."""
    held = np.abs(radii[:, 0] - radii[:, 1]) >= np.linalg.norm(centres[:, 1] - centres[:, 0], axis=1)
    larger = np.argmax(radii, axis=1)[:, None]
    ball_centres = np.take_along_axis(centres, larger[..., None], axis=1)
    ball_radii = np.take_along_axis(radii, larger, axis=1)
    return np.where(held[:, None, None], ball_centres, centres), np.where(held[:, None], ball_radii, radii)


def round_cone_vertices(centres: Array, radii: Array) -> tuple[Array, Array]:
    """Vertices [m] and unit normals (C, V, 3) of round cones, given their centres (C, 2, 3) and radii (C, 2) [m].

    The normal on that cone makes the angle α with the plane across the axis, sin α = (r₀ − r₁) / length.
    """
    axis = centres[:, 1] - centres[:, 0]
    length = np.linalg.norm(axis, axis=1)
    straight = length > 0
    axis = np.where(straight[:, None], axis / np.where(straight, length, 1.0)[:, None], [0.0, 1.0, 0.0])
    slope = np.arcsin((radii[:, 0] - radii[:, 1]) / np.where(straight, length, np.inf))
    steps = np.linspace(0.0, 1.0, CAP_RINGS + 1)
    near = -np.pi / 2 + steps * (slope[:, None] + np.pi / 2)
    far = slope[:, None] + steps * (np.pi / 2 - slope[:, None])
    latitude = np.concatenate([near, far], axis=1)
    side, other = _perpendicular(axis)
    turn = 2 * np.pi * np.arange(SIDES) / SIDES
    around = np.cos(turn)[:, None] * side[:, None] + np.sin(turn)[:, None] * other[:, None]
    rings = (
        np.cos(latitude)[:, :, None, None] * around[:, None]
        + np.sin(latitude)[:, :, None, None] * axis[:, None, None]
    )
    which = np.repeat([0, 1], CAP_RINGS + 1)
    points = centres[:, which, None] + radii[:, which, None, None] * rings
    return _with_single_poles(points), _with_single_poles(rings)


def _with_single_poles(rings: Array) -> Array:
    """Rings (C, R, SIDES, 3) as vertices (C, V, 3): the first and last ring are a point, kept once."""
    return np.concatenate(
        [rings[:, 0, :1], rings[:, 1:-1].reshape(len(rings), -1, 3), rings[:, -1, :1]],
        axis=1,
    )


def round_cone_triangles() -> NDArray[np.int64]:
    """Triangles (T, 3) of one round cone: a fan, bands between the rings, a fan."""
    rings = 2 * CAP_RINGS
    ring = 1 + np.arange(rings)[:, None] * SIDES + np.arange(SIDES)
    following = np.roll(ring, -1, axis=1)
    first, last = np.zeros(SIDES, dtype=np.int64), np.full(SIDES, 1 + rings * SIDES)
    bands = np.concatenate(
        [
            np.stack([ring[:-1], following[:-1], ring[1:]], axis=-1).reshape(-1, 3),
            np.stack([following[:-1], following[1:], ring[1:]], axis=-1).reshape(-1, 3),
        ]
    )
    return np.concatenate(
        [
            np.stack([first, following[0], ring[0]], axis=-1),
            bands,
            np.stack([ring[-1], following[-1], last], axis=-1),
        ]
    )


def _perpendicular(axis: Array) -> tuple[Array, Array]:
    """Unit vectors side and other (C, 3) that make (side, other, axis) right-handed; axis (C, 3) is unit."""
    helper = np.where(np.abs(axis[:, :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    side = np.asarray(np.cross(helper, axis), dtype=np.float64)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    return side, np.asarray(np.cross(axis, side), dtype=np.float64)
