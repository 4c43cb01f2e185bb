"""Who can reach whom: strongly connected components, and what lies ahead of nodes and behind them."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from walkon.basics import Flags, Indices


def strong_components(node_count: int, tails: Indices, heads: Indices) -> Indices:
    """For every node the number (V,) of its strongly connected component."""
    if node_count == 0:
        return np.zeros(0, dtype=np.int64)
    _, numbers = connected_components(_matrix(node_count, tails, heads), directed=True, connection="strong")
    return numbers.astype(np.int64)


def edges_on_cycles(node_count: int, tails: Indices, heads: Indices) -> Flags:
    """Edges (E,) after which one can come back to where they begin."""
    component = strong_components(node_count, tails, heads)
    return component[tails] == component[heads]


def nodes_ahead(node_count: int, tails: Indices, heads: Indices, begins: Flags) -> Flags:
    """Nodes (V,) that can be reached from any node of the mask `begins` (V,), these included."""
    # One more node, from which all beginnings are reached, spares a search from each of them.
    chosen = np.flatnonzero(begins)
    extra = np.full(len(chosen), node_count)
    matrix = _matrix(node_count + 1, np.concatenate([tails, extra]), np.concatenate([heads, chosen]))
    reached = np.zeros(node_count + 1, dtype=np.bool_)
    reached[breadth_first_order(matrix, node_count, directed=True, return_predecessors=False)] = True
    return reached[:node_count]


def nodes_behind(node_count: int, tails: Indices, heads: Indices, ends: Flags) -> Flags:
    """Nodes (V,) from which any node of the mask `ends` (V,) can be reached, these included."""
    return nodes_ahead(node_count, heads, tails, ends)


def touched(node_count: int, *ends: Indices) -> Flags:
    """Nodes (V,) that are among the ends of edges."""
    found = np.zeros(node_count, dtype=np.bool_)
    for nodes in ends:
        found[nodes] = True
    return found


def _matrix(node_count: int, tails: Indices, heads: Indices) -> csr_array:
    # Entries of the same place are added up, which must not come to 0: so 32 bits, not 8.
    ones = np.ones(len(tails), dtype=np.int32)
    return csr_array((ones, (tails, heads)), shape=(node_count, node_count))
