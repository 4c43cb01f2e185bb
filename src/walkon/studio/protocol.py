"""What a browser may say. Anything else is malformed: an unknown operation or field, NaN, a number out of range.

Shapes of the messages are here; whether an edit is possible in the scene as it is decides `edits.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from walkon.studio.limits import (
    FASTEST_PLAY,
    LARGEST_SIZE,
    MOST_ADDED,
    MOST_OBSTACLES,
    MOST_STUDIO_PEOPLE,
    SLOWEST_PLAY,
)
from walkon.studio.protocol_obstacles import ObstacleRecord
from walkon.studio.protocol_parts import Coordinate, Name, WireRecord
from walkon.world import BodyLevel

PROTOCOL = 1
PLANNERS = ("search", "quick", "tree")
OVERLAYS = ("paths", "gridmap", "reserved", "tree", "density", "waiting")

MALFORMED, NO_TOKEN, WRONG_ORIGIN, TOO_SLOW, TOO_LARGE, TOO_MANY = 4400, 4401, 4403, 4408, 4409, 4429
"""Codes with which a connection is closed."""

BUSY = 1013
"""The websocket standard's own code for: try again later."""

Who = Annotated[int, Field(ge=0, lt=2**32)]
Point = tuple[Coordinate, Coordinate]
Path = Annotated[str, Field(min_length=1, max_length=300)]


class MalformedError(Exception):
    """A message that is none; the text says why, for the close frame."""


class Message(WireRecord):
    """Everything a browser sends. id: comes back in the reply; without one there is no reply."""

    id: Annotated[int, Field(ge=-(2**53), le=2**53)] | Annotated[str, Field(max_length=64)] | None = None


class Edit(Message):
    """What changes the scene, and can be undone."""


class AddObstacle(Edit):
    op: Literal["add_obstacle"]
    obstacle: ObstacleRecord


class MoveObstacle(Edit):
    """final: whether the mouse was let go; what comes before that is one step for undo."""

    op: Literal["move_obstacle"]
    name: Name
    x: Coordinate
    z: Coordinate
    heading: Annotated[float, Field(ge=-1000.0, le=1000.0)] = 0.0
    final: bool = True


class Remove(Edit):
    op: Literal["remove"]
    obstacles: Annotated[tuple[Name, ...], Field(max_length=MOST_OBSTACLES)] = ()
    people: Annotated[tuple[Who, ...], Field(max_length=MOST_STUDIO_PEOPLE)] = ()


class SetGoal(Edit):
    """x, z [m]: where to; neither: stop and stay. spread [m]: radius of the disc in which each gets a place."""

    op: Literal["set_goal"]
    people: Annotated[tuple[Who, ...], Field(min_length=1, max_length=MOST_STUDIO_PEOPLE)]
    x: Coordinate | None = None
    z: Coordinate | None = None
    spread: Annotated[float, Field(ge=0.0, le=LARGEST_SIZE)] | None = None

    @model_validator(mode="after")
    def _both_or_neither(self) -> SetGoal:
        if (self.x is None) != (self.z is None):
            raise ValueError("x and z, or neither")
        return self


class MovePerson(Edit):
    op: Literal["move_person"]
    who: Who
    x: Coordinate
    z: Coordinate
    final: bool = True


class AddPeople(Edit):
    """Without a goal they wander about."""

    op: Literal["add_people"]
    count: Annotated[int, Field(ge=1, le=MOST_ADDED)]
    x: Coordinate
    z: Coordinate
    radius: Annotated[float, Field(ge=0.0, le=LARGEST_SIZE)] = 0.0
    goal: Point | None = None


class AddFlow(Edit):
    """People who appear in one rectangle within `over` [s], walk to the other, and leave there."""

    op: Literal["add_flow"]
    origin: Annotated[tuple[Coordinate, Coordinate, Coordinate, Coordinate], Field(alias="from")]
    to: tuple[Coordinate, Coordinate, Coordinate, Coordinate]
    count: Annotated[int, Field(ge=1, le=MOST_ADDED)]
    over: Annotated[float, Field(ge=0.0, le=3600.0)] = 0.0


class SetBodies(Edit):
    """How exactly planners see bodies from now on; see `walkon.world.bodies`."""

    op: Literal["set_bodies"]
    level: BodyLevel


class Undo(Message):
    op: Literal["undo"]


class Redo(Message):
    op: Literal["redo"]


class Play(Message):
    op: Literal["play"]


class Pause(Message):
    op: Literal["pause"]


class StepFrames(Message):
    op: Literal["step"]
    frames: Annotated[int, Field(ge=1, le=300)] = 1


class Speed(Message):
    op: Literal["speed"]
    value: Annotated[float, Field(ge=SLOWEST_PLAY, le=FASTEST_PLAY)]


class ChoosePlanner(Message):
    op: Literal["planner"]
    name: Literal[PLANNERS]  # pyright: ignore[reportInvalidTypeForm]


class Overlay(Message):
    op: Literal["overlay"]
    kind: Literal[OVERLAYS]  # pyright: ignore[reportInvalidTypeForm]
    on: bool
    who: Who | None = None


class Save(Message):
    """overwrite: needed for a file that this studio neither wrote nor opened."""

    op: Literal["save"]
    what: Literal["scene", "take", "glb", "usd", "bvh"]
    path: Path
    overwrite: bool = False


class Open(Message):
    op: Literal["open"]
    path: Path


class Files(Message):
    op: Literal["files"]


class Ping(Message):
    """t: comes back as it is."""

    op: Literal["ping"]
    t: Annotated[float, Field(ge=-1e15, le=1e15)] = 0.0


def _kinds(kind: type[Message] = Message) -> list[type[Message]]:
    """All messages that have an operation: what is defined above is understood."""
    named = [kind] if "op" in kind.model_fields else []
    return [*named, *(found for below in kind.__subclasses__() for found in _kinds(below))]


_understood: Any = Annotated[Union[tuple(_kinds())], Field(discriminator="op")]  # noqa: UP007  # pyright: ignore
_reader: TypeAdapter[Message] = TypeAdapter(_understood)


def parse_message(text: str) -> Message:
    """The message in a text; raises MalformedError, and nothing else, where there is none."""
    try:
        return _reader.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise MalformedError(f"{where}: {first['msg']}" if where else first["msg"]) from None
    except RecursionError:
        raise MalformedError("nested too deeply") from None
