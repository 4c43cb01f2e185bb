"""How steep bodies walk, and what is said where it is steeper."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.builtin.casts import fetch_library
from walkon.crowd import cast_character, load_performers, plan_crowd
from walkon.planning import AStar, footing_of
from walkon.rotations import Placement
from walkon.world import Character, Footing, Goal, HeightField, Scene, build_world, flat_terrain

BOUNDS = (-6.0, -4.0, 6.0, 4.0)


def graph(cast):
    return build_graph(fetch_library(cast, 1))


def ridge(slope, gap=0.0):
    """Ground with steep sides along x = ±1 to ±2, but for `gap` [m] of level ground at the far end of z."""
    x, z = np.linspace(-6.0, 6.0, 121), np.linspace(-4.0, 4.0, 81)
    heights = slope * np.clip(2.0 - np.abs(x), 0.0, 1.0)
    return HeightField(-6.0, -4.0, 0.1, np.where(z[:, None] < 4.0 - gap, heights[None, :], 0.0))


def planned(terrain, start=(-4.0, 0.0), goal=(4.0, 0.0)):
    anna = Character("anna", Placement(*start, np.pi / 2), (Goal(*goal),))
    scene = Scene("ridge", BOUNDS, terrain, (), (anna,), duration=40.0)
    graphs = [cast_character(anna, load_performers(scene))]
    world = build_world(scene, footing=footing_of(graphs))
    return plan_crowd(world, graphs, AStar(inflation=2.0, max_expansions=20_000))


def test_people_walk_steeper_than_horses_and_boards():
    people, horse, board = (footing_of([graph(cast)]) for cast in ("human", "horse", "skateboarder"))
    assert 0.3 <= people.steepest <= 0.4
    assert horse.steepest == board.steepest == pytest.approx(0.1)
    assert 0.065 <= people.room(0.2) <= 0.08


def test_together_they_walk_what_all_of_them_can_and_need_what_the_tallest_needs():
    graphs = [graph("human"), graph("horse")]
    both = footing_of(graphs)
    assert both.steepest == footing_of(graphs[1:]).steepest
    assert both.sway == max(footing_of([one]).sway for one in graphs)
    assert footing_of([]) == Footing()


def test_a_gentle_ridge_is_crossed_and_a_steep_one_gone_around():
    over, around = planned(ridge(0.2)).plans[0], planned(ridge(0.8, gap=3.0)).plans[0]
    assert over is not None
    assert np.abs(over.placements[:, 1]).max() < 1.0
    assert around is not None
    crossing = around.placements[np.abs(around.placements[:, 0]) < 2.0]
    assert len(crossing)
    assert crossing[:, 1].min() > 1.0


def test_whoever_finds_no_way_because_it_is_too_steep_is_told_so():
    (reason,) = planned(ridge(0.8)).reasons.values()
    assert "ground steeper than 0.40" in reason
    assert "leave no way" in reason


@pytest.mark.parametrize(("start", "goal", "what"), [((-1.5, 0), (4, 0), "start"), ((-4, 0), (1.5, 0), "goal")])
def test_a_start_or_goal_where_nobody_can_stand_is_named(start, goal, what):
    (reason,) = planned(ridge(0.8), start, goal).reasons.values()
    assert reason.startswith(f"the {what} at ({(start if what == 'start' else goal)[0]:.2f}, 0.00) is blocked by")
    assert "ground steeper than 0.40" in reason


def test_level_ground_says_nothing_of_slopes():
    assert planned(flat_terrain(BOUNDS)).plans[0] is not None
