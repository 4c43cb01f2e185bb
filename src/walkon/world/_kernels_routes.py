"""Kernels for shortest distances over open cells, and the bound on the way to a goal that planners sample."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel


@kernel
def route_bound(origin_x, origin_z, cell, values, x, z, goal_x, goal_z, tolerance):
    """Lower bound [m] on the way from (x, z) to within `tolerance` of the goal: the best that the corners of its
    cell in a goal field allow, or the straight line if that is longer."""
    rows, columns = values.shape
    u = (x - origin_x) / cell
    v = (z - origin_z) / cell
    i = int(min(max(u, 0.0), columns - 2.0))
    j = int(min(max(v, 0.0), rows - 2.0))
    a, b = u - i, v - j
    near_side, far_side = a * a, (1.0 - a) * (1.0 - a)
    near_row, far_row = b * b, (1.0 - b) * (1.0 - b)
    # The field is lowered by half a diagonal for those who sample it between corners.
    best = math.sqrt(0.5) * cell + max(
        values[j, i] - cell * math.sqrt(near_side + near_row),
        values[j, i + 1] - cell * math.sqrt(far_side + near_row),
        values[j + 1, i] - cell * math.sqrt(near_side + far_row),
        values[j + 1, i + 1] - cell * math.sqrt(far_side + far_row),
    )
    return max(math.hypot(x - goal_x, z - goal_z) - tolerance, best, 0.0)


@kernel
def _reaches(values, first_row, last_row, first_column, last_column, least):
    """Whether any of a block of values is at least `least`."""
    for b in range(first_row, last_row + 1):
        for a in range(first_column, last_column + 1):
            if values[b, a] >= least:
                return True
    return False


@kernel
def open_cells(clearance, step, least, cells):
    """Mark the cells somebody may stand in: those with a vertex of `clearance` (Nz, Nx) that is at least `least`.

    A cell is `step` of the grid's wide. cells (rows + 5, columns + 5): with two closed ones before the first and
    three after the last of each row and column.
    """
    rows, columns = clearance.shape
    for j in range(cells.shape[0] - 5):
        for i in range(cells.shape[1] - 5):
            last_row, last_column = min((j + 1) * step, rows - 1), min((i + 1) * step, columns - 1)
            cells[j + 2, i + 2] = _reaches(clearance, j * step, last_row, i * step, last_column, least)


@kernel
def spread(lengths, is_open, hops, weights, least, ring):
    """Shortest distances over the corners of open cells from those that are < inf in lengths, in place.

    lengths, is_open (N,): corners and cells of a grid, row by row; a corner has the number of the cell of which
    it is the least one. The cells along the edge of the grid are closed, so that no hop leaves it. hops (M, 4):
    how much further the corner is that it leads to; how much further two cells are; how many of these must be
    open. weights (M,) [m]: lengths of the hops. least [m]: no more than any of lengths. ring: number of buckets,
    more than one plus the greatest over the least weight.

    A bucket holds corners whose distances differ by less than the least weight, so none of them can improve
    another: each is settled once, without a heap.
    """
    shortest = math.inf
    for m in range(len(weights)):
        shortest = min(shortest, weights[m])
    scale = 1.0 / shortest
    items = np.empty((ring, lengths.size), dtype=np.int32)
    counts = np.zeros(ring, dtype=np.int64)
    bucket_of = np.empty(lengths.size, dtype=np.int32)
    waiting = 0
    for corner in range(lengths.size):
        bucket_of[corner] = -1
        if lengths[corner] < math.inf:
            bucket = int((lengths[corner] - least) * scale)
            bucket_of[corner] = bucket
            items[bucket % ring, counts[bucket % ring]] = corner
            counts[bucket % ring] += 1
            waiting += 1
    current = 0
    while waiting > 0:
        slot = current % ring
        position = 0
        while position < counts[slot]:
            corner = items[slot, position]
            position += 1
            waiting -= 1
            if bucket_of[corner] != current:
                continue  # it has gone to an earlier bucket since
            here = lengths[corner]
            for m in range(len(weights)):
                other = corner + hops[m, 0]
                length = here + weights[m]
                if length >= lengths[other]:
                    continue
                if is_open[corner + hops[m, 1]] + is_open[corner + hops[m, 2]] < hops[m, 3]:
                    continue
                lengths[other] = length
                bucket = int((length - least) * scale)
                if bucket_of[other] != bucket:
                    bucket_of[other] = bucket
                    target = bucket % ring
                    items[target, counts[target]] = other
                    counts[target] += 1
                    waiting += 1
        counts[slot] = 0
        current += 1


@kernel
def descend(values, row, column, moves, lengths, unreachable):
    """Corners (P, 2) row, column from one on down a goal field (Nz, Nx), as long as a move leads down by its own
    length; none if the first is unreachable."""
    rows, columns = values.shape
    found = np.empty((rows * columns, 2), dtype=np.int64)
    count = 0
    while values[row, column] < unreachable and count < len(found):
        found[count, 0], found[count, 1] = row, column
        count += 1
        here, chosen = values[row, column], -1
        for move in range(len(moves)):
            b, a = row + moves[move, 0], column + moves[move, 1]
            if 0 <= b < rows and 0 <= a < columns:
                gain = here - values[b, a] - lengths[move]
                if abs(gain) < 1e-9 * max(1.0, abs(here)):
                    chosen = move
                    break
        if chosen < 0:
            break
        row, column = row + moves[chosen, 0], column + moves[chosen, 1]
    return found[:count].copy()
