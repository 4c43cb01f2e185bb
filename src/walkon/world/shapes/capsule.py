"""A pole with round ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from walkon.basics import Array
from walkon.world.document_obstacles import ObstacleTable
from walkon.world.document_parts import Length, Point
from walkon.world.parts import Part, pole_part
from walkon.world.shapes.shape import Shape, check_positive
from walkon.world.shapes.sphere import ball_of_points
from walkon.world.surfaces import ROUND_SIDES, Surface, pole_surface


class CapsuleTable(ObstacleTable):
    """A pole with round ends; tilted it leans about the middle of its lower end."""

    shape: Literal["capsule"]
    at: Point = Field(description="[x, z] of the middle of its lower end [m]")
    radius: Length = Field(description="[m]")
    length: Length = Field(description="between the middles of its round ends [m]")


@dataclass(frozen=True)
class Capsule(Shape):
    """A rounded pole: all points within `radius` of the segment from the origin to (0, length, 0) [m]."""

    radius: float
    length: float

    kind = "capsule"
    Table = CapsuleTable
    falls = True

    def __post_init__(self) -> None:
        check_positive("the radius and length of a capsule", self.radius, self.length)

    @property
    def pole(self) -> tuple[float, float]:
        """All of it."""
        return self.radius, self.length

    def parts(self, rotations: Array) -> list[Part]:
        """A segment with rounding."""
        return [pole_part(self.radius, self.length)]

    def surface(self, sides: int = ROUND_SIDES) -> Surface:
        """Smooth all around."""
        return pole_surface(self.radius, self.length, sides)

    def mujoco(self, meshes: list[str], material: str) -> str:
        """A capsule from end to end."""
        return f'<geom type="capsule" size="{self.radius}" fromto="0 0 0 0 {self.length} 0" {material}/>'

    def probes(self) -> Array:
        """Points all over both of its ends."""
        ball = ball_of_points(self.radius)
        return np.concatenate([ball, ball + np.array([0.0, self.length, 0.0])])

    def centre(self) -> Array:
        """Half way up."""
        return np.array([0.0, self.length / 2.0, 0.0])
