"""How the first two frames hang together: regression, score and search of the prior network."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.variation._kernels_prior import regress, score_additions, score_node
from walkon.variation._kernels_regression import BARRED, NEIGHBOUR_FADE, workspace
from walkon.variation.examples import Examples
from walkon.variation.networks import Network, no_edges
from walkon.variation.prior import FLOOR, MOST_PARENTS, PriorSearch, draw_first_frames, instances_of, order_of


def naive_regress(i, parents, values, instances, barred, k) -> tuple[float, float]:
    live = np.flatnonzero(~barred)
    if not len(parents):
        return float(instances[i, live].mean()), float(instances[i, live].var(ddof=1))
    distances = np.array([np.sum((instances[parents, r] - values[parents]) ** 2) for r in live])
    order = np.argsort(distances, kind="stable")[:k]
    near = live[order]
    weights = np.exp(-NEIGHBOUR_FADE * distances[order] / max(distances[order].max(), 1e-12))
    mean = np.average(instances[i, near], weights=weights)
    variance = np.average((instances[i, near] - mean) ** 2, weights=weights)
    return float(mean), float(variance) * len(near) / max(len(near) - 1, 1)


def naive_score(i, parents, instances, parts, k) -> float:
    score = 0.0
    for r in range(instances.shape[1]):
        mean, variance = naive_regress(i, parents, instances[:, r], instances, parts == parts[r], k)
        spread = variance + FLOOR
        score -= 0.5 * ((mean - instances[i, r]) ** 2 / spread + np.log(2.0 * np.pi * spread))
    return score


def chain(seed: int = 0, width: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Instances (4, M) in which 1 bends from 0, and 2 from 1; 3 is by itself. Four clips."""
    random = np.random.default_rng(seed)
    zero = random.uniform(-2.0, 2.0, width)
    one = zero + 0.05 * random.standard_normal(width)
    two = one**2 + 0.05 * random.standard_normal(width)
    three = random.standard_normal(width)
    return np.stack([zero, one, two, three]).astype(np.float32), np.repeat(np.arange(4), width // 4)


def network_of(parents: dict[int, list[int]], nodes: int) -> Network:
    network = no_edges(nodes, MOST_PARENTS)
    for node, codes in parents.items():
        for code in codes:
            network = network.changed(node, add=code)
    return network


def is_acyclic(network: Network) -> bool:
    """By taking away nodes without parents until none is left; told another way than `order_of` does."""
    left = {node: set(network.of(node).tolist()) for node in range(len(network.counts))}
    while left:
        free = [node for node, parents in left.items() if not parents & left.keys()]
        if not free:
            return False
        for node in free:
            del left[node]
    return True


@pytest.mark.parametrize("parents", [[], [1], [2, 0], [0, 1, 2]])
def test_regression_is_the_naive_one(parents):
    instances, parts = chain(1)
    bars = np.where(parts == 2, BARRED, np.float32(0.0)).astype(np.float32)
    k, width = 5, instances.shape[1]
    for r in (0, 7, 25):
        mean, variance, _ = regress(
            3, np.array(parents, np.int64), instances[:, r], instances, bars, np.ones(width, np.float32), k,
            np.float32(1.0), workspace(width, k),
        )  # fmt: skip
        expected = naive_regress(3, parents, instances[:, r], instances.astype(float), parts == 2, k)
        assert (mean, variance) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("parents", [[], [1], [3, 0]])
def test_score_of_a_node_is_the_naive_sum(parents):
    instances, parts = chain(2)
    search = PriorSearch(instances, parts, 6)
    told = np.array(parents, np.int64)
    score = score_node(2, told, instances, search.parts, search.bars, search.k, np.float32(FLOOR))
    assert score == pytest.approx(naive_score(2, parents, instances.astype(float), parts, search.k), rel=1e-3)


def test_score_of_a_network_is_the_sum_over_its_nodes():
    instances, parts = chain(3)
    search = PriorSearch(instances, parts, 6)
    network = network_of({1: [0], 2: [1, 3]}, 4)
    expected = sum(
        naive_score(node, network.of(node), instances.astype(float), parts, search.k) for node in range(4)
    )
    assert search.score(network) == pytest.approx(expected, rel=1e-3)


def test_additions_are_scores_with_one_parent_more():
    instances, parts = chain(4)
    search = PriorSearch(instances, parts, 6)
    network, scores = network_of({2: [3]}, 4), np.empty(4)
    score_additions(
        2, network.parents[2], 1, instances, search.parts, search.bars, search.k, np.float32(FLOOR), scores
    )
    assert scores[2] == scores[3] == -np.inf
    for j in (0, 1):
        assert scores[j] == pytest.approx(search._score_with(2, np.array([3, j])), rel=1e-6)


def test_full_nodes_get_no_more():
    instances, parts = chain(4)
    search, scores = PriorSearch(instances, parts, 6), np.empty(4)
    score_additions(2, np.array([0]), 1, instances, search.parts, search.bars, search.k, np.float32(FLOOR), scores)
    assert (scores == -np.inf).all()


def test_the_search_finds_what_hangs_together_and_nothing_else():
    instances, parts = chain(5, 80)
    search = PriorSearch(instances, parts, 8)
    network = search.run(0)
    linked = {frozenset((node, int(parent))) for node in range(4) for parent in network.of(node)}
    assert frozenset((0, 1)) in linked
    assert {frozenset((1, 2)), frozenset((0, 2))} & linked
    assert not any(3 in edge for edge in linked)
    assert search.score(network) > search.score(no_edges(4, MOST_PARENTS)) + 10.0


@pytest.mark.parametrize("seed", range(6))
def test_networks_have_no_circles_and_are_better_than_none(seed):
    random = np.random.default_rng(seed)
    mixing = random.standard_normal((8, 3))
    instances = (mixing @ random.standard_normal((3, 48)) + 0.1 * random.standard_normal((8, 48))).astype(
        np.float32
    )
    search = PriorSearch(instances, np.repeat(np.arange(4), 12), 6)
    network = search.run(seed, restarts=3)
    assert network.edges >= 7
    assert is_acyclic(network)
    assert search.score(network) > search.score(no_edges(8, MOST_PARENTS))
    order = order_of(network)
    assert sorted(order.tolist()) == list(range(8))
    place = np.argsort(order)
    assert all(place[parent] < place[node] for node in range(8) for parent in network.of(node))
    again = search.run(seed, restarts=3)
    np.testing.assert_array_equal(again.parents, network.parents)


def test_more_searches_are_never_worse():
    random = np.random.default_rng(9)
    instances = np.cumsum(random.standard_normal((7, 40)), axis=0).astype(np.float32)
    search = PriorSearch(instances, np.repeat(np.arange(4), 10), 6)
    assert search.score(search.run(1, 4)) >= search.score(search.run(1, 1))


def test_an_edge_from_chance_is_deleted():
    instances, parts = chain(6, 80)
    search = PriorSearch(instances, parts, 8)
    begun = network_of({1: [0, 3]}, 4)
    score, found = search._climb(begun)
    assert 3 not in found.of(1)
    assert score == pytest.approx(search.score(found))
    assert score > search.score(begun)


def test_an_edge_the_wrong_way_round_is_reversed():
    """x from x squared has two answers; x squared from x has one."""
    random = np.random.default_rng(0)
    x = random.uniform(-2.0, 2.0, 80)
    instances = np.stack([x, x**2]).astype(np.float32)
    search = PriorSearch(instances, np.repeat(np.arange(4), 20), 8)
    score, found = search._climb(network_of({0: [1]}, 2))
    assert (found.of(0).tolist(), found.of(1).tolist()) == ([], [0])
    assert score == pytest.approx(search.score(network_of({1: [0]}, 2)))


def test_reversals_close_no_circle():
    """0 -> 1 -> 2 and 0 -> 2: turned round, the last edge would."""
    random = np.random.default_rng(1)
    x = random.uniform(-2.0, 2.0, 80)
    instances = np.stack([x**2, x**2 + 0.3 * random.standard_normal(80), x]).astype(np.float32)
    search = PriorSearch(instances, np.repeat(np.arange(4), 20), 8)
    _, found = search._climb(network_of({1: [0], 2: [0, 1]}, 3))
    assert is_acyclic(found)


def test_order_of_a_circle_is_short():
    assert len(order_of(network_of({0: [1], 1: [0]}, 3))) == 1


def test_instances_are_pairs_of_frames_near_the_beginning():
    encoded = [np.arange(24.0).reshape(12, 2), 100 + np.arange(8.0).reshape(4, 2)]
    instances, clips = instances_of(Examples.of(encoded, ["a", "b"]), pairs=5)
    assert clips.tolist() == [0] * 5 + [1] * 3
    np.testing.assert_array_equal(instances[:, 1], [2, 3, 4, 5])
    np.testing.assert_array_equal(instances[:, 7], [104, 105, 106, 107])


def test_first_frames_are_drawn_each_number_from_those_before_it():
    instances, _ = chain(8, 80)
    network = network_of({1: [0], 2: [1]}, 4)
    k, order = 8, order_of(network)
    random = np.random.default_rng(2)
    noise = random.standard_normal(4).astype(np.float32)
    favour = np.ones(80, np.float32)
    drawn = draw_first_frames(network, order, instances, favour, k, noise)
    values, nobody = np.zeros(4), np.zeros(80, bool)
    for i in (0, 3, 1, 2):
        mean, variance = naive_regress(i, network.of(i), values, instances.astype(float), nobody, k)
        values[i] = mean + noise[i] * np.sqrt(variance)
    np.testing.assert_allclose(drawn.reshape(-1), values, atol=1e-4)
    assert drawn.shape == (2, 2)
    many = np.stack(
        [
            draw_first_frames(
                network, order, instances, favour, k, random.standard_normal(4).astype(np.float32)
            ).reshape(-1)
            for _ in range(300)
        ]
    )
    assert np.corrcoef(many[:, 0], many[:, 1])[0, 1] > 0.98
    assert abs(np.corrcoef(many[:, 0], many[:, 3])[0, 1]) < 0.2


def test_what_is_favoured_counts_more():
    instances, _ = chain(8, 80)
    favour = np.where(instances[0] > 0.5, 1.0, 1e-6).astype(np.float32)
    for network in (no_edges(4, MOST_PARENTS), network_of({1: [0]}, 4)):
        drawn = draw_first_frames(network, order_of(network), instances, favour, 8, np.zeros(4, np.float32))
        np.testing.assert_allclose(drawn.reshape(-1)[:2], instances[:2, favour == 1.0].mean(axis=1), atol=0.2)
