"""How good a motion graph is: how much of the recordings is in use, and how soon one thing can follow another.

In the spirit of Reitsma and Pollard, who ask of a graph what a character can do with it. All times are of motion
that has to be shown on the way, in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from walkon.basics import Array, Indices
from walkon.graphs.corpus import LabelSet
from walkon.graphs.graph import PLAIN, MotionGraph
from walkon.graphs.reachability import strong_components

SAMPLED_AT_MOST = 200
"""Choice points from which, and clips to which, times are measured at most."""

TURN_RATE = 0.35
"""Turn rate [rad/s] from which on motion counts as turning: 20° a second."""


@dataclass(frozen=True)
class Times:
    """How long it takes to get somewhere, over all or many beginnings.

    mean, worst: [s] over those from which it can be reached at all. reached: share of these; 1 is all.
    """

    mean: float
    worst: float
    reached: float


@dataclass(frozen=True)
class LabelStatistics:
    """Motion with one set of labels.

    seconds: recorded. seconds_used: of these in the graph. edges, transitions: with exactly these labels.
    times: until it begins, from any choice point. speed: [m/s] mean over the recorded frames in use.
    turns_left, turns_right: [rad/s] the 95th percentile of turning to either side, of the frames that turn.
    """

    labels: LabelSet
    seconds: float
    seconds_used: float
    edges: int
    transitions: int
    times: Times
    speed: float
    turns_left: float
    turns_right: float


@dataclass(frozen=True)
class GraphStatistics:
    """A graph in figures.

    rows, rows_used: recorded frames, and those on some edge or at a choice point.
    nodes, edges, transitions: how many. transitions_per_second: of recorded motion in use.
    mean_branching, most_branching: edges that leave a choice point.
    components: strongly connected ones. in_largest: share of the choice points in the largest.
    between_nodes: from any choice point to any other; its worst is the diameter, from below if sampled.
    to_clips: from any choice point into any clip. sampled: choice points that times were measured from.
    labels: one for every set of labels that was recorded.
    """

    rows: int
    rows_used: int
    nodes: int
    edges: int
    transitions: int
    transitions_per_second: float
    mean_branching: float
    most_branching: int
    components: int
    in_largest: float
    between_nodes: Times
    to_clips: Times
    sampled: int
    labels: tuple[LabelStatistics, ...]


def measure_graph(graph: MotionGraph, *, samples: int = SAMPLED_AT_MOST, seed: int = 0) -> GraphStatistics:
    """Figures of a graph. samples: choice points and clips looked at, drawn by `seed` if there are more."""
    rng = np.random.default_rng(seed)
    ways = _times_matrix(graph)
    used = rows_used(graph)
    branching = np.diff(graph.offsets)
    component = strong_components(graph.node_count, graph.tails, graph.heads)
    sizes = np.bincount(component)
    begins = _some(rng, graph.node_count, samples)
    return GraphStatistics(
        rows=len(graph.corpus),
        rows_used=int(used.sum()),
        nodes=graph.node_count,
        edges=graph.edge_count,
        transitions=len(graph.transitions),
        transitions_per_second=len(graph.transitions) * graph.fps / max(int(used.sum()), 1),
        mean_branching=float(branching.mean()) if len(branching) else 0.0,
        most_branching=int(branching.max(initial=0)),
        components=len(sizes),
        in_largest=float(sizes.max(initial=0) / max(graph.node_count, 1)),
        between_nodes=_between_nodes(ways, begins),
        to_clips=_to_clips(graph, ways, rng, samples),
        sampled=len(begins),
        labels=tuple(_label_statistics(graph, ways, used, n) for n in range(len(graph.corpus.label_sets))),
    )


def rows_used(graph: MotionGraph) -> NDArray[np.bool_]:
    """Rows (N,) that are shown unmixed somewhere in the graph."""
    used = np.zeros(len(graph.corpus) + 1, dtype=np.int64)
    plain = graph.carries == PLAIN
    np.add.at(used, graph.nodes[graph.tails[plain]] + 1, 1)
    np.add.at(used, graph.nodes[graph.heads[plain]] + 1, -1)
    shown = np.cumsum(used)[:-1] > 0
    shown[graph.nodes] = True
    return shown


def _times_matrix(graph: MotionGraph) -> csr_array:
    """Seconds (V, V) of the shortest edge from node to node."""
    order = np.lexsort((graph.frames, graph.heads, graph.tails))
    tails, heads = graph.tails[order], graph.heads[order]
    # A sparse matrix would add up edges between the same two nodes: only the shortest of them goes in.
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
    seconds = graph.frames[order[first]] / graph.fps
    return csr_array((seconds, (tails[first], heads[first])), shape=(graph.node_count, graph.node_count))


def _some(rng: np.random.Generator, count: int, most: int) -> Indices:
    return np.arange(count) if count <= most else np.sort(rng.choice(count, most, replace=False))


def _between_nodes(ways: csr_array, begins: Indices) -> Times:
    """Times from some nodes to all others."""
    total, worst, reached, all_pairs = 0.0, 0.0, 0, 0
    for begin in begins:
        times = dijkstra(ways, indices=begin)
        there = np.isfinite(times)
        there[begin] = False
        total, worst = total + float(times[there].sum()), max(worst, float(times[there].max(initial=0.0)))
        reached, all_pairs = reached + int(there.sum()), all_pairs + len(times) - 1
    return Times(total / max(reached, 1), worst, reached / max(all_pairs, 1))


def _to_clips(graph: MotionGraph, ways: csr_array, rng: np.random.Generator, samples: int) -> Times:
    """Times from all nodes into some clips that have a node, or all."""
    clip_of_node = graph.corpus.library.clip_of_frame[graph.nodes]
    clips = np.unique(clip_of_node)
    chosen = clips[_some(rng, len(clips), samples)]
    measured = [_times_to(ways, clip_of_node == clip) for clip in chosen]
    return _combined(measured)


def _times_to(ways: csr_array, ends: NDArray[np.bool_]) -> Array:
    """Seconds (V,) from every node to the nearest of the nodes `ends` (V,); infinite where none is reached."""
    if not ends.any():
        return np.full(len(ends), np.inf)
    return np.asarray(dijkstra(ways.T.tocsr(), indices=np.flatnonzero(ends), min_only=True))


def _combined(measured: list[Array]) -> Times:
    times = np.concatenate(measured) if measured else np.zeros(0)
    there = times[np.isfinite(times)]
    if not len(there):
        return Times(0.0, 0.0, 0.0)
    return Times(float(there.mean()), float(there.max()), len(there) / len(times))


def _label_statistics(
    graph: MotionGraph, ways: csr_array, used: NDArray[np.bool_], number: int
) -> LabelStatistics:
    corpus = graph.corpus
    edges = graph.labels == number
    ends = np.zeros(graph.node_count, dtype=np.bool_)
    ends[graph.tails[edges]] = True
    rows = corpus.labels == number
    speeds, turns = _travel(graph, np.flatnonzero(rows & used))
    return LabelStatistics(
        labels=corpus.label_sets[number],
        seconds=float(rows.sum() / graph.fps),
        seconds_used=float((rows & used).sum() / graph.fps),
        edges=int(edges.sum()),
        transitions=int((edges & (graph.carries != PLAIN)).sum()),
        times=_combined([_times_to(ways, ends)]),
        speed=float(speeds.mean()) if len(speeds) else 0.0,
        turns_left=_fast(turns[turns > TURN_RATE]),
        turns_right=_fast(-turns[turns < -TURN_RATE]),
    )


def _fast(turns: Array) -> float:
    return float(np.percentile(turns, 95)) if len(turns) else 0.0


def _travel(graph: MotionGraph, rows: Indices) -> tuple[Array, Array]:
    """Speeds [m/s] and turn rates [rad/s], left positive, in those rows that have one before in their clip."""
    corpus = graph.corpus
    clips = corpus.library.clip_of_frame
    rows = rows[(rows > 0) & (clips[rows] == clips[rows - 1])]
    change = (corpus.tracks[rows] - corpus.tracks[rows - 1]) * graph.fps
    return np.hypot(change[:, 0], change[:, 1]), change[:, 2]
