"""What walks cost is what the equations say."""

from __future__ import annotations

import importlib.util
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.searching._kernels_pricing import lay_track, price_many, price_waypoints
from walkon.graphs.searching.chart import draw_chart, jumps_of, unfold
from walkon.graphs.searching.random_walks import random_walks
from walkon.graphs.searching.walk_costs import WalkCost, as_cost, fastest
from walkon.rotations import Placement

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).parents[1] / "toy_graphs.py")
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)


def naive_cost(cost, walk):
    """Equations 3.1, 3.2 and 3.4 by hand."""
    graph, path = walk.graph, walk.path()
    total = 0.0
    corners = [path[0], *map(np.array, cost.waypoints)]
    if cost.goal is not None:
        total += np.hypot(*(path[-1] - cost.goal)) / cost.scale
        corners.append(np.array(cost.goal))
    if cost.facing is not None:
        off = walk.placements()[-1, 2] - cost.facing
        total += abs(np.angle(np.exp(1j * off))) / cost.turn_scale
    since, count = -1, len(cost.waypoints)
    for k, point in enumerate(cost.waypoints, start=1):
        far = np.hypot(*(path - point).T)
        far[: min(since + 1, len(path) - 1)] = np.inf
        since = int(np.argmin(far))
        total += (far[since] / cost.scale) ** (count - k + 2)
    if len(corners) > 1:
        least = max(sum(np.hypot(*(b - a)) for a, b in pairwise(corners)), cost.scale)
        speeds = [np.hypot(*np.diff(clip, axis=0).T).max() for clip in clip_tracks(graph)]
        if cost.distance:
            total += max(np.hypot(*np.diff(path, axis=0).T).sum() / least, 1.0)
        if cost.duration:
            total += max(walk.duration * max(speeds) * graph.fps / least, 1.0)
    return total


def clip_tracks(graph):
    library = graph.corpus.library
    return [graph.corpus.tracks[a:b, :2] for a, b in zip(library.starts, library.stops, strict=True)]


COSTS = [
    WalkCost(goal=(1.0, 2.0)),
    WalkCost(goal=(-2.0, 0.5), facing=1.0, scale=0.5),
    WalkCost(goal=(1.0, 1.0), waypoints=[(0.5, 0.0), (2.0, -1.0), (0.3, 0.3)], scale=1.5),
    WalkCost(waypoints=[(3.0, 0.0)], distance=False),
    WalkCost(goal=(4.0, 4.0), duration=False),
    WalkCost(facing=-2.0),
    WalkCost(goal=(0.3, -0.1)),
    WalkCost(goal=(400.0, 0.0)),
]


@pytest.mark.parametrize("cost", COSTS)
def test_costs_are_those_of_the_equations(cost):
    begin = Placement(0.3, -0.1, 0.8)
    for seed in range(4):
        graph = toys.random_graph(np.random.default_rng(seed), transitions=30)
        chart = draw_chart(graph, np.ones(graph.node_count, dtype=bool))
        track = np.zeros((200, 3))
        for walk in random_walks(graph, 2.0, 4, seed=seed, placement=begin, calm=0.0):
            jumps = jumps_of(graph, chart, walk.edges)
            assert np.array_equal(unfold(graph, chart, walk.start, jumps, walk.end), walk.edges)
            costs = np.zeros(1)
            place = np.array([begin.x, begin.z, begin.heading])
            terms = cost.terms(begin, graph.corpus)
            walks, lengths, ends = jumps[None], np.array([len(jumps)]), np.array([walk.end])
            price_many(walk.start, walks, lengths, ends, place, chart, terms, np.inf, costs, track)
            assert costs[0] == pytest.approx(naive_cost(cost, walk))
            frames = lay_track(walk.start, jumps, walk.end, place, chart, track)
            assert track[:frames, :2] == pytest.approx(walk.path())
            assert np.exp(1j * track[frames - 1, 2]) == pytest.approx(np.exp(1j * walk.placements()[-1, 2]))
            # Walks that take longer than there is room for cost too much.
            price_many(walk.start, walks, lengths, ends, place, chart, terms, np.inf, costs, track[: frames - 1])
            assert costs[0] == np.inf
            assert lay_track(walk.start, jumps, walk.end, place, chart, track[: frames - 1]) == -1


def test_headings_on_the_way_turn_as_recordings_do():
    graph = toys.random_graph(np.random.default_rng(5), transitions=30)
    chart = draw_chart(graph, np.ones(graph.node_count, dtype=bool))
    walk = random_walks(graph, 2.0, 1, seed=1, calm=0.0)[0]
    track = np.zeros((200, 3))
    frames = lay_track(walk.start, jumps_of(graph, chart, walk.edges), walk.end, np.zeros(3), chart, track)
    places = walk.placements()
    at = np.append(walk.edge_starts, frames - 1)
    assert np.exp(1j * track[at, 2]) == pytest.approx(np.exp(1j * places[:, 2]))


def test_way_points_are_passed_in_order():
    """Who passes them the other way round pays more: each is looked for behind the one before."""
    cost = WalkCost(waypoints=[(0.0, 1.0), (0.0, 2.0)], scale=0.2, distance=False, duration=False)
    corpus = toys.toy_corpus("w" * 5)
    terms = cost.terms(Placement(), corpus)
    there = np.stack([np.zeros(4), np.array([0.0, 1.0, 2.0, 3.0]), np.zeros(4)], axis=1)
    assert price_waypoints(there, terms) == pytest.approx(0.0)
    assert price_waypoints(there[::-1].copy(), terms) == pytest.approx((2.0 / 0.2) ** 2)


def test_any_function_is_a_cost():
    cost = as_cost(lambda track, labels: len(track) + labels.sum())
    assert cost.has_rest
    assert cost.rest(np.zeros((3, 3)), np.array([0, 1, 1])) == 5.0
    assert as_cost(cost) is cost
    both = WalkCost(collisions=lambda track: 2.0, measure=lambda track, labels: 1.0)
    assert both.rest(np.zeros((1, 3)), np.zeros(1)) == 3.0
    assert not WalkCost(goal=(0.0, 0.0)).has_rest


def test_the_highest_speed_is_within_clips():
    graph = toys.random_graph(np.random.default_rng(0))
    expected = max(np.hypot(*np.diff(clip, axis=0).T).max() for clip in clip_tracks(graph)) * graph.fps
    assert fastest(graph.corpus) == pytest.approx(expected)


@pytest.mark.parametrize("wrong", [{"goal": (np.nan, 0.0)}, {"scale": 0.0}, {"waypoints": [(np.inf, 0.0)]}])
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(GraphError, match="finite"):
        WalkCost(**wrong)
