"""Networks: which numbers of a pose tell something about which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


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
    """A network of nodes without parents, with room for so many each."""
    return Network(np.full((nodes, most), -1, np.int64), np.zeros(nodes, np.int64))
