"""Kernels of the obstacles: triangles with a depth buffer, supersampled where surfaces meet, and their shadows.

Obstacles stand still, so this runs once a camera. A triangle is kept as three edge vectors: with the pixel's ray
d = (X, Y, 1), the products edge·d are its weights at the three corners, all positive inside, even when a corner is
behind the camera. For an orthographic camera the corners' depth is set to 1 for that purpose.
"""

from __future__ import annotations

import math

import numpy as np
from numba import uint32

from walkon.render._jit import BYTE, NEAR, kernel
from walkon.render._kernels_shadows import footprint

SAMPLES = 4
"""Subpixels a side where surfaces meet."""

MOST_CANDIDATES = 64
"""Triangles considered for one pixel at most."""

NOBODY = -1


@kernel
def own_pixels(owner, depth, size, lens, edges, planes, bounds):
    """Give every pixel whose centre a triangle covers its depth and that triangle's index.

    owner: (H * S) int32, NOBODY at first. edges: (T, 3, 3); planes: (T, 4) so that depth = p3 / (p·d), or for an
    orthographic camera (p3 - px X - py Y) / pz; bounds: (T, 4) first and last column and row.
    """
    _, _, stride = size
    step = 1.0 / lens[12]
    for t in range(len(edges)):
        for y in range(bounds[t, 2], bounds[t, 3] + 1):
            for x in range(bounds[t, 0], bounds[t, 1] + 1):
                u, v = (x + 0.5 - lens[13]) * step, (y + 0.5 - lens[14]) * step
                z = _depth_at(edges, planes, t, lens[15], u, v)
                i = y * stride + x
                if 0.0 < z < depth[i]:
                    depth[i], owner[i] = z, t


@kernel
def _depth_at(edges, planes, t, perspective, u, v):
    """Depth of triangle t along the ray (u, v, 1), or 0 where the ray misses it."""
    for k in range(3):
        if edges[t, k, 0] * u + edges[t, k, 1] * v + edges[t, k, 2] < 0.0:
            return 0.0
    if perspective > 0:
        z = planes[t, 3] / (planes[t, 0] * u + planes[t, 1] * v + planes[t, 2])
        return z if z > NEAR else 0.0
    return (planes[t, 3] - planes[t, 0] * u - planes[t, 1] * v) / planes[t, 2]


