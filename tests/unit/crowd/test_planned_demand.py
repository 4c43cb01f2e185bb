"""Planned people who do not set off at once stand where they start; who finds a door shut waits for its hours."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.directing import plan_scene
from walkon.metrics.audit import audit
from walkon.rotations import Placement
from walkon.world import Character, Goal, Scene, flat_terrain, read_scene

BOUNDS = (-6.0, -3.0, 6.0, 3.0)


def person(name, x, z, *goal, **more):
    heading = float(np.arctan2(goal[0] - x, goal[1] - z))
    return Character(name, Placement(x, z, heading), (Goal(*goal),), **more)


def planned(*characters):
    take = plan_scene(Scene("test", BOUNDS, flat_terrain(BOUNDS), (), characters))
    assert not take.unplanned
    assert not audit(take).violations
    return {role.character: role for role in take.roles}, take


def test_somebody_stands_and_then_goes_and_others_go_around_it():
    late = person("late", 0.0, 0.0, 5.0, 0.0, premovement=8.0)
    by = person("by", -5.0, 0.0, 5.0, 1.5)
    roles, take = planned(late, by)
    role = roles["late"]
    moving = np.hypot(*(role.placements[:, :2] - role.placements[0, :2]).T) > 0.05
    assert role.frames[0] == 0
    assert 8.0 <= role.frames[np.flatnonzero(moving)[0] - 1] / take.fps < 9.0
    assert roles["by"].arrival < 14 * take.fps


def test_somebody_who_cannot_stand_is_told_so():
    walking = person("walking", 0.0, 0.0, 5.0, 0.0, premovement=8.0, pose="walk")
    take = plan_scene(Scene("test", BOUNDS, flat_terrain(BOUNDS), (), (walking,)))
    assert "cannot stand" in dict(take.unplanned)["walking"]


@pytest.mark.parametrize("wait", [1.0, 6.0])
def test_a_door_full_of_people_who_wait_is_planned_patiently(wait):
    people = [person(f"p{i}", -2.0 - 0.9 * (i // 3), 0.9 * (i % 3) - 0.9, 5.0, 0.9 * (i % 3) - 0.9,
                     premovement=wait * (i % 2), at_goal="leave") for i in range(9)]  # fmt: skip
    roles, take = planned(*people)
    for number, character in enumerate(people):
        role = roles[character.name]
        moved = np.hypot(*(role.placements[:, :2] - role.placements[0, :2]).T) > 0.05
        assert role.frames[np.flatnonzero(moved)[0]] >= wait * (number % 2) * take.fps


def test_whoever_comes_to_a_shut_door_waits_until_it_opens():
    text = """
    bounds = [-6, -3, 6, 3]
    duration = 60
    [[doors]]
    name = "door"
    from = [0, -3]
    to = [0, 3]
    open = [[15, 40]]
    [[characters]]
    name = "anna"
    start = [-4, 0]
    goal = [4, 0]
    """
    take = plan_scene(read_scene(text))
    assert not take.unplanned
    assert not audit(take).violations
    (role,) = take.roles
    crossed = np.flatnonzero(role.placements[:, 0] > 0.2)[0]
    assert 14.0 < role.frames[crossed] / take.fps < 30.0
    assert [obstacle.name for obstacle in take.scene.obstacles] == ["door"]
    assert not take.scene.doors
