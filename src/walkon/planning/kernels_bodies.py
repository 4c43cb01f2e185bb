"""Do bodies come nearer than the gap, to each other or to walls? The one place that answers.

An outline is a support table (2, DIRECTIONS): how far what is below and what is above the split reaches from the
middle of its circle, direction by direction, as its entry pose sees it. Two outlines are apart by at least what is
left between them in any one direction; so one direction with a gap is a proof, whichever were tried. Between two
directions of a table the body reaches no further than the corner in which their lines cross.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel, lean
from walkon.motion.features.outlines import COMPASS, DIRECTIONS
from walkon.rotations.kernels import turned_back

_TURN = 2.0 * math.pi / DIRECTIONS
_SINE, _COSINE = math.sin(_TURN), math.cos(_TURN)
_MASK = DIRECTIONS - 1

AROUND = 0.1
"""[m] How far around what must be kept free edges are looked for. With more, more frames are leapt over beside
walls, and more edges looked at in each."""

BELOW, ABOVE = 1, 2
"""Bits of what is in the way of the part of a body below the split, and of the part above it."""


class WallEdges(NamedTuple):
    """The edges of all that stands still, and of the bounds, in cells of the ground.

    edges: (E, 4) ax, az, bx, bz [m]. rounding: (E,) [m] around them. bands: (E,) BELOW and ABOVE: which parts of a
    body they can touch. origin_x, origin_z, cell [m]; starts: (cells + 1,), items: the edges of each cell and of
    what is within `reach` [m] of it, row by row of `columns` cells. gap: [m] to keep. known: False where edges
    alone do not tell what is free.
    """

    edges: NDArray[np.float64]
    rounding: NDArray[np.float64]
    bands: NDArray[np.int64]
    origin_x: float
    origin_z: float
    cell: float
    reach: float
    columns: int
    starts: NDArray[np.int64]
    items: NDArray[np.int32]
    gap: float
    known: bool


@inlined
def _reach(supports, direction):
    """How far a body reaches in a direction of its table."""
    return max(supports[0, direction & _MASK], supports[1, direction & _MASK])


@lean
def outlines_gap(away_x, away_z, heading, supports, other_heading, others, enough):
    """At least how far [m] two outlines are apart, the second's middle at (away_x, away_z) from the first's.

    It is the best of the directions that were tried, from the one between the middles on; the first that leaves
    `enough` will do.
    """
    # The other's direction that is opposite to our direction k is k + whole, and a share of the next one.
    shift = (heading + math.pi - other_heading) / _TURN
    whole = math.floor(shift)
    near, far = _shares((shift - whole) * _TURN)
    x, z = turned_back(away_x, away_z, math.sin(heading), math.cos(heading))
    middle = math.floor(math.atan2(x, z) / _TURN + 0.5)
    best = _gap_along(middle, x, z, supports, others, whole, near, far)
    for side in (1, -1):
        at = middle + side
        while best < enough:
            gap = _gap_along(at, x, z, supports, others, whole, near, far)
            if gap <= best:
                break
            best = gap
            at += side
        if at != middle + side:
            break
    return best


@inlined
def _shares(angle):
    """How much of one direction of a table, and of the next, gives the direction that is off the first by an angle
    of no more than a step; by a series for its sine that is right to 1e-11."""
    squared = angle * angle
    sine = angle * (1.0 - squared * (1.0 - squared * (1.0 - squared / 42.0) / 20.0) / 6.0)
    cosine = math.sqrt(1.0 - sine * sine)
    return cosine - sine * _COSINE / _SINE, sine / _SINE


@inlined
def _gap_along(direction, x, z, supports, others, whole, near, far):
    """What is left [m] between two outlines in a direction of the first's table."""
    k = direction & _MASK
    theirs = near * _reach(others, direction + whole) + far * _reach(others, direction + whole + 1)
    return x * COMPASS[k, 0] + z * COMPASS[k, 1] - _reach(supports, direction) - theirs


@lean
def walls_gap(x, z, sine, cosine, supports, radius, around, walls):
    """At least how far [m] an outline is from the edges around it, less the gap to keep; its middle is at (x, z),
    which is inside of nothing, its heading is given by sine and cosine, and it reaches `radius` at most. No more
    than `around` [m], because nobody looks further."""
    least = around
    rows = (len(walls.starts) - 1) // walls.columns
    beyond = max(radius + walls.gap + around - walls.reach, 0.0)
    left, right = _cells(x, beyond, walls.origin_x, walls.cell, walls.columns)
    low, high = _cells(z, beyond, walls.origin_z, walls.cell, rows)
    for row in range(low, high + 1):
        for column in range(left, right + 1):
            cell = row * walls.columns + column
            for item in range(walls.starts[cell], walls.starts[cell + 1]):
                edge = walls.items[item]
                least = min(least, _edge_gap(x, z, sine, cosine, supports, radius, around, edge, walls))
                if least < 0.0:
                    return least
    return least


