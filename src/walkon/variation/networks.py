"""Networks: which numbers of a pose tell something about which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Indices
from walkon.errors import VariationError


@dataclass(frozen=True, eq=False)
class Network:
    """Parents of each of m nodes.

    parents: (m, P) codes, -1 where there are fewer. counts: (m,) how many. In a prior network a code is a node:
    number j of the first frame is j, of the second n + j. In a transition network see `_kernels_regression`; a
    node's own two last values are always its parents, and not told.
    """

    parents: Indices
    counts: Indices

    @property
    def edges(self) -> int:
        """How many edges are told."""
        return int(self.counts.sum())

    def of(self, node: int) -> Indices:
        """Codes of the parents of a node."""
        return self.parents[node, : self.counts[node]]

    def check(self, nodes: int, codes: int) -> None:
        """Raise unless there are `nodes` nodes, and codes of parents are below `codes`; kernels do not look."""
        parents, counts = self.parents, self.counts
        if parents.ndim != 2 or parents.shape[0] != nodes or counts.shape != (nodes,):
            raise VariationError("a network has another number of nodes than poses have numbers")
        if counts.min() < 0 or counts.max() > parents.shape[1]:
            raise VariationError("a network has more parents than it has room for")
        used = parents[np.arange(parents.shape[1]) < counts[:, None]]
        if len(used) and not 0 <= used.min() <= used.max() < codes:
            raise VariationError("a network has parents that are not there")

    def changed(self, node: int, *, add: int = -1, drop: int = -1) -> Network:
        """The network with one parent of a node more, or one fewer."""
        parents, counts = self.parents.copy(), self.counts.copy()
        if drop >= 0:
            kept = [code for code in self.of(node) if code != drop]
            parents[node, : len(kept)] = kept
            counts[node] = len(kept)
            parents[node, len(kept) :] = -1
        if add >= 0:
            parents[node, counts[node]] = add
            counts[node] += 1
        return Network(parents, counts)


def no_edges(nodes: int, most: int) -> Network:
    """A network of nodes without parents, with room for `most` parents each."""
    return Network(np.full((nodes, most), -1, np.int64), np.zeros(nodes, np.int64))
