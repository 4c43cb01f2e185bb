"""The graph's arrays against a naive twin that goes edge by edge and frame by frame."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs import ways
from walkon.graphs.graph import PLAIN, MotionGraph, assemble_graph, connect
from walkon.graphs.transitions import Transitions, blend_weights, no_transitions
from walkon.rotations import Placement

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).with_name("toy_graphs.py"))
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)


def place(track) -> Placement:
    return Placement(*(float(value) for value in track))


def twin_trail(graph: MotionGraph, edge: int) -> list[Placement]:
    """Where an edge leads, frame by frame, as seen from its beginning, by placements alone."""
    tracks = graph.corpus.tracks
    begin, end = graph.nodes[graph.tails[edge]], graph.nodes[graph.heads[edge]]
    home, number = place(tracks[begin]).inverse(), graph.carries[edge]
    if number == PLAIN:
        return [home @ place(tracks[row]) for row in range(begin + 1, end + 1)]
    trail, window = [], graph.window
    for p, share in enumerate(blend_weights(window)):
        own = place(tracks[begin + 1 + p])
        other = place(graph.transitions.alignments[number]) @ place(tracks[end - window + 1 + p])
        turn = np.arctan2(np.sin(other.heading - own.heading), np.cos(other.heading - own.heading))
        x, z = share * own.x + (1 - share) * other.x, share * own.z + (1 - share) * other.z
        trail.append(home @ Placement(x, z, own.heading + (1 - share) * turn))
    return trail


@pytest.fixture(scope="module", params=range(6))
def graph(request) -> MotionGraph:
    return toys.random_graph(np.random.default_rng(request.param))


def test_edges_are_sorted_and_every_node_knows_its_own(graph):
    assert np.all(np.diff(graph.tails) >= 0)
    for node in range(graph.node_count):
        leaving = graph.leaving(node)
        assert np.all(graph.tails[leaving] == node)
        plain = graph.carries[leaving] == PLAIN
        assert not plain[1:].any()
    assert graph.offsets[-1] == graph.edge_count == len(graph.heads)
    assert np.all(np.diff(graph.nodes) > 0)


def test_all_recorded_motion_is_there_once_and_every_transition(graph):
    plain = graph.carries == PLAIN
    assert graph.frames[plain].sum() == len(graph.corpus) - len(graph.corpus.library)
    assert sorted(graph.carries[~plain]) == list(range(len(graph.transitions)))
    over = graph.carries[~plain]
    assert np.array_equal(graph.nodes[graph.tails[~plain]], graph.transitions.sources[over])
    assert np.array_equal(graph.nodes[graph.heads[~plain]], graph.transitions.targets[over])
    assert np.allclose(graph.costs[~plain], graph.transitions.distances[over])
    assert not graph.costs[plain].any()
    assert np.all(graph.frames[~plain] == graph.window)


def test_trails_and_moves_are_those_of_the_twin(graph):
    for edge in range(graph.edge_count):
        trail = twin_trail(graph, edge)
        shown = graph.trails[graph.trail_offsets[edge] : graph.trail_offsets[edge + 1]]
        assert len(shown) == graph.frames[edge] == len(trail)
        assert np.allclose(shown, [[one.x, one.z] for one in trail], atol=1e-12)
        assert np.allclose(graph.moves[edge], [trail[-1].x, trail[-1].z, trail[-1].heading], atol=1e-12)


def test_a_walk_by_moves_ends_where_carried_recordings_do(graph):
    """After a transition the world is the target's recording, carried: moves add up without drift."""
    rng = np.random.default_rng(0)
    node, tracks = int(rng.integers(graph.node_count)), graph.corpus.tracks
    carried, here = Placement(), place(tracks[graph.nodes[node]])
    for _ in range(200):
        if not len(graph.leaving(node)):
            break
        edge = rng.choice(graph.leaving(node))
        if graph.carries[edge] != PLAIN:
            carried = carried @ place(graph.transitions.alignments[graph.carries[edge]])
        here = here @ place(graph.moves[edge])
        node = graph.heads[edge]
        there = carried @ place(tracks[graph.nodes[node]])
        assert np.allclose([here.x, here.z], [there.x, there.z], atol=1e-9)
        assert abs(np.sin(0.5 * (here.heading - there.heading))) < 1e-9


