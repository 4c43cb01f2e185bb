"""Match sets: the moments of a collection that most others are like, where one can cut from each to each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Indices
from walkon.graphs.comparing.clouds import PointClouds
from walkon.graphs.corpus import Corpus
from walkon.graphs.hubs._kernels import find_row_minima, rate_sets, thin_matches

MOMENT_REACH = 1 / 6
"""Seconds before and after a moment that count when it is compared with others, the farther the less."""

ALIKE = 1 / 15
"""Seconds: moments are alike, unless a threshold is given, if they are no farther apart than the body moves, seen
from its own root, in this time."""

LEAST_THRESHOLD = 0.02
"""[m] BodyMoments this near to each other are always alike: most collections also stand still."""

MOST_CENTRES, BLOCK = 6000, 64
"""Moments that are tried as the middle of a set at most; and, in larger collections, the size of the evenly
spread blocks of neighbours that are tried, which are compared together."""

FEWEST, LEAST_SHARE = 2, 0.1
"""A set of fewer moments, or of a smaller share of those of the largest set, is no hub: one hardly comes back."""

MOST_COMPARED = 200
"""Moments of a set that are compared with each one, at most, to find which is in their middle."""


@dataclass(frozen=True, eq=False)
class MatchSet:
    """Rows (M,) that are alike, rising, and how far [m] each is from the row that they were found with."""

    rows: Indices
    distances: Array


@dataclass(frozen=True, eq=False)
class Likeness:
    """How alike moments of a corpus are: by windows of 2 · reach + 1 frames with the moment in the middle.

    limits: (N,) [m] for every row how near another must be to be like it; two rows have the mean of theirs.
    """

    metric: PointClouds
    reach: int
    limits: Array

    @property
    def known(self) -> Indices:
        """The rows with frames enough of their clip on both sides."""
        return np.flatnonzero(self.metric.valid) + self.reach

    def between(self, rows: Indices, others: Indices) -> Array:
        """Distances [m] of pairs of rows."""
        return self.metric.pairs(rows - self.reach, others - self.reach)


def measure_likeness(corpus: Corpus, threshold: float | None = None) -> Likeness:
    """How alike the moments of a corpus are.

    threshold: [m] how near they must be; by default told from how fast every clip moves. Those who run get farther
    from one frame to the next than those who walk, and are no less alike for it.
    """
    reach = max(2, round(MOMENT_REACH * corpus.fps))
    metric = PointClouds.of(corpus, 2 * reach + 1, taper=hill(reach))
    limits = np.full(len(corpus), LEAST_THRESHOLD if threshold is None else threshold)
    lag = max(1, round(ALIKE * corpus.fps))
    for start, stop in zip(corpus.library.starts, corpus.library.stops, strict=True):
        begins = np.arange(start, stop - 2 * reach - lag)
        if threshold is None and len(begins):
            limits[start:stop] = max(LEAST_THRESHOLD, float(np.median(metric.pairs(begins, begins + lag))))
    return Likeness(metric, reach, limits)


def hill(reach: int) -> Array:
    """Weights (2 · reach + 1,) of the frames around a moment: most for the moment itself."""
    return np.cos(np.linspace(-0.5 * np.pi, 0.5 * np.pi, 2 * reach + 3)[1:-1]) ** 2


def middle_of(likeness: Likeness, rows: Indices) -> int:
    """The row with the least sum of distances to the others, or to some of them if they are many."""
    others = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), MOST_COMPARED)).astype(np.int64))]
    pairs = likeness.between(np.repeat(rows, len(others)), np.tile(others, len(rows)))
    return int(rows[np.argmin(pairs.reshape(len(rows), -1).sum(axis=1))])


def choose_match_sets(
    corpus: Corpus, likeness: Likeness, *, most: int, gap: int, alike_labels: bool = False
) -> list[MatchSet]:
    """Up to `most` sets, the largest first; no two rows of one clip, of any sets, are nearer than `gap` frames.

    For every row the local minima of its distance to all others, clip by clip, that lie below the limit are
    thinned in order of distance. The largest set wins, of equal ones the one with the lowest mean distance; then
    the rows near it are taken, and the next one is found among the rest. alike_labels: only among equal labels.
    """
    offsets, rows, distances = _candidates(corpus, likeness, alike_labels=alike_labels)
    # Clips are set apart by a gap, so that their ends are not near each other.
    spot_of = np.arange(len(corpus)) + gap * corpus.library.clip_of_frame
    spots = spot_of[rows]
    taken = np.zeros(int(spot_of[-1]) + gap + 1, dtype=np.bool_)
    sets: list[MatchSet] = []
    while len(sets) < most and len(rows):
        mark, kept = np.full(len(taken), -1), np.zeros(len(rows), dtype=np.bool_)
        counts, means = np.zeros(len(offsets) - 1, np.int64), np.zeros(len(offsets) - 1)
        rate_sets(offsets, spots, distances, gap, taken, mark, kept, counts, means)
        best = int(np.lexsort((means, -counts))[0])
        if counts[best] < max(FEWEST, LEAST_SHARE * len(sets[0].rows) if sets else 0):
            break
        which = slice(int(offsets[best]), int(offsets[best + 1]))
        mark[:] = -1
        thin_matches(spots[which], gap, taken, mark, 0, kept[which])
        chosen, apart = rows[which][kept[which]], distances[which][kept[which]]
        order = np.argsort(chosen)
        sets.append(MatchSet(chosen[order], apart[order]))
        for spot in spot_of[chosen]:
            taken[max(spot - gap + 1, 0) : spot + gap] = True
    return sets


def _candidates(corpus: Corpus, likeness: Likeness, *, alike_labels: bool) -> tuple[Indices, Indices, Array]:
    """For every centre the rows that are locally most like it, nearest first: offsets, rows and distances [m]."""
    library, reach, window = corpus.library, likeness.reach, likeness.metric.window
    # The first and the last window of a clip are no minima: one does not know what comes beside them.
    firsts, lasts = library.starts, np.maximum(library.stops - window + 1, library.starts)
    everything = slice(0, len(corpus))
    columns, values = np.empty(len(corpus), np.int64), np.empty(len(corpus))
    rows, distances, counts = [], [], []
    for begin in _block_starts(len(corpus)):
        block = slice(begin, min(begin + BLOCK, len(corpus)))
        surface = np.sqrt(likeness.metric.squares(block, everything))
        for start in np.flatnonzero(likeness.metric.valid[block]) + begin:
            apart = surface[start - begin]
            apart[start] = 0.0
            limits = 0.5 * (likeness.limits[start] + likeness.limits)
            count = find_row_minima(apart, firsts, lasts, limits, columns, values)
            order = np.argsort(values[:count], kind="stable")
            found, near = columns[:count][order] + reach, values[:count][order]
            if alike_labels:
                fits = corpus.labels[found] == corpus.labels[start + reach]
                found, near = found[fits], near[fits]
            rows.append(found)
            distances.append(near)
            counts.append(len(found))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    if not counts:
        return offsets, np.zeros(0, np.int64), np.zeros(0)
    return offsets, np.concatenate(rows), np.concatenate(distances)


def _block_starts(rows: int) -> Indices:
    """Where blocks of centres begin: all of them, or evenly spread ones."""
    starts = np.arange(0, rows, BLOCK)
    most = MOST_CENTRES // BLOCK
    return starts if len(starts) <= most else starts[np.linspace(0, len(starts) - 1, most).astype(np.int64)]
