"""Steps one after another: where they lead, what is left to do after them, and how to pass the time."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.builtin.casts import fetch_library
from walkon.planning import AStar, Reservations, SearchStatistics
from walkon.planning.steps import (
    moved,
    place_of,
    plan_of,
    reached,
    step_is_free,
    steps_along,
    steps_of,
    waits,
    what_is_left,
)
from walkon.rotations import Placement
from walkon.world import Goal


@pytest.fixture(scope="module")
def problem(toys):
    scene = toys.make_scene(boxes=[(1.5, 1.5, 1.0, 1.0)])
    goals = [Goal(0.0, 2.0, 0.4), Goal(-2.0, 2.0, 0.4), Goal(-2.0, -2.0, 0.5)]
    return toys.make_problem(toys.walker(), scene, (0.0, 0.0, 0.2), goals, start_frame=5)


def test_steps_follow_from_each_other(problem):
    graph = problem.graph
    steps = steps_along(problem, [(0, 0), (1, 1), (2, 2), (3, 3), (1, 1), (1, 1), (1, 1)])
    place, frame = problem.start, 5
    for step in steps:
        np.testing.assert_allclose(step.place, [place.x, place.z, place.heading], atol=1e-9)
        assert step.frame == frame
        place, frame = place @ Placement(*graph.displacements[step.clip]), frame + graph.durations[step.clip]
        np.testing.assert_allclose(step.next_place[:2], [place.x, place.z], atol=1e-9)
        assert abs(math.sin(0.5 * (step.next_place[2] - place.heading))) < 1e-9
        assert -math.pi <= step.next_place[2] <= math.pi
        assert step.next_frame == frame
    assert steps_along(problem, []) == []


def test_a_plan_of_steps_has_these_steps(problem):
    steps = steps_along(problem, [(0, 0), (1, 1)])
    plan = plan_of(problem, steps, "found", "", SearchStatistics(expanded=3))
    assert plan.frames.tolist() == [5, 15, 23]
    assert plan.cost == pytest.approx(problem.graph.costs[:2].sum())
    assert plan.statistics.expanded == 3
    for one, other in zip(steps_of(plan), steps, strict=True):
        assert (one.behavior, one.clip, one.frame, one.next_frame) == (
            other.behavior, other.clip, other.frame, other.next_frame,
        )  # fmt: skip
        np.testing.assert_array_equal(one.next_place, other.next_place)
    empty = plan_of(problem, [], "none", "why", SearchStatistics())
    assert (empty.frames.tolist(), len(empty), empty.cost, empty.reason) == ([5], 0, 0.0, "why")


def test_headings_are_told_apart_around_the_circle():
    for turn in (3.0, -3.0, 7.0):
        place = moved(np.array([0.0, 0.0, 2.0]), np.array([0.0, 1.0, turn]))
        assert abs(math.sin(0.5 * (place[2] - 2.0 - turn))) < 1e-12
        assert abs(place[2]) <= math.pi
    goal = Goal(0.0, 0.0, 1.0, math.pi, 0.2)
    assert reached(goal, np.array([0.0, 1.0, -math.pi + 0.15]))
    assert not reached(goal, np.array([0.0, 1.0, -math.pi + 0.25]))
    assert not reached(goal, np.array([0.0, 1.01, math.pi]))


def test_way_points_that_were_passed_are_done(toys, problem):
    straight = replace(problem, start=Placement(0.0, 0.0, 0.0))
    steps = steps_along(straight, [(0, 0), (0, 0), (0, 0)])
    assert what_is_left(straight, steps[:1]).goals == problem.goals
    left = what_is_left(straight, steps)
    # The first was passed on the way, though the last step leads beyond it.
    assert left.goals == problem.goals[1:]
    assert (left.start_frame, left.pose) == (35, 0)
    assert place_of(left.start).tolist() == pytest.approx([0.0, 3.0, 0.0])
    # In order: a later one does not count before the earlier.
    reverse = replace(straight, goals=problem.goals[::-1])
    assert what_is_left(reverse, steps).goals == reverse.goals
    # The last one is never taken away, nor is anything done without steps but what is reached at the start.
    here = replace(straight, goals=(Goal(0.0, 0.0, 0.5), Goal(0.0, 0.1, 0.5)))
    assert what_is_left(here, []).goals == here.goals[1:]
    assert what_is_left(here, []).start == here.start


def test_the_pose_after_steps_is_that_of_the_last(toys):
    graph = toys.make_graph(
        [
            ("go", "locomotion", "stand", "walk", (0.0, 0.5, 0.0), 5, 1.0),
            ("walk", "locomotion", "walk", "walk", (0.0, 1.0, 0.0), 10, 1.0),
            ("halt", "locomotion", "walk", "stand", (0.0, 0.7, 0.0), 7, 1.0),
            ("slow halt", "locomotion", "walk", "stand", (0.0, 0.9, 0.0), 9, 1.0),
            ("wait", "wait", "stand", "stand", (0.0, 0.0, 0.0), 10, 50.0),
            ("shuffle", "locomotion", "stand", "stand", (0.0, 0.1, 0.0), 4, 1.0),
        ]
    )
    problem = toys.make_problem(graph, toys.make_scene(), (0.0, 0.0, 0.0), [Goal(0.0, 3.0)])
    left = what_is_left(problem, steps_along(problem, [(0, 0)]))
    assert graph.poses[left.pose] == "walk"
    # Who stands waits first, whatever that costs; who walks comes to a stop, the shortest way first.
    assert [step.behavior for step in waits(problem)] == [4, 5, 0]
    assert [step.behavior for step in waits(left)] == [2, 3, 1]
    late = replace(left, horizon=left.start_frame + 9)
    assert [step.behavior for step in waits(late)] == [2, 3]


def test_a_step_is_free_of_what_stands_moves_or_walks(toys):
    slide = np.stack([np.linspace(-3.0, 3.0, 60), np.zeros(60)], axis=1)
    scene = toys.make_scene(boxes=[(1.5, 1.5, 1.0, 1.0)], discs=[(0.3, slide)])
    problem = toys.make_problem(toys.walker(), scene, (0.0, 0.0, 0.0), [Goal(0.0, 3.0)])
    walker = np.column_stack([np.full(60, -2.0), np.linspace(3.0, -3.0, 60), np.full(60, 0.3)])
    kept = Reservations(scene.bounds, 60)
    kept.add("walker", 0, walker, stays=True)
    others = [(0, walker, True)]
    rng, seen = np.random.default_rng(0), {True: 0, False: 0}
    for _ in range(400):
        place = np.array([*rng.uniform(-3.5, 3.5, 2), rng.uniform(-3.0, 3.0)])
        behavior, frame = int(rng.integers(4)), int(rng.integers(0, 60))
        circles = toys.clip_circles(problem.graph, behavior, *place)
        for reservations, people in ((None, ()), (kept, others)):
            gap = toys.gaps(scene, people, frame, circles)
            free = step_is_free(
                replace(problem, reservations=reservations), problem.world, behavior, behavior, place, frame
            )
            # What is free has room; what has ample room is free.
            assert not free or gap >= 0.05 - 1e-9
            assert free or gap < 0.05 + 0.12
            seen[free] += 1
    assert min(seen.values()) > 100


def test_there_is_no_jump_where_nothing_is_to_be_jumped(toys):
    graph = build_graph(fetch_library("human", 0))
    scene = toys.make_scene(bounds=(-9.0, -9.0, 9.0, 9.0), fps=30.0)
    problem = toys.make_problem(graph, scene, (0.0, 0.0, 0.0), [Goal(0.0, 3.0)])
    behavior = next(index for index, one in enumerate(graph.library) if one.kind == "jump_over")
    clip = int(graph.clip_starts[behavior])
    assert not step_is_free(problem, problem.world, behavior, clip, np.zeros(3), 0)


def test_statistics_add_up():
    one = SearchStatistics(**{field.name: index + 1 for index, field in enumerate(fields(SearchStatistics))})
    other = SearchStatistics(**{field.name: 10 * getattr(one, field.name) for field in fields(SearchStatistics)})
    both = one + other
    for index, field in enumerate(fields(SearchStatistics)):
        larger = field.name in ("nodes", "bytes")
        assert getattr(both, field.name) == (10 if larger else 11) * (index + 1), field.name
    assert other + one == both
    assert one + SearchStatistics() == one


def test_what_a_search_costs_is_not_lost_with_it(toys, problem):
    """Steps of a plan, put together again, cost the same."""
    plan = AStar().plan(replace(problem, goals=problem.goals[:1]))
    again = plan_of(problem, steps_of(plan), "found", "", plan.statistics)
    assert again.cost == pytest.approx(plan.cost)
    assert again.placements.tobytes() == plan.placements.tobytes()
