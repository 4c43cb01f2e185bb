"""Ways that end at a place: the search against trying everything, and what is known of ends beforehand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.directing.approaching import Aim, Where, find_approach, find_ends
from walkon.directing.ways import way_down
from walkon.rotations import Placement


def end_of(graph, place, edges):
    for edge in edges:
        place = place @ Placement(*graph.moves[edge])
    return place


def everything(graph, node, place, price, most, prices):
    """All ways from a node that cost no more than `most`: price, node, place."""
    yield price, node, place
    for edge in graph.leaving(node):
        if price + prices[edge] <= most:
            ahead = place @ Placement(*graph.moves[edge])
            yield from everything(graph, int(graph.heads[edge]), ahead, price + prices[edge], most, prices)


@pytest.fixture
def meadow(toys):
    """A graph in which everything leads everywhere."""
    return toys.random_graph(np.random.default_rng(3), clips=6, transitions=30)


def test_the_ends_of_cheapest_ways_are_known(meadow):
    rng = np.random.default_rng(0)
    ends = rng.random(meadow.node_count) < 0.15
    prices = meadow.frames + rng.uniform(0.0, 1.0, meadow.edge_count)
    known = find_ends(meadow, ends, prices)
    for node in np.flatnonzero(np.isfinite(known.waits)):
        end = end_of(meadow, Placement(), way_down(meadow, int(node), known.waits, prices))
        np.testing.assert_allclose(known.rests[node, :2], (end.x, end.z), atol=1e-9)
        assert math.remainder(known.rests[node, 2] - end.heading, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("heading", [None, 1.0])
def test_the_search_finds_what_trying_everything_finds(meadow, heading):
    rng = np.random.default_rng(1)
    prices = meadow.frames.astype(float)
    ends = rng.random(meadow.node_count) < 0.3
    known = find_ends(meadow, ends, prices)
    found = 0
    for _ in range(12):
        node, place = int(rng.integers(meadow.node_count)), Placement(*rng.normal(0.0, 1.0, 3))
        aim = Aim(*rng.normal(0.0, 1.5, 2), 0.4, heading, 0.8)
        best = min(
            (
                price
                for price, at, where in everything(meadow, node, place, 0.0, 12.0, prices)
                if ends[at] and is_in(where, aim)
            ),
            default=math.inf,
        )
        approach = find_approach(meadow, [Where(node, place)], aim, known)
        end = end_of(meadow, place, approach.edges)
        if approach.met:
            assert is_in(end, aim)
            assert ends[meadow.heads[approach.edges[-1]] if approach.edges else node]
            found += 1
        if math.isfinite(best):
            assert approach.met
            # Best first, and what is nearer the middle of the aim may take longer; so it is near the best, not it.
            assert meadow.frames[list(approach.edges)].sum() <= 3.0 * best + 40.0
    assert found >= 4


def is_in(place: Placement, aim: Aim) -> bool:
    turn = 0.0 if aim.heading is None else abs(math.remainder(place.heading - aim.heading, 2.0 * math.pi))
    return math.hypot(place.x - aim.x, place.z - aim.z) <= aim.near + 1e-9 and turn <= aim.turn + 1e-9


def test_of_several_sources_the_best_is_taken(meadow):
    prices = meadow.frames.astype(float)
    known = find_ends(meadow, np.ones(meadow.node_count, dtype=bool), prices)
    sources = [Where(0, Placement(50.0, 0.0)), Where(1, Placement(0.1, 0.0), 7.0), Where(2, Placement(0.0, 90.0))]
    approach = find_approach(meadow, sources, Aim(0.0, 0.0, 0.5), known)
    assert (approach.source, approach.edges, approach.met) == (1, (), True)


def test_nobody_who_is_inside_leaves_the_bounds(meadow):
    prices = meadow.frames.astype(float)
    known = find_ends(meadow, np.ones(meadow.node_count, dtype=bool), prices)
    rng = np.random.default_rng(2)
    left = met = 0
    for _ in range(20):
        node, aim = int(rng.integers(meadow.node_count)), Aim(*rng.uniform(-1.0, 1.0, 2), 0.4)
        free = find_approach(meadow, [Where(node, Placement())], aim, known)
        kept = find_approach(meadow, [Where(node, Placement())], aim, known, bounds=(-1.2, -1.2, 1.2, 1.2))
        left += not stays_inside(meadow, free.edges)
        met += kept.met
        assert stays_inside(meadow, kept.edges)
    assert left > 0
    assert met > 0


def stays_inside(graph, edges) -> bool:
    places = [end_of(graph, Placement(), edges[:count]) for count in range(len(edges) + 1)]
    return all(max(abs(place.x), abs(place.z)) <= 1.2 + 1e-9 for place in places)


def test_where_there_is_no_way_the_nearest_is_said_not_to_be_one(meadow):
    prices = np.full(meadow.edge_count, np.inf)
    known = find_ends(meadow, np.ones(meadow.node_count, dtype=bool), prices)
    approach = find_approach(meadow, [Where(0, Placement())], Aim(3.0, 0.0, 0.5), known)
    assert (approach.edges, approach.met) == ((), False)
