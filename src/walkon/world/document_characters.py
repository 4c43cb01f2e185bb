"""What a scene file may say about characters, and about crowds that are made up from a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

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
from walkon.world.document_script import MOST_STEPS, AnyStep, HeadingTolerance, Tolerance

Weight = Annotated[float, Field(gt=0.0, le=1e6)]
Pattern = Annotated[str, Field(min_length=1, max_length=100)]
Performer = Annotated[int, Field(ge=0, le=100_000)]


class WaypointTable(Table):
    """A way-point with more to say than where it is."""

    at: Point = Field(description="[x, z] [m]")
    tolerance: Tolerance | None = Field(None, description="how near is there [m]; that of the goal if left out")
    heading: Angle | None = Field(None, description="where to look [degrees]")
    heading_tolerance: HeadingTolerance = Field(30.0, description="of heading, to either side [degrees]")


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

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": ["goal"]}, {"required": ["script"]}]})

    name: Name
    start: Point = Field(description="[x, z] [m]")
    heading: Angle | None = Field(None, description="[degrees]; towards the first way-point if left out")
    script: tuple[AnyStep, ...] = Field(
        (), max_length=MOST_STEPS, description="what to do, step by step, with motion from a motion graph"
    )
    goal: Point | None = Field(
        None, validate_default=True, description="[x, z] [m]; the last place of the script if left out"
    )
    via: tuple[Waypoint, ...] = Field(
        (), max_length=1000, description="way-points on the way to the goal, in order: [x, z] or tables"
    )
    goal_heading: Angle | None = Field(None, description="where to look at the goal [degrees]")
    heading_tolerance: HeadingTolerance = Field(30.0, description="of goal_heading, to either side [degrees]")
    performer: Performer = Field(0, description="which person of the cast")

    @field_validator("goal")
    @classmethod
    def _goal_or_script(cls, value: Point | None, info: ValidationInfo) -> Point | None:
        # A script that is wrong is not there, and not the lack of a goal either.
        if value is None and info.data.get("script", "wrong") == ():
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


class CrowdTable(Traits):
    """What all crowds have."""

    name: Name | None = Field(None, description="prefix of their names; the kind and a number if left out")
    count: Count = Field(description="how many people")
    performers: tuple[Performer, ...] = Field((0,), min_length=1, max_length=1000, description="drawn from these")
    heading: Angle | None = Field(
        None, description="of all at the start [degrees]; towards their goals if left out"
    )
    spacing: float = Field(
        0.9, ge=0.5, le=100.0, description="between starts, and between goals where they stay [m]"
    )
    room: float = Field(0.5, ge=0.0, le=100.0, description="between people and obstacles or bounds [m]")
    if TYPE_CHECKING:
        kind: Any


class FlowTable(CrowdTable):
    """People who walk from one region to another."""

    kind: Literal["flow"]
    origin: Rectangles = Field(alias="from", description="[x0, z0, x1, z1], or a list of such regions [m]")
    to: Rectangles = Field(description="[x0, z0, x1, z1], or a list of such regions [m]")
    over: Time = Field(0.0, description="their start times are spread over so long [s]")


class CircleTable(CrowdTable):
    """People on a circle who change places with those opposite."""

    kind: Literal["circle"]
    center: Point = Field(description="[x, z] [m]")
    radius: Length = Field(description="[m]")


class PairsTable(CrowdTable):
    """People who walk from random places of a region to random places of it."""

    kind: Literal["pairs"]
    region: Rectangles = Field(description="[x0, z0, x1, z1], or a list of such regions [m]")
    distance: float = Field(3.0, ge=0.0, le=2000.0, description="at least so far from start to goal [m]")
    over: Time = Field(0.0, description="their start times are spread over so long [s]")


if TYPE_CHECKING:
    AnyCrowd = CrowdTable
else:
    AnyCrowd = one_of("kind", {"flow": FlowTable, "circle": CircleTable, "pairs": PairsTable})
