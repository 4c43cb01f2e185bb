"""What a scene file may say about characters, and about crowds that are made up from a seed."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import PydanticCustomError

from walkon.world.document_draws import FASTEST, SLOWEST, Ages, SpeedDraw, TimeDraw
from walkon.world.document_parts import (
    Angle,
    Count,
    FileName,
    Length,
    Name,
    Point,
    Rectangles,
    Table,
    Time,
    one_of,
)
from walkon.world.document_places import PlaceNames
from walkon.world.document_script import MOST_STEPS, AnyStep, HeadingTolerance, Tolerance
from walkon.world.places import Choice

Weight = Annotated[float, Field(gt=0.0, le=1e6)]
Pattern = Annotated[str, Field(min_length=1, max_length=100)]
Performer = Annotated[int, Field(ge=0, le=100_000)]

FASTEST_FLOW = 100.0
"""People a second of one flow at most."""

MOST_RATES = 1000
"""Times at which a flow's rate is said, at most."""


class WaypointTable(Table):
    """A way-point with more to say than where it is, or a place by its name."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["at"]}, {"required": ["place"]}]})

    place: Name | None = Field(None, description="a waiting or service place: what is done there is done")
    at: Point | None = Field(None, validate_default=True, description="[x, z] [m]; not needed for a place")
    tolerance: Tolerance | None = Field(None, description="how near is there [m]; that of the goal if left out")
    heading: Angle | None = Field(None, description="where to look [degrees]")
    heading_tolerance: HeadingTolerance = Field(30.0, description="of heading, to either side [degrees]")

    @field_validator("at")
    @classmethod
    def _somewhere(cls, value: Point | None, info: ValidationInfo) -> Point | None:
        if value is None and info.data.get("place", "wrong") is None:
            raise PydanticCustomError("missing", "is missing")
        return value


def _waypoint_tag(value: Any) -> str:
    return "kind:table" if isinstance(value, dict | WaypointTable) else "kind:point"


Waypoint = Annotated[
    Annotated[Point, Tag("kind:point")] | Annotated[WaypointTable, Tag("kind:table")], Discriminator(_waypoint_tag)
]
"""[x, z], or a table."""


class Traits(Table):
    """What characters and crowds have in common."""

    library: FileName = Field("human", description="a built-in cast or a folder (written with a slash)")
    pose: Name | None = Field(None, description="pose to start in; one to rest in if left out")
    start_time: Time = Field(0.0, description="from when on it is there [s]")
    at_goal: Literal["stay", "leave"] = Field("stay", description="what to do when the goal is reached")
    tolerance: Tolerance = Field(0.5, description="how near to a goal is there [m]")
    weights: dict[Pattern, Weight] = Field(
        {}, max_length=1000, description="dislike of behaviors, by name, kind or pattern"
    )
    without: tuple[Pattern, ...] = Field(
        ("gesture",), max_length=1000, description="behaviors never used, by name, kind or pattern"
    )
    climb: float = Field(1.0, ge=0.0, le=1e4, description="cost of a metre of height, up or down")
    priority: int = Field(0, ge=-1_000_000, le=1_000_000, description="higher plans earlier")


class CharacterTable(Traits):
    """Someone with somewhere to go, or something to do."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["goal"]}, {"required": ["script"]}, {"required": ["to"]}]}
    )

    name: Name
    start: Point = Field(description="[x, z] [m]")
    heading: Angle | None = Field(None, description="[degrees]; towards the first way-point if left out")
    script: tuple[AnyStep, ...] = Field(
        (), max_length=MOST_STEPS, description="what to do, step by step, with motion from a motion graph"
    )
    to: PlaceNames | None = Field(None, description="exits by their names: it leaves by one of them")
    choose: Choice = Field("nearest", description="how it decides between several exits")
    group: Name | None = Field(None, description="those of one group go together, as fast as the slowest")
    goal: Point | None = Field(
        None,
        validate_default=True,
        description="[x, z] [m]; the last place of the script, or the nearest point of an exit, if left out",
    )
    via: tuple[Waypoint, ...] = Field(
        (), max_length=1000, description="way-points on the way to the goal, in order: [x, z] or tables"
    )
    goal_heading: Angle | None = Field(None, description="where to look at the goal [degrees]")
    heading_tolerance: HeadingTolerance = Field(30.0, description="of goal_heading, to either side [degrees]")
    performer: Performer = Field(0, description="which person of the cast")
    speed: float | None = Field(
        None,
        ge=SLOWEST,
        le=FASTEST,
        description="how fast it likes to walk [m/s]; as its performer does if left out",
    )
    premovement: Time = Field(0.0, description="stands so long where it starts before it sets off [s]")

    @field_validator("goal")
    @classmethod
    def _goal_or_script(cls, value: Point | None, info: ValidationInfo) -> Point | None:
        # A script that is wrong is not there, and not the lack of a goal either.
        if value is None and info.data.get("script", "wrong") == () and info.data.get("to", "wrong") is None:
            raise PydanticCustomError("missing", "is missing")
        return value

    @field_validator("via", "goal_heading")
    @classmethod
    def _with_goal(cls, value: Any, info: ValidationInfo) -> Any:
        said = value not in ((), None)
        if said and info.data.get("script") and info.data.get("goal", "wrong") is None:
            other = "via" if info.field_name == "via" else "face"
            raise ValueError(f"is for a character with a goal; in a script, say {other} = ... in its place")
        return value


