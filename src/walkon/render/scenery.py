"""Scenery: obstacles that stand on the ground or hang above it, and paths drawn on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.errors import RenderError
from walkon.rotations import Placement
from walkon.world.tints import CLAY, Colour
from walkon.world.triangulation import signed_area

SLATE: Colour = (96.0, 116.0, 146.0)
CYLINDER_SIDES = 48


@dataclass(frozen=True)
class Box:
    """A box turned about the vertical. x, z: its centre; width, depth: along its own x and z; [m] and [rad]."""

    x: float
    z: float
    width: float
    depth: float
    height: float
    heading: float = 0.0
    bottom: float = 0.0
    colour: Colour = CLAY

    def __post_init__(self) -> None:
        _check(self.width, self.depth, self.height, where=(self.x, self.z, self.heading), bottom=self.bottom)

    def outline(self) -> Array:
        """Corners (4, 2) on the ground, x and z [m]."""
        x, z = np.array([-0.5, 0.5, 0.5, -0.5]) * self.width, np.array([-0.5, -0.5, 0.5, 0.5]) * self.depth
        return np.stack(Placement(self.x, self.z, self.heading).point(x, z), axis=1)


@dataclass(frozen=True)
class Cylinder:
    """An upright cylinder. x, z: its centre; all [m]."""

    x: float
    z: float
    radius: float
    height: float
    bottom: float = 0.0
    colour: Colour = CLAY

    def __post_init__(self) -> None:
        _check(self.radius, self.height, where=(self.x, self.z), bottom=self.bottom)

    def outline(self) -> Array:
        """Corners (48, 2) of a polygon close to the circle, x and z [m]."""
        angle = np.arange(CYLINDER_SIDES) * (2.0 * math.pi / CYLINDER_SIDES)
        return np.stack([self.x + self.radius * np.cos(angle), self.z + self.radius * np.sin(angle)], axis=1)


@dataclass(frozen=True, eq=False)
class Prism:
    """A simple polygon, convex or not, raised from the ground. corners: (K, 2) x and z [m]; height, bottom [m]."""

    corners: ArrayLike
    height: float
    bottom: float = 0.0
    colour: Colour = CLAY

    def __post_init__(self) -> None:
        corners = np.array(self.corners, dtype=np.float64)
        if corners.ndim != 2 or corners.shape[0] < 3 or corners.shape[1] != 2 or not np.isfinite(corners).all():
            raise RenderError(f"a prism needs at least three finite corners (K, 2), not {corners.shape}")
        if abs(signed_area(corners)) < 1e-9:
            raise RenderError("the corners of a prism enclose no area")
        _check(self.height, where=(), bottom=self.bottom)
        corners.flags.writeable = False
        object.__setattr__(self, "corners", corners)

    def outline(self) -> Array:
        """Corners (K, 2) on the ground, x and z [m], from the x axis towards the z axis."""
        corners = np.asarray(self.corners, dtype=np.float64)
        return corners if signed_area(corners) > 0.0 else corners[::-1]


Obstacle = Box | Cylinder | Prism


@dataclass(frozen=True, eq=False)
class GroundPath:
    """A line on the ground. points: (K, 2) x and z [m]; width [m]; colour 0..255; opacity 0..1."""

    points: ArrayLike
    width: float = 0.05
    colour: Colour = SLATE
    opacity: float = 0.75

    def __post_init__(self) -> None:
        points = np.array(self.points, dtype=np.float64)
        if points.ndim != 2 or points.shape[0] < 2 or points.shape[1] != 2 or not np.isfinite(points).all():
            raise RenderError(f"a path needs at least two finite points (K, 2), not {points.shape}")
        if self.width <= 0.0 or not 0.0 <= self.opacity <= 1.0:
            raise RenderError("a path has a positive width and an opacity from 0 to 1")
        points.flags.writeable = False
        object.__setattr__(self, "points", points)


def _check(*lengths: float, where: tuple[float, ...], bottom: float) -> None:
    if not np.all(np.isfinite([*lengths, *where, bottom])) or min(lengths) <= 0.0 or bottom < 0.0:
        raise RenderError("an obstacle has a finite place, positive lengths, and does not reach below the ground")
