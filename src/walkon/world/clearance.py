"""Distances on the ground to what stands still and cannot be passed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, once_per_object
from walkon.world.scene import HeightField, Obstacle, Scene
from walkon.world.slopes import Footing, Slopes, measure_slopes
from walkon.world.world import Gridmap


@dataclass(frozen=True, eq=False)
class Closed:
    """All regions that one obstacle closes on a terrain, as kernels read them.

    edges (E, 4): those of region r from starts[r] to starts[r + 1], with rounding[r] [m] around it. box: x0, z0,
    x1, z1 [m] around it all, rounding included; the wrong way round if there is nothing.
    """

    edges: Array
    starts: NDArray[np.int64]
    rounding: Array
    box: tuple[float, float, float, float]


CLEARANCE_REACH = 3.0
"""[m] Distances are exact up to here and cut off beyond: farther than any body asks."""

MOST_VERTICES = 16_000_000
"""Of the clearance grid; a scene that needs more gets larger cells."""


def measure_clearance(scene: Scene, *, cell: float, slopes: Slopes | None = None) -> Gridmap:
    """Signed distance [m] at every vertex to the nearest obstacle that stands still and has no `passes`, or to the
    edge of the bounds, whichever is less; at most `CLEARANCE_REACH`, or four cells where cells are large; less
    what slopes close or need."""
    from walkon.world.kernels import lower_to_edges

    grid = empty_grid(scene.bounds, cell)
    reach = max(CLEARANCE_REACH, 4.0 * grid.cell)
    rows, columns = map(np.arange, grid.values.shape)
    values = inside_bounds(grid, scene.bounds, reach, rows, columns)
    for obstacle in standing(scene):
        closed = closed_by(obstacle, scene.terrain)
        lower_to_edges(
            values, grid.origin_x, grid.origin_z, grid.cell, reach, closed.edges, closed.starts, closed.rounding
        )
    if slopes is not None:
        slopes.lower(values)
    values.flags.writeable = False
    return Gridmap(grid.origin_x, grid.origin_z, grid.cell, values)


def slopes_of(scene: Scene, footing: Footing, *, cell: float) -> Slopes | None:
    """The slopes of a scene's terrain on the vertices of its clearance grid."""
    if scene.terrain.is_flat:
        return None
    grid = empty_grid(scene.bounds, cell)
    rows, columns = (np.arange(count, dtype=np.float64) for count in grid.values.shape)
    x, z = grid.origin_x + grid.cell * columns, grid.origin_z + grid.cell * rows
    return measure_slopes(scene.terrain, footing, x, z)


def standing(scene: Scene) -> list[Obstacle]:
    """The obstacles that a clearance grid knows: those that stand still and cannot be passed."""
    return [obstacle for obstacle in scene.obstacles if not obstacle.moves and not obstacle.passes]


@once_per_object
def closed_by(obstacle: Obstacle, terrain: HeightField) -> Closed:
    """What an obstacle at its first frame closes; drawn once, and kept for as long as there is the obstacle."""
    regions = obstacle.shape.regions(obstacle, terrain)
    edges = np.concatenate([np.zeros((0, 4)), *(edges for edges, _ in regions)])
    starts = np.cumsum([0, *(len(edges) for edges, _ in regions)])
    rounding = np.array([rounding for _, rounding in regions], dtype=np.float64)
    box = (math.inf, math.inf, -math.inf, -math.inf)
    if len(edges):
        ends, most = edges.reshape(-1, 2), float(rounding.max())
        box = (*(ends.min(axis=0) - most).tolist(), *(ends.max(axis=0) + most).tolist())
    return Closed(edges, starts, rounding, box)


def sampling_error(cell: float, distance: float) -> float:
    """How much [m] bilinear sampling of a clearance grid may exceed the true distance where that is >= `distance`.

    The distance to a point curves by 1 / distance, straight lines over a cell miss a curve by cell²/8 per axis,
    and no distance changes faster than one goes. Nearest-of-several never adds to it: taking the minimum and
    interpolating are both monotone.
    """
    nearest = distance - math.sqrt(2.0) * cell
    curved = cell**2 / (4.0 * nearest) if nearest > 0.0 else math.inf
    return min(curved, cell / math.sqrt(2.0))


def empty_grid(bounds: tuple[float, float, float, float], cell: float) -> Gridmap:
    """A grid over the bounds and at least a cell around, with cells enlarged until it is of a size one can
    hold."""
    left, near, right, far = bounds

    def shape(cell: float) -> tuple[int, int]:
        return math.ceil((far - near) / cell) + 3, math.ceil((right - left) / cell) + 3

    rows, columns = shape(cell)
    while rows * columns > MOST_VERTICES:
        cell *= max(math.sqrt(rows * columns / MOST_VERTICES), 1.001)
        rows, columns = shape(cell)
    return Gridmap(left - cell, near - cell, cell, np.empty((rows, columns)))


def inside_bounds(
    grid: Gridmap,
    bounds: tuple[float, float, float, float],
    reach: float,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> Array:
    """Signed distance (R, C) [m] to the edge of the bounds at some rows (R,) and columns (C,) of a grid, positive
    inside, cut off at `reach`."""
    left, near, right, far = bounds
    x = grid.origin_x + columns * grid.cell
    z = grid.origin_z + rows * grid.cell
    aside = np.minimum(x - left, right - x)[None, :]
    ahead = np.minimum(z - near, far - z)[:, None]
    outside = np.hypot(np.minimum(aside, 0.0), np.minimum(ahead, 0.0))
    inside = np.minimum(np.minimum(aside, ahead), reach)
    return np.where(outside > 0.0, -outside, inside)
