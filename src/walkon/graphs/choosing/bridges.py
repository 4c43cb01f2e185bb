"""Bridges: where too few transitions are good, the best of the others, so that a graph does not fall apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.graphs.choosing.components import (
    FREE_COST,
    blended_label_sets,
    cheapest_ways,
    largest_component,
    plain_edges,
)
from walkon.graphs.corpus import Corpus
from walkon.graphs.pruning import LEAST_SHARE
from walkon.graphs.reachability import nodes_ahead
from walkon.graphs.transitions import Transitions

BETWEEN = 3
"""Bridges from one set of labels to another."""

UNSEEN = 0.5
"""Cost of a piece of which nothing is seen: for how much of it a longer stay may make up for worse bridges."""

JOIN_ROUNDS = 20
"""Times that all pieces are looked at again after some were joined; a bound, for pieces are soon joined."""


@dataclass(frozen=True, eq=False)
class BridgeSites:
    """What bridges are built on: candidates, of which some are taken.

    eligible: (T,) candidates that may become bridges. costs: (T,) how bad they are. label_sets: (T,) of blends.
    tails, heads: rows that follow one another in the recordings.
    """

    corpus: Corpus
    transitions: Transitions
    eligible: Flags
    costs: Array
    label_sets: Indices
    tails: Indices
    heads: Indices

    @classmethod
    def of(cls, corpus: Corpus, transitions: Transitions, eligible: Flags, costs: Array) -> BridgeSites:
        """Of a corpus and its candidates."""
        blended = blended_label_sets(corpus, transitions)
        return cls(corpus, transitions, eligible, costs, blended, *plain_edges(corpus))

    def inside(self, labels: int, taken: Flags) -> tuple[Indices, Indices]:
        """Edges of all frames with this label set: what is recorded, and the transitions `taken` (T,)."""
        own = self.corpus.labels[self.heads] == labels
        chosen = taken & (self.label_sets == labels)
        return (
            np.concatenate([self.tails[own], self.transitions.sources[chosen]]),
            np.concatenate([self.heads[own], self.transitions.targets[chosen]]),
        )

    def main(self, labels: int, taken: Flags) -> Flags:
        """Rows (N,) of the largest component of a label set."""
        return largest_component(len(self.corpus), *self.inside(labels, taken))

    def core(self, labels: int, taken: Flags) -> Flags:
        """The same, but none if it is only an accident."""
        main = self.main(labels, taken)
        return main & (main.sum() > LEAST_SHARE * (self.corpus.labels == labels).sum())


def join_pieces(ground: BridgeSites, labels: int, taken: Flags, tight: Flags) -> Indices:
    """Numbers of candidates by which pieces with a label set, cut off from the largest component, join it.

    taken: (T,) candidates that are taken already; tight: (T,) those that may be added. A piece is joined by a way
    to it and one back, through other pieces if need be; both together are the cheapest, where staying for longer
    counts as well.
    """
    taken, added = taken.copy(), []
    for _ in range(JOIN_ROUNDS):
        main = ground.main(labels, taken)
        new = [number for way in _ways(ground, labels, taken, tight, main) for number in way if not taken[number]]
        if not new:
            break
        taken[new] = True
        added += new
    return np.unique(np.array(added, dtype=np.int64))


def _ways(ground: BridgeSites, labels: int, taken: Flags, tight: Flags, main: Flags) -> Iterator[list[int]]:
    """For every piece that is not part of the main component: the candidates that lead to it and back."""
    pieces = [piece for piece in _pieces(ground.corpus, labels) if not main[piece].any()]
    if not pieces or not main.any():
        return
    tails, heads = ground.inside(labels, taken)
    free = tight & (ground.label_sets == labels) & ~taken
    numbers = np.flatnonzero(free)
    sources, targets = ground.transitions.sources[numbers], ground.transitions.targets[numbers]
    tails, heads = np.concatenate([tails, sources]), np.concatenate([heads, targets])
    costs = np.concatenate([np.full(len(tails) - len(numbers), FREE_COST), ground.costs[numbers]])
    rows = len(ground.corpus)
    there, came_from = cheapest_ways(rows, tails, heads, costs, main)
    back, goes_to = cheapest_ways(rows, heads, tails, costs, main)
    by_ends = dict(zip(zip(sources.tolist(), targets.tolist(), strict=True), numbers.tolist(), strict=True))
    for piece in pieces:
        stay = _best_stay(there[piece], back[piece])
        if stay is not None:
            enter, leave = piece[stay[0]], piece[stay[1]]
            yield [
                *_candidates_along(enter, came_from, by_ends, forward=True),
                *_candidates_along(leave, goes_to, by_ends, forward=False),
            ]


def close_a_loop(ground: BridgeSites, tight: Flags) -> int | None:
    """The candidate that best leads back within a piece of one label set, for a graph that has no cycle at all."""
    transitions, corpus = ground.transitions, ground.corpus
    stretch = np.cumsum(
        np.insert((np.diff(corpus.labels) != 0) | (np.diff(corpus.library.clip_of_frame) != 0), 0, False)
    )
    same = stretch[transitions.sources] == stretch[transitions.targets]
    numbers = np.flatnonzero(tight & same & (transitions.targets < transitions.sources))
    if len(numbers) == 0:
        return None
    sources, targets = transitions.sources[numbers], transitions.targets[numbers]
    shown = (sources - targets) / np.bincount(stretch)[stretch[sources]]
    return int(numbers[np.argmin(ground.costs[numbers] - UNSEEN * shown)])


def _pieces(corpus: Corpus, labels: int) -> list[Indices]:
    """Rows of every stretch of a clip with a label set."""
    own = np.flatnonzero(corpus.labels == labels)
    clips = corpus.library.clip_of_frame[own]
    return np.split(own, np.flatnonzero((np.diff(own) != 1) | (np.diff(clips) != 0)) + 1) if len(own) else []


def _best_stay(there: Array, back: Array) -> tuple[int, int] | None:
    """Where to enter a piece and where to leave it, given what it costs (L,) to get there and back again."""
    if not (np.isfinite(there).any() and np.isfinite(back).any()):
        return None
    seen = UNSEEN * np.arange(len(there)) / len(there)
    enter = there + seen
    best = np.minimum.accumulate(enter)
    total = best + back - seen
    leave = int(np.argmin(total))
    if not np.isfinite(total[leave]):
        return None
    return int(np.argmin(enter[: leave + 1])), leave


def _candidates_along(
    row: int, next_row: Indices, by_ends: dict[tuple[int, int], int], *, forward: bool
) -> Iterator[int]:
    """Candidates on the way between a row and the main component, to it or (not `forward`) from it."""
    while next_row[row] >= 0:
        other = int(next_row[row])
        number = by_ends.get((other, int(row)) if forward else (int(row), other))
        if number is not None:
            yield number
        row = other


def join_label_sets(
    ground: BridgeSites, taken: Flags, cores: list[Flags], tight: Flags
) -> tuple[Indices, list[tuple[int, int]]]:
    """Numbers of candidates that lead from one label set's core to another's, and who stays cut off.

    cores: for every label set the rows (N,) of its core. A pair that no taken transition and no recording joins
    gets the cheapest candidates of those `tight` (T,) or, if one cannot be reached from the other at all, of all
    that are eligible; but none that leads to where there is no way back from. Cut off are pairs (from, to) that
    remain without any way.
    """
    before, taken = taken, taken.copy()
    added: dict[int, tuple[int, int]] = {}
    pairs = [(a, b) for a in range(len(cores)) for b in range(len(cores)) if a != b]
    pairs = [(a, b) for a, b in pairs if cores[a].any() and cores[b].any()]
    for only_tight in (True, False):
        for a, b in pairs:
            if _is_joined(ground, taken, cores[a], cores[b]):
                continue
            if not only_tight and _leads(ground, taken, cores, a, b):
                continue
            new = _cheapest(ground, ~taken & (tight if only_tight else ground.eligible), cores[a], cores[b])
            taken[new] = True
            added |= dict.fromkeys(new.tolist(), (a, b))
    kept = [number for number, (a, b) in sorted(added.items()) if _leads(ground, taken, cores, b, a)]
    taken = before.copy()
    taken[kept] = True
    cut_off = [(a, b) for a, b in pairs if not _leads(ground, taken, cores, a, b)]
    return np.array(kept, dtype=np.int64), cut_off


def _is_joined(ground: BridgeSites, taken: Flags, first: Flags, second: Flags) -> bool:
    sources, targets = ground.transitions.sources[taken], ground.transitions.targets[taken]
    recorded = first[ground.tails] & second[ground.heads] & ~(first & second)[ground.tails]
    return bool((first[sources] & second[targets]).any() or recorded.any())


def _leads(ground: BridgeSites, taken: Flags, cores: list[Flags], a: int, b: int) -> bool:
    """Whether a way leads from one core to another."""
    tails = np.concatenate([ground.tails, ground.transitions.sources[taken]])
    heads = np.concatenate([ground.heads, ground.transitions.targets[taken]])
    return bool(nodes_ahead(len(ground.corpus), tails, heads, cores[a])[cores[b]].any())


def _cheapest(ground: BridgeSites, free: Flags, first: Flags, second: Flags) -> Indices:
    numbers = np.flatnonzero(free & first[ground.transitions.sources] & second[ground.transitions.targets])
    return numbers[np.argsort(ground.costs[numbers], kind="stable")[:BETWEEN]]
