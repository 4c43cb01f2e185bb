"""A small take of two people who walk, made by hand, and bodies of one capsule for geometry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from walkon.builtin.casts import fetch_library
from walkon.motion import Clip, ground_placements
from walkon.rotations import Placement
from walkon.skeleton import Skeleton
from walkon.take import Role, Take, TakeClip
from walkon.world import Character, Goal, Obstacle, Scene, flat_terrain

BOUNDS = (-20.0, -20.0, 20.0, 20.0)


@dataclass(frozen=True)
class Shown:
    """Poses of a character, as synthesis would make them."""

    character: str
    start_frame: int
    clip: Clip


def stick(name, bases, start_frame=0, length=1.0, rotations=None):
    """A body of one capsule of that length, upright unless turned, whose base follows (F, 3)."""
    skeleton = Skeleton(["base", "top"], [-1, 0], [[0.0, 0.0, 0.0], [0.0, length, 0.0]])
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(bases), 2, 1))
    if rotations is not None:
        turns[:, 0] = rotations
    return Shown(name, start_frame, Clip(name, skeleton, 30.0, np.asarray(bases, float), turns))


def thing(shape, position=(0.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0), passes=(), name="thing"):
    """An obstacle that stands still, or moves through (T, 3) and (T, 4)."""
    positions = np.atleast_2d(position)
    rotations = np.broadcast_to(rotation, (len(positions), 4))
    return Obstacle(name, shape, positions, rotations, passes)


def scene_of(*obstacles, characters=(), terrain=None):
    return Scene("scene", BOUNDS, terrain or flat_terrain(BOUNDS), obstacles, characters)


@dataclass
class Workshop:
    """Makes takes from clips of the human cast."""

    library: object

    def clip(self, behavior):
        shown = self.library[behavior].clips[0]
        kind = self.library[behavior].kind
        entry, leave = self.library[behavior].entry, self.library[behavior].exit
        return TakeClip(shown.clip, shown.margin, behavior, kind, entry, leave, "human")

    def role(self, name, clips, order, start, first_frame=0, waits=1, leaves=False):
        """A role, and where it ends: the last `waits` segments are after the arrival."""
        places, frames = [start], [first_frame]
        for index in order:
            found = ground_placements(clips[index].clip)
            margin = clips[index].margin
            moved = Placement(*found[margin]).inverse() @ Placement(*found[-1 - margin])
            places.append(places[-1] @ moved)
            frames.append(frames[-1] + clips[index].duration)
        rows = np.array([[place.x, place.z, place.heading] for place in places[:-1]])
        arrival = frames[len(order) - waits]
        return Role(name, np.array(order), np.array(frames[:-1]), rows, arrival, leaves), places, frames

    def take(self, behaviors, order, starts, obstacles=(), terrain=None, waits=1):
        """Everybody does the same from different starts; goals are where they end."""
        clips = [self.clip(behavior) for behavior in behaviors]
        roles, people, last = [], [], 0
        for index, start in enumerate(starts):
            role, places, frames = self.role(f"actor{index}", clips, order, start, waits=waits)
            goal = places[len(order) - waits]
            roles.append(role)
            people.append(Character(role.character, start, (Goal(goal.x, goal.z),)))
            last = frames[-1]
        scene = scene_of(*obstacles, characters=tuple(people), terrain=terrain)
        return Take(scene, 30.0, last + 1, clips, roles)


@pytest.fixture(scope="session")
def workshop():
    return Workshop(fetch_library("human", 0))
