"""People who like to walk slowly are given slow walks; people who like to run, runs; and all still get there."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.crowd import cast_character, load_performers
from walkon.crowd.pacing import behavior_speeds, tastes_for
from walkon.directing import plan_scene
from walkon.rotations import Placement
from walkon.world import Character, Goal, Scene, flat_terrain

BOUNDS = (-8.0, -8.0, 8.0, 8.0)


def person(**more):
    return Character("anna", Placement(-6.0, 0.0, np.pi / 2), (Goal(5.0, 0.0),), **more)


def scene(*characters):
    return Scene("test", BOUNDS, flat_terrain(BOUNDS), (), characters)


@pytest.fixture(scope="module")
def graph():
    return cast_character(person(), load_performers(scene(person())))


@pytest.mark.parametrize("speed", [0.3, 0.7, 1.0, 1.34])
def test_nothing_that_walks_faster_is_left(graph, speed):
    _, without = tastes_for(graph, speed)
    left = graph.customized({}, ("gesture", *without))
    going = left.which(lambda kind: kind.name == "locomotion") & left.allowed & ~left.rests[left.entry]
    ahead = ("walk_forward", "jog_forward", "walk_slow_forward_on_left", "walk_creep_forward_on_left")
    straight = [behavior for behavior in np.flatnonzero(going) if left.names[behavior] in ahead]
    speeds = behavior_speeds(left)[straight]
    assert len(speeds)
    assert speeds.max() <= max(1.15 * speed, 1.02 * speeds.min())


def test_the_speeds_are_those_of_the_clips(graph):
    clip = graph.clip_starts[graph.names.index("walk_forward")]
    away = np.hypot(*graph.displacements[clip, :2]) / (graph.durations[clip] / graph.fps)
    assert behavior_speeds(graph)[graph.names.index("walk_forward")] == pytest.approx(away, rel=0.02)


def test_people_of_many_speeds_share_a_few_graphs(graph):
    cast = load_performers(scene(person()))
    graphs = {cast_character(person(speed=float(speed)), cast) for speed in np.linspace(0.6, 1.9, 40)}
    assert len(graphs) < 16


def test_who_likes_to_run_dislikes_to_walk_and_to_wait_on_the_way(graph):
    weights, _ = tastes_for(graph, 2.4)
    assert {"walk_forward", "walk_slow_forward_on_left", "walk_wait"} <= set(weights)
    assert not {"jog_forward", "idle", "pause", "hold"} & set(weights)


@pytest.mark.parametrize(("speed", "least", "most"), [(0.4, 0.3, 0.46), (0.7, 0.55, 0.81), (2.4, 1.2, 2.8)])
def test_planned_ways_take_as_long_as_somebody_so_fast_takes(speed, least, most):
    (role,) = plan_scene(scene(person(speed=speed))).roles
    assert role.arrival is not None
    assert least < 10.5 / (role.arrival / 30.0) < most
