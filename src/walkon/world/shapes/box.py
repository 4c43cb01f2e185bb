"""A box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from walkon.basics import Array
from walkon.world.document_obstacles import ObstacleTable
from walkon.world.document_parts import Length, Point
from walkon.world.parts import Part, prism_part
from walkon.world.shapes.shape import Shape, check_positive, cube_of_points
from walkon.world.surfaces import ROUND_SIDES, Surface, prism_surface


class BoxTable(ObstacleTable):
    """A box."""

    shape: Literal["box"]
    at: Point = Field(description="[x, z] of the middle of its base [m]")
    width: Length = Field(description="across its heading: along x at heading 0 [m]")
    depth: Length = Field(description="along its heading: along z at heading 0 [m]")
    height: Length = Field(description="[m]")


@dataclass(frozen=True)
class Box(Shape):
    """A box standing on its origin: x in ±width/2, y from 0 to height, z in ±depth/2 [m]."""

    width: float
    height: float
    depth: float

    kind = "box"
    Table = BoxTable
    falls = True

    def __post_init__(self) -> None:
        check_positive("the width, height and depth of a box", self.width, self.height, self.depth)

    def parts(self, rotations: Array) -> list[Part]:
        """One prism."""
        return [prism_part(self._corners(), self.height)]

    def surface(self, sides: int = ROUND_SIDES) -> Surface:
        """Six faces."""
        return prism_surface(self._corners(), self.height)

    def span(self) -> Array:
        """Its corners (8, 3)."""
        x, z = self.width / 2, self.depth / 2
        return np.array([(a, y, b) for a in (-x, x) for y in (0.0, self.height) for b in (-z, z)])

    def mujoco(self, meshes: list[str], material: str) -> str:
        """A box around its middle."""
        x, y, z = self.width / 2, self.height / 2, self.depth / 2
        return f'<geom type="box" size="{x} {y} {z}" pos="0 {y} 0" {material}/>'

    def probes(self) -> Array:
        """A grid of points all through it."""
        u, v, w = cube_of_points().T
        return np.column_stack([u * self.width / 2.0, (v + 1.0) * self.height / 2.0, w * self.depth / 2.0])

    def centre(self) -> Array:
        """Half way up."""
        return np.array([0.0, self.height / 2.0, 0.0])

    def _corners(self) -> Array:
        """The corners (4, 2) of its base."""
        x, z = 0.5 * self.width, 0.5 * self.depth
        return np.array([(-x, -z), (x, -z), (x, z), (-x, z)])
