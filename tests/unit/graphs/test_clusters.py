"""Transitions from coarse to fine: every level holds all of them, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import GraphError
from walkon.graphs import Corpus, Transitions, gather_corpus
from walkon.graphs.clusters import NONE, ClipGraph, _two_means, cluster_transitions
from walkon.graphs.transitions import no_transitions

WINDOW = 6


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    speeds = (1.0, 1.3, 1.6)
    return gather_corpus([make("walk", speed=v, cycles=3).with_changes(name=f"walk at {v}") for v in speeds])


def some_transitions(corpus: Corpus, count: int, seed: int = 0) -> Transitions:
    """Transitions between rows at random, with windows that lie within their clips."""
    rng = np.random.default_rng(seed)
    library = corpus.library
    left = library.stops[library.clip_of_frame] - 1 - np.arange(len(corpus))
    gone = np.arange(len(corpus)) - library.starts[library.clip_of_frame]
    pairs = np.stack(
        [
            rng.choice(np.flatnonzero(left >= WINDOW), count),
            rng.choice(np.flatnonzero(gone >= WINDOW - 1), count),
        ],
        axis=1,
    )
    pairs = np.unique(pairs[np.abs(pairs[:, 1] - pairs[:, 0] - WINDOW) > 2], axis=0)
    return Transitions(WINDOW, pairs[:, 0], pairs[:, 1], rng.random(len(pairs)), rng.normal(size=(len(pairs), 3)))


@pytest.fixture(scope="module")
def graph(corpus: Corpus) -> ClipGraph:
    return cluster_transitions(corpus, some_transitions(corpus, 300))


def test_every_level_holds_every_transition_once(graph: ClipGraph) -> None:
    for level in range(graph.depth + 2):
        held = np.concatenate([graph.transitions_of(cluster) for cluster in graph.coarse(level)])
        assert sorted(held) == list(range(len(graph.transitions)))


def test_the_finest_level_is_the_transitions(graph: ClipGraph) -> None:
    finest = graph.coarse(graph.depth)
    assert np.all(graph.ends[finest] - graph.begins[finest] == 1)
    assert sorted(graph.best[finest]) == list(range(len(graph.transitions)))


def test_every_coarse_edge_has_a_descendant(graph: ClipGraph) -> None:
    for root in graph.coarse(0):
        left, found = [int(root)], []
        while left:
            cluster = left.pop()
            kids = graph.children(cluster)
            found += [] if len(kids) else graph.transitions_of(cluster).tolist()
            left += kids.tolist()
        assert found
        assert sorted(found) == sorted(graph.transitions_of(int(root)))


def test_a_cluster_is_its_children_together(graph: ClipGraph) -> None:
    for cluster in range(len(graph.levels)):
        kids = graph.children(cluster)
        if len(kids):
            parts = np.concatenate([graph.transitions_of(int(kid)) for kid in kids])
            assert np.array_equal(parts, graph.transitions_of(cluster))
            assert np.all(graph.parents[kids] == cluster)
            assert np.all(graph.levels[kids] == graph.levels[cluster] + 1)
            assert all(len(graph.transitions_of(int(kid))) for kid in kids)


def test_the_cheapest_stands_for_all(graph: ClipGraph) -> None:
    distances = graph.transitions.distances
    for cluster in range(len(graph.levels)):
        members = graph.transitions_of(cluster)
        assert graph.best[cluster] in members
        assert graph.costs[cluster] == distances[members].min()


def test_clusters_lead_from_one_clip_to_one_clip(corpus: Corpus, graph: ClipGraph) -> None:
    owner = corpus.library.clip_of_frame
    for cluster in range(len(graph.levels)):
        members = graph.transitions_of(cluster)
        assert np.all(owner[graph.transitions.sources[members]] == graph.tails[cluster])
        assert np.all(owner[graph.transitions.targets[members]] == graph.heads[cluster])
    for clip in range(len(corpus.library)):
        roots = graph.leaving(clip)
        assert np.all(graph.tails[roots] == clip)
        assert np.all(np.diff(graph.heads[roots]) > 0)
    assert graph.root_count == np.sum(graph.parents == NONE)


def test_clumps_come_apart_first(corpus: Corpus) -> None:
    """Two clumps of transitions between the same clips are the first two children."""
    sources = np.array([20, 21, 22, 60, 61, 62])
    targets = sources + int(corpus.library.starts[1])
    clumps = Transitions(WINDOW, sources, targets, np.ones(6), np.zeros((6, 3)))
    graph = cluster_transitions(corpus, clumps)
    one, other = (set(graph.transitions_of(int(kid)).tolist()) for kid in graph.children(0))
    assert {frozenset(one), frozenset(other)} == {frozenset({0, 1, 2}), frozenset({3, 4, 5})}


def test_splitting_is_two_means() -> None:
    """Nobody is nearer to the middle of the other group."""
    rng = np.random.default_rng(4)
    for count in (2, 3, 7, 40):
        points = rng.integers(0, 60, size=(count, 2)).astype(float)
        first = _two_means(points)
        one, other = points[first].mean(axis=0), points[~first].mean(axis=0)
        away = [np.linalg.norm(points - middle, axis=1) for middle in (one, other)]
        assert np.array_equal(first, away[0] < away[1])


def test_places_that_coincide_still_come_apart() -> None:
    assert _two_means(np.ones((5, 2))).sum() == 2


def test_without_transitions_there_are_no_clusters(corpus: Corpus) -> None:
    graph = cluster_transitions(corpus, no_transitions(WINDOW))
    assert graph.root_count == 0
    assert len(graph.coarse(0)) == 0
    assert len(graph.leaving(1)) == 0
    with pytest.raises(GraphError, match="counted from 0"):
        graph.coarse(-1)
