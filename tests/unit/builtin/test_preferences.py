"""The casts prefer what people prefer: straight on to turning, walking to running, going around to waiting."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.builtin.casts import CASTS, fetch_library
from walkon.builtin.casts.preferences import PREFERENCES


@pytest.mark.parametrize("cast", CASTS)
def test_every_preference_fits_something(cast):
    from fnmatch import fnmatchcase

    names = [behavior.name for behavior in fetch_library(cast)]
    for pattern in PREFERENCES[cast]:
        assert any(fnmatchcase(name, pattern) for name in names), pattern


def test_waiting_and_turning_on_the_spot_cost_about_what_they_should():
    graph = build_graph(fetch_library("human", 0))
    cost = dict(zip(graph.names, graph.costs, strict=True))
    assert 3.0 < cost["idle"] < 7.0
    assert 0.5 < cost["pause"] < 2.0
    assert 0.3 < cost["hold"] < 0.7
    assert 1.5 < cost["turn_left_90"] < 3.5
    ahead = {name: graph.displacements[graph.clip_starts[index], 1] for index, name in enumerate(graph.names)}
    per_metre = {name: cost[name] / length for name, length in ahead.items() if length > 1.0}
    assert per_metre["walk_forward"] < per_metre["walk_left_20"] < per_metre["walk_left_80"]
    assert per_metre["walk_forward"] < per_metre["jog_forward"] < per_metre["jump_over_low"]
    for gait in ("walk", "jog"):  # nobody should get along by starting and stopping again and again
        assert min(per_metre[f"start_{gait}"], per_metre[f"stop_{gait}"]) > 1.2 * per_metre[f"{gait}_forward"]
    # ... nor by a few steps at a time, where there is room to set out and stop.
    assert per_metre["steps_forward"] > max(per_metre["start_walk"], per_metre["stop_walk"])


@pytest.mark.parametrize("seed", [0, 3, 7])
def test_a_long_wait_is_cheaper_than_many_short_ones(seed):
    graph = build_graph(fetch_library("human", seed))
    rates = {}
    for name in ("idle", "pause", "hold"):
        behavior = graph.names.index(name)
        frames = graph.durations[graph.clip_starts[behavior] : graph.clip_starts[behavior + 1]]
        rates[name] = graph.costs[behavior] / frames.mean()
    assert rates["hold"] > max(rates["pause"], rates["idle"])


@pytest.mark.parametrize("seed", [0, 3, 7])
def test_who_has_room_takes_it_to_set_out_and_to_stop(seed):
    graph = build_graph(fetch_library("human", seed))

    def dearer(name: str) -> float:
        """What it costs beyond walking as far [m]: the least of all clips."""
        behavior = graph.names.index(name)
        ahead = graph.displacements[graph.clip_starts[behavior] : graph.clip_starts[behavior + 1], 1]
        return graph.costs[behavior] - ahead.max()

    # Not by a hair: the short ones also let people turn sooner, which saves a little way.
    for short, usual in (("set_off", "start_walk"), ("halt", "stop_walk")):
        assert 1.3 * dearer(usual) < dearer(short) < 2.0 * dearer(usual)


@pytest.mark.parametrize("seed", [0, 3])
def test_who_has_room_walks_straight_on(seed):
    graph = build_graph(fetch_library("human", seed))

    def per_metre(name: str) -> float:
        index = graph.names.index(name)
        return graph.costs[index] / np.hypot(*graph.displacements[graph.clip_starts[index], :2])

    gaits = ("walk_forward", "walk_step_on_left", "walk_slow_forward_on_left", "walk_narrow_30_forward_on_left",
             "walk_creep_forward_on_left", "walk_narrow_60_forward_on_left", "sidle_left")  # fmt: skip
    costs = [per_metre(name) for name in gaits]
    assert costs == sorted(costs)
    assert 1.05 < costs[2] < 1.25
    assert 2.0 < costs[-1] < 3.5
    # Dear to begin, cheap to leave: searches that are in a hurry must not get stuck in it.
    assert per_metre("walk_slow_down_on_left") > 1.2 * per_metre("walk_slow_forward_on_left")
    assert per_metre("walk_speed_up_on_left") < per_metre("walk_step_on_left")
    cost = dict(zip(graph.names, graph.costs, strict=True))
    assert cost["sidle_in_left"] > 4.0 * cost["sidle_out_left"]
