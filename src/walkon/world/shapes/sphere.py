"""A ball."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from walkon.basics import Array
from walkon.world.document_obstacles import ObstacleTable
from walkon.world.document_parts import Length, Point
from walkon.world.parts import Part, pole_part
from walkon.world.shapes.shape import Shape, check_positive, cube_of_points
from walkon.world.surfaces import ROUND_SIDES, Surface, pole_surface


class SphereTable(ObstacleTable):
    """A ball."""

    shape: Literal["sphere"]
    at: Point = Field(description="[x, z] of its middle [m]")
    radius: Length = Field(description="[m]")


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball around its origin [m]."""

    radius: float

    kind = "sphere"
    Table = SphereTable
    falls = True

    def __post_init__(self) -> None:
        check_positive("the radius of a sphere", self.radius)

    @property
    def pole(self) -> tuple[float, float]:
        """A pole of no length."""
        return self.radius, 0.0

    def parts(self, rotations: Array) -> list[Part]:
        """A point with rounding."""
        return [pole_part(self.radius, 0.0)]

    def surface(self, sides: int = ROUND_SIDES) -> Surface:
        """Smooth all around."""
        return pole_surface(self.radius, 0.0, sides)

    def mujoco(self, meshes: list[str], material: str) -> str:
        """A ball."""
        return f'<geom type="sphere" size="{self.radius}" {material}/>'

    def probes(self) -> Array:
        """Points all over its surface."""
        return ball_of_points(self.radius)

    def centre(self) -> Array:
        """Its origin."""
        return np.zeros(3)


def ball_of_points(radius: float) -> Array:
    """Points (N, 3) all over a ball around the origin, in the directions of a grid on a cube."""
    points = cube_of_points()
    directions = points[np.abs(points).max(axis=1) == 1.0]
    return directions * (radius / np.linalg.norm(directions, axis=1, keepdims=True))
