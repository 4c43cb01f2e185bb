"""People whom the studio brings on: groups, flows that come over time, and those who wander from goal to goal."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.studio.changes import SceneChange
from walkon.studio.limits import MOST_STUDIO_PEOPLE
from walkon.world import Character, Goal
from walkon.world.placing import Area, ClearGround, DiscArea, Rectangle, RectangleArea, place_apart

if TYPE_CHECKING:
    from walkon.studio.live_crowd import LiveCrowd


ROOM = 0.45
"""Least distance [m] from the middle of a person to an obstacle: a body with its arms. With more, narrow places
stay empty."""

SPACING = 0.8
"""Least distance [m] between the middles of two people: they do not touch. With more, fewer find a place."""

NONE_TAKEN = np.empty((0, 2))
"""Places (0, 2) that nobody else has."""

GOAL_TOLERANCE = 0.5
"""[m] How near to its goal somebody has to come whom the studio sends."""

WANDER_ROOM = 0.6
"""[m] from the goal of somebody who wanders to an obstacle: more than a body, so that it can turn there."""

TRY_AGAIN, MOST_FLOW_TRIES = 15, 60
"""Frames (half a second) until someone for whom there was no room is tried again, and how often in a row that may
be in vain before a flow is given up: half a minute."""

STROLL_PERIOD = 30
"""Frames (1 s) between looks at who has arrived and wants to go on."""


@dataclass
class Flow:
    """People to come. due: frames, rising. change: the edit that this was; they are added to it as they come."""

    origin: Area
    to: Area
    due: deque[int]
    change: SceneChange
    prefix: str
    tries: int = 0
    numbers: count = field(default_factory=lambda: count(1))


class Crowding:
    """Brings people into a live crowd, with places and goals from its own random numbers."""

    def __init__(self, live: LiveCrowd, seed: int) -> None:
        self.live = live
        self.wanderers: set[int] = set()
        self._rng = np.random.default_rng([seed, 6])
        self._flows: list[Flow] = []
        self._names = count(1)
        # Whoever comes plays like somebody who is there: then the browsers know the clips already.
        present = {person.performer: person.character for person in live.people.values()}
        self._templates = [replace(one, pose=None, start_time=0.0, priority=0) for one in present.values()] or [
            Character("nobody", Placement(), ())
        ]
        self._looked = -STROLL_PERIOD
        # The first search for places loads what it needs: better now than while somebody waits for an edit.
        self._places(DiscArea(0.0, 0.0, 1.0), 2, taken=np.zeros((1, 2)))

    def room_for(self, wanted: int) -> None:
        """Raise SceneError unless this many more people fit into the limit."""
        coming = sum(len(flow.due) for flow in self._flows)
        left = MOST_STUDIO_PEOPLE - len(self.live.people) - coming
        if wanted > left:
            raise SceneError(f"only {max(left, 0)} more people fit: the studio takes {MOST_STUDIO_PEOPLE}")

    def add_group(
        self, x: float, z: float, radius: float, number: int, goal: tuple[float, float] | None
    ) -> SceneChange:
        """People around a point, all to one goal, or wandering."""
        self.room_for(number)
        disc = disc_for(number, x, z)
        disc = DiscArea(x, z, max(radius, disc.radius))
        places = self._places(disc, number, taken=self._taken())
        goals = self._wishes(number) if goal is None else self.goals_around(number, *goal)
        change, prefix = SceneChange(who=frozenset()), self._prefix("group")
        added = []
        for index, (place, aim) in enumerate(zip(places, goals, strict=False), start=1):
            who = self._try(f"{prefix}_{index:03d}", place, aim, "stay", change)
            if who is not None:
                added.append(who)
        if not added:
            raise SceneError(f"there is no room for anybody at ({x:.1f}, {z:.1f})")
        if goal is None:
            self.wanderers.update(added)
        change.who = frozenset(added)
        return change

    def add_flow(self, origin: tuple, to: tuple, number: int, over: float) -> SceneChange:
        """People who come, go and leave."""
        self.room_for(number)
        bounds = self.live.world.scene.bounds
        start, end = _within(origin, bounds), _within(to, bounds)
        if start is None or end is None:
            raise SceneError("a flow goes from one part of the scene to another; one of these lies outside")
        for what, part in (("where it begins", start), ("where it ends", end)):
            if not len(self._places(part, 1, spacing=0.0)):
                raise SceneError(f"a flow needs free ground, and there is none {what}")
        frames = np.sort(self._rng.integers(0, max(1, round(over * self.live.fps)), number)) + self.live.frame
        change = SceneChange(who=frozenset())
        self._flows.append(Flow(start, end, deque(frames.tolist()), change, self._prefix("flow")))
        self.tick()
        return change

    def cancel(self, change: SceneChange) -> None:
        """Whoever has not come yet of an edit that is undone, does not."""
        self._flows = [flow for flow in self._flows if flow.change is not change]

    def replace(self, old: int, new: int) -> None:
        """Someone has another number now."""
        if old in self.wanderers:
            self.wanderers.discard(old)
            self.wanderers.add(new)

    def goals_around(self, number: int, x: float, z: float, spread: float | None = None) -> list[Goal]:
        """A goal for everyone at or around a point: apart where there is room, else shared."""
        if number == 1 and not spread:
            return [Goal(x, z, GOAL_TOLERANCE)]
        disc = disc_for(number, x, z) if spread is None else DiscArea(x, z, spread)
        places = self._places(disc, number)
        if not len(places):
            places = np.array([[x, z]])
        return [_goal_at(places[index % len(places)]) for index in range(number)]

    def tick(self) -> bool:
        """Once a frame: bring on who is due, send wanderers on; whether anybody came."""
        frame, came = self.live.frame, False
        for flow in self._flows:
            came |= self._bring(flow, frame)
        self._flows = [flow for flow in self._flows if flow.due]
        if self.wanderers and frame - self._looked >= STROLL_PERIOD:
            self._looked = frame
            self._stroll()
        return came

    def _bring(self, flow: Flow, frame: int) -> bool:
        due = sum(1 for when in flow.due if when <= frame)
        if not due:
            return False
        places = self._places(flow.origin, due, taken=self._taken())
        ends = self._places(flow.to, max(len(places), 1), spacing=0.0)
        came = 0
        for place, end in zip(places, ends, strict=False):
            aim = _goal_at(end)
            came += (
                self._try(f"{flow.prefix}_{next(flow.numbers):03d}", place, aim, "leave", flow.change) is not None
            )
        for _ in range(came):
            flow.due.popleft()
        # Those who found no room come a little later; a door that stays shut is given up.
        flow.tries = 0 if came else flow.tries + 1
        if flow.tries > MOST_FLOW_TRIES:
            flow.due.clear()
        flow.due = deque(sorted(max(when, frame + TRY_AGAIN) if when <= frame else when for when in flow.due))
        return came > 0

    def _try(self, name: str, place: Array, goal: Goal, at_goal: str, change: SceneChange) -> int | None:
        x, z = (float(value) for value in place)
        heading = math.atan2(goal.x - x, goal.z - z)
        template = self._templates[int(self._rng.integers(len(self._templates)))]
        character = replace(
            template,
            name=name,
            start=Placement(x, z, heading),
            goals=(goal,),
            at_goal="leave" if at_goal == "leave" else "stay",
        )
        try:
            who = self.live.add(character)
        except SceneError:
            return None
        change.people[name] = (None, character)
        return who

    def _stroll(self) -> None:
        """Give those who wander and have arrived another goal."""
        self.wanderers &= self.live.people.keys()
        state = self.live.state()
        arrived = state.who[state.arrived].tolist()
        ready = [who for who in arrived if who in self.wanderers]
        for who, goal in zip(ready, self._wishes(len(ready)), strict=False):
            self.live.set_goal(who, goal)

    def _wishes(self, number: int) -> list[Goal]:
        """Random goals on free ground."""
        area = RectangleArea((self.live.world.scene.bounds,))
        places = self._places(area, number, spacing=0.0, room=WANDER_ROOM)
        return [Goal(x, z, 1.0) for x, z in places.tolist()]

    def _places(
        self, area: Area, number: int, *, taken: Array = NONE_TAKEN, spacing: float = SPACING, room: float = ROOM
    ) -> Array:
        """Up to `number` places (n, 2) on ground that is free now, apart from each other and from `taken`."""
        ground = ClearGround(self.live.world.clearance)
        return place_apart(self._rng, ground, area, number, spacing=spacing, room=room, taken=taken)

    def _taken(self) -> Array:
        return self.live.state().circles[:, :2]

    def _prefix(self, what: str) -> str:
        """A name that nobody's name begins with."""
        known = {person.name.rpartition("_")[0] for person in self.live.people.values()}
        return next(name for name in (f"{what}-{number}" for number in self._names) if name not in known)


def _goal_at(place: Array) -> Goal:
    return Goal(float(place[0]), float(place[1]), GOAL_TOLERANCE)


def disc_for(count: int, x: float, z: float) -> DiscArea:
    """A disc that is large enough for `count` people, loosely packed."""
    return DiscArea(x, z, SPACING * (0.55 + 0.75 * math.sqrt(count)) if count > 1 else 0.0)


def _within(corners: Rectangle, bounds: Rectangle) -> RectangleArea | None:
    """The rectangle between two corners, given in any order, as far as it lies in the bounds."""
    (x0, x1), (z0, z1) = sorted(corners[::2]), sorted(corners[1::2])
    x0, z0, x1, z1 = max(x0, bounds[0]), max(z0, bounds[1]), min(x1, bounds[2]), min(z1, bounds[3])
    return RectangleArea(((x0, z0, x1, z1),)) if x0 <= x1 and z0 <= z1 else None
