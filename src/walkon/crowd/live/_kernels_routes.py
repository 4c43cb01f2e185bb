"""Rough ways over the ground for a crowd: straight if one can see the goal, else around, and around the
crowded."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.crowd.live._kernels_doors import add_door, goes_through, leave_out
from walkon.crowd.live._kernels_heap import pop, push
from walkon.crowd.live._kernels_land import Land, cell_at
from walkon.crowd.live.crew import CORNERS
from walkon.kernels import inlined, kernel, lean
from walkon.planning.kernels_collision import Raster, distance_at


class Scouting(NamedTuple):
    """Memory of one who looks for ways: lengths, parents, marks (cells,); a heap of keys and cells."""

    lengths: NDArray[np.float64]
    parents: NDArray[np.int64]
    marks: NDArray[np.int64]
    closed: NDArray[np.int64]
    keys: NDArray[np.float64]
    items: NDArray[np.int64]
    stamp: NDArray[np.int64]


class Ways(NamedTuple):
    """What it takes to look for ways: the land, memory for one who looks, a raster of distances `values` (Nz, Nx)
    [m] to what stands still, and the room [m] that it needs on both sides: broad to walk; no way leads where there
    is less than slim."""

    land: Land
    scouting: Scouting
    raster: Raster
    values: NDArray[np.float64]
    broad: float
    slim: float


REFUGE = 0.8
"""[m] Room around a place in which one can wait for others to pass: two bodies side by side."""

CORNER_TURNED = 1.5
"""[m] Whoever comes this near to a corner of a way around a crowd has turned it."""

AT_EASE, PLENTY = 0.5, 0.8
"""[m] Room on both sides in which bodies walk at ease, and in which nobody minds what stands there."""

TIGHT, TIGHTER = 0.3, 1.0
"""What a metre costs besides where there is less room than plenty, or less than one is at ease in. With more,
people walk around doors; with less, they graze corners."""

SIDLING = 6.0
"""What a metre costs besides where there is not room to walk: about how much slower one sidles."""


@lean
def sees(raster, values, x0, z0, x1, z1, radius, slim):
    """Whether somebody of this radius [m] can go straight from one place to another; where it stands close to a
    wall, or wants to, it may go along it there, if there is as much room as `slim` [m]."""
    origin_x, origin_z, fine = raster.x, raster.z, raster.cell
    far = math.hypot(x1 - x0, z1 - z0)
    if far == 0.0:
        return True
    radius = min(radius, distance_at(origin_x, origin_z, fine, values, x0, z0) - 0.01)
    radius = max(min(radius, distance_at(origin_x, origin_z, fine, values, x1, z1) - 0.01), slim)
    gone = 0.0
    while True:
        share = min(gone / far, 1.0)
        room = distance_at(origin_x, origin_z, fine, values, x0 + share * (x1 - x0), z0 + share * (z1 - z0))
        if room < radius:
            return False
        if share == 1.0:
            return True
        gone += max(room - radius, 0.05)


@inlined
def _joined(ways, row, column, a, b):
    """Whether the slimmest can go straight from the spot of one cell to that of another beside it."""
    land = ways.land
    x0, z0 = land.spots[row, column, 0], land.spots[row, column, 1]
    x1, z1 = land.spots[a, b, 0], land.spots[a, b, 1]
    # Distances change no faster than one goes: in the open, nothing needs to be looked at between.
    if min(land.room[row, column], land.room[a, b]) - 0.5 * math.hypot(x1 - x0, z1 - z0) > ways.slim:
        return True
    return sees(ways.raster, ways.values, x0, z0, x1, z1, ways.slim, ways.slim)


@inlined
def _strain(room, broad):
    """What a metre costs besides with so much room [m] on both sides, for somebody who needs `broad` to walk."""
    if room < broad:
        return SIDLING
    return (TIGHT if room < PLENTY else 0.0) + (TIGHTER if room < AT_EASE else 0.0)


@kernel
def find_way(ways, x0, z0, x1, z1, crowding, most):
    """Cells from one place to another, into scouting.parents (read it from the goal back); the goal's cell or -1.

    crowding: what a person per square metre adds to the length of a metre. most: cells looked at.
    """
    land, scouting = ways.land, ways.scouting
    rows, columns = land.room.shape
    scouting.stamp[0] += 1
    stamp = scouting.stamp[0]
    start = cell_at(land, x0, z0)
    goal = cell_at(land, x1, z1)
    goal_row, goal_column = goal // columns, goal % columns
    scouting.lengths[start], scouting.parents[start], scouting.marks[start] = 0.0, -1, stamp
    count = push(scouting.keys, scouting.items, 0, 0.0, start)
    looked = 0
    while count > 0 and looked < most:
        here = scouting.items[0]
        count = pop(scouting.keys, scouting.items, count)
        if scouting.closed[here] == stamp:
            continue
        scouting.closed[here] = stamp
        looked += 1
        if here == goal:
            return goal
        row, column = here // columns, here % columns
        for down in range(-1, 2):
            for right in range(-1, 2):
                a, b = row + down, column + right
                if (down == 0 and right == 0) or not (0 <= a < rows and 0 <= b < columns):
                    continue
                cell = a * columns + b
                if scouting.closed[cell] == stamp or (land.room[a, b] < ways.slim and cell != goal):
                    continue
                length = math.sqrt(float(down * down + right * right)) * land.cell
                length *= 1.0 + _strain(land.room[a, b], ways.broad) + crowding * land.density[a, b]
                length += scouting.lengths[here]
                if scouting.marks[cell] == stamp and scouting.lengths[cell] <= length:
                    continue
                if here != start and cell != goal and not _joined(ways, row, column, a, b):
                    continue
                scouting.marks[cell], scouting.lengths[cell], scouting.parents[cell] = stamp, length, here
                if count < len(scouting.keys) - 1:
                    aside, ahead = abs(a - goal_row), abs(b - goal_column)
                    bound = max(aside, ahead) + 0.41421356 * min(aside, ahead)
                    count = push(scouting.keys, scouting.items, count, length + 1.001 * bound * land.cell, cell)
    return -1


@inlined
def _in_sight(ways, x0, z0, x1, z1):
    """Whether one walks at ease straight from one place to another."""
    return sees(ways.raster, ways.values, x0, z0, x1, z1, AT_EASE, ways.slim)


@kernel
def route(ways, crew, own, x, z, crowding, most):
    """Give somebody at (x, z) a new route to its goal: corners, and what is left from each. Whether there is
    one. If none is found around a crowd, it keeps the one that it has."""
    me = crew[own]
    goal, around = (me.goal[0], me.goal[1]), crowding > 0.0
    straight = not around and _in_sight(ways, x, z, goal[0], goal[1])
    last = -1 if straight else find_way(ways, x, z, goal[0], goal[1], crowding, most)
    if last < 0 and around and me.corner_count > 0:
        return False
    me.aim, me.around = 0, around
    if last < 0:
        _go_straight(me, goal)
        return straight
    _lay_route(ways, me, x, z, last, goal, crowding)
    return True


@inlined
def _go_straight(me, goal):
    """A route of one corner: the goal."""
    me.corners[0, 0], me.corners[0, 1] = goal
    me.corner_count, me.lengths[0] = 1, 0.0


@kernel
def retreat(ways, crew, own, x, z, most):
    """Give somebody at (x, z) a route to the nearest place where others can pass, away from whoever asked it to
    make way. Whether there is one."""
    me, asker = crew[own], crew[crew[own].asked_by]
    last = find_refuge(ways, x, z, asker.end[0], asker.end[1], most)
    if last < 0:
        return False
    me.aim, me.around = 0, False
    _lay_route(ways, me, x, z, last, _spot_of(last, ways.land), 0.0)
    return True


@inlined
def _spot_of(cell, land):
    """The place x, z to go to in a cell."""
    row, column = cell // land.room.shape[1], cell % land.room.shape[1]
    return land.spots[row, column, 0], land.spots[row, column, 1]


@kernel
def find_refuge(ways, x, z, from_x, from_z, most):
    """The nearest cell with room for several, without coming near (from_x, from_z); -1 if there is none. The way
    to it is in scouting.parents."""
    land, scouting = ways.land, ways.scouting
    rows, columns = land.room.shape
    scouting.stamp[0] += 1
    stamp, start = scouting.stamp[0], cell_at(land, x, z)
    scouting.lengths[start], scouting.parents[start], scouting.marks[start] = 0.0, -1, stamp
    count, looked = push(scouting.keys, scouting.items, 0, 0.0, start), 0
    while count > 0 and looked < most:
        here = scouting.items[0]
        count = pop(scouting.keys, scouting.items, count)
        if scouting.closed[here] == stamp:
            continue
        scouting.closed[here] = stamp
        looked += 1
        row, column = here // columns, here % columns
        if land.room[row, column] >= REFUGE:
            return here
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            a, b = row + down, column + right
            if not (0 <= a < rows and 0 <= b < columns) or land.room[a, b] < ways.slim:
                continue
            if here != start and not _joined(ways, row, column, a, b):
                continue
            cell, length = a * columns + b, scouting.lengths[here] + land.cell
            away = math.hypot(land.spots[a, b, 0] - from_x, land.spots[a, b, 1] - from_z)
            if scouting.closed[cell] == stamp or away < math.hypot(x - from_x, z - from_z) - land.cell:
                continue
            if scouting.marks[cell] == stamp and scouting.lengths[cell] <= length:
                continue
            scouting.marks[cell], scouting.lengths[cell], scouting.parents[cell] = stamp, length, here
            if count < len(scouting.keys) - 1:
                count = push(scouting.keys, scouting.items, count, length, cell)
    return -1


@kernel
def _lay_route(ways, me, x, z, last, goal, crowding):
    """The corners of a way that was found from (x, z) to a cell and from there to a goal (x, z)."""
    land, items = ways.land, ways.scouting.items
    # From the goal back to the start, as a list from the start on.
    count, cell = 0, last
    while cell >= 0:
        items[count] = cell
        count, cell = count + 1, ways.scouting.parents[cell]
    me.axes[:] = math.nan
    used, from_x, from_z, place = 0, x, z, count - 1
    door, number = _next_door(land, items, place)
    while place > 0 and used < CORNERS - 3:
        # The farthest cell that can be seen from here, looking farther and farther: then straight to it. Around
        # the crowded, cutting corners would lead back into them: short stretches only. Nobody looks past a door.
        ahead = place - 1
        most_ahead = max(door, place - 8) if crowding > 0.0 else door
        for further in range(place - 2, most_ahead - 1, -1):
            to_x, to_z = goal if further == 0 else _spot_of(items[further], land)
            if not _in_sight(ways, from_x, from_z, to_x, to_z):
                break
            ahead = further
        to_x, to_z = goal if ahead == 0 else _spot_of(items[ahead], land)
        if number >= 0 and ahead == door:
            used = leave_out(land.doors[number], me, used)
            if used > 0:
                from_x, from_z = me.corners[used - 1, 0], me.corners[used - 1, 1]
            else:
                from_x, from_z = x, z
            used = add_door(land.doors[number], me, used, from_x, from_z, to_x, to_z)
            to_x, to_z = me.corners[used - 1, 0], me.corners[used - 1, 1]
            door, number = _next_door(land, items, ahead)
        else:
            me.corners[used, 0], me.corners[used, 1] = to_x, to_z
            used += 1
        from_x, from_z, place = to_x, to_z, ahead
    if used == 0 or place > 0:
        me.corners[used, 0], me.corners[used, 1] = goal
        used += 1
    me.corner_count = used
    left = 0.0
    for corner in range(used - 1, -1, -1):
        me.lengths[corner] = left
        if corner > 0:
            before = me.corners[corner - 1]
            left += math.hypot(me.corners[corner, 0] - before[0], me.corners[corner, 1] - before[1])


@kernel
def _next_door(land, items, place):
    """Which of the cells after `place` is the first behind a door, and the number of that; 0 and -1 if there is no
    door up to the goal."""
    columns = land.door.shape[1]
    for ahead in range(place - 1, 0, -1):
        number = land.door[items[ahead] // columns, items[ahead] % columns]
        if number >= 0:
            x0, z0 = _spot_of(items[ahead + 1], land)
            x1, z1 = _spot_of(items[ahead], land)
            if goes_through(land.doors[number], x0, z0, x1, z1):
                return ahead, number
    return 0, -1


@kernel
def along_route(me, distance):
    """The point x, z so far [m] along somebody's route from its boundary; its last corner if it ends before."""
    x, z = me.end[0], me.end[1]
    for corner in range(me.aim, me.corner_count):
        to_x, to_z = me.corners[corner, 0], me.corners[corner, 1]
        away = math.hypot(to_x - x, to_z - z)
        if away >= distance:
            part = distance / max(away, 1e-9)
            return x + part * (to_x - x), z + part * (to_z - z)
        distance -= away
        x, z = to_x, to_z
    return x, z


@kernel
def take_aim(ways, crew, own, x, z):
    """Aim at the farthest corner of the route that is seen from (x, z), among the next ones. Whether any is."""
    me = crew[own]
    aim, count, corners = me.aim, me.corner_count, me.corners
    seen = _walks_straight(ways, x, z, corners[aim, 0], corners[aim, 1])
    # Around a crowd, every corner counts: straight on would lead into it.
    while me.around and aim + 1 < count:
        away = math.hypot(corners[aim, 0] - x, corners[aim, 1] - z)
        next_away = math.hypot(corners[aim + 1, 0] - x, corners[aim + 1, 1] - z)
        if away > CORNER_TURNED and next_away > away:
            break
        aim += 1
        seen = _walks_straight(ways, x, z, corners[aim, 0], corners[aim, 1])
    while not me.around and aim + 1 < count:
        if not _walks_straight(ways, x, z, corners[aim + 1, 0], corners[aim + 1, 1]):
            break
        aim += 1
        seen = True
    me.aim = aim
    return seen


@inlined
def _walks_straight(ways, x0, z0, x1, z1):
    """Whether one can just walk straight from one place to another."""
    return sees(ways.raster, ways.values, x0, z0, x1, z1, ways.broad, ways.slim)
