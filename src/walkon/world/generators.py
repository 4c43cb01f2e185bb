"""Crowds made up from a seed: flows between regions, circles that swap, random pairs of start and goal."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.world.document_characters import CircleTable, CrowdTable, FlowTable, PairsTable, Traits
from walkon.world.document_draws import draw_numbers, draw_speeds_by_age, ends_of
from walkon.world.document_parts import radians
from walkon.world.footprints import FreeGround
from walkon.world.placing import REUSE, Rectangle, RectangleArea, match_goals, place_apart, share_places
from walkon.world.scene import Character, Goal

MOST_MATCHED = 3000
"""People of one crowd: who may go where is a table of their square."""


@dataclass
class Occupied:
    """Where people start, and where they stay: what the next crowd keeps apart from."""

    starts: list[tuple[float, float]] = field(default_factory=list)
    late: list[tuple[float, float]] = field(default_factory=list)
    stays: list[tuple[float, float]] = field(default_factory=list)

    def add(self, character: Character) -> None:
        """Someone more."""
        start, goal = (character.start.x, character.start.z), character.goals[-1]
        self.starts.append(start)
        if character.start_time > 0.0:
            self.late.append(start)
        if character.at_goal == "stay":
            self.stays.append((goal.x, goal.z))

    def for_starts(self, times: Array) -> Array:
        """Places (N, 2) where nobody may start; who starts late must not find someone who stays there."""
        return _points(self.starts + (self.stays if len(times) and times.max() > 0.0 else []))

    def for_goals(self, stays: bool) -> Array:
        """Places (N, 2) where nobody may have a goal: none, for those who leave."""
        return _points(self.stays + self.late if stays else [])


@dataclass(frozen=True)
class Grounds:
    """What is free for starts, and what for goals: things that move are elsewhere by then."""

    starts: FreeGround
    goals: FreeGround


def make_crowd(
    table: CrowdTable,
    prefix: str,
    grounds: Grounds,
    occupied: Occupied,
    rng: np.random.Generator,
    library: str,
    times: Array | None = None,
) -> list[Character]:
    """The people of a crowd; raises SceneError where they do not fit, saying how many do. times (count,) [s]: when
    they come, if that is known."""
    if table.count > MOST_MATCHED:
        raise SceneError(
            f"count: at most {MOST_MATCHED} people in one crowd, not {table.count}; use several crowds"
        )
    match table:
        case FlowTable():
            starts, goals, times = _flow(table, grounds, occupied, rng, times)
        case PairsTable():
            starts, goals, times = _pairs(table, grounds, occupied, rng)
        case CircleTable():
            starts, goals, times = _circle(table, grounds, occupied)
        case _:
            raise SceneError(f"no crowd of kind {type(table).__name__}")
    performers = rng.choice(np.array(table.performers), size=table.count)
    speeds, premovements = _speeds(table, rng), draw_numbers(table.premovement, table.count, rng.spawn(1)[0])
    digits = max(3, len(str(table.count)))
    people = []
    for number in range(table.count):
        (x, z), (goal_x, goal_z) = starts[number].tolist(), goals[number].tolist()
        heading = math.atan2(goal_x - x, goal_z - z) if table.heading is None else radians(table.heading)
        people.append(
            Character(
                name=f"{prefix}_{number + 1:0{digits}d}",
                start=Placement(x, z, heading),
                goals=(Goal(goal_x, goal_z, table.tolerance),),
                library=library,
                performer=int(performers[number]),
                start_time=float(times[number]),
                speed=None if speeds is None else float(speeds[number]),
                premovement=float(premovements[number]),
                **shared_traits(table),
            )
        )
    return people


def _speeds(table: CrowdTable, rng: np.random.Generator) -> Array | None:
    """How fast everybody is, from random numbers apart: whoever adds speeds leaves the people where they are."""
    own = rng.spawn(1)[0]
    if table.ages is not None:
        return draw_speeds_by_age(table.ages, table.count, own)
    return None if table.speed is None else draw_numbers(table.speed, table.count, own)


def shared_traits(table: Traits, *, leaves: bool = False) -> dict:
    """What a character takes over from its table as it is. leaves: by an exit, whatever the table says."""
    return {
        "pose": table.pose,
        "at_goal": "leave" if leaves else table.at_goal,
        "weights": MappingProxyType(dict(table.weights)),
        "without": table.without,
        "climb": table.climb,
        "priority": table.priority,
    }


def _flow(
    table: FlowTable, grounds: Grounds, occupied: Occupied, rng: np.random.Generator, times: Array | None
) -> tuple[Array, Array, Array]:
    if times is None:
        times = _start_times(table.start_time, table.over, table.count, rng)
    starts = _starts(table, "from", table.origin, grounds.starts, occupied, times, rng)
    return starts, _goals_elsewhere(table, grounds.goals, occupied, starts, times, rng), times


def _goals_elsewhere(
    table: FlowTable, ground: FreeGround, occupied: Occupied, starts: Array, times: Array, rng: np.random.Generator
) -> Array:
    """A goal for everyone in one of the regions; out of a door and into the same one is no flow.

    Whoever finds a region full goes to another.
    """
    came = _region_of(starts, table.origin)
    open_to = np.array([[float(origin != to) for to in table.to] for origin in table.origin])
    taken, spacing = _taken_by_goals(table, occupied, starts, times)
    goals, pending = np.empty_like(starts), np.arange(table.count)
    while len(pending):
        choices = open_to[came[pending]]
        if not choices.any(axis=1).all():
            if all(origin in table.to and len(table.to) == 1 for origin in table.origin):
                raise SceneError("to: is where they come from; people need a region other than their own to go to")
            raise _too_many(table, table.count - len(pending), "to", table.to, "have their goals")
        weights = choices.cumsum(axis=1) / choices.sum(axis=1, keepdims=True)
        aims = (rng.random((len(pending), 1)) > weights).sum(axis=1)
        left = []
        for number, region in enumerate(table.to):
            people = pending[aims == number]
            found = place_apart(
                rng, ground, RectangleArea((region,)), len(people), spacing=spacing, room=table.room, taken=taken
            )
            goals[people[: len(found)]] = found
            taken = np.concatenate([taken, found]) if spacing else taken
            if len(found) < len(people):
                open_to[:, number] = 0.0
                left.append(people[len(found) :])
        pending = np.concatenate(left) if left else pending[:0]
    return goals


def _pairs(
    table: PairsTable, grounds: Grounds, occupied: Occupied, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    times = _start_times(table.start_time, table.over, table.count, rng)
    starts = _starts(table, "region", table.region, grounds.starts, occupied, times, rng)
    goals = _goals(table, grounds.goals, occupied, starts, times, rng)

    far = np.hypot(*np.moveaxis(starts[:, None] - goals, 2, 0)) >= table.distance
    order = match_goals(far)
    if (order < 0).any():
        raise SceneError(
            f"only {int((order >= 0).sum())} of {table.count} people can be given a goal {table.distance:g} m "
            f"away; use a larger region, fewer people or a smaller distance"
        )
    return starts, goals[order], times


def _circle(table: CircleTable, grounds: Grounds, occupied: Occupied) -> tuple[Array, Array, Array]:
    angles = 2.0 * math.pi * np.arange(table.count) / table.count
    spokes = table.radius * np.column_stack([np.sin(angles), np.cos(angles)])
    holds = (
        math.floor(math.pi / math.asin(min(1.0, table.spacing / (2.0 * table.radius)))) if table.count > 1 else 1
    )
    if table.count > holds and (table.count > 2 or 2.0 * table.radius < table.spacing):
        raise SceneError(
            f"only {holds} of {table.count} people fit on a circle of radius {table.radius:g} m, "
            f"{table.spacing:g} m apart"
        )
    starts, goals = np.array(table.center) + spokes, np.array(table.center) - spokes
    times = np.full(table.count, table.start_time)
    free = grounds.starts.is_free(starts, table.room) & grounds.goals.is_free(goals, table.room)
    taken = occupied.for_starts(times)
    if len(taken):
        free &= np.hypot(*np.moveaxis(starts[:, None] - taken, 2, 0)).min(axis=1) >= table.spacing
    taken = occupied.for_goals(table.at_goal == "stay")
    if len(taken):
        free &= np.hypot(*np.moveaxis(goals[:, None] - taken, 2, 0)).min(axis=1) >= table.spacing
    if not free.all():
        x, z = starts[int(np.argmin(free))]
        raise SceneError(
            f"only {int(free.sum())} of {table.count} people fit: whoever starts at ({x:.1f}, {z:.1f}) has "
            f"start or goal outside the bounds, in an obstacle or near someone else"
        )
    return starts, goals, times


def _start_times(first: float, over: float, count: int, rng: np.random.Generator) -> Array:
    return np.round(np.sort(first + over * rng.random(count)), 3) if over > 0.0 else np.full(count, first)


def _starts(
    table: CrowdTable,
    key: str,
    regions: tuple[Rectangle, ...],
    ground: FreeGround,
    occupied: Occupied,
    times: Array,
    rng: np.random.Generator,
) -> Array:
    taken = occupied.for_starts(times)
    places = place_apart(
        rng, ground, RectangleArea(regions), table.count, spacing=table.spacing, room=table.room, taken=taken
    )
    if len(places) == table.count:
        return places
    shared = share_places(places, times, REUSE + ends_of(table.premovement)[1])
    if shared is None:
        raise _too_many(table, len(places), key, regions, "start")
    return shared


def _goals(
    table: PairsTable,
    ground: FreeGround,
    occupied: Occupied,
    starts: Array,
    times: Array,
    rng: np.random.Generator,
) -> Array:
    taken, spacing = _taken_by_goals(table, occupied, starts, times)
    places = place_apart(
        rng, ground, RectangleArea(table.region), table.count, spacing=spacing, room=table.room, taken=taken
    )
    if len(places) < table.count:
        raise _too_many(table, len(places), "region", table.region, "have their goals")
    return places


def _taken_by_goals(table: CrowdTable, occupied: Occupied, starts: Array, times: Array) -> tuple[Array, float]:
    """Where no goal may be, and how far apart goals are: nowhere and not at all for people who leave."""
    stays = table.at_goal == "stay"
    taken = occupied.for_goals(stays)
    if stays and times.max() > 0.0:
        taken = np.concatenate([taken, starts])
    return taken, table.spacing if stays else 0.0


def _too_many(table: CrowdTable, fitted: int, key: str, regions: tuple[Rectangle, ...], what: str) -> SceneError:
    shown = ", ".join(f"[{', '.join(f'{value:g}' for value in region)}]" for region in regions[:5])
    shown += f" and {len(regions) - 5} more" if len(regions) > 5 else ""
    return SceneError(
        f"only {fitted} of {table.count} people can {what} in {key} = {shown}, {table.spacing:g} m apart and "
        f"{table.room:g} m from obstacles and bounds; use fewer people, a larger region or a smaller spacing"
    )


def _region_of(places: Array, regions: tuple[Rectangle, ...]) -> NDArray[np.int64]:
    """Which region (n,) each place is in: the first of them."""
    inside = [
        (places[:, 0] >= x0) & (places[:, 0] <= x1) & (places[:, 1] >= z0) & (places[:, 1] <= z1)
        for x0, z0, x1, z1 in regions
    ]
    return np.argmax(inside, axis=0)


def _points(places: list[tuple[float, float]]) -> Array:
    return np.array(places, dtype=np.float64).reshape(-1, 2)
