"""One graph, three ways to write it down: a walk in one is a walk in the others."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import GraphError
from walkon.graphs import MotionGraph, Transitions, assemble_graph, gather_corpus
from walkon.graphs.encodings import (
    ClipWalk,
    as_clip_graph,
    as_markov_chain,
    choice_walk,
    clip_walk,
    row_walk,
    save_encoding,
)
from walkon.graphs.graph import PLAIN
from walkon.graphs.performing.walks import Walk

WINDOW = 6


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    corpus = gather_corpus([make("walk", speed=v, cycles=3).with_changes(name=f"walk at {v}") for v in (1.0, 1.5)])
    rng = np.random.default_rng(1)
    library = corpus.library
    rows = np.arange(len(corpus))
    left = library.stops[library.clip_of_frame] - 1 - rows
    gone = rows - library.starts[library.clip_of_frame]
    sources = rng.choice(np.flatnonzero(left >= WINDOW), 40, replace=False)
    targets = rng.choice(np.flatnonzero(gone >= WINDOW - 1), 40, replace=False)
    kept = np.abs(targets - sources - WINDOW) > WINDOW
    sources, targets = np.sort(sources[kept]), targets[kept]
    count = len(sources)
    return assemble_graph(
        corpus, Transitions(WINDOW, sources, targets, 0.1 * rng.random(count), rng.normal(size=(count, 3)))
    )


def wandering(graph: MotionGraph, seed: int, edges: int = 25) -> Walk:
    rng = np.random.default_rng(seed)
    start = node = int(rng.integers(graph.node_count))
    taken: list[int] = []
    while len(taken) < edges and len(graph.leaving(node)):
        taken.append(int(rng.choice(graph.leaving(node))))
        node = int(graph.heads[taken[-1]])
    return Walk(graph, start, np.array(taken, dtype=np.int64))


@pytest.mark.parametrize("seed", range(20))
def test_a_walk_in_one_is_a_walk_in_the_others(graph: MotionGraph, seed: int) -> None:
    walk = wandering(graph, seed)
    between_clips = clip_walk(walk)
    rows = row_walk(graph, between_clips)
    chain = as_markov_chain(graph)
    steps = [chain.step(int(a), int(b)) for a, b in pairwise(rows)]
    assert [step for step in steps if step != PLAIN] == between_clips.hops.tolist()
    clips = as_clip_graph(graph)
    for hop in between_clips.hops:
        assert any(hop in clips.transitions_of(int(cluster)) for cluster in clips.coarse(0))
    back = choice_walk(graph, rows)
    assert back.start == walk.start
    assert np.array_equal(back.edges, walk.edges)


@pytest.mark.parametrize("seed", range(10))
def test_what_the_chain_does_the_graph_can_do(graph: MotionGraph, seed: int) -> None:
    chain = as_markov_chain(graph, sigma=1.0)
    rows = chain.sample(int(graph.nodes[seed % graph.node_count]), 120, seed)
    # The chain may stop between two choice points.
    known = np.flatnonzero(np.isin(rows, graph.nodes))
    rows = rows[: known[-1] + 1]
    walk = choice_walk(graph, rows)
    assert np.array_equal(row_walk(graph, clip_walk(walk)), rows)


def test_the_chain_is_a_chain(graph: MotionGraph) -> None:
    chain = as_markov_chain(graph, sigma=0.05)
    sums = chain.matrix.sum(axis=1)
    leads_on = np.diff(chain.matrix.indptr) > 0
    assert np.allclose(sums[leads_on], 1.0)
    assert np.all(sums[~leads_on] == 0.0)
    assert chain.matrix.nnz == len(chain.carries)
    # As likely as exp(-D / sigma), beside the next row, whose distance is 0.
    for transition in range(len(graph.transitions)):
        source, target = graph.transitions.sources[transition], graph.transitions.targets[transition]
        share = chain.matrix[source, target] / chain.matrix[source, source + 1]
        assert share == pytest.approx(np.exp(-graph.transitions.distances[transition] / 0.05))


def test_steps_are_the_rows_and_the_transitions(graph: MotionGraph) -> None:
    chain = as_markov_chain(graph)
    library = graph.corpus.library
    assert np.sum(chain.carries == PLAIN) == len(graph.corpus) - len(library)
    assert sorted(chain.carries[chain.carries != PLAIN]) == list(range(len(graph.transitions)))
    with pytest.raises(GraphError, match="never follows"):
        chain.step(0, 0)


def test_what_is_no_walk_is_refused(graph: MotionGraph) -> None:
    with pytest.raises(GraphError, match="does not come after"):
        row_walk(graph, ClipWalk(30, np.zeros(0, np.int64), 10))
    inside = next(row for row in range(len(graph.corpus)) if row not in graph.nodes)
    with pytest.raises(GraphError, match="no choice point"):
        choice_walk(graph, [inside, inside + 1])
    with pytest.raises(GraphError, match="sigma"):
        as_markov_chain(graph, sigma=0.0)


def test_a_saved_chain_is_a_matrix_that_scipy_reads(graph: MotionGraph, tmp_path) -> None:
    from scipy.sparse import load_npz

    chain = as_markov_chain(graph)
    save_encoding(tmp_path / "chain.npz", chain)
    assert (load_npz(tmp_path / "chain.npz") != chain.matrix).nnz == 0
    with np.load(tmp_path / "chain.npz") as kept:
        assert np.array_equal(kept["carries"], chain.carries)


def test_saved_clusters_hold_every_transition(graph: MotionGraph, tmp_path) -> None:
    save_encoding(tmp_path / "clips.npz", as_clip_graph(graph))
    with np.load(tmp_path / "clips.npz") as kept:
        assert sorted(kept["order"]) == list(range(len(graph.transitions)))
        assert np.array_equal(kept["sources"], graph.transitions.sources)
