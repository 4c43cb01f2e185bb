"""Obstacles as the browser describes them: a shape, where it is, how it may be passed and how it moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import Field, create_model, model_validator

from walkon.studio.limits import LARGEST_SIZE, MOST_DRAWN_POINTS
from walkon.studio.protocol_parts import Coordinate, NewName, WireRecord
from walkon.world import SHAPES, Shape

Size = Annotated[float, Field(ge=0.01, le=LARGEST_SIZE)]
Offset = Annotated[float, Field(ge=-LARGEST_SIZE, le=LARGEST_SIZE)]
Corner = tuple[Offset, Offset]
Place = tuple[Coordinate, Coordinate, Coordinate]
Vertex = Annotated[int, Field(ge=0, lt=4000)]
Share = Annotated[float, Field(ge=-1.001, le=1.001)]
Quaternion = tuple[Share, Share, Share, Share]
Pass = Literal["step_over", "jump_over", "duck_under", "crawl_under"]


class ShapeRecord(WireRecord):
    """A shape in its own frame; kind: which one."""

    if TYPE_CHECKING:
        kind: Any


class PolygonRecord(ShapeRecord):
    kind: Literal["polygon"]
    corners: Annotated[tuple[Corner, ...], Field(min_length=3, max_length=MOST_DRAWN_POINTS)]
    height: Size


class WallRecord(ShapeRecord):
    """A wall drawn by hand: a line of points (x, z) [m] as the obstacle's frame sees them, made a polygon."""

    kind: Literal["wall"]
    points: Annotated[tuple[Corner, ...], Field(min_length=2, max_length=MOST_DRAWN_POINTS)]
    thickness: Annotated[float, Field(ge=0.05, le=10.0)] = 0.2
    height: Size = 2.0


class MeshRecord(ShapeRecord):
    kind: Literal["mesh"]
    vertices: Annotated[tuple[tuple[Offset, Offset, Offset], ...], Field(min_length=3, max_length=4000)]
    faces: Annotated[tuple[tuple[Vertex, Vertex, Vertex], ...], Field(min_length=1, max_length=8000)]


def _record_of(shape: type[Shape]) -> type[ShapeRecord]:
    """The record of a shape that is made of a few lengths."""
    said: dict[str, Any] = {"kind": (Literal[shape.kind], ...)}  # pyright: ignore[reportInvalidTypeForm]
    said |= dict.fromkeys(shape.field_names(), (Size, ...))
    return create_model(f"{shape.__name__}WireRecord", __base__=ShapeRecord, **said)


RECORDS: tuple[type[ShapeRecord], ...] = (
    *(_record_of(shape) for shape in SHAPES.values() if not shape.ARRAYS),
    PolygonRecord,
    WallRecord,
    MeshRecord,
)
"""What the browser may send; shapes made of arrays have limits of their own."""

if TYPE_CHECKING:
    AnyShape = ShapeRecord
else:
    AnyShape = Annotated[Union[RECORDS], Field(discriminator="kind")]  # noqa: UP007 - made at run time


class TrackRecord(WireRecord):
    """Where a moving obstacle is from now on; every: frames from one place to the next. first: not read.

    rotations: as many as positions; none: it turns to where it goes. repeat: what comes after the end.
    """

    first: Annotated[int, Field(ge=0, lt=2**32)] = 0
    every: Annotated[int, Field(ge=1, le=300)] = 1
    positions: Annotated[tuple[Place, ...], Field(min_length=1, max_length=MOST_DRAWN_POINTS)]
    rotations: Annotated[tuple[Quaternion, ...], Field(max_length=MOST_DRAWN_POINTS)] = ()
    repeat: Literal["once", "back", "cycle"] = "once"

    @model_validator(mode="after")
    def _as_many(self) -> TrackRecord:
        if self.rotations and len(self.rotations) != len(self.positions):
            raise ValueError("as many rotations as positions, or none")
        return self


class ObstacleRecord(WireRecord):
    """name: one is made up if it is left out. position, rotation: of its frame; see `walkon.world.Obstacle`."""

    name: NewName | None = None
    shape: AnyShape
    position: Place
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    passes: Annotated[tuple[Pass, ...], Field(max_length=4)] = ()
    track: TrackRecord | None = None
