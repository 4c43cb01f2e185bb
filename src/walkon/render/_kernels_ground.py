"""Kernels of the ground: its grid, the shadows and marks that lie on it, and the final picture.

The camera never rolls, so every image row that sees the ground sees it at one depth, and ground points along that
row are a linear function of the column. A shadow, a contact or a path is a *stroke*: a segment with a radius and a
soft edge, drawn straight into screen space. Strokes of one kind are joined by the maximum, so that where the
shadows of two limbs or two people overlap the ground darkens once.

Picture planes are flat (H * S), `size` is (width, height H, stride S >= width + 8); see `_kernels_bodies` for
`lens` and for what keeps the loops vectorised.
"""

from __future__ import annotations

import math

import numpy as np
from numba import float32, int32, uint32, uint64

from walkon.render._kernels_bodies import BYTE, NEAR, inlined, kernel

FAR = 1e9
"""Depth [m] of a pixel that shows no surface."""

CONTACT_HEIGHT = 0.30
"""A body part higher above the ground than this [m] leaves no contact shade."""


@kernel
def survey_ground(lens, rows):
    """Fill rows (H, 5) with the ground along every image row.

    0 depth [m], 0 where the row sees no ground; 1, 2 x and z [m] at the centre of column 0; 3 metres a column,
    which run along the camera's right; 4 columns a metre.
    """
    for y in range(rows.shape[0]):
        rows[y, 0], rows[y, 1], rows[y, 2], rows[y, 3] = _ground_row(lens, y + 0.5)
        rows[y, 4] = 1.0 / max(rows[y, 3], 1e-12)


@kernel
def _ground_row(lens, y):
    """Ground along the image row at height y [px]: depth [m] or 0, x and z of column centre 0, metres a column."""
    step = 1.0 / lens[12]
    x, y = (0.5 - lens[13]) * step, (y - lens[14]) * step
    if lens[15] > 0:
        slope = lens[10] + y * lens[7]
        depth = -lens[1] / slope if lens[1] > 0.0 and slope < -1e-6 else 0.0
        stretch = depth
    else:
        depth = -(lens[1] + y * lens[7]) / lens[10] if lens[10] < -1e-6 else 0.0
        stretch = 1.0
    ground_x = lens[0] + stretch * (x * lens[3] + y * lens[6]) + depth * lens[9]
    ground_z = lens[2] + stretch * (x * lens[5] + y * lens[8]) + depth * lens[11]
    return max(depth, 0.0), ground_x, ground_z, stretch * step


@kernel
def paint_ground(lit, depth, receive, size, lens, rows, look):
    """Paint ground, grid and sky without any shadow; `receive` (H * S) says how strongly a shadow shows, 0..1.

    look: (16,) ground colour (3), grid colour (3), horizon colour (3), zenith colour (3), cell [m], line width
    [m], fog reach [m], fog start [m].
    """
    width, height, stride = size
    for y in range(height):
        first = y * stride
        if rows[y, 0] <= 0.0:
            rise = min(1.0, (_horizon(lens) - y) / (0.9 * height))
            _fill_sky(lit, depth, receive, first, width, look, max(0.0, rise))
            continue
        beyond = max(0.0, rows[y, 0] - look[15]) / look[14]
        clear = math.exp(-beyond * beyond)
        above, x_above, z_above, metres = _ground_row(lens, y - 0.5)
        x, z, dx, dz = rows[y, 1], rows[y, 2], rows[y, 3] * lens[3], rows[y, 3] * lens[5]
        if above > 0.0:
            rise_x, rise_z = (x_above - x, metres * lens[3] - dx), (z_above - z, metres * lens[5] - dz)
        else:
            rise_x, rise_z = (FAR, 0.0), (FAR, 0.0)
        row = (x, dx, rise_x[0], rise_x[1]), (z, dz, rise_z[0], rise_z[1])
        _fill_ground(lit, depth, receive, first, width, look, rows[y, 0], clear, row)


