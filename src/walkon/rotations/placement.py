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
