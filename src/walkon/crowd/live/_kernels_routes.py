"""Rough ways over the ground for a crowd: straight if one can see the goal, else around, and around the
crowded."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.crowd.live.crew import CORNERS
from walkon.kernels import kernel
from walkon.planning.kernels_collision import distance_at


class Land(NamedTuple):
    """The ground in cells for rough ways.

    origin_x, origin_z, cell [m]. room: (rows, columns) [m] the most free space around a vertex of the clearance
    grid in the cell. spots: (rows, columns, 2) that vertex. density: (rows, columns) people who stand, per square
    metre.
    """

    origin_x: float
    origin_z: float
    cell: float
    room: NDArray[np.float64]
    spots: NDArray[np.float64]
    density: NDArray[np.float64]


class Scouting(NamedTuple):
    """Memory of one who looks for ways: lengths, parents, marks (cells,); a heap of keys and cells."""

    lengths: NDArray[np.float64]
    parents: NDArray[np.int64]
    marks: NDArray[np.int64]
    closed: NDArray[np.int64]
    keys: NDArray[np.float64]
    items: NDArray[np.int64]
    stamp: NDArray[np.int64]


@kernel
def survey(grid, values, step, land):
    """Room and spots of all cells, from distances `values` (Nz, Nx) of which a cell holds step x step."""
    origin_x, origin_z, fine = grid
    rows, columns = land.room.shape
    for row in range(rows):
        for column in range(columns):
            best, at_j, at_i = -1e9, row * step, column * step
            for j in range(row * step, min((row + 1) * step + 1, values.shape[0])):
                for i in range(column * step, min((column + 1) * step + 1, values.shape[1])):
                    if values[j, i] > best:
                        best, at_j, at_i = values[j, i], j, i
            # Where there is plenty of room all around, the middle of the cell makes straighter ways.
            land.room[row, column] = best
            land.spots[row, column, 0] = origin_x + fine * at_i
            land.spots[row, column, 1] = origin_z + fine * at_j
            middle_x, middle_z = (
                land.origin_x + (column + 0.5) * land.cell,
                land.origin_z + (row + 0.5) * land.cell,
            )
            if distance_at(origin_x, origin_z, fine, values, middle_x, middle_z) >= min(best, 1.0):
                land.spots[row, column, 0], land.spots[row, column, 1] = middle_x, middle_z


REFUGE = 1.2
"""[m] Room around a place in which one can wait for others to pass."""

TURNED = 1.5
"""[m] Whoever comes so near to a corner of a way around a crowd has turned it."""


@kernel
def sees(grid, values, x0, z0, x1, z1, radius):
    """Whether somebody of this radius [m] can go straight from one place to another."""
    origin_x, origin_z, fine = grid
    far = math.hypot(x1 - x0, z1 - z0)
    if far == 0.0:
        return True
    # Who stands close to a wall, or wants to, may go along it there.
    radius = min(radius, distance_at(origin_x, origin_z, fine, values, x0, z0) - 0.01)
    radius = max(min(radius, distance_at(origin_x, origin_z, fine, values, x1, z1) - 0.01), 0.3)
    gone = 0.0
    while True:
        share = min(gone / far, 1.0)
        room = distance_at(origin_x, origin_z, fine, values, x0 + share * (x1 - x0), z0 + share * (z1 - z0))
        if room < radius:
            return False
        if share == 1.0:
            return True
        gone += max(room - radius, 0.05)


@kernel
def push(keys, items, count, key, item):
    place = count
    while place > 0:
        above = (place - 1) >> 1
        if keys[above] <= key:
            break
        keys[place], items[place] = keys[above], items[above]
        place = above
    keys[place], items[place] = key, item
    return count + 1


@kernel
def pop(keys, items, count):
    """Take off the first; the new count. What was first is to be read before."""
    count -= 1
    key, item = keys[count], items[count]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= count:
            break
        if below + 1 < count and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[place], items[place] = keys[below], items[below]
        place = below
    keys[place], items[place] = key, item
    return count


@kernel
def find_way(land, scouting, x0, z0, x1, z1, radius, crowding, most):
    """Cells from one place to another, into scouting.parents (read it from the goal back); the goal's cell or -1.

    crowding: what a person per square metre adds to the length of a metre. most: cells looked at.
    """
    rows, columns = land.room.shape
    scouting.stamp[0] += 1
    stamp = scouting.stamp[0]
    start = _cell(land, x0, z0)
    goal = _cell(land, x1, z1)
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
                if scouting.closed[cell] == stamp or (land.room[a, b] < radius and cell != goal):
                    continue
                if down != 0 and right != 0 and min(land.room[a, column], land.room[row, b]) < radius:
                    continue
                tight = 0.3 if land.room[a, b] < radius + 0.3 else 0.0
                length = math.sqrt(float(down * down + right * right)) * land.cell
                length = scouting.lengths[here] + length * (1.0 + tight + crowding * land.density[a, b])
                if scouting.marks[cell] == stamp and scouting.lengths[cell] <= length:
                    continue
                scouting.marks[cell], scouting.lengths[cell], scouting.parents[cell] = stamp, length, here
                if count < len(scouting.keys) - 1:
                    aside, ahead = abs(a - goal_row), abs(b - goal_column)
                    bound = max(aside, ahead) + 0.41421356 * min(aside, ahead)
                    count = push(scouting.keys, scouting.items, count, length + 1.001 * bound * land.cell, cell)
    return -1


@kernel
def _cell(land, x, z):
    rows, columns = land.room.shape
    row = min(max(int((z - land.origin_z) / land.cell), 0), rows - 1)
    column = min(max(int((x - land.origin_x) / land.cell), 0), columns - 1)
    return row * columns + column


@kernel
def route(land, scouting, grid, values, crew, own, x, z, radius, crowding, most):
    """Give somebody at (x, z) a new route to its goal: corners, and what is left from each. Whether there is
    one."""
    goal_x, goal_z = crew[own].goal[0], crew[own].goal[1]
    crew[own].aim, crew[own].around = 0, crowding > 0.0
    if crowding == 0.0 and sees(grid, values, x, z, goal_x, goal_z, radius):
        crew[own].corners[0, 0], crew[own].corners[0, 1] = goal_x, goal_z
        crew[own].corner_count, crew[own].lengths[0] = 1, 0.0
        return True
    last = find_way(land, scouting, x, z, goal_x, goal_z, radius, crowding, most)
    if last < 0:
        crew[own].corners[0, 0], crew[own].corners[0, 1] = goal_x, goal_z
        crew[own].corner_count, crew[own].lengths[0] = 1, 0.0
        return False
    _lay_route(land, scouting, grid, values, crew, own, x, z, last, goal_x, goal_z, radius, crowding)
    return True


@kernel
def retreat(land, scouting, grid, values, crew, own, x, z, radius, most):
    """Give somebody at (x, z) a route to the nearest place where others can pass, away from whoever asked it to
    make way. Whether there is one."""
    asker = crew[crew[own].asked_by]
    last = find_refuge(land, scouting, x, z, asker.end[0], asker.end[1], radius, most)
    if last < 0:
        return False
    columns = land.room.shape[1]
    to_x, to_z = land.spots[last // columns, last % columns, 0], land.spots[last // columns, last % columns, 1]
    crew[own].aim, crew[own].around = 0, False
    _lay_route(land, scouting, grid, values, crew, own, x, z, last, to_x, to_z, radius, 0.0)
    return True


@kernel
def find_refuge(land, scouting, x, z, from_x, from_z, radius, most):
    """The nearest cell with room for several, without coming near (from_x, from_z); -1 if there is none. The way
    to it is in scouting.parents."""
    rows, columns = land.room.shape
    scouting.stamp[0] += 1
    stamp, start = scouting.stamp[0], _cell(land, x, z)
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
            if not (0 <= a < rows and 0 <= b < columns) or land.room[a, b] < radius:
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
def _lay_route(land, scouting, grid, values, crew, own, x, z, last, goal_x, goal_z, radius, crowding):
    """The corners of a way that was found from (x, z) to a cell and from there to (goal_x, goal_z)."""
    # From the goal back to the start, as a list from the start on.
    columns = land.room.shape[1]
    count, cell = 0, last
    while cell >= 0:
        scouting.items[count] = cell
        count, cell = count + 1, scouting.parents[cell]
    used, from_x, from_z, place = 0, x, z, count - 1
    while place > 0 and used < CORNERS - 1:
        # The farthest cell that can be seen from here, looking farther and farther: then straight to it. Around
        # the crowded, cutting corners would lead back into them: short stretches only.
        ahead = place - 1
        most_ahead = max(0, place - 8) if crowding > 0.0 else 0
        for further in range(place - 2, most_ahead - 1, -1):
            spot = scouting.items[further]
            to_x, to_z = (
                land.spots[spot // columns, spot % columns, 0],
                land.spots[spot // columns, spot % columns, 1],
            )
            if further == 0:
                to_x, to_z = goal_x, goal_z
            if not sees(grid, values, from_x, from_z, to_x, to_z, radius):
                break
            ahead = further
        spot = scouting.items[ahead]
        from_x, from_z = (
            land.spots[spot // columns, spot % columns, 0],
            land.spots[spot // columns, spot % columns, 1],
        )
        if ahead == 0:
            from_x, from_z = goal_x, goal_z
        crew[own].corners[used, 0], crew[own].corners[used, 1] = from_x, from_z
        used += 1
        place = ahead
    if used == 0 or place > 0:
        crew[own].corners[used, 0], crew[own].corners[used, 1] = goal_x, goal_z
        used += 1
    crew[own].corner_count = used
    left = 0.0
    for corner in range(used - 1, -1, -1):
        crew[own].lengths[corner] = left
        if corner > 0:
            left += math.hypot(
                crew[own].corners[corner, 0] - crew[own].corners[corner - 1, 0],
                crew[own].corners[corner, 1] - crew[own].corners[corner - 1, 1],
            )


@kernel
def take_aim(grid, values, crew, own, x, z, radius):
    """Aim at the farthest corner of the route that is seen from (x, z), among the next ones. Whether any is."""
    aim = crew[own].aim
    count = crew[own].corner_count
    seen = sees(grid, values, x, z, crew[own].corners[aim, 0], crew[own].corners[aim, 1], radius)
    # Around a crowd, every corner counts: straight on would lead into it.
    while crew[own].around and aim + 1 < count:
        away = math.hypot(crew[own].corners[aim, 0] - x, crew[own].corners[aim, 1] - z)
        next_away = math.hypot(crew[own].corners[aim + 1, 0] - x, crew[own].corners[aim + 1, 1] - z)
        if away > TURNED and next_away > away:
            break
        aim += 1
        seen = sees(grid, values, x, z, crew[own].corners[aim, 0], crew[own].corners[aim, 1], radius)
    while not crew[own].around and aim + 1 < count:
        near = math.hypot(crew[own].corners[aim, 0] - x, crew[own].corners[aim, 1] - z) < 1.0
        if not sees(grid, values, x, z, crew[own].corners[aim + 1, 0], crew[own].corners[aim + 1, 1], radius):
            if not near:
                break
            seen = False
            break
        aim += 1
        seen = True
    crew[own].aim = aim
    return seen


@kernel
def crowd_density(crew, frame, fps, land):
    """People who stand or have got stuck, per square metre, spread over the cells around each."""
    land.density[:] = 0.0
    rows, columns = land.density.shape
    share = 1.0 / (9.0 * land.cell * land.cell)
    for own in range(len(crew)):
        if not crew[own].here:
            continue
        moved = math.hypot(crew[own].guess[2], crew[own].guess[3]) * fps
        weight = max(1.0 - moved, 0.1) * share
        cell = _cell(land, crew[own].bound[0], crew[own].bound[1])
        row, column = cell // columns, cell % columns
        for a in range(max(row - 1, 0), min(row + 2, rows)):
            for b in range(max(column - 1, 0), min(column + 2, columns)):
                land.density[a, b] += weight