@kernel
def _horizon(lens):
    """Row [px] of the horizon; for an orthographic or level-less camera something above the picture."""
    if lens[15] == 0 or lens[7] > -1e-6:
        return -1e3
    return lens[14] - lens[12] * lens[10] / lens[7]


@kernel
def _fill_sky(lit, depth, receive, first, width, look, rise):
    colour = uint32(0)
    for c in range(3):
        value = look[6 + c] + rise * (look[9 + c] - look[6 + c])
        colour |= uint32(int32(value + 0.5)) << uint32(8 * c)
    for j in range(width):
        lit[first + j] = colour
        depth[first + j] = FAR
        receive[first + j] = 0.0


@kernel
def _fill_ground(lit, depth, receive, first, width, look, z, clear, row):
    """One row of ground: a box-filtered grid of lines every cell, and stronger ones every five cells."""
    cell, line = look[12], look[13]
    fine_x, fine_z = _grid_terms(row[0], 1.0 / cell), _grid_terms(row[1], 1.0 / cell)
    bold_x, bold_z = _grid_terms(row[0], 0.2 / cell), _grid_terms(row[1], 0.2 / cell)
    thin, thick = float32(line / cell), float32(0.36 * line / cell)
    clarity = float32(clear)
    ground_r, ground_g, ground_b = float32(look[0]), float32(look[1]), float32(look[2])
    grid_r, grid_g, grid_b = float32(look[3]), float32(look[4]), float32(look[5])
    fog_r, fog_g, fog_b = float32(look[6]), float32(look[7]), float32(look[8])
    half, one, z32 = float32(0.5), float32(1), float32(z)
    for j in range(width):
        i = uint64(first + j)
        x = float32(int32(j))
        fine = one - (one - _lines(fine_x, x, thin)) * (one - _lines(fine_z, x, thin))
        bold = one - (one - _lines(bold_x, x, thick)) * (one - _lines(bold_z, x, thick))
        ink = min(half * fine + bold, one)
        r = fog_r + clarity * (ground_r + ink * (grid_r - ground_r) - fog_r) + half
        g = fog_g + clarity * (ground_g + ink * (grid_g - ground_g) - fog_g) + half
        b = fog_b + clarity * (ground_b + ink * (grid_b - ground_b) - fog_b) + half
        lit[i] = uint32(int32(r)) | (uint32(int32(g)) << uint32(8)) | (uint32(int32(b)) << uint32(16))
        depth[i] = z32
        receive[i] = clarity


@inlined
def _grid_terms(line, scale):
    """Position of the row's start in cells, made positive, its step a column, and how both differ one row up."""
    at, step, up, up_step = line
    # Whole cells do not matter to the pattern; dropping them keeps float32 exact, and 512 keeps it positive.
    at = at * scale - math.floor(at * scale) + 512.0
    return float32(at), float32(step * scale), float32(up * scale), float32(up_step * scale)


@inlined
def _lines(terms, x, line):
    """Share 0..1 of a pixel's footprint covered by lines of width `line` around every whole number."""
    at, step, up, up_step = terms
    wide = min(abs(step) + abs(up + x * up_step) + float32(1e-6), float32(256))
    low = max(at + x * step + float32(0.5) * (line - wide), float32(0))
    high = low + wide
    cells_low, cells_high = _whole(low), _whole(high)
    inked = (cells_high - cells_low) * line + min(high - cells_high, line) - min(low - cells_low, line)
    return min(inked / wide, float32(1))


@inlined
def _whole(value):
    """The whole part of a positive number."""
    return float32(int32(value))


