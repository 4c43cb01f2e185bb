"""Clips as nodes, and transitions between them gathered from coarse to fine (Arikan & Forsyth 2002).

Where two recordings are alike, so are the frames beside: transitions come in clumps. All that lead from one clip
to another are one cluster, which is split in two by where its transitions leave and arrive, and so on down to
single ones. Whoever searches can decide on clips first and on frames later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.errors import GraphError
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions

NONE = -1
"""In place of a cluster: there is none."""

SPLIT_ROUNDS = 8
"""How often the two halves of a cluster are centred anew at most; two means settle in fewer, as a rule."""


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

    def about(self) -> dict[str, float]:
        """How large it is, by name."""
        return {
            "clips": len(self.corpus.library),
            "transitions": len(self.transitions),
            "clusters": len(self.levels),
            "levels": self.depth + 1,
        }

    def arrays(self) -> dict[str, Any]:
        """All that other programs need, by name: rows count through all clips, one after another."""
        library = self.corpus.library
        return {
            "clip_names": np.array(library.names),
            "clip_starts": library.starts,
            "sources": self.transitions.sources,
            "targets": self.transitions.targets,
            "distances": self.transitions.distances,
            **{name: getattr(self, name) for name in ("tails", "heads", "order", "begins", "ends")},
            **{name: getattr(self, name) for name in ("parents", "kids", "levels", "best", "costs")},
        }

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
    begins, ends = (np.concatenate([own, np.full(total - len(named), NONE)]) for own in (begins, begins + sizes))
    parents, levels, kids = np.full(total, NONE), np.zeros(total, np.int64), np.full((total, 2), NONE)
    points = np.stack([transitions.sources, transitions.targets], axis=1).astype(np.float64)
    made = len(named)
    for cluster in range(total):
        begin, end = begins[cluster], ends[cluster]
        if end - begin < 2:
            continue
        members = order[begin:end]
        nearer = _two_means(points[members])
        order[begin:end] = np.concatenate([members[nearer], members[~nearer]])
        middle = begin + nearer.sum()
        both = slice(made, made + 2)
        begins[both], ends[both] = (begin, middle), (middle, end)
        parents[both], levels[both], kids[cluster] = cluster, levels[cluster] + 1, (made, made + 1)
        made += 2
    first = order[begins] if total else np.zeros(0, np.int64)
    best = _cheapest(transitions.distances, order, begins, kids)
    return ClipGraph(
        corpus=corpus,
        transitions=transitions,
        offsets=np.searchsorted(named // clips, np.arange(clips + 1)),
        tails=tails[first],
        heads=heads[first],
        order=order,
        begins=begins,
        ends=ends,
        parents=parents,
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


def _two_means(points: Array) -> Flags:
    """Which of points (M, 2), M > 1, are in the first of two nearby groups; neither is empty.

    Begun by cutting across the direction in which the points lie farthest apart.
    """
    away = points - points.mean(axis=0)
    spread = away.T @ away
    angle = 0.5 * np.arctan2(2.0 * spread[0, 1], spread[0, 0] - spread[1, 1])
    nearer = away @ [np.cos(angle), np.sin(angle)] < 0.0
    for _ in range(SPLIT_ROUNDS):
        if nearer.all() or not nearer.any():
            break
        one, other = points[nearer].mean(axis=0), points[~nearer].mean(axis=0)
        before, nearer = nearer, points @ (other - one) < 0.5 * (other @ other - one @ one)
        if np.array_equal(before, nearer):
            break
    if nearer.all() or not nearer.any():
        # Points that coincide cannot be told apart by place: any half will do.
        nearer = np.arange(len(points)) < len(points) // 2
    return nearer