def test_ways_laid_a_few_frames_at_a_time_are_the_same(graph, monkeypatch):
    monkeypatch.setattr(ways, "FRAMES_AT_ONCE", 5)
    again = assemble_graph(graph.corpus, graph.transitions)
    assert np.array_equal(again.trails, graph.trails)
    assert np.array_equal(again.moves, graph.moves)


def test_labels_of_edges_are_those_of_all_rows_they_show(graph):
    corpus = graph.corpus
    rows_of = [corpus.label_sets[number] for number in corpus.labels]
    for edge in range(graph.edge_count):
        begin, end = graph.nodes[graph.tails[edge]], graph.nodes[graph.heads[edge]]
        shown = graph.label_sets[graph.labels[edge]]
        if graph.carries[edge] == PLAIN:
            assert {rows_of[row] for row in range(begin + 1, end + 1)} == {shown}
        else:
            k = graph.window
            mixed = [*range(begin + 1, begin + 1 + k), *range(end - k + 1, end + 1)]
            assert shown == frozenset().union(*(rows_of[row] for row in mixed))
    assert graph.label_sets[: len(corpus.label_sets)] == corpus.label_sets
    assert len(set(graph.label_sets)) == len(graph.label_sets)


def test_a_blend_of_sets_that_were_recorded_together_has_the_number_of_that_set():
    graph = toys.toy_graph("wwwwwwww", "WWWWWWWW", pairs=[(2, 12)])
    blend = int(np.argmax(graph.carries != PLAIN))
    assert graph.label_sets == (frozenset({"w"}), frozenset({"w", "loud"}))
    assert graph.labels[blend] == 1


def test_frames_without_labels_have_the_empty_set():
    graph = toys.toy_graph("..ww..", pairs=[])
    assert graph.label_sets == (frozenset(), frozenset({"w"}))
    assert graph.nodes.tolist() == [0, 1, 3, 5]


def test_lasting_edges_are_those_after_which_walks_with_the_same_labels_never_end(graph):
    """Twin: an edge is not lasting if all walks after it with the same labels end within E edges."""
    for edge in range(graph.edge_count):
        ends = {int(graph.heads[edge])}
        for _ in range(graph.edge_count + 1):
            ends = {
                int(graph.heads[e])
                for n in ends
                for e in graph.leaving(n)
                if graph.labels[e] == graph.labels[edge]
            }
        assert graph.lasting[edge] == bool(ends), edge


def test_arrays_cannot_be_written_and_those_given_still_can():
    corpus = toys.toy_corpus("wwwwwwww")
    transitions = toys.toy_transitions(corpus, [(4, 3)])
    nodes = np.array([0, 3, 4, 7])
    tails, heads, carries = np.array([0, 1, 2, 2]), np.array([1, 2, 3, 1]), np.array([-1, -1, -1, 0])
    graph = connect(corpus, transitions, nodes, tails, heads, carries)
    for name in ("nodes", "offsets", "heads", "moves", "trails", "costs"):
        assert not getattr(graph, name).flags.writeable, name
    nodes[0] = 0
    assert repr(graph) == "MotionGraph(1 clips, 8 rows, 4 choice points, 1 transitions)"


def test_a_graph_without_transitions_is_the_clips():
    corpus = toys.toy_corpus("wwww", "w")
    graph = assemble_graph(corpus, no_transitions(10))
    assert graph.nodes.tolist() == [0, 3, 4]
    assert graph.frames.tolist() == [3]
    empty = connect(corpus, no_transitions(10), *(np.zeros(0, np.int64) for _ in range(4)))
    assert (empty.node_count, empty.edge_count, empty.trails.shape) == (0, 0, (0, 2))
    assert len(empty.lasting) == 0


