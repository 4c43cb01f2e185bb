"""Kernels of hilly ground: its paint, and shadows and lines that lie on it.

Where the ground is not level, image rows are no lines on it: each pixel finds its own place from its depth. With
`lens` of `_kernels_bodies`, a pixel's place is  p = position + s (X right + Y down + forward)  in perspective, and
p = position + X right + Y down + s forward  otherwise. `heights`, `field`: see `_kernels_light`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import float32, int32, uint32, uint64

from walkon.render._jit import NEAR_PLANE, pixel_inlined, pixel_kernel
from walkon.render._kernels_light import height_at, landing
from walkon.render._kernels_shadows import CONTACT_HEIGHT, brush_of, contact_ink, footprint, ink_at
from walkon.render._kernels_solids import NOBODY

EXAGGERATED = 1.7
"""How much steeper than they are slopes are lit, as a factor: hills must be seen as hills. Chosen by eye."""

CONTOUR_WIDTH = 0.05
"""Width [m] of a contour line on the ground."""


@pixel_kernel
def paint_relief(planes, owner, size, lens, light, ground):
    """Paint ground, grid and contour lines on all pixels that have an owner.

    planes: packed colour, depth [m] and how strongly a shadow shows (H * S). light: look of `paint_ground`, sun
    (3,), weights (ambient, hemisphere, key). ground: slopes (Nz, Nx, 2) along x and z, field, and relief (9,), the
    lowest height and inverse range [m], metres between contour lines, colours of the lowest and highest ground.
    """
    lit, depth, receive = planes
    look, sun, weights = light
    slopes, field, relief = ground
    width, height, stride = size
    step = 1.0 / lens[12]
    place = np.empty(3)
    right, down = np.empty(3), np.empty(3)
    level = weights[0] + weights[1] + weights[2] * sun[1]
    for y in range(height):
        for x in range(width):
            i = y * stride + x
            if owner[i] == NOBODY:
                continue
            u, v = (x + 0.5 - lens[13]) * step, (y + 0.5 - lens[14]) * step
            _place(lens, u, v, depth[i], place)
            normal = _normal(slopes, field, place[0], place[2])
            _steps(lens, u, v, depth[i], normal, step, right, down)
            nx, nz = EXAGGERATED * normal[0], EXAGGERATED * normal[2]
            size_ = 1.0 / math.sqrt(nx * nx + nz * nz + normal[1] * normal[1])
            facing = max((nx * sun[0] + normal[1] * sun[1] + nz * sun[2]) * size_, 0.0)
            light = (weights[0] + weights[1] * normal[1] * size_ + weights[2] * facing) / level
            ink = _grid_ink(place, right, down, look[12], look[13])
            slope = math.sqrt(1.0 - normal[1] * normal[1]) / normal[1]
            # Lines run at half steps: level ground, mostly at height 0, is on none of them.
            line = min(CONTOUR_WIDTH * slope, 0.25 * relief[2])
            contour = _covered(place[1] / relief[2] + 0.5, abs(right[1]) + abs(down[1]), relief[2], line)
            tone = min(max((place[1] - relief[0]) * relief[1], 0.0), 1.0)
            beyond = max(0.0, depth[i] - look[15]) / look[14]
            clear = math.exp(-beyond * beyond)
            packed = uint32(0)
            for c in range(3):
                ground = relief[3 + c] + tone * (relief[6 + c] - relief[3 + c])
                ground += ink * (look[3 + c] - ground)
                ground *= light * (1.0 - 0.14 * contour)
                value = look[6 + c] + clear * (min(ground, 255.0) - look[6 + c])
                packed |= uint32(int32(value + 0.5)) << uint32(8 * c)
            lit[i] = packed
            receive[i] = clear


@pixel_inlined
def _place(lens, u, v, s, place):
    flat = s if lens[15] > 0 else 1.0
    for c in range(3):
        place[c] = lens[c] + flat * (u * lens[3 + c] + v * lens[6 + c]) + s * lens[9 + c]


@pixel_kernel
def _normal(slopes, field, x, z):
    """Unit normal of the ground, bilinear between the slopes at the vertices."""
    rows, columns, _ = slopes.shape
    u = min(max((x - field[0]) / field[2], 0.0), columns - 1.0)
    v = min(max((z - field[1]) / field[2], 0.0), rows - 1.0)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    u, v = u - i, v - j
    a, b, c, d = (1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v
    slope_x = a * slopes[j, i, 0] + b * slopes[j, i + 1, 0] + c * slopes[j + 1, i, 0] + d * slopes[j + 1, i + 1, 0]
    slope_z = a * slopes[j, i, 1] + b * slopes[j, i + 1, 1] + c * slopes[j + 1, i, 1] + d * slopes[j + 1, i + 1, 1]
    scale = 1.0 / math.sqrt(slope_x * slope_x + slope_z * slope_z + 1.0)
    return -slope_x * scale, scale, -slope_z * scale


@pixel_kernel
def _steps(lens, u, v, s, normal, step, right, down):
    """How far one pixel to the right, and one down, is on the ground: along its tangent plane."""
    n_right = normal[0] * lens[3] + normal[1] * lens[4] + normal[2] * lens[5]
    n_down = normal[0] * lens[6] + normal[1] * lens[7] + normal[2] * lens[8]
    n_ahead = normal[0] * lens[9] + normal[1] * lens[10] + normal[2] * lens[11]
    scale = s * step if lens[15] > 0 else step
    ray = n_ahead + (u * n_right + v * n_down if lens[15] > 0 else 0.0)
    ray = min(ray, -0.02)
    for c in range(3):
        ahead = lens[9 + c] + (u * lens[3 + c] + v * lens[6 + c] if lens[15] > 0 else 0.0)
        right[c] = scale * (lens[3 + c] - n_right / ray * ahead)
        down[c] = scale * (lens[6 + c] - n_down / ray * ahead)


@pixel_kernel
def _grid_ink(place, right, down, cell, line):
    """Ink 0..1 of a line every cell and a stronger one every five, box-filtered over the pixel."""
    fine, bold = 1.0, 1.0
    for c in (0, 2):
        wide = abs(right[c]) + abs(down[c])
        fine *= 1.0 - _covered(place[c] / cell, wide, cell, line)
        bold *= 1.0 - _covered(0.2 * place[c] / cell, wide, 5.0 * cell, 1.8 * line)
    return min(0.5 * (1.0 - fine) + 1.0 - bold, 1.0)


@pixel_kernel
def _covered(at, wide, cell, line):
    """Share of `wide` [m] around `at` [cells] that lines of width `line` [m] around whole cells cover."""
    wide = min(max(wide / cell, 1e-6), 64.0)
    line = line / cell
    low = at - math.floor(at) + 0.5 * (line - wide) + 64.0
    high = low + wide
    inked = (math.floor(high) - math.floor(low)) * line
    inked += min(high - math.floor(high), line) - min(low - math.floor(low), line)
    return min(inked / wide, 1.0)


@pixel_kernel
def shade_relief(planes, canvas, light, ground, capsules):
    """Lay the shadows and contact shades of N capsules on hilly ground.

    planes: of shadows and of contact shades (H * S) 0..1. canvas: all of `stroke_relief`'s but the plane. light:
    sun (3,), the plane facing it (2, 3), and the tangent of its apparent radius. ground: heights and field.
    capsules: starts, ends (N, 3) and radii (N,) [m].
    """
    depth, spans, size, lens = canvas
    sun, across, softness = light
    heights, field = ground
    starts, ends, radii = capsules
    on_sun, on_contact = (planes[0], depth, spans, size, lens), (planes[1], depth, spans, size, lens)
    plain = np.zeros((2, 3))
    plain[0, 0] = plain[1, 2] = 1.0
    a, b, land_a, land_b = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for i in range(len(radii)):
        a[:], b[:], radius = starts[i], ends[i], radii[i]
        land_a[0], land_a[1], land_a[2] = landing(heights, field, sun, a[0], a[1], a[2])
        land_b[0], land_b[1], land_b[2] = landing(heights, field, sun, b[0], b[1], b[2])
        rise_a, rise_b = max(a[1] - land_a[1], 0.0) / sun[1], max(b[1] - land_b[1], 0.0) / sun[1]
        sharp = 0.012 + 0.6 * footprint(lens, land_a[0], land_a[2])
        soft = sharp + softness * rise_a, sharp + softness * rise_b
        ink = min(1.0, radius / soft[0]), min(1.0, radius / soft[1])
        reach = (radius + max(soft[0], soft[1])) / sun[1]
        box = screen_box(lens, size, land_a, land_b, reach)
        stroke_relief(on_sun, across, a, b, (radius, soft, ink), box)
        gap_a = a[1] - height_at(heights, field, a[0], a[2]) - radius
        gap_b = b[1] - height_at(heights, field, b[0], b[2]) - radius
        gap = min(gap_a, gap_b)
        if gap < CONTACT_HEIGHT:
            near = sharp + 0.06 + 0.6 * max(gap, 0.0)
            land_a[:], land_b[:] = a, b
            land_a[1], land_b[1] = a[1] - gap_a - radius, b[1] - gap_b - radius
            box = screen_box(lens, size, land_a, land_b, radius + near)
            ink = contact_ink(gap_a), contact_ink(gap_b)
            stroke_relief(on_contact, plain, a, b, (radius, (near, near), ink), box)


@pixel_kernel
def screen_box(lens, size, a, b, reach):
    """First and last column and row [px] of balls of that radius around two places; empty if behind the camera."""
    left, right, top, bottom = 1e9, -1e9, 1e9, -1e9
    for k in range(2):
        p = a if k == 0 else b
        x, y, z = p[0] - lens[0], p[1] - lens[1], p[2] - lens[2]
        ahead = lens[9] * x + lens[10] * y + lens[11] * z
        if lens[15] > 0 and ahead < NEAR_PLANE + reach:
            return 0, -1, 0, -1
        scale = lens[12] / (ahead - reach) if lens[15] > 0 else lens[12]
        middle = lens[12] / ahead if lens[15] > 0 else lens[12]
        u = lens[13] + middle * (lens[3] * x + lens[4] * y + lens[5] * z)
        v = lens[14] + middle * (lens[6] * x + lens[7] * y + lens[8] * z)
        left, right = min(left, u - scale * reach), max(right, u + scale * reach)
        top, bottom = min(top, v - scale * reach), max(bottom, v + scale * reach)
    return (
        int(min(max(left, 0.0), size[0])),
        int(max(min(right, size[0] - 1.0), -1.0)),
        int(min(max(top, 0.0), size[1])),
        int(max(min(bottom, size[1] - 1.0), -1.0)),
    )


@pixel_kernel
def stroke_relief(canvas, metric, a, b, pen, box):
    """Raise a plane to the ink of a soft thick segment between places a and b (3,), as `stroke` on level ground.

    canvas: the plane (H * S) 0..1, depth (H * S) [m] of the empty stage, spans, size, lens. metric: (2, 3) takes
    places to the plane where distances are measured. pen: as in `stroke`. box: pixels to look at.
    """
    plane, depth, spans, size, lens = canvas
    along, across = np.empty(3), np.empty(3)
    u0, v0 = _in_plane(metric, a)
    u1, v1 = _in_plane(metric, b)
    u, v = u1 - u0, v1 - v0
    length = math.sqrt(u * u + v * v)
    if length < 1e-6:
        u, v, length = 1.0, 0.0, 1e-6
    else:
        u, v = u / length, v / length
    for c in range(3):
        along[c] = u * metric[0, c] + v * metric[1, c]
        across[c] = u * metric[1, c] - v * metric[0, c]
    brush = brush_of(pen, length)
    begin = _coordinate(lens, along, u * u0 + v * v0), _coordinate(lens, across, u * v0 - v * u0)
    count = ((box[1] - box[0] + 8) >> 3) << 3
    if box[1] < box[0]:
        return
    for y in range(box[2], box[3] + 1):
        spans[y, 0], spans[y, 1] = min(spans[y, 0], box[0]), max(spans[y, 1], box[1])
        here = _along_row(lens, begin[0], box[0], y)
        beside = _along_row(lens, begin[1], box[0], y)
        _stroke_row(plane, depth, y * size[2] + box[0], count, here, beside, brush)


@pixel_inlined
def _in_plane(metric, p):
    return (
        metric[0, 0] * p[0] + metric[0, 1] * p[1] + metric[0, 2] * p[2],
        metric[1, 0] * p[0] + metric[1, 1] * p[1] + metric[1, 2] * p[2],
    )


@pixel_kernel
def _coordinate(lens, axis, origin):
    """A linear function of places, less `origin`: at the camera, and along its right, down and forward."""
    return (
        axis[0] * lens[0] + axis[1] * lens[1] + axis[2] * lens[2] - origin,
        axis[0] * lens[3] + axis[1] * lens[4] + axis[2] * lens[5],
        axis[0] * lens[6] + axis[1] * lens[7] + axis[2] * lens[8],
        axis[0] * lens[9] + axis[1] * lens[10] + axis[2] * lens[11],
    )


@pixel_kernel
def _along_row(lens, coordinate, first, y):
    """The function along a row from column `first` on: constant part and its step, depth's factor and its step."""
    at, right, down, ahead = coordinate
    step = 1.0 / lens[12]
    sideways = (first + 0.5 - lens[13]) * step * right + (y + 0.5 - lens[14]) * step * down
    if lens[15] > 0:
        return float32(at), float32(0.0), float32(ahead + sideways), float32(step * right)
    return float32(at + sideways), float32(step * right), float32(ahead), float32(0.0)


