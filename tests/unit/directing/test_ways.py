"""Ways by time alone: the shortest are the shortest, and who stays in a label does so for as long as one can."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from walkon.directing.actions import Doing, Staying, doing, staying, stretches_of
from walkon.directing.ways import frames_to, longest_stays, stay, way_down
from walkon.graphs.graph import PLAIN
from walkon.rotations import Placement


def shortest(graph, prices, goals):
    """Dijkstra as one writes it."""
    far = np.full(graph.node_count, np.inf)
    queue = [(0.0, int(node)) for node in np.flatnonzero(goals)]
    while queue:
        price, node = heapq.heappop(queue)
        if price >= far[node]:
            continue
        far[node] = price
        for edge in np.flatnonzero(graph.heads == node):
            heapq.heappush(queue, (price + prices[edge], int(graph.tails[edge])))
    return far


@pytest.mark.parametrize("seed", range(5))
def test_the_shortest_ways_are_the_shortest(toys, seed):
    rng = np.random.default_rng(seed)
    graph = toys.random_graph(rng, clips=6, transitions=20)
    goals = rng.random(graph.node_count) < 0.1
    goals[0] = True
    prices = np.where(rng.random(graph.edge_count) < 0.1, np.inf, rng.uniform(1.0, 9.0, graph.edge_count))
    far = frames_to(graph, goals, prices)
    np.testing.assert_allclose(far, shortest(graph, prices, goals))
    for node in np.flatnonzero(np.isfinite(far)):
        edges = way_down(graph, int(node), far, prices)
        assert prices[edges].sum() == pytest.approx(far[node])
        ends = [int(node), *graph.heads[edges].tolist()]
        assert goals[ends[-1]]
        assert graph.tails[edges].tolist() == ends[:-1]
    assert np.isinf(frames_to(graph, np.zeros(graph.node_count, dtype=bool))).all()


def test_of_two_edges_between_two_nodes_the_cheaper_counts(toys):
    graph = toys.toy_graph("w" * 14, pairs=[(2, 10)])
    between = np.flatnonzero((graph.nodes[graph.tails] == 2) & (graph.nodes[graph.heads] == 10))
    assert sorted(graph.frames[between]) == [3, 8]
    goals = graph.nodes == 10
    node = int(np.flatnonzero(graph.nodes == 2)[0])
    assert frames_to(graph, goals)[node] == 3.0
    prices = np.where(graph.frames == 3, 9.0, 1.0)
    assert frames_to(graph, goals, prices)[node] == 1.0


def longest(graph, allowed, node, frames):
    if frames <= 0:
        return 0
    ahead = [
        min(int(graph.frames[edge]), frames)
        + longest(graph, allowed, int(graph.heads[edge]), frames - int(graph.frames[edge]))
        for edge in graph.leaving(node)
        if allowed[edge]
    ]
    return max(ahead, default=0)


@pytest.mark.parametrize("seed", range(4))
def test_stays_are_as_long_as_they_can_be(toys, seed):
    rng = np.random.default_rng(seed)
    graph = toys.random_graph(rng, clips=4, transitions=10)
    allowed = rng.random(graph.edge_count) < 0.7
    stays = longest_stays(graph, allowed, 14)
    assert stays.tolist() == [longest(graph, allowed, node, 14) for node in range(graph.node_count)]
    for node in range(graph.node_count):
        edges = stay(graph, node, Placement(), allowed, 14, rng)
        assert allowed[edges].all()
        assert min(graph.frames[edges].sum(), 14) == stays[node]


def test_stretches_are_runs_of_a_label_within_a_clip(toys):
    graph = toys.toy_graph("wwjjjjww", "jjjwwwjj", pairs=[(1, 14), (11, 6)])
    assert stretches_of(graph, "j") == [(2, 6), (8, 11), (14, 16)]
    assert stretches_of(graph, "x") == []


def test_what_is_done_once_is_done_from_beginning_to_end(toys):
    graph = toys.toy_graph("wwwwwjjjjjjjjjjwwwwwww", "wwwwwwwwwwww", pairs=[(16, 26), (28, 3), (8, 28)])
    action = doing(graph, "j", np.ones(graph.edge_count, dtype=bool))
    assert isinstance(action, Doing)
    rng = np.random.default_rng(0)
    for node in np.flatnonzero(action.entries):
        edges = action.perform(int(node), Placement(), rng)
        assert (graph.carries[edges] == PLAIN).all()
        first, last = int(graph.nodes[node]), int(graph.nodes[graph.heads[edges[-1]]])
        assert 4 <= first <= 8
        assert 11 <= last <= 14
    assert (graph.nodes[action.entries] == 4).any()
    # Where the recording cannot be followed to its end, it cannot be begun.
    broken = (graph.carries != PLAIN) | (graph.nodes[graph.heads] < 9)
    assert not doing(graph, "j", broken).entries.any()


def test_what_goes_on_for_long_is_done_for_a_while(toys):
    graph = toys.toy_graph("w" * 300, "w" * 20, pairs=[(250, 12), (290, 310), (312, 40)])
    action = doing(graph, "w", np.ones(graph.edge_count, dtype=bool))
    assert isinstance(action, Staying)
    assert action.frames == 4 * 30


def test_one_stays_as_long_as_the_graph_can(toys):
    graph = toys.toy_graph("wwwwwssssswwww", "wwwwwwww", pairs=[(10, 18), (18, 3)])
    action = staying(graph, "s", 40, np.ones(graph.edge_count, dtype=bool))
    assert action.frames == 5
    edges = action.perform(int(np.flatnonzero(action.entries)[0]), Placement(), np.random.default_rng(0))
    assert graph.frames[edges].sum() == 5
