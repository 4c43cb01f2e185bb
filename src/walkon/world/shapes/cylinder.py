"""An upright cylinder."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from pydantic import Field

from walkon.basics import Array
from walkon.world.document_obstacles import ObstacleTable
from walkon.world.document_parts import Length, Point
from walkon.world.parts import Part, at_height, is_upright, prism_part
from walkon.world.shapes.shape import Shape, check_positive, cube_of_points
from walkon.world.surfaces import ROUND_SIDES, Surface, joined_surfaces, lids, revolved

PART_CORNERS = 24
"""Corners drawn around the ends of a tilted cylinder that planners avoid: 0.9 % wider at most."""

SPAN_CORNERS = 32
"""Corners drawn around the ends of a tilted cylinder where places to stand are looked for: 0.5 % wider at most."""


class CylinderTable(ObstacleTable):
    """An upright cylinder."""

    shape: Literal["cylinder"]
    at: Point = Field(description="[x, z] of the middle of its base [m]")
    radius: Length = Field(description="[m]")
    height: Length = Field(description="[m]")


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder along y, standing on its origin [m]."""

    radius: float
    height: float

    kind = "cylinder"
    Table = CylinderTable
    falls = True

    def __post_init__(self) -> None:
        check_positive("the radius and height of a cylinder", self.radius, self.height)

    def parts(self, rotations: Array) -> list[Part]:
        """A rounded post where it stays upright, else a prism drawn around it."""
        if is_upright(rotations):
            return [replace(prism_part(np.zeros((1, 2)), self.height), rounding=self.radius)]
        angles = 2.0 * np.pi * (np.arange(PART_CORNERS) + 0.5) / PART_CORNERS
        return [replace(prism_part(self._ring(angles), self.height), rim=self.radius)]

    def surface(self, sides: int = ROUND_SIDES) -> Surface:
        """A smooth wall and two lids."""
        wall = revolved([(self.radius, 0.0), (self.radius, self.height)], [(1.0, 0.0), (1.0, 0.0)], sides)
        angle = 2.0 * math.pi * np.arange(sides) / sides
        rim = self.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return joined_surfaces(wall, *lids(rim, self.height))

    def span(self) -> Array:
        """Two rings of corners around it, and last the middle of its base."""
        ring = self._ring(np.arange(float(SPAN_CORNERS)) * (2.0 * math.pi / SPAN_CORNERS))
        return np.concatenate([*(at_height(ring, y) for y in (0.0, self.height)), np.zeros((1, 3))])

    def loop(self, points: Array, *, upright: bool) -> tuple[Array, float]:
        """A point with rounding where it is upright."""
        return (points[-1:], self.radius) if upright else super().loop(points, upright=upright)

    def mujoco(self, meshes: list[str], material: str) -> str:
        """A cylinder from end to end."""
        return f'<geom type="cylinder" size="{self.radius}" fromto="0 0 0 0 {self.height} 0" {material}/>'

    def probes(self) -> Array:
        """A grid of points all through it."""
        u, v, w = cube_of_points().T
        inside = np.hypot(u, w) <= 1.0 + 1e-9
        return np.column_stack([u * self.radius, (v + 1.0) * self.height / 2.0, w * self.radius])[inside]

    def centre(self) -> Array:
        """Half way up."""
        return np.array([0.0, self.height / 2.0, 0.0])

    def _ring(self, angles: Array) -> Array:
        """Corners (K, 2) at angles (K,) [rad] of a regular polygon around its circle."""
        return self.radius / math.cos(math.pi / len(angles)) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
