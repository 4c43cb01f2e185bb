"""Ways from precomputed trees: legal in the graph, clean by the audit, whatever the scene.

`make test` tries 40 scenes.
"""

from __future__ import annotations

import importlib.util
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from walkon.crowd import cast_character, load_performers, starting_pose
from walkon.directing import rehearse
from walkon.planning import AStar
from walkon.rotations import Placement
from walkon.trees.builders.scalable import Scalable
from walkon.trees.planner import TreePlanner
from walkon.trees.planting import plant
from walkon.trees.region import disc
from walkon.world import PASSES, Character, Goal, Scene, flat_terrain

SPEC = importlib.util.spec_from_file_location("random_scenes", Path(__file__).with_name("test_random_scenes.py"))
scenes = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(scenes)

SCENES = 40
BATCH = 20
QUICK = AStar(inflation=2.0, max_expansions=2000, cell=0.5, headings=16, time_bin=2.0)


def graph_of(scene):
    return cast_character(scene.characters[0], load_performers(scene))


@pytest.fixture(scope="module")
def forest():
    """Trees of the first of the built-in people, with all that can be passed."""
    return plant(graph_of(scenes.random_scene(0)), Scalable(), nodes=40_000, region=disc(7.0), passes=PASSES)


def check_legal(character, graph, plan):
    """Every clip begins in the pose and at the place where the one before ended."""
    assert plan.status == "found"
    assert len(plan.frames) == len(plan.placements) == len(plan) + 1
    pose, cost = starting_pose(character, graph), 0.0
    start = character.start
    np.testing.assert_allclose(plan.placements[0], [start.x, start.z, start.heading])
    for step, (behavior, clip) in enumerate(zip(plan.behaviors, plan.clips, strict=True)):
        assert graph.allowed[behavior]
        assert graph.entry[behavior] == pose
        assert graph.clip_starts[behavior] <= clip < graph.clip_starts[behavior + 1]
        assert plan.frames[step + 1] - plan.frames[step] == graph.durations[clip]
        after = Placement(*plan.placements[step]) @ Placement(*graph.displacements[clip])
        np.testing.assert_allclose(plan.placements[step + 1, :2], [after.x, after.z], atol=1e-9)
        assert abs(math.sin(0.5 * (plan.placements[step + 1, 2] - after.heading))) < 1e-9
        pose, cost = graph.exit[behavior], cost + graph.costs[behavior]
    assert plan.cost >= cost - 1e-9
    goal, (x, z, heading) = character.goals[-1], plan.placements[-1]
    assert math.hypot(x - goal.x, z - goal.z) <= goal.tolerance
    turned = 0.0 if goal.heading is None else heading - goal.heading
    assert abs(math.atan2(math.sin(turned), math.cos(turned))) <= goal.heading_tolerance
    assert character.at_goal == "leave" or graph.rests[pose]


def tried(scene, planner, seed):
    """What a planner makes of a scene: how many were planned, of how many, and the statistics of all."""
    rehearsal = rehearse(scene, seed=seed, planner=planner)
    spent = Counter()
    graph = graph_of(scene)
    for character, plan in zip(scene.characters, rehearsal.crowd.plans, strict=True):
        if plan is not None:
            check_legal(character, graph, plan)
            kinds = {graph.library.behaviors[behavior].kind for behavior in plan.behaviors}
            spent.update(people=1, searches=plan.statistics.searches, lookups=plan.statistics.lookups)
            spent.update(waits=plan.statistics.waits, subgoals=plan.statistics.subgoals)
            spent["special"] += bool(kinds & set(PASSES))
    assert not scenes.complaints(rehearsal.take), (seed, scenes.complaints(rehearsal.take))
    assert all(len(reason) > 10 for _, reason in rehearsal.take.unplanned)
    spent["asked"] += len(scene.characters)
    return spent


@pytest.mark.parametrize("batch", range(math.ceil(SCENES / BATCH)))
def test_every_way_is_legal_and_clean(batch, forest):
    spent, planner = Counter(), TreePlanner(forests=(forest,), forward=QUICK)
    for seed in range(batch * BATCH, min((batch + 1) * BATCH, SCENES)):
        spent += tried(scenes.random_scene(seed), planner, seed)
    # Most get where they want, and most of them by the trees alone.
    assert spent["people"] > 0.5 * spent["asked"], spent
    assert spent["searches"] < 0.5 * spent["asked"], spent


def crossing(seed):
    """Many people who cross in the middle, and something to be passed there."""
    rng = np.random.default_rng([seed, 8])
    half, count = 7.0, 8
    bounds = (-half, -half, half, half)
    people = []
    for index in range(count):
        turn = 2.0 * math.pi * index / count
        x, z = 5.5 * math.sin(turn), 5.5 * math.cos(turn)
        through = (Goal(*rng.uniform(-1.0, 1.0, 2).tolist(), tolerance=1.5),) if index % 3 == 0 else ()
        heading = None if index % 2 else turn + math.pi
        people.append(
            Character(
                f"p{index}",
                Placement(x, z, turn + math.pi),
                (*through, Goal(-x, -z, tolerance=0.8, heading=heading)),
                at_goal="leave" if index % 4 == 1 else "stay",
            )
        )
    things = [scenes.standing(rng, "thing", 1.5), scenes.moving(rng, "mover", half, 400)]
    if seed % 2:
        things = [scenes.passable(rng, "bar", half)]
    return Scene("crossing", bounds, flat_terrain(bounds), tuple(things), tuple(people), duration=40.0)


@pytest.mark.parametrize("seed", range(max(2, SCENES // 20)))
def test_crowds_pass_each_other(seed, forest):
    spent = tried(crossing(seed), TreePlanner(forests=(forest,), forward=QUICK), seed)
    assert spent["people"] >= 0.5 * spent["asked"], spent


def test_what_can_be_passed_is_passed(forest):
    """Bars from wall to wall: who wants to the other side has to."""
    spent = Counter()
    for seed in range(6):
        rng = np.random.default_rng([seed, 9])
        bar = scenes.passable(rng, "bar", 5.0)
        people = tuple(
            Character(f"p{index}", Placement(x, -4.0, 0.0), (Goal(x, 4.0, tolerance=0.8),))
            for index, x in enumerate((-2.5, 2.5))
        )
        bounds = (-5.0, -5.0, 5.0, 5.0)
        scene = Scene("bar", bounds, flat_terrain(bounds), (bar,), people, duration=30.0)
        spent += tried(scene, TreePlanner(forests=(forest,), forward=None), seed)
    assert spent["special"] == spent["people"] > 0, spent


def test_the_same_seed_gives_the_same_take(forest):
    planner = TreePlanner(forests=(forest,), forward=QUICK)
    one, again = (rehearse(crossing(0), seed=1, planner=planner) for _ in range(2))
    for first, second in zip(one.crowd.plans, again.crowd.plans, strict=True):
        assert (first is None) == (second is None)
        if first is not None:
            assert first.clips.tolist() == second.clips.tolist()
            assert first.placements.tobytes() == second.placements.tobytes()
