"""Heat maps: synchronicity of pairs over time, and where it is crowded."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.metrics.plausibility import choose_pairs, map_pairs, measure_kinematics
from walkon.metrics.quality import map_density
from walkon.metrics.quality.density import Area
from walkon.metrics.trajectories import until_arrival
from walkon.render.report.entries import Entry
from walkon.render.report.images import encode_png
from walkon.render.report.style import PLOT_WIDTH
from walkon.render.svg import drawing, element, line, words
from walkon.render.ticks import ticks

HEAT_COLOURS = np.array(
    [(43, 36, 92), (52, 84, 143), (38, 138, 141), (104, 190, 106), (250, 228, 92)], dtype=np.float64
)
"""Colours from the least to the most, rising in brightness."""

LEFT, TOP, BOTTOM = 34.0, 6.0, 34.0
MOST_PAIRS, MOST_COLUMNS = 120, 240
HEIGHT = 150.0
TOLD_APART = 97.0
"""Percent of the cells that have colours of their own; the densest, where people wait for long, share the last."""

CELLS = 48
"""Cells along the longer side of a density map, about."""


def colour(values: Array, highest: float) -> NDArray[np.uint8]:
    """Colours (..., 4) of values from 0 to `highest`; nan is transparent."""
    share = np.clip(np.nan_to_num(values) / max(highest, 1e-12), 0.0, 1.0) * (len(HEAT_COLOURS) - 1)
    low = np.minimum(share.astype(int), len(HEAT_COLOURS) - 2)
    part = (share - low)[..., None]
    shade = HEAT_COLOURS[low] * (1.0 - part) + HEAT_COLOURS[low + 1] * part
    alpha = np.where(np.isfinite(values), 255.0, 0.0)[..., None]
    return np.concatenate([shade, alpha], axis=-1).round().astype(np.uint8)


def draw_pair_map(entry: Entry, longest: float) -> tuple[str, int, int]:
    """Synchronicity over time, a row for each pair, the most synchronous on top; how many of how many pairs."""
    moving = until_arrival(entry.measures.trajectories)
    pairs = choose_pairs(moving, MOST_PAIRS)
    found = map_pairs(moving, measure_kinematics(moving), pairs)
    values = found.values[:, : max(moving.frames, 1)].astype(np.float64)
    known = np.isfinite(values).sum(axis=1)
    sums = np.nansum(values, axis=1)
    order = np.argsort(-np.divide(sums, known, out=np.zeros(len(sums)), where=known > 0), kind="stable")
    cells = _binned(values[order])
    seconds = moving.frames / moving.fps
    across = PLOT_WIDTH - LEFT - 6
    ground = TOP + HEIGHT
    parts = []
    if len(cells):
        picture = element(
            "image", href=encode_png(colour(cells, 1.0)), x=LEFT, y=TOP, width=across * seconds / longest,
            height=HEIGHT, preserveAspectRatio="none", cls="pixels",
        )  # fmt: skip
        parts.append(picture)
    else:
        parts.append(words(LEFT + 0.5 * across, TOP + 0.5 * HEIGHT, "no pairs", "tick", text_anchor="middle"))
    for tick in ticks(0.0, longest, 6):
        x = LEFT + across * tick / longest
        parts.append(line(x, ground, x, ground + 4, "axis"))
        parts.append(words(x, ground + 15, f"{tick:g}", "tick", text_anchor="middle"))
    parts.append(words(PLOT_WIDTH - 6, ground + 30, "time [s]", "tick", text_anchor="end"))
    parts.append(words(0, TOP + 9, "pairs", "tick"))
    drawn = drawing(PLOT_WIDTH, ground + BOTTOM, *parts, label="synchronicity of pairs over time")
    return drawn, len(pairs), entry.measures.synchronicity.pairs


def _binned(values: Array) -> Array:
    """Rows (P, T) averaged over time to at most MOST_COLUMNS columns; nan where nothing is known."""
    count = values.shape[1]
    if count <= MOST_COLUMNS or not len(values):
        return values
    edges = np.linspace(0, count, MOST_COLUMNS + 1).astype(int)[:-1]
    sums = np.add.reduceat(np.nan_to_num(values), edges, axis=1)
    known = np.add.reduceat(np.isfinite(values).astype(np.float64), edges, axis=1)
    return np.divide(sums, known, out=np.full(sums.shape, np.nan), where=known > 0)


def density_grids(entries: Sequence[Entry], areas: Sequence[Area]) -> tuple[list[Array], list[float], float]:
    """Densities (rows, columns) [1/m²] in each one's area, sides of cells [m], and the most that is told apart."""
    grids, cells = [], []
    for entry, area in zip(entries, areas, strict=True):
        side = max(area[2] - area[0], area[3] - area[1]) / CELLS
        cell = max(0.25, math.ceil(side / 0.25) * 0.25)
        grid = map_density(entry.measures.trajectories, area, cell)
        grids.append(np.where(grid > 0.0, grid, np.nan))
        cells.append(cell)
    known = np.concatenate([grid[np.isfinite(grid)] for grid in grids])
    most = float(np.percentile(known, TOLD_APART)) if len(known) else 1.0
    return grids, cells, most
