"""The edges of what stands still, found again by place: for a closer look than a grid of distances allows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices, once_per_object
from walkon.motion.features.outlines import BAND_SPLIT
from walkon.planning.kernels_bodies import ABOVE, BELOW, WallEdges, enter_edges
from walkon.rotations import rotate
from walkon.world import HeightField, Obstacle, World
from walkon.world.clearance import closed_by, standing

WALL_CELL, MOST_WALL_CELLS = 0.5, 1_000_000
"""[m] Side of the cells in which edges are found. With more, edges are looked at that are too far to matter; with
less, walls take more memory. Larger where there would be more cells than this, which take 8 MB."""

WALL_REACH = 0.5
"""[m] How far outside of a cell an edge may be to be found in it: what a body that walks reaches, with what it
looks at around it, so that one cell is enough. With more, more edges are looked at that are too far; with less,
more cells."""


NO_WALLS = WallEdges(
    np.zeros((0, 4)), np.zeros(0), np.zeros(0, dtype=np.int64), 0.0, 0.0, 1.0, 0.0, 1,
    np.zeros(2, dtype=np.int64), np.zeros(0, dtype=np.int32), gap=0.0, known=False,
)  # fmt: skip
"""No edges, which tell nothing."""


def compile_walls(world: World) -> WallEdges:
    """The edges of a world's obstacles that stand still and cannot be passed, and of its bounds."""
    scene = world.scene
    left, near, right, far = scene.bounds
    corners = np.array([(left, near), (right, near), (right, far), (left, far)])
    frame = np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)
    parts = [(frame, np.zeros(4), BELOW | ABOVE)]
    for obstacle in standing(scene):
        closed = closed_by(obstacle, scene.terrain)
        rounding = np.repeat(closed.rounding, np.diff(closed.starts))
        parts.append((closed.edges, rounding, _bands(obstacle, scene.terrain)))
    edges, rounding = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    bands = np.concatenate([np.full(len(part[0]), part[2], dtype=np.int64) for part in parts])
    cell = max(WALL_CELL, float(np.sqrt((right - left) * (far - near) / MOST_WALL_CELLS)))
    columns, rows = int((right - left) / cell) + 1, int((far - near) / cell) + 1
    starts, items = _entered(edges, rounding, (left, near, cell, WALL_REACH), columns, rows)
    return WallEdges(
        edges, rounding, bands, left, near, cell, WALL_REACH, columns, starts, items,
        gap=float(scene.clearance), known=world.slopes is None,
    )  # fmt: skip


def _entered(
    edges: Array, rounding: Array, grid: tuple[float, float, float, float], columns: int, rows: int
) -> tuple[Indices, NDArray[np.int32]]:
    """Where the edges of each cell begin, and all of them."""
    counts = np.zeros(columns * rows + 1, dtype=np.int64)
    enter_edges(edges, rounding, grid, columns, rows, counts, np.zeros(0, dtype=np.int32), True)
    starts = np.concatenate([[0], np.cumsum(counts[:-1])])
    items = np.empty(starts[-1], dtype=np.int32)
    enter_edges(edges, rounding, grid, columns, rows, starts[:-1].copy(), items, False)
    return starts, items


@once_per_object
def _bands(obstacle: Obstacle, terrain: HeightField) -> int:
    """Which parts of a body an obstacle can touch. On a slope nobody can tell, and both are meant."""
    if not terrain.is_flat:
        return BELOW | ABOVE
    heights = rotate(obstacle.rotations[0], obstacle.shape.span())[:, 1] + obstacle.positions[0, 1]
    heights = heights - terrain.heights.flat[0]
    bottom, top = heights.min() - obstacle.shape.rounding, heights.max() + obstacle.shape.rounding
    return (BELOW if bottom < BAND_SPLIT else 0) | (ABOVE if top > BAND_SPLIT else 0)
