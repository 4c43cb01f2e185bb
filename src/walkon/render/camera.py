"""The camera: where it stands, what it looks at, and how space becomes pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.errors import RenderError

Point = tuple[float, float, float]

LENS_LENGTH = 16
"""Numbers that kernels need of a camera; `_kernels_bodies` says which."""


@dataclass(frozen=True)
class Camera:
    """A camera that never rolls: the horizon stays level.

    position, target: [m] where it stands and the point in the middle of its picture.
    fov: vertical angle of view [rad] of a perspective camera.
    span: height of the picture [m] if the camera is orthographic, else None.
    """

    position: Point
    target: Point
    fov: float = math.radians(28.0)
    span: float | None = None

    def __post_init__(self) -> None:
        numbers = [*self.position, *self.target, self.fov, 1.0 if self.span is None else self.span]
        if len(numbers) != 8 or not np.all(np.isfinite(numbers)):
            raise RenderError(f"a camera needs finite points of three numbers, not {self.position}, {self.target}")
        if math.dist(self.position, self.target) < 1e-6:
            raise RenderError("a camera cannot stand on the point it looks at")
        if not 0.0 < self.fov < math.pi:
            raise RenderError(f"the angle of view lies between 0 and π, not at {self.fov}")
        if self.span is not None and self.span <= 0.0:
            raise RenderError(f"the height of an orthographic picture is positive, not {self.span}")

    @staticmethod
    def orbit(
        target: ArrayLike,
        distance: float,
        *,
        azimuth: float = 0.0,
        elevation: float = math.radians(15.0),
        fov: float = math.radians(28.0),
        span: float | None = None,
    ) -> Camera:
        """A camera on a sphere around `target`.

        azimuth [rad]: where it stands, 0 on the side of +z, π/2 on that of +x; elevation [rad]: above the horizon.
        """
        target = np.asarray(target, dtype=np.float64)
        position = target + distance * orbit_direction(azimuth, elevation)
        return Camera(as_point(position), as_point(target), fov, span)

    @property
    def distance(self) -> float:
        """From position to target [m]."""
        return math.dist(self.position, self.target)

    @property
    def azimuth(self) -> float:
        """Where the camera stands, seen from its target [rad]; 0 on the side of +z."""
        return math.atan2(self.position[0] - self.target[0], self.position[2] - self.target[2])

    def axes(self) -> Array:
        """Right, down and forward unit vectors (3, 3) in the world."""
        forward = np.subtract(self.target, self.position) / self.distance
        right = np.array([-forward[2], 0.0, forward[0]])
        flat = np.linalg.norm(right)
        # Straight down or up: keep +x on the right, as for a camera on the side of +z.
        right = right / flat if flat > 1e-9 else np.array([1.0, 0.0, 0.0])
        return np.array([right, np.cross(forward, right), forward])

    def lens(self, width: int, height: int) -> Array:
        """The camera for kernels (16,): position, axes, focal length [px], picture centre [px], perspective."""
        lens = np.empty(LENS_LENGTH)
        lens[0:3] = self.position
        lens[3:12] = self.axes().ravel()
        lens[12] = height / (2.0 * math.tan(self.fov / 2.0)) if self.span is None else height / self.span
        lens[13:15] = width / 2.0, height / 2.0
        lens[15] = 1.0 if self.span is None else 0.0
        return lens

    def project(self, points: ArrayLike, width: int, height: int) -> Array:
        """Column, row [px] and depth [m] of world points (..., 3); the middle of the first pixel is (0.5, 0.5)."""
        lens = self.lens(width, height)
        seen = (np.asarray(points, dtype=np.float64) - lens[0:3]) @ lens[3:12].reshape(3, 3).T
        scale = lens[12] / seen[..., 2] if self.span is None else lens[12]
        seen[..., 0] = lens[13] + seen[..., 0] * scale
        seen[..., 1] = lens[14] + seen[..., 1] * scale
        return seen


def orbit_direction(azimuth: float, elevation: float) -> Array:
    """Unit vector (3,) of an azimuth and an elevation [rad]."""
    flat = math.cos(elevation)
    return np.array([flat * math.sin(azimuth), math.sin(elevation), flat * math.cos(azimuth)])


def as_point(values: ArrayLike) -> Point:
    """Three plain numbers."""
    values = np.asarray(values, dtype=np.float64)
    return float(values[0]), float(values[1]), float(values[2])