@kernel
def paint_solids(lit, receive, owner, size, lens, edges, planes, bounds, normals, heights, colours, lighting, fog):
    """Shade every owned pixel; where the owner changes from pixel to pixel, average 4 x 4 samples."""
    width, height, stride = size
    colour = np.empty(3)
    candidates = np.empty(MOST_CANDIDATES, np.int64)
    step = 1.0 / lens[12]
    for y in range(height):
        for x in range(width):
            count = _candidates(owner, size, bounds, x, y, candidates)
            samples = 1 if count == 1 else SAMPLES
            colour[:] = 0.0
            hit = 0
            for sample in range(samples * samples if count else 0):
                u = (x + (sample % samples + 0.5) / samples - lens[13]) * step
                v = (y + (sample // samples + 0.5) / samples - lens[14]) * step
                nearest, z = _nearest(edges, planes, lens[15], candidates, count, u, v)
                if nearest != NOBODY:
                    _add_light(colour, nearest, edges, normals, heights, colours, (u, v, z), lighting, fog)
                    hit += 1
            if hit:
                _mix(lit, receive, y * stride + x, colour, hit, samples * samples)


@kernel
def _candidates(owner, size, bounds, x, y, candidates):
    """Triangles a pixel may show: none away from solids, one inside a face, all near ones where faces meet."""
    width, height, stride = size
    own = owner[y * stride + x]
    differs = False
    for v in range(max(y - 1, 0), min(y + 2, height)):
        for u in range(max(x - 1, 0), min(x + 2, width)):
            differs |= owner[v * stride + u] != own
    if not differs:
        candidates[0] = own
        return 0 if own == NOBODY else 1
    count = 0
    for t in range(len(bounds)):
        near = bounds[t, 0] <= x <= bounds[t, 1] and bounds[t, 2] <= y <= bounds[t, 3]
        if near and count < MOST_CANDIDATES:
            candidates[count] = t
            count += 1
    if count == 1:  # a rim is sampled like any other place where the owner changes
        candidates[1], count = candidates[0], 2
    return count


@kernel
def _nearest(edges, planes, perspective, candidates, count, u, v):
    """The nearest candidate along a ray, and its depth."""
    nearest, depth = NOBODY, 1e30
    for k in range(count):
        z = _depth_at(edges, planes, candidates[k], perspective, u, v)
        if 0.0 < z < depth:
            nearest, depth = candidates[k], z
    return nearest, depth


@kernel
def _add_light(colour, t, edges, normals, heights, colours, at, lighting, fog):
    """Add what one sample shows of triangle t; at: ray (u, v) and depth."""
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
    light *= 1.0 - 0.22 * math.exp(-4.0 * max(above / total, 0.0)) * (1.0 - max(upward, 0.0))
    beyond = max(0.0, z - fog[4]) / fog[3]
    clear = math.exp(-beyond * beyond)
    for c in range(3):
        colour[c] += fog[c] + clear * (min(colours[t, c] * light, 255.0) - fog[c])


@kernel
def _mix(lit, receive, i, colour, hit, total):
    """Lay `hit` of `total` samples, whose colours are summed, over a pixel."""
    free = 1.0 - hit / total
    mixed = uint32(0)
    for c in range(3):
        old = float((lit[i] >> uint32(8 * c)) & BYTE)
        mixed |= uint32(int(free * old + colour[c] / total + 0.5)) << uint32(8 * c)
    lit[i] = mixed
    receive[i] *= free


@kernel
def shade_prism(sun_plane, contact_plane, size, lens, rows, metric, hull, outline, circle, height, softness):
    """Lay the shadow of one convex piece, and the contact shade around its outline, on the ground.

    hull: (K, 2) the piece in the plane facing the sun, where `metric` takes ground points. outline: (M, 2) of the
    whole obstacle. circle: x, z, radius [m] on the ground that holds both shades. height: (2,) bottom and top
    [m]. softness: penumbra [m] for each metre of height.
    """
    width, _, stride = size
    for y in range(rows.shape[0]):
        if rows[y, 0] <= 0.0:
            continue
        first, last = _chord(rows[y], lens, circle, width)
        for column in range(first, last + 1):
            x, z = rows[y, 1] + column * rows[y, 3] * lens[3], rows[y, 2] + column * rows[y, 3] * lens[5]
            away = distance_outside(outline, x, z)
            i = y * stride + column
            ink = 1.0 - min((away + height[0]) / 0.4, 1.0)
            contact_plane[i] = max(contact_plane[i], ink * ink)
            s1, s2 = metric[0] * x + metric[1] * z, metric[2] * x + metric[3] * z
            # The farther from the wall, the higher the edge that shades this point.
            soft = 0.02 + footprint(lens, x, z) + 2.0 * softness * min(height[0] + away, height[1])
            inside = 1.0 - min(distance_outside(hull, s1, s2) / soft, 1.0)
            sun_plane[i] = max(sun_plane[i], inside * inside * (3.0 - 2.0 * inside))


@kernel
def _chord(row, lens, circle, width):
    """First and last column of an image row that lie within a circle on the ground."""
    x, z = row[1] - circle[0], row[2] - circle[1]
    along, across = x * lens[3] + z * lens[5], x * lens[5] - z * lens[3]
    square = circle[2] * circle[2] - across * across
    if square < 0.0:
        return 0, -1
    half = math.sqrt(square)
    low, high = (-half - along) * row[4], (half - along) * row[4]
    return int(min(max(low, 0.0), width)), int(max(min(high, width - 1.0), -1.0))


@kernel
def distance_outside(polygon, x, z):
    """Distance [m] of a point from a polygon (K, 2); 0 inside."""
    inside = False
    nearest = 1e30
    count = len(polygon)
    for k in range(count):
        ax, az = polygon[k, 0], polygon[k, 1]
        bx, bz = polygon[(k + 1) % count, 0], polygon[(k + 1) % count, 1]
        ex, ez, px, pz = bx - ax, bz - az, x - ax, z - az
        t = min(max((px * ex + pz * ez) / max(ex * ex + ez * ez, 1e-18), 0.0), 1.0)
        px, pz = px - t * ex, pz - t * ez
        nearest = min(nearest, px * px + pz * pz)
        if (az > z) != (bz > z) and x < ax + (z - az) / (bz - az) * ex:
            inside = not inside
    return 0.0 if inside else math.sqrt(nearest)


@kernel
def find_sunlight(sunlight, starts, ends, across, sun, softness, hulls, begins, centres):
    """How much sun each capsule gets past the obstacles, 0..1.

    across: (2, 3) the plane facing the sun. hulls: (P, 2) corners of all pieces in it, those of piece p from
    begins[p] to begins[p + 1]; centres: (P,) how far towards the sun each piece is.
    """
    for i in range(len(sunlight)):
        x, y, z = (
            0.5 * (starts[i, 0] + ends[i, 0]),
            0.5 * (starts[i, 1] + ends[i, 1]),
            0.5 * (starts[i, 2] + ends[i, 2]),
        )
        s1 = x * across[0, 0] + y * across[0, 1] + z * across[0, 2]
        s2 = x * across[1, 0] + y * across[1, 1] + z * across[1, 2]
        towards = x * sun[0] + y * sun[1] + z * sun[2]
        free = 1.0
        for p in range(len(centres)):
            before = centres[p] - towards
            if before > 0.0:
                away = distance_outside(hulls[begins[p] : begins[p + 1]], s1, s2)
                free = min(free, away / (0.08 + softness * before))
        sunlight[i] = free
