"""Kernels of standing shadows: baked once on the ground, then looked up by pixels and by people.

`field` is (x, z of the first vertex, cell) [m] of ground heights (Nz, Nx); level ground is two by two zeros.
`grid` is (x, z of the first texel, cell) [m] of the maps (Mz, Mx).
"""

from __future__ import annotations

import math

import numpy as np
from numba import float32

from walkon.render._jit import pixel_inlined, pixel_kernel

CONTACT_REACH = 0.4
"""How far around an obstacle's foot the ground is shaded [m]."""

LANDING_STEPS = 8
"""Times the place where a sun ray meets the ground is corrected by the height there."""


@pixel_kernel
def height_at(heights, field, x, z):
    """Height [m] of the ground at a point: bilinear, level beyond the edge."""
    rows, columns = heights.shape
    u = min(max((x - field[0]) / field[2], 0.0), columns - 1.0)
    v = min(max((z - field[1]) / field[2], 0.0), rows - 1.0)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    u, v = u - i, v - j
    near = heights[j, i] + u * (heights[j, i + 1] - heights[j, i])
    far = heights[j + 1, i] + u * (heights[j + 1, i + 1] - heights[j + 1, i])
    return near + v * (far - near)


@pixel_kernel
def landing(heights, field, sun, x, y, z):
    """Where the sun's ray through a point meets the ground; slopes gentler than the sun converge at once."""
    for _ in range(LANDING_STEPS):
        fall = (y - height_at(heights, field, x, z)) / sun[1]
        x, y, z = x - fall * sun[0], y - fall * sun[1], z - fall * sun[2]
    return x, y, z


@pixel_kernel
def bake_shadow(sun_map, source_map, grid, heights, field, across, hull, outline, levels, box):
    """Lay the shadow of one convex piece on the ground.

    sun_map: 0..1; source_map: how far towards the sun what shades a texel is. across: (2, 3) the plane facing the
    sun; hull: (K, 2) the piece in it; outline: (M, 2) on the ground. levels: bottom, top, how far towards the sun
    the piece is, and penumbra [m] for each metre of height. box: first and last column and row of texels.
    """
    bottom, top, source, softness = levels
    least = 0.02 + 0.7 * grid[2]
    margin = least + 2.0 * softness * max(top, 0.0)
    low_1, high_1 = np.min(hull[:, 0]) - margin, np.max(hull[:, 0]) + margin
    low_2, high_2 = np.min(hull[:, 1]) - margin, np.max(hull[:, 1]) + margin
    for j in range(box[2], box[3] + 1):
        for i in range(box[0], box[1] + 1):
            x, z = grid[0] + i * grid[2], grid[1] + j * grid[2]
            y = height_at(heights, field, x, z)
            s1 = across[0, 0] * x + across[0, 1] * y + across[0, 2] * z
            s2 = across[1, 0] * x + across[1, 1] * y + across[1, 2] * z
            if top < y or s1 < low_1 or s1 > high_1 or s2 < low_2 or s2 > high_2:
                continue
            # The farther from the wall, the higher the edge that shades this point.
            away = distance_outside(outline, x, z)
            soft = least + 2.0 * softness * min(max(bottom - y, 0.0) + away, top - y)
            inside = 1.0 - min(distance_outside(hull, s1, s2) / soft, 1.0)
            if inside > 0.0:
                ink = float32(inside * inside * (3.0 - 2.0 * inside))
                sun_map[j, i] = max(sun_map[j, i], ink)
                source_map[j, i] = max(source_map[j, i], float32(source))


@pixel_kernel
def bake_contact(contact_map, grid, heights, field, outline, bottom, box):
    """Shade the ground around an outline (M, 2) whose walls begin at `bottom` [m]."""
    for j in range(box[2], box[3] + 1):
        for i in range(box[0], box[1] + 1):
            x, z = grid[0] + i * grid[2], grid[1] + j * grid[2]
            gap = max(bottom - height_at(heights, field, x, z), 0.0)
            if gap < CONTACT_REACH:
                ink = 1.0 - min((distance_outside(outline, x, z) + gap) / CONTACT_REACH, 1.0)
                contact_map[j, i] = max(contact_map[j, i], float32(ink * ink))


@pixel_kernel
def lay_light(sun_plane, contact_plane, depth, receive, size, lens, grid, sun_map, contact_map):
    """Copy the maps to all pixels of the picture that show ground."""
    width, height, stride = size
    step, per_cell = 1.0 / lens[12], 1.0 / grid[2]
    rows, columns = sun_map.shape
    for y in range(height):
        v = (y + 0.5 - lens[14]) * step
        for x in range(width):
            i = y * stride + x
            if receive[i] <= 0.0:
                continue
            u = (x + 0.5 - lens[13]) * step
            flat, ahead = (depth[i], depth[i]) if lens[15] > 0 else (1.0, depth[i])
            column = (lens[0] + flat * (u * lens[3] + v * lens[6]) + ahead * lens[9] - grid[0]) * per_cell
            row = (lens[2] + flat * (u * lens[5] + v * lens[8]) + ahead * lens[11] - grid[1]) * per_cell
            if 0.0 <= column < columns - 1.0 and 0.0 <= row < rows - 1.0:
                sun_plane[i] = _texel(sun_map, column, row)
                contact_plane[i] = _texel(contact_map, column, row)


@pixel_inlined
def _texel(texels, column, row):
    i, j = int(column), int(row)
    u, v = float32(column - i), float32(row - j)
    near = texels[j, i] + u * (texels[j, i + 1] - texels[j, i])
    far = texels[j + 1, i] + u * (texels[j + 1, i + 1] - texels[j + 1, i])
    return near + v * (far - near)


@pixel_kernel
def find_sunlight(sunlight, starts, ends, sun, heights, field, grid, sun_map, source_map):
    """How much sun each capsule gets past what stands, 0..1: what its own ray leaves on the ground.

    Only what is farther towards the sun than the capsule counts; the ray may meet more behind it.
    """
    rows, columns = sun_map.shape
    for k in range(len(sunlight)):
        x, y, z = (
            0.5 * (starts[k, 0] + ends[k, 0]),
            0.5 * (starts[k, 1] + ends[k, 1]),
            0.5 * (starts[k, 2] + ends[k, 2]),
        )
        towards = x * sun[0] + y * sun[1] + z * sun[2]
        x, y, z = landing(heights, field, sun, x, y, z)
        column, row = (x - grid[0]) / grid[2], (z - grid[1]) / grid[2]
        sunlight[k] = 1.0
        if 0.0 <= column < columns - 1.0 and 0.0 <= row < rows - 1.0:
            source = source_map[int(row + 0.5), int(column + 0.5)]
            if source > towards:
                sunlight[k] = 1.0 - _texel(sun_map, column, row)


@pixel_kernel
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
