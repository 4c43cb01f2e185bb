"""The planner that looks ways up in precomputed trees: it is used, it is safe, and the search is there if it is
not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.builtin.casts import fetch_library
from walkon.crowd.live import PLANNERS, Live, Log, replay
from walkon.crowd.live._kernels_advice import along_route
from walkon.crowd.live._kernels_guided import follow
from walkon.crowd.live._kernels_memory import Setting
from walkon.errors import PlanError, TreeError
from walkon.metrics.audit import audit
from walkon.trees import fetch_forest, plant
from walkon.trees.builders.scalable import Scalable
from walkon.trees.region import disc
from walkon.world import Goal

BOUNDS = (-9.0, -9.0, 9.0, 9.0)


def crowd(stage, count=10):
    angles = np.linspace(0.0, 2.0 * math.pi, count, endpoint=False)
    return [
        stage.walker(f"p{k}", 7 * math.sin(a), 7 * math.cos(a), a + 2.5, (-7 * math.sin(a), -7 * math.cos(a)))
        for k, a in enumerate(angles)
    ]


def arrived(live):
    return bool(live.state().arrived.all())


def recorded(live):
    return list(live._engine.diary.read())


@pytest.fixture(scope="module")
def graph(stage):
    return stage.live([stage.walker("anna", 0.0, 0.0, 0.0)]).performers[0].planned


@pytest.fixture(scope="module")
def walked(stage):
    """A crowd that has changed places around a box, by trees."""
    scene = stage.scene(crowd(stage), [stage.box("box", 0.5, 0.0)], BOUNDS)
    live = Live(scene, planner="tree", workers=1)
    assert stage.until(live, lambda: arrived(live), 90.0)
    return scene, live


def test_trees_lead_people_to_their_goals_without_collisions(stage, walked):
    _, live = walked
    figures = live.figures()
    assert figures.led > 10
    assert audit(live.take()).violations == ()
    stage.assert_sound(live)


def test_commitments_are_sound_at_every_frame(stage):
    live = stage.live(crowd(stage), bounds=BOUNDS, planner="tree")
    for _ in range(15):
        live.step(0.3)
        stage.assert_sound(live)
    assert live.figures().led > 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_log_gives_the_same_run_again(walked, workers):
    scene, live = walked
    log = Log.from_json(live.log.to_json())
    assert log.planner == "tree"
    again = replay(scene, log, workers=workers)
    for one, other in zip(recorded(again), recorded(live), strict=True):
        np.testing.assert_array_equal(one, other)
    assert again.figures().led == live.figures().led
    again.close()


def test_planners_are_switched_while_running_and_the_log_knows(stage):
    scene = stage.scene(crowd(stage, 6), bounds=BOUNDS)
    live = Live(scene, workers=1)
    led = []
    for planner in ("search", "tree", "quick", "tree", "search"):
        live.planner = planner
        live.step(1.5)
        led.append(live.figures().led)
    assert led[0] == 0 < led[1] == led[2]
    assert led[3] == led[4]
    again = replay(scene, live.log, workers=1)
    for one, other in zip(recorded(again), recorded(live), strict=True):
        np.testing.assert_array_equal(one, other)
    assert "tree" in PLANNERS
    with pytest.raises(PlanError):
        live.planner = "magic"
    assert live.planner == "search"


def test_a_forest_is_used_if_it_is_given(stage, graph):
    """A tree of so few nodes that it seldom has an answer: the search steps in, and people arrive."""
    forest = plant(graph, Scalable(), nodes=60, region=disc(12.0))
    people = [stage.walker("anna", -4.0, 0.0, 1.5, (4.0, 1.0)), stage.walker("ben", 4.0, 0.0, -1.5, (-4.0, 0.0))]
    live = Live(stage.scene(people), None, forest, workers=1)
    assert live.planner == "tree" == live.log.planner
    assert live._guides._known[0][1][0].forest is forest
    assert stage.until(live, lambda: arrived(live), 40.0)
    assert audit(live.take()).violations == ()
    usual = Live(stage.scene(people), None, [fetch_forest(graph)], workers=1)
    stage.until(usual, lambda: arrived(usual), 40.0)
    assert live.figures().led < usual.figures().led


def test_a_forest_of_somebody_else_is_refused(stage):
    forest = plant(build_graph(fetch_library("horse", 0)), Scalable(), nodes=200, region=disc(12.0))
    with pytest.raises(TreeError, match="another library"):
        Live(stage.scene([stage.walker("anna", 0.0, 0.0, 0.0, (3.0, 0.0))]), None, forest)


def test_whoever_comes_later_is_guided_too(stage):
    live = stage.live([stage.walker("anna", -4.0, 0.0, 1.5)], planner="tree")
    live.step(0.5)
    live.add(stage.walker("ben", 4.0, -4.0, 0.0, (4.0, 5.0), performer=1))
    assert len(live.performers) == len(live._guides._known) == 2
    live.step(4.0)
    assert live.figures().led > 0


def test_a_bad_suggestion_is_not_followed(stage):
    """A chain through a wall, and one through somebody: hard checks find both, whatever a tree says."""
    wall = [stage.box("wall", 0.0, 2.0, 6.0, 0.5)]
    for obstacles, others in ((wall, []), ([], [stage.walker("ben", 0.0, 1.6, 0.0)]), ([], [])):
        live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0, (0.0, 5.0)), *others], obstacles)
        live.step(0.1)
        engine, row = live._engine, live.people[0].row
        graph, table = live.performers[0].graph, live.repertoire.table
        names = ["start_walk", "walk_forward", "walk_forward", "walk_forward"]
        mine = engine._deciders.proposals[:1]
        mine.row[0], mine.hint_count[0] = row, len(names)
        mine.hint[0, : len(names)] = [table.behaviors["clip_start"][graph.names.index(name)] for name in names]
        crowd, common, around, rules = engine.context()
        setting = Setting(common.table, around, common.land)
        crew, memory = crowd.crew, engine._deciders.workspaces[0].memory
        # The route, as the search knows it.
        crew.corners[row, 0], crew.lengths[row, 0], crew.corner_count[row], crew.aim[row] = (0.0, 5.0), 0.0, 1, 0
        result = np.zeros(6, dtype=np.int64)
        node = follow(mine[0], row, crowd, setting, memory, rules, result)
        assert (node > 0) == (not obstacles and not others)
        assert result[0] >= 1


def test_a_goal_that_changes_makes_a_way_void(stage):
    live = stage.live([stage.walker("anna", -5.0, 0.0, 1.5, (5.0, 0.0))], planner="tree")
    assert stage.until(live, lambda: live._engine.crew.chain_count[live.people[0].row] > 0, 5.0)
    live.set_goal(0, Goal(-5.0, 5.0))
    assert live._engine.crew.chain_count[live.people[0].row] == 0
    assert stage.until(live, lambda: arrived(live), 30.0)


def test_places_along_a_route(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0, (3.0, 4.0))])
    crew = live._engine.crew
    me = crew[live.people[0].row]
    me.end[:], me.aim, me.corner_count = (0.0, 0.0, 0.0), 1, 3
    me.corners[:3] = (9.0, 9.0), (0.0, 2.0), (3.0, 2.0)
    for far, expected in ((0.0, (0, 0)), (1.5, (0, 1.5)), (2.0, (0, 2)), (4.0, (2, 2)), (9.0, (3, 2))):
        np.testing.assert_allclose(along_route(me, far), expected, atol=1e-12)