@inlined
def _cells(value, far, origin, cell, count):
    first = min(max(math.floor((value - far - origin) / cell), 0), count - 1)
    last = min(max(math.floor((value + far - origin) / cell), 0), count - 1)
    return first, last


@inlined
def _edge_gap(x, z, sine, cosine, supports, radius, around, edge, walls):
    """The same for one edge; without a closer look where the circle is apart from it."""
    ax, az = walls.edges[edge, 0] - x, walls.edges[edge, 1] - z
    bx, bz = walls.edges[edge, 2] - x, walls.edges[edge, 3] - z
    kept, bands = walls.gap + walls.rounding[edge], walls.bands[edge]
    far = radius + kept + around
    if max(min(ax, bx), min(az, bz)) >= far or min(max(ax, bx), max(az, bz)) <= -far:
        return around
    along_x, along_z = bx - ax, bz - az
    squared = along_x * along_x + along_z * along_z
    share = 0.0
    if squared > 1e-18:
        share = min(max(-(ax * along_x + az * along_z) / squared, 0.0), 1.0)
    near_x, near_z = ax + share * along_x, az + share * along_z
    squared = near_x * near_x + near_z * near_z
    if squared >= far * far:
        return around
    away = math.sqrt(squared)
    if away - radius >= kept:
        return away - radius - kept
    if away < 1e-9:
        return -kept
    ax, az = turned_back(ax, az, sine, cosine)
    bx, bz = turned_back(bx, bz, sine, cosine)
    near_x, near_z = turned_back(near_x, near_z, sine, cosine)
    # Straight towards the nearest point: exact where that is inside the edge. Then the directions of the table.
    angle = math.atan2(near_x, near_z)
    best = away - _reach_between(supports, bands, angle)
    middle = math.floor(angle / _TURN + 0.5)
    for side in (1, -1):
        at = middle if side == 1 else middle - 1
        while best < kept:
            k = at & _MASK
            ahead = min(ax * COMPASS[k, 0] + az * COMPASS[k, 1], bx * COMPASS[k, 0] + bz * COMPASS[k, 1])
            gap = ahead - _reach_in(supports, bands, at)
            if gap <= best and at != middle:
                break
            best = max(best, gap)
            at += side
            if at > middle + _MASK or at < middle - _MASK:
                break
    return best - kept


@inlined
def _reach_in(supports, bands, direction):
    """How far the parts of a body that `bands` name reach in a direction of its table."""
    k = direction & _MASK
    if bands == BELOW:
        return supports[0, k]
    if bands == ABOVE:
        return supports[1, k]
    return max(supports[0, k], supports[1, k])


@inlined
def reach_at(supports, angle):
    """How far a body reaches at any angle [rad] from straight ahead, at most."""
    return _reach_between(supports, BELOW | ABOVE, angle)


@inlined
def _reach_between(supports, bands, angle):
    """The same for the parts of it that `bands` name."""
    turns = angle / _TURN
    whole = math.floor(turns)
    near, far = _shares((turns - whole) * _TURN)
    return near * _reach_in(supports, bands, whole) + far * _reach_in(supports, bands, whole + 1)


@kernel
def enter_edges(edges, rounding, grid, columns, rows, counts, items, dry):
    """Put edges into the cells within a reach of whose squares they, or what is around them, may lie. grid: x, z,
    cell, reach [m]. counts: (cells + 1,) where each cell's begin; if `dry`, how many there are is added to each.
    """
    origin_x, origin_z, cell, reach = grid
    for edge in range(len(edges)):
        ax, az, bx, bz = edges[edge]
        beyond = rounding[edge] + reach
        left, right = _cells(0.5 * (ax + bx), 0.5 * abs(bx - ax) + beyond, origin_x, cell, columns)
        low, high = _cells(0.5 * (az + bz), 0.5 * abs(bz - az) + beyond, origin_z, cell, rows)
        beyond += 0.70711 * cell
        squared = (bx - ax) ** 2 + (bz - az) ** 2
        for row in range(low, high + 1):
            for column in range(left, right + 1):
                x, z = origin_x + (column + 0.5) * cell, origin_z + (row + 0.5) * cell
                share = 0.0
                if squared > 0.0:
                    share = min(max(((x - ax) * (bx - ax) + (z - az) * (bz - az)) / squared, 0.0), 1.0)
                outer = row == 0 or column == 0 or row == rows - 1 or column == columns - 1
                if outer or math.hypot(ax + share * (bx - ax) - x, az + share * (bz - az) - z) <= beyond:
                    place = row * columns + column
                    if not dry:
                        items[counts[place]] = edge
                    counts[place] += 1
