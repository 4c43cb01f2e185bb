"""Going in a given direction: the table says what waste least, and who follows it gets there."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.searching.headings import FINE_HEADINGS, HeadingTable, steer, tabulate_headings
from walkon.graphs.searching.random_walks import random_walk
from walkon.graphs.searching.styles import edges_of_style, endless_edges
from walkon.rotations import Placement

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).parents[1] / "toy_graphs.py")
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)


def naive_costs(graph, allowed, sight, weight):
    """What it costs to go in each direction along each edge and on (E, n), by going over all edges often."""
    discount = np.exp(-1.0 / (sight * graph.fps))
    pace = np.median(np.hypot(*graph.moves[allowed, :2].T) / graph.frames[allowed])
    angles = 2.0 * np.pi * np.arange(FINE_HEADINGS) / FINE_HEADINGS
    values, costs = np.zeros((graph.node_count, FINE_HEADINGS)), np.zeros((graph.edge_count, FINE_HEADINGS))
    for _ in range(60):
        for edge in np.flatnonzero(allowed):
            trail = graph.trails[graph.trail_offsets[edge] : graph.trail_offsets[edge + 1]]
            steps = np.diff(trail, axis=0, prepend=np.zeros((1, 2)))
            shares = discount ** np.arange(len(steps))
            wasted = np.maximum(np.hypot(*steps.T), pace)[:, None] - steps @ [np.sin(angles), np.cos(angles)]
            ahead = np.interp(angles - graph.moves[edge, 2], angles, values[graph.heads[edge]], period=2.0 * np.pi)
            costs[edge] = shares @ wasted + discount ** len(steps) * ahead + weight * graph.costs[edge]
        values = np.array([_least(costs, allowed, graph.leaving(node)) for node in range(graph.node_count)])
    return costs


def _least(costs, allowed, edges):
    own = edges[allowed[edges]]
    return costs[own].min(axis=0) if len(own) else np.zeros(FINE_HEADINGS)


def test_the_table_has_the_edges_that_waste_least():
    checked = 0
    for seed in range(3):
        graph = toys.random_graph(np.random.default_rng(seed), clips=3, transitions=14)
        allowed = endless_edges(graph, edges_of_style(graph, None))
        table = tabulate_headings(graph, headings=FINE_HEADINGS, sight=0.2, transition_weight=0.5)
        costs = naive_costs(graph, allowed, 0.2, 0.5)
        for node in range(graph.node_count):
            own = graph.leaving(node)[allowed[graph.leaving(node)]]
            if not len(own):
                continue
            for i in range(FINE_HEADINGS):
                assert costs[table.edges[node, i], i] <= costs[own, i].min() + 5e-3
                checked += len(own) > 1
    assert checked > 100


@pytest.mark.parametrize("headings", [12, 24])
def test_who_follows_the_table_goes_where_they_want(wander_graph, headings):
    table = tabulate_headings(wander_graph, style="walk", headings=headings)
    start = random_walk(wander_graph, 1.0, seed=1, labels="walk").start
    walking = edges_of_style(wander_graph, "walk")
    for wanted in np.linspace(-np.pi, np.pi, 8):
        place = Placement(1.0, 2.0, 0.7)
        walk = steer(wander_graph, table, lambda _, way=wanted: way, 10.0, start=start, placement=place)
        assert walk.duration >= 10.0
        assert walking[walk.edges].all()
        x, z = walk.path()[-1] - walk.path()[150]
        off = np.arctan2(x, z) - wanted
        assert abs(np.arctan2(np.sin(off), np.cos(off))) < np.pi / headings + 0.12
        assert np.hypot(x, z) > 0.7 * 5.0


def test_one_may_change_ones_mind(wander_graph):
    table = tabulate_headings(wander_graph, style="walk")
    start = random_walk(wander_graph, 1.0, seed=1, labels="walk").start
    walk = steer(wander_graph, table, lambda seconds: 0.0 if seconds < 8.0 else np.pi / 2, 16.0, start=start)
    path = walk.path()
    first, second = path[240] - path[120], path[-1] - path[360]
    assert abs(np.arctan2(*first)) < 0.4
    assert abs(np.arctan2(*second) - np.pi / 2) < 0.4


def test_who_stands_sets_off_in_the_style_that_is_wanted(wander_graph):
    table = tabulate_headings(wander_graph, style="walk")
    standing = np.flatnonzero(edges_of_style(wander_graph, "stand"))
    walk = steer(wander_graph, table, lambda _: 0.0, 15.0, start=int(wander_graph.tails[standing[0]]))
    assert edges_of_style(wander_graph, "walk")[walk.edges[-10:]].all()


def test_the_nearest_direction_is_looked_up():
    table = HeadingTable(np.arange(8).reshape(1, 8))
    turn = np.pi / 4
    assert table.choose(0, 0.0, 0.0) == 0
    assert table.choose(0, 0.0, 1.4 * turn) == 1
    assert table.choose(0, 0.0, -turn) == 7
    assert table.choose(0, 10.0 * np.pi + turn, 3.0 * turn) == 2
    assert table.choose(0, -np.pi + 0.01, np.pi) == 0


def test_what_cannot_be_is_refused(wander_graph):
    with pytest.raises(GraphError, match="headings"):
        tabulate_headings(wander_graph, headings=0)
    apart = toys.toy_graph("w" * 20, "r" * 20, pairs=[(15, 8), (35, 28), (30, 9)])
    table = tabulate_headings(apart, style="r")
    with pytest.raises(GraphError, match="does not know the way"):
        steer(apart, table, lambda _: 0.0, 5.0, start=int(np.searchsorted(apart.nodes, 8)))
