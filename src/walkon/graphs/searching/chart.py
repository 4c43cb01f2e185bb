"""A motion graph as runs of recordings and jumps between them: walks become lists that are easy to change."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.graphs.graph import PLAIN, MotionGraph
from walkon.graphs.searching._kernels_pricing import Chart
from walkon.graphs.transitions import blend_weights


def draw_chart(graph: MotionGraph, ends: Flags) -> Chart:
    """The chart of a graph on which walks may end at some of its nodes (V,)."""
    goes_on = np.zeros(graph.node_count, np.bool_)
    plain = graph.carries == PLAIN
    goes_on[graph.tails[plain & (graph.heads == graph.tails + 1)]] = True
    run_of = np.concatenate([[0], np.cumsum(~goes_on[:-1])])
    runs = int(run_of[-1]) + 1
    jumps = np.flatnonzero(~plain)
    tails, heads = graph.tails[jumps], graph.heads[jumps]
    order = np.lexsort((heads, tails, run_of[heads], run_of[tails]))
    jumps, tails, heads = jumps[order], tails[order], heads[order]
    trails = _blended_trails(graph, jumps)
    steps = np.hypot(*np.diff(graph.corpus.tracks[:, :2], axis=0, prepend=graph.corpus.tracks[:1, :2]).T)
    return Chart(
        run_of=run_of,
        rows=np.ascontiguousarray(graph.nodes),
        tracks=np.ascontiguousarray(graph.corpus.tracks),
        jumps=jumps,
        keys=run_of[tails] * runs + run_of[heads],
        leaving=np.searchsorted(run_of[tails], np.arange(runs + 1)),
        tails=tails,
        heads=heads,
        trails=trails,
        lengths=np.cumsum(steps),
        jump_lengths=np.hypot(*np.moveaxis(np.diff(trails[..., :2], axis=1, prepend=0.0), 2, 0)).sum(axis=1),
        next_end=_next_ends(run_of, ends),
    )


def jumps_of(graph: MotionGraph, chart: Chart, edges: Indices) -> Indices:
    """Numbers on the chart of the transitions among the edges (S,) of a walk."""
    number = np.full(graph.edge_count, -1)
    number[chart.jumps] = np.arange(len(chart.jumps))
    taken = number[edges]
    return taken[taken >= 0]


def unfold(graph: MotionGraph, chart: Chart, start: int, jumps: Indices, end: int) -> Indices:
    """The edges (S,) of the walk from node `start` by these jumps to node `end`."""
    edges: list[int] = []
    node = start
    for jump in jumps:
        # The plain edge is the first that leaves a node.
        edges += graph.offsets[node : chart.tails[jump]].tolist()
        edges.append(int(chart.jumps[jump]))
        node = int(chart.heads[jump])
    edges += graph.offsets[node:end].tolist()
    return np.array(edges, dtype=np.int64)


def _blended_trails(graph: MotionGraph, jumps: Indices) -> Array:
    """Places (T, k, 3) on the way of transitions, x, z [m] and heading [rad], as seen from where each begins."""
    transitions, headings = graph.transitions, graph.corpus.tracks[:, 2]
    steps = np.arange(transitions.window)
    carried = graph.carries[jumps]
    sources, targets = transitions.sources[carried, None], transitions.targets[carried, None]
    own = headings[sources + 1 + steps]
    other = headings[targets - transitions.window + 1 + steps] + transitions.alignments[carried, 2:3]
    other -= 2.0 * np.pi * np.round((other - own) / (2.0 * np.pi))
    share = blend_weights(transitions.window)
    turned = share * own + (1.0 - share) * other - headings[sources]
    places = graph.trails[graph.trail_offsets[jumps][:, None] + steps]
    return np.concatenate([places, turned[..., None]], axis=2)


def _next_ends(run_of: Indices, ends: Flags) -> Indices:
    """The first node (V,) from each on along its run that is an end, or -1."""
    numbers = np.where(ends, np.arange(len(ends)), len(ends))
    following = np.minimum.accumulate(numbers[::-1])[::-1]
    there = following < len(ends)
    same = there & (run_of[np.where(there, following, 0)] == run_of)
    return np.where(same, following, -1)
