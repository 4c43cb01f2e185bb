"""Ways through a motion graph by time alone: the shortest to somewhere, and staying in one kind of motion."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.graphs import MotionGraph
from walkon.rotations import Placement

OVERSHOOT = 0.02
"""Metres of drifting that are as bad as staying one frame too long."""

PATCHED = 0.5
"""Metres of drifting that are as bad as a blend of poses that are a metre apart."""


def frames_to(graph: MotionGraph, goals: Flags, prices: Array | None = None) -> Array:
    """Fewest frames (V,) from every node to one of the goals (V,); infinite where no way leads there.

    prices: (E,) what edges cost instead of their frames; infinite for those that may not be taken.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    count = graph.node_count
    if not goals.any():
        return np.full(count, np.inf)
    prices = graph.frames.astype(np.float64) if prices is None else prices
    open_edges = np.flatnonzero(np.isfinite(prices))
    # Of several edges between two nodes the cheapest counts.
    order = open_edges[np.lexsort((prices[open_edges], graph.tails[open_edges], graph.heads[open_edges]))]
    pairs = graph.heads[order] * count + graph.tails[order]
    first = order[np.unique(pairs, return_index=True)[1]]
    backward = csr_array((prices[first], (graph.heads[first], graph.tails[first])), shape=(count, count))
    return dijkstra(backward, indices=np.flatnonzero(goals), min_only=True)


def way_down(graph: MotionGraph, node: int, far: Array, prices: Array | None = None) -> list[int]:
    """Edges of the shortest way from a node to where `far` (V,), made by `frames_to`, is 0."""
    prices = graph.frames.astype(np.float64) if prices is None else prices
    edges = []
    while far[node] > 0.0:
        leaving = graph.leaving(node)
        edge = int(leaving[np.argmin(prices[leaving] + far[graph.heads[leaving]])])
        edges.append(edge)
        node = int(graph.heads[edge])
    return edges


def longest_stays(graph: MotionGraph, allowed: Flags, frames: int) -> Indices:
    """For how many frames (V,), `frames` at most, one can go on from every node along allowed edges (E,)."""
    stays = np.zeros(graph.node_count, dtype=np.int64)
    edges = np.flatnonzero(allowed)
    tails, heads, gains = graph.tails[edges], graph.heads[edges], graph.frames[edges]
    while len(edges):
        longer = stays.copy()
        np.maximum.at(longer, tails, np.minimum(gains + stays[heads], frames))
        if (longer == stays).all():
            break
        stays = longer
    return stays


def stay(
    graph: MotionGraph,
    node: int,
    place: Placement,
    allowed: Flags,
    frames: int,
    rng: np.random.Generator,
    stays: Indices | None = None,
) -> list[int]:
    """Edges along which one goes on for `frames` frames, or as long as one can, drifting little from the place."""
    stays = longest_stays(graph, allowed, frames) if stays is None else stays
    wanted, here, edges = int(min(stays[node], frames)), place, []
    while wanted > 0:
        leaving = graph.leaving(node)
        leaving = leaving[allowed[leaving] & (graph.frames[leaving] + stays[graph.heads[leaving]] >= wanted)]
        ends = [here @ Placement(*graph.moves[edge]) for edge in leaving]
        drift = np.array([np.hypot(end.x - place.x, end.z - place.z) for end in ends])
        over = np.maximum(graph.frames[leaving] - wanted, 0)
        costs = drift + OVERSHOOT * over + PATCHED * graph.costs[leaving]
        chosen = int(np.argmin(costs * rng.uniform(1.0, 1.3, len(costs))))
        edge = int(leaving[chosen])
        edges.append(edge)
        here, node, wanted = ends[chosen], int(graph.heads[edge]), wanted - int(graph.frames[edge])
    return edges
