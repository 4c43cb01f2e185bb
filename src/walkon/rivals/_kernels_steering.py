"""Kernels: Reynolds's steering behaviors for people who seek a place and avoid each other."""

from __future__ import annotations

import math

from numba import njit

from walkon.rivals._kernels_walls import nearest_of

LEAST = 1e-9
ALIGNED = 0.707
"""Cosine from which two ways are called parallel."""


@njit(cache=True, nogil=True)
def nearest_approach(px, pz, vx, vz):
    """Seconds until two are nearest, one at (px, pz) as the other sees it, moving by (vx, vz); 0 if never."""
    square = vx * vx + vz * vz
    if square < LEAST:
        return 0.0
    return -(px * vx + pz * vz) / square


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def side_of_threat(i, j, seconds, fx, fz, places, velocities):
    """To which side `i`, who faces (fx, fz), steers away from `j`: 1 for the left, -1 for the right, 0 for none.

    Left is (fz, -fx): x to the left of someone who faces z. From the front one steers away from where the other
    will be, from behind from where the other is; of two whose ways cross the faster one passes behind.
    """
    lx, lz = fz, -fx
    speed, other = math.hypot(velocities[i, 0], velocities[i, 1]), math.hypot(velocities[j, 0], velocities[j, 1])
    along = (fx * velocities[j, 0] + fz * velocities[j, 1]) / max(other, LEAST) if other > 1e-3 else -1.0
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


@njit(cache=True, nogil=True)
def steer_people(places, velocities, wanted, segments, constants, out):
    """Steering accelerations out (N, 2) [m/s²] of people at places (N, 2) with (wanted) velocities (N, 2).

    constants: radius, seconds ahead for people and for walls, most force, weight of seeking, weight of
    separation, distance from which people separate.
    """
    radius, ahead, walls_ahead, force, seeking, separating, apart_from = constants
    for i in range(len(places)):
        x, z = places[i]
        speed = math.hypot(velocities[i, 0], velocities[i, 1])
        facing = max(math.hypot(wanted[i, 0], wanted[i, 1]), LEAST)
        fx, fz = wanted[i, 0] / facing, wanted[i, 1] / facing
        if speed > 1e-3:
            fx, fz = velocities[i, 0] / speed, velocities[i, 1] / speed
        sx, sz = seeking * (wanted[i, 0] - velocities[i, 0]), seeking * (wanted[i, 1] - velocities[i, 1])
        threat, seconds = find_threat(i, places, velocities, radius, ahead)
        if threat >= 0:
            side = side_of_threat(i, threat, seconds, fx, fz, places, velocities)
            sx += force * side * fz
            sz -= force * side * fx
        for j in range(len(places)):
            ox, oz = x - places[j, 0], z - places[j, 1]
            apart = max(math.hypot(ox, oz), LEAST)
            if j != i and apart < apart_from:
                sx += separating * ox / (apart * apart)
                sz += separating * oz / (apart * apart)
        wall = 0
        while wall < len(segments):
            # Containment: away from what one would touch soon; and out of what one touches.
            sooner = wall
            for seconds in (walls_ahead, 0.0):
                ux, uz = x + seconds * velocities[i, 0], z + seconds * velocities[i, 1]
                wx, wz, thick, wall = nearest_of(segments, sooner, ux, uz)
                apart = max(math.hypot(ux - wx, uz - wz), LEAST)
                if apart < radius + thick:
                    sx += force * (ux - wx) / apart
                    sz += force * (uz - wz) / apart
        out[i, 0], out[i, 1] = sx, sz
