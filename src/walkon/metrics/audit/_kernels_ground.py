"""Kernels: how high is a body above the ground?"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.metrics.audit._kernels_bodies import capsule_at


@kernel
def ground_at(field, x, z):
    """Height of the ground at (x, z) and its slopes along x and z: bilinear inside, level beyond the edge.

    field: heights (Nz, Nx) [m], x and z of the first of them, and the size of a cell [m].
    """
    heights, origin_x, origin_z, cell = field
    rows, columns = heights.shape
    u, v = (x - origin_x) / cell, (z - origin_z) / cell
    beside, beyond = u < 0.0 or u > columns - 1.0, v < 0.0 or v > rows - 1.0
    u, v = min(max(u, 0.0), columns - 1.0), min(max(v, 0.0), rows - 1.0)
    i, j = min(math.floor(u), columns - 2), min(math.floor(v), rows - 2)
    u, v = u - i, v - j
    a, b, c, d = heights[j, i], heights[j, i + 1], heights[j + 1, i], heights[j + 1, i + 1]
    height = (a * (1.0 - u) + b * u) * (1.0 - v) + (c * (1.0 - u) + d * u) * v
    along_x = 0.0 if beside else ((b - a) * (1.0 - v) + (d - c) * v) / cell
    along_z = 0.0 if beyond else ((c - a) * (1.0 - u) + (d - b) * u) / cell
    return height, along_x, along_z


@kernel
def _clearance_at_least(y, radius, roof):
    """Least clearance [m] of a ball with its middle at height y, wherever it is. roof: see `measure_ground`."""
    over = y - roof[0]
    return (over / roof[1] if over > 0.0 else over) - radius


@kernel
def _lowest(bodies, person, frame, after, roof, least):
    """Fill least (K,) with the least clearance [m] that each capsule of a person can have from one frame to
    another; gives the capsule with the least of these."""
    first = bodies.capsule_starts[person]
    base, step = bodies.point_starts[person], bodies.joints[person]
    lowest = 0
    for k in range(bodies.capsule_starts[person + 1] - first):
        low = math.inf
        for f in (frame, after):
            a = bodies.points[base + f * step + bodies.starts[first + k], 1]
            along = bodies.points[base + f * step + bodies.ends[first + k], 1] - a
            low = min(low, a + bodies.spans[first + k, 0] * along, a + bodies.spans[first + k, 1] * along)
        least[k] = _clearance_at_least(low, bodies.radii[first + k], roof)
        if least[k] < least[lowest]:
            lowest = k
    return lowest


@kernel
def _measure_capsule(radius, ends, after, field, samples, steps):
    """Least clearance [m] of a capsule on its way from ends (6,) to the next ones, and the slope of the ground
    there."""
    least, slope = math.inf, 0.0
    for step in range(steps):
        share = step / steps
        for sample in range(samples):
            along = sample / (samples - 1)
            x, y, z = 0.0, 0.0, 0.0
            for end in range(2):
                weight = along if end == 1 else 1.0 - along
                x += weight * (ends[3 * end] + share * (after[3 * end] - ends[3 * end]))
                y += weight * (ends[3 * end + 1] + share * (after[3 * end + 1] - ends[3 * end + 1]))
                z += weight * (ends[3 * end + 2] + share * (after[3 * end + 2] - ends[3 * end + 2]))
            ground, sx, sz = ground_at(field, x, z)
            rise = math.hypot(sx, sz)
            clearance = (y - ground) / math.sqrt(1.0 + rise * rise) - radius
            if clearance < least:
                least, slope = clearance, rise
    return least, slope


@kernel
def measure_ground(bodies, person, field, roof, samples, steps, clearances, bones, slopes):
    """Fill clearances (F,) [m] of the lowest part of a person above the ground, which capsule it is (F,), and how
    steep the ground is below it (F,) [rise over run].

    The clearance of a ball is its height above the ground times the cosine of the slope there, less its radius.
    field: see `ground_at`. roof: height [m] of the highest ground, and 1 over the cosine of the steepest: capsules
    that are higher than the lowest, wherever they are, are passed over. samples: points along each capsule. steps:
    moments from each frame to the next; the least of them counts.
    """
    ends, after = np.empty(6), np.empty(6)
    capsules = bodies.capsule_starts[person + 1] - bodies.capsule_starts[person]
    bounds = np.empty(capsules)
    for f in range(bodies.frames[person]):
        clearances[f], bones[f], slopes[f] = math.inf, capsules, 0.0
        g = min(f + 1, bodies.frames[person] - 1)
        lowest = _lowest(bodies, person, f, g, roof, bounds)
        for turn in range(-1, capsules):
            k = lowest if turn < 0 else turn
            if bounds[k] > clearances[f] or turn == lowest:
                continue
            radius = bodies.radii[bodies.capsule_starts[person] + k]
            capsule_at(bodies, person, f, k, ends)
            capsule_at(bodies, person, g, k, after)
            least, slope = _measure_capsule(radius, ends, after, field, samples, steps)
            if least < clearances[f] or (least == clearances[f] and k < bones[f]):
                clearances[f], bones[f], slopes[f] = least, k, slope


@kernel
def measure_slips(bodies, person, field, roof, clearances, feet, legs, limits, slips, carriers, rolls):
    """Fill slips (F,) [m]: how far what carries a person moves over the ground until the next frame, and which
    capsule that is (F,). Of all that is low, what moves least carries; 0 and -1 while nothing is low. rolls: (F,)
    whether that is a wheel.

    field, roof: see `measure_ground`. clearances: (F,) of the lowest part. feet, legs: (J,) which joints are of a
    foot, and which of one or above one. limits: how far [m] above the lowest part, or above rest, something may be
    that carries; the clearance at rest, and the highest that carries; how far [m] below a foot, and aside of it,
    wheels are. Wheels carry and roll: they slip by 0.
    """
    reach, rest, highest, under, beside = limits
    ends, after = np.empty(6), np.empty(6)
    first = bodies.capsule_starts[person]
    capsules = bodies.capsule_starts[person + 1] - first
    base, bounds = bodies.point_starts[person], np.empty(capsules)
    for f in range(bodies.frames[person]):
        slips[f], carriers[f], rolls[f] = 0.0, -1, False
        if f + 1 >= bodies.frames[person] or clearances[f] > highest:
            continue
        least, most = math.inf, min(max(clearances[f], rest) + reach, highest)
        _lowest(bodies, person, f, f, roof, bounds)
        for k in range(capsules):
            if bounds[k] > most:
                continue
            capsule_at(bodies, person, f, k, ends)
            capsule_at(bodies, person, f + 1, k, after)
            radius = bodies.radii[first + k]
            leg = legs[bodies.starts[first + k]] or legs[bodies.ends[first + k]]
            for end in range(2):
                x, y, z = ends[3 * end], ends[3 * end + 1], ends[3 * end + 2]
                ground, sx, sz = ground_at(field, x, z)
                clearance = (y - ground) / math.sqrt(1.0 + sx * sx + sz * sz) - radius
                if clearance > most:
                    continue
                moved = math.hypot(after[3 * end] - x, after[3 * end + 2] - z)
                if not leg:
                    row = base + f * bodies.joints[person]
                    for j in range(bodies.joints[person]):
                        if feet[j] and bodies.points[row + j, 1] - y > under:
                            aside = math.hypot(bodies.points[row + j, 0] - x, bodies.points[row + j, 2] - z)
                            if aside < beside:
                                moved, rolls[f] = 0.0, True
                if moved < least:
                    least, carriers[f] = moved, k
        slips[f] = least if carriers[f] >= 0 else 0.0
