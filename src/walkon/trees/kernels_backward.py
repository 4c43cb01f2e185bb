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

from walkon.borrowing import borrowed
from walkon.kernels import inlined, kernel
from walkon.planning.kernels_collision import (
    can_rest,
    hits_ground,
    hits_people,
    hits_solids,
    rests_clear,
    room_at,
)
from walkon.rotations.kernels import turned_back
from walkon.rotations.kernels_ground import laid, standing
from walkon.trees.kernels_bundle import CHECKED, EXACT, LOOKED, MAPPED

NEAR_SOLID = np.uint8(1 << 7)
"""Bit of a cell near to a solid; lower bits say which special behaviors may act there."""

REACH = 0.5
"""[m] A body is no further than this from the middle of its circle."""


class SeenGoal(NamedTuple):
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
def reach(bundle, others, goal, stays, onward):
    """The best free node of the tree at a goal of the world, or -1.

    others: Others or None. goal: x, z, tolerance, heading (nan: any) and its tolerance. stays: one must be able to
    remain there. onward: x, z to go on to, what a metre to there counts, and a radian off.
    """
    view, grids = bundle.viewpoint, bundle.grids
    x, z = seen_from(view, goal[0], goal[1])
    cell = goal_cell(x, z, grids)
    if cell < 0:
        return np.int64(-1)
    starts = bundle.nodes.entry_starts
    entries = starts[view.pose, cell], starts[view.pose, cell + 1]
    ahead_x, ahead_z = seen_from(view, onward[0], onward[1])
    wanted = SeenGoal(
        x, z, goal[2], goal[3] - view.heading, goal[4], stays, ahead_x, ahead_z, onward[2], onward[3]
    )
    return _best(bundle, others, entries, wanted)


@inlined
def goal_cell(x, z, grids):
    """The goal cell in which a place of the tree's frame lies, or -1."""
    column, row = (x - grids.goal_x) / grids.goal_cell, (z - grids.goal_z) / grids.goal_cell
    if not (0.0 <= row < grids.goal_rows and 0.0 <= column < grids.goal_columns):
        return -1
    return int(row) * grids.goal_columns + int(column)


@kernel
def stays_at_root(bundle, others):
    """Whether one can remain where the root is until the horizon."""
    view, moves = bundle.viewpoint, bundle.moves
    if not moves.rests[view.pose]:
        return False
    around = None if others is None else _around(others)
    return _stays(view.stand, view.frame, view.pose, moves, view, bundle.ground, around)


@kernel
def _best(bundle, others, entries, wanted):
    """The cheapest free node among the entries (first, stop), which are sorted by cost, or -1.

    With `rate` and `turning`, the one for which cost and what is left together are least; what is dearer than the
    best so far even if it ended at the nearest place is not looked at.
    """
    # The caller holds both bundles, so their arrays need not be held here.
    nodes, scratch, moves = borrowed(bundle.nodes), borrowed(bundle.scratch), borrowed(bundle.moves)
    view, grids, ground = bundle.viewpoint, bundle.grids, borrowed(bundle.ground)
    around = None if others is None else borrowed(_around(others))
    best, least = np.int64(-1), math.inf
    nearest = math.hypot(wanted.ahead_x - wanted.x, wanted.ahead_z - wanted.z) - wanted.tolerance
    least_left = wanted.rate * max(nearest, 0.0)
    for entry in range(entries[0], entries[1]):
        node = np.int64(nodes.entries[entry])
        if nodes.costs[node] + least_left >= least:
            break
        scratch.counters[LOOKED] += 1
        if scratch.marks[node] == 2 * view.number or not _at_goal(node, nodes, wanted, view):
            continue
        total, pose = _total(node, nodes, wanted), moves.exit[nodes.behaviors[node]]
        if total >= least or (wanted.stays and not moves.rests[pose]):
            continue
        at, depth = unknown_way(node, nodes.parents, scratch, view)
        fate = 2 * view.number + 1 if nodes.parents[at] < 0 else scratch.marks[at]
        for index in range(depth - 1, -1, -1):
            at = np.int64(scratch.chain[index])
            if fate & 1:
                scratch.counters[CHECKED] += 1
                if not clip_is_free(at, nodes, scratch, moves, view, grids, ground, around):
                    fate = 2 * view.number
            scratch.marks[at] = fate
        if not fate & 1:
            continue
        if wanted.stays:
            x, z, heading = in_world(nodes.placements, node, view)
            stand, frame = standing(x, z, heading), view.frame + nodes.frames[node]
            if not _stays(stand, frame, pose, moves, view, ground, around):
                continue
        best, least = node, total
    return best


@inlined
def unknown_way(node, parents, scratch, view):
    """Back from a node to the root, or to where the way is known: that node, and how many are in the chain.

    From there one goes forward again with checks, if that is not blocked. What many ways have in common is so
    decided first, and nothing behind a blocked clip is checked.
    """
    at, depth = node, 0
    while parents[at] >= 0 and scratch.marks[at] < 2 * view.number:
        scratch.chain[depth] = at
        depth += 1
        at = np.int64(parents[at])
    return at, depth


@inlined
def _at_goal(node, nodes, wanted, view):
    """Whether a node is within the tolerances of a goal, in time."""
    away_x, away_z = nodes.placements[node, 0] - wanted.x, nodes.placements[node, 1] - wanted.z
    if away_x * away_x + away_z * away_z > wanted.tolerance * wanted.tolerance:
        return False
    if view.frame + nodes.frames[node] > view.horizon:
        return False
    heading = np.float64(nodes.placements[node, 2])
    return math.isnan(wanted.heading) or not between(heading, wanted.heading) > wanted.heading_tolerance


