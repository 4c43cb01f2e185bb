"""Kernels: Reynolds's steering behaviors for people who seek a place and avoid each other."""

from __future__ import annotations

import math

from walkon.kernels import kernel
from walkon.rivals._kernels_walls import nearest_of

STEERING_EPSILON = 1e-9
"""Speeds and distances [m/s, m] below this have no direction, and nobody divides by them."""

ALIGNED = 0.707
"""Cosine of the angle between two ways from which they count as parallel: 45°, as in OpenSteer."""


@kernel
def nearest_approach(px, pz, vx, vz):
    """Seconds until two are nearest, one at (px, pz) as the other sees it, moving by (vx, vz); 0 if never."""
    square = vx * vx + vz * vz
    if square < STEERING_EPSILON:
        return 0.0
    return -(px * vx + pz * vz) / square


@kernel
def find_threat(i, places, velocities, radius, ahead):
    """The other whom `i` would touch first, within `ahead` seconds, and when; -1 for nobody."""
    threat, soonest = -1, ahead
    for j in range(len(places)):
        if j == i:
            continue
        px, pz = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1]
        vx, vz = velocities[j, 0] - velocities[i, 0], velocities[j, 1] - velocities[i, 1]
        seconds = nearest_approach(px, pz, vx, vz)
        if 0.0 <= seconds < soonest and math.hypot(px + seconds * vx, pz + seconds * vz) < 2.0 * radius:
            threat, soonest = j, seconds
    return threat, soonest


@kernel
def side_of_threat(i, j, seconds, fx, fz, places, velocities):
    """To which side `i`, who faces (fx, fz), steers away from `j`: 1 for the left, -1 for the right, 0 for none.

    Left is (fz, -fx): x to the left of someone who faces z. From the front one steers away from where the other
    will be, from behind from where the other is; of two whose ways cross the faster one passes behind.
    """
    lx, lz = fz, -fx
    speed, other = math.hypot(velocities[i, 0], velocities[i, 1]), math.hypot(velocities[j, 0], velocities[j, 1])
    along = (
        (fx * velocities[j, 0] + fz * velocities[j, 1]) / max(other, STEERING_EPSILON) if other > 1e-3 else -1.0
    )
    if along < -ALIGNED:
        ox = places[j, 0] + seconds * velocities[j, 0] - places[i, 0]
        oz = places[j, 1] + seconds * velocities[j, 1] - places[i, 1]
    elif along > ALIGNED:
        ox, oz = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1]
    elif other <= speed:
        ox, oz = velocities[j, 0], velocities[j, 1]
    else:
        return 0.0
    return -1.0 if ox * lx + oz * lz > 0.0 else 1.0


@kernel
def away_from_touch(i, places, fx, fz, radius):
    """The way (2) to the side, as `i` who faces (fx, fz) sees it, from the first whose disc is touched now; 0 if
    nobody's is, or if that one is straight ahead or behind."""
    for j in range(len(places)):
        ox, oz = places[i, 0] - places[j, 0], places[i, 1] - places[j, 1]
        if j != i and math.hypot(ox, oz) < 2.0 * radius:
            along = ox * fx + oz * fz
            return ox - along * fx, oz - along * fz
    return 0.0, 0.0


@kernel
def away_from_walls(x, z, vx, vz, segments, radius, ahead):
    """Unit pushes (2), summed, away from walls that one touches or would touch soon, and out of them."""
    sx, sz = 0.0, 0.0
    wall = 0
    while wall < len(segments):
        sooner = wall
        for seconds in (ahead, 0.0):
            ux, uz = x + seconds * vx, z + seconds * vz
            wx, wz, thick, wall = nearest_of(segments, sooner, ux, uz)
            apart = max(math.hypot(ux - wx, uz - wz), STEERING_EPSILON)
            if apart < radius + thick:
                sx += (ux - wx) / apart
                sz += (uz - wz) / apart
    return sx, sz


@kernel
def steer_people(places, velocities, wanted, segments, constants, out):
    """Steering accelerations out (N, 2) [m/s²] of people at places (N, 2) with (wanted) velocities (N, 2).

    constants: radius, seconds ahead for people and for walls, most force, weight of seeking, weight of avoiding.
    Walls come first, then whom one touches, then whom one would touch; only who has nothing to avoid seeks.
    """
    radius, ahead, walls_ahead, force, seeking, avoiding = constants
    for i in range(len(places)):
        x, z = places[i]
        speed = math.hypot(velocities[i, 0], velocities[i, 1])
        facing = math.hypot(wanted[i, 0], wanted[i, 1])
        fx, fz = wanted[i, 0] / max(facing, STEERING_EPSILON), wanted[i, 1] / max(facing, STEERING_EPSILON)
        if speed > 1e-3:
            fx, fz = velocities[i, 0] / speed, velocities[i, 1] / speed
        wx, wz = away_from_walls(x, z, velocities[i, 0], velocities[i, 1], segments, radius, walls_ahead)
        if wx != 0.0 or wz != 0.0:
            out[i, 0] = seeking * (wanted[i, 0] - velocities[i, 0]) + force * wx
            out[i, 1] = seeking * (wanted[i, 1] - velocities[i, 1]) + force * wz
            continue
        ax, az = away_from_touch(i, places, fx, fz, radius)
        if ax == 0.0 and az == 0.0:
            threat, seconds = find_threat(i, places, velocities, radius, ahead)
            side = side_of_threat(i, threat, seconds, fx, fz, places, velocities) if threat >= 0 else 0.0
            ax, az = side * fz, -side * fx
        if ax == 0.0 and az == 0.0:
            out[i, 0] = seeking * (wanted[i, 0] - velocities[i, 0])
            out[i, 1] = seeking * (wanted[i, 1] - velocities[i, 1])
        else:
            # To the side alone; along the way one keeps one's pace.
            out[i, 0] = seeking * (facing - speed) * fx + avoiding * ax
            out[i, 1] = seeking * (facing - speed) * fz + avoiding * az
