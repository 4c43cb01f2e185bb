"""Wait, then replan: what nobody could foresee is met with steps that were safe when they were taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.planning import AStar, Replanning
from walkon.planning.steps import reached
from walkon.world import Goal, build_world


def unforeseen(toys, path, **options):
    """A scene with a disc whose motion is not known in advance."""
    scene = toys.make_scene(discs=[(0.4, path)], duration=30.0, **options)
    return replace(scene, obstacles=tuple(replace(thing, known=False) for thing in scene.obstacles))


@pytest.fixture(scope="module")
def swerving(toys):
    """It comes along one side, and then crosses."""
    t = np.linspace(0.0, 1.0, 120)
    return unforeseen(toys, np.stack([3.0 - 6.0 * t**2, 3.0 - 4.5 * np.sin(np.pi * t)], axis=1))


def test_it_arrives_without_a_collision(toys, swerving):
    problem = toys.make_problem(toys.walker(), swerving, (0.0, -3.2, 0.0), [Goal(0.0, 3.0, 0.4)])
    plan, count = Replanning().follow(problem)
    assert plan.status == "found", plan.reason
    assert count > len(plan)
    assert toys.judge(replace(problem, stays=False), plan) >= 0.05 - 1e-9


def test_what_is_known_is_planned_at_once(toys, swerving):
    known = replace(swerving, obstacles=tuple(replace(thing, known=True) for thing in swerving.obstacles))
    problem = toys.make_problem(toys.walker(), known, (0.0, -3.2, 0.0), [Goal(0.0, 3.0, 0.4)])
    plan, count = Replanning().follow(problem)
    assert count == 1
    assert plan.cost == AStar().plan(problem).cost


def test_a_caught_one_says_so(toys):
    """Nowhere to go: a disc as wide as the corridor comes along it."""
    path = np.stack([np.zeros(80), np.linspace(3.0, -3.5, 80)], axis=1)
    scene = unforeseen(toys, path, bounds=(-0.6, -4.0, 0.6, 4.0))
    problem = toys.make_problem(toys.walker(), scene, (0.0, -2.0, 0.0), [Goal(0.0, 3.4, 0.4)])
    plan = Replanning().plan(problem)
    assert plan.status != "found"
    assert plan.reason
    if len(plan):
        assert toys.judge(replace(problem, stays=False, world=build_world(scene)), plan) >= 0.05 - 1e-9


def test_statistics_are_those_of_all_plans_together(toys, swerving):
    class Counting:
        asked = 0

        def plan(self, problem):
            self.asked += 1
            plan = AStar().plan(problem)
            return replace(plan, statistics=replace(plan.statistics, expanded=1, nodes=9, lookups=2))

    planner = Counting()
    problem = toys.make_problem(toys.walker(), swerving, (0.0, -3.2, 0.0), [Goal(0.0, 3.0, 0.4)])
    plan, count = Replanning(planner).follow(problem)
    assert count == planner.asked > 3
    assert plan.statistics.expanded == count
    assert plan.statistics.lookups == 2 * count
    assert plan.statistics.nodes == 9


def test_way_points_are_passed_in_order(toys, swerving):
    goals = [Goal(-2.0, -1.0, 0.6), Goal(2.0, 2.0, 0.6), Goal(0.0, -3.0, 0.5)]
    problem = toys.make_problem(toys.walker(), swerving, (0.0, -3.2, 0.0), goals)
    plan = Replanning().plan(problem)
    assert plan.status == "found", plan.reason
    assert toys.judge(replace(problem, stays=False), plan) >= 0.05 - 1e-9
    first = [next(k for k, place in enumerate(plan.placements) if reached(goal, place)) for goal in goals[:2]]
    assert first[0] < first[1] < len(plan)


@pytest.mark.parametrize(("growth", "first"), [(0.0, 0), (0.3, 3)])
def test_what_may_stray_is_feared_before_it_does(toys, growth, first):
    """A disc goes along beside somebody: free as it goes now, but not if it strays by 0.3 m in a second."""
    path = np.stack([np.full(75, 0.95), np.linspace(-4.2, 3.2, 75)], axis=1)
    problem = toys.make_problem(
        toys.walker(), unforeseen(toys, path), (0.0, -3.2, 0.0), [Goal(0.0, 3.0, 0.4)], start_frame=10
    )
    assert Replanning(growth=growth, most=1).plan(problem).behaviors.tolist() == [first]
