"""Nodes level by level: what the exhaustive and the pruned tree are made of, and the paths others choose from."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel
from walkon.rotations.kernels_ground import laid, standing
from walkon.trees._kernels_tracing import drawn_clip, trace_cells


class Sprouts(NamedTuple):
    """Nodes of a tree in the making; N fit. parents: (N,) numbers of nodes, -1 for the root. clips, poses: (N,).
    places: (N, 3) x, z, heading. counts: (rows * columns,) how many nodes end in each cell of the region."""

    parents: NDArray[np.int32]
    clips: NDArray[np.int32]
    poses: NDArray[np.int64]
    places: NDArray[np.float64]
    counts: NDArray[np.int32]


@kernel
def add_children(pairs, random, sprouts, nodes, room, per_cell, paths, plot):
    """Try children of nodes in the order of `pairs` (n, 2) node, -1 for the root, and behavior; how many nodes
    there are then, `nodes` of them before, at most `room`.

    Each child draws its clip, whether it is kept or not. Kept is what stays in the region, and ends in a cell with
    fewer than `per_cell` nodes.
    """
    found, columns = np.empty(_longest(paths), np.int64), plot.mask.shape[1]
    for pair in range(len(pairs)):
        if nodes == room:
            break
        parent, behavior = pairs[pair, 0], pairs[pair, 1]
        clip = drawn_clip(random, behavior, paths.clip_starts)
        x, z, heading = _place(parent, sprouts.places)
        stand = standing(x, z, heading)
        if trace_cells(stand, clip, paths, plot, found) < 0:
            continue
        x, z = laid(stand, paths.displacements[clip, 0], paths.displacements[clip, 1])
        home = math.floor((z - plot.origin_z) / plot.cell) * columns + math.floor((x - plot.origin_x) / plot.cell)
        if sprouts.counts[home] >= per_cell:
            continue
        sprouts.counts[home] += 1
        sprouts.parents[nodes], sprouts.clips[nodes], sprouts.poses[nodes] = parent, clip, paths.exits[behavior]
        sprouts.places[nodes, 0], sprouts.places[nodes, 1] = x, z
        sprouts.places[nodes, 2] = heading + paths.displacements[clip, 2]
        nodes += 1
    return nodes


@inlined
def _place(node, places):
    """x, z, heading of a node; the root, -1, is at (0, 0)."""
    if node < 0:
        return 0.0, 0.0, 0.0
    return places[node, 0], places[node, 1], places[node, 2]


@kernel
def _longest(paths):
    """The most points that a clip's trace has; at least one."""
    longest = 1
    for clip in range(len(paths.trace_starts) - 1):
        longest = max(longest, paths.trace_starts[clip + 1] - paths.trace_starts[clip])
    return longest


@kernel
def new_cells(parents, clips, places, paths, plot):
    """The cells that each node's edge adds to the path before it: starts (n + 1,), cells, and how many cells the
    whole path to each node has (n,)."""
    count = len(parents)
    found = np.empty(_longest(paths), np.int64)
    starts, sizes = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    cells = np.empty(max(count * 8, 16), np.int32)
    for node in range(count):
        x, z, heading = _place(parents[node], places)
        if parents[node] >= 0:
            sizes[node] = sizes[parents[node]]
        own = trace_cells(standing(x, z, heading), clips[node], paths, plot, found)
        used = starts[node]
        if used + own > len(cells):
            larger = np.empty(2 * len(cells) + own, np.int32)
            larger[:used] = cells[:used]
            cells = larger
        for index in range(own):
            if not _on_the_way(found[index], parents[node], parents, starts, cells):
                cells[used] = found[index]
                used += 1
        starts[node + 1] = used
        sizes[node] += used - starts[node]
    return starts, cells[: starts[count]].copy(), sizes


@kernel
def _on_the_way(cell, node, parents, starts, cells):
    """Whether the path to a node has the cell."""
    while node >= 0:
        for index in range(starts[node], starts[node + 1]):
            if cells[index] == cell:
                return True
        node = parents[node]
    return False


@kernel
def even_points(parents, clips, places, paths, step):
    """Points on the paths to all nodes at every `step` [m] of way from the root on, which is left out: starts
    (n + 1,), points (·, 2) of each node's own edge, and how many the whole path to each has (n,)."""
    count = len(parents)
    starts, sizes = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    left = np.zeros(count)
    points = np.empty((max(count * 8, 16), 2))
    for node in range(count):
        parent, rest = parents[node], 0.0
        x, z, heading = _place(parent, places)
        if parent >= 0:
            rest, sizes[node] = left[parent], sizes[parent]
        stand = standing(x, z, heading)
        used = starts[node]
        last_x, last_z = x, z
        for index in range(paths.trace_starts[clips[node]], paths.trace_starts[clips[node] + 1]):
            next_x, next_z = laid(stand, paths.traces[index, 0], paths.traces[index, 1])
            length = math.hypot(next_x - last_x, next_z - last_z)
            along = step - rest
            while along <= length:
                if used == len(points):
                    larger = np.empty((2 * used, 2))
                    larger[:used] = points
                    points = larger
                share = along / length
                points[used, 0] = last_x + share * (next_x - last_x)
                points[used, 1] = last_z + share * (next_z - last_z)
                used += 1
                along += step
            rest = length - (along - step)
            last_x, last_z = next_x, next_z
        starts[node + 1], left[node] = used, rest
        sizes[node] += used - starts[node]
    return starts, points[: starts[count]].copy(), sizes
