"""Kernel: the accelerations of Helbing and Molnár's social forces."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.rivals._kernels_walls import nearest_of

FORCE_EPSILON = 1e-6
"""Least distance [m] that is divided by; people in the same place are pushed, but not for ever."""


@kernel
def repulsion(rx, rz, yx, yz, strength, reach):
    """The force (2) [m/s²] on someone at (rx, rz) from someone at 0 who goes on to (yx, yz): minus the gradient of
    strength * exp(-b / reach), b half the minor axis of the ellipse through the place with foci 0 and (yx, yz)."""
    first = max(math.hypot(rx, rz), FORCE_EPSILON)
    second = max(math.hypot(rx - yx, rz - yz), FORCE_EPSILON)
    total = first + second
    b = 0.5 * math.sqrt(max(total * total - yx * yx - yz * yz, FORCE_EPSILON))
    size = strength / reach * math.exp(-b / reach) * total / (4.0 * b)
    return size * (rx / first + (rx - yx) / second), size * (rz / first + (rz - yz) / second)


@kernel
def force_people(places, velocities, wanted, segments, constants, out):
    """Accelerations out (N, 2) [m/s²] of people at places (N, 2) with velocities and wanted velocities (N, 2).

    constants: relaxation time, V0, sigma, stride time, U0, R, cosine of half the field of view, weight behind.
    """
    relaxation, strength, reach, stride, wall_strength, wall_reach, cosine, behind = constants
    count = len(places)
    for i in range(count):
        x, z = places[i]
        ahead = math.hypot(wanted[i, 0], wanted[i, 1])
        ex, ez = 0.0, 0.0
        if ahead > FORCE_EPSILON:
            ex, ez = wanted[i, 0] / ahead, wanted[i, 1] / ahead
        fx = (wanted[i, 0] - velocities[i, 0]) / relaxation
        fz = (wanted[i, 1] - velocities[i, 1]) / relaxation
        for j in range(count):
            rx, rz = x - places[j, 0], z - places[j, 1]
            if i == j or rx * rx + rz * rz > 100.0:
                continue
            gx, gz = repulsion(rx, rz, velocities[j, 0] * stride, velocities[j, 1] * stride, strength, reach)
            seen = -(ex * gx + ez * gz) >= cosine * math.hypot(gx, gz)
            weight = 1.0 if seen else behind
            fx += weight * gx
            fz += weight * gz
        wall = 0
        while wall < len(segments):
            wx, wz, thick, wall = nearest_of(segments, wall, x, z)
            apart = max(math.hypot(x - wx, z - wz), FORCE_EPSILON)
            if apart - thick < 5.0:
                size = wall_strength / wall_reach * math.exp(-(apart - thick) / wall_reach)
                fx += size * (x - wx) / apart
                fz += size * (z - wz) / apart
        out[i, 0] = fx
        out[i, 1] = fz


@kernel
def accelerate(velocities, accelerations, seconds, most_force, most_speed, out):
    """Velocities out (N, 2) after `seconds` of accelerations (N, 2) of at most most_force; at most most_speed."""
    for i in range(len(velocities)):
        ax, az = accelerations[i]
        size = math.hypot(ax, az)
        if size > most_force:
            ax, az = ax * most_force / size, az * most_force / size
        vx, vz = velocities[i, 0] + ax * seconds, velocities[i, 1] + az * seconds
        speed = math.hypot(vx, vz)
        if speed > most_speed:
            vx, vz = vx * most_speed / speed, vz * most_speed / speed
        out[i, 0], out[i, 1] = vx, vz


def integrate(velocities, accelerations, seconds, most_force, most_speed):
    """As `accelerate`, in an array of its own."""
    out = np.empty_like(velocities)
    accelerate(velocities, accelerations, seconds, most_force, most_speed, out)
    return out
