"""The planners that can be asked for: where the best way is too much to ask for, there is another."""

from __future__ import annotations

import pytest

from walkon.directing import PLANNERS, choose_planner, plan_scene, planners
from walkon.errors import PlanError
from walkon.world import read_scene
from walkon.world.classics import classic_scene_text


def test_where_the_cheapest_way_takes_long_a_good_one_is_taken(monkeypatch):
    scene = read_scene(classic_scene_text("oncoming"))
    monkeypatch.setattr(planners, "FOR_THE_BEST", 5)
    assert not plan_scene(scene, planner=choose_planner("astar")).unplanned


def test_an_anytime_planner_keeps_to_its_budget_and_leaves_some_for_any_way():
    planner = PLANNERS["anytime"].make(2.0, 3)
    seconds = [part.max_seconds for part in planner.planners]
    assert sum(seconds) == pytest.approx(2.0)
    assert min(seconds) > 0.0


def test_a_planner_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(PlanError, match="auto, astar"):
        choose_planner("dijkstra")