@kernel
def shade_ground(sun_plane, contact_plane, spans, size, lens, rows, sun, softness, starts, ends, radii):
    """Lay the shadows and contact shades of N capsules on the ground.

    sun_plane, contact_plane: (H * S) 0..1; spans: (H, 2) first and last touched column of each row, widened here.
    sun: (3,) unit vector towards the sun, rising; softness: tangent of the sun's apparent radius.
    """
    flat = math.sqrt(sun[0] * sun[0] + sun[2] * sun[2])
    hx, hz = (sun[0] / flat, sun[2] / flat) if flat > 1e-9 else (1.0, 0.0)
    rise = sun[1]
    # Seen along the sun every ball is a circle: measure shadows in the plane that faces it.
    sunward = (-hz, hx, rise * hx, rise * hz)
    plain = (1.0, 0.0, 0.0, 1.0)
    for i in range(len(radii)):
        radius = radii[i]
        ax, ay, az, bx, by, bz = starts[i, 0], starts[i, 1], starts[i, 2], ends[i, 0], ends[i, 1], ends[i, 2]
        if max(ay, by) + radius < 0.0:
            continue
        blur = 0.6 * footprint(lens, 0.5 * (ax + bx), 0.5 * (az + bz))
        a_high, b_high = max(ay, 0.0) / rise, max(by, 0.0) / rise
        soft_a, soft_b = 0.012 + blur + softness * a_high, 0.012 + blur + softness * b_high
        fall_a, fall_b = ay / rise * flat, by / rise * flat
        a = (ax - hx * fall_a, az - hz * fall_a)
        b = (bx - hx * fall_b, bz - hz * fall_b)
        ink_a, ink_b = min(1.0, radius / soft_a), min(1.0, radius / soft_b)
        stroke(sun_plane, spans, size, lens, rows, sunward, a, b, radius, (soft_a, soft_b), (ink_a, ink_b))
        gap = min(ay, by) - radius
        if gap < CONTACT_HEIGHT:
            ink_a, ink_b = _contact(ay - radius), _contact(by - radius)
            soft = 0.06 + 0.6 * max(gap, 0.0) + blur
            stroke(
                contact_plane,
                spans,
                size,
                lens,
                rows,
                plain,
                (ax, az),
                (bx, bz),
                radius,
                (soft, soft),
                (ink_a, ink_b),
            )


@kernel
def _contact(gap):
    """How dark a body part this far above the ground [m] makes the ground below, 0..1."""
    near = 1.0 - min(max(gap, 0.0) / CONTACT_HEIGHT, 1.0)
    return near * near


@kernel
def footprint(lens, x, z):
    """Width [m] of a pixel at the ground point (x, z)."""
    if lens[15] == 0:
        return 1.0 / lens[12]
    depth = lens[9] * (x - lens[0]) - lens[10] * lens[1] + lens[11] * (z - lens[2])
    return max(depth, NEAR) / lens[12]


@kernel
def stroke(plane, spans, size, lens, rows, metric, a, b, radius, soft, ink):
    """Raise `plane` to the ink of a soft thick segment between ground points a and b.

    rows: of `survey_ground`. metric: (m00, m01, m10, m11), linear map of (x, z) to the plane where distances are
    taken; there the ink falls from full at radius - soft to none at radius + soft [m]. soft, ink: values at a and
    at b.
    """
    width, _, stride = size
    reach = radius + max(soft[0], soft[1])
    top, bottom = _rows_of(lens, size, metric, a, b, reach)
    along, length = _direction(_mapped(metric, b[0] - a[0], b[1] - a[1]))
    brush = (
        (float32(along[0]), float32(along[1]), float32(length)),
        _ramp(radius + soft[0], radius + soft[1], length),
        _ramp(_fall(radius, soft[0]), _fall(radius, soft[1]), length),
        _ramp(ink[0], ink[1], length),
    )
    # Image rows are parallel lines on the ground: how they run across the stroke is known before the loop.
    right = _mapped(metric, lens[3], lens[5])
    per_along = 1.0 / _not_zero(right[0] * along[0] + right[1] * along[1])
    per_across = 1.0 / _not_zero(right[1] * along[0] - right[0] * along[1])
    for y in range(top, bottom + 1):
        if rows[y, 0] <= 0.0:
            continue
        s1, s2 = _mapped(metric, rows[y, 1] - a[0], rows[y, 2] - a[1])
        here, beside = s1 * along[0] + s2 * along[1], s2 * along[0] - s1 * along[1]
        low, high = _between(here, rows[y, 4] * per_along, -reach, length + reach)
        low_2, high_2 = _between(beside, rows[y, 4] * per_across, -reach, reach)
        first = math.ceil(max(0.0, low, low_2))
        last = math.floor(min(width - 1.0, high, high_2))
        if first > last:
            continue
        spans[y, 0], spans[y, 1] = min(spans[y, 0], first), max(spans[y, 1], last)
        d1, d2 = right[0] * rows[y, 3], right[1] * rows[y, 3]
        origin = (float32(s1 + first * d1), float32(s2 + first * d2))
        count = ((last - first + 8) >> 3) << 3
        _stroke_row(plane, y * stride + first, count, origin, (float32(d1), float32(d2)), brush)


