"""The distance surface: how far apart any two windows of a corpus are, in tiles, on as many cores as there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from walkon.basics import Array, Progress
from walkon.errors import GraphError
from walkon.files import atomic_path
from walkon.graphs.comparing.metrics import Metric, PointClouds
from walkon.graphs.corpus import Corpus

Work = TypeVar("Work")
Result = TypeVar("Result")

TILE = 256
"""Rows and columns of a tile: small enough for the caches, large enough that its margin does not matter."""

WORKERS = 2
"""Threads that work on tiles."""

MOST_ENTRIES = 2**27
"""Entries of a surface that are held in memory at most: 1 GB. `write_surface` makes files of larger ones."""


def distance_surface(
    what: Corpus | Metric, rows: slice | None = None, columns: slice | None = None, *, workers: int = WORKERS
) -> Array:
    """Distances (Ma, Mb) of windows that start at `rows` to windows that start at `columns`; of all by default.

    `what`: a metric, or a corpus whose clouds of points are compared. Infinite where a window leaves its clip.
    """
    metric = as_metric(what)
    rows, columns = _within(rows, metric), _within(columns, metric)
    shape = (rows.stop - rows.start, columns.stop - columns.start)
    if shape[0] * shape[1] > MOST_ENTRIES:
        raise GraphError(
            f"a surface of {shape[0]} × {shape[1]} may not fit into memory; write_surface makes a file"
        )
    surface = np.empty(shape)
    _fill(surface, metric, rows, columns, workers, None)
    return surface


def write_surface(
    path: Path | str,
    what: Corpus | Metric,
    rows: slice | None = None,
    columns: slice | None = None,
    *,
    dtype: DTypeLike = np.float32,
    workers: int = WORKERS,
    progress: Progress | None = None,
) -> None:
    """Write the distances (Ma, Mb) as a .npy file that `np.load(path, mmap_mode="r")` reads piece by piece.

    The surface may be larger than memory. The file is whole or absent.
    """
    metric = as_metric(what)
    rows, columns = _within(rows, metric), _within(columns, metric)
    shape = (rows.stop - rows.start, columns.stop - columns.start)
    with atomic_path(path) as temporary:
        surface = np.lib.format.open_memmap(temporary, mode="w+", dtype=dtype, shape=shape)
        _fill(surface, metric, rows, columns, workers, progress)
        surface.flush()
        del surface


def as_metric(what: Corpus | Metric) -> Metric:
    """A metric as it is; for a corpus its clouds of points."""
    return PointClouds.of(what) if isinstance(what, Corpus) else what


def run_ahead(
    work: Callable[[Work], Result], items: Iterable[Work], workers: int
) -> Iterator[tuple[Work, Result]]:
    """Results as they are ready, of a few items at a time: neither items nor results pile up."""
    waiting = iter(items)
    with ThreadPoolExecutor(max(workers, 1)) as pool:
        running: dict[Future[Result], Work] = {
            pool.submit(work, item): item for item in islice(waiting, 2 * max(workers, 1))
        }
        try:
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    item = running.pop(future)
                    yield item, future.result()
                    running.update({pool.submit(work, item): item for item in islice(waiting, 1)})
        finally:
            for future in running:
                future.cancel()


def _within(rows: slice | None, metric: Metric) -> slice:
    start, stop, step = (rows or slice(None)).indices(len(metric.valid))
    if step != 1:
        raise GraphError("a surface is made of all windows from one row to another: slices have step 1")
    return slice(start, max(start, stop))


def _fill(
    surface: NDArray, metric: Metric, rows: slice, columns: slice, workers: int, progress: Progress | None
) -> None:
    tiles = [
        (slice(i, min(i + TILE, rows.stop)), slice(c, min(c + TILE, columns.stop)))
        for i in range(rows.start, rows.stop, TILE)
        for c in range(columns.start, columns.stop, TILE)
    ]

    def fill(tile: tuple[slice, slice]) -> None:
        (i, j), (c, d) = ((part.start, part.stop) for part in tile)
        np.sqrt(
            metric.squares(*tile),
            out=surface[i - rows.start : j - rows.start, c - columns.start : d - columns.start],
            casting="same_kind",
        )

    for done, _ in enumerate(run_ahead(fill, tiles, workers), start=1):
        if progress is not None:
            progress(done, len(tiles))
