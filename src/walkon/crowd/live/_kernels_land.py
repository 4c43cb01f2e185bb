"""The ground in cells, for rough ways: how much room there is in each, and how crowded it is."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import kernel
from walkon.planning.kernels_collision import distance_at


class Land(NamedTuple):
    """The ground in cells for rough ways.

    origin_x, origin_z, cell [m]. room: (rows, columns) [m] the most free space around a vertex of the clearance
    grid in the cell. spots: (rows, columns, 2) that vertex. density: (rows, columns) people who stand, per square
    metre. doors: (K, 5) middle x, z, way through x, z, room [m]; busy: (K,) whether many want through; door:
    (rows, columns) the number of one near, or -1.
    """

    origin_x: float
    origin_z: float
    cell: float
    room: NDArray[np.float64]
    spots: NDArray[np.float64]
    density: NDArray[np.float64]
    doors: NDArray[np.float64]
    door: NDArray[np.int64]
    busy: NDArray[np.bool_]


@kernel
def survey(grid, values, step, land, window):
    """Room and spots of all cells that have a vertex in a window (first row, row after the last, first column,
    column after the last) of distances `values` (Nz, Nx). A cell holds step x step, and those at its far edges."""
    origin_x, origin_z, fine = grid
    rows, columns = land.room.shape
    for row in range(max((window[0] - 1) // step, 0), min((window[1] - 1) // step + 1, rows)):
        for column in range(max((window[2] - 1) // step, 0), min((window[3] - 1) // step + 1, columns)):
            best, at_j, at_i = -1e9, row * step, column * step
            for j in range(row * step, min((row + 1) * step + 1, values.shape[0])):
                for i in range(column * step, min((column + 1) * step + 1, values.shape[1])):
                    if values[j, i] > best:
                        best, at_j, at_i = values[j, i], j, i
            # Where there is plenty of room all around, the middle of the cell makes straighter ways.
            land.room[row, column] = best
            land.spots[row, column, 0] = origin_x + fine * at_i
            land.spots[row, column, 1] = origin_z + fine * at_j
            middle_x, middle_z = (
                land.origin_x + (column + 0.5) * land.cell,
                land.origin_z + (row + 0.5) * land.cell,
            )
            if distance_at(origin_x, origin_z, fine, values, middle_x, middle_z) >= min(best, 1.0):
                land.spots[row, column, 0], land.spots[row, column, 1] = middle_x, middle_z


@kernel
def cell_at(land, x, z):
    """The number of the cell that a place lies in; that of the outermost if it lies outside."""
    rows, columns = land.room.shape
    row = min(max(int((z - land.origin_z) / land.cell), 0), rows - 1)
    column = min(max(int((x - land.origin_x) / land.cell), 0), columns - 1)
    return row * columns + column


@kernel
def crowd_density(crew, frame, fps, land):
    """People who stand or have got stuck, per square metre, spread over the cells around each."""
    land.density[:] = 0.0
    rows, columns = land.density.shape
    share = 1.0 / (9.0 * land.cell * land.cell)
    for own in range(len(crew)):
        if not crew[own].here:
            continue
        moved = math.hypot(crew[own].guess[2], crew[own].guess[3]) * fps
        weight = max(1.0 - moved, 0.1) * share
        cell = cell_at(land, crew[own].bound[0], crew[own].bound[1])
        row, column = cell // columns, cell % columns
        for a in range(max(row - 1, 0), min(row + 2, rows)):
            for b in range(max(column - 1, 0), min(column + 2, columns)):
                land.density[a, b] += weight