@inlined
def _ramp(begin, end, length):
    """Value at the begin of a stroke, and what each metre adds."""
    return float32(begin), float32((end - begin) / length)


@inlined
def _fall(radius, soft):
    """How fast ink falls with the square of the distance, to reach from radius - soft to radius + soft."""
    outer, inner = radius + soft, max(radius - soft, 0.0)
    return 1.0 / (outer * outer - inner * inner)


@inlined
def _mapped(metric, x, z):
    return metric[0] * x + metric[1] * z, metric[2] * x + metric[3] * z


@inlined
def _not_zero(value):
    return value if abs(value) > 1e-9 else 1e-9


@kernel
def _direction(along):
    """Unit vector and length; for a point any direction, and a length that can be divided by."""
    length = math.sqrt(along[0] * along[0] + along[1] * along[1])
    if length < 1e-6:
        return (1.0, 0.0), 1e-6
    return (along[0] / length, along[1] / length), length


@inlined
def _between(at, columns, low, high):
    """Columns where a value that is `at` in column 0 and grows by 1 in so many columns lies from low to high."""
    one, two = (low - at) * columns, (high - at) * columns
    return min(one, two), max(one, two)


@inlined
def _stroke_row(plane, first, count, origin, step, brush):
    (along_1, along_2, length), outer, fall, ink = brush
    zero, one = float32(0), float32(1)
    for j in range(count):
        i = uint64(first + j)
        x = float32(int32(j))
        s1, s2 = origin[0] + x * step[0], origin[1] + x * step[1]
        t = min(max(s1 * along_1 + s2 * along_2, zero), length)
        away_1, away_2, edge = s1 - t * along_1, s2 - t * along_2, outer[0] + t * outer[1]
        # Squares all the way: a root and a quotient a pixel would double the cost of a crowd's shadows.
        inside = (edge * edge - away_1 * away_1 - away_2 * away_2) * (fall[0] + t * fall[1])
        inside = min(max(inside, zero), one)
        value = inside * inside * (float32(3) - inside - inside) * (ink[0] + t * ink[1])
        plane[i] = max(plane[i], value)


@kernel
def _rows_of(lens, size, metric, a, b, reach):
    """First and last image row a stroke may touch."""
    forward_x, forward_z = lens[5], -lens[3]
    determinant = metric[0] * metric[3] - metric[1] * metric[2]
    # Extent along the view of a disc of the metric plane, seen on the ground: |M^-T forward| * reach.
    u = (metric[3] * forward_x - metric[2] * forward_z) / determinant
    v = (metric[0] * forward_z - metric[1] * forward_x) / determinant
    extent = reach * math.sqrt(u * u + v * v)
    ahead_a = (a[0] - lens[0]) * forward_x + (a[1] - lens[2]) * forward_z
    ahead_b = (b[0] - lens[0]) * forward_x + (b[1] - lens[2]) * forward_z
    near_row = _row_at(lens, min(ahead_a, ahead_b) - extent)
    far_row = _row_at(lens, max(ahead_a, ahead_b) + extent)
    return max(0, math.floor(far_row)), min(size[1] - 1, math.ceil(near_row))


