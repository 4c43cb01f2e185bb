"""What pruning leaves can always be gone on with; what it says of the rest is true."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.graph import PLAIN, MotionGraph
from walkon.graphs.pruning import prune
from walkon.graphs.transitions import no_transitions

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).with_name("toy_graphs.py"))
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)

WALK, RUN, STAND = frozenset({"w"}), frozenset({"r"}), frozenset({"s"})


def edges_of(graph: MotionGraph) -> set[tuple[int, int, bool]]:
    """Every edge as the rows at its ends, and whether it is a piece of a recording."""
    ends = zip(graph.nodes[graph.tails].tolist(), graph.nodes[graph.heads].tolist(), strict=True)
    return {(a, b, carried == PLAIN) for (a, b), carried in zip(ends, graph.carries, strict=True)}


def reachable(graph: MotionGraph, edges: set[int], begin: int) -> set[int]:
    """Nodes from `begin` on over some edges, the naive way."""
    seen, front = {begin}, [begin]
    while front:
        node = front.pop()
        for edge in graph.leaving(node):
            if int(edge) in edges and int(graph.heads[edge]) not in seen:
                seen.add(int(graph.heads[edge]))
                front.append(int(graph.heads[edge]))
    return seen


def twin_cores(graph: MotionGraph, least_share: float) -> dict[int, set[int]]:
    """For every recorded set of labels the edges of its core, by reachability from every node to every other."""
    cores = {}
    for number in range(len(graph.corpus.label_sets)):
        own = {int(edge) for edge in np.flatnonzero(graph.labels == number)}
        ahead = {node: reachable(graph, own, node) for node in range(graph.node_count)}
        best, most = set(), 0
        for node, others in ahead.items():
            group = {other for other in others if node in ahead[other]}
            inside = {e for e in own if int(graph.tails[e]) in group and int(graph.heads[e]) in group}
            size = sum(int(graph.frames[e]) for e in inside if graph.carries[e] == PLAIN)
            if size > most:
                best, most = inside, size
        recorded = sum(int(graph.frames[e]) for e in own if graph.carries[e] == PLAIN)
        if most > least_share * recorded:
            cores[number] = best
    return cores


def test_a_graph_like_that_of_figure_4():
    """Two clips that lead to each other and back; what is before the first way in and after the last out goes."""
    graph = toys.toy_graph("w" * 12, "w" * 12, pairs=[(7, 16), (19, 4)])
    left = prune(graph).graph
    assert edges_of(left) == {(4, 7, True), (7, 16, False), (16, 19, True), (19, 4, False)}
    assert left.nodes.tolist() == [4, 7, 16, 19]
    assert left.lasting.all()
    assert len(left.transitions) == 2


def test_of_two_components_with_the_same_labels_the_one_with_more_recorded_frames_is_the_core():
    graph = toys.toy_graph("w" * 12, "w" * 40, pairs=[(8, 3), (27, 15)])
    pruned = prune(graph)
    assert edges_of(pruned.graph) == {(15, 27, True), (27, 15, False)}
    (core,) = pruned.cores
    assert (core.labels, core.recorded, core.usable, core.kept, core.passing) == (WALK, 11 + 39, 6 + 34, 12, 0)
    assert pruned.warnings == ('only 12 of 40 usable frames of "w" follow each other freely',)


def test_blends_of_two_kinds_of_motion_stay_where_both_ends_do():
    """Rows 0-11 walk, 12-23 run. Blends (8, 16) and (20, 4) join the cores; (9, 22) ends after the run's core."""
    graph = toys.toy_graph("w" * 13, "r" * 13, pairs=[(8, 4), (21, 17), (8, 17), (21, 4), (8, 23)])
    pruned = prune(graph)
    assert edges_of(pruned.graph) == {
        (4, 8, True), (8, 4, False), (17, 21, True), (21, 17, False), (8, 17, False), (21, 4, False),
    }  # fmt: skip
    assert pruned.cut_off == ()
    assert pruned.warnings == ()


def test_a_set_that_cannot_be_kept_up_is_a_passage_between_those_that_can():
    """Walk, stop, walk on: standing has no cycle of its own, and is kept."""
    graph = toys.toy_graph("w" * 12 + "s" * 6 + "w" * 12, pairs=[(8, 4), (26, 21), (26, 4)])
    pruned = prune(graph)
    rows = edges_of(pruned.graph)
    assert (11, 17, True) in rows
    assert (8, 11, True) in rows
    assert (17, 21, True) in rows
    stand = pruned.graph.corpus.label_sets.index(STAND)
    lasting = {tuple(pair) for pair in pruned.graph.nodes[
        np.stack([pruned.graph.tails, pruned.graph.heads], axis=1)[pruned.graph.lasting]]}  # fmt: skip
    # One can walk on for ever after standing, but not on the last steps before it.
    assert (17, 21) in lasting
    assert (8, 11) not in lasting
    assert not pruned.graph.lasting[pruned.graph.labels == stand].any()
    assert '"s" cannot be kept up: it is only a passage from one kind of motion to another' in pruned.warnings


