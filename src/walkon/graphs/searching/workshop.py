"""Where walks are made at random and bettered by mutations, after Arikan & Forsyth (2002).

A walk is seen as its transitions, the *jumps*; between them recordings go on. A mutation takes out the jumps
between any two of a walk and puts none, one or two others in their place ("hop"). Putting another jump between
the same two recordings in the place of one shifts it within its cluster ("demote"); those are tried first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.basics import Indices
from walkon.graphs.graph import MotionGraph
from walkon.graphs.performing.walks import Walk
from walkon.graphs.searching._kernels_mutating import propose, propose_two
from walkon.graphs.searching._kernels_pricing import lay_track, price_many
from walkon.graphs.searching._kernels_reaching import edges_into, frames_to
from walkon.graphs.searching.chart import draw_chart, jumps_of, unfold
from walkon.graphs.searching.walk_costs import WalkCost
from walkon.rotations import Placement

MUTATION_BATCH, SLOW_BATCH = 256, 24
"""Mutations looked at before the best is taken; fewer where a Python function has to judge them."""

RANDOM_BATCHES = 8
"""Batches of two jumps at random after which a walk counts as one that cannot be bettered; found by trying."""

TRIES = 8
"""Random walks of which the best becomes a seed."""

MOST_JUMPS = 256
"""Jumps of a walk, at most."""

BETTER = 1e-9
"""What is cheaper by less is not cheaper."""


class Draft(NamedTuple):
    """A walk as its start, jumps (m,) and end; and what it costs."""

    start: int
    jumps: Indices
    end: int
    cost: float


class Workshop:
    """What all benches share: the chart of the graph, the ends that are wanted, the cost."""

    def __init__(
        self, graph: MotionGraph, ends: Indices, cost: WalkCost, begin: Placement, longest: float
    ) -> None:
        may_end = np.zeros(graph.node_count, np.bool_)
        may_end[ends] = True
        self.graph, self.cost, self.begin = graph, cost, begin
        self.chart = draw_chart(graph, may_end)
        self.terms = cost.terms(begin, graph.corpus)
        self.most_frames = int(np.ceil(longest * graph.fps))
        self.to_go, _ = frames_to(graph.tails, graph.frames, *edges_into(graph.heads, graph.node_count), may_end)

    def walk(self, draft: Draft) -> Walk:
        """The walk that a draft is of."""
        edges = unfold(self.graph, self.chart, draft.start, draft.jumps, draft.end)
        return Walk(self.graph, draft.start, edges, self.begin)

    def wander(self, start: int, rng: np.random.Generator) -> tuple[Indices, int]:
        """Jumps (m,) of a walk at random for a while, and then the shortest way to an end; and that end."""
        graph, node, frames, edges = self.graph, start, 0, []
        enough = rng.uniform() * 0.5 * self.most_frames
        while True:
            ways = graph.leaving(node)
            if frames < enough:
                ways = ways[frames + graph.frames[ways] + self.to_go[graph.heads[ways]] <= self.most_frames]
            elif self.to_go[node] > 0:
                ways = ways[graph.frames[ways] + self.to_go[graph.heads[ways]] == self.to_go[node]]
            if not len(ways) or (frames >= enough and self.to_go[node] == 0):
                break
            edges.append(int(rng.choice(ways)))
            node = int(graph.heads[edges[-1]])
            frames += int(graph.frames[edges[-1]])
        return jumps_of(graph, self.chart, np.array(edges, dtype=np.int64)), node


class Bench:
    """Room for one walk at a time and its mutations."""

    def __init__(self, workshop: Workshop) -> None:
        self._shop = workshop
        begin = workshop.begin
        self._place = np.array([begin.x, begin.z, begin.heading])
        self._track = np.zeros((workshop.most_frames + 1, 3))
        room = SLOW_BATCH if workshop.cost.has_rest else MUTATION_BATCH
        self._walks = np.zeros((room, MOST_JUMPS), np.int64)
        self._lengths, self._ends = np.zeros(room, np.int64), np.zeros(room, np.int64)
        self._costs = np.zeros(room)

    def plant(self, start: int, rng: np.random.Generator) -> Draft:
        """The best of some random walks from a node to an end."""
        drafts = [self._priced(start, *self._shop.wander(start, rng)) for _ in range(TRIES)]
        return min(drafts, key=lambda draft: draft.cost)

    def better(self, draft: Draft, mutations: int, rng: np.random.Generator) -> tuple[Draft, int, bool]:
        """The draft after mutations that make it cheaper; how many were tried; whether no other would."""
        tried, darts, pairs, cursor = 0, 0, _pairs(len(draft.jumps), rng), np.zeros(2, np.int64)
        chance = np.uint64(rng.integers(1 << 63))
        while tried < mutations and darts < RANDOM_BATCHES:
            walk = (draft.start, draft.jumps, draft.end, self._shop.chart, self._walks, self._lengths, self._ends)
            if cursor[0] < len(pairs):
                count = propose(pairs, cursor, *walk)
            else:
                darts += 1
                count, state = propose_two(chance, *walk)
                chance = np.uint64(state)
            tried += count
            cheaper = self._cheapest(draft, count)
            if cheaper is not draft:
                draft, darts = cheaper, 0
                pairs, cursor = _pairs(len(draft.jumps), rng), np.zeros(2, np.int64)
        return draft, tried, darts == RANDOM_BATCHES

    def _priced(self, start: int, jumps: Indices, end: int) -> Draft:
        if len(jumps) > MOST_JUMPS:
            return Draft(start, jumps, end, np.inf)
        self._walks[0, : len(jumps)] = jumps
        self._lengths[0], self._ends[0] = len(jumps), end
        self._price(start, 1, np.inf)
        return Draft(start, jumps, end, float(self._costs[0]) + self._rest(start, jumps, end))

    def _cheapest(self, draft: Draft, count: int) -> Draft:
        """The cheapest of the first walks on the bench, if it is cheaper than the draft; else the draft."""
        self._price(draft.start, count, draft.cost)
        best = draft
        for number in np.argsort(self._costs[:count], kind="stable"):
            cost = float(self._costs[number])
            if cost >= best.cost - BETTER:
                break
            jumps, end = self._walks[number, : self._lengths[number]].copy(), int(self._ends[number])
            cost += self._rest(draft.start, jumps, end)
            if cost < best.cost - BETTER:
                best = Draft(draft.start, jumps, end, cost)
        return best

    def _price(self, start: int, count: int, limit: float) -> None:
        price_many(
            start,
            self._walks[:count],
            self._lengths[:count],
            self._ends[:count],
            self._place,
            self._shop.chart,
            self._shop.terms,
            limit,
            self._costs[:count],
            self._track,
        )

    def _rest(self, start: int, jumps: Indices, end: int) -> float:
        """What only a Python function can tell."""
        shop, graph = self._shop, self._shop.graph
        if not shop.cost.has_rest:
            return 0.0
        frames = lay_track(start, jumps, end, self._place, shop.chart, self._track)
        if frames < 0:
            return np.inf
        edges = unfold(graph, shop.chart, start, jumps, end)
        shown = np.repeat(graph.labels[edges], graph.frames[edges])
        labels = np.concatenate([graph.corpus.labels[graph.nodes[[start]]], shown])
        return shop.cost.rest(self._track[:frames].copy(), labels)


def _pairs(jumps: int, rng: np.random.Generator) -> Indices:
    """All pairs (Q, 2) of what comes before and after a part of some jumps, short parts first."""
    before, after = np.triu_indices(jumps + 2, 1)
    pairs = np.stack([before, after], axis=1)[before <= jumps]
    pairs = pairs[rng.permutation(len(pairs))]
    return np.ascontiguousarray(pairs[np.argsort(pairs[:, 1] - pairs[:, 0] > 2, kind="stable")])
