"""Nodes level by level: what the exhaustive and the pruned tree are made of, and the paths others choose from."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.trees._kernels_growing import _below, trace_cells


@kernel
def add_children(
    pairs, state, nodes, room, parents, clips, places, poses, counts, per_cell,
    exits, clip_starts, displacements, trace_starts, traces, origin_x, origin_z, cell, mask, found,
):  # fmt: skip
    """Try children of nodes in the order of `pairs` (n, 2) node, -1 for the root, and behavior; how many nodes
    there are then, `nodes` of them before, at most `room`.

    Each child draws its clip, whether it is kept or not. Kept is what stays in the region, and ends in a cell
    (rows * columns counts) with fewer than `per_cell` nodes. places: (room, 3) x, z, heading.
    """
    columns = mask.shape[1]
    for pair in range(len(pairs)):
        if nodes == room:
            break
        parent, behavior = pairs[pair, 0], pairs[pair, 1]
        clip = clip_starts[behavior] + _below(state, clip_starts[behavior + 1] - clip_starts[behavior])
        x, z, heading = 0.0, 0.0, 0.0
        if parent >= 0:
            x, z, heading = places[parent, 0], places[parent, 1], places[parent, 2]
        sine, cosine = math.sin(heading), math.cos(heading)
        first, stop = trace_starts[clip], trace_starts[clip + 1]
        if trace_cells(x, z, sine, cosine, first, stop, traces, origin_x, origin_z, cell, mask, found) < 0:
            continue
        dx, dz = displacements[clip, 0], displacements[clip, 1]
        x, z = x + dx * cosine + dz * sine, z - dx * sine + dz * cosine
        home = math.floor((z - origin_z) / cell) * columns + math.floor((x - origin_x) / cell)
        if counts[home] >= per_cell:
            continue
        counts[home] += 1
        parents[nodes], clips[nodes], poses[nodes] = parent, clip, exits[behavior]
        places[nodes, 0], places[nodes, 1], places[nodes, 2] = x, z, heading + displacements[clip, 2]
        nodes += 1
    return nodes


@kernel
def new_cells(parents, clips, places, trace_starts, traces, origin_x, origin_z, cell, mask):
    """The cells that each node's edge adds to the path before it: starts (n + 1,), cells, and how many cells the
    whole path to each node has (n,)."""
    count = len(parents)
    longest = (trace_starts[1:] - trace_starts[:-1]).max()
    found = np.empty(longest, np.int64)
    starts, sizes = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    cells = np.empty(max(count * 8, 16), np.int32)
    for node in range(count):
        x, z, heading = 0.0, 0.0, 0.0
        if parents[node] >= 0:
            x, z, heading = places[parents[node], 0], places[parents[node], 1], places[parents[node], 2]
            sizes[node] = sizes[parents[node]]
        sine, cosine = math.sin(heading), math.cos(heading)
        first, stop = trace_starts[clips[node]], trace_starts[clips[node] + 1]
        own = trace_cells(x, z, sine, cosine, first, stop, traces, origin_x, origin_z, cell, mask, found)
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
def even_points(parents, clips, places, trace_starts, traces, step):
    """Points on the paths to all nodes at every `step` [m] of way from the root on, which is left out: starts
    (n + 1,), points (·, 2) of each node's own edge, and how many the whole path to each has (n,)."""
    count = len(parents)
    starts, sizes = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    left = np.zeros(count)
    points = np.empty((max(count * 8, 16), 2))
    for node in range(count):
        x, z, heading, rest = 0.0, 0.0, 0.0, 0.0
        parent = parents[node]
        if parent >= 0:
            x, z, heading, rest = places[parent, 0], places[parent, 1], places[parent, 2], left[parent]
            sizes[node] = sizes[parent]
        sine, cosine = math.sin(heading), math.cos(heading)
        used = starts[node]
        last_x, last_z = x, z
        for index in range(trace_starts[clips[node]], trace_starts[clips[node] + 1]):
            px, pz = traces[index, 0], traces[index, 1]
            next_x, next_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
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
