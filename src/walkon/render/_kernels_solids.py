"""Kernels of triangles: a depth buffer first, then paint, supersampled where faces meet.

A triangle is kept as three edge vectors: with the pixel's ray d = (X, Y, 1), the products edge·d are its weights
at the three corners, all positive inside, even when a corner is behind the camera. For an orthographic camera the
corners' depth is set to 1 for that purpose.
"""

from __future__ import annotations

import math

import numpy as np
from numba import uint32

from walkon.render._jit import BYTE, NEAR_PLANE, pixel_kernel

SUBPIXELS = 4
"""Subpixels a side where surfaces meet."""

MOST_CANDIDATES = 16
"""Triangles considered for one pixel at most."""

NOBODY = -1
"""Owner of a pixel that no triangle covers."""

DEPTH_SLACK = 1.03
"""How far behind the centre of a pixel its other parts may lie, as a factor on depth."""


@pixel_kernel
def own_pixels(owner, depth, size, lens, edges, planes, bounds):
    """Give every pixel whose centre a triangle covers its depth and that triangle's index.

    owner: (H * S) int32, NOBODY at first. edges: (T, 3, 3); planes: (T, 4) so that depth = p3 / (p·d), or for an
    orthographic camera (p3 - px X - py Y) / pz; bounds: (T, 4) first and last column and row.
    """
    _, _, stride = size
    for t in range(len(edges)):
        for y in range(bounds[t, 2], bounds[t, 3] + 1):
            v = (y + 0.5 - lens[14]) / lens[12]
            first, last = _span(edges, bounds, t, lens, v, 0.0)
            for x in range(first, last + 1):
                z = _depth_at(edges, planes, t, lens[15], (x + 0.5 - lens[13]) / lens[12], v)
                i = y * stride + x
                if 0.0 < z < depth[i]:
                    depth[i], owner[i] = z, t


@pixel_kernel
def _span(edges, bounds, t, lens, v, slack):
    """First and last column of a row that triangle t may cover, `slack` [px] beyond its edges included."""
    low, high = float(bounds[t, 0]), float(bounds[t, 1])
    for k in range(3):
        along = edges[t, k, 0] / lens[12]
        # Value at the centre of column 0, raised by what the slack can add.
        at = edges[t, k, 0] * (0.5 - lens[13]) / lens[12] + edges[t, k, 1] * v + edges[t, k, 2]
        at += slack * (abs(along) + abs(edges[t, k, 1]) / lens[12])
        if along > 1e-12:
            low = max(low, math.ceil(-at / along - 1e-6))
        elif along < -1e-12:
            high = min(high, math.floor(-at / along + 1e-6))
        elif at < 0.0:
            return 0, -1
    return int(low), int(max(high, -1.0))


@pixel_kernel
def _depth_at(edges, planes, t, perspective, u, v):
    """Depth of triangle t along the ray (u, v, 1), or 0 where the ray misses it."""
    for k in range(3):
        if edges[t, k, 0] * u + edges[t, k, 1] * v + edges[t, k, 2] < 0.0:
            return 0.0
    return _depth_of(planes, t, perspective, u, v)


@pixel_kernel
def _depth_of(planes, t, perspective, u, v):
    """Depth of the plane of triangle t along the ray (u, v, 1), or 0 where that is too near."""
    if perspective > 0:
        z = planes[t, 3] / (planes[t, 0] * u + planes[t, 1] * v + planes[t, 2])
        return z if z > NEAR_PLANE else 0.0
    return (planes[t, 3] - planes[t, 0] * u - planes[t, 1] * v) / planes[t, 2]


@pixel_kernel
def find_ranges(owner, ranges, size, box):
    """First and last column (H, 2) of every row of the box that is owned or beside what is."""
    width, height, stride = size
    for y in range(max(box[2] - 1, 0), min(box[3] + 2, height)):
        ranges[y, 0], ranges[y, 1] = width, -1
    for y in range(box[2], box[3] + 1):
        first, last = width, -1
        for x in range(box[0], box[1] + 1):
            if owner[y * stride + x] != NOBODY:
                first, last = min(first, x), x
        if last >= 0:
            for v in range(max(y - 1, 0), min(y + 2, height)):
                ranges[v, 0] = min(ranges[v, 0], max(first - 1, 0))
                ranges[v, 1] = max(ranges[v, 1], min(last + 1, width - 1))


@pixel_kernel
def find_rims(owner, rims, groups, ranges, size, box):
    """Number the pixels where faces meet, in `rims` (H * S), from 0 on; returns how many there are."""
    width, height, stride = size
    count = 0
    for y in range(box[2], box[3] + 1):
        for x in range(ranges[y, 0], ranges[y, 1] + 1):
            own = owner[y * stride + x]
            rim = False
            for v in range(max(y - 1, 0), min(y + 2, height)):
                for u in range(max(x - 1, 0), min(x + 2, width)):
                    other = owner[v * stride + u]
                    if other != own:
                        rim |= min(other, own) == NOBODY or groups[other] != groups[own]
            rims[y * stride + x] = count if rim else NOBODY
            count += rim
    return count


@pixel_kernel
def list_candidates(rims, lists, counts, size, lens, edges, bounds):
    """For each rim pixel, list the triangles that touch it, also slivers that own no pixel at all."""
    _, _, stride = size
    for t in range(len(edges)):
        for y in range(bounds[t, 2], bounds[t, 3] + 1):
            first, last = _span(edges, bounds, t, lens, (y + 0.5 - lens[14]) / lens[12], 0.5)
            for x in range(first, last + 1):
                rim = rims[y * stride + x]
                if rim != NOBODY and counts[rim] < MOST_CANDIDATES:
                    lists[rim, counts[rim]] = t
                    counts[rim] += 1


