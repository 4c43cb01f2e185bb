"""The rows of a corpus as a graph: which edges belong to which labels, and the cheapest ways from row to row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from walkon.basics import Array, Flags, Indices
from walkon.graphs.corpus import Corpus
from walkon.graphs.reachability import strong_components
from walkon.graphs.transitions import Transitions

FREE_COST = 1e-9
"""Cost of what is there already: nothing, but sparse matrices do not keep zeros."""


def plain_edges(corpus: Corpus) -> tuple[Indices, Indices]:
    """Rows that follow one another in a clip: all but the last of every clip, and the ones after them."""
    rows = np.delete(np.arange(len(corpus)), corpus.library.stops - 1)
    return rows, rows + 1


def label_masks(corpus: Corpus) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """Which labels (N, L) every row bears, as 0 and 1, and the names of the labels."""
    names = tuple(sorted(frozenset().union(*corpus.label_sets)))
    sets = np.array([[name in own for name in names] for own in corpus.label_sets], dtype=np.uint8)
    return sets.reshape(len(corpus.label_sets), len(names))[corpus.labels], names


def blended_label_sets(corpus: Corpus, transitions: Transitions) -> Indices:
    """For every transition (T,) the number of the label set that all rows it mixes have together, or -1.

    -1: no row of the corpus has all the labels that come together in it.
    """
    masks, names = label_masks(corpus)
    together = np.zeros((len(transitions), len(names)), dtype=np.uint8)
    for step in range(transitions.window):
        together |= masks[transitions.sources + 1 + step] | masks[transitions.targets - step]
    numbers = np.full(len(transitions), -1, dtype=np.int64)
    for number, labels in enumerate(corpus.label_sets):
        own = np.array([name in labels for name in names], dtype=np.uint8)
        numbers[(together == own).all(axis=1)] = number
    return numbers


def largest_component(rows: int, tails: Indices, heads: Indices) -> Flags:
    """Rows (N,) of the largest set of which all can be reached from all; none if none is on a cycle."""
    component = strong_components(rows, tails, heads)
    sizes = np.bincount(component)
    return (component == np.argmax(sizes)) if sizes.max() > 1 else np.zeros(rows, dtype=np.bool_)


def cheapest_ways(rows: int, tails: Indices, heads: Indices, costs: Array, starts: Flags) -> tuple[Array, Indices]:
    """Cost (N,) of the cheapest way from any of `starts` to every row, and the row before it there, or < 0."""
    # A matrix adds up what it is told twice: of parallel edges only the cheapest counts.
    order = np.lexsort((costs, heads, tails))
    tails, heads, costs = tails[order], heads[order], costs[order]
    first = np.ones(len(tails), dtype=np.bool_)
    first[1:] = (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
    matrix = csr_array((costs[first], (tails[first], heads[first])), shape=(rows, rows))
    sources = np.flatnonzero(starts)
    if len(sources) == 0:
        return np.full(rows, np.inf), np.full(rows, -1)
    found, before, _ = dijkstra(matrix, indices=sources, min_only=True, return_predecessors=True)
    return found, before.astype(np.int64)
