"""In corridors people keep to their right, so that two who come towards each other need not wait."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from walkon.crowd import cast_character, load_performers
from walkon.crowd.lanes import LEFT, _ropes, keep_right
from walkon.crowd.patient import plan_patiently
from walkon.crowd.stage import DEFAULT_BUDGET, set_up
from walkon.planning import AStar
from walkon.planning.delaying import hurried_way
from walkon.rotations import Placement
from walkon.world import Box, Character, Goal, Obstacle, Scene, build_world, flat_terrain

BOUNDS = (-8.0, -4.0, 8.0, 4.0)


def corridor(width, length=10.0, count=2):
    """A stage with patient people towards each other through a corridor around z = 0."""
    thick = 0.5 * (8.0 - width)
    walls = [
        Obstacle(
            f"wall {side}", Box(length, 2.0, thick), [[0.0, 0.0, side * 0.5 * (width + thick)]], [[1, 0, 0, 0]]
        )
        for side in (-1.0, 1.0)
    ]
    people = [
        Character("a", Placement(-7.0, 0.0, math.pi / 2), (Goal(7.0, 0.5),)),
        Character("b", Placement(7.0, 0.0, -math.pi / 2), (Goal(-7.0, -0.5),)),
    ][:count]
    scene = Scene("corridor", BOUNDS, flat_terrain(BOUNDS), tuple(walls), tuple(people), duration=60.0)
    performers = load_performers(scene)
    graphs = [cast_character(one, performers) for one in people]
    return set_up(build_world(scene), graphs, AStar(inflation=2.0), 0, DEFAULT_BUDGET, math.inf, True)


def straight(count=200):
    return np.column_stack([np.linspace(-7.0, 7.0, count), np.full(count, 0.1)])


def test_ropes_are_left_of_the_middle_of_corridors():
    world = corridor(1.5).world
    posts = np.array(list(_ropes(world, straight())))
    assert np.abs(posts[:, 1] + LEFT).max() < 0.06, "along +x, left is along -z"
    assert np.abs(posts[:, 0]).max() <= 5.1
    assert len(posts) > 12
    back = np.array(list(_ropes(world, straight()[::-1])))
    assert np.abs(back[:, 1] - LEFT).max() < 0.06


@pytest.mark.parametrize(("width", "length"), [(1.0, 10.0), (3.4, 10.0), (1.5, 0.4)])
def test_there_are_no_ropes_where_there_are_no_two_lanes(width, length):
    """One lane, a hall, a door."""
    assert list(_ropes(corridor(width, length).world, straight())) == []


def test_who_keeps_right_does_and_the_rope_is_gone():
    stage = corridor(1.5, count=1)
    stage.release(0)
    problem = stage.problem(0, stage.guards)
    aside = keep_right(problem, hurried_way(problem))
    assert aside is not None
    inside = np.abs(aside.placements[:, 0]) < 4.0
    assert aside.placements[inside, 1].min() > 0.1
    assert len(stage.guards) == 0
    there = replace(problem, goals=(Goal(problem.start.x, problem.start.z, 0.3),), stays=False)
    assert keep_right(there, hurried_way(there)) is None, "who is there has no way to go"


def test_two_who_are_patient_pass_in_a_corridor():
    """Each alone would take the middle, and the second would wait until the first is out of it."""
    stage = corridor(1.5)
    plan_patiently(stage, None)
    takes = [hurried_way(stage.problem(index, None)).frames[-1] for index in (0, 1)]
    assert max(plan.frames[-1] for plan in stage.plans) < max(takes) + 120
