"""Backward search (Lau 2009, algorithm 3): from the nodes at the goal towards the root, the cheapest first.

Lau checks clips on the way back. Here the way back only looks for what is known already, and clips are
checked on the way forth, from there on: what many ways share is checked once, and nothing beyond a blocked clip.

What is known about a node is a mark: free means that its clip and all before it are, blocked that one of them is
not. Marks carry the number of the search; an older number is no mark, so nothing has to be reset.
Cells of the environment are mapped when a path first comes through them, and remembered in the same way.

Where nothing moves, nobody walks and nothing can be passed, `others` is None, and what it takes to look at these
is not compiled.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.kernels import inlined, kernel
from walkon.planning.kernels_collision import distance_at, hits_ground, hits_people, hits_solids, rests_apart
from walkon.planning.kernels_tracks import others_at
from walkon.trees.kernels_bundle import CHECKED, EXACT, LOOKED, MAPPED, borrowed

SOLID = np.uint8(1 << 7)
"""Bit of a cell near to a solid; lower bits say which special behaviors may act there."""

REACH = 0.5
"""[m] A body is no further than this from the middle of its circle."""


class Wanted(NamedTuple):
    """A goal in the tree's frame: x, z, tolerance, heading (nan: any) and its tolerance; stays: one must be able
    to remain there. ahead_x, ahead_z, rate, turning: where the way goes on to, what a metre counts that is left to
    there, and a radian off the direction; 0 for both if nothing but the cost matters."""

    x: float
    z: float
    tolerance: float
    heading: float
    heading_tolerance: float
    stays: bool
    ahead_x: float
    ahead_z: float
    rate: float
    turning: float


@kernel
def reach(
    bundle, others, goal_x, goal_z, tolerance, heading, heading_tolerance, stays, ahead_x, ahead_z, rate, turning
):
    """The best free node of the tree at a goal of the world, or -1. others: Others or None."""
    stance, layout = bundle.stance, bundle.layout
    x, z = seen_from(stance, goal_x, goal_z)
    column, row = (x - layout.goal_x) / layout.goal_cell, (z - layout.goal_z) / layout.goal_cell
    if not (0.0 <= row < layout.goal_rows and 0.0 <= column < layout.goal_columns):
        return np.int64(-1)
    cell = int(row) * layout.goal_columns + int(column)
    starts = bundle.nodes.entry_starts
    first, stop = starts[stance.pose, cell], starts[stance.pose, cell + 1]
    ahead_x, ahead_z = seen_from(stance, ahead_x, ahead_z)
    wanted = Wanted(
        x, z, tolerance, heading - stance.heading, heading_tolerance, stays, ahead_x, ahead_z, rate, turning
    )
    return _best(bundle, others, first, stop, wanted, stance, layout)


@kernel
def stays_at_root(bundle, others):
    """Whether one can remain where the root is until the horizon."""
    stance, clips = bundle.stance, bundle.clips
    if not clips.rests[stance.pose]:
        return False
    around = None if others is None else _around(others)
    place = (stance.x, stance.z, stance.heading)
    return _stays(place, stance.frame, stance.pose, clips, stance, bundle.grid, bundle.clearance, around)


@inlined
def _best(bundle, others, first, stop, wanted, stance, layout):  # noqa: C901, PLR0912
    """The cheapest free node among the entries `first` to `stop`, which are sorted by cost, or -1.

    With `rate` and `turning`, the one for which cost and what is left together are least; what is dearer than the
    best so far even if it ended at the nearest place is not looked at.
    """
    # The caller holds both bundles, so their arrays need not be held here.
    nodes, scratch, clips = borrowed(bundle.nodes), borrowed(bundle.scratch), borrowed(bundle.clips)
    grid, clearance = bundle.grid, borrowed(bundle.clearance)
    around = None if others is None else borrowed(_around(others))
    parents, placements, marks, chain = nodes.parents, nodes.placements, scratch.marks, scratch.chain
    free, blocked = 2 * stance.number + 1, 2 * stance.number
    best, least = np.int64(-1), math.inf
    nearest = math.hypot(wanted.ahead_x - wanted.x, wanted.ahead_z - wanted.z) - wanted.tolerance
    least_left = wanted.rate * max(nearest, 0.0)
    for entry in range(first, stop):
        node = np.int64(nodes.entries[entry])
        cost = nodes.costs[node]
        if cost + least_left >= least:
            break
        scratch.counters[LOOKED] += 1
        away_x, away_z = placements[node, 0] - wanted.x, placements[node, 1] - wanted.z
        if away_x * away_x + away_z * away_z > wanted.tolerance * wanted.tolerance or marks[node] == blocked:
            continue
        if stance.frame + nodes.frames[node] > stance.horizon:
            continue
        heading = np.float64(placements[node, 2])
        if not math.isnan(wanted.heading) and between(heading, wanted.heading) > wanted.heading_tolerance:
            continue
        total = np.float64(cost)
        if wanted.rate > 0.0 or wanted.turning > 0.0:
            left_x = wanted.ahead_x - placements[node, 0]
            left_z = wanted.ahead_z - placements[node, 1]
            total += wanted.rate * math.sqrt(left_x * left_x + left_z * left_z)
            total += wanted.turning * between(heading, math.atan2(left_x, left_z))
        pose = clips.exit[nodes.behaviors[node]]
        if total >= least or (wanted.stays and not clips.rests[pose]):
            continue
        # Back to the root, or to where the way is known; then, if that is not blocked, forward again with checks.
        # What many ways have in common is so decided first, and nothing behind a blocked clip is checked.
        at, depth = node, 0
        while parents[at] >= 0 and marks[at] < blocked:
            chain[depth] = at
            depth += 1
            at = np.int64(parents[at])
        fate = free if parents[at] < 0 else marks[at]
        for index in range(depth - 1, -1, -1):
            at = np.int64(chain[index])
            if fate == free:
                scratch.counters[CHECKED] += 1
                if not clip_is_free(at, nodes, scratch, clips, stance, layout, grid, clearance, around):
                    fate = blocked
            marks[at] = fate
        if fate == blocked:
            continue
        if wanted.stays:
            place, frame = in_world(placements, node, stance), stance.frame + nodes.frames[node]
            if not _stays(place, frame, pose, clips, stance, grid, clearance, around):
                continue
        best, least = node, total
    return best


@inlined
def _around(others):
    return others.moves, others.ground, others.solids, others.people


@inlined
def clip_is_free(node, nodes, scratch, clips, stance, layout, grid, clearance, around):  # noqa: C901, PLR0911, PLR0912
    """Whether the clip that leads to a node meets nothing: by the cells if these can tell, else exactly."""
    clip = np.int64(nodes.clips[node])
    kind = clips.special[nodes.behaviors[node]]
    if kind >= 0 and (stance.kinds >> kind) & 1 == 0:
        return False
    half = layout.cell * math.sqrt(0.5)
    unsure, near = False, np.uint8(0)
    first = nodes.point_starts[clip]
    point = first
    for index in range(nodes.cell_starts[node], nodes.cell_starts[node + 1]):
        cell = np.int64(nodes.cells[index])
        if scratch.mapped[cell] != stance.number:
            _map_cell(cell, scratch, half, stance, layout, grid, clearance, around)
        gap = scratch.room[cell]
        if gap < nodes.points[point, 2] + half:
            if gap + half < nodes.cores[point]:
                return False
            unsure = True
        if around is not None:
            bits = scratch.bits[cell]
            if kind >= 0 and point == first and (bits >> np.uint8(kind)) & 1 == 0:
                return False
            near |= bits
        point += 1
    if unsure and not stance.exact:
        return False
    watched = near & SOLID != 0 or kind >= 0
    if not (unsure or watched or stance.crowded):
        return True
    scratch.counters[EXACT] += 1
    parent = nodes.parents[node]
    x, z, heading = in_world(nodes.placements, parent, stance)
    sine, cosine = math.sin(heading), math.cos(heading)
    begin, last, speed = clips.frame_starts[clip], clips.frame_starts[clip + 1] - 1, clips.speeds[clip]
    if unsure:
        bound = (clips.bounds[clip, 0], clips.bounds[clip, 1], clips.bounds[clip, 2])
        if hits_ground(x, z, sine, cosine, begin, last, bound, speed, clips.circles, grid, clearance):
            return False
    if around is None:
        return True
    moves, ground, solids, people = around
    frame = stance.frame + nodes.frames[parent]
    if watched and hits_solids(x, z, sine, cosine, frame, clip, kind, moves, ground, solids):
        return False
    if not stance.crowded:
        return True
    own = (begin, last - begin, speed, moves.chunk_starts[clip], moves.chunk_starts[clip + 1])
    cells = (people.origin_x, people.origin_z, people.cell, people.reach, people.gap)
    return not hits_people(
        x, z, sine, cosine, frame, own, clips.circles, moves.chunks, cells, people.heads, people.rest_heads,
        people.owners, people.nexts, people.begins, people.firsts, people.lengths, people.speeds, people.alive,
        people.circles,
    )  # fmt: skip


@inlined
def _map_cell(cell, scratch, half, stance, layout, grid, clearance, around):
    """Find out how much room there is around the middle of a cell, and which solids are near."""
    scratch.counters[MAPPED] += 1
    scratch.mapped[cell] = stance.number
    row = cell // layout.columns
    px = layout.origin_x + (cell - row * layout.columns + 0.5) * layout.cell
    pz = layout.origin_z + (row + 0.5) * layout.cell
    x = stance.x + px * stance.cosine + pz * stance.sine
    z = stance.z - px * stance.sine + pz * stance.cosine
    scratch.room[cell] = distance_at(grid[0], grid[1], grid[2], clearance, x, z) - grid[3]
    if around is not None:
        _, _, solids, _ = around
        scratch.bits[cell] = _bits(x, z, half, layout.far, solids)


@kernel
def _bits(x, z, half, far, solids):
    bits = np.uint8(0)
    for solid in range(len(solids.passes)):
        away = math.hypot(x - solids.spans[solid, 0], z - solids.spans[solid, 1]) - solids.spans[solid, 2] - half
        if away <= far + solids.gap:
            bits |= SOLID
        if away <= solids.within[solid] + REACH:
            bits |= np.uint8(solids.passes[solid])
    return bits


@inlined
def _stays(place, frame, pose, clips, stance, grid, clearance, around):
    """Whether one can remain at a place of the world (x, z, heading) from a frame on, in a pose for resting."""
    x, z, heading = place
    px, pz, radius = clips.rest_circles[pose]
    sine, cosine = math.sin(heading), math.cos(heading)
    at_x, at_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
    if distance_at(grid[0], grid[1], grid[2], clearance, at_x, at_z) - grid[3] < radius:
        return False
    if around is None:
        return True
    _, _, solids, people = around
    if not rests_apart(at_x, at_z, radius, frame, stance.horizon, solids):
        return False
    if not stance.crowded:
        return True
    found = np.zeros(len(people.alive), dtype=np.bool_)
    return not others_at(at_x, at_z, radius, frame, stance.horizon, people, found, True)


@inlined
def in_world(placements, node, stance):
    """Where a node is in the world: x, z, heading."""
    px, pz = np.float64(placements[node, 0]), np.float64(placements[node, 1])
    x = stance.x + px * stance.cosine + pz * stance.sine
    z = stance.z - px * stance.sine + pz * stance.cosine
    return x, z, stance.heading + placements[node, 2]


@inlined
def seen_from(stance, x, z):
    """A place x, z of the world in the tree's frame."""
    away_x, away_z = x - stance.x, z - stance.z
    return away_x * stance.cosine - away_z * stance.sine, away_x * stance.sine + away_z * stance.cosine


@inlined
def between(a, b):
    """The angle between two headings [rad], 0 to π."""
    turn = (a - b) % (2.0 * math.pi)
    return min(turn, 2.0 * math.pi - turn)