@pixel_kernel
def paint_solids(canvas, behind, spans, size, lens, pixels, candidates, shapes, surfaces, light):
    """Shade every owned pixel; where faces meet, weigh the listed triangles by the 4 x 4 samples they win.

    canvas: packed colour and how strongly a shadow shows (H * S). behind: (H * S) depth [m] of what was before.
    spans: widened where something is painted. pixels: owner and rims (H * S), ranges (H, 2), first and last row.
    candidates: of `list_candidates`, lists and counts.
    shapes: edges (T, 3, 3), planes (T, 4). surfaces: normals (T, 3, 3) in camera space, heights (T, 3) of the
    corners above ground, colours (T, 3). light: lighting and air of `Look`.
    """
    owner, rims, ranges, rows = pixels
    lists, counts = candidates
    colour, won = np.empty(3), np.empty(MOST_CANDIDATES, np.int64)
    step = 1.0 / lens[12]
    for y in range(rows[0], rows[1] + 1):
        v = (y + 0.5 - lens[14]) * step
        for x in range(ranges[y, 0], ranges[y, 1] + 1):
            i = y * size[2] + x
            if owner[i] == NOBODY and rims[i] == NOBODY:
                continue
            spans[y, 0], spans[y, 1] = min(spans[y, 0], x), max(spans[y, 1], x)
            u = (x + 0.5 - lens[13]) * step
            colour[:] = 0.0
            if rims[i] == NOBODY:
                z = _depth_of(shapes[1], owner[i], lens[15], u, v)
                _add_light(colour, owner[i], shapes[0], surfaces, (u, v, z), 1, light)
                _mix(canvas, i, colour, 1, 1)
                continue
            listed, count = lists[rims[i]], counts[rims[i]]
            hit = _count_samples(shapes, lens, listed, count, x, y, DEPTH_SLACK * behind[i], won)
            for k in range(count if hit else 0):
                if won[k]:
                    z = _depth_of(shapes[1], listed[k], lens[15], u, v)
                    _add_light(colour, listed[k], shapes[0], surfaces, (u, v, z), won[k], light)
            if hit:
                _mix(canvas, i, colour, hit, SUBPIXELS * SUBPIXELS)


@pixel_kernel
def _count_samples(shapes, lens, listed, count, x, y, farthest, won):
    """How many of a pixel's samples each listed triangle wins, in `won`; returns how many are won at all."""
    edges, planes = shapes
    won[:count] = 0
    hit = 0
    for sample in range(SUBPIXELS * SUBPIXELS):
        u = (x + (sample % SUBPIXELS + 0.5) / SUBPIXELS - lens[13]) / lens[12]
        v = (y + (sample // SUBPIXELS + 0.5) / SUBPIXELS - lens[14]) / lens[12]
        nearest, depth = NOBODY, farthest
        for k in range(count):
            z = _depth_at(edges, planes, listed[k], lens[15], u, v)
            if 0.0 < z < depth:
                nearest, depth = k, z
        if nearest != NOBODY:
            won[nearest] += 1
            hit += 1
    return hit


@pixel_kernel
def _add_light(colour, t, edges, surfaces, at, weight_of_it, light_and_air):
    """Add what `weight_of_it` samples show of triangle t; at: ray (u, v) and depth."""
    normals, heights, colours = surfaces
    lighting, fog = light_and_air
    u, v, z = at
    total, above = 0.0, 0.0
    nx, ny, nz = 0.0, 0.0, 0.0
    for k in range(3):
        weight = edges[t, k, 0] * u + edges[t, k, 1] * v + edges[t, k, 2]
        total += weight
        above += weight * heights[t, k]
        nx, ny, nz = nx + weight * normals[t, k, 0], ny + weight * normals[t, k, 1], nz + weight * normals[t, k, 2]
    scale = 1.0 / max(math.sqrt(nx * nx + ny * ny + nz * nz), 1e-12)
    facing = (nx * lighting[0] + ny * lighting[1] + nz * lighting[2]) * scale
    upward = (nx * lighting[3] + ny * lighting[4] + nz * lighting[5]) * scale
    light = lighting[6] + lighting[7] * upward + lighting[8] * max(facing, 0.0) + lighting[9]
    # Little of the sky reaches the foot of a wall.
    above = above / total if abs(total) > 1e-12 else 0.0
    light *= 1.0 - 0.22 * math.exp(-4.0 * max(above, 0.0)) * (1.0 - max(upward, 0.0))
    beyond = max(0.0, z - fog[4]) / fog[3]
    clear = math.exp(-beyond * beyond)
    for c in range(3):
        colour[c] += weight_of_it * (fog[c] + clear * (min(colours[t, c] * light, 255.0) - fog[c]))


@pixel_kernel
def _mix(canvas, i, colour, hit, total):
    """Lay `hit` of `total` samples, whose colours are summed, over a pixel."""
    lit, receive = canvas
    free = 1.0 - hit / total
    mixed = uint32(0)
    for c in range(3):
        old = float((lit[i] >> uint32(8 * c)) & BYTE)
        mixed |= uint32(int(free * old + colour[c] / total + 0.5)) << uint32(8 * c)
    lit[i] = mixed
    receive[i] *= free


@pixel_kernel
def disown(owner, rims, ranges, size, box):
    """Forget who owns the pixels of a box."""
    for y in range(box[2], box[3] + 1):
        for x in range(ranges[y, 0], ranges[y, 1] + 1):
            owner[y * size[2] + x] = NOBODY
            rims[y * size[2] + x] = NOBODY