def _rates(value: Any) -> Any:
    """Times and rates, in order of time."""
    pairs = isinstance(value, tuple) and all(
        isinstance(pair, tuple)
        and len(pair) == 2
        and all(isinstance(part, int | float) and not isinstance(part, bool) for part in pair)
        for pair in value
    )
    if not pairs or not 2 <= len(value) <= MOST_RATES:
        raise ValueError(f"needs people a second, or 2 to {MOST_RATES} pairs [[time, people a second], ...]")
    times, rates = zip(*value, strict=True)
    if not all(0.0 <= time <= 3600.0 for time in times) or any(b < a for a, b in itertools.pairwise(times)):
        raise ValueError("needs times from 0 to 3600 s that do not go back")
    if not all(0.0 <= rate <= FASTEST_FLOW for rate in rates):
        raise ValueError(f"needs rates from 0 to {FASTEST_FLOW:g} people a second")
    return tuple((float(time), float(rate)) for time, rate in value)


AnyRate = Annotated[
    Annotated[float, Field(gt=0.0, le=FASTEST_FLOW), Tag("kind:steady")]
    | Annotated[
        tuple[tuple[float, float], ...],
        BeforeValidator(_rates),
        WithJsonSchema(
            {
                "type": "array",
                "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                "minItems": 2,
                "maxItems": MOST_RATES,
            }
        ),
        Tag("kind:changing"),
    ],
    Discriminator(lambda value: "kind:changing" if isinstance(value, tuple) else "kind:steady"),
]
"""People a second: a number, or times [s] and rates."""


class CrowdTable(Traits):
    """What all crowds have."""

    name: Name | None = Field(None, description="prefix of their names; the kind and a number if left out")
    performers: tuple[Performer, ...] = Field((0,), min_length=1, max_length=1000, description="drawn from these")
    heading: Angle | None = Field(
        None, description="of all at the start [degrees]; towards their goals if left out"
    )
    spacing: float = Field(
        0.9, ge=0.5, le=100.0, description="between starts, and between goals where they stay [m]"
    )
    room: float = Field(0.5, ge=0.0, le=100.0, description="between people and obstacles or bounds [m]")
    speed: SpeedDraw | None = Field(
        None,
        description="how fast they like to walk [m/s]: a number, [low, high], or { mean, deviation, least, most }",
    )
    ages: Ages | None = Field(
        None,
        description="instead of speed: spans of ages [years] and their shares, for speeds after Weidmann (1993)",
    )
    premovement: TimeDraw = Field(
        0.0, description="stand so long where they start [s]: a number, [low, high], or a normal distribution"
    )

    @field_validator("ages")
    @classmethod
    def _speed_or_ages(cls, value: Any, info: ValidationInfo) -> Any:
        if value is not None and info.data.get("speed") is not None:
            raise ValueError("says how fast people are, as speed does: one of both")
        return value

    if TYPE_CHECKING:
        kind: Any
        count: int


