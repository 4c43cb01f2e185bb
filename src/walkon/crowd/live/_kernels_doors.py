"""Doors: places that are narrower than what is before and behind them, and the way straight through."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_land import cell_at
from walkon.kernels import inlined, kernel
from walkon.planning.kernels_collision import distance_at

DOOR = 1.05
"""[m] Where there is less room than this on both sides, people go straight through, one behind another or in
lanes. With more, they line up where they could come from anywhere; with less, they reach doors askew, and turn in
them."""

LANE = 0.33
"""[m] Room beside the middle of a lane. With less, people graze door posts; with more, two do not go abreast
through a door 1.2 m wide."""

THRESHOLD = 0.3
"""[m] How far before and behind the middle of a door the way through it begins and ends: about half a step. With
more, nobody turns soon after a door; with less, people turn while they are in it."""

BEFORE_DOOR = 0.9
"""[m] Corners nearer to a door than this are left out of a route: people line up there. With less, all come to the
middle of a door, however wide it is."""

KEPT_FREE = 2.2
"""[m] How far around the middle of a door nobody stops who is on the way. With more, whoever is next has farther
to go, and corridors are kept free along with their doors; with less, people stand where others have to turn."""

FUNNEL, FUNNEL_SLOPE = 2.8, 0.5
"""[m] Nearer to a door than this people stop only where they can walk straight in: so far aside for a metre before
it. With a steeper one, they have to turn in the door; with a gentler one, they queue in single file."""

MOST_DOORS = 4096
"""Doors that are kept of a place, the narrowest ones: more than any building has where crowds walk live."""

_WIDER, _REACHES = 0.04, (0.2, 0.4, 0.7)
"""[m] By how much more room there is before and behind a door than in it, and how far from its middle: walls are
seldom thicker than 1.2 m. With more for the first, doors in thick walls are missed; with less, corridors
are doors."""

_BESIDE, _NARROWER = 0.1, 0.03
"""[m] So far beside the middle of a door there is less room, by at least the second."""

_DETOUR, _OPEN = 7.0, 0.4
"""[m] What one gets around by a way no longer than this, with so much room on both sides, is no door but a gap:
nobody has to queue at it. With more, the doors of a small room count as gaps of each other; with less, people line
up between the posts of a plaza."""

_BETWEEN_DOORS = 0.5
"""[m] Between the middles of two doors at least: of what lies nearer to each other the narrowest counts."""

DOOR_SEEN = _REACHES[-1]
"""[m] Whether a vertex is the middle of a door depends on distances no farther from it than this and a cell."""

_TURNS = 16
"""Directions that are tried for the way through a door, over half a turn: 11° apart, as exact as feet are."""


@inlined
def _room(grid, values, x, z):
    return distance_at(grid[0], grid[1], grid[2], values, x, z)


@kernel
def _is_ridge(values, row, column):
    """Whether there is less room on both sides of a vertex of the grid, across it or along a diagonal."""
    here = values[row, column]
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        if values[row + down, column + right] <= here and values[row - down, column - right] < here:
            return True
    return False


@kernel
def _way_through(grid, values, x, z):
    """The direction x, z in which a place is the narrowest of a way that is wider before and behind; 0, 0 if there
    is none."""
    here, best, best_x, best_z = _room(grid, values, x, z), 0.0, 0.0, 0.0
    for turn in range(_TURNS):
        sine, cosine = math.sin(math.pi * turn / _TURNS), math.cos(math.pi * turn / _TURNS)
        beside = max(
            _room(grid, values, x + _BESIDE * cosine, z - _BESIDE * sine),
            _room(grid, values, x - _BESIDE * cosine, z + _BESIDE * sine),
        )
        if beside > here - _NARROWER:
            continue
        least = here - 0.02
        for reach in _REACHES:
            ahead = _room(grid, values, x + reach * sine, z + reach * cosine)
            behind = _room(grid, values, x - reach * sine, z - reach * cosine)
            if min(ahead, behind) < least:
                break
            if min(ahead, behind) > here + _WIDER and min(ahead, behind) - beside > best:
                best, best_x, best_z = min(ahead, behind) - beside, sine, cosine
    return best_x, best_z


@kernel
def possible_doors(grid, values, least, window):
    """What could be doors (K, 5), vertex by vertex, in a window (first row, row after the last, first column,
    column after the last) of distances `values` (Nz, Nx) [m] on a grid x, z, cell: middle x, z, the direction x, z
    of the way through, and the room [m] on both sides, which is more than `least`."""
    rows, columns = values.shape
    found = np.empty((rows + columns, 5))
    count = 0
    for row in range(max(window[0], 1), min(window[1], rows - 1)):
        for column in range(max(window[2], 1), min(window[3], columns - 1)):
            room = values[row, column]
            if not least < room < DOOR or not _is_ridge(values, row, column):
                continue
            x, z = grid[0] + grid[2] * column, grid[1] + grid[2] * row
            along_x, along_z = _way_through(grid, values, x, z)
            if along_x == 0.0 and along_z == 0.0:
                continue
            if count == len(found):
                found = np.concatenate((found, np.empty((count, 5))))
            found[count, 0], found[count, 1], found[count, 4] = x, z, room
            found[count, 2], found[count, 3] = along_x, along_z
            count += 1
    return found[:count].copy()


@kernel
def narrowest_doors(found):
    """Those of what could be doors (K, 5) that have no narrower one near them; narrow ones first."""
    kept = np.empty((min(len(found), MOST_DOORS), 5))
    count = 0
    for candidate in np.argsort(found[:, 4], kind="mergesort"):
        if count == len(kept):
            break
        x, z, apart = found[candidate, 0], found[candidate, 1], True
        for other in range(count):
            apart = apart and math.hypot(kept[other, 0] - x, kept[other, 1] - z) >= _BETWEEN_DOORS
        if apart:
            kept[count] = found[candidate]
            count += 1
    return kept[:count]


@kernel
def is_gap(land, number):
    """Whether there is a short way around a door, from right before it to right behind it."""
    rows, columns = land.room.shape
    x, z, along_x, along_z, room = land.doors[number]
    most, reach = int(_DETOUR / land.cell), THRESHOLD + land.cell
    lengths = np.full((rows, columns), -1, dtype=np.int32)
    queue = np.empty(rows * columns, dtype=np.int64)
    queue[0] = cell_at(land, x - reach * along_x, z - reach * along_z)
    goal, first, last = cell_at(land, x + reach * along_x, z + reach * along_z), 0, 1
    lengths[queue[0] // columns, queue[0] % columns] = 0
    while first < last:
        cell = queue[first]
        row, column = cell // columns, cell % columns
        first += 1
        if cell == goal:
            return True
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            a, b = row + down, column + right
            if not (0 <= a < rows and 0 <= b < columns) or lengths[a, b] >= 0 or lengths[row, column] >= most:
                continue
            dx, dz = land.spots[a, b, 0] - x, land.spots[a, b, 1] - z
            inside = abs(dx * along_x + dz * along_z) < land.cell and abs(dx * along_z - dz * along_x) <= room
            if land.room[a, b] < _OPEN or inside:
                continue
            lengths[a, b] = lengths[row, column] + 1
            queue[last] = a * columns + b
            last += 1
    return False


@inlined
def _apart(land, number, row, column):
    """How far [m] a door is from the middle of a cell."""
    x, z = land.origin_x + (column + 0.5) * land.cell, land.origin_z + (row + 0.5) * land.cell
    return math.hypot(land.doors[number, 0] - x, land.doors[number, 1] - z)


@kernel
def mark_doors(land):
    """Write into every cell of the land which door is nearest to it, if one is near."""
    land.door[:] = -1
    rows, columns = land.door.shape
    for number in range(len(land.doors)):
        x, z, reach = land.doors[number, 0], land.doors[number, 1], max(land.doors[number, 4], FUNNEL) + land.cell
        first_row, last_row = (
            int((z - reach - land.origin_z) / land.cell),
            int((z + reach - land.origin_z) / land.cell),
        )
        first, last = int((x - reach - land.origin_x) / land.cell), int((x + reach - land.origin_x) / land.cell)
        for row in range(max(first_row, 0), min(last_row, rows - 1) + 1):
            for column in range(max(first, 0), min(last, columns - 1) + 1):
                known = land.door[row, column]
                if known < 0 or _apart(land, number, row, column) < _apart(land, known, row, column):
                    land.door[row, column] = number


@kernel
def door_near(land, x, z):
    """The number of the door before which somebody at a place would stand in the way, or -1: close to it, or
    farther off where one cannot walk straight in."""
    if not (abs(x) < 1e6 and abs(z) < 1e6):
        return -1
    row, column = int((z - land.origin_z) / land.cell), int((x - land.origin_x) / land.cell)
    if not (0 <= row < land.door.shape[0] and 0 <= column < land.door.shape[1]):
        return -1
    number = land.door[row, column]
    if number < 0:
        return -1
    door = land.doors[number]
    dx, dz = x - door[0], z - door[1]
    ahead, aside = abs(dx * door[2] + dz * door[3]), abs(dx * door[3] - dz * door[2])
    far = math.hypot(ahead, aside)
    kept, slope = (KEPT_FREE, FUNNEL_SLOPE) if door[4] < 1.5 * LANE else (0.6 * KEPT_FREE, 1.5 * FUNNEL_SLOPE)
    if far < kept or (far < FUNNEL and aside - door[4] + LANE > slope * ahead):
        return number
    return -1


@kernel
def goes_through(door, x0, z0, x1, z1):
    """Whether a straight way from one place to another leads through a door (5,)."""
    before = (x0 - door[0]) * door[2] + (z0 - door[1]) * door[3]
    behind = (x1 - door[0]) * door[2] + (z1 - door[1]) * door[3]
    if before * behind > 0.0 or before == behind:
        return False
    part = before / (before - behind)
    x, z = x0 + part * (x1 - x0), z0 + part * (z1 - z0)
    return math.hypot(x - door[0], z - door[1]) <= door[4]


@kernel
def leave_out(door, me, used):
    """How many of somebody's corners there are without the last ones if they lie right before a door (5,): the
    way through it begins farther off. Those of another door stay."""
    while used > 0 and (used == 1 or math.isnan(me.axes[used - 2])):
        if math.hypot(me.corners[used - 1, 0] - door[0], me.corners[used - 1, 1] - door[1]) > BEFORE_DOOR:
            break
        used -= 1
    return used


@kernel
def add_door(door, me, used, from_x, from_z, to_x, to_z):
    """Add the two ends of the way through a door (5,) to somebody's corners, coming from one place and going on to
    another: in the lane that is nearest to it. How many corners there are then."""
    x, z, along_x, along_z, room = door[0], door[1], door[2], door[3], door[4]
    if along_x * (to_x - from_x) + along_z * (to_z - from_z) < 0.0:
        along_x, along_z = -along_x, -along_z
    lane = room - LANE if room > 1.5 * LANE else 0.0
    aside = min(max(along_z * (from_x - x) - along_x * (from_z - z), -lane), lane)
    x, z = x + aside * along_z, z - aside * along_x
    for corner in range(2):
        far = (2.0 * corner - 1.0) * THRESHOLD
        me.corners[used + corner, 0], me.corners[used + corner, 1] = x + far * along_x, z + far * along_z
    me.axes[used] = math.atan2(along_x, along_z)
    return used + 2
