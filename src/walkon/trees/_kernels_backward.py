"""Backward search (Lau's thesis, algorithm 3): from the nodes at the goal towards the root, the cheapest first.

The thesis checks clips on the way back. Here the way back only looks for what is known already, and clips are
checked on the way forth, from there on: what many ways share is checked once, and nothing beyond a blocked clip.

What is known about a node is a mark: free means that its clip and all before it are, blocked that one of them is
not. Marks carry the number of the search; an older number is no mark, so nothing has to be reset.
Cells of the environment are mapped when a path first comes through them, and remembered in the same way.

A search takes microseconds, and so does handing over an array. Where nothing moves, nobody walks and nothing can
be passed, `others` is None, and what it takes to look at these is neither handed over nor compiled.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from walkon.planning._kernels_collision import distance_at, hits_ground, hits_people, hits_solids
from walkon.planning._kernels_search import can_stay
from walkon.planning._kernels_tracks import Tracks
from walkon.planning.ground import Ground, Shapes
from walkon.planning.moves import Moves

CHECKED, EXACT, MAPPED, LOOKED = range(4)
"""Counters: clips checked, clips checked exactly, cells mapped, nodes at the goal looked at."""

SOLID = np.uint8(1 << 7)
"""Bit of a cell near to a solid; lower bits say which special behaviors may act there."""

REACH = 0.5
"""[m] A body is no further than this from the middle of its circle."""


class Nodes(NamedTuple):
    """The arrays of a Forest that a search reads."""

    parents: NDArray[np.int32]
    placements: NDArray[np.float32]
    costs: NDArray[np.float32]
    frames: NDArray[np.int32]
    behaviors: NDArray[np.int16]
    clips: NDArray[np.int16]
    cell_starts: NDArray[np.uint32]
    cells: NDArray[np.uint16]
    entries: NDArray[np.int32]
    point_starts: NDArray[np.int64]
    points: NDArray[np.float64]
    cores: NDArray[np.float64]


class Clips(NamedTuple):
    """The arrays of Moves that a search among what stands still reads."""

    special: NDArray[np.int64]
    exit: NDArray[np.int64]
    rests: NDArray[np.bool_]
    rest_circles: NDArray[np.float64]
    frame_starts: NDArray[np.int64]
    circles: NDArray[np.float64]
    bounds: NDArray[np.float64]
    speeds: NDArray[np.float64]


class Others(NamedTuple):
    """What moves or can be passed, and other people."""

    moves: Moves
    ground: Ground
    solids: Shapes
    people: Tracks


def walkers(others: Others | None, bits: NDArray[np.uint8]) -> tuple:
    """What `reach` takes last. bits: (cells,) of the environment's cells."""
    if others is None:
        return (None,) * 15
    moves, people = others.moves, others.people
    crowd = (people.origin_x, people.origin_z, people.cell, people.reach, people.gap)
    return (
        others, bits, moves.chunk_starts, moves.chunks, crowd, people.heads, people.rest_heads, people.owners,
        people.nexts, people.begins, people.firsts, people.lengths, people.speeds, people.alive, people.circles,
    )  # fmt: skip


class Scratch(NamedTuple):
    """What a search remembers. marks: (N,) twice the search's number, and one more if free. mapped: (cells,) the
    number of the search that mapped a cell; room: (cells,) [m] from its middle to what stands still, less the
    margin. chain: (depth,) nodes on the way to the root."""

    marks: NDArray[np.int64]
    mapped: NDArray[np.int64]
    room: NDArray[np.float32]
    chain: NDArray[np.int32]
    counters: NDArray[np.int64]


class Stance(NamedTuple):
    """Where and when the root is in the world, and how to look.

    x, z, heading, sine, cosine, frame: of the root. number: of the search. kinds: bits of the special behaviors
    for which there is anything to act on. crowded: whether there are people. horizon: last frame. exact: what the
    grid leaves open is checked exactly; otherwise it counts as blocked. far [m]: the largest point's radius.
    origin_x, origin_z, cell, columns: of the environment's grid, in the tree's frame.
    """

    x: float
    z: float
    heading: float
    sine: float
    cosine: float
    frame: int
    number: int
    kinds: int
    crowded: bool
    horizon: int
    exact: bool
    far: float
    origin_x: float
    origin_z: float
    cell: float
    columns: int


