"""Whether a clip, begun somewhere, meets anything: standing obstacles, solids, other people.

Circles are those of Moves: already padded for what happens between frames. A gap of d between two things that
approach by no more than v a frame stays open for the next ⌊d/v⌋ frames, so most frames need not be looked at.
"""

from __future__ import annotations

import math

from walkon.kernels import inlined, kernel
from walkon.planning._kernels_solids import capsules_hit, distance_beside
from walkon.planning.kernels_moves import CHUNK
from walkon.planning.kernels_tracks import column_of
from walkon.world.kernels import bilinear, bilinear_level


@inlined
def distance_at(origin_x, origin_z, cell, values, x, z):
    """Bilinear distance [m] from a grid (Nz, Nx): `world._kernels.bilinear`, to be inlined into the search."""
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
def clearance_at(ground, x, z):
    """Distance [m] to what stands still, less the margin."""
    distance = bilinear(ground.clearance_x, ground.clearance_z, ground.clearance_cell, ground.clearance, x, z)
    return distance - ground.margin


@inlined
def height_at(ground, x, z):
    """Height of the ground [m]."""
    return bilinear_level(ground.heights_x, ground.heights_z, ground.heights_cell, ground.heights, x, z)


@inlined
def hits_ground(x, z, sine, cosine, first, last, bound, speed, circles, grid, values):
    """Whether a clip begun at (x, z) meets what stands still or the edge of the bounds.

    first, last: rows of the clip's circles. bound: x, z, radius around them all. grid: origin, cell and margin
    [m] of the distances `values` (Nz, Nx).
    """
    origin_x, origin_z, cell, margin = grid
    px, pz, reach = bound
    at_x, at_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
    if distance_at(origin_x, origin_z, cell, values, at_x, at_z) - margin >= reach:
        return False
    row = first
    while True:
        px, pz = circles[row, 0], circles[row, 1]
        at_x, at_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
        gap = distance_at(origin_x, origin_z, cell, values, at_x, at_z) - margin - circles[row, 2]
        if gap < 0.0:
            return True
        if row == last:
            return False
        row = min(row + 1 + int(gap / speed), last)


@inlined
def hits_people(
    x, z, sine, cosine, begun, own, circles, chunks, grid, heads, rest_heads, owners, nexts, begins, firsts,
    lengths, speeds, alive, others,
):  # fmt: skip
    """Whether a clip begun at (x, z) at frame `begun` of the world meets somebody.

    own: first row, duration and speed of the clip, and its rows of chunks. grid: origin, cell, reach and gap of
    Tracks; then its arrays.
    """
    base, duration, speed, first, stop = own
    origin_x, origin_z, cell, reach, gap = grid
    rows, columns = rest_heads.shape
    for chunk in range(first, stop):
        px, pz, radius = chunks[chunk, 0], chunks[chunk, 1], chunks[chunk, 2]
        center_x, center_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
        low = (chunk - first) * CHUNK
        high = min(low + CHUNK - 1, duration)
        period = (begun + low) // CHUNK
        span = max(radius + gap - reach, 0.0)
        left = column_of(center_x - span, origin_x, cell, columns)
        right = column_of(center_x + span, origin_x, cell, columns)
        near = column_of(center_z - span, origin_z, cell, rows)
        far = column_of(center_z + span, origin_z, cell, rows)
        for row in range(near, far + 1):
            for column in range(left, right + 1):
                for resting in range(2):
                    entry = -1
                    if resting == 1:
                        entry = rest_heads[row, column]
                    elif period < heads.shape[0]:
                        entry = heads[period, row, column]
                    while entry >= 0:
                        if _meets(
                            x, z, sine, cosine, begun, base, speed, low, high, owners[entry], resting == 1, gap,
                            circles, begins, firsts, lengths, speeds, alive, others,
                        ):  # fmt: skip
                            return True
                        entry = nexts[entry]
    return False


@inlined
def _meets(
    x, z, sine, cosine, begun, base, speed, low, high, track, resting, kept, circles, begins, firsts, lengths,
    speeds, alive, others,
):  # fmt: skip
    """Whether the frames low to high of a clip meet a track while it moves, or once it rests."""
    if not alive[track]:
        return False
    last = lengths[track] - 1
    offset = begun - firsts[track]
    if resting:
        low = max(low, last - offset)
    else:
        low, high = max(low, -offset), min(high, last - offset)
    start, speed = begins[track], speed + speeds[track]
    while low <= high:
        own, other = base + low, start + min(offset + low, last)
        px, pz = circles[own, 0], circles[own, 1]
        away_x = x + px * cosine + pz * sine - others[other, 0]
        away_z = z - px * sine + pz * cosine - others[other, 1]
        gap = math.sqrt(away_x * away_x + away_z * away_z) - circles[own, 2] - others[other, 2] - kept
        if gap < 0.0:
            return True
        low += 1 + int(gap / speed)
    return False