@inlined
def _total(node, nodes, wanted):
    """The cost of the way to a node, and what is left from there."""
    total = np.float64(nodes.costs[node])
    if wanted.rate > 0.0 or wanted.turning > 0.0:
        left_x = wanted.ahead_x - nodes.placements[node, 0]
        left_z = wanted.ahead_z - nodes.placements[node, 1]
        total += wanted.rate * math.sqrt(left_x * left_x + left_z * left_z)
        heading = np.float64(nodes.placements[node, 2])
        total += wanted.turning * between(heading, math.atan2(left_x, left_z))
    return total


@kernel
def _around(others):
    return others.ground, others.solids, others.people


@inlined
def clip_is_free(node, nodes, scratch, moves, view, grids, ground, around):  # noqa: PLR0911
    """Whether the clip that leads to a node meets nothing: by the cells if these can tell, else exactly.

    around: ground, solids and people, or None.
    """
    kind = moves.special[nodes.behaviors[node]]
    if kind >= 0 and (view.kinds >> kind) & 1 == 0:
        return False
    blocked, unsure, near = _seen_in_cells(node, kind, nodes, scratch, moves, view, grids, ground, around)
    if blocked or (unsure and not view.exact):
        return False
    watched = near & NEAR_SOLID != 0 or kind >= 0
    if not (unsure or watched or view.crowded):
        return True
    scratch.counters[EXACT] += 1
    clip, parent = np.int64(nodes.clips[node]), nodes.parents[node]
    x, z, heading = in_world(nodes.placements, parent, view)
    stand = standing(x, z, heading)
    if unsure and hits_ground(stand, clip, moves, ground):
        return False
    if around is None:
        return True
    _, solids, people = around
    frame = view.frame + nodes.frames[parent]
    if watched and hits_solids(stand, frame, clip, kind, moves, ground, solids):
        return False
    return not (view.crowded and hits_people(stand, frame, clip, moves, people))


@inlined
def _seen_in_cells(node, kind, nodes, scratch, moves, view, grids, ground, around):
    """What the cells that a clip covers tell: whether it is certainly blocked, whether it is uncertain, and the
    bits of all cells together."""
    half = grids.cell * math.sqrt(0.5)
    sure = half
    if moves.outlined:
        # Beside outlines walls are looked at more closely than by the grid: no more than it may lack is sure.
        sure += ground.raster.margin - ground.walls.gap + math.sqrt(0.5) * ground.raster.cell
    unsure, near = False, np.uint8(0)
    first = nodes.point_starts[np.int64(nodes.clips[node])]
    point = first
    for index in range(nodes.cell_starts[node], nodes.cell_starts[node + 1]):
        cell = np.int64(nodes.cells[index])
        if scratch.mapped[cell] != view.number:
            _map_cell(cell, scratch, view, grids, ground, around)
        gap = scratch.room[cell]
        if gap < nodes.radii[point] + half:
            if gap + sure < nodes.cores[point]:
                return True, unsure, near
            unsure = True
        if around is not None:
            bits = scratch.bits[cell]
            if kind >= 0 and point == first and (bits >> np.uint8(kind)) & 1 == 0:
                return True, unsure, near
            near |= bits
        point += 1
    return False, unsure, near


@inlined
def _map_cell(cell, scratch, view, grids, ground, around):
    """Find out how much room there is around the middle of a cell, and which solids are near."""
    scratch.counters[MAPPED] += 1
    scratch.mapped[cell] = view.number
    row = cell // grids.columns
    px = grids.origin_x + (cell - row * grids.columns + 0.5) * grids.cell
    pz = grids.origin_z + (row + 0.5) * grids.cell
    x, z = laid(view.stand, px, pz)
    scratch.room[cell] = room_at(x, z, ground.raster, ground.clearance)
    if around is not None:
        _, solids, _ = around
        scratch.bits[cell] = _bits(x, z, grids.cell * math.sqrt(0.5), grids.far, solids)


@kernel
def _bits(x, z, half, far, solids):
    bits = np.uint8(0)
    for solid in range(len(solids.passes)):
        away = math.hypot(x - solids.spans[solid, 0], z - solids.spans[solid, 1]) - solids.spans[solid, 2] - half
        if away <= far + solids.gap:
            bits |= NEAR_SOLID
        if away <= solids.within[solid] + REACH:
            bits |= np.uint8(solids.passes[solid])
    return bits


@inlined
def _stays(stand, frame, pose, moves, view, ground, around):
    """Whether one can remain at a stand from a frame on, in a pose for resting."""
    if around is None:
        x, z = laid(stand, moves.rest_circles[pose, 0], moves.rest_circles[pose, 1])
        return rests_clear(stand, pose, x, z, moves, ground)
    _, solids, people = around
    return can_rest(stand, pose, frame, view.horizon, moves, ground, solids, people, view.crowded)


@inlined
def in_world(placements, node, view):
    """Where a node is in the world: x, z, heading."""
    x, z = laid(view.stand, np.float64(placements[node, 0]), np.float64(placements[node, 1]))
    return x, z, view.heading + placements[node, 2]


@inlined
def seen_from(view, x, z):
    """A place x, z of the world in the tree's frame."""
    return turned_back(x - view.stand.x, z - view.stand.z, view.stand.sine, view.stand.cosine)


@inlined
def between(a, b):
    """The angle between two headings [rad], 0 to π."""
    turn = (a - b) % (2.0 * math.pi)
    return min(turn, 2.0 * math.pi - turn)