class Wanted(NamedTuple):
    """A goal in the tree's frame: x, z, tolerance, heading (nan: any) and its tolerance; stays: one must be able
    to remain there. ahead, turning: heading in which the way goes on, and the cost of a radian off it."""

    x: float
    z: float
    tolerance: float
    heading: float
    heading_tolerance: float
    stays: bool
    ahead: float
    turning: float


@njit(cache=True, nogil=True)
def reach(  # noqa: C901
    nodes, scratch, first, stop, wanted, stance, moves, grid, clearance, others, bits, chunk_starts, chunks, crowd,
    heads, rest_heads, owners, nexts, begins, firsts, lengths, paces, alive, tracks,
):  # fmt: skip
    """The cheapest free node among the entries `first` to `stop`, which are sorted by cost, or -1.

    With `turning`, the one for which cost and turn together are least; what is dearer by cost alone than the best
    so far is not looked at. moves: Clips. grid, clearance: of the ground, as `hits_ground` reads them. others:
    Others or None; then its arrays that are read most, as `walkers` takes them out.
    """
    # Arrays are taken out of their tuples here, once: each time costs two atomic operations, which adds up.
    parents, placements, costs, frames = nodes.parents, nodes.placements, nodes.costs, nodes.frames
    behaviors, clips, cell_starts, cells = nodes.behaviors, nodes.clips, nodes.cell_starts, nodes.cells
    entries, point_starts, points, cores = nodes.entries, nodes.point_starts, nodes.points, nodes.cores
    marks, mapped, room, counters = scratch.marks, scratch.mapped, scratch.room, scratch.counters
    chain = scratch.chain
    special, exits, rests, rest_circles = moves.special, moves.exit, moves.rests, moves.rest_circles
    frame_starts, circles, bounds, speeds = moves.frame_starts, moves.circles, moves.bounds, moves.speeds
    free, blocked = 2 * stance.number + 1, 2 * stance.number
    best, least = np.int64(-1), math.inf
    for entry in range(first, stop):
        node = np.int64(entries[entry])
        cost = costs[node]
        if cost >= least:
            break
        counters[LOOKED] += 1
        away_x, away_z = placements[node, 0] - wanted.x, placements[node, 1] - wanted.z
        if away_x * away_x + away_z * away_z > wanted.tolerance * wanted.tolerance or marks[node] == blocked:
            continue
        if stance.frame + frames[node] > stance.horizon:
            continue
        heading = np.float64(placements[node, 2])
        if not math.isnan(wanted.heading) and _between(heading, wanted.heading) > wanted.heading_tolerance:
            continue
        total = cost + wanted.turning * _between(heading, wanted.ahead)
        pose = exits[behaviors[node]]
        if total >= least or (wanted.stays and not rests[pose]):
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
                counters[CHECKED] += 1
                if not _clip_is_free(
                    at, parents, placements, frames, behaviors, clips, cell_starts, cells, point_starts, points,
                    cores, mapped, room, counters, special, frame_starts, circles, bounds, speeds, stance, grid,
                    clearance, others, bits, chunk_starts, chunks, crowd, heads, rest_heads, owners, nexts, begins,
                    firsts, lengths, paces, alive, tracks,
                ):  # fmt: skip
                    fate = blocked
            marks[at] = fate
        if fate == blocked:
            continue
        if wanted.stays and not _stays(
            node, pose, placements, frames, rest_circles, stance, grid, clearance, others
        ):
            continue
        best, least = node, total
    return best


