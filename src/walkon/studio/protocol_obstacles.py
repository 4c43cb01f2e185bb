"""Obstacles as the browser describes them: a shape, where it is, how it may be passed and how it moves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from walkon.studio.limits import LARGEST_SIZE, MOST_POINTS
from walkon.studio.protocol_parts import Coordinate, NewName, Record

Size = Annotated[float, Field(ge=0.01, le=LARGEST_SIZE)]
Offset = Annotated[float, Field(ge=-LARGEST_SIZE, le=LARGEST_SIZE)]
Corner = tuple[Offset, Offset]
Place = tuple[Coordinate, Coordinate, Coordinate]
Vertex = Annotated[int, Field(ge=0, lt=4000)]
Share = Annotated[float, Field(ge=-1.001, le=1.001)]
Quaternion = tuple[Share, Share, Share, Share]
Pass = Literal["step_over", "jump_over", "duck_under", "crawl_under"]


class BoxRecord(Record):
    kind: Literal["box"]
    width: Size
    height: Size
    depth: Size


class CylinderRecord(Record):
    kind: Literal["cylinder"]
    radius: Size
    height: Size


class SphereRecord(Record):
    kind: Literal["sphere"]
    radius: Size


class CapsuleRecord(Record):
    kind: Literal["capsule"]
    radius: Size
    length: Size


class PolygonRecord(Record):
    kind: Literal["polygon"]
    corners: Annotated[tuple[Corner, ...], Field(min_length=3, max_length=MOST_POINTS)]
    height: Size


class WallRecord(Record):
    """A wall drawn by hand: a line of points (x, z) [m] as the obstacle's frame sees them, made a polygon."""

    kind: Literal["wall"]
    points: Annotated[tuple[Corner, ...], Field(min_length=2, max_length=MOST_POINTS)]
    thickness: Annotated[float, Field(ge=0.05, le=10.0)] = 0.2
    height: Size = 2.0


class MeshRecord(Record):
    kind: Literal["mesh"]
    vertices: Annotated[tuple[tuple[Offset, Offset, Offset], ...], Field(min_length=3, max_length=4000)]
    faces: Annotated[tuple[tuple[Vertex, Vertex, Vertex], ...], Field(min_length=1, max_length=8000)]


AnyShape = Annotated[
    BoxRecord | CylinderRecord | SphereRecord | CapsuleRecord | PolygonRecord | WallRecord | MeshRecord,
    Field(discriminator="kind"),
]


class TrackRecord(Record):
    """Where a moving obstacle is, `every` so many frames, from now on. first: of the wire's own tracks, not used.

    rotations: as many as positions; none: it turns to where it goes. repeat: what comes after the end.
    """

    first: Annotated[int, Field(ge=0, lt=2**32)] = 0
    every: Annotated[int, Field(ge=1, le=300)] = 1
    positions: Annotated[tuple[Place, ...], Field(min_length=1, max_length=MOST_POINTS)]
    rotations: Annotated[tuple[Quaternion, ...], Field(max_length=MOST_POINTS)] = ()
    repeat: Literal["once", "back", "cycle"] = "once"

    @model_validator(mode="after")
    def _as_many(self) -> TrackRecord:
        if self.rotations and len(self.rotations) != len(self.positions):
            raise ValueError("as many rotations as positions, or none")
        return self


class ObstacleRecord(Record):
    """name: one is made up if it is left out. position, rotation: of its frame; see `walkon.world.Obstacle`."""

    name: NewName | None = None
    shape: AnyShape
    position: Place
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    passes: Annotated[tuple[Pass, ...], Field(max_length=4)] = ()
    track: TrackRecord | None = None
