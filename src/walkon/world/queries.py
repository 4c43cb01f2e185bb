"""Questions about a world, for pictures and for people; planners ask kernels."""

from __future__ import annotations

import math

import numpy as np

from walkon.world.world import Gridmap, World


def sample(grid: Gridmap, x: float, z: float) -> float:
    """A grid at (x, z) [m]; beyond its edge the value there less the distance to it."""
    from walkon.world.kernels import bilinear

    return float(bilinear(grid.origin_x, grid.origin_z, grid.cell, grid.values, float(x), float(z)))


def solid_frame(world: World, solid: int, frame: int) -> int:
    """Row of the arrays of `world.solids` that holds a solid at a frame of the world."""
    start, stop = world.solids.starts[solid : solid + 2]
    return int(min(start + max(frame, 0), stop - 1))


def solid_distance(world: World, solid: int, frame: int) -> Gridmap:
    """Signed distance [m] to the outline of a solid at a frame, over the bounds; exact to about `near`, inf
    beyond."""
    from walkon.world.kernels import lower_to_edges

    clearance, solids = world.clearance, world.solids
    row = solid_frame(world, solid, frame)
    corners = solids.corners[row, : solids.sizes[row]]
    values = np.full(clearance.values.shape, math.inf)
    edges = np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)
    lower_to_edges(
        values,
        clearance.origin_x,
        clearance.origin_z,
        clearance.cell,
        float(solids.near[solid]),
        edges,
        np.array([0, len(edges)]),
        solids.rounding[row : row + 1],
    )
    return Gridmap(clearance.origin_x, clearance.origin_z, clearance.cell, values)


def near_region(world: World, solid: int, frame: int) -> Gridmap:
    """Where a behavior that passes a solid may begin at a frame: 1 there, 0 elsewhere."""
    return _mask(solid_distance(world, solid, frame), float(world.solids.near[solid]))


def within_region(world: World, solid: int, frame: int) -> Gridmap:
    """Where a body may be at a frame at which it passes a solid: 1 there, 0 elsewhere."""
    return _mask(solid_distance(world, solid, frame), float(world.solids.within[solid]))


def _mask(distance: Gridmap, most: float) -> Gridmap:
    values = (distance.values <= most).astype(np.float64)
    return Gridmap(distance.origin_x, distance.origin_z, distance.cell, values)
