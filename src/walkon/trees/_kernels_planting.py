"""From a growth to a forest: where nodes are, which cells their clips cover, and which goals they reach."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.rotations.kernels_ground import laid, standing


@kernel
def unfold(parents, clips, behavior_of, displacements, durations, behavior_costs, placements, costs, frames):
    """Placements (N, 3), costs (N,) and frames (N,) of nodes whose parents come before them; a root has parent
    -1 and no clip."""
    for node in range(len(parents)):
        parent, clip = parents[node], clips[node]
        if parent < 0:
            placements[node] = 0.0
            costs[node], frames[node] = 0.0, 0
            continue
        x, z, heading = placements[parent]
        dx, dz, turn = displacements[clip]
        placements[node, 0], placements[node, 1] = laid(standing(x, z, heading), dx, dz)
        turned = heading + turn
        placements[node, 2] = math.atan2(math.sin(turned), math.cos(turned))
        costs[node] = costs[parent] + behavior_costs[behavior_of[clip]]
        frames[node] = frames[parent] + durations[clip]


@kernel
def point_places(parents, clips, placements, cell_starts, point_starts, points, places):
    """Where (M, 2) [m] the watched points of every node's clip are."""
    for node in range(len(parents)):
        parent, clip = parents[node], clips[node]
        if parent < 0:
            continue
        x, z, heading = placements[parent]
        stand, into = standing(x, z, heading), cell_starts[node]
        for point in range(point_starts[clip], point_starts[clip + 1]):
            places[into, 0], places[into, 1] = laid(stand, points[point, 0], points[point, 1])
            into += 1


@kernel
def goal_entries(order, placements, grid, overlap, starts, entries, dry):
    """Enter nodes, in the given order, into all goal cells that reach over them; only count if `dry`.

    grid: corner x, z, side [m], rows and columns. starts: (cells + 1,) where each cell's entries begin; while
    counting, how many there are, one further on. entries: written from `starts` on.
    """
    corner_x, corner_z, side, rows, columns = grid
    filled = np.zeros(rows * columns, dtype=np.int64)
    for node in order:
        x, z = placements[node, 0] - corner_x, placements[node, 1] - corner_z
        left, right = math.floor((x - overlap) / side), math.floor((x + overlap) / side)
        near, far = math.floor((z - overlap) / side), math.floor((z + overlap) / side)
        for row in range(max(near, 0), min(far, rows - 1) + 1):
            for column in range(max(left, 0), min(right, columns - 1) + 1):
                index = row * columns + column
                if dry:
                    starts[index + 1] += 1
                else:
                    entries[starts[index] + filled[index]] = node
                    filled[index] += 1
