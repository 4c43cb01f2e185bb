"""Random walks go where edges lead, keep to their style, and never come to an end."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.graph import PLAIN
from walkon.graphs.searching.random_walks import random_walk, random_walks
from walkon.graphs.searching.styles import edges_of_style, endless_edges

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).parents[1] / "toy_graphs.py")
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)

MASK = (1 << 64) - 1


def follows(walk):
    graph = walk.graph
    nodes = [walk.start, *graph.heads[walk.edges].tolist()]
    return graph.tails[walk.edges].tolist() == nodes[:-1]


def naive_wander(graph, allowed, node, frames, calm, state):
    """The same by hand: splitmix64, then the so-manieth way that is allowed."""
    edges, shown, since = [], 0, calm
    while shown < frames:
        ways = [edge for edge in graph.leaving(node) if allowed[edge]]
        edge = graph.offsets[node]
        if not (since < calm and graph.carries[edge] == PLAIN and allowed[edge]):
            state = (state + 0x9E3779B97F4A7C15) & MASK
            mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
            mixed ^= mixed >> 31
            edge = ways[(mixed >> 11) % len(ways)]
        since = since + graph.frames[edge] if graph.carries[edge] == PLAIN else 0
        edges.append(int(edge))
        shown += graph.frames[edge]
        node = graph.heads[edge]
    return edges


def test_many_walks_never_end_and_keep_to_their_style(wander_graph):
    walking = edges_of_style(wander_graph, "walk")
    for walk in random_walks(wander_graph, 60.0, 200, seed=3, labels="walk"):
        assert walk.duration >= 60.0
        assert follows(walk)
        assert walking[walk.edges].all()


@pytest.mark.parametrize("calm", [0.0, 0.2])
def test_as_by_hand(calm):
    for seed in range(6):
        graph = toys.random_graph(np.random.default_rng(seed), transitions=30)
        allowed = endless_edges(graph, edges_of_style(graph, None))
        if not allowed.any():
            continue
        walks = random_walks(graph, 3.0, 5, seed=seed, calm=calm)
        chance = np.random.SeedSequence(seed).generate_state(5, np.uint64)
        for walk, state in zip(walks, chance, strict=True):
            expected = naive_wander(graph, allowed, walk.start, 90, round(calm * 30.0), int(state))
            assert walk.edges.tolist() == expected


def test_dead_ends_are_not_entered():
    # From row 9 of the first clip one gets to the second, and there is no way back.
    graph = toys.toy_graph("w" * 14, "r" * 12, pairs=[(10, 4), (9, 18)])
    for walk in random_walks(graph, 20.0, 50, seed=1, calm=0.0):
        assert walk.duration >= 20.0
        assert graph.nodes[graph.heads[walk.edges]].max() < 14


def test_recordings_go_on_for_a_while_after_a_transition(wander_graph):
    graph = wander_graph
    hasty = random_walk(graph, 200.0, seed=4, labels="walk", calm=0.0)
    calm = random_walk(graph, 200.0, seed=4, labels="walk", calm=1.0)
    assert (graph.carries[calm.edges] != PLAIN).sum() < 0.7 * (graph.carries[hasty.edges] != PLAIN).sum()


def test_the_same_seed_is_the_same_walk(wander_graph):
    first, again, other = (random_walk(wander_graph, 10.0, seed=seed) for seed in (5, 5, 6))
    assert first.start == again.start
    assert np.array_equal(first.edges, again.edges)
    assert not np.array_equal(first.edges, other.edges)
    from_there = random_walk(wander_graph, 10.0, seed=7, start=first.start)
    assert from_there.start == first.start


def test_walks_in_several_batches_are_the_same(wander_graph, monkeypatch):
    together = random_walks(wander_graph, 5.0, 7, seed=8)
    monkeypatch.setattr("walkon.graphs.searching.random_walks.EDGES_AT_ONCE", 450)
    apart = random_walks(wander_graph, 5.0, 7, seed=8)
    assert all(np.array_equal(a.edges, b.edges) for a, b in zip(together, apart, strict=True))


def test_what_cannot_be_is_refused(wander_graph):
    ending = toys.toy_graph("w" * 10, "r" * 9, pairs=[(15, 4)])
    with pytest.raises(GraphError, match="nowhere"):
        random_walk(ending, 1.0, seed=0)
    with pytest.raises(GraphError, match="from node -1"):
        random_walk(wander_graph, 1.0, seed=0, start=-1)
    with pytest.raises(GraphError, match="seconds"):
        random_walk(wander_graph, float("nan"), seed=0)
    assert random_walks(wander_graph, 1.0, 0, seed=0) == []
