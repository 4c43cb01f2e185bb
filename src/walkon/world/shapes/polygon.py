"""A prism over any polygon that does not cross itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field

from walkon.basics import Array, frozen
from walkon.errors import SceneError
from walkon.rotations import rotate, rotation_about_y
from walkon.world.document_obstacles import ObstacleTable
from walkon.world.document_parts import Length, Point
from walkon.world.outlines import BODY_HEIGHT, ground_range
from walkon.world.parts import Part, at_height, is_upright, prism_part
from walkon.world.regions import Region, closed_line
from walkon.world.shapes.shape import Shape, check_positive
from walkon.world.surfaces import ROUND_SIDES, Surface, prism_surface
from walkon.world.triangulation import check_simple, convex_pieces, signed_area

if TYPE_CHECKING:
    from walkon.world.scene import HeightField, Obstacle
    from walkon.world.sheets import Sheets

WALL_HALF_THICKNESS = 0.05
"""[m] Half the thickness of the sides of a polygon off which simulated bodies bounce. Thicker ones would stick out
at sharp corners; through much thinner ones a fast body would pass within a step."""


class PolygonTable(ObstacleTable):
    """An upright prism over any polygon that does not cross itself."""

    shape: Literal["polygon"]
    at: Point = Field((0.0, 0.0), description="[x, z] of the origin of its corners [m]")
    corners: tuple[Point, ...] = Field(min_length=3, max_length=1000, description="[x, z] from `at` [m]")
    height: Length = Field(description="[m]")


@dataclass(frozen=True, eq=False)
class Polygon(Shape):
    """A vertical prism over a simple polygon: corners (K, 2) of (x, z) [m], y from 0 to height."""

    corners: Array
    height: float

    kind = "polygon"
    Table = PolygonTable
    ARRAYS = MappingProxyType({"corners": ("<f8", (None, 2))})

    def __post_init__(self) -> None:
        corners = frozen(self.corners)
        if corners.ndim != 2 or corners.shape[0] < 3 or corners.shape[1] != 2 or not np.isfinite(corners).all():
            raise SceneError(f"a polygon needs three or more corners (x, z), not an array {corners.shape}")
        check_positive("the height of a polygon", self.height)
        object.__setattr__(self, "corners", corners)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Corners that people give must make a simple polygon."""
        made = super().from_values(values)
        check_simple(made.corners)
        return made

    def to_table(self, name: str, sheets: Sheets) -> dict[str, Any]:
        """Its corners as lists."""
        try:
            check_simple(self.corners)
        except SceneError as error:
            raise SceneError(f"obstacle {name!r}: {error}") from None
        return super().to_table(name, sheets) | {"corners": self.corners.tolist()}

    def parts(self, rotations: Array) -> list[Part]:
        """A prism for each of its convex pieces."""
        return [prism_part(corners, self.height) for corners in convex_pieces(self.corners)]

    def surface(self, sides: int = ROUND_SIDES) -> Surface:
        """Walls and two lids."""
        return prism_surface(self.corners if signed_area(self.corners) > 0.0 else self.corners[::-1], self.height)

    def span(self) -> Array:
        """The corners of its base, then those of its top."""
        return np.concatenate([at_height(self.corners, y) for y in (0.0, self.height)])

    def loop(self, points: Array, *, upright: bool) -> tuple[Array, float]:
        """The polygon itself where it is upright."""
        return (points[: len(self.corners)], 0.0) if upright else super().loop(points, upright=upright)

    def middle(self) -> tuple[float, float]:
        """The mean of its corners."""
        return float(self.corners[:, 0].mean()), float(self.corners[:, 1].mean())

    def regions(self, obstacle: Obstacle, terrain: HeightField) -> list[Region]:
        """The polygon itself where it is upright, hollows and all."""
        if not is_upright(obstacle.rotations):
            return super().regions(obstacle, terrain)
        corners = rotate(obstacle.rotations[0], at_height(self.corners, 0.0)) + obstacle.positions[0]
        lowest, highest = ground_range(terrain, corners[None], np.zeros(1))
        base = obstacle.positions[0, 1]
        if base + self.height <= lowest[0] or base >= highest[0] + BODY_HEIGHT:
            return []
        return [(closed_line(corners[:, [0, 2]]), 0.0)]

    def mujoco(self, meshes: list[str], material: str) -> str:
        """A box along every edge, inside of it, and no more: bodies bounce off its sides."""
        sides = []
        outward = np.sign(signed_area(self.corners))
        for (ax, az), (bx, bz) in zip(self.corners, np.roll(self.corners, -1, axis=0), strict=True):
            length, heading = math.hypot(bx - ax, bz - az), math.atan2(bx - ax, bz - az)
            inward = np.array([-(bz - az), bx - ax]) / length * outward * WALL_HALF_THICKNESS
            middle = f"{(ax + bx) / 2 + inward[0]} {self.height / 2} {(az + bz) / 2 + inward[1]}"
            turn = " ".join(map(repr, map(float, rotation_about_y(heading))))
            size = f"{WALL_HALF_THICKNESS} {self.height / 2} {length / 2}"
            sides.append(f'<geom type="box" size="{size}" pos="{middle}" quat="{turn}"/>')
        return "".join(sides)