@inlined
def maybe_passable(x, z, kind, spans, passes, nears):
    """Whether a solid that a special behavior may pass ever comes near to (x, z): a quick look."""
    for solid in range(len(passes)):
        if (passes[solid] >> kind) & 1:
            away_x, away_z = x - spans[solid, 0], z - spans[solid, 1]
            reach = spans[solid, 2] + nears[solid]
            if away_x * away_x + away_z * away_z <= reach * reach:
                return True
    return False


@inlined
def near_solids(x, z, sine, cosine, bound, spans, gap):
    """Whether a clip begun at (x, z), all within `bound`, comes near to anything that a solid ever covers."""
    px, pz, reach = bound
    center_x, center_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
    for solid in range(len(spans)):
        away_x, away_z = center_x - spans[solid, 0], center_z - spans[solid, 1]
        apart = reach + spans[solid, 2] + gap
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
def acts_within(x, z, sine, cosine, begun, clip, kind, moves, solids):
    """Whether a special behavior, begun at (x, z), is close enough to a solid it may pass when its action
    happens."""
    action = moves.action_frames[clip]
    row = moves.frame_starts[clip] + action
    px, pz = moves.paths[row, 0], moves.paths[row, 1]
    body_x, body_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
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
def hits_solids(x, z, sine, cosine, begun, clip, kind, moves, ground, solids):
    """Whether a clip of a behavior of this kind (-1: ordinary), begun at (x, z), meets a solid; or, if it is
    special, has nothing to act on."""
    if kind >= 0 and not acts_within(x, z, sine, cosine, begun, clip, kind, moves, solids):
        return True
    px, pz, reach = moves.bounds[clip, 0], moves.bounds[clip, 1], moves.bounds[clip, 2]
    center_x, center_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
    for solid in range(len(solids.passes)):
        # Nearest in space first: a circle around all that the solid ever does, then period by period.
        away = math.hypot(center_x - solids.spans[solid, 0], center_z - solids.spans[solid, 1])
        if away > reach + solids.spans[solid, 2] + solids.gap:
            continue
        if _meets_solid(x, z, sine, cosine, begun, clip, kind, solid, moves, ground, solids):
            return True
    return False


@inlined
def _meets_solid(x, z, sine, cosine, begun, clip, kind, solid, moves, ground, solids):
    base, last = moves.frame_starts[clip], moves.durations[clip]
    start, end = solids.starts[solid], solids.starts[solid + 1] - 1
    speed = moves.speeds[clip] + solids.speeds[solid]
    passable = kind >= 0 and (solids.passes[solid] >> kind) & 1
    frame = 0
    while frame <= last:
        own, row = base + frame, min(start + begun + frame, end)
        if solids.absent[row]:
            frame += 1
            continue
        px, pz, radius = moves.circles[own, 0], moves.circles[own, 1], moves.circles[own, 2]
        at_x, at_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
        # What moves relative to a moving circle is lost between frames like the sag of a circle.
        still = moves.steps[own]
        radius += solids.gap + solids.steps[row] * (2.0 * still + solids.steps[row]) / (7.4 * radius)
        gap = math.hypot(at_x - solids.discs[row, 0], at_z - solids.discs[row, 1]) - solids.discs[row, 2] - radius
        if gap < 0.0:
            gap = distance_beside(at_x, at_z, row, solids) - radius
        if gap >= 0.0:
            frame += 1 + int(gap / speed)
            continue
        if not passable:
            return True
        lift = 0.0
        if not ground.flat:
            path_x, path_z = moves.paths[own, 0], moves.paths[own, 1]
            lift = height_at(ground, x + path_x * cosine + path_z * sine, z - path_x * sine + path_z * cosine)
            lift -= height_at(ground, solids.discs[row, 0], solids.discs[row, 1])
        if capsules_hit(x, z, sine, cosine, lift, clip, frame, row, min(row + 1, end), moves, solids):
            return True
        frame += 1
    return False


@kernel
def rests_apart(x, z, radius, begun, horizon, solids):
    """Whether a circle that stays from a frame on is never met by a solid."""
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
            gap = distance_beside(x, z, row, solids)
            gap -= radius + solids.gap + solids.steps[row] * solids.steps[row] / (7.4 * radius)
            if gap < 0.0:
                return False
            row += 1 + int(gap / (solids.speeds[solid] + 1e-6))
    return True
