"""How far it is to a goal around what stands still: lower bounds that a search may trust, and rough paths."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.world.world import Gridmap, World

UNREACHABLE = 1e9
"""[m] Value of a goal field where there is provably no way to the goal. Finite, so that 0 times it is 0."""

MOST_CORNERS = 1_000_000
"""Of a goal field; a world that needs more gets larger cells."""

_RING = 5  # buckets: the longest move is 2.24 times the shortest, and sources lie less than two moves apart


def goal_field(
    world: World, goal_x: float, goal_z: float, *, radius: float, cell: float = 0.25, tolerance: float = 0.0
) -> Gridmap:
    """Lower bound [m] on the length of any path to within `tolerance` [m] of a goal, as a grid to sample
    bilinearly.

    The path is one of a point that keeps `radius` [m] away from all that stands still and cannot be passed, and
    from the edge of the bounds. For the root of a body that is the least, over its frames, of its circle's
    radius less the distance from root to centre. Solids are ignored: they may be passed. The bound holds where
    that point may be; elsewhere it means nothing. It is `UNREACHABLE` where there is no way, and may be less
    than the straight line: `route_bound` takes the larger of both. cell [m]: rounded down to a multiple of the
    clearance grid's, but at least that.

    Why it is a lower bound. Every point of the path lies in an open cell: one with a vertex of the clearance
    grid at most half a diagonal away, whose clearance is at least `radius` less that, as distances change no
    faster than one goes. The shortest path through open cells bends only at corners of cells. Between two of
    these it is straight, and the cells that it crosses hold a chain of moves (along sides, diagonals, and
    diagonals of two cells in a row) in the two directions next to its own. Moves are weighted such that no such
    chain is longer than the straight line. So the shortest chain from a corner of the first cell to one of the
    last is no longer than the path and the ways from its ends to those corners, which are taken off.
    """
    from walkon.world._kernels_routes import open_cells, spread

    clearance = world.clearance
    fine_rows, fine_columns = clearance.values.shape
    step = max(int(cell / clearance.cell + 1e-9), math.ceil(math.sqrt(clearance.values.size / MOST_CORNERS)), 1)
    rows, columns = -(-(fine_rows - 1) // step), -(-(fine_columns - 1) // step)
    cells = np.zeros((rows + 5, columns + 5), dtype=np.uint8)
    open_cells(clearance.values, step, radius - math.sqrt(0.5) * clearance.cell, cells)
    size = step * clearance.cell
    framed = np.full(cells.shape, math.inf)
    distances = framed[2:-2, 2:-2]
    _put_goal(
        distances,
        cells,
        (goal_x - clearance.origin_x) / size,
        (goal_z - clearance.origin_z) / size,
        tolerance / size,
    )
    distances *= size
    moves, weights = _moves()
    hops = moves @ _flat(framed.shape[1])
    spread(framed.reshape(-1), cells.reshape(-1), hops, weights * size, -0.5 * size, _RING)
    # Sampled between corners, it must hold at once for ways to all of them: half a diagonal in the mean, at most.
    distances = np.minimum(distances - math.sqrt(0.5) * size, UNREACHABLE)
    distances.flags.writeable = False
    return Gridmap(clearance.origin_x, clearance.origin_z, size, distances)


def coarse_path(field: Gridmap, x: float, z: float) -> Array:
    """A rough way (P, 2) [m] from (x, z) down a goal field, over corners of its cells; only the start if there
    is none.

    It ends at a corner of the goal's cell. It keeps about as far from obstacles as the field's radius less a cell.
    """
    from walkon.world._kernels_routes import descend

    moves, weights = _moves()
    row, column = _first_corner(field, x, z)
    corners = descend(field.values, row, column, moves[:, :2], weights * field.cell, UNREACHABLE)
    places = np.array([field.origin_x, field.origin_z]) + field.cell * corners[:, ::-1]
    return _without_straight(np.concatenate([[(x, z)], places]))


def _first_corner(field: Gridmap, x: float, z: float) -> tuple[int, int]:
    """Row and column of the corner around (x, z) over which the way is shortest."""
    rows, columns = field.values.shape
    u, v = (x - field.origin_x) / field.cell, (z - field.origin_z) / field.cell
    i, j = min(max(math.floor(u), 0), columns - 2), min(max(math.floor(v), 0), rows - 2)
    corners = [(j + b, i + a) for b in (0, 1) for a in (0, 1)]
    return min(corners, key=lambda c: field.values[c] + field.cell * math.hypot(c[1] - u, c[0] - v))


def _without_straight(path: Array) -> Array:
    """A path (P, 2) without the points at which it goes straight on."""
    steps = np.diff(path, axis=0)
    turns = steps[1:, 0] * steps[:-1, 1] - steps[1:, 1] * steps[:-1, 0]
    kept = np.ones(len(path), dtype=np.bool_)
    kept[1:-1] = np.abs(turns) > 1e-9
    return path[kept]


def _put_goal(distances: Array, cells: NDArray[np.uint8], u: float, v: float, tolerance: float) -> None:
    """Start values, in cells, at the corners of open cells that touch the goal.

    A path enters the cell in which it ends at most half a side from a corner, so it is at most that much shorter
    than a way to that corner.
    """
    rows, columns = distances.shape[0] - 1, distances.shape[1] - 1
    i0, i1 = _span(u, tolerance, columns)
    j0, j1 = _span(v, tolerance, rows)
    for j in range(j0, j1):
        for i in range(i0, i1):
            aside, ahead = max(i - u, u - i - 1, 0.0), max(j - v, v - j - 1, 0.0)
            if not cells[j + 2, i + 2] or math.hypot(aside, ahead) > tolerance + 1e-9:
                continue
            for b in (j, j + 1):
                for a in (i, i + 1):
                    ahead_by = min(0.5, math.hypot(a - u, b - v) + tolerance)
                    distances[b, a] = min(distances[b, a], -ahead_by)


def _span(middle: float, reach: float, count: int) -> tuple[int, int]:
    """The range of cells, out of `count` in a row, that touch middle ± reach, in cells."""
    first = min(max(math.floor(middle - reach - 1e-9), 0), count)
    return first, min(max(math.floor(middle + reach + 1e-9) + 1, 0), count)


def _flat(columns: int) -> NDArray[np.int64]:
    """What makes the hops that `spread` takes of `_moves`, on a grid with `columns` columns: `moves @ it`."""
    return np.array(
        [
            [columns, 0, 0, 0],
            [1, 0, 0, 0],
            [0, columns, 0, 0],
            [0, 1, 0, 0],
            [0, 0, columns, 0],
            [0, 0, 1, 0],
            [0, 0, 0, 1],
        ]
    )


@cache
def _moves() -> tuple[NDArray[np.int64], Array]:
    """The 16 moves (16, 7) over corners of cells, and their weights in cells.

    A move has the rows and columns it goes; rows and columns of two cells from the corner's own; and how many of
    these must be open: both on the way, or one of those beside it.

    Points that a weight of 1 reaches in the directions of moves are the corners of a polygon around the unit
    circle: along sides and over two cells its sides touch the circle halfway; diagonals get what that leaves
    them.
    """
    half = 0.5 * math.atan2(1.0, 2.0)
    rest = 0.25 * math.pi - 3.0 * half
    moves, weights = [], []
    for b in range(-2, 3):
        for a in range(-2, 3):
            if math.gcd(a, b) != 1:
                continue
            down, right = (0 if b > 0 else -1), (0 if a > 0 else -1)  # the first cell on the way
            if b == 0:
                moves.append((b, a, -1, right, 0, right, 1))
            elif a == 0:
                moves.append((b, a, down, -1, down, 0, 1))
            else:
                further = (down + int(b / 2), right + int(a / 2)) if abs(a) + abs(b) == 3 else (down, right)
                moves.append((b, a, down, right, *further, 2))
            weights.append(math.hypot(a, b) * math.cos(rest if abs(a) == abs(b) else half))
    return np.array(moves, dtype=np.int64), np.array(weights)