@pytest.mark.parametrize(
    ("nodes", "tails", "heads", "carries", "said"),
    [
        ([0, 3, 20], [0], [1], [-1], "rows of the recordings"),
        ([-1, 3], [0], [1], [-1], "rows of the recordings"),
        ([3, 0], [0], [1], [-1], "in order"),
        ([0, 3, 3], [0], [1], [-1], "each once"),
        ([0, 3], [0, 1], [1], [-1], "one beginning"),
        ([0, 3], [0], [2], [-1], "not there"),
        ([0, 3], [-1], [1], [-1], "not there"),
        ([0, 3], [0], [1], [1], "not there"),
        ([0, 3], [0], [1], [-2], "not there"),
        ([0, 3], [1], [0], [-1], "forward"),
        ([0, 3], [1], [1], [-1], "forward"),
        ([0, 10], [0], [1], [-1], "within one clip"),
        ([8, 13], [0], [1], [-1], "same labels"),
        ([0, 3, 5], [0, 0], [1, 2], [-1, -1], "overlap"),
        ([0, 3, 4], [0], [1], [0], "does not begin or end where its transition does"),
    ],
)
def test_edges_that_lead_nowhere_are_refused(nodes, tails, heads, carries, said):
    corpus = toys.toy_corpus("wwwwwwww", "wwrrrrrr")
    transitions = toys.toy_transitions(corpus, [(4, 3)])
    with pytest.raises(GraphError, match=said):
        connect(corpus, transitions, *(np.array(one, dtype=np.int64) for one in (nodes, tails, heads, carries)))


@pytest.mark.parametrize(
    ("source", "target"), [(5, 3), (-1, 3), (40, 3), (4, 1), (4, 8), (4, 9), (4, 16), (12, 3)]
)
def test_transitions_that_need_frames_beyond_a_clip_are_refused(source, target):
    corpus = toys.toy_corpus("wwwwwwww", "wwrrrrrr")
    transitions = toys.toy_transitions(corpus, [(source, target)])
    fits = (source, target) == (12, 3)
    if fits:
        assert assemble_graph(corpus, transitions).edge_count > 0
        return
    with pytest.raises(GraphError, match=r"beyond the ends|not there"):
        assemble_graph(corpus, transitions)


def test_transitions_that_do_not_hold_together_are_refused():
    corpus = toys.toy_corpus("wwwwwwww")
    good = toys.toy_transitions(corpus, [(4, 3)])
    for change in (
        {"window": 0},
        {"distances": np.array([np.nan])},
        {"alignments": np.array([[0.0, np.inf, 0.0]])},
        {"alignments": np.zeros((1, 2))},
        {"targets": np.array([3, 3])},
    ):
        values = {
            name: getattr(good, name) for name in ("window", "sources", "targets", "distances", "alignments")
        }
        with pytest.raises(GraphError):
            assemble_graph(corpus, Transitions(**{**values, **change}))


def test_a_subset_keeps_the_order():
    corpus = toys.toy_corpus("wwwwwwwwwwww")
    transitions = toys.toy_transitions(corpus, [(2, 5), (4, 8), (6, 3)])
    assert transitions.subset(np.array([2, 0])).sources.tolist() == [2, 6]
    assert transitions.subset(np.array([False, True, True])).targets.tolist() == [8, 3]
    assert len(transitions.subset(np.zeros(0, np.int64))) == 0
    assert transitions.subset(np.array([1])).window == transitions.window


def test_blend_weights_fall_from_one_to_zero_without_a_corner():
    weights = np.concatenate([[1.0], blend_weights(1000)])
    assert weights[-1] == 0.0
    assert np.all(np.diff(weights) < 0)
    steps = np.diff(weights) * 1000
    assert abs(steps[0]) < 0.01
    assert abs(steps[-1]) < 0.01
    assert np.allclose(weights + weights[::-1], 1.0)
