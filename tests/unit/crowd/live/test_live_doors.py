"""Somebody alone in a building: live, it gets from room to room about as soon as a planner that knows the whole
way."""

from __future__ import annotations

import itertools

import pytest

from walkon.crowd.casting import cast_character, load_performers
from walkon.crowd.live import Live
from walkon.crowd.prioritized import plan_crowd
from walkon.planning import AStar
from walkon.rotations import Placement
from walkon.world import Box, Character, Goal, Obstacle, Scene, build_world, flat_terrain

DOOR = 0.9
"""[m] Width of all doors."""

BOUNDS = (-6.0, -5.0, 6.0, 5.0)


def wall(name, x0, z0, x1, z1):
    """A wall 0.15 m thick along x or along z."""
    size = abs(x1 - x0) + 0.15 * (x0 == x1), 2.5, abs(z1 - z0) + 0.15 * (z0 == z1)
    return Obstacle(name, Box(*size), [[0.5 * (x0 + x1), 0.0, 0.5 * (z0 + z1)]], [[1.0, 0.0, 0.0, 0.0]])


def building():
    """Six rooms of 4 m along both sides of a corridor 1.5 m wide."""
    things = []
    for side, room in itertools.product((-1, 1), range(3)):
        left, door, z = -6.0 + 4.0 * room, -4.8 + 4.0 * room, 0.825 * side
        things.append(wall(f"before {side} {room}", left, z, door - 0.5 * DOOR, z))
        things.append(wall(f"behind {side} {room}", door + 0.5 * DOOR, z, left + 4.0, z))
        if room:
            things.append(wall(f"between {side} {room}", left, 0.9 * side, left, 5.0 * side))
    return tuple(things)


def alone(start, goal):
    person = Character("somebody", Placement(*start), (Goal(*goal),))
    return Scene("building", BOUNDS, flat_terrain(BOUNDS), building(), (person,), duration=60.0)


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ((-3.5, -3.0, -1.9), (4.5, -2.5)),
        ((4.8, 3.5, 2.3), (-4.0, 3.5)),
        ((0.5, -2.4, 1.0), (0.3, 3.0)),
        ((-4.5, 2.5, 0.0), (0.5, -4.0)),
    ],
)
def test_somebody_alone_gets_from_room_to_room_as_soon_as_a_plan(start, goal):
    scene = alone(start, goal)
    graph = cast_character(scene.characters[0], load_performers(scene))
    (plan,) = plan_crowd(build_world(scene), [graph], AStar()).plans
    assert plan is not None
    live = Live(scene, workers=1)
    most = 1.3 * (int(plan.frames[-1]) - int(plan.frames[0]))
    while live.people[0].agenda:
        live.step()
        assert live.frame <= most, f"it is at {live.character(0).start}, its route is {live.route(0)}"
