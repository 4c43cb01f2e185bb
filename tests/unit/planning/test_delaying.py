"""Waiting before one goes: the way that would be taken alone, later, and nowhere where others will come by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.planning import AStar, Reservations
from walkon.planning.body_tracks import plan_track
from walkon.planning.delaying import wait_and_go
from walkon.world import Goal

SECONDS = 30.0
HORIZON = 300


@pytest.fixture
def gap(toys):
    """From one side of a wall to the other through a gap as wide as one body, and the way that is free for a
    lonely walker."""
    scene = toys.make_scene([(-2.3, 0.0, 3.4, 1.0), (2.3, 0.0, 3.4, 1.0)], duration=SECONDS)
    problem = toys.make_problem(toys.walker(), scene, (0.0, -3.0, 0.0), [Goal(0.0, 3.0, 0.3)], horizon=HORIZON)
    return problem, AStar().plan(problem)


def among(problem, *tracks):
    """The same problem among people who take circles (F, 3) from a frame on, and whether they stay."""
    kept = Reservations(problem.world.scene.bounds, HORIZON, clearance=problem.world.scene.clearance)
    for key, (first, circles, stays) in enumerate(tracks):
        kept.add(key, first, circles, stays=stays)
    return replace(problem, reservations=kept)


def is_free(problem, plan):
    graph = problem.graph
    track = plan_track(graph, plan, problem.world.scene.bodies, resting=int(graph.exit[plan.behaviors[-1]]))
    return not problem.reservations.conflicts(problem.start_frame, track, stays=True)


def test_who_waits_goes_when_the_gap_is_free(gap):
    problem, alone = gap
    blocks = (0, np.tile([0.0, 0.0, 0.3], (100, 1)), False)
    now = among(problem, blocks)
    plan = wait_and_go(now, [alone])
    assert plan is not None
    assert is_free(now, plan)
    assert plan.frames[-1] > alone.frames[-1]
    # It goes through as soon as it can: no later than if it set out when the other is gone.
    assert plan.frames[-1] <= 100 + alone.frames[-1] + 10


def test_nobody_rests_where_somebody_comes_by_later(gap):
    """One blocks the gap for a while, and long after that another one crosses the goal."""
    problem, alone = gap
    blocks = (0, np.tile([0.0, 0.0, 0.3], (60, 1)), False)
    x = np.linspace(-3.5, 3.5, 71)
    crosses = (200, np.column_stack([x, np.full(71, 3.0), np.full(71, 0.3)]), False)
    now = among(problem, blocks, crosses)
    plan = wait_and_go(now, [alone])
    assert plan is None or is_free(now, plan)


def test_where_one_stands_in_somebodys_way_there_is_no_waiting(gap):
    problem, alone = gap
    blocks = (0, np.tile([0.0, 0.0, 0.3], (200, 1)), False)
    z = np.linspace(-3.0, -2.0, 60)
    comes = (40, np.column_stack([np.linspace(-3.5, 0.0, 60), z, np.full(60, 0.3)]), True)
    assert wait_and_go(among(problem, blocks, comes), [alone]) is None


def test_nobody_waits_where_something_moves(toys, gap):
    problem, alone = gap
    rolling = toys.make_scene(discs=[(0.3, np.column_stack([np.linspace(-3, 3, 50), np.zeros(50)]))])
    there = toys.make_problem(problem.graph, rolling, (0.0, -3.0, 0.0), problem.goals, horizon=HORIZON)
    now = replace(among(problem, (0, [[0.0, 0.0, 0.3]], False)), world=there.world)
    assert wait_and_go(now, [alone]) is None


@pytest.mark.parametrize("order", [1, -1])
def test_of_several_ways_the_one_that_arrives_first_is_taken(gap, order):
    problem, alone = gap
    aside = AStar().plan(replace(problem, goals=(Goal(-2.0, -2.0, 0.3), *problem.goals)))
    assert aside.frames[-1] > alone.frames[-1] + 20
    now = among(problem, (0, np.tile([0.0, 0.0, 0.3], (100, 1)), False))
    plan = wait_and_go(now, [alone, aside][::order])
    assert plan.frames[-1] == wait_and_go(now, [alone]).frames[-1] < wait_and_go(now, [aside]).frames[-1]


def test_a_glance_finds_what_arrives_earlier_than_the_way_begun_when_it_is_free(gap):
    """Whoever has a detour as its way, and a straight way open, does not wait for the detour."""
    problem, _ = gap
    aside = AStar().plan(replace(problem, goals=(Goal(-2.0, -2.0, 0.3), *problem.goals)))
    blocks = (0, np.tile([-2.0, -2.0, 0.3], (120, 1)), False)
    plan = wait_and_go(among(problem, blocks), [aside])
    assert plan.frames[-1] < 120


def test_a_way_that_ends_beside_the_goal_is_not_taken(gap):
    """Waiting turns people a little, and a long way ends elsewhere then."""
    problem, way = gap
    assert wait_and_go(among(problem), [way], looks=False) is not None
    x, z = way.placements[-1, :2].tolist()
    elsewhere = replace(problem, goals=(Goal(x + 0.32, z, 0.3),))
    found = wait_and_go(among(elsewhere), [way], looks=False)
    assert found is None or np.hypot(*(found.placements[-1, :2] - (x + 0.32, z))) <= 0.3
