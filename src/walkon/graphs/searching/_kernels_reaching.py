"""How many frames it takes to get somewhere, from everywhere."""

from __future__ import annotations

import heapq

import numpy as np

from walkon.kernels import kernel

NEVER = 1 << 40
"""Frames to where no way leads."""


@kernel
def edges_into(heads, nodes):
    """Edges by the node they lead to: offsets (V + 1,) and edges (E,)."""
    offsets = np.zeros(nodes + 1, np.int64)
    for head in heads:
        offsets[head + 1] += 1
    for node in range(nodes):
        offsets[node + 1] += offsets[node]
    place = offsets[:-1].copy()
    edges = np.empty(len(heads), np.int64)
    for edge in range(len(heads)):
        edges[place[heads[edge]]] = edge
        place[heads[edge]] += 1
    return offsets, edges


@kernel
def frames_to(tails, frames, into_offsets, into, goals):
    """Fewest frames (V,) from every node to one of the goals (V,), NEVER where no way leads there.

    And the edge (V,) with which such a way begins, -1 at goals and where there is none.
    """
    nodes = len(into_offsets) - 1
    least, first = np.full(nodes, NEVER, np.int64), np.full(nodes, -1, np.int64)
    queue = [(np.int64(0), np.int64(0)) for _ in range(0)]
    for node in range(nodes):
        if goals[node]:
            least[node] = 0
            heapq.heappush(queue, (np.int64(0), np.int64(node)))
    while len(queue) > 0:
        far, node = heapq.heappop(queue)
        if far > least[node]:
            continue
        for i in range(into_offsets[node], into_offsets[node + 1]):
            edge = into[i]
            tail = tails[edge]
            if far + frames[edge] < least[tail]:
                least[tail], first[tail] = far + frames[edge], edge
                heapq.heappush(queue, (np.int64(least[tail]), np.int64(tail)))
    return least, first


@kernel
def lengths_to(heads, lengths, least, first):
    """Metres (V,) of the ways that `frames_to` has found, from the lengths (E,) [m] of edges."""
    ways = np.zeros(len(least))
    for node in np.argsort(least):
        if first[node] >= 0:
            ways[node] = lengths[first[node]] + ways[heads[first[node]]]
    return ways
