"""A crowd that walks straight through everything: what the studio asks of an engine, and nothing else.

For tests of the studio that need no real one, or one that does as it is told: slow, or failing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from walkon.basics import Array, Indices
from walkon.behaviors import Behavior, BehaviorClip, BehaviorGraph, BehaviorLibrary, build_graph
from walkon.builtin import make
from walkon.crowd.live import Commits, LiveFigures, LiveObstacles, LivePerformer, State
from walkon.errors import SceneError
from walkon.motion.features.outlines import COMPASS
from walkon.rotations import Placement
from walkon.take import Take
from walkon.world import BodyLevel, Character, Goal, Gridmap, Obstacle, Scene, World, build_world, flat_terrain

if TYPE_CHECKING:
    from walkon.studio.live_crowd import LiveCrowd

BOUNDS = (-10.0, -10.0, 10.0, 10.0)
SEGMENT = 10
"""Frames between two commits of the same person."""


@cache
def walking_graph() -> BehaviorGraph:
    """Somebody who can do one thing."""
    clip = BehaviorClip(make("walk"))
    return build_graph(BehaviorLibrary("walker", (Behavior("walk", "step", "step", (clip,)),)))


def little_scene(people: int = 4, obstacles: tuple[Obstacle, ...] = ()) -> Scene:
    """People in a row who want to cross."""
    cast = tuple(
        Character(f"walker_{number:03d}", Placement(-8.0 + number, -5.0, 0.0), (Goal(-8.0 + number, 5.0),))
        for number in range(people)
    )
    return Scene("little", BOUNDS, flat_terrain(BOUNDS), obstacles, cast)


Segment = tuple[int, int, tuple[float, float, float]]
"""Clip, frame and place."""


@dataclass
class FakePerson:
    """Somebody."""

    number: int
    character: Character
    x: float
    z: float
    agenda: list[Goal]
    performer: int = 0
    joined: int = 0
    segments: list[Segment] = field(default_factory=list)
    due: int = 0

    @property
    def name(self) -> str:
        return self.character.name

    @property
    def goal(self) -> Goal | None:
        return self.agenda[0] if self.agenda else None


class FakeLive:
    """See `walkon.studio.live_crowd.LiveCrowd`. pause [s]: how long a step takes; chatter: how often a segment is
    said; trouble: raised by the next step."""

    def __init__(self, scene: Scene, *, pause: float = 0.0, chatter: int = 0) -> None:
        self.fps, self.frame, self.planner = 30.0, 0, "search"
        self.pause, self.chatter = pause, chatter
        self.trouble: Exception | None = None
        self._base = replace(scene, obstacles=(), characters=())
        self.obstacles = LiveObstacles(scene.obstacles)
        self.people: dict[int, FakePerson] = {}
        self.performers = (LivePerformer(walking_graph(), "human", 0, 0, 0),)
        self._next, self.closed = 0, False
        self._commits: list[tuple[int, list[Segment]]] = []
        for character in scene.characters:
            self.add(character)

    @property
    def bodies(self) -> BodyLevel:
        return self._base.bodies

    @bodies.setter
    def bodies(self, level: BodyLevel) -> None:
        self._base = replace(self._base, bodies=level)

    @property
    def scene(self) -> Scene:
        people = tuple(self.character(who) for who in self.people)
        return replace(self.world.scene, characters=people)

    @property
    def world(self) -> World:
        return build_world(replace(self._base, obstacles=tuple(self.obstacles.values())))

    def character(self, who: int) -> Character:
        one = self.people[who]
        return replace(one.character, start=Placement(one.x, one.z, 0.0), goals=tuple(one.agenda))

    def step(self) -> int:
        if self.trouble is not None:
            trouble, self.trouble = self.trouble, None
            raise trouble
        time.sleep(self.pause)
        self.frame += 1
        for person in list(self.people.values()):
            if person.goal is not None:
                apart = math.hypot(person.goal.x - person.x, person.goal.z - person.z)
                share = min(1.0, 0.1 / max(apart, 1e-9))
                person.x += share * (person.goal.x - person.x)
                person.z += share * (person.goal.z - person.z)
                if apart < 0.2 and person.character.at_goal == "leave":
                    self.remove(person.number)
                    continue
            if person.due <= self.frame:
                self._commit(person)
        return 1

    def _commit(self, person: FakePerson) -> None:
        person.due = self.frame + SEGMENT
        segment = (0, self.frame, (person.x, person.z, 0.0))
        person.segments.append(segment)
        self._commits.append((person.number, [segment] * max(1, self.chatter)))

    def add(self, character: Character) -> int:
        if any(person.name == character.name for person in self.people.values()):
            raise SceneError(f"there is somebody called {character.name!r} already")
        start = character.start
        if any(math.hypot(one.x - start.x, one.z - start.z) < 0.3 for one in self.people.values()):
            raise SceneError(f"({start.x:.2f}, {start.z:.2f}) is not free")
        number, self._next = self._next, self._next + 1
        person = FakePerson(number, character, start.x, start.z, list(character.goals), joined=self.frame)
        self.people[number] = person
        return number

    def remove(self, who: int) -> None:
        del self.people[who]

    def set_goal(self, who: int, goal: Goal | None) -> None:
        self.people[who].agenda = [] if goal is None else [goal]
        self.people[who].due = 0

    def set_goals(self, who: Sequence[int], goals: Sequence[Goal | None]) -> None:
        for number, goal in zip(who, goals, strict=True):
            self.set_goal(number, goal)

    def add_obstacle(self, obstacle: Obstacle) -> None:
        if obstacle.name in self.obstacles:
            raise SceneError(f"there is an obstacle {obstacle.name!r} already")
        self.obstacles.put(self.frame + 1, obstacle)

    def move_obstacle(self, name: str, x: float, z: float, heading: float | None = None) -> None:
        terrain = self._base.terrain
        moved = self.obstacles.moved(name, x, z, heading, frame=self.frame + 1, terrain=terrain)
        self.obstacles.put(self.frame + 1, moved)
        for person in self.people.values():
            person.due = 0

    def set_obstacle(self, name: str, obstacle: Obstacle | None) -> None:
        if name in self.obstacles and self.obstacles[name] is not obstacle:
            self.obstacles.strike(self.frame + 1, name)
        if obstacle is not None and name not in self.obstacles:
            self.add_obstacle(obstacle)

    def drain(self) -> Commits:
        commits, self._commits = self._commits, []
        return _commits(commits)

    def history(self) -> Commits:
        return _commits([(one.number, one.segments) for one in self.people.values() if one.segments])

    def state(self) -> State:
        people = list(self.people.values())
        places = np.array([(one.x, one.z, 0.0) for one in people]).reshape(-1, 3)
        aims = [(one.goal.x, one.goal.z) if one.goal else (math.nan, math.nan) for one in people]
        goals = np.array(aims).reshape(-1, 2)
        return State(
            frame=self.frame,
            who=np.array([one.number for one in people], dtype=np.int64),
            places=places,
            circles=places + np.array([0.0, 0.0, 0.4]),
            goals=goals,
            waiting=np.zeros(len(people)),
            arrived=np.hypot(*(goals - places[:, :2]).T) < 0.2,
            there=np.ones(len(people), dtype=np.bool_),
        )

    def figures(self) -> LiveFigures:
        return LiveFigures(len(self.people), 0, 0.0, 3 * self.frame, np.full(5, 1e-4), 0, 0, 0)

    def route(self, who: int) -> Array:
        person = self.people[who]
        ahead = [] if person.goal is None else [(person.goal.x, person.goal.z)]
        return np.array([(person.x, person.z), *ahead])

    def reserved(self, who: int) -> tuple[int, Array]:
        return self.frame, self.outlines(np.array([who]))[:, 0]

    def outlines(self, who: Indices) -> Array:
        middles = np.array([(self.people[int(one)].x, self.people[int(one)].z) for one in who])
        return np.repeat((middles[:, None] + 0.3 * COMPASS)[:, None], 2, axis=1)

    def density(self) -> Gridmap:
        return Gridmap(-10.0, -10.0, 1.0, np.zeros((20, 20)))

    def explored(self, who: int) -> Array:
        raise RuntimeError("there is no search to repeat")

    def take(self) -> Take:
        return Take(self.scene, self.fps, 0, (), (), (), 0, "none")

    def close(self) -> None:
        self.closed = True


def as_the_studio_sees_it(live: FakeLive) -> LiveCrowd:
    """For the type checker: the stand-in answers all that the studio asks."""
    return live


def _commits(rows: list[tuple[int, list[Segment]]]) -> Commits:
    segments = [segment for _, parts in rows for segment in parts]
    return Commits(
        who=np.array([who for who, _ in rows], dtype=np.int64),
        starts=np.cumsum([0, *(len(parts) for _, parts in rows)]),
        clips=np.array([clip for clip, _, _ in segments], dtype=np.int64),
        frames=np.array([frame for _, frame, _ in segments], dtype=np.int64),
        placements=np.array([place for _, _, place in segments]).reshape(-1, 3),
    )
