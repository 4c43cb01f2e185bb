"""Where a character stands on the ground: a planar rigid transform (x, z, heading)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.rotations.quaternions import rotation_about_y


@dataclass(frozen=True)
class Placement:
    """Planar rigid transform from a character's frame to the world.

    x, z [m]: position on the ground. heading [rad]: 0 looks along +z, π/2 along +x.
    """

    x: float = 0.0
    z: float = 0.0
    heading: float = 0.0

    def __matmul__(self, local: Placement) -> Placement:
        """The placement `local`, given in this frame, as the world sees it."""
        x, z = self.point(local.x, local.z)
        return Placement(float(x), float(z), wrap_angle(self.heading + local.heading))

    def inverse(self) -> Placement:
        """The transform from the world to this character's frame."""
        sine, cosine = np.sin(self.heading), np.cos(self.heading)
        return Placement(
            float(-self.x * cosine + self.z * sine),
            float(-self.x * sine - self.z * cosine),
            wrap_angle(-self.heading),
        )

    def point(self, x: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
        """Ground points (...) [m] of this frame in world coordinates."""
        x, z = np.asarray(x, dtype=np.float64), np.asarray(z, dtype=np.float64)
        sine, cosine = np.sin(self.heading), np.cos(self.heading)
        return x * cosine + z * sine + self.x, -x * sine + z * cosine + self.z

    def points(self, positions: ArrayLike) -> Array:
        """Space points (..., 3) [m] of this frame in world coordinates; heights stay."""
        positions = np.asarray(positions, dtype=np.float64)
        x, z = self.point(positions[..., 0], positions[..., 2])
        return np.stack([x, positions[..., 1], z], axis=-1)

    def quaternion(self) -> Array:
        """The heading as a quaternion (4,)."""
        return rotation_about_y(self.heading)


def wrap_angle(angle: float) -> float:
    """The same angle [rad] in (-π, π]."""
    wrapped = float(np.arctan2(np.sin(angle), np.cos(angle)))
    return np.pi if wrapped == -np.pi else wrapped


def wrap_angles(angles: ArrayLike) -> Array:
    """The same angles (...) [rad] in [-π, π]."""
    return np.arctan2(np.sin(angles), np.cos(angles))


def turn(headings: ArrayLike, vectors: ArrayLike) -> Array:
    """Vectors (..., 2) of x, z or (..., 3) of x, y, z, given in frames with these headings [rad], in the world.

    The axes of `headings` are the first axes of `vectors`: one heading for all of them, or one for each row.
    """
    return _turn(headings, vectors, 1.0)


def turn_back(headings: ArrayLike, vectors: ArrayLike) -> Array:
    """Vectors of the world as frames with these headings see them: the inverse of `turn`."""
    return _turn(headings, vectors, -1.0)


def carry(placements: ArrayLike, points: ArrayLike) -> Array:
    """Points (..., 2) of x, z or (..., 3) of x, y, z [m], given in the frames of placements (..., 3) of x, z [m]
    and heading [rad], in the world. `Placement.points` does the same for one placement."""
    placements = np.asarray(placements, dtype=np.float64)
    carried = turn(placements[..., 2], points)
    carried[..., 0] += _beside(placements[..., 0], carried)
    carried[..., -1] += _beside(placements[..., 1], carried)
    return carried


def carry_back(placements: ArrayLike, points: ArrayLike) -> Array:
    """Points of the world as placements see them: the inverse of `carry`."""
    placements, points = np.asarray(placements, dtype=np.float64), np.array(points, dtype=np.float64)
    points[..., 0] -= _beside(placements[..., 0], points)
    points[..., -1] -= _beside(placements[..., 1], points)
    return turn_back(placements[..., 2], points)


def compose(placements: ArrayLike, others: ArrayLike) -> Array:
    """Placements `others` (N, 3), given in the frames of `placements` (N, 3), in the world: `a @ b`, row by row.

    Headings add up and are not wrapped.
    """
    placements, others = np.asarray(placements, dtype=np.float64), np.asarray(others, dtype=np.float64)
    ground = carry(placements, others[..., :2])
    return np.concatenate([ground, others[..., 2:] + placements[..., 2:]], axis=-1)


def seen_from(placements: ArrayLike, others: ArrayLike) -> Array:
    """Placements `others` (N, 3) of the world in the frames of `placements` (N, 3): the inverse of `compose`."""
    placements, others = np.asarray(placements, dtype=np.float64), np.asarray(others, dtype=np.float64)
    ground = carry_back(placements, others[..., :2])
    return np.concatenate([ground, others[..., 2:] - placements[..., 2:]], axis=-1)


def _turn(headings: ArrayLike, vectors: ArrayLike, way: float) -> Array:
    turned = np.array(vectors, dtype=np.float64)
    sine, cosine = (_beside(part, turned) for part in (way * np.sin(headings), np.cos(headings)))
    x, z = turned[..., 0].copy(), turned[..., -1].copy()
    turned[..., 0] = x * cosine + z * sine
    turned[..., -1] = z * cosine - x * sine
    return turned


def _beside(values: Array, points: Array) -> Array:
    """Values (...) with as many axes as points (..., n) have before their last, to go with their first axes."""
    values = np.asarray(values)
    return values.reshape(values.shape + (1,) * (points.ndim - 1 - values.ndim))