def _regions_tag(value: Any) -> str:
    first = value[0] if isinstance(value, tuple) and value else value
    return "kind:exits" if isinstance(first, str) else "kind:regions"


if TYPE_CHECKING:
    Regions = Rectangles
else:
    Regions = Annotated[
        Annotated[Rectangles, Tag("kind:regions")] | Annotated[PlaceNames, Tag("kind:exits")],
        Discriminator(_regions_tag),
    ]
"""One rectangle or several, or names of exits; whoever makes people of it has looked these up."""


class FlowTable(CrowdTable):
    """People who walk from one region to another."""

    kind: Literal["flow"]
    origin: Rectangles = Field(alias="from", description="[x0, z0, x1, z1], or a list of such regions [m]")
    to: Regions = Field(description="[x0, z0, x1, z1], a list of such regions [m], or names of exits")
    choose: Choice = Field("nearest", description="how people decide between several exits")
    via: tuple[Waypoint, ...] = Field(
        (), max_length=100, description="way-points of all, in order: [x, z] or tables"
    )
    groups: tuple[Annotated[int, Field(ge=1, le=20)], ...] = Field(
        (), max_length=1000, description="how many go together, drawn from these: [1, 1, 2, 4]"
    )
    over: Time = Field(0.0, description="their start times are spread over so long [s]")
    rate: AnyRate | None = Field(
        None,
        description="instead of count: people a second, or [[time, people a second], ...] straight between",
    )
    until: Time | None = Field(
        None, validate_default=True, description="nobody comes later [s]; the last time of rate if left out"
    )
    regular: bool = Field(False, description="of rate: people come evenly; at random (Poisson) if false")

    if not TYPE_CHECKING:  # whoever makes people of it has counted them
        count: Count | None = Field(None, validate_default=True, description="how many people, if not rate")

    @field_validator("count")
    @classmethod
    def _count_or_rate(cls, value: Any, info: ValidationInfo) -> Any:
        rate = info.data.get("rate", "wrong")
        if value is None and rate is None:
            raise PydanticCustomError("missing", "is missing")
        if rate not in (None, "wrong") and (value is not None or info.data.get("over")):
            raise ValueError("how many come, and when, is said by rate and until: leave out count and over")
        return value

    @field_validator("until")
    @classmethod
    def _until_when(cls, value: float | None, info: ValidationInfo) -> float | None:
        rate = info.data.get("rate")
        if value is not None and rate is None and "rate" in info.data:
            raise ValueError("is for a crowd with a rate")
        if value is None and isinstance(rate, float):
            raise ValueError("is missing: until when do people come at this rate [s]?")
        end = rate[-1][0] if value is None and isinstance(rate, tuple) else value
        if end is not None and rate is not None and not end > info.data.get("start_time", 0.0):
            raise ValueError(f"people come from {info.data.get('start_time', 0.0):g} s on, and until {end:g} s")
        return value

    @field_validator("regular")
    @classmethod
    def _for_rates(cls, value: bool, info: ValidationInfo) -> bool:
        if value and "rate" in info.data and info.data["rate"] is None:
            raise ValueError("is for a crowd with a rate")
        return value


class CircleTable(CrowdTable):
    """People on a circle who change places with those opposite."""

    kind: Literal["circle"]
    count: Count = Field(description="how many people")
    center: Point = Field(description="[x, z] [m]")
    radius: Length = Field(description="[m]")


class PairsTable(CrowdTable):
    """People who walk from random places of a region to random places of it."""

    kind: Literal["pairs"]
    region: Rectangles = Field(description="[x0, z0, x1, z1], or a list of such regions [m]")
    count: Count = Field(description="how many people")
    distance: float = Field(3.0, ge=0.0, le=2000.0, description="at least so far from start to goal [m]")
    over: Time = Field(0.0, description="their start times are spread over so long [s]")


if TYPE_CHECKING:
    AnyCrowd = CrowdTable
else:
    AnyCrowd = one_of("kind", {"flow": FlowTable, "circle": CircleTable, "pairs": PairsTable})
