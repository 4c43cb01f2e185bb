"""Seeds and mutations: all mutations are looked at, the walks are walks, and what is wanted comes out."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.graph import PLAIN
from walkon.graphs.searching._kernels_mutating import propose, propose_two
from walkon.graphs.searching.chart import draw_chart, jumps_of
from walkon.graphs.searching.mutating import Effort, search_walks
from walkon.graphs.searching.random_walks import random_walk, random_walks
from walkon.graphs.searching.variety import DIFFERENT, difference
from walkon.graphs.searching.walk_costs import WalkCost
from walkon.graphs.searching.workshop import Bench, Workshop
from walkon.rotations import Placement

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).parents[1] / "toy_graphs.py")
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)


def plain_way(graph, a, b):
    """Whether the recording leads from node a to node b."""
    while a < b:
        if not (graph.carries[graph.offsets[a]] == PLAIN and graph.tails[graph.offsets[a]] == a):
            return False
        a = graph.heads[graph.offsets[a]]
    return a == b


def is_walk(graph, start, edges, end):
    """Whether transitions (edges) in this order make a walk from start to end."""
    node = start
    for edge in edges:
        if not plain_way(graph, node, graph.tails[edge]):
            return False
        node = graph.heads[edge]
    return plain_way(graph, node, end)


def naive_mutations(graph, ends, start, edges, end):
    """All walks in which a part is replaced by no transition or by one, as (transitions, end)."""
    transitions = np.flatnonzero(graph.carries != PLAIN).tolist()
    found = set()
    for i in range(len(edges) + 1):
        for j in range(i, len(edges) + 1):
            for put in [[], *([one] for one in transitions)]:
                changed = (*edges[:i], *put, *edges[j:])
                if j < len(edges):
                    found.add((changed, end))
                elif not put:
                    found |= {(changed, int(other)) for other in ends}
                else:
                    # The first end behind the new transition; later ones are mutations of that.
                    head = graph.heads[put[0]]
                    behind = [int(other) for other in ends if other >= head and plain_way(graph, head, other)]
                    found |= {(changed, min(behind))} if behind else set()
    return {one for one in found if one != (tuple(edges), end) and is_walk(graph, start, *one)}


def everything(propose_some, room=5):
    """All that a kernel proposes, some at a time."""
    walks, lengths, ends = np.zeros((room, 64), np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64)
    while True:
        count = propose_some(walks, lengths, ends)
        for number in range(count):
            yield walks[number, : lengths[number]].copy(), int(ends[number])
        if count < room:
            return


@pytest.mark.parametrize("seed", range(6))
def test_all_mutations_are_looked_at_and_nothing_else(seed):
    rng = np.random.default_rng(seed)
    graph = toys.random_graph(rng, transitions=35)
    may_end = rng.random(graph.node_count) < 0.3
    chart = draw_chart(graph, may_end)
    walk = random_walk(graph, 0.6, seed=seed, calm=0.0)
    ends = np.flatnonzero(may_end)
    jumps = jumps_of(graph, chart, walk.edges)
    pairs = np.array([(i, j) for i in range(len(jumps) + 1) for j in range(i + 1, len(jumps) + 2)])
    cursor = np.zeros(2, np.int64)
    seen = [
        (tuple(chart.jumps[new].tolist()), end)
        for new, end in everything(lambda *room: propose(pairs, cursor, walk.start, jumps, walk.end, chart, *room))
    ]
    expected = naive_mutations(graph, ends, walk.start, chart.jumps[jumps].tolist(), walk.end)
    assert set(seen) - {(tuple(chart.jumps[jumps].tolist()), walk.end)} == expected


@pytest.mark.parametrize("seed", range(4))
def test_two_at_random_make_walks_as_well(seed):
    graph = toys.random_graph(np.random.default_rng(seed), transitions=40)
    may_end = np.zeros(graph.node_count, dtype=bool)
    may_end[::3] = True
    chart = draw_chart(graph, may_end)
    walk = random_walk(graph, 0.6, seed=seed, calm=0.0)
    jumps = jumps_of(graph, chart, walk.edges)
    room = np.zeros((200, 64), np.int64), np.zeros(200, np.int64), np.zeros(200, np.int64)
    count, _ = propose_two(np.uint64(seed), walk.start, jumps, walk.end, chart, *room)
    assert count > 0
    for number in range(count):
        edges, end = chart.jumps[room[0][number, : room[1][number]]], room[2][number]
        assert is_walk(graph, walk.start, edges, end)
        assert end == walk.end or may_end[end]


def test_walks_lead_where_they_should(wander_graph):
    start = random_walk(wander_graph, 1.0, seed=3, labels="walk").start
    place = Placement(1.0, -2.0, 0.5)
    cost = WalkCost(goal=(4.0, 1.0), facing=1.0)
    found = search_walks(wander_graph, start, "walk", cost, effort=Effort(seeds=6), placement=place)
    assert [one.cost for one in found] == sorted(one.cost for one in found)
    best = found[0].walk
    assert best.start == start
    assert best.placement == place
    assert np.hypot(*(best.path()[-1] - cost.goal)) < 0.2
    assert abs(best.placements()[-1, 2] - 1.0) < 0.3
    assert "walk" in wander_graph.corpus.label_sets[wander_graph.corpus.labels[wander_graph.nodes[best.end]]]
    for number, one in enumerate(found):
        assert all(difference(one.walk, other.walk) > DIFFERENT for other in found[:number])


def test_way_points_are_passed(wander_graph):
    start = random_walk(wander_graph, 1.0, seed=3, labels="walk").start
    points = [(2.0, 2.0), (4.0, 0.0)]
    cost = WalkCost(goal=(4.0, -3.0), waypoints=points)
    best = search_walks(wander_graph, start, "walk", cost, effort=Effort(seeds=6))[0].walk
    passed = [np.hypot(*(best.path() - point).T) for point in [*points, cost.goal]]
    assert max(far.min() for far in passed) < 0.4
    assert [int(np.argmin(far)) for far in passed] == sorted(int(np.argmin(far)) for far in passed)


def test_obstacles_are_gone_round(wander_graph):
    start = random_walk(wander_graph, 1.0, seed=3, labels="walk").start
    straight = WalkCost(goal=(0.0, 6.0))

    def inside(track):
        return float((np.hypot(track[:, 0], track[:, 1] - 3.0) < 1.0).sum())

    through = search_walks(wander_graph, start, "walk", straight, effort=Effort(seeds=2))[0]
    around = search_walks(
        wander_graph,
        start,
        "walk",
        WalkCost(goal=(0.0, 6.0), collisions=inside),
        effort=Effort(seeds=4, mutations=4000),
    )[0]
    assert inside(through.walk.path()) > 0
    assert inside(around.walk.path()) == 0
    assert np.hypot(*(around.walk.path()[-1] - (0.0, 6.0))) < 0.5


def test_any_function_will_do(wander_graph):
    """Here: as little standing as possible on the way from standing to standing."""
    standing = [n for n, own in enumerate(wander_graph.label_sets) if "stand" in own]
    tracks = []

    def idle(track, labels):
        assert track.shape == (len(labels), 3)
        tracks.append(len(track))
        return np.isin(labels, standing).mean()

    found = search_walks(
        wander_graph, "stand", "stand", idle, effort=Effort(seeds=2, mutations=1500), longest=12.0
    )
    sets, rows = wander_graph.corpus.label_sets, wander_graph.corpus.labels[wander_graph.nodes]
    for one in found:
        assert {"stand"} == sets[rows[one.walk.start]] == sets[rows[one.walk.end]]
        assert one.walk.duration <= 12.0
    # Nobody can do with less than a few steps into standing and out of it.
    assert found[0].cost < 0.75
    assert len(tracks) > 100


def test_the_same_again_with_any_number_of_workers(wander_graph):
    start = random_walk(wander_graph, 1.0, seed=3, labels="walk").start
    cost = WalkCost(goal=(3.0, 3.0))
    efforts = [Effort(seeds=3, mutations=2000, workers=workers) for workers in (1, 2)]
    one, two = (search_walks(wander_graph, start, "walk", cost, effort=effort) for effort in efforts)
    assert [a.cost for a in one] == [b.cost for b in two]
    assert all(np.array_equal(a.walk.edges, b.walk.edges) for a, b in zip(one, two, strict=True))


def test_mutations_only_make_walks_cheaper_and_what_is_settled_cannot_be_bettered():
    for seed in range(4):
        graph = toys.random_graph(np.random.default_rng(seed), transitions=40)
        ends = np.arange(graph.node_count)
        cost = WalkCost(goal=(2.0, 1.0))
        shop = Workshop(graph, ends, cost, Placement(), 4.0)
        bench, rng = Bench(shop), np.random.default_rng(seed)
        start = random_walks(graph, 0.1, 1, seed=seed)[0].start
        planted = bench.plant(start, rng)
        better, tried, settled = bench.better(planted, 100_000, rng)
        assert settled
        assert tried > 0
        assert better.cost <= planted.cost
        edges = shop.chart.jumps[better.jumps].tolist()
        for changed, end in naive_mutations(graph, ends, start, edges, better.end):
            jumps = jumps_of(graph, shop.chart, np.array(changed, dtype=np.int64))
            assert bench._priced(start, jumps, end).cost >= better.cost - 1e-6


def test_what_cannot_be_is_refused(wander_graph):
    cost = WalkCost(goal=(1.0, 1.0))
    with pytest.raises(GraphError, match="no node"):
        search_walks(wander_graph, 10**9, "walk", cost)
    with pytest.raises(GraphError, match="'swim'"):
        search_walks(wander_graph, 0, "swim", cost)
    with pytest.raises(GraphError, match="at least one seed"):
        search_walks(wander_graph, 0, "walk", cost, effort=Effort(seeds=0))
    apart = toys.toy_graph("w" * 20, "r" * 20, pairs=[(15, 8), (35, 28), (30, 9)])
    with pytest.raises(GraphError, match="no walk of 30 s"):
        search_walks(apart, "w", "r", cost)
