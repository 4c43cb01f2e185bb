"""Whether a clip, begun somewhere, or a body at rest meets anything: standing obstacles, solids, other people.

Circles and outlines are those of Moves: what happens between frames is in them. Circles are looked at first; where
they come too near, outlines say more, if there are any, and between people capsules. A gap of d between two things
that approach by no more than v a frame stays open for the next ⌊d/v⌋ frames, so most frames need not be looked at.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.kernels import inlined, kernel
from walkon.planning._kernels_solids import capsules_hit, distance_beside
from walkon.planning.kernels_bodies import AROUND, walls_gap
from walkon.planning.kernels_moves import CHUNK
from walkon.planning.kernels_tracks import body_gap, cells_within, others_at
from walkon.rotations.kernels_ground import laid
from walkon.world.kernels import bilinear, bilinear_level


class Raster(NamedTuple):
    """Where a grid of distances lies: x, z [m] of its first vertex, the cell [m] between vertices, and the margin
    [m] that is taken from all distances."""

    x: float
    z: float
    cell: float
    margin: float


@inlined
def distance_at(origin_x, origin_z, cell, values, x, z):
    """Bilinear distance [m] from a grid (Nz, Nx): `world.kernels.bilinear`, to be inlined into the search."""
    rows, columns = values.shape
    u, v = (x - origin_x) / cell, (z - origin_z) / cell
    if not (0.0 <= u <= columns - 1.0 and 0.0 <= v <= rows - 1.0):
        return bilinear(origin_x, origin_z, cell, values, x, z)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    u, v = u - i, v - j
    near = values[j, i] * (1.0 - u) + values[j, i + 1] * u
    far = values[j + 1, i] * (1.0 - u) + values[j + 1, i + 1] * u
    return near * (1.0 - v) + far * v


@inlined
def room_at(x, z, raster, values):
    """Distance [m] to what stands still, less the margin, by a grid of distances (Nz, Nx)."""
    return distance_at(raster.x, raster.z, raster.cell, values, x, z) - raster.margin


@inlined
def height_at(ground, x, z):
    """Height of the ground [m]."""
    return bilinear_level(ground.heights_x, ground.heights_z, ground.heights_cell, ground.heights, x, z)


@kernel
def climbed(stand, clip, moves, ground):
    """Metres of height, up and down, along a clip begun at a stand; looked at every four frames."""
    first, last = moves.frame_starts[clip], moves.frame_starts[clip + 1] - 1
    total, before, row = 0.0, 0.0, first
    while True:
        x, z = laid(stand, moves.paths[row, 0], moves.paths[row, 1])
        height = height_at(ground, x, z)
        if row > first:
            total += abs(height - before)
        before = height
        if row == last:
            return total
        row = min(row + 4, last)


@inlined
def hits_ground(stand, clip, moves, ground):
    """Whether a clip begun at a stand meets what stands still or the edge of the bounds."""
    bound, raster, values = moves.bounds, ground.raster, ground.clearance
    x, z = laid(stand, bound[clip, 0], bound[clip, 1])
    if room_at(x, z, raster, values) >= bound[clip, 2]:
        return False
    row, last = moves.frame_starts[clip], moves.frame_starts[clip + 1] - 1
    if moves.outlined:
        if _probes_hit(stand, clip, moves, ground):
            return True
        last -= 1
    while True:
        x, z = laid(stand, moves.circles[row, 0], moves.circles[row, 1])
        room = room_at(x, z, raster, values)
        gap = room - moves.circles[row, 2]
        if gap < 0.0:
            if not moves.outlined:
                return True
            # Only whole frames are leapt over: what is left of a gap beyond them need not be known.
            speed = moves.speeds[clip]
            around = speed * math.floor(AROUND / speed)
            gap = _gap_beside(
                stand, x, z, room, moves.circles[row, 2], around, moves.supports[row], moves.covers[row], ground
            )
            if gap < 0.0:
                return True
        if row >= last:
            return False
        row = min(row + 1 + int(gap / moves.speeds[clip]), last)


@inlined
def _probes_hit(stand, clip, moves, ground):
    """Whether some disc that the body covers in a clip begun at a stand is too near to what stands still, as
    far as a grid can tell for certain. Frame by frame the same would be found, but later."""
    if not ground.walls.known:
        return False
    sure = ground.raster.margin - ground.walls.gap + math.sqrt(0.5) * ground.raster.cell
    for probe in range(moves.probes.shape[1]):
        x, z = laid(stand, moves.probes[clip, probe, 0], moves.probes[clip, probe, 1])
        if room_at(x, z, ground.raster, ground.clearance) + sure < moves.probes[clip, probe, 2]:
            return True
    return False


@kernel
def beside_walls(stand, x, z, room, radius, supports, cover, ground):
    """At least how far [m] a body seen from a stand is from what stands still, less what must be kept; below 0 if
    it is too near, and maybe 0 if it is not. x, z, radius: its circle in the world; room: there."""
    return _gap_beside(stand, x, z, room, radius, 0.0, supports, cover, ground)


@inlined
def _gap_beside(stand, x, z, room, radius, around, supports, cover, ground):
    """The same, if edges are asked by no more than `around` [m] too little."""
    if room + ground.raster.margin < 0.0:
        return -1.0
    least = math.inf
    for disc in range(len(cover)):
        disc_x, disc_z = laid(stand, cover[disc, 0], cover[disc, 1])
        least = min(least, room_at(disc_x, disc_z, ground.raster, ground.clearance) - cover[disc, 2])
        if least < 0.0:
            break
    if least >= 0.0 or not ground.walls.known:
        return least
    return walls_gap(x, z, stand.sine, stand.cosine, supports, radius, around, ground.walls)


@inlined
def hits_people(stand, begun, clip, moves, people):
    """Whether a clip begun at a stand at frame `begun` of the world meets somebody."""
    first, stop = moves.chunk_starts[clip], moves.chunk_starts[clip + 1]
    last = moves.durations[clip]
    if moves.outlined:
        last -= 1
    for chunk in range(first, stop):
        x, z = laid(stand, moves.chunks[chunk, 0], moves.chunks[chunk, 1])
        low = (chunk - first) * CHUNK
        frames = low, min(low + CHUNK - 1, last)
        period = (begun + low) // CHUNK
        left, right, near, far = cells_within(x, z, moves.chunks[chunk, 2], people)
        for row in range(near, far + 1):
            for column in range(left, right + 1):
                for resting in range(2):
                    entry = -1
                    if resting == 1:
                        entry = people.rest_heads[row, column]
                    elif period < people.heads.shape[0]:
                        entry = people.heads[period, row, column]
                    while entry >= 0:
                        track = people.owners[entry]
                        if _meets(stand, begun, clip, frames, track, resting == 1, moves, people):
                            return True
                        entry = people.nexts[entry]
    return False


@inlined
def _meets(stand, begun, clip, frames, track, resting, moves, people):
    """Whether some frames (first, last) of a clip meet a track while it moves, or once it rests."""
    if not people.alive[track]:
        return False
    last = people.lengths[track] - 1
    offset = begun - people.firsts[track]
    low, high = frames
    if resting:
        low = max(low, last - offset)
    else:
        low, high = max(low, -offset), min(high, last - offset)
    base, start = moves.frame_starts[clip], people.begins[track]
    speed = moves.speeds[clip] + people.speeds[track]
    while low <= high:
        own, other = base + low, start + min(offset + low, last)
        x, z = laid(stand, moves.circles[own, 0], moves.circles[own, 1])
        away_x, away_z = people.places[other, 0] - x, people.places[other, 1] - z
        apart = math.sqrt(away_x * away_x + away_z * away_z)
        gap = apart - moves.circles[own, 2] - people.places[other, 2] - people.gap
        if gap < 0.0:
            if not moves.outlined or people.rows[other] < 0:
                return True
            place = x, z, moves.circles[own, 2], math.atan2(stand.sine, stand.cosine)
            gap = body_gap(place, moves.supports[own], own, moves.body_capsules, other, people)
            if gap < 0.0:
                return True
        low += 1 + int(gap / speed)
    return False


@inlined
def maybe_passable(x, z, kind, solids):
    """Whether a solid that a special behavior may pass ever comes near to (x, z): a quick look."""
    for solid in range(len(solids.passes)):
        if (solids.passes[solid] >> kind) & 1:
            away_x, away_z = x - solids.spans[solid, 0], z - solids.spans[solid, 1]
            reach = solids.spans[solid, 2] + solids.near[solid]
            if away_x * away_x + away_z * away_z <= reach * reach:
                return True
    return False


@inlined
def near_solids(stand, clip, moves, solids):
    """Whether a clip begun at a stand comes near to anything that a solid ever covers."""
    x, z = laid(stand, moves.bounds[clip, 0], moves.bounds[clip, 1])
    for solid in range(len(solids.spans)):
        away_x, away_z = x - solids.spans[solid, 0], z - solids.spans[solid, 1]
        apart = moves.bounds[clip, 2] + solids.spans[solid, 2] + solids.gap
        if away_x * away_x + away_z * away_z <= apart * apart:
            return True
    return False


@kernel
def near_passable(x, z, frame, kind, solids):
    """Whether some solid that a special behavior may pass is near enough to (x, z) at a frame."""
    for solid in range(len(solids.passes)):
        if (solids.passes[solid] >> kind) & 1:
            row = min(solids.starts[solid] + frame, solids.starts[solid + 1] - 1)
            if _reaches(x, z, solids.near[solid], row, solids):
                return True
    return False


@inlined
def acts_within(stand, begun, clip, kind, moves, solids):
    """Whether a special behavior, begun at a stand, is close enough to a solid it may pass when its action
    happens."""
    action = moves.action_frames[clip]
    row = moves.frame_starts[clip] + action
    body_x, body_z = laid(stand, moves.paths[row, 0], moves.paths[row, 1])
    for solid in range(len(solids.passes)):
        if (solids.passes[solid] >> kind) & 1:
            shape = min(solids.starts[solid] + begun + action, solids.starts[solid + 1] - 1)
            if _reaches(body_x, body_z, solids.within[solid], shape, solids):
                return True
    return False


@inlined
def _reaches(x, z, distance, row, solids):
    away = math.hypot(x - solids.discs[row, 0], z - solids.discs[row, 1]) - solids.discs[row, 2]
    if away > distance:
        return False
    return distance_beside(x, z, row, solids) <= distance


@kernel
def hits_solids(stand, begun, clip, kind, moves, ground, solids):
    """Whether a clip of a behavior of this kind (-1: ordinary), begun at a stand, meets a solid; or, if it is
    special, has nothing to act on."""
    if kind >= 0 and not acts_within(stand, begun, clip, kind, moves, solids):
        return True
    reach = moves.bounds[clip, 2]
    x, z = laid(stand, moves.bounds[clip, 0], moves.bounds[clip, 1])
    for solid in range(len(solids.passes)):
        # Nearest in space first: a circle around all that the solid ever does, then period by period.
        away = math.hypot(x - solids.spans[solid, 0], z - solids.spans[solid, 1])
        if away > reach + solids.spans[solid, 2] + solids.gap:
            continue
        if _meets_solid(stand, begun, clip, kind, solid, moves, ground, solids):
            return True
    return False


@inlined
def _meets_solid(stand, begun, clip, kind, solid, moves, ground, solids):
    base, last = moves.frame_starts[clip], moves.durations[clip]
    start, end = solids.starts[solid], solids.starts[solid + 1] - 1
    speed = moves.speeds[clip] + solids.speeds[solid]
    passable = kind >= 0 and (solids.passes[solid] >> kind) & 1
    frame = 0
    while frame <= last:
        own, row = base + frame, min(start + begun + frame, end)
        after = min(row + 1, end)
        gap = _solid_gap(stand, own, row, moves, solids)
        if after != row:
            # A solid holds half a frame around each: what comes until our next frame is in the next one.
            gap = min(gap, _solid_gap(stand, own, after, moves, solids))
            if not moves.outlined:
                gap = min(gap, _solid_gap(stand, own, max(row - 1, start), moves, solids))
        if gap >= 0.0:
            frame += 1 + int(gap / speed)
            continue
        if not passable:
            return True
        lift = _lift(stand, own, row, moves, ground, solids)
        if capsules_hit(stand, lift, clip, frame, row, after, moves, solids):
            return True
        frame += 1
    return False


@inlined
def _solid_gap(stand, own, row, moves, solids):
    """At least how far [m] a body in one row of the moves is from a solid in one of its rows, less the gap to
    keep; nothing for a solid that is not there."""
    if solids.absent[row]:
        return 0.0
    x, z = laid(stand, moves.circles[own, 0], moves.circles[own, 1])
    kept = moves.circles[own, 2] + solids.gap
    gap = math.hypot(x - solids.discs[row, 0], z - solids.discs[row, 1]) - solids.discs[row, 2] - kept
    if gap < 0.0:
        gap = distance_beside(x, z, row, solids) - kept
    if gap < 0.0 and moves.outlined:
        gap = discs_gap(stand, moves.covers[own], row, solids)
    return gap


@kernel
def discs_gap(stand, cover, row, solids):
    """At least how far [m] discs (D, 3) seen from a stand are from a solid in one of its rows, less the gap."""
    least = math.inf
    for disc in range(len(cover)):
        x, z = laid(stand, cover[disc, 0], cover[disc, 1])
        least = min(least, distance_beside(x, z, row, solids) - cover[disc, 2] - solids.gap)
    return least


@inlined
def _lift(stand, own, row, moves, ground, solids):
    """How much higher [m] the ground is under the body, in one row of the clip, than under a solid in one of its
    rows."""
    if ground.flat:
        return 0.0
    x, z = laid(stand, moves.paths[own, 0], moves.paths[own, 1])
    return height_at(ground, x, z) - height_at(ground, solids.discs[row, 0], solids.discs[row, 1])


@kernel
def can_rest(stand, pose, begun, horizon, moves, ground, solids, people, crowded):
    """Whether one can stay at a stand, in a pose to rest in, from a frame to the horizon."""
    x, z = laid(stand, moves.rest_circles[pose, 0], moves.rest_circles[pose, 1])
    if not rests_clear(stand, pose, x, z, moves, ground):
        return False
    if not rests_apart(stand, pose, begun, horizon, moves, solids):
        return False
    if not crowded:
        return True
    found = np.zeros(len(people.alive), dtype=np.bool_)
    resting = x, z, moves.rest_circles[pose, 2], math.atan2(stand.sine, stand.cosine)
    supports, row = moves.rest_supports[pose], len(moves.circles) + pose
    return not others_at(
        resting, supports, moves.outlined, row, moves.body_capsules, begun, horizon, people, found, True
    )


@kernel
def rests_clear(stand, pose, x, z, moves, ground):
    """Whether a body at rest, with the middle of its circle at (x, z), is clear of what stands still."""
    radius = moves.rest_circles[pose, 2]
    room = room_at(x, z, ground.raster, ground.clearance)
    if room >= radius or not moves.outlined:
        return room >= radius
    supports, cover = moves.rest_supports[pose], moves.rest_covers[pose]
    return beside_walls(stand, x, z, room, radius, supports, cover, ground) >= 0.0


@kernel
def rests_apart(stand, pose, begun, horizon, moves, solids):
    """Whether a body at rest from a frame on is never met by a solid."""
    x, z = laid(stand, moves.rest_circles[pose, 0], moves.rest_circles[pose, 1])
    apart = disc_apart(x, z, moves.rest_circles[pose, 2], begun, horizon, solids)
    if apart or not moves.outlined:
        return apart
    cover = moves.rest_covers[pose]
    for disc in range(len(cover)):
        x, z = laid(stand, cover[disc, 0], cover[disc, 1])
        if not disc_apart(x, z, cover[disc, 2], begun, horizon, solids):
            return False
    return True


@kernel
def disc_apart(x, z, radius, begun, horizon, solids):
    """Whether a disc that stays from a frame on is never met by a solid."""
    for solid in range(len(solids.passes)):
        away = math.hypot(x - solids.spans[solid, 0], z - solids.spans[solid, 1])
        if away > radius + solids.spans[solid, 2] + solids.gap:
            continue
        start, end = solids.starts[solid], solids.starts[solid + 1] - 1
        row, stop = min(start + begun, end), min(start + max(horizon, begun), end)
        while row <= stop:
            if solids.absent[row]:
                row += 1
                continue
            gap = distance_beside(x, z, row, solids) - radius - solids.gap
            if gap < 0.0:
                return False
            row += 1 + int(gap / (solids.speeds[solid] + 1e-6))
    return True
