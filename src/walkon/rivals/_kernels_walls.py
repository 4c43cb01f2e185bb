"""Kernels: the nearest points of walls, and whether one place can be seen from another."""

from __future__ import annotations

import math

from walkon.kernels import kernel
from walkon.world.kernels import bilinear


@kernel
def nearest_on(segments, wall, x, z):
    """x, z of the point of the middle line of wall `wall` (S, 6) that is nearest to (x, z)."""
    ax, az, bx, bz = segments[wall, 0], segments[wall, 1], segments[wall, 2], segments[wall, 3]
    dx, dz = bx - ax, bz - az
    square = dx * dx + dz * dz
    if square == 0.0:
        return ax, az
    share = ((x - ax) * dx + (z - az) * dz) / square
    share = min(max(share, 0.0), 1.0)
    return ax + share * dx, az + share * dz


@kernel
def nearest_of(segments, first, x, z):
    """The point of a thing that is nearest to (x, z): its x and z, how thick the thing is there, and the first
    segment of the next thing. first: the first segment of this one."""
    best, bx, bz, thick = math.inf, 0.0, 0.0, 0.0
    wall = first
    while wall < len(segments) and segments[wall, 5] == segments[first, 5]:
        wx, wz = nearest_on(segments, wall, x, z)
        apart = math.hypot(x - wx, z - wz) - segments[wall, 4]
        if apart < best:
            best, bx, bz, thick = apart, wx, wz, segments[wall, 4]
        wall += 1
    return bx, bz, thick, wall


@kernel
def least_clearance(origin_x, origin_z, cell, values, x0, z0, x1, z1):
    """The least clearance [m] on the line from (x0, z0) to (x1, z1), looked at every half cell."""
    steps = math.ceil(math.hypot(x1 - x0, z1 - z0) / (0.5 * cell)) + 1
    least = math.inf
    for step in range(steps + 1):
        share = step / steps
        x, z = x0 + share * (x1 - x0), z0 + share * (z1 - z0)
        least = min(least, bilinear(origin_x, origin_z, cell, values, x, z))
    return least
