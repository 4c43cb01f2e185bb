"""Two who meet where it is narrow pass there, each to its right; who is more important keeps its way."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from walkon.crowd import cast_character, load_performers, passing, plan_crowd
from walkon.crowd.passing import _to_the_right, pass_by
from walkon.crowd.pushing import plan_next
from walkon.crowd.stage import DEFAULT_BUDGET, set_up
from walkon.planning import AStar
from walkon.rotations import Placement
from walkon.world import Box, Character, Goal, Obstacle, Scene, build_world, flat_terrain

BOUNDS = (-7.5, -2.0, 7.5, 2.0)
FAIR = AStar(inflation=1.1, max_expansions=20_000)
ANY = AStar(inflation=2.0, cell=0.5, headings=16, time_bin=2.0)


def hallway(width, **first):
    """Two people towards each other through a hallway from x = -4 to 4."""
    thick = 0.5 * (4.0 - width)
    walls = [
        Obstacle(f"wall {side}", Box(8.0, 2.0, thick), [[0.0, 0.0, side * 0.5 * (width + thick)]], [[1, 0, 0, 0]])
        for side in (-1.0, 1.0)
    ]
    people = (
        Character("a", Placement(-6.0, 0.0, math.pi / 2), (Goal(6.0, 0.0),), **first),
        Character("b", Placement(6.0, 0.0, -math.pi / 2), (Goal(-6.0, 0.0),)),
    )
    scene = Scene("hallway", BOUNDS, flat_terrain(BOUNDS), tuple(walls), people, duration=60.0)
    performers = load_performers(scene)
    return build_world(scene), [cast_character(one, performers) for one in people]


def planned(width, **first):
    """The stage with both planned one after another, and their plans."""
    world, graphs = hallway(width, **first)
    stage = set_up(world, graphs, ANY, 0, DEFAULT_BUDGET, math.inf, False)
    for index in (0, 1):
        stage.release(index)
        stage.commit(index, stage.ask(index, stage.reservations))
    return stage, list(stage.plans)


def where(plan):
    """x, z (F, 2) at every frame from 0 to the end, by steps."""
    frames = np.arange(int(plan.frames[-1]) + 1)
    return np.column_stack([np.interp(frames, plan.frames, plan.placements[:, axis]) for axis in (0, 1)])


def passing_place(plans):
    """x, z of both in the first frame after they have passed."""
    a, b = (where(plan) for plan in plans)
    shared = min(len(a), len(b))
    after = int(np.flatnonzero(a[:shared, 0] >= b[:shared, 0])[0])
    return a[after], b[after]


@pytest.mark.parametrize("planner", [FAIR, ANY], ids=["has no plan for the second", "has one that waits"])
def test_two_pass_in_a_hallway_as_wide_as_both(planner):
    world, graphs = hallway(1.25)
    made = plan_crowd(world, graphs, planner)
    assert made.reasons == {}
    assert made.replanned == 0, "nobody was sent away"
    (x, to_the_right), (_, to_the_left) = passing_place(made.plans)
    assert abs(x) < 3.0, "inside"
    assert to_the_right > 0.15 > -0.15 > to_the_left, "each to its right, along +z for who goes along +x"
    for plan in made.plans:
        path = where(plan)
        speed = np.hypot(*(path[30:] - path[:-30]).T)[15:-15]
        assert speed.min() > 0.3, "nobody stops"


def test_who_is_planned_anew_still_leaves_the_other_alone():
    stage, before = planned(1.25)
    pass_by(stage, 1)
    assert all(now is not old for now, old in zip(stage.plans, before, strict=True))
    for index in (0, 1):
        first, track, stays = stage.track(index, stage.plans[index])
        assert stage.reservations.conflicts(first, track, stays=stays) == [index], "phantoms are gone, too"
    assert sum(plan.frames[-1] for plan in stage.plans) < sum(plan.frames[-1] for plan in before) - 90


def test_where_two_cannot_pass_they_keep_their_plans():
    stage, before = planned(0.9)
    pass_by(stage, 1)
    assert stage.plans == before
    assert sorted(stage.reservations) == [0, 1]


def test_two_keep_their_plans_where_others_are_hardly_better(monkeypatch):
    stage, before = planned(1.25)
    monkeypatch.setattr(passing, "BETTER", 0.5)
    pass_by(stage, 1)
    assert stage.plans == before


def test_an_interruption_leaves_both_their_plans(monkeypatch):
    stage, before = planned(1.25)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(passing, "_hurry", interrupt)
    with pytest.raises(KeyboardInterrupt):
        pass_by(stage, 1)
    assert stage.plans == before


def test_nobody_more_important_is_planned_anew():
    stage, before = planned(1.25, priority=1)
    pass_by(stage, 1)
    assert stage.plans == before


def test_who_is_alone_is_not_asked_twice():
    world, graphs = hallway(1.25)
    scene = replace(world.scene, characters=world.scene.characters[:1])
    stage = set_up(build_world(scene), graphs[:1], FAIR, 0, DEFAULT_BUDGET, math.inf, False)
    plan_next(stage, 0)
    pass_by(stage, 0)
    assert stage.lonely == {}


def test_right_is_where_it_is_and_nobody_who_stands_has_one():
    walks = np.column_stack([np.linspace(0.0, 4.0, 121), np.zeros(121)])
    path = np.concatenate([walks, np.repeat(walks[-1:], 60, axis=0)])
    right = _to_the_right(path)
    assert np.allclose(right[20:100], [0.0, 1.0])
    assert np.allclose(right[150:], 0.0)
    assert np.allclose(_to_the_right(path[:, ::-1])[20:100], [-1.0, 0.0])
