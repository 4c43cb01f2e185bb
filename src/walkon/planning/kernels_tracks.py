"""Moving bodies in a broad phase: cells of the ground times bins of time, as linked lists in flat arrays.

A track is entered into every cell that comes within `reach` of it during a bin and the one after. So whoever asks
about a circle no larger than `reach`, over no more than CHUNK frames, looks into one list only.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel
from walkon.motion.features.outlines import COMPASS
from walkon.planning.kernels_bodies import outlines_gap, reach_at
from walkon.planning.kernels_capsules import BodyCapsules, capsules_apart
from walkon.planning.kernels_moves import CHUNK, enclosing_circles


class Tracks(NamedTuple):
    """What kernels know about others: T tracks, C frames of all of them, E entries in the lists.

    origin_x, origin_z, cell [m]: of the grid. reach [m]: by how much entries are enlarged. gap [m]: to be kept.
    heads: (bins, Nz, Nx), rest_heads: (Nz, Nx) the first entry of each list, or -1. owners, nexts: (E,) the track
    of an entry and the entry after it. begins: (T,) where the frames of a track begin; firsts: (T,) its first
    frame; lengths: (T,) in frames; speeds: (T,) the most it moves in a frame [m]; stays: (T,) whether its last
    frame stays; alive: (T,). places: (C, 5) x, z, radius of the circle around a body, its heading, and how much
    more room [m] than its outline it takes; in the radius that is included. rows: (C,) of its outline among
    supports (R, 2, DIRECTIONS), and of its capsules; -1 if it is a circle.
    """

    origin_x: float
    origin_z: float
    cell: float
    reach: float
    gap: float
    heads: NDArray[np.int32]
    rest_heads: NDArray[np.int32]
    owners: NDArray[np.int32]
    nexts: NDArray[np.int32]
    begins: NDArray[np.int64]
    firsts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    speeds: NDArray[np.float64]
    stays: NDArray[np.bool_]
    alive: NDArray[np.bool_]
    places: NDArray[np.float64]
    rows: NDArray[np.int32]
    supports: NDArray[np.float32]
    capsules: BodyCapsules


@kernel
def column_of(value, origin, cell, count):
    """Which of `count` cells a coordinate falls into; the outermost for what is outside."""
    return min(max(math.floor((value - origin) / cell), 0), count - 1)


@inlined
def cells_around(x, z, radius, tracks):
    """The cells that a square around (x, z) touches: first and last column, first and last row."""
    rows, columns = tracks.rest_heads.shape
    left = column_of(x - radius, tracks.origin_x, tracks.cell, columns)
    right = column_of(x + radius, tracks.origin_x, tracks.cell, columns)
    near = column_of(z - radius, tracks.origin_z, tracks.cell, rows)
    far = column_of(z + radius, tracks.origin_z, tracks.cell, rows)
    return left, right, near, far


@inlined
def cells_within(x, z, radius, tracks):
    """The cells whose lists have everybody who may come too near to a circle."""
    return cells_around(x, z, max(radius + tracks.gap - tracks.reach, 0.0), tracks)


@kernel
def enter_track(tracks, track, used, dry):
    """Put a track into the lists, from entry `used` on; only count if `dry`. Returns how many entries are used
    then."""
    begin, length, first = tracks.begins[track], tracks.lengths[track], tracks.firsts[track]
    limits = np.empty(2, dtype=np.int64)
    for period in range(max(0, first // CHUNK - 1), tracks.heads.shape[0]):
        start = max(period * CHUNK - first, 0)
        stop = min((period + 2) * CHUNK - first, length)
        if start >= length:
            break
        if stop <= start:
            continue
        limits[0], limits[1] = 0, stop - start
        around = enclosing_circles(tracks.places[begin + start : begin + stop], limits)[0]
        used = _enter(tracks, track, around, tracks.heads[period], used, dry)
    if tracks.stays[track]:
        used = _enter(tracks, track, tracks.places[begin + length - 1], tracks.rest_heads, used, dry)
    return used


@kernel
def _enter(tracks, track, circle, heads, used, dry):
    """Put an entry into the list of every cell that a circle, enlarged by the reach, touches."""
    rows, columns = heads.shape
    radius = circle[2] + tracks.reach
    left, right, near, far = cells_around(circle[0], circle[1], radius, tracks)
    for row in range(near, far + 1):
        for column in range(left, right + 1):
            # The outermost cells stand for everything beyond them and are never left out.
            inner = 0 < row < rows - 1 and 0 < column < columns - 1
            if inner and not _touches(tracks, row, column, circle[0], circle[1], radius):
                continue
            if not dry:
                tracks.owners[used] = track
                tracks.nexts[used] = heads[row, column]
                heads[row, column] = used
            used += 1
    return used


@kernel
def _touches(tracks, row, column, x, z, radius):
    low_x, low_z = tracks.origin_x + column * tracks.cell, tracks.origin_z + row * tracks.cell
    away_x = max(low_x - x, x - low_x - tracks.cell, 0.0)
    away_z = max(low_z - z, z - low_z - tracks.cell, 0.0)
    return away_x * away_x + away_z * away_z <= radius * radius


@inlined
def body_gap(place, supports, row, capsules, other, tracks):
    """At least what is left [m] between a body and one of a track beyond the gap to keep; below 0 if that is not
    proven. Outlines are asked first; where they come too near, capsules, if they are known.

    place: x, z, radius of the circle around it, and its heading. supports: its outline. row: of its capsules.
    """
    kept, number = tracks.gap + tracks.places[other, 4], tracks.rows[other]
    away_x, away_z = tracks.places[other, 0] - place[0], tracks.places[other, 1] - place[1]
    there = tracks.supports[number]
    gap = outlines_gap(away_x, away_z, place[3], supports, tracks.places[other, 3], there, kept) - kept
    if gap < 0.0 and len(tracks.capsules.spans):
        where = tracks.places[other, 0], tracks.places[other, 1], tracks.places[other, 2], tracks.places[other, 3]
        if capsules_apart(place, row, capsules, where, number, tracks.capsules, kept):
            return 0.0
    return gap


@inlined
def nearer(place, supports, outlined, row, capsules, other, tracks):
    """Whether a body at a place (x, z, radius, heading) comes too near to a body of a track."""
    away_x, away_z = tracks.places[other, 0] - place[0], tracks.places[other, 1] - place[1]
    apart = place[2] + tracks.places[other, 2] + tracks.gap
    if away_x * away_x + away_z * away_z >= apart * apart:
        return False
    if not outlined or tracks.rows[other] < 0:
        return True
    return body_gap(place, supports, row, capsules, other, tracks) < 0.0


@kernel
def others_along(places, rows, supports, capsules, around, first, tracks, found):
    """Marks in found (T,) the tracks that come too near to the bodies of another, as in Tracks, from frame `first`
    on. around: (H, 3) circles around every CHUNK of them."""
    for chunk in range(len(around)):
        low, high = chunk * CHUNK, min(chunk * CHUNK + CHUNK, len(places)) - 1
        x, z, radius = around[chunk]
        left, right, near, far = cells_within(x, z, radius, tracks)
        period = (first + low) // CHUNK
        for row in range(near, far + 1):
            for column in range(left, right + 1):
                for resting in range(2):
                    entry = tracks.rest_heads[row, column]
                    if resting == 0:
                        entry = tracks.heads[period, row, column] if period < len(tracks.heads) else -1
                    _mark(places, rows, supports, capsules, first, low, high, tracks, entry, resting == 1, found)


@kernel
def _mark(places, rows, supports, capsules, first, low, high, tracks, entry, resting, found):
    while entry >= 0:
        track = tracks.owners[entry]
        entry = tracks.nexts[entry]
        if not tracks.alive[track] or found[track]:
            continue
        last = tracks.lengths[track] - 1
        offset = first - tracks.firsts[track]
        begin, end = max(low, -offset), min(high, last - offset)
        if resting:
            begin, end = max(low, last - offset), high
        for frame in range(begin, end + 1):
            other = tracks.begins[track] + min(offset + frame, last)
            own = max(rows[frame], 0)
            place = places[frame, 0], places[frame, 1], places[frame, 2], places[frame, 3]
            if nearer(place, supports[own], rows[frame] >= 0, own, capsules, other, tracks):
                found[track] = True
                break


@kernel
def others_at(place, supports, outlined, row, capsules, first, last, tracks, found, one):
    """Marks in found (T,) the tracks that come too near to a body that stays from frame `first` to `last`.

    place: x, z, radius and heading; supports: its outline, if it is seen; row: of its capsules. one: the first of
    them is enough. Returns whether there is any.
    """
    left, right, near, far = cells_within(place[0], place[1], place[2], tracks)
    some, body = False, (supports, outlined, row, capsules)
    for line in range(near, far + 1):
        for column in range(left, right + 1):
            entry = tracks.rest_heads[line, column]
            some |= _mark_at(place, body, first, last, tracks, entry, -1, found, one)
            for period in range(first // CHUNK, min(last // CHUNK + 1, len(tracks.heads))):
                if some and one:
                    return True
                entry = tracks.heads[period, line, column]
                if entry >= 0:
                    some |= _mark_at(place, body, first, last, tracks, entry, period, found, one)
    return some


@kernel
def _mark_at(place, body, first, last, tracks, entry, period, found, one):
    """The same for one list: that of a period, or that of those who rest (-1)."""
    some = False
    supports, outlined, own, capsules = body
    while entry >= 0 and not (some and one):
        track = tracks.owners[entry]
        entry = tracks.nexts[entry]
        if not tracks.alive[track] or found[track]:
            continue
        ended = tracks.firsts[track] + tracks.lengths[track] - 1
        begin = max(first, tracks.firsts[track], period * CHUNK)
        end = min(last, ended, period * CHUNK + CHUNK - 1)
        if period < 0:
            begin = max(first, ended)
            end = min(last, begin)
        for frame in range(begin, end + 1):
            other = tracks.begins[track] + min(frame, ended) - tracks.firsts[track]
            if nearer(place, supports, outlined, own, capsules, other, tracks):
                found[track] = some = True
                break
    return some


@kernel
def body_speed(places, rows, supports):
    """The most that any of the bodies of a track, as in Tracks, moves from one frame to the next in any direction
    [m]; never quite 0, for it divides."""
    fastest = 1e-6
    for frame in range(len(places) - 1):
        here, there = places[frame], places[frame + 1]
        if rows[frame] < 0 or rows[frame + 1] < 0:
            moved = math.hypot(there[0] - here[0], there[1] - here[1]) + abs(there[2] - here[2])
            fastest = max(fastest, moved)
            continue
        for k in range(len(COMPASS)):
            turn = 2.0 * math.pi * k / len(COMPASS)
            ahead = (there[0] - here[0]) * COMPASS[k, 0] + (there[1] - here[1]) * COMPASS[k, 1]
            now = reach_at(supports[rows[frame]], turn - here[3]) + here[4]
            then = reach_at(supports[rows[frame + 1]], turn - there[3]) + there[4]
            fastest = max(fastest, 1.01 * abs(ahead + then - now))
    return fastest