@kernel
def _row_at(lens, ahead):
    """Image row [px] of the ground this far ahead of the camera [m]; far below the picture if it is behind."""
    forward_x, forward_z = lens[5], -lens[3]
    down = ahead * (lens[6] * forward_x + lens[8] * forward_z) - lens[1] * lens[7]
    if lens[15] == 0:
        return min(max(lens[14] + lens[12] * down, -1e6), 1e6)
    depth = ahead * (lens[9] * forward_x + lens[11] * forward_z) - lens[1] * lens[10]
    if depth < NEAR:
        return 1e6
    return min(max(lens[14] + lens[12] * down / depth, -1e6), 1e6)


@kernel
def darken(colour, lit, receive, sun_plane, contact_plane, spans, size, strengths):
    """colour = lit ground under its shadows, within `spans`; strengths: (4,) sun per channel (3), contact."""
    _, height, stride = size
    red, green, blue = float32(strengths[0]), float32(strengths[1]), float32(strengths[2])
    contact = float32(strengths[3])
    one, half = float32(1), float32(0.5)
    for y in range(height):
        first, count = y * stride + spans[y, 0], spans[y, 1] - spans[y, 0] + 1
        for j in range(count):
            i = uint64(first + j)
            shown = receive[i]
            sun, near = shown * sun_plane[i], one - contact * shown * contact_plane[i]
            old = lit[i]
            r = float32(int32(old & BYTE)) * (one - red * sun) * near + half
            g = float32(int32((old >> uint32(8)) & BYTE)) * (one - green * sun) * near + half
            b = float32(int32((old >> uint32(16)) & BYTE)) * (one - blue * sun) * near + half
            colour[i] = uint32(int32(r)) | (uint32(int32(g)) << uint32(8)) | (uint32(int32(b)) << uint32(16))


@kernel
def restore(plane, original, spans, size):
    """Give `plane` its original values within `spans`, so that the next frame starts clean."""
    _, height, stride = size
    for y in range(height):
        first, count = y * stride + spans[y, 0], spans[y, 1] - spans[y, 0] + 9
        for j in range(count):
            i = uint64(first + j)
            plane[i] = original[i]


@kernel
def tint_ground(lit, ink, colour, spans, size):
    """Blend one colour (3,) into the lit ground by the ink plane, within `spans`, and clear the ink."""
    _, height, stride = size
    for y in range(height):
        for x in range(spans[y, 0], spans[y, 1] + 1):
            i = y * stride + x
            blended = uint32(0)
            for c in range(3):
                old = float((lit[i] >> uint32(8 * c)) & BYTE)
                blended |= uint32(int(old + ink[i] * (colour[c] - old) + 0.5)) << uint32(8 * c)
            lit[i] = blended
            ink[i] = 0.0


@kernel
def unpack(pairs, size, words):
    """Copy packed pixels, seen as little-endian pairs, to RGB bytes, seen as words (H, 3 W / 8); eight divides W."""
    width, height, stride = size
    low, high = uint64(0xFFFFFF), uint64(0xFFFFFF000000)
    eight, sixteen, half, most = uint64(8), uint64(16), uint64(32), uint64(48)
    for y in range(height):
        first = (y * stride) >> 1
        for k in range(width >> 3):
            i = first + 4 * k
            a = (pairs[i] & low) | ((pairs[i] >> eight) & high)
            b = (pairs[i + 1] & low) | ((pairs[i + 1] >> eight) & high)
            c = (pairs[i + 2] & low) | ((pairs[i + 2] >> eight) & high)
            d = (pairs[i + 3] & low) | ((pairs[i + 3] >> eight) & high)
            words[y, 3 * k] = a | (b << most)
            words[y, 3 * k + 1] = (b >> sixteen) | (c << half)
            words[y, 3 * k + 2] = (c >> half) | (d << sixteen)


@kernel
def clear_spans(spans, width):
    """Mark every row untouched."""
    for y in range(spans.shape[0]):
        spans[y, 0], spans[y, 1] = width, -1


def empty_spans(height: int, width: int) -> np.ndarray:
    """Spans (H, 2) of a picture nothing has touched."""
    return np.tile(np.array([width, -1], dtype=np.int64), (height, 1))
