"""Kernels: how much room everybody has, who is somebody's double, and how abruptly joints move."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel


@kernel
def cut(polygon, count, nx, nz, reach, out):
    """Fill `out` with that of a convex polygon (count, 2) where nx x + nz z <= reach; how many corners it has."""
    left = 0
    for i in range(count):
        j = (i + 1) % count
        here = nx * polygon[i, 0] + nz * polygon[i, 1] - reach
        there = nx * polygon[j, 0] + nz * polygon[j, 1] - reach
        if here <= 0.0:
            out[left, 0], out[left, 1] = polygon[i, 0], polygon[i, 1]
            left += 1
        if (here < 0.0 < there) or (there < 0.0 < here):
            share = here / (here - there)
            out[left, 0] = polygon[i, 0] + share * (polygon[j, 0] - polygon[i, 0])
            out[left, 1] = polygon[i, 1] + share * (polygon[j, 1] - polygon[i, 1])
            left += 1
    return left


@kernel
def area_of(polygon, count):
    """Area of a polygon (count, 2)."""
    twice = 0.0
    for i in range(count):
        j = (i + 1) % count
        twice += polygon[i, 0] * polygon[j, 1] - polygon[j, 0] * polygon[i, 1]
    return 0.5 * abs(twice)


@kernel
def voronoi_areas(points, bounds, radius, corners, areas):
    """Fill areas (P,) [m²]: what is nearer to a point (P, 2) than to any other, within bounds (4,)
    x0, z0, x1, z1 and within `radius` [m] of it: a circle drawn as a polygon with `corners` corners."""
    size = corners + 5 + len(points)
    polygon, other = np.empty((size, 2)), np.empty((size, 2))
    order = np.argsort(points[:, 0])
    for place in range(len(points)):
        i = order[place]
        px, pz = points[i, 0], points[i, 1]
        for k in range(corners):
            angle = 2.0 * math.pi * k / corners
            polygon[k, 0], polygon[k, 1] = radius * math.cos(angle), radius * math.sin(angle)
        count = corners
        for nx, nz, reach in ((-1.0, 0.0, px - bounds[0]), (0.0, -1.0, pz - bounds[1]),
                              (1.0, 0.0, bounds[2] - px), (0.0, 1.0, bounds[3] - pz)):  # fmt: skip
            count = cut(polygon, count, nx, nz, reach, other)
            polygon, other = other, polygon
        for way in (-1, 1):
            q = place + way
            # Who is farther aside than twice the radius takes nothing away.
            while 0 <= q < len(points) and abs(points[order[q], 0] - px) <= 2.0 * radius:
                dx, dz = points[order[q], 0] - px, points[order[q], 1] - pz
                squared = dx * dx + dz * dz
                if 0.0 < squared <= 4.0 * radius * radius:
                    count = cut(polygon, count, dx, dz, 0.5 * squared, other)
                    polygon, other = other, polygon
                q += way
        areas[i] = area_of(polygon, count)


@kernel
def count_repeats(clips, frames, people, places, late, near, counts, first_frames, others):
    """Count (N,) for everybody how often somebody else plays the same clip, begun at most `late` frames apart, at
    most `near` [m] away where it begins; and when and with whom for the first time (N,).

    clips, frames, people: (S,) of all segments, sorted by clip, then by frame. places: (S, 2) [m] where it begins.
    """
    for s in range(len(clips)):
        for u in range(s + 1, len(clips)):
            if clips[u] != clips[s] or frames[u] - frames[s] > late:
                break
            if people[u] == people[s]:
                continue
            if math.hypot(places[u, 0] - places[s, 0], places[u, 1] - places[s, 1]) <= near:
                for one, other in ((s, u), (u, s)):
                    who = people[one]
                    counts[who] += 1
                    if first_frames[who] < 0 or frames[one] < first_frames[who]:
                        first_frames[who], others[who] = frames[one], people[other]


@kernel
def measure_changes(positions, fps, kinds, limits, changes, over):
    """Fill changes (F - 2,) [m/s]: by how much the velocity of any joint changes at most, at every frame but the
    first and last; and over (F - 2,): by how much more than its limit, in row k of limits[kinds[k]] (·, J)."""
    for k in range(len(positions) - 2):
        most, beyond = 0.0, -math.inf
        for joint in range(positions.shape[1]):
            squared = 0.0
            for axis in range(3):
                bend = positions[k + 2, joint, axis] - 2.0 * positions[k + 1, joint, axis]
                squared += (bend + positions[k, joint, axis]) ** 2
            change = fps * math.sqrt(squared)
            most = max(most, change)
            beyond = max(beyond, change - limits[kinds[k], joint])
        changes[k], over[k] = most, beyond