@pixel_inlined
def _stroke_row(plane, depth, first, count, here, beside, brush):
    """Ink `count` pixels of one row."""
    for j in range(count):
        i = uint64(first + j)
        x = float32(int32(j))
        s = depth[i]
        at = here[0] + x * here[1] + s * (here[2] + x * here[3])
        off = beside[0] + x * beside[1] + s * (beside[2] + x * beside[3])
        plane[i] = max(plane[i], ink_at(at, off, brush))


@pixel_kernel
def _half_planes(hull):
    """Outward unit normals and offsets (K, 3) of the sides of a convex polygon, opposite ones in turn."""
    count = len(hull)
    sides = np.empty((count, 3))
    area = 0.0
    for k in range(count):
        after = (k + 1) % count
        area += hull[k, 0] * hull[after, 1] - hull[after, 0] * hull[k, 1]
    turn = 1.0 if area > 0.0 else -1.0
    for k in range(count):
        # Far places fail early if the first sides face away from each other.
        k_side = (k // 2 + (k % 2) * ((count + 1) // 2)) % count
        after = (k_side + 1) % count
        x, y = hull[after, 0] - hull[k_side, 0], hull[after, 1] - hull[k_side, 1]
        scale = turn / max(math.sqrt(x * x + y * y), 1e-12)
        sides[k, 0], sides[k, 1] = y * scale, -x * scale
        sides[k, 2] = sides[k, 0] * hull[k_side, 0] + sides[k, 1] * hull[k_side, 1]
    return sides


@pixel_kernel
def shade_hull(canvas, metric, hull, sun, levels, strength, box):
    """Raise a plane by the soft shade of a convex polygon (K, 2), on any ground.

    canvas: as in `stroke_relief`. metric: (2, 3) takes places to the polygon's plane. levels: how far towards the
    sun (3,) its middle and its foremost point are, width [m] of the soft edge, and how much wider it gets for each
    metre behind the middle. Places before the foremost point are not shaded. box: pixels to look at.
    """
    plane, depth, spans, size, lens = canvas
    middle, foremost, sharp, softness = levels
    place = np.empty(3)
    sides = _half_planes(hull)
    step = 1.0 / lens[12]
    for y in range(box[2], box[3] + 1):
        if box[0] <= box[1]:
            spans[y, 0], spans[y, 1] = min(spans[y, 0], box[0]), max(spans[y, 1], box[1])
        v = (y + 0.5 - lens[14]) * step
        for x in range(box[0], box[1] + 1):
            i = y * size[2] + x
            if depth[i] > 1e6:
                continue
            _place(lens, (x + 0.5 - lens[13]) * step, v, depth[i], place)
            towards = sun[0] * place[0] + sun[1] * place[1] + sun[2] * place[2]
            if towards > foremost:
                continue
            s1, s2 = _in_plane(metric, place)
            soft = sharp + softness * max(middle - towards, 0.0)
            away = 0.0
            for k in range(len(sides)):
                away = max(away, sides[k, 0] * s1 + sides[k, 1] * s2 - sides[k, 2])
                if away >= soft:
                    break
            if away >= soft:
                continue
            inside = 1.0 - away / soft
            ink = float32(strength * inside * inside * (3.0 - 2.0 * inside))
            plane[i] = max(plane[i], ink)
