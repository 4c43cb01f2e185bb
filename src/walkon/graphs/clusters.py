"""Clips as nodes, and transitions between them gathered from coarse to fine (Arikan & Forsyth 2002).

Where two recordings are alike, so are the frames beside: transitions come in clumps. All that lead from one clip
to another are one cluster, which is split in two by where its transitions leave and arrive, and so on down to
single ones. Whoever searches can decide on clips first and on frames later.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Indices
from walkon.errors import GraphError
from walkon.graphs._kernels_clusters import grow_tree
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions

NONE = -1
"""In place of a cluster: there is none."""


@dataclass(frozen=True, eq=False)
class ClipGraph:
    """C clips, T transitions between them, and K = 2 T - roots clusters of these, numbered level by level.

    corpus, transitions: what it is made of.
    offsets: (C + 1,) the coarsest clusters offsets[c] to offsets[c + 1] leave clip c, in order of where they lead.
    tails, heads: (K,) the clips that a cluster leads from and to.
    order: (T,) transitions such that cluster k holds order[begins[k]] to order[ends[k]], the latter excluded.
    parents: (K,) and kids: (K, 2), NONE where there are none. levels: (K,) 0 for the coarsest.
    best: (K,) the transition of least cost in a cluster, which stands for it. costs: (K,) its cost [m].
    """

    corpus: Corpus
    transitions: Transitions
    offsets: Indices
    tails: Indices
    heads: Indices
    order: Indices
    begins: Indices
    ends: Indices
    parents: Indices
    kids: Indices
    levels: Indices
    best: Indices
    costs: Array

    @property
    def root_count(self) -> int:
        """Number of the coarsest clusters: pairs of clips with transitions from the one to the other."""
        return int(self.offsets[-1])

    @property
    def depth(self) -> int:
        """The finest level there is; 0 where no two transitions share a pair of clips."""
        return int(self.levels.max(initial=0))

    def coarse(self, level: int) -> Indices:
        """The clusters that are the edges at a level: each transition is in exactly one of them.

        Clusters that cannot be split any further stay on; at `depth` each edge is one transition.
        """
        if level < 0:
            raise GraphError(f"levels are counted from 0, the coarsest; there is none {level}")
        return np.flatnonzero((self.levels == level) | ((self.levels < level) & (self.kids[:, 0] == NONE)))

    def children(self, cluster: int) -> Indices:
        """The two clusters that one is split into; none where it is a single transition."""
        pair = self.kids[cluster]
        return pair[pair != NONE]

    def transitions_of(self, cluster: int) -> Indices:
        """The transitions in a cluster."""
        return self.order[self.begins[cluster] : self.ends[cluster]]

    def leaving(self, clip: int) -> Indices:
        """The coarsest clusters that leave a clip."""
        return np.arange(self.offsets[clip], self.offsets[clip + 1])

    def __repr__(self) -> str:
        return (
            f"ClipGraph({len(self.corpus.library)} clips, {len(self.transitions)} transitions in "
            f"{self.root_count} clusters, {self.depth} levels below)"
        )


def cluster_transitions(corpus: Corpus, transitions: Transitions) -> ClipGraph:
    """The clips of a corpus with these transitions as edges, from the coarsest to the finest."""
    count, clips = len(transitions), len(corpus.library)
    owner = corpus.library.clip_of_frame
    tails, heads = owner[transitions.sources], owner[transitions.targets]
    pairs = tails * clips + heads
    order = np.argsort(pairs, kind="stable")
    named, begins, sizes = np.unique(pairs[order], return_index=True, return_counts=True)
    total = 2 * count - len(named)
    arrays = {name: np.full(total, NONE) for name in ("begins", "ends", "parents")}
    levels, kids = np.zeros(total, np.int64), np.full((total, 2), NONE)
    arrays["begins"][: len(named)], arrays["ends"][: len(named)] = begins, begins + sizes
    points = np.stack([transitions.sources, transitions.targets], axis=1).astype(np.float64)
    grow_tree(points, order, arrays["begins"], arrays["ends"], arrays["parents"], kids, levels, len(named))
    first = order[arrays["begins"]] if total else np.zeros(0, np.int64)
    best = _cheapest(transitions.distances, order, arrays["begins"], kids)
    return ClipGraph(
        corpus=corpus,
        transitions=transitions,
        offsets=np.searchsorted(named // clips, np.arange(clips + 1)),
        tails=tails[first],
        heads=heads[first],
        order=order,
        begins=arrays["begins"],
        ends=arrays["ends"],
        parents=arrays["parents"],
        kids=kids,
        levels=levels,
        best=best,
        costs=transitions.distances[best],
    )


def _cheapest(distances: Array, order: Indices, begins: Indices, kids: Indices) -> Indices:
    """For every cluster (K,) its transition of least distance; of equal ones the first."""
    best = order[begins]
    for cluster in range(len(kids) - 1, -1, -1):
        if kids[cluster, 0] != NONE:
            one, other = best[kids[cluster]]
            best[cluster] = one if (distances[one], one) <= (distances[other], other) else other
    return best
