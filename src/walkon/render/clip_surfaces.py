"""How alike the recordings of a motion graph are, with its transitions and the minima that it leaves out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices, stretches
from walkon.errors import RenderError
from walkon.graphs import MotionGraph
from walkon.graphs.comparing.metrics import Metric, build_metric
from walkon.graphs.comparing.minima import find_minima
from walkon.graphs.comparing.surface import distance_surface
from walkon.render.surface_plots import Axis, draw_surface

ALL = "all"
"""In place of a clip: all of them, end to end."""

MOST_SURFACE_ROWS = 20_000
"""Rows that a surface of all clips may have."""

CELLS = 1500
"""Cells a side that a surface is drawn in at most, each as bright as its brightest entry."""

BAND = 512
"""Rows of the surface in memory at once, at most."""


def draw_clip_surface(
    graph: MotionGraph,
    clips: tuple[str, str],
    path: Path | str,
    *,
    metric: str = "points",
    width: int = 1200,
) -> None:
    """Draw a PNG of how alike two clips of a graph are, by name, or all of them; see `draw_surface`.

    metric: by which distance, see `metrics.METRICS`; minima are those of this distance. Of all clips, only minima
    that became transitions are marked.
    """
    corpus = graph.corpus
    if ALL in clips and len(corpus) > MOST_SURFACE_ROWS:
        raise RenderError(f"{len(corpus)} rows make no picture, {MOST_SURFACE_ROWS} do: name two clips")
    rows, columns = (_rows(graph, name) for name in clips)
    measure = build_metric(corpus, metric, graph.window)
    starts, kept = _minima(graph, measure, clips, rows, columns)
    draw_surface(
        _pooled(measure, rows, columns),
        path,
        _axis(graph, clips[0]),
        _axis(graph, clips[1]),
        fps=graph.fps,
        minima=starts,
        kept=kept,
        title="all clips" if clips == (ALL, ALL) else "",
        unit="rad" if metric == "angles" else "m",
        width=width,
    )


def _minima(
    graph: MotionGraph, measure: Metric, clips: tuple[str, str], rows: slice, columns: slice
) -> tuple[Indices, NDArray[np.bool_]]:
    """Minima (K, 2) within rows and columns, counted from there, and which of them are transitions, either way."""
    library, window = graph.corpus.library, graph.window
    pairs = None if ALL in clips else [(library.index(clips[0]), library.index(clips[1]))]
    minima = find_minima(graph.corpus, measure, window=window, pairs=pairs)
    both = np.stack([minima.starts_a, minima.starts_b], axis=1)
    both = np.concatenate([both, both[:, ::-1]])
    first, second = both.T
    inside = (first >= rows.start) & (first < rows.stop) & (second >= columns.start) & (second < columns.stop)
    both = both[inside]
    size = len(graph.corpus)
    left, entered = graph.transitions.sources + 1, graph.transitions.targets - window + 1
    known = np.concatenate([left * size + entered, entered * size + left])
    kept = np.isin(both[:, 0] * size + both[:, 1], known)
    if ALL in clips:
        both, kept = both[kept], kept[kept]
    return both - (rows.start, columns.start), kept


def _rows(graph: MotionGraph, name: str) -> slice:
    library = graph.corpus.library
    if name == ALL:
        return slice(0, len(graph.corpus))
    number = library.index(name)
    return slice(int(library.starts[number]), int(library.stops[number]))


def _axis(graph: MotionGraph, name: str) -> Axis:
    rows, corpus = _rows(graph, name), graph.corpus
    labels = corpus.labels[rows]
    strips = [(start, stop, corpus.label_sets[labels[start]]) for start, stop in stretches(labels)]
    breaks = corpus.library.starts[1:].tolist() if name == ALL else []
    return Axis("all clips" if name == ALL else name, len(labels), strips, breaks)


def _pooled(measure: Metric, rows: slice, columns: slice) -> Array:
    """The surface; of a large one the least entry of every cell, made in bands that fit in memory."""
    down, across = (max(1, -(-(part.stop - part.start) // CELLS)) for part in (rows, columns))
    bands, step = [], max(BAND // down, 1) * down
    for start in range(rows.start, rows.stop, step):
        band = distance_surface(measure, slice(start, min(start + step, rows.stop)), columns)
        band = np.minimum.reduceat(band, np.arange(0, band.shape[0], down), axis=0)
        bands.append(np.minimum.reduceat(band, np.arange(0, band.shape[1], across), axis=1))
    return np.concatenate(bands)