@njit(cache=True, nogil=True, forceinline=True)
def _clip_is_free(  # noqa: C901, PLR0911, PLR0912
    node, parents, placements, frames, behaviors, clips, cell_starts, cells, point_starts, points, cores, mapped,
    room, counters, special, frame_starts, circles, bounds, speeds, stance, grid, clearance, others, bits,
    chunk_starts, chunks, crowd, heads, rest_heads, owners, nexts, begins, firsts, lengths, paces, alive, tracks,
):  # fmt: skip
    """Whether the clip that leads to a node meets nothing: by the cells if these can tell, else exactly."""
    clip = np.int64(clips[node])
    kind = special[behaviors[node]]
    if kind >= 0 and (stance.kinds >> kind) & 1 == 0:
        return False
    half = stance.cell * math.sqrt(0.5)
    unsure, near = False, np.uint8(0)
    point = point_starts[clip]
    for index in range(cell_starts[node], cell_starts[node + 1]):
        cell = np.int64(cells[index])
        if mapped[cell] != stance.number:
            counters[MAPPED] += 1
            mapped[cell] = stance.number
            _map_cell(cell, room, half, stance, grid, clearance, others, bits)
        gap = room[cell]
        if gap < points[point, 2] + half:
            if gap + half < cores[point]:
                return False
            unsure = True
        if others is not None:
            around = bits[cell]
            if kind >= 0 and point == point_starts[clip] and (around >> np.uint8(kind)) & 1 == 0:
                return False
            near |= around
        point += 1
    if unsure and not stance.exact:
        return False
    watched = near & SOLID != 0 or kind >= 0
    if not (unsure or watched or stance.crowded):
        return True
    counters[EXACT] += 1
    parent = parents[node]
    x, z, heading = _in_world(placements, parent, stance)
    sine, cosine = math.sin(heading), math.cos(heading)
    begin, last, speed = frame_starts[clip], frame_starts[clip + 1] - 1, speeds[clip]
    if unsure:
        bound = (bounds[clip, 0], bounds[clip, 1], bounds[clip, 2])
        if hits_ground(x, z, sine, cosine, begin, last, bound, speed, circles, grid, clearance):
            return False
    if others is None:
        return True
    frame = stance.frame + frames[parent]
    if watched and hits_solids(x, z, sine, cosine, frame, clip, kind, others.moves, others.ground, others.solids):
        return False
    if not stance.crowded:
        return True
    own = (begin, last - begin, speed, chunk_starts[clip], chunk_starts[clip + 1])
    return not hits_people(
        x, z, sine, cosine, frame, own, circles, chunks, crowd, heads, rest_heads, owners, nexts, begins, firsts,
        lengths, paces, alive, tracks,
    )  # fmt: skip


@njit(cache=True, nogil=True, forceinline=True)
def _map_cell(cell, room, half, stance, grid, clearance, others, bits):
    """Find out how much room there is around the middle of a cell, and which solids are near."""
    px = stance.origin_x + (cell % stance.columns + 0.5) * stance.cell
    pz = stance.origin_z + (cell // stance.columns + 0.5) * stance.cell
    x = stance.x + px * stance.cosine + pz * stance.sine
    z = stance.z - px * stance.sine + pz * stance.cosine
    room[cell] = distance_at(grid[0], grid[1], grid[2], clearance, x, z) - grid[3]
    if others is not None:
        bits[cell] = _bits(x, z, half, stance.far, others.solids)


@njit(cache=True, nogil=True)
def _bits(x, z, half, far, solids):
    bits = np.uint8(0)
    for solid in range(len(solids.passes)):
        away = math.hypot(x - solids.spans[solid, 0], z - solids.spans[solid, 1]) - solids.spans[solid, 2] - half
        if away <= far + solids.gap:
            bits |= SOLID
        if away <= solids.within[solid] + REACH:
            bits |= np.uint8(solids.passes[solid])
    return bits


@njit(cache=True, nogil=True, forceinline=True)
def _stays(node, pose, placements, frames, rest_circles, stance, grid, clearance, others):
    """Whether one can remain at a node."""
    x, z, heading = _in_world(placements, node, stance)
    if others is not None:
        frame = stance.frame + frames[node]
        return can_stay(
            x, z, heading, pose, frame, others.moves, others.ground, others.solids, others.people, stance
        )
    px, pz, radius = rest_circles[pose]
    sine, cosine = math.sin(heading), math.cos(heading)
    at_x, at_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
    return distance_at(grid[0], grid[1], grid[2], clearance, at_x, at_z) - grid[3] >= radius


@njit(cache=True, nogil=True, forceinline=True)
def _in_world(placements, node, stance):
    """Where a node is in the world: x, z, heading."""
    px, pz = np.float64(placements[node, 0]), np.float64(placements[node, 1])
    x = stance.x + px * stance.cosine + pz * stance.sine
    z = stance.z - px * stance.sine + pz * stance.cosine
    return x, z, stance.heading + placements[node, 2]


@njit(cache=True, nogil=True, forceinline=True)
def _between(a, b):
    """The angle between two headings [rad], 0 to π."""
    turn = (a - b) % (2.0 * math.pi)
    return min(turn, 2.0 * math.pi - turn)
