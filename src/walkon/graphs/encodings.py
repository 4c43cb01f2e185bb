"""One graph, three ways to write it down: choice points, clips as nodes, and a Markov chain over rows.

A walk in one is a walk in the others. As choice points (`MotionGraph`, KGP02) it is a node and edges; between
clips (`ClipGraph`, AF02) it is a row to begin at, transitions in an order in which each leaves its clip after
the one before has arrived there, and a row to end at; as a chain (LCR02) it is the rows it goes through, where a
transition steps from its source to its target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from walkon.basics import Indices
from walkon.errors import GraphError
from walkon.files import atomic_path
from walkon.graphs.clusters import ClipGraph, cluster_transitions
from walkon.graphs.graph import PLAIN, MotionGraph
from walkon.graphs.performing.walks import Walk

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class ClipWalk:
    """A walk from clip to clip: the row it begins at, transitions (n,) in order, and the row it ends at."""

    first: int
    hops: Indices
    last: int


@dataclass(frozen=True, eq=False)
class MarkovChain:
    """How likely each row of a corpus follows each other: P_ij ∝ exp(-D_ij / sigma), rows adding up to 1.

    matrix: (N, N) sparse; a row from which nothing leads is empty. carries: (entries,) which transition an entry
    is, PLAIN for the next row of a recording; in the order of matrix.data. sigma: [m].
    """

    matrix: csr_array
    carries: Indices
    sigma: float

    def step(self, row: int, then: int) -> int:
        """The transition that leads from one row to another, or PLAIN; GraphError if none does."""
        start, stop = self.matrix.indptr[row], self.matrix.indptr[row + 1]
        found = np.flatnonzero(self.matrix.indices[start:stop] == then)
        if not len(found):
            raise GraphError(f"row {then} never follows row {row}")
        return int(self.carries[start + found[0]])

    def sample(self, row: int, steps: int, seed: int = 0) -> Indices:
        """Rows gone through at random from a row on: `steps` of them, or fewer where nothing leads on."""
        rng = np.random.default_rng(seed)
        rows = [row]
        for _ in range(steps):
            start, stop = self.matrix.indptr[rows[-1]], self.matrix.indptr[rows[-1] + 1]
            if start == stop:
                break
            rows.append(int(rng.choice(self.matrix.indices[start:stop], p=self.matrix.data[start:stop])))
        return np.array(rows, dtype=np.int64)

    def about(self) -> dict[str, float]:
        """How large it is, by name."""
        jumps = int((self.carries != PLAIN).sum())
        return {
            "frames": len(self.matrix.indptr) - 1,
            "steps": self.matrix.nnz,
            "transitions": jumps,
            "sigma": self.sigma,
        }

    def arrays(self) -> dict[str, Any]:
        """All that other programs need, by name, as scipy.sparse.save_npz names it; and `carries`, `sigma`."""
        matrix = {name: getattr(self.matrix, name) for name in ("data", "indices", "indptr", "shape")}
        return {**matrix, "format": b"csr", "_is_array": True, "carries": self.carries, "sigma": self.sigma}


def as_clip_graph(graph: MotionGraph) -> ClipGraph:
    """The same transitions between clips as nodes; they keep their numbers."""
    return cluster_transitions(graph.corpus, graph.transitions)


def as_markov_chain(graph: MotionGraph, sigma: float | None = None) -> MarkovChain:
    """The same edges as steps between rows. sigma: [m] the distance that makes a step e times less likely; by
    default the mean distance of the transitions.

    Only the cheapest of several transitions between the same two rows is there.
    """
    from scipy.sparse import csr_array

    transitions = graph.transitions
    if sigma is None:
        sigma = float(transitions.distances.mean()) if len(transitions) else 1.0
    if not sigma > 0:
        raise GraphError(f"sigma is a distance above 0 m, not {sigma}")
    plain = graph.carries == PLAIN
    spans = graph.frames[plain]
    within = np.arange(spans.sum()) - np.repeat(np.cumsum(spans) - spans, spans)
    on = np.repeat(graph.nodes[graph.tails[plain]], spans) + within
    sources = np.concatenate([on, transitions.sources])
    targets = np.concatenate([on + 1, transitions.targets])
    carries = np.concatenate([np.full(len(on), PLAIN), np.arange(len(transitions))])
    costs = np.concatenate([np.zeros(len(on)), transitions.distances])
    order = np.lexsort((costs, targets, sources))
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = np.any([np.diff(sources[order]) != 0, np.diff(targets[order]) != 0], axis=0)
    kept = order[first]
    weights = np.exp(-costs[kept] / sigma)
    weights /= np.bincount(sources[kept], weights=weights, minlength=len(graph.corpus))[sources[kept]]
    rows = np.searchsorted(sources[kept], np.arange(len(graph.corpus) + 1))
    size = (len(graph.corpus), len(graph.corpus))
    return MarkovChain(csr_array((weights, targets[kept], rows), shape=size), carries[kept], sigma)


def save_encoding(path: Path | str, encoding: MarkovChain | ClipGraph) -> None:
    """Write an encoding as arrays (.npz) for other programs; that of a chain is one for scipy.sparse.load_npz."""
    with atomic_path(Path(path)) as part, part.open("wb") as file:
        np.savez_compressed(file, **encoding.arrays())


def clip_walk(walk: Walk) -> ClipWalk:
    """A walk between choice points as one between clips."""
    graph = walk.graph
    carried = graph.carries[walk.edges]
    return ClipWalk(int(graph.nodes[walk.start]), carried[carried != PLAIN], int(graph.nodes[walk.end]))


def row_walk(graph: MotionGraph, walk: ClipWalk) -> Indices:
    """A walk between clips as the rows (R,) it goes through in the chain."""
    owner, transitions = graph.corpus.library.clip_of_frame, graph.transitions
    leaves = np.append(transitions.sources[walk.hops], walk.last)
    arrives = np.append(walk.first, transitions.targets[walk.hops])
    wrong = np.flatnonzero((leaves < arrives) | (owner[leaves] != owner[arrives]))
    if len(wrong):
        raise GraphError(f"row {leaves[wrong[0]]} does not come after row {arrives[wrong[0]]} in its clip")
    return np.concatenate([np.arange(a, b + 1) for a, b in zip(arrives, leaves, strict=True)])


def choice_walk(graph: MotionGraph, rows: Indices | Sequence[int]) -> Walk:
    """Rows gone through in the chain as a walk between choice points; it begins and ends at one."""
    rows = np.asarray(rows, dtype=np.int64)
    node = _node(graph, int(rows[0]))
    start, edges = node, []
    position = 0
    while position < len(rows) - 1:
        edge = _edge(graph, node, int(rows[position]), int(rows[position + 1]))
        stride = int(graph.frames[edge]) if graph.carries[edge] == PLAIN else 1
        shown = rows[position : position + stride + 1]
        if len(shown) <= stride or (stride > 1 and (np.diff(shown) != 1).any()):
            raise GraphError(f"there is no choice between rows {shown[0]} and {shown[0] + stride}")
        edges.append(edge)
        node = int(graph.heads[edge])
        position += stride
    return Walk(graph, start, np.array(edges, dtype=np.int64))


def _node(graph: MotionGraph, row: int) -> int:
    node = int(np.searchsorted(graph.nodes, row))
    if node == graph.node_count or graph.nodes[node] != row:
        raise GraphError(f"row {row} is no choice point")
    return node


def _edge(graph: MotionGraph, node: int, row: int, then: int) -> int:
    """The edge by which the chain goes from a node's row on to another: a recording goes on where it can."""
    edges = graph.leaving(node)
    plain = edges[graph.carries[edges] == PLAIN]
    if then == row + 1 and len(plain):
        return int(plain[0])
    jumps = edges[(graph.carries[edges] != PLAIN) & (graph.nodes[graph.heads[edges]] == then)]
    if not len(jumps):
        raise GraphError(f"row {then} never follows row {row}")
    return int(jumps[np.argmin(graph.costs[jumps])])
