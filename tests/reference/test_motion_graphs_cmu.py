"""All recordings of subject 16 become one motion graph without hand work, in which everything can be done."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.graphs.building import Built, build_motion_graph
from walkon.graphs.file import read_graph, write_graph
from walkon.graphs.graph import PLAIN
from walkon.motion import read_clip

NAMES = ("walk", "run", "jump", "stand")


@pytest.fixture(scope="module")
def built(mocap) -> Built:
    return build_motion_graph([read_clip(path) for path in sorted((mocap / "cmu" / "bvh").glob("16_*.bvh"))])


def test_there_is_one_piece_for_walking_and_one_for_running_with_ways_between(built):
    cores = {core.labels: core for core in built.pruned.cores}
    walk, run = (cores[frozenset({name})] for name in ("walk", "run"))
    assert walk.kept > 0.8 * walk.usable
    assert run.kept > 0.5 * run.usable
    assert built.pruned.cut_off == ()
    assert built.statistics.components == 1


def test_everything_can_be_done_from_everywhere(built):
    figures = {label.labels: label for label in built.statistics.labels}
    for name in NAMES:
        label = figures[frozenset({name})]
        assert label.times.reached == 1.0, name
        assert label.times.worst < 10.0, name
        assert label.seconds_used > 0.3 * label.seconds, name


def test_a_thousand_random_walks_of_a_minute_never_end(built):
    graph, rng = built.graph, np.random.default_rng(0)
    nodes, left = rng.integers(0, graph.node_count, 1000), np.full(1000, 60.0 * graph.fps)
    degrees = np.diff(graph.offsets)
    assert degrees.min() > 0
    while (left > 0).any():
        going = np.flatnonzero(left > 0)
        edges = graph.offsets[nodes[going]] + (rng.random(len(going)) * degrees[nodes[going]]).astype(int)
        assert np.array_equal(graph.tails[edges], nodes[going])
        nodes[going], left[going] = graph.heads[edges], left[going] - graph.frames[edges]


def test_who_keeps_to_one_kind_of_motion_never_has_to_leave_it(built):
    graph = built.graph
    for name in ("walk", "run"):
        own = graph.lasting & (graph.labels == graph.label_sets.index(frozenset({name})))
        assert np.all(np.isin(graph.heads[own], graph.tails[own])), name
        assert graph.frames[own & (graph.carries == PLAIN)].sum() > 200


def test_it_is_the_same_from_its_file(built, tmp_path):
    write_graph(tmp_path / "16.graph", built.graph)
    again = read_graph(tmp_path / "16.graph")
    for name in ("nodes", "heads", "carries", "labels", "moves", "trails", "costs"):
        assert np.array_equal(getattr(again, name), getattr(built.graph, name)), name
    assert np.array_equal(again.lasting, built.graph.lasting)
