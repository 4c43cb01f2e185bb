"""Special behaviors: over and under what lets them, with all of the body, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.builtin.casts import fetch_library
from walkon.planning import AStar, Problem
from walkon.rotations import Placement
from walkon.world import Box, Goal, Obstacle, Scene, build_world, flat_terrain

BOUNDS = (-2.5, -12.0, 2.5, 8.0)


@pytest.fixture(scope="module")
def human():
    return build_graph(fetch_library("human", 0)).customized({}, without=["gesture"])


def pose_problem(graph, bottom, height, passes, depth=0.3):
    """A corridor with something across it."""
    bar = Obstacle(
        "bar", Box(5.0, height, depth), np.array([[0.0, bottom, 0.0]]), np.array([[1.0, 0, 0, 0]]), passes
    )
    world = build_world(Scene("corridor", BOUNDS, flat_terrain(BOUNDS), (bar,), duration=40.0))
    return Problem(
        graph, world, Placement(0.0, -10.0, 0.0), graph.poses.index("stand"), (Goal(0.0, 5.0, 1.0),), 1200
    )


def body_gap(graph, plan, box, bottom):
    """Least gap [m] of the capsules of special steps to the bar: points on their axes, at frames and between."""
    least = np.inf
    t = np.linspace(0.0, 1.0, 13)[:, None]
    for step, clip in enumerate(plan.clips):
        capsules = graph.capsules[graph.capsule_starts[clip] : graph.capsule_starts[clip + 1]]
        if not len(capsules):
            continue
        fine = np.concatenate([capsules, 0.5 * (capsules[1:] + capsules[:-1])])
        points = fine[:, :, None, :3] * (1 - t) + fine[:, :, None, 3:6] * t
        placed = Placement(*plan.placements[step]).points(points)
        low, high = np.array([-2.5, bottom, -box[1] / 2]), np.array([2.5, bottom + box[0], box[1] / 2])
        away = np.linalg.norm(np.maximum(np.maximum(low - placed, placed - high), 0.0), axis=-1)
        least = min(least, (away - fine[:, :, None, 6]).min())
    return least


@pytest.mark.parametrize(
    ("bottom", "height", "passes", "kind"),
    [
        (0.0, 0.35, ("jump_over",), "jump_over"),
        (0.75, 1.0, ("crawl_under",), "crawl_under"),
        (1.3, 1.0, ("duck_under", "crawl_under"), "duck_under"),
        (0.0, 0.15, ("step_over", "jump_over"), "step_over"),
    ],
)
def test_a_bar_is_passed_as_it_allows(human, bottom, height, passes, kind):
    problem = pose_problem(human, bottom, height, passes)
    plan = AStar().plan(problem)
    assert plan.status == "found", plan.reason
    kinds = [human.library.behaviors[behavior].kind for behavior in plan.behaviors]
    assert [k for k in kinds if k in passes] == [kind]
    assert body_gap(human, plan, (height, 0.3), bottom) >= 0.005
    # Everything else keeps its circles off the bar.
    for step, clip in enumerate(plan.clips):
        if kinds[step] != kind:
            rows = human.circles[human.frame_starts[clip] : human.frame_starts[clip + 1]]
            _, z = Placement(*plan.placements[step]).point(rows[:, 0], rows[:, 1])
            assert (np.abs(z) - 0.15 - rows[:, 2] >= 0.05 - 1e-9).all()


@pytest.mark.parametrize(
    ("bottom", "height", "passes"),
    [
        (0.0, 1.1, ("jump_over",)),  # too high to jump
        (0.3, 1.0, ("crawl_under",)),  # too low to crawl
        (0.0, 0.35, ("duck_under",)),  # nothing to duck under
        (0.0, 0.35, ()),  # a wall like any other
    ],
)
def test_what_cannot_be_passed_is_not(human, bottom, height, passes):
    plan = AStar(max_expansions=20_000).plan(pose_problem(human, bottom, height, passes))
    assert plan.status != "found"
    assert plan.placements[-1, 1] < 0.0


def test_special_behaviors_need_their_obstacle(human):
    problem = pose_problem(human, 0.0, 0.35, ("jump_over",))
    free = replace(problem.world.scene, obstacles=())
    plan = AStar().plan(replace(problem, world=build_world(free)))
    kinds = {human.library.behaviors[behavior].kind for behavior in plan.behaviors}
    assert plan.status == "found"
    assert not kinds & {"jump_over", "step_over", "duck_under", "crawl_under"}


def test_an_action_happens_at_its_obstacle(human):
    """A jump that meets nothing, far from the bar, is no jump over it; the same jump at the bar is."""
    from walkon.planning.steps import step_is_free

    problem = pose_problem(human, 0.0, 0.35, ("jump_over",))
    behavior = human.names.index("jump_over_low")
    clip = int(human.clip_starts[behavior])
    reach = human.paths[human.frame_starts[clip] + human.action_frames[clip], 1]
    places = {z: np.array([0.0, z, 0.0]) for z in (-11.0, -reach)}
    free = {z: step_is_free(problem, problem.world, behavior, clip, place, 0) for z, place in places.items()}
    assert free == {-11.0: False, -reach: True}
