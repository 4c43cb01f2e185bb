"""Where two recordings are alike: the local minima of the distance surface, and the transitions there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.errors import GraphError
from walkon.graphs.comparing.clouds import WINDOW, align_windows
from walkon.graphs.comparing.metrics import Metric, PointClouds
from walkon.graphs.comparing.surface import TILE, WORKERS, Progress, run_ahead
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions
from walkon.motion import ClipLibrary

LIMIT = 0.15
"""Distance [m] from which on a minimum is no candidate for a transition: what five frames cover in lively motion.

Of all windows of CMU subject 16 a fifth of all pairs is nearer; every clip has a minimum with another below 0.11.
"""

EQUAL_SQUARES = 1e-9
"""Squares [m²] that differ by less than this are equal: what rounding leaves on level ground is no minimum."""


@dataclass(frozen=True, eq=False)
class Minima:
    """T local minima, in order of starts_a, then of starts_b.

    starts_a, starts_b: (T,) first rows of the two windows; starts_a < starts_b. distances: (T,), [m] for clouds.
    """

    starts_a: Indices
    starts_b: Indices
    distances: Array

    def __len__(self) -> int:
        """Number of minima T."""
        return len(self.starts_a)


def find_minima(
    corpus: Corpus,
    metric: Metric | None = None,
    *,
    window: int = WINDOW,
    limit: float = LIMIT,
    pairs: Iterable[tuple[int, int]] | None = None,
    workers: int = WORKERS,
    progress: Progress | None = None,
) -> Minima:
    """The local minima below `limit` of the surface of every pair of clips, or of `pairs` of clip numbers only.

    A minimum is lower than the up to eight entries around it in the surface of its two clips. metric: clouds of
    points over `window` frames unless said otherwise.
    """
    metric = PointClouds.of(corpus, window) if metric is None else metric
    wanted = None if pairs is None else _wanted(corpus.library, pairs)
    tiles = list(_tiles(corpus.library, wanted))
    remote = rows_to_middle(corpus.library, metric.window)
    found: list[Minima] = []

    def search(tile: tuple[int, int]) -> Minima:
        return search_tile(metric, remote, *tile, limit)

    for done, (_, minima) in enumerate(run_ahead(search, tiles, workers), start=1):
        found.append(minima if wanted is None else _only(corpus.library, minima, wanted))
        if progress is not None:
            progress(done, len(tiles))
    return join_minima(found)


def search_tile(metric: Metric, remote: Indices, row: int, column: int, limit: float, size: int = TILE) -> Minima:
    """The minima below `limit` in the tile of the surface whose first entry is at a row and a column.

    remote: `rows_to_middle`.
    """
    from walkon.graphs.comparing._kernels_minima import find_local_minima

    rows, columns = _with_margin(row, size, metric), _with_margin(column, size, metric)
    squares = metric.squares(rows, columns)
    inner = np.array(
        [
            row - rows.start,
            min(row + size, len(metric.valid)) - rows.start,
            column - columns.start,
            min(column + size, len(metric.valid)) - columns.start,
        ]
    )
    most = (size // 2 + 1) ** 2
    starts, others, lowest = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most)
    count = find_local_minima(
        squares, limit * limit, EQUAL_SQUARES, remote, rows.start, columns.start, inner, starts, others, lowest
    )
    return Minima(starts[:count].copy(), others[:count].copy(), np.sqrt(lowest[:count]))


def rows_to_middle(library: ClipLibrary, window: int) -> Indices:
    """Twice the rows (N,) from a row to the middle one at which a window may start in its clip."""
    clips = library.clip_of_frame
    return np.abs(2 * np.arange(len(clips)) - (library.starts + library.stops - window)[clips])


def join_minima(parts: Iterable[Minima]) -> Minima:
    """All of them, in order."""
    parts = list(parts)
    starts = np.concatenate([np.zeros(0, np.int64), *(part.starts_a for part in parts)])
    others = np.concatenate([np.zeros(0, np.int64), *(part.starts_b for part in parts)])
    distances = np.concatenate([np.zeros(0), *(part.distances for part in parts)])
    order = np.lexsort((others, starts))
    return Minima(starts[order], others[order], distances[order])


def as_transitions(
    corpus: Corpus, minima: Minima, window: int = WINDOW, *, apart: int | None = None
) -> Transitions:
    """Transitions from a to b and from b to a, wherever a frame comes before the window that is left.

    apart: frames that two windows of one clip must lie apart, `window` unless said otherwise: nearer ones lead a
    few frames on or back and nowhere else.
    """
    clips = corpus.library.clip_of_frame
    apart = window if apart is None else apart
    a, b = minima.starts_a, minima.starts_b
    useful = (clips[a] != clips[b]) | (np.abs(a - b) >= apart)
    left = np.concatenate([a[useful], b[useful]])
    entered = np.concatenate([b[useful], a[useful]])
    distances = np.tile(minima.distances[useful], 2)
    fits = left > corpus.library.starts[clips[left]]
    left, entered, distances = left[fits], entered[fits], distances[fits]
    order = np.lexsort((entered, left))
    left, entered = left[order], entered[order]
    alignments = align_windows(corpus, left, entered, window)
    return Transitions(window, left - 1, entered + window - 1, distances[order], alignments)


def _with_margin(first: int, size: int, metric: Metric) -> slice:
    """A tile's rows, and one more on either side to compare them with."""
    return slice(max(first - 1, 0), min(first + size + 1, len(metric.valid)))


def _wanted(library: ClipLibrary, pairs: Iterable[tuple[int, int]]) -> Flags:
    """Which pairs of clips (C, C) are asked for, the lower number first."""
    wanted = np.zeros((len(library), len(library)), dtype=bool)
    for pair in pairs:
        if not 0 <= min(pair) <= max(pair) < len(library):
            raise GraphError(f"there is no pair of clips {pair}: they are numbered from 0 to {len(library) - 1}")
        wanted[min(pair), max(pair)] = True
    return wanted


def _tiles(library: ClipLibrary, wanted: Flags | None) -> Iterator[tuple[int, int]]:
    """First row and column of every tile of the upper half that has something to find in it."""
    clips = library.clip_of_frame
    firsts = range(0, library.frame_count, TILE)
    last = [clips[min(first + TILE, library.frame_count) - 1] + 1 for first in firsts]
    for i, row in enumerate(firsts):
        for c, column in enumerate(firsts[i:], start=i):
            if wanted is None or wanted[clips[row] : last[i], clips[column] : last[c]].any():
                yield row, column


def _only(library: ClipLibrary, minima: Minima, wanted: Flags) -> Minima:
    clips = library.clip_of_frame
    keep = wanted[clips[minima.starts_a], clips[minima.starts_b]]
    return Minima(minima.starts_a[keep], minima.starts_b[keep], minima.distances[keep])
