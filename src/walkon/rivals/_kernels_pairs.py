"""Kernels: how two walkers whose minimal predicted distance is too small share the change of course."""

from __future__ import annotations

import math

from walkon.kernels import kernel
from walkon.rivals._kernels_walls import nearest_of

PAIR_EPSILON = 1e-6
"""Speeds and distances [m/s, m] below this have no direction, and nobody divides by them."""

EVEN_TIME = 0.1
"""Two who reach the crossing of their ways within this time [s] of each other give way by halves."""


@kernel
def lead(px, pz, vx, vz, ux, uz):
    """Seconds by which somebody at 0 with velocity (vx, vz) is at the crossing of the ways before the other, who
    is at (px, pz) with velocity (ux, uz); 0 if the ways do not cross ahead of both."""
    cross = vx * uz - vz * ux
    if abs(cross) < 0.05 * max(math.hypot(vx, vz) * math.hypot(ux, uz), PAIR_EPSILON):
        return 0.0
    mine = (px * uz - pz * ux) / cross
    theirs = (px * vz - pz * vx) / cross
    if mine < 0.0 or theirs < 0.0:
        return 0.0
    return theirs - mine


@kernel
def share_of(leading, earlier):
    """The share of the change that somebody takes who leads by so many seconds; the one who passes first takes
    `earlier` of it."""
    # Continuous: nobody's role flips between one frame and the next.
    balance = min(max(leading / EVEN_TIME, -1.0), 1.0)
    return 0.5 + (earlier - 0.5) * balance


@kernel
def correction(px, pz, wx, wz, distance, ahead):
    """The change (2) [m/s] of the relative velocity (wx, wz) of somebody at (px, pz) that makes the minimal
    predicted distance `distance`; 0 if it is that, or further than `ahead` [s] away."""
    square = wx * wx + wz * wz
    if square < PAIR_EPSILON:
        return 0.0, 0.0
    seconds = -(px * wx + pz * wz) / square
    if seconds <= 0.0 or seconds > ahead:
        return 0.0, 0.0
    mx, mz = px + seconds * wx, pz + seconds * wz
    predicted = math.hypot(mx, mz)
    if predicted >= distance:
        return 0.0, 0.0
    if predicted < PAIR_EPSILON:
        # Straight at each other: everybody to the right, so that the other comes by on the left.
        speed = math.sqrt(square)
        mx, mz, unit = -wz / speed, wx / speed, 1.0
    else:
        unit = predicted
    size = (distance - predicted) / (max(seconds, 0.3) * unit)
    return size * mx, size * mz


@kernel
def adapt_people(places, velocities, wanted, segments, constants, out):
    """Accelerations out (N, 2) [m/s²] of people at places (N, 2) with velocities and wanted velocities (N, 2).

    constants: distance, seconds ahead, share of the earlier, seconds to react, seconds to come back to the wanted
    velocity, distance from walls, seconds ahead for walls.
    """
    distance, ahead, earlier, reaction, relaxation, wall_distance, walls_ahead = constants
    count = len(places)
    for i in range(count):
        vx, vz = velocities[i]
        ax, az = (wanted[i, 0] - vx) / relaxation, (wanted[i, 1] - vz) / relaxation
        for j in range(count):
            px, pz = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1]
            if i == j or px * px + pz * pz > 400.0:
                continue
            ux, uz = velocities[j]
            cx, cz = correction(px, pz, ux - vx, uz - vz, distance, ahead)
            if cx != 0.0 or cz != 0.0:
                share = share_of(lead(px, pz, vx, vz, ux, uz), earlier)
                ax -= share * cx / reaction
                az -= share * cz / reaction
        wall = 0
        while wall < len(segments):
            wx, wz, thick, wall = nearest_of(segments, wall, places[i, 0] + 0.5 * vx, places[i, 1] + 0.5 * vz)
            px, pz = wx - places[i, 0], wz - places[i, 1]
            cx, cz = correction(px, pz, -vx, -vz, wall_distance + thick, walls_ahead)
            ax -= cx / reaction
            az -= cz / reaction
        out[i, 0], out[i, 1] = ax, az
