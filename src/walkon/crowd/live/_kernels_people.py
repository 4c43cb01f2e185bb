"""Who is near, and does a clip meet what they have committed to?

How kernels of a live crowd keep what they share: NamedTuples of arrays and numbers (`Crowd`, `Setting`,
`Workspace`), borrowed where a kernel is called from Python. Arrays in them are written in place, and a number that
changes is an array of one. What belongs to one person is a record of the crew, likewise written in place.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel, lean
from walkon.planning.kernels_bodies import outlines_gap
from walkon.rotations.kernels_ground import laid

NOTHING_MET, STOP_MET, WAY_MET = 0, 1, 2
"""What of a commitment is met: nothing, only the place in which it ends, or the way there."""


class Cells(NamedTuple):
    """Everybody in cells of the ground, by the middle of what they have committed to.

    origin_x, origin_z, cell [m]. heads: (rows, columns) the first row of the crew in a cell, or -1; nexts: (N,)
    the one after it. middles: (N, 2) the place by which somebody was put into a cell. reach: (1,) how far [m]
    from there anybody's circles go.
    """

    origin_x: float
    origin_z: float
    cell: float
    heads: NDArray[np.int32]
    nexts: NDArray[np.int32]
    middles: NDArray[np.float64]
    reach: NDArray[np.float64]


class Crowd(NamedTuple):
    """Everybody: records (N,) of MEMBER, tracks (N, TRACK_ROOM + 1, BODY), and the cells in which they meet."""

    crew: NDArray[Any]
    tracks: NDArray[np.float64]
    cells: Cells


class Neighbors(NamedTuple):
    """Those whom somebody has to mind: the rows near[:size] of the crew, their tracks, and the gap [m] to keep.

    rims[:size]: x, z, radius of circles around all that each has committed to. They lie together, because most of
    the others are only looked at to see that they are too far away.

    If there are too many to be remembered, size is one more than there is room for in near.
    """

    crew: NDArray[Any]
    tracks: NDArray[np.float64]
    near: NDArray[np.int64]
    rims: NDArray[np.float64]
    size: int
    gap: float


@lean
def cell_of(value, origin, cell, count):
    """Row or column of a coordinate; the outermost for what is outside."""
    return min(max(int((value - origin) / cell), 0), count - 1)


@lean
def fill_cells(crew, cells):
    """Put everybody into cells anew: linear in the crowd."""
    cells.heads[:] = -1
    cells.reach[0] = 0.0
    for own in range(len(crew) - 1, -1, -1):
        if crew[own].here:
            enter_cell(crew, cells, own)


@lean
def enter_cell(crew, cells, own):
    """Put somebody into its cell."""
    rows, columns = cells.heads.shape
    x, z = crew[own].bound[0], crew[own].bound[1]
    row, column = cell_of(z, cells.origin_z, cells.cell, rows), cell_of(x, cells.origin_x, cells.cell, columns)
    cells.nexts[own] = cells.heads[row, column]
    cells.heads[row, column] = own
    cells.middles[own, 0], cells.middles[own, 1] = x, z
    cells.reach[0] = max(cells.reach[0], crew[own].bound[2])


@lean
def stretch_cells(crew, cells, own):
    """Somebody has new circles, and is left in its old cell: everybody looks as far as it takes to find it."""
    moved = math.hypot(crew[own].bound[0] - cells.middles[own, 0], crew[own].bound[1] - cells.middles[own, 1])
    cells.reach[0] = max(cells.reach[0], moved + crew[own].bound[2])


@lean
def gather(crew, cells, own, x, z, radius, found):
    """Rows of all others whose circles come within `radius` of (x, z), into `found`; how many.

    One more than there is room for means: too many.
    """
    rows, columns = cells.heads.shape
    far = radius + cells.reach[0]
    count = 0
    for row in range(
        cell_of(z - far, cells.origin_z, cells.cell, rows), cell_of(z + far, cells.origin_z, cells.cell, rows) + 1
    ):
        for column in range(
            cell_of(x - far, cells.origin_x, cells.cell, columns),
            cell_of(x + far, cells.origin_x, cells.cell, columns) + 1,
        ):
            other = cells.heads[row, column]
            while other >= 0:
                away_x, away_z = crew[other].bound[0] - x, crew[other].bound[1] - z
                apart = radius + crew[other].bound[2]
                if other != own and away_x * away_x + away_z * away_z <= apart * apart:
                    if count == len(found):
                        return count + 1
                    found[count] = other
                    count += 1
                other = cells.nexts[other]
    return count


@kernel
def with_gap(others, gap):
    """The same Neighbors, from whom another gap [m] is kept."""
    return Neighbors(others.crew, others.tracks, others.near, others.rims, others.size, gap)


@kernel
def look_around(own, x, z, radius, crowd, memory, gap):
    """The Neighbors of somebody, within `radius` of (x, z)."""
    near, rims = memory.near, memory.rims
    count = gather(crowd.crew, crowd.cells, own, x, z, radius, near)
    for k in range(min(count, len(near))):
        bound = crowd.crew[near[k]].bound
        rims[k, 0], rims[k, 1], rims[k, 2] = bound[0], bound[1], bound[2]
    return Neighbors(crowd.crew, crowd.tracks, near, rims, count, gap)


@inlined
def comes_near(others, k, x, z, radius):
    """Whether what the k-th of the others has committed to comes nearer to a circle than the gap, at any time."""
    away_x, away_z = others.rims[k, 0] - x, others.rims[k, 1] - z
    apart = others.rims[k, 2] + radius + others.gap
    return away_x * away_x + away_z * away_z <= apart * apart


@inlined
def on_the_way(others):
    """Whether any of the others wants to be elsewhere."""
    for k in range(others.size):
        them = others.crew[others.near[k]]
        if not (them.settled or math.isnan(them.goal[0])):
            return True
    return False


@inlined
def bodies_gap(own, other, table, gap):
    """What is left [m] between two bodies (BODY,) beyond the gap to keep; below 0 if they come too near."""
    away_x, away_z = other[0] - own[0], other[1] - own[1]
    left = math.sqrt(away_x * away_x + away_z * away_z) - own[2] - other[2] - gap
    if left >= 0.0 or own[4] < 0.0 or other[4] < 0.0:
        return left
    mine, theirs = table.supports[int(own[4])], table.supports[int(other[4])]
    return outlines_gap(away_x, away_z, own[3], mine, other[3], theirs, gap) - gap


@inlined
def clip_meets(stand, begun, clip, table, others, other):
    """What a clip begun at a stand at a frame comes nearer to than the gap, of the commitment of one who
    `comes_near`: NOTHING_MET, only the place where it ends, STOP_MET, or the way there, WAY_MET."""
    mine, them = table.clips[clip], others.crew[other]
    last, offset = them.length - 1, begun - them.first
    speed = mine.speed + them.speed
    # The outline of a frame holds what is done until the next one.
    frame, high = max(0, -offset), mine.duration - 1 if table.outlined else mine.duration
    while frame <= high:
        if them.ends and offset + frame > last:
            return NOTHING_MET
        own, there = mine.first + frame, others.tracks[other, min(offset + frame, last)]
        here_x, here_z = laid(stand, table.circles[own, 0], table.circles[own, 1])
        away_x, away_z = there[0] - here_x, there[1] - here_z
        left = math.sqrt(away_x * away_x + away_z * away_z) - table.circles[own, 2] - there[2] - others.gap
        if left < 0.0:
            if not table.outlined or there[4] < 0.0:
                return STOP_MET if offset + frame >= last else WAY_MET
            heading, theirs = math.atan2(stand.sine, stand.cosine), table.supports[int(there[4])]
            left = outlines_gap(away_x, away_z, heading, table.supports[own], there[3], theirs, others.gap)
            left -= others.gap
            if left < 0.0:
                return STOP_MET if offset + frame >= last else WAY_MET
        frame += 1 + int(left / speed)
    return NOTHING_MET


@inlined
def rest_meets(resting, begun, table, others, other):
    """Whether a body (BODY,) that stays from a frame on comes nearer than the gap to the commitment of one who
    `comes_near`."""
    them = others.crew[other]
    last = them.length - 1
    if them.ends and begun - them.first > last:
        return False
    row = min(max(begun - them.first, 0), last)
    while True:
        left = bodies_gap(resting, others.tracks[other, row], table, others.gap)
        if left < 0.0:
            return True
        if row == last:
            return False
        row = min(row + 1 + int(left / them.speed), last)


@lean
def tracks_meet(track, first, length, ends, speed, bound, crew, tracks, other, table, gap):
    """Whether a track from frame `first` on, the last row of which stays unless it ends, meets somebody's."""
    them = crew[other]
    away_x, away_z = bound[0] - them.bound[0], bound[1] - them.bound[1]
    apart = bound[2] + them.bound[2] + gap
    if away_x * away_x + away_z * away_z > apart * apart:
        return False
    mine, theirs = length - 1, them.length - 1
    frame, end = max(first, them.first), max(first + mine, them.first + theirs)
    if ends:
        end = min(end, first + mine)
    if them.ends:
        end = min(end, them.first + theirs)
    speed += them.speed
    while frame <= end:
        own, row = min(frame - first, mine), min(frame - them.first, theirs)
        left = bodies_gap(track[own], tracks[other, row], table, gap)
        if left < 0.0:
            return True
        frame = max(min(frame + 1 + int(left / speed), end), frame + 1)
    return False


@lean
def guess_meets(x0, z0, x1, z1, begun, duration, crew, other, radius):
    """Whether somebody who goes straight from one place to another comes within `radius` of another who keeps
    going as it does."""
    span = max(duration, 1)
    ahead = begun - crew[other].guess[4]
    dx = x0 - crew[other].guess[0] - crew[other].guess[2] * ahead
    dz = z0 - crew[other].guess[1] - crew[other].guess[3] * ahead
    vx, vz = (x1 - x0) / span - crew[other].guess[2], (z1 - z0) / span - crew[other].guess[3]
    speed = vx * vx + vz * vz
    when = 0.0
    if speed > 1e-12:
        when = min(max(-(dx * vx + dz * vz) / speed, 0.0), span)
    dx, dz = dx + vx * when, dz + vz * when
    apart = radius + crew[other].guess[5]
    return dx * dx + dz * dz < apart * apart
