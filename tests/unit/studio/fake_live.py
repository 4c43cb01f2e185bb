"""A crowd that walks straight through everything: what the studio asks of an engine, and nothing else.

For tests of the studio that need no real one, or one that does as it is told: slow, or failing.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from functools import cache
from types import SimpleNamespace

import numpy as np

from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary, build_graph
from walkon.builtin import make
from walkon.errors import SceneError
from walkon.rotations import Placement, rotation_about_y
from walkon.world import Character, Goal, Gridmap, Scene, build_world, flat_terrain

BOUNDS = (-10.0, -10.0, 10.0, 10.0)
SEGMENT = 10
"""Frames between two commits of the same person."""


@cache
def walking_graph():
    """Somebody who can do one thing."""
    clip = BehaviorClip(make("walk"))
    return build_graph(BehaviorLibrary("walker", (Behavior("walk", "step", "step", (clip,)),)))


def little_scene(people: int = 4, obstacles: tuple = ()) -> Scene:
    """People in a row who want to cross."""
    cast = tuple(
        Character(f"walker_{number:03d}", Placement(-8.0 + number, -5.0, 0.0), (Goal(-8.0 + number, 5.0),))
        for number in range(people)
    )
    return Scene("little", BOUNDS, flat_terrain(BOUNDS), obstacles, cast)


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
    segments: list = field(default_factory=list)
    due: int = 0

    @property
    def name(self):
        return self.character.name

    @property
    def goal(self):
        return self.agenda[0] if self.agenda else None


class FakeLive:
    """See `walkon.crowd.live.Live`. pause [s]: how long a step takes; trouble: raised by the next step."""

    def __init__(self, scene: Scene, *, pause: float = 0.0, chatter: int = 0) -> None:
        self.fps, self.frame, self.planner, self.seed = 30.0, 0, "search", 0
        self.pause, self.trouble, self.chatter = pause, None, chatter
        self._base = replace(scene, obstacles=(), characters=())
        self._obstacles = {obstacle.name: obstacle for obstacle in scene.obstacles}
        self.people: dict[int, FakePerson] = {}
        self.performers = (
            SimpleNamespace(graph=walking_graph(), first_clip=0, library="human", performer=0, first_pose=0),
        )
        self._next, self._commits, self.closed = 0, [], False
        for character in scene.characters:
            self.add(character)

    @property
    def scene(self):
        people = tuple(
            replace(one.character, start=Placement(one.x, one.z, 0.0), goals=tuple(one.agenda))
            for one in self.people.values()
        )
        return replace(self._base, obstacles=tuple(self._obstacles.values()), characters=people)

    @property
    def world(self):
        return build_world(replace(self._base, obstacles=tuple(self._obstacles.values())))

    def step(self, dt=None):
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

    def _commit(self, person):
        person.due = self.frame + SEGMENT
        segment = (0, self.frame, (person.x, person.z, 0.0))
        person.segments.append(segment)
        self._commits.append((person.number, [segment] * max(1, self.chatter)))

    def add(self, character):
        if any(person.name == character.name for person in self.people.values()):
            raise SceneError(f"there is somebody called {character.name!r} already")
        start = character.start
        if any(math.hypot(one.x - start.x, one.z - start.z) < 0.3 for one in self.people.values()):
            raise SceneError(f"({start.x:.2f}, {start.z:.2f}) is not free")
        number, self._next = self._next, self._next + 1
        person = FakePerson(number, character, start.x, start.z, list(character.goals), joined=self.frame)
        self.people[number] = person
        return number

    def remove(self, who):
        del self.people[who]

    def set_goal(self, who, goal):
        self.people[who].agenda = [] if goal is None else [goal]
        self.people[who].due = 0

    def set_goals(self, who, goals):
        for number, goal in zip(who, goals, strict=True):
            self.set_goal(number, goal)

    def add_obstacle(self, obstacle):
        self._obstacles[obstacle.name] = obstacle

    def move_obstacle(self, name, x, z, heading=0.0):
        old = self._obstacles[name]
        place = np.array([[x, old.positions[0, 1], z]])
        self._obstacles[name] = replace(old, positions=place, rotations=rotation_about_y(np.array([heading])))
        for person in self.people.values():
            person.due = 0

    def remove_obstacle(self, name):
        del self._obstacles[name]

    def drain(self):
        commits, self._commits = self._commits, []
        return _commits(commits)

    def history(self):
        return _commits([(one.number, one.segments) for one in self.people.values() if one.segments])

    def state(self):
        people = list(self.people.values())
        places = np.array([(one.x, one.z, 0.0) for one in people]).reshape(-1, 3)
        goals = [(one.goal.x, one.goal.z) if one.goal else (math.nan, math.nan) for one in people]
        goals = np.array(goals).reshape(-1, 2)
        arrived = np.hypot(*(goals - places[:, :2]).T) < 0.2
        return SimpleNamespace(
            frame=self.frame, who=np.array([one.number for one in people], dtype=np.int64), places=places,
            goals=goals, circles=places + np.array([0.0, 0.0, 0.4]),
             waiting=np.zeros(len(people)), arrived=arrived,
        )  # fmt: skip

    def figures(self):
        return SimpleNamespace(
            people=len(self.people), waiting=0, longest_wait=0.0, replans=3 * self.frame,
            replan_seconds=np.full(5, 1e-4), dropped=0, stops=0,
        )  # fmt: skip

    def route(self, who):
        person = self.people[who]
        return np.array([(person.x, person.z), (person.goal.x, person.goal.z)])

    def reserved(self, who):
        return self.frame, np.array([(self.people[who].x, self.people[who].z, 0.4)])

    def density(self):
        return Gridmap(-10.0, -10.0, 1.0, np.zeros((20, 20)))

    def explored(self, who):
        raise RuntimeError("there is no search to repeat")

    def close(self):
        self.closed = True


def _commits(rows):
    segments = [segment for _, parts in rows for segment in parts]
    return SimpleNamespace(
        who=np.array([who for who, _ in rows], dtype=np.int64),
        starts=np.cumsum([0, *(len(parts) for _, parts in rows)]),
        clips=np.array([clip for clip, _, _ in segments], dtype=np.int64),
        frames=np.array([frame for _, frame, _ in segments], dtype=np.int64),
        placements=np.array([place for _, _, place in segments]).reshape(-1, 3),
    )
