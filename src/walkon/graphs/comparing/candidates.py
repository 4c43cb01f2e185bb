"""The minima of large collections without visiting all pairs: valleys are found roughly, then seen exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from walkon.basics import Indices
from walkon.graphs.comparing.clouds import WINDOW, PointClouds
from walkon.graphs.comparing.embedding import embed_windows
from walkon.graphs.comparing.minima import EQUAL_SQUARES, LIMIT, Minima, join_minima, rows_to_middle
from walkon.graphs.comparing.surface import WORKERS, Progress, run_ahead
from walkon.graphs.corpus import Corpus

if TYPE_CHECKING:
    from walkon.graphs.comparing._kernels_candidates import Clouds

DIMENSIONS = 16
"""Dimensions of the space in which windows are compared roughly: more are more exact and slower."""

STRIDE = 4
"""Rows from one that is searched for valleys to the next: a valley runs on for several rows."""

ROUGH_SLACK = 1.05
"""Rough distances up to this multiple of the limit are looked at exactly: rough ones are a little off. More
misses fewer minima and takes longer."""

DIAGONAL_SWAY = 3
"""Diagonals that the true valley may be beside the rough one."""

ROWS = 64
"""Rows searched for valleys at a time."""

LONGEST_VALLEY, BROADEST_VALLEY = 16, 2
"""Valleys in a row that are seen together, and how many diagonals apart they may be."""

PATCHES = 1024
"""Patches searched at a time."""


def find_candidates(
    corpus: Corpus,
    clouds: PointClouds | None = None,
    *,
    window: int = WINDOW,
    limit: float = LIMIT,
    stride: int = STRIDE,
    slack: float = ROUGH_SLACK,
    workers: int = WORKERS,
    progress: Progress | None = None,
) -> Minima:
    """Most of what `find_minima` finds, in a small part of the time if few pairs of windows are below `limit`.

    What is found is a minimum and has its exact distance; some are missed. Every `stride`-th row is compared with
    all windows roughly, up to `slack` times the limit; patches along the valleys found there are compared exactly.
    """
    clouds = PointClouds.of(corpus, window) if clouds is None else clouds
    search = _Search(corpus, clouds, limit, stride, slack)
    blocks = list(search.blocks())
    found: list[Minima] = []
    for done, (_, minima) in enumerate(run_ahead(search.run, blocks, workers), start=1):
        found.append(minima)
        if progress is not None:
            progress(done, len(blocks))
    return _without_repeats(join_minima(found))


class _Search:
    """What all blocks of rows have in common."""

    def __init__(self, corpus: Corpus, clouds: PointClouds, limit: float, stride: int, slack: float) -> None:
        from walkon.graphs.comparing._kernels_candidates import BOX, fill_boxes

        self.clouds, self.limit, self.stride, self.slack = clouds, limit, stride, slack
        self.remote = rows_to_middle(corpus.library, clouds.window)
        self.places = np.ascontiguousarray(embed_windows(clouds, DIMENSIONS).T)
        boxes = (self.places.shape[1] + BOX - 1) // BOX
        self.lows = np.empty((boxes, len(self.places)), np.float32)
        self.highs = np.empty_like(self.lows)
        fill_boxes(self.places, self.lows, self.highs)
        inside = np.arange(len(corpus)) - corpus.library.starts[corpus.library.clip_of_frame]
        self.rows = np.flatnonzero(clouds.valid & (inside % stride == 0))

    def blocks(self) -> Iterator[Indices]:
        """Rows to search for valleys, some at a time."""
        for first in range(0, len(self.rows), ROWS):
            yield self.rows[first : first + ROWS]

    def run(self, rows: Indices) -> Minima:
        """The minima around the valleys of some rows, some of them more than once."""
        from walkon.graphs.comparing._kernels_candidates import find_valleys, link_valleys

        most = len(rows) * (self.places.shape[1] // 2 + 1)
        starts, others = np.empty(most, np.int32), np.empty(most, np.int32)
        radius = self.limit * self.slack
        count = find_valleys(self.places, self.lows, self.highs, rows, radius, starts, others)
        patches = np.empty((count, 4), np.int64)
        count = link_valleys(starts[:count], others[:count], self.stride, LONGEST_VALLEY, BROADEST_VALLEY, patches)
        parts = [
            self._searched(patches[first : min(first + PATCHES, count)]) for first in range(0, count, PATCHES)
        ]
        return _without_repeats(join_minima(parts))

    def _searched(self, patches: Indices) -> Minima:
        from walkon.graphs.comparing._kernels_candidates import Around, search_patches

        # Every minimum lies between two searched rows, and in patches of both: its valley may end before either.
        clouds, reach = self.clouds, self.stride - 1
        # No two minima are neighbours: a square of two rows and two columns has one.
        most = (
            len(patches)
            * (LONGEST_VALLEY * self.stride // 2 + reach + 1)
            * (BROADEST_VALLEY // 2 + DIAGONAL_SWAY + 1)
        )
        starts, others, lowest = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most)
        around = Around(self.limit**2, EQUAL_SQUARES, reach, DIAGONAL_SWAY)
        count = search_patches(arrays_of(clouds), self.remote, patches, around, starts, others, lowest)
        return Minima(starts[:count].copy(), others[:count].copy(), np.sqrt(lowest[:count]))


def arrays_of(clouds: PointClouds) -> Clouds:
    """What the kernels see of clouds."""
    from walkon.graphs.comparing._kernels_candidates import Clouds

    return Clouds(*(getattr(clouds, name) for name in Clouds._fields))


def _without_repeats(minima: Minima) -> Minima:
    """Minima in order, each only once."""
    new = np.ones(len(minima), dtype=bool)
    new[1:] = (np.diff(minima.starts_a) != 0) | (np.diff(minima.starts_b) != 0)
    return Minima(minima.starts_a[new], minima.starts_b[new], minima.distances[new])
