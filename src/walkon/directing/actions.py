"""What can be done on a motion graph that leads nowhere in particular: staying in a label, or doing it once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from walkon.basics import Flags, Indices
from walkon.directing.ways import longest_stays, stay
from walkon.graphs import MotionGraph
from walkon.graphs.graph import PLAIN
from walkon.graphs.searching.styles import edges_of_style
from walkon.rotations import Placement

CUT = 0.3
"""Share of something that is done once which may be missing at its beginning, and at its end: blended away."""

LONG = 4.0
"""Seconds after which something that goes on, such as running, counts as done once."""


@dataclass(frozen=True, eq=False)
class Staying:
    """Going on in a label for some frames. entries: (V,) where it can begin. frames: that it will last."""

    graph: MotionGraph
    allowed: Flags
    entries: Flags
    frames: int
    stays: Indices

    def perform(self, node: int, place: Placement, rng: np.random.Generator) -> list[int]:
        """Edges to take from a node that is an entry."""
        return stay(self.graph, node, place, self.allowed, self.frames, rng, self.stays)


@dataclass(frozen=True, eq=False)
class Doing:
    """Something recorded, from its beginning to its end. entries: (V,) where it can begin. exits: (V,) where it is
    over that begins there, or -1."""

    graph: MotionGraph
    entries: Flags
    exits: Indices

    def perform(self, node: int, place: Placement, rng: np.random.Generator) -> list[int]:
        """Edges to take from a node that is an entry: pieces of the recording, one after another."""
        edges, last = [], int(self.exits[node])
        while node != last:
            edge = int(self.graph.offsets[node])  # a plain edge is the first
            edges.append(edge)
            node = int(self.graph.heads[edge])
        return edges


Action = Staying | Doing


def staying(graph: MotionGraph, label: str, frames: int, alive: Flags) -> Staying:
    """Going on in a label for `frames`, or for as long as the graph can."""
    allowed = edges_of_style(graph, label) & alive
    stays = longest_stays(graph, allowed, frames)
    most = int(stays.max(initial=0))
    return Staying(graph, allowed, stays >= max(most, 1), min(most, frames), stays)


def doing(graph: MotionGraph, label: str, alive: Flags) -> Action:
    """Doing once what has a label: a whole stretch of a recording, or LONG seconds of what takes longer."""
    stretches = stretches_of(graph, label)
    usual = float(np.median([stop - start for start, stop in stretches])) if stretches else 0.0
    if usual > LONG * graph.fps:
        return staying(graph, label, round(LONG * graph.fps), alive)
    following = _plain_followers(graph, alive)
    exits = np.full(graph.node_count, -1, dtype=np.int64)
    for start, stop in stretches:
        slack = int(CUT * (stop - start))
        first, last = np.searchsorted(graph.nodes, (start - 1, start + slack + 1))
        for node in range(int(first), int(last)):
            exits[node] = _end_of(graph, node, stop - 1 - slack, stop - 1, following)
    return Doing(graph, exits >= 0, exits)


def stretches_of(graph: MotionGraph, label: str) -> list[tuple[int, int]]:
    """First row, and the row after the last, of every stretch of a recording that has the label."""
    corpus = graph.corpus
    has = np.array([label in own for own in corpus.label_sets])[corpus.labels]
    clip = corpus.library.clip_of_frame
    edge = np.concatenate([[True], (has[1:] != has[:-1]) | (clip[1:] != clip[:-1]), [True]])
    bounds = np.flatnonzero(edge)
    return [(int(a), int(b)) for a, b in pairwise(bounds) if has[a]]


def _plain_followers(graph: MotionGraph, alive: Flags) -> Indices:
    """The next node (V,) of the same recording, or -1 where the graph does not lead there."""
    following = np.full(graph.node_count, -1, dtype=np.int64)
    plain = np.flatnonzero((graph.carries == PLAIN) & alive)
    following[graph.tails[plain]] = graph.heads[plain]
    return following


def _end_of(graph: MotionGraph, node: int, least: int, wanted: int, following: Indices) -> int:
    """The node to which one can follow a recording: up to row `wanted`, at least to `least`; -1 if one cannot."""
    best = -1
    while node >= 0 and graph.nodes[node] <= wanted:
        if graph.nodes[node] >= least:
            best = node
        node = int(following[node])
    return best
