"""Distances on the ground to what stands still and cannot be passed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.rotations import rotate
from walkon.world.outlines import BODY_HEIGHT, convex_parts, draw, ground_range, is_upright
from walkon.world.scene import HeightField, Obstacle, Scene
from walkon.world.shapes import Cylinder, Mesh, Polygon
from walkon.world.world import HULL_CORNERS, Gridmap

Region = tuple[Array, float]
"""Directed edges (E, 4) ax, az, bx, bz of an area on the ground, and the rounding [m] around it."""


@dataclass(frozen=True, eq=False)
class Closed:
    """All regions that one obstacle closes on a terrain, as kernels read them.

    edges (E, 4): those of region r from starts[r] to starts[r + 1], with rounding[r] [m] around it. box: x0, z0,
    x1, z1 [m] around it all, rounding included; the wrong way round if there is nothing.
    """

    terrain: HeightField
    edges: Array
    starts: NDArray[np.int64]
    rounding: Array
    box: tuple[float, float, float, float]


_closed: WeakKeyDictionary[Obstacle, Closed] = WeakKeyDictionary()

CLEARANCE_REACH = 3.0
"""[m] Distances are exact up to here and cut off beyond: farther than any body asks."""

MOST_VERTICES = 16_000_000
"""Of the clearance grid; a scene that needs more gets larger cells."""


def measure_clearance(scene: Scene, *, cell: float) -> Gridmap:
    """Signed distance [m] at every vertex to the nearest obstacle that stands still and has no `passes`, or to the
    edge of the bounds, whichever is less; at most `CLEARANCE_REACH`, or four cells where cells are large."""
    from walkon.world.kernels import lower_to_edges

    grid = _empty_grid(scene.bounds, cell)
    reach = max(CLEARANCE_REACH, 4.0 * grid.cell)
    rows, columns = map(np.arange, grid.values.shape)
    values = inside_bounds(grid, scene.bounds, reach, rows, columns)
    for obstacle in standing(scene):
        closed = closed_by(obstacle, scene.terrain)
        lower_to_edges(
            values, grid.origin_x, grid.origin_z, grid.cell, reach, closed.edges, closed.starts, closed.rounding
        )
    values.flags.writeable = False
    return Gridmap(grid.origin_x, grid.origin_z, grid.cell, values)


def standing(scene: Scene) -> list[Obstacle]:
    """The obstacles that a clearance grid knows: those that stand still and cannot be passed."""
    return [obstacle for obstacle in scene.obstacles if not obstacle.moves and not obstacle.passes]


def closed_by(obstacle: Obstacle, terrain: HeightField) -> Closed:
    """What an obstacle at its first frame closes; drawn once, and kept for as long as there is the obstacle."""
    known = _closed.get(obstacle)
    if known is None or known.terrain is not terrain:
        regions = static_regions(obstacle, terrain)
        edges = np.concatenate([np.zeros((0, 4)), *(edges for edges, _ in regions)])
        starts = np.cumsum([0, *(len(edges) for edges, _ in regions)])
        rounding = np.array([rounding for _, rounding in regions], dtype=np.float64)
        box = (math.inf, math.inf, -math.inf, -math.inf)
        if len(edges):
            ends, most = edges.reshape(-1, 2), float(rounding.max())
            box = (*(ends.min(axis=0) - most).tolist(), *(ends.max(axis=0) + most).tolist())
        known = _closed[obstacle] = Closed(terrain, edges, starts, rounding, box)
    return known


def sampling_error(cell: float, distance: float) -> float:
    """How much [m] bilinear sampling of a clearance grid may exceed the true distance where that is >= `distance`.

    The distance to a point curves by 1 / distance, straight lines over a cell miss a curve by cell²/8 per axis,
    and no distance changes faster than one goes. Nearest-of-several never adds to it: taking the minimum and
    interpolating are both monotone.
    """
    nearest = distance - math.sqrt(2.0) * cell
    curved = cell**2 / (4.0 * nearest) if nearest > 0.0 else math.inf
    return min(curved, cell / math.sqrt(2.0))


def static_regions(obstacle: Obstacle, terrain: HeightField) -> list[Region]:
    """The areas that an obstacle at its first frame closes to a body `BODY_HEIGHT` tall."""
    shape = obstacle.shape
    if isinstance(shape, Mesh):
        return _mesh_regions(obstacle, shape, terrain)
    if isinstance(shape, Polygon) and is_upright(obstacle.rotations):
        return _polygon_regions(obstacle, shape, terrain)
    regions: list[Region] = []
    for part in convex_parts(shape, obstacle.rotations):
        # All corners of a tilted cylinder are kept: here they need no room in an array of solids.
        most = 2 * len(part.points) + 8 if isinstance(shape, Cylinder) else max(HULL_CORNERS, len(part.points) + 8)
        outlines = draw(part, obstacle, terrain, most=most)
        size = int(outlines.sizes[0])
        if size and outlines.top[0] > 0.0 and outlines.bottom[0] < BODY_HEIGHT:
            regions.append((_loop(outlines.corners[0, :size]), float(outlines.rounding[0])))
    return regions


def _polygon_regions(obstacle: Obstacle, shape: Polygon, terrain: HeightField) -> list[Region]:
    local = np.stack([shape.corners[:, 0], np.zeros(len(shape.corners)), shape.corners[:, 1]], axis=1)
    corners = rotate(obstacle.rotations[0], local) + obstacle.positions[0]
    lowest, highest = ground_range(terrain, corners[None], np.zeros(1))
    base = obstacle.positions[0, 1]
    if base + shape.height <= lowest[0] or base >= highest[0] + BODY_HEIGHT:
        return []
    return [(_loop(corners[:, [0, 2]]), 0.0)]


def _mesh_regions(obstacle: Obstacle, shape: Mesh, terrain: HeightField) -> list[Region]:
    """Every triangle where it is in the way, and what a closed mesh encloses half way up."""
    from walkon.world._kernels_outlines import draw_outlines

    vertices = rotate(obstacle.rotations[0], shape.vertices) + obstacle.positions[0]
    triangles = vertices[shape.faces]
    count = len(triangles)
    lowest, highest = ground_range(terrain, triangles, np.zeros(count))
    corners, sizes, discs = np.zeros((count, 6, 2)), np.zeros(count, dtype=np.int64), np.zeros((count, 3))
    draw_outlines(
        triangles, np.array([[0, 1], [1, 2], [2, 0]]), lowest, highest + BODY_HEIGHT, corners, sizes, discs
    )
    # A sheet that lies on the ground, or touches the layer from above, is in nobody's way.
    levels = triangles[:, :, 1]
    sizes[(levels.max(axis=1) <= lowest) | (levels.min(axis=1) >= highest + BODY_HEIGHT)] = 0
    regions: list[Region] = [(_loop(corners[t, : sizes[t]]), 0.0) for t in np.flatnonzero(sizes)]
    # Columns that are inside all the way up meet no triangle; they are inside at any level of every body.
    bottom, top = max(levels.min(), highest.max()), min(levels.max(), lowest.min() + BODY_HEIGHT)
    if bottom < top and _is_closed(vertices, shape.faces):
        section = _section(triangles, 0.5 * (bottom + top))
        if len(section):
            regions.append((section, 0.0))
    return regions


def _is_closed(vertices: Array, faces: NDArray[np.int64]) -> bool:
    """Whether every directed edge of a mesh is met by its reverse, corners at the same place being one."""
    _, same = np.unique(vertices.round(9), axis=0, return_inverse=True)
    faces = same.reshape(-1)[faces]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    there, counts = np.unique(edges, axis=0, return_counts=True)
    back, reverse = np.unique(edges[:, ::-1], axis=0, return_counts=True)
    return np.array_equal(there, back) and np.array_equal(counts, reverse)


def _section(triangles: Array, height: float) -> Array:
    """Directed edges (E, 4) in which triangles (T, 3, 3) cut the level `height`."""
    above = triangles[:, :, 1] > height
    ups = above.sum(axis=1)
    cut, single = np.flatnonzero((ups == 1) | (ups == 2)), ups == 1
    # The corner that is alone on its side of the level, and the two that follow it.
    lonely = np.argmax(above[cut] == single[cut][:, None], axis=1)
    apex, second, third = (triangles[cut, (lonely + k) % 3] for k in range(3))
    first = apex + ((height - apex[:, 1]) / (second[:, 1] - apex[:, 1]))[:, None] * (second - apex)
    other = apex + ((height - apex[:, 1]) / (third[:, 1] - apex[:, 1]))[:, None] * (third - apex)
    forward = np.concatenate([first[:, [0, 2]], other[:, [0, 2]]], axis=1)
    backward = np.concatenate([other[:, [0, 2]], first[:, [0, 2]]], axis=1)
    return np.where(single[cut][:, None], forward, backward)


def _loop(corners: Array) -> Array:
    """The closed line through corners (K, 2) as directed edges (K, 4)."""
    return np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)


def _empty_grid(bounds: tuple[float, float, float, float], cell: float) -> Gridmap:
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