def test_two_blends_end_to_end_are_a_change_of_mind():
    """From walking into the run at row 17 and at once back, without one step of running: both go."""
    graph = toys.toy_graph("w" * 13, "r" * 13, pairs=[(8, 4), (8, 17), (17, 4)])
    assert edges_of(prune(graph).graph) == {(4, 8, True), (8, 4, False)}
    runs = toys.toy_graph("w" * 13, "r" * 13, pairs=[(8, 4), (8, 17), (21, 4)])
    assert (17, 21, True) in edges_of(prune(runs).graph)


def test_without_passages_every_recorded_edge_is_in_its_core_as_in_the_paper():
    graph = toys.toy_graph("w" * 12 + "s" * 6 + "w" * 12, pairs=[(8, 4), (26, 21), (26, 4)])
    pruned = prune(graph, passages=False)
    assert edges_of(pruned.graph) == {(21, 26, True), (26, 21, False)}
    assert STAND not in {pruned.graph.label_sets[number] for number in pruned.graph.labels}
    assert any("nothing is left of" in said for said in pruned.warnings)


def test_a_tiny_accident_is_no_core_and_no_trap():
    """A jump that can only go back into itself must not keep anybody."""
    graph = toys.toy_graph("w" * 20 + "j" * 60, pairs=[(14, 4), (14, 30), (33, 32)])
    pruned = prune(graph)
    assert {pruned.graph.label_sets[number] for number in pruned.graph.labels} == {WALK}
    assert any('nothing is left of "j"' in said for said in pruned.warnings)


def test_one_way_streets_and_sinks_are_reported():
    graph = toys.toy_graph("w" * 13, "r" * 13, pairs=[(8, 4), (21, 17), (8, 17)])
    pruned = prune(graph)
    assert pruned.cut_off == ((RUN, WALK),)
    assert 'no way leads from "r" to "w"' in pruned.warnings
    assert '"r" is a sink: once there, nothing else can follow' in pruned.warnings


def test_kinds_of_motion_that_only_go_on_together_are_one_core():
    graph = toys.toy_graph("wwwwwrrrrr", pairs=[(7, 2)], window=2)
    pruned = prune(graph)
    assert edges_of(pruned.graph) == {(2, 4, True), (4, 7, True), (7, 2, False)}
    assert len([said for said in pruned.warnings if "cannot be kept up" in said]) == 2


def test_nothing_to_go_on_with_is_an_error():
    with pytest.raises(GraphError, match="nothing in the recordings can be gone on with"):
        prune(toys.toy_graph("w" * 12, "w" * 12, pairs=[(7, 16)]))
    corpus = toys.toy_corpus("wwww")
    from walkon.graphs.graph import assemble_graph

    with pytest.raises(GraphError):
        prune(assemble_graph(corpus, no_transitions(3)))


@pytest.mark.parametrize("passages", [True, False])
@pytest.mark.parametrize("seed", range(25))
def test_random_graphs_have_the_cores_of_the_twin_and_no_dead_ends(seed, passages):
    rng = np.random.default_rng(seed)
    graph = toys.random_graph(rng, clips=int(rng.integers(2, 7)), transitions=int(rng.integers(6, 30)))
    twins = twin_cores(graph, 0.1)
    try:
        pruned = prune(graph, passages=passages)
    except GraphError:
        assert not twins
        return
    left = pruned.graph
    assert np.all(np.diff(left.offsets) > 0), "a dead end"
    assert set(left.tails.tolist()) | set(left.heads.tolist()) == set(range(left.node_count))
    assert edges_of(left) <= edges_of(graph)
    assert prune(left, passages=passages).graph.edge_count == left.edge_count, "not a fixed point"
    if not twins:
        return
    wanted = set().union(*twins.values())
    rows = edges_of(left)
    for edge in wanted:
        a, b = int(graph.nodes[graph.tails[edge]]), int(graph.nodes[graph.heads[edge]])
        assert (a, b, graph.carries[edge] == PLAIN) in rows
    for core in pruned.cores:
        number = graph.corpus.label_sets.index(core.labels)
        edges = twins.get(number, set())
        assert core.kept == sum(int(graph.frames[e]) for e in edges if graph.carries[e] == PLAIN)
    if not passages:
        recorded = left.labels < len(left.corpus.label_sets)
        assert left.lasting[recorded].all()
        assert edges_of(left) == edges_of(prune(left, passages=False).graph)
