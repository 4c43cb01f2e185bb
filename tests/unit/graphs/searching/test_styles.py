"""Which edges are of a style, and how one gets from one style to another."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.graph import PLAIN
from walkon.graphs.searching._kernels_reaching import NEVER
from walkon.graphs.searching.styles import arrange_styles, edges_of_style, endless_edges, lengths_of_edges

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).parents[1] / "toy_graphs.py")
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)


def rows_of(graph, edge):
    """All rows that an edge shows or mixes."""
    tail, head = graph.nodes[graph.tails[edge]], graph.nodes[graph.heads[edge]]
    if graph.carries[edge] == PLAIN:
        return range(tail + 1, head + 1)
    return [*range(tail + 1, tail + 1 + graph.window), *range(head - graph.window + 1, head + 1)]


@pytest.mark.parametrize("seed", range(5))
def test_all_rows_of_an_edge_must_be_of_the_style(seed):
    graph = toys.random_graph(np.random.default_rng(seed))
    sets = graph.corpus.label_sets
    for style, fits in (("w", lambda own: "w" in own), ({"r"}, lambda own: own == {"r"}), (None, lambda _: True)):
        own = edges_of_style(graph, style)
        for edge in range(graph.edge_count):
            assert own[edge] == all(fits(sets[graph.corpus.labels[row]]) for row in rows_of(graph, edge))


def test_a_label_admits_rows_that_have_others_as_well_and_a_set_does_not():
    graph = toys.toy_graph("wwwwWWWWwwww", pairs=[(3, 9)])
    assert edges_of_style(graph, "w").all()
    assert 0 < edges_of_style(graph, {"w"}).sum() < graph.edge_count
    assert 0 < edges_of_style(graph, {"w", "loud"}).sum() < graph.edge_count


@pytest.mark.parametrize("seed", range(8))
def test_after_endless_edges_one_can_go_on_as_long_as_there_are_nodes(seed):
    rng = np.random.default_rng(seed)
    graph = toys.random_graph(rng)
    allowed = rng.random(graph.edge_count) < 0.8
    # Who can take as many steps as there are nodes has been somewhere twice, and can for ever.
    alive = np.ones(graph.node_count, dtype=bool)
    for _ in range(graph.node_count + 1):
        on = allowed & alive[graph.heads]
        alive = np.isin(np.arange(graph.node_count), graph.tails[on])
    assert np.array_equal(endless_edges(graph, allowed), allowed & alive[graph.heads])


@pytest.mark.parametrize("seed", range(3))
def test_reach_is_the_fewest_frames_to_the_style(seed):
    graph = toys.random_graph(np.random.default_rng(seed), transitions=120)
    styles = arrange_styles(graph, [(0.0, "w")])
    least = np.where(np.isin(np.arange(graph.node_count), graph.tails[styles.edges[0]]), 0, NEVER)
    for _ in range(graph.node_count):
        for edge in range(graph.edge_count):
            tail, head = graph.tails[edge], graph.heads[edge]
            if least[head] < NEVER:
                least[tail] = min(least[tail], least[head] + graph.frames[edge])
    assert np.array_equal(styles.reach[0], least)
    # Wherever one is, some edge leads on along a way of that length.
    lengths = lengths_of_edges(graph)
    for node in np.flatnonzero((least > 0) & (least < NEVER)):
        on = [e for e in graph.leaving(node) if graph.frames[e] + least[graph.heads[e]] == least[node]]
        assert np.isclose([lengths[e] + styles.ways[0, graph.heads[e]] for e in on], styles.ways[0, node]).any()
    assert not styles.ways[0, least == 0].any()


def test_lengths_are_those_of_all_steps():
    graph = toys.random_graph(np.random.default_rng(3))
    for edge, length in enumerate(lengths_of_edges(graph)):
        trail = graph.trails[graph.trail_offsets[edge] : graph.trail_offsets[edge + 1]]
        assert length == pytest.approx(sum(np.hypot(*step) for step in np.diff(trail, axis=0, prepend=[[0, 0]])))


def test_nobody_is_led_to_where_a_later_style_cannot_be_reached():
    # Rows 0-9 and 10-19 walk, 20-29 run; only the first walk leads to the run, and both can be gone on with.
    pairs = [(6, 4), (16, 14), (6, 26), (26, 24), (5, 15)]
    graph = toys.toy_graph("w" * 10, "w" * 10, "r" * 10, pairs=pairs)
    alone = arrange_styles(graph, [(0.0, "w")])
    before_running = arrange_styles(graph, [(0.0, "w"), (5.0, "r")])
    second = graph.nodes[graph.heads] // 10 == 1
    assert alone.edges[0][second].any()
    assert not before_running.edges[0][second].any()
    assert before_running.edges[0].any()


def test_what_cannot_be_is_refused():
    graph = toys.toy_graph("w" * 10, pairs=[(6, 4)])
    with pytest.raises(GraphError, match="nothing in the graph is called 'fly'; there are: w"):
        edges_of_style(graph, "fly")
    with pytest.raises(GraphError, match="rising"):
        arrange_styles(graph, [(0.0, "w"), (0.0, "w")])
    with pytest.raises(GraphError, match="first at 0"):
        arrange_styles(graph, [(1.0, "w")])
    with pytest.raises(GraphError, match="for ever"):
        arrange_styles(toys.toy_graph("w" * 10, "r" * 9, pairs=[(15, 4)]), [(0.0, "w")])
