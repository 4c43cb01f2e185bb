"""What a scene file may say about places, doors with hours, and stairs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from walkon.errors import SceneError
from walkon.world.document_parts import Angle, Name, Point, Rectangles, Table
from walkon.world.places import NamedPlace, Stairs, TimedDoor

NARROWEST_DOOR = 0.3
"""[m] Between the ends of a door."""


def _times(value: Any) -> Any:
    """A number for everybody stands for a range."""
    pair: Any = (value, value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    numbers = isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(part, int | float) for part in pair)
    if not numbers or not 0.0 <= pair[0] <= pair[1] <= 3600.0:
        raise ValueError("needs seconds, or a range [least, most] of them, from 0 to 3600")
    return tuple(map(float, pair))


def _hours(value: Any) -> Any:
    good = isinstance(value, tuple) and all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(part, int | float) for part in pair)
        for pair in value
    )
    if not good or not all(0.0 <= first < last <= 3600.0 for first, last in value):
        raise ValueError("needs a list of [from, to] in seconds, from 0 to 3600")
    if any(after[0] < before[1] for before, after in itertools.pairwise(value)):
        raise ValueError("needs hours in order, one after the other is over")
    return tuple((float(first), float(last)) for first, last in value)


_PAIR = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
Times = Annotated[
    tuple[float, float], BeforeValidator(_times), WithJsonSchema({"anyOf": [{"type": "number"}, _PAIR]})
]
Hours = Annotated[
    tuple[tuple[float, float], ...],
    BeforeValidator(_hours),
    Field(max_length=1000),
    WithJsonSchema({"type": "array", "items": _PAIR, "maxItems": 1000}),
]


class PlaceTable(Table):
    """An area that people go to by its name."""

    name: Name
    kind: Literal["exit", "waiting", "service"] = Field(
        description="exit: people leave there; waiting: they stay for a while; service: they queue and are served"
    )
    region: Rectangles = Field(description="[x0, z0, x1, z1], or a list of such regions [m]")
    time: Times = Field(
        (0.0, 0.0), description="how long somebody stays or is served [s]: a number or [least, most]"
    )
    servers: int = Field(1, ge=1, le=100, description="people who are served at once")
    queue: tuple[Point, ...] = Field(
        (), max_length=100, description="the line along which people queue, from its head"
    )

    @model_validator(mode="after")
    def _as_its_kind(self) -> PlaceTable:
        service = self.kind == "service"
        if service and len(self.queue) < 2:
            raise ValueError("a service place needs a queue: two points [x, z] or more, the first where it begins")
        if not service and (self.queue or self.servers != 1):
            raise ValueError('queue and servers are for places of kind = "service"')
        if self.kind == "exit" and self.time != (0.0, 0.0):
            raise ValueError("people leave at exits: time is for other places")
        return self


class DoorTable(Table):
    """A door that opens and shuts by the clock; shut, it is an obstacle."""

    name: Name
    start: Point = Field(alias="from", description="[x, z] of one end [m]")
    end: Point = Field(alias="to", description="[x, z] of the other [m]")
    hours: Hours = Field(alias="open", description="[[from, to], ...]: when it is open [s]; shut before and after")

    @field_validator("end")
    @classmethod
    def _wide_enough(cls, value: tuple[float, float], info: ValidationInfo) -> tuple[float, float]:
        if "start" in info.data and not NARROWEST_DOOR <= math.dist(info.data["start"], value) <= 1000.0:
            raise ValueError(f"needs a door that is {NARROWEST_DOOR:g} m to 1000 m wide")
        return value


class StairsTable(Table):
    """A part of the ground on which people are slower. The ground itself stays as it is."""

    name: Name | None = Field(None, description="stairs and a number if left out")
    region: Rectangles = Field(description="[x0, z0, x1, z1], or a list of such regions [m]")
    up: Angle = Field(description="the heading that leads up [degrees]")
    speed_up: float = Field(0.61, ge=0.1, le=5.0, description="at most so fast going up [m/s]")
    speed_down: float = Field(0.69, ge=0.1, le=5.0, description="at most so fast going down [m/s]")


PlaceNames = Annotated[
    Annotated[tuple[Name, ...], Field(min_length=1, max_length=50), Tag("kind:several")]
    | Annotated[Name, Tag("kind:one")],
    Discriminator(lambda value: "kind:several" if isinstance(value, tuple) else "kind:one"),
]
"""The name of a place, or a list of names."""


def names_in(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """One name may stand for a list of one."""
    return (value,) if isinstance(value, str) else tuple(value)


def make_place(table: PlaceTable) -> NamedPlace:
    """The place of a table."""
    return NamedPlace(table.name, table.kind, table.region, table.time, table.servers, table.queue)


def make_door(table: DoorTable) -> TimedDoor:
    """The door of a table."""
    return TimedDoor(table.name, table.start, table.end, table.hours)


def make_stairs(table: StairsTable, name: str) -> Stairs:
    """The stairs of a table; name: if it has none."""
    return Stairs(table.name or name, table.region, math.radians(table.up), table.speed_up, table.speed_down)


def describe_place(place: NamedPlace) -> dict[str, Any]:
    """The table of a place."""
    table: dict[str, Any] = {"name": place.name, "kind": place.kind, "region": _regions(place.regions)}
    if place.time != (0.0, 0.0):
        table["time"] = list(place.time)
    if place.kind == "service":
        table |= {"servers": place.servers, "queue": [list(point) for point in place.queue]}
    return table


def describe_door(door: TimedDoor) -> dict[str, Any]:
    """The table of a door."""
    hours = [list(pair) for pair in door.hours]
    return {"name": door.name, "from": list(door.start), "to": list(door.end), "open": hours}


def describe_stairs(stairs: Stairs) -> dict[str, Any]:
    """The table of stairs."""
    up = round(math.degrees(stairs.heading), 9)
    speeds = {"speed_up": stairs.speed_up, "speed_down": stairs.speed_down}
    return {"name": stairs.name, "region": _regions(stairs.regions), "up": up, **speeds}


def _regions(regions: tuple[tuple[float, float, float, float], ...]) -> list[Any]:
    listed = [list(region) for region in regions]
    return listed[0] if len(listed) == 1 else listed


AnyTable = TypeVar("AnyTable", PlaceTable, DoorTable, StairsTable)


def read_table(kind: type[AnyTable], data: Mapping[str, Any]) -> AnyTable:
    """A table from what one of the `describe_` functions made, by way of JSON. Raises SceneError if it is none."""
    try:
        return kind.model_validate(_tuples(dict(data)))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SceneError(f"{where}: {first['msg']}" if where else first["msg"]) from None


def _tuples(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_tuples, value))
    return {key: _tuples(part) for key, part in value.items()} if isinstance(value, dict) else value
