"""A scene file as a whole: what its TOML may say. Reading makes a `Scene` of it; see `reading.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field, field_validator, model_validator

from walkon.world.bodies import DEFAULT_BODIES, BodyLevel
from walkon.world.document_characters import AnyCrowd, CharacterTable
from walkon.world.document_parts import FileName, Height, Length, Name, Point, Rectangle, Table, one_of
from walkon.world.document_places import DoorTable, PlaceTable, StairsTable
from walkon.world.shapes import SHAPES

if TYPE_CHECKING:
    from walkon.world.document_obstacles import ObstacleTable as AnyObstacle
else:
    AnyObstacle = one_of("shape", {kind: shape.Table for kind, shape in SHAPES.items()})

LARGEST_AREA = 1_000_000.0
"""[m²] of a scene: gridmaps of it must fit in memory."""


class Hill(Table):
    """A smooth round hill, or a hollow where the height is negative."""

    at: Point = Field(description="[x, z] of its top [m]")
    height: Height = Field(description="[m]")
    radius: Length = Field(description="where it has come down to the ground [m]")


class Ridge(Table):
    """A smooth ridge along a line, or a ditch where the height is negative."""

    along: tuple[Point, ...] = Field(min_length=2, max_length=50, description="the line: points [x, z] [m]")
    height: Height = Field(description="[m]")
    radius: Length = Field(description="half its width, where it has come down to the ground [m]")


class TerrainTable(Table):
    """Heights of the ground: an image or an array, and hills and ridges on top of it."""

    image: FileName | None = Field(None, description="picture whose brightness is the height; row 0 lies at z0")
    array: FileName | None = Field(None, description=".npy or .csv of heights [m]; row 0 lies at z0")
    height: Height = Field(10.0, description="height of white in the image [m]")
    low: Height = Field(0.0, description="height of black in the image [m]")
    scale: float = Field(1.0, ge=-1000.0, le=1000.0, description="factor on the heights of the array")
    area: Rectangle | None = Field(
        None, description="where the image or array lies, outermost values on its edge; the bounds if left out"
    )
    cell: float | None = Field(None, ge=0.01, le=100.0, description="grid spacing [m]")
    hills: tuple[Hill, ...] = Field((), max_length=1000)
    ridges: tuple[Ridge, ...] = Field((), max_length=100)

    @model_validator(mode="after")
    def _one_source(self) -> TerrainTable:
        if self.image is not None and self.array is not None:
            raise ValueError("needs image or array, not both")
        if self.image is None and self.array is None and self.area is not None:
            raise ValueError("area is for an image or an array; there is none")
        return self


class SceneDocument(Table):
    """A scene file: where, what stands and moves there, and who wants to go where. Metres, seconds, degrees."""

    name: Name | None = Field(None, description="the name of the file if left out")
    bounds: Rectangle = Field(description="[x0, z0, x1, z1]: nobody leaves [m]")
    duration: float = Field(120.0, gt=0.0, le=3600.0, description="no plan may take longer [s]")
    fps: float = Field(
        30.0, ge=1.0, le=240.0, description="rate of everything sampled: that of the libraries [Hz]"
    )
    clearance: float = Field(0.05, ge=0.0, le=5.0, description="gap that planners keep to all they avoid [m]")
    bodies: BodyLevel = Field(DEFAULT_BODIES, description="how exactly planners see bodies, from coarse to fine")
    terrain: TerrainTable | None = None
    obstacles: tuple[AnyObstacle, ...] = Field((), max_length=5000)
    characters: tuple[CharacterTable, ...] = Field((), max_length=10_000)
    crowds: tuple[AnyCrowd, ...] = Field((), max_length=100)
    places: tuple[PlaceTable, ...] = Field((), max_length=50)
    doors: tuple[DoorTable, ...] = Field((), max_length=200)
    stairs: tuple[StairsTable, ...] = Field((), max_length=200)

    @field_validator("bounds")
    @classmethod
    def _not_too_large(cls, value: Rectangle) -> Rectangle:
        width, depth = value[2] - value[0], value[3] - value[1]
        if min(width, depth) < 1.0 or width * depth > LARGEST_AREA:
            raise ValueError(
                f"{width:g} m x {depth:g} m: a scene is at least 1 m wide and deep, and at most "
                f"{LARGEST_AREA:g} square metres"
            )
        return value


LISTS = ("places", "doors", "stairs", "obstacles", "characters", "crowds")
"""Keys whose elements can be left out one by one when they are wrong."""

__all__ = ["LISTS", "Hill", "Ridge", "SceneDocument", "TerrainTable"]
