"""Whatever clips and transitions there are: pruned graphs go on for ever, and files give them back."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.errors import GraphError
from walkon.graphs.file import read_graph, write_graph
from walkon.graphs.pruning import prune
from walkon.graphs.statistics import measure_graph, rows_used

PATH = Path(__file__).parents[1] / "unit" / "graphs" / "toy_graphs.py"
SPEC = importlib.util.spec_from_file_location("toy_graphs", PATH)
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)

graphs = st.builds(
    lambda seed, clips, transitions: toys.random_graph(np.random.default_rng(seed), clips, transitions),
    st.integers(0, 10**9),
    st.integers(1, 8),
    st.integers(1, 60),
)


@settings(max_examples=60, deadline=None)
@given(graphs, st.booleans())
def test_walks_on_pruned_graphs_never_end(graph, passages):
    try:
        pruned = prune(graph, passages=passages)
    except GraphError:
        return
    left = pruned.graph
    assert np.all(np.diff(left.offsets) > 0)
    # Who is on a lasting edge can stay with its labels: after every such edge comes another.
    for number in range(len(left.label_sets)):
        own = left.lasting & (left.labels == number)
        assert np.all(np.isin(left.heads[own], left.tails[own]))
    for core in pruned.cores:
        assert 0 <= core.kept + core.passing <= core.recorded
    assert np.array_equal(prune(left, passages=passages).graph.nodes, left.nodes)


@settings(max_examples=25, deadline=None)
@given(graphs)
def test_files_give_graphs_back(graph):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.graph"
        write_graph(path, graph)
        again = read_graph(path)
        for name in (
            "nodes",
            "offsets",
            "tails",
            "heads",
            "carries",
            "frames",
            "labels",
            "moves",
            "trails",
            "costs",
        ):
            assert np.array_equal(getattr(again, name), getattr(graph, name)), name
        assert again.label_sets == graph.label_sets
        write_graph(Path(folder) / "b.graph", again)
        assert (Path(folder) / "b.graph").read_bytes() == path.read_bytes()


@settings(max_examples=25, deadline=None)
@given(graphs)
def test_figures_are_within_what_can_be(graph):
    figures = measure_graph(graph, samples=10)
    assert figures.rows_used == int(rows_used(graph).sum()) <= figures.rows
    assert 0.0 <= figures.between_nodes.mean <= figures.between_nodes.worst
    assert 0.0 < figures.in_largest <= 1.0
    assert figures.components <= graph.node_count
    for label in figures.labels:
        assert label.seconds_used <= label.seconds + 1e-9
