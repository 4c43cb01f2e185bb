"""Figures of graphs small enough to work them out by hand, and of random ones against a naive twin."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.graphs.graph import PLAIN
from walkon.graphs.statistics import measure_graph, rows_used

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).with_name("toy_graphs.py"))
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)


def all_times(graph) -> np.ndarray:
    """Seconds (V, V) between all nodes, by Floyd and Warshall."""
    times = np.full((graph.node_count, graph.node_count), np.inf)
    np.fill_diagonal(times, 0.0)
    for tail, head, frames in zip(graph.tails, graph.heads, graph.frames, strict=True):
        times[tail, head] = min(times[tail, head], frames / graph.fps)
    for middle in range(graph.node_count):
        times = np.minimum(times, times[:, middle, None] + times[None, middle, :])
    return times


def test_a_loop_by_hand():
    """Rows 4 to 7 of the first clip and 16 to 19 of the second, blends of 3 frames between: 12 frames around."""
    graph = toys.toy_graph("w" * 12, "r" * 12, pairs=[(7, 16), (19, 4)])
    from walkon.graphs.pruning import prune

    figures = measure_graph(prune(graph).graph)
    assert (figures.rows, figures.rows_used) == (24, 8)
    assert (figures.nodes, figures.edges, figures.transitions) == (4, 4, 2)
    assert figures.transitions_per_second == pytest.approx(2 / (8 / 30))
    assert (figures.mean_branching, figures.most_branching) == (1.0, 1)
    assert (figures.components, figures.in_largest) == (1, 1.0)
    assert figures.between_nodes.mean == pytest.approx((3 + 6 + 9) / 3 / 30)
    assert figures.between_nodes.worst == pytest.approx(9 / 30)
    assert figures.between_nodes.reached == 1.0
    assert figures.to_clips.mean == pytest.approx((0 + 0 + 3 + 6) / 4 / 30)
    walk, run = figures.labels
    assert walk.labels == {"w"}
    assert (walk.seconds, walk.seconds_used) == pytest.approx((12 / 30, 4 / 30))
    assert (walk.edges, walk.transitions) == (1, 0)
    assert run.times.mean == pytest.approx((6 + 3 + 0 + 9) / 4 / 30)
    assert run.times.worst == pytest.approx(9 / 30)


def test_edges_side_by_side_count_once_by_the_shorter():
    """A transition from row 4 to row 8 takes 3 frames where the recording takes 4."""
    graph = toys.toy_graph("w" * 14, pairs=[(4, 8), (10, 4)])
    assert any(carry != PLAIN for carry in graph.carries)
    figures = measure_graph(graph)
    times = all_times(graph)
    apart = times[~np.eye(graph.node_count, dtype=bool)]
    assert figures.between_nodes.mean == pytest.approx(apart[np.isfinite(apart)].mean())


@pytest.mark.parametrize("seed", range(8))
def test_random_graphs_have_the_times_of_the_twin(seed):
    graph = toys.random_graph(np.random.default_rng(seed), clips=6, transitions=25)
    figures, times = measure_graph(graph), all_times(graph)
    apart = times[~np.eye(graph.node_count, dtype=bool)]
    there = np.isfinite(apart)
    assert figures.between_nodes.mean == pytest.approx(apart[there].mean())
    assert figures.between_nodes.worst == pytest.approx(apart[there].max())
    assert figures.between_nodes.reached == pytest.approx(there.mean())
    clips = graph.corpus.library.clip_of_frame[graph.nodes]
    into = np.concatenate([times[:, clips == clip].min(axis=1) for clip in np.unique(clips)])
    assert figures.to_clips.mean == pytest.approx(into[np.isfinite(into)].mean())
    assert figures.to_clips.reached == pytest.approx(np.isfinite(into).mean())
    for number, label in enumerate(figures.labels):
        begins = np.unique(graph.tails[graph.labels == number])
        if not len(begins):
            assert label.times.reached == 0.0
            continue
        until = times[:, begins].min(axis=1)
        assert label.times.worst == pytest.approx(until[np.isfinite(until)].max())
        assert label.times.reached == pytest.approx(np.isfinite(until).mean())
    assert figures.sampled == graph.node_count
    assert sum(label.edges for label in figures.labels) <= graph.edge_count
    assert figures.mean_branching == pytest.approx(graph.edge_count / graph.node_count)


def test_rows_in_use_are_those_of_pieces_and_choice_points():
    graph = toys.random_graph(np.random.default_rng(2))
    from walkon.graphs.pruning import prune

    left = prune(graph).graph
    shown = np.zeros(len(left.corpus), dtype=bool)
    shown[left.nodes] = True
    for tail, head, carry in zip(left.tails, left.heads, left.carries, strict=True):
        if carry == PLAIN:
            shown[left.nodes[tail] : left.nodes[head] + 1] = True
    assert np.array_equal(rows_used(left), shown)
    assert not shown.all()


def test_a_sample_is_near_the_whole_and_the_same_every_time():
    graph = toys.random_graph(np.random.default_rng(5), clips=20, transitions=120)
    whole, some = measure_graph(graph), measure_graph(graph, samples=40)
    assert some.sampled == 40 < whole.sampled
    assert some.between_nodes.mean == pytest.approx(whole.between_nodes.mean, rel=0.25)
    assert some.between_nodes.worst <= whole.between_nodes.worst
    assert some == measure_graph(graph, samples=40)
    assert some.labels == whole.labels


def test_turning_and_speed_are_measured_by_label():
    """A circle to the left at 1 m/s and 0.5 rad/s."""
    from dataclasses import replace

    corpus = toys.toy_corpus("w" * 60, "r" * 60)
    heading = np.arange(60) / 60.0
    circle = np.stack([-2.0 * np.cos(heading), 2.0 * np.sin(heading), heading], axis=1)
    straight = np.stack([np.zeros(60), 3.0 * np.arange(60) / 30.0, np.zeros(60)], axis=1)
    corpus = replace(corpus, tracks=np.concatenate([circle, straight]))
    from walkon.graphs.graph import assemble_graph

    walk, run = measure_graph(assemble_graph(corpus, toys.toy_transitions(corpus, [(50, 5), (110, 65)]))).labels
    assert walk.speed == pytest.approx(1.0, rel=1e-3)
    assert (walk.turns_left, walk.turns_right) == (pytest.approx(0.5), 0.0)
    assert run.speed == pytest.approx(3.0)
    assert (run.turns_left, run.turns_right) == (0.0, 0.0)
