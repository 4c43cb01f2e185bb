"""Kernels of what lies on the ground: shadows, contact shades and the ink of paths.

Each is a *stroke*: a segment with a radius and a soft edge, drawn straight into screen space. Strokes of one kind
are joined by the maximum, so that where the shadows of two limbs or two people overlap the ground darkens once.
"""

from __future__ import annotations

import math

from numba import float32, int32, uint64

from walkon.render._jit import NEAR_PLANE, pixel_inlined, pixel_kernel

CONTACT_HEIGHT = 0.30
"""A body part higher above the ground than this [m] leaves no contact shade."""


@pixel_kernel
def shade_ground(planes, canvas, sun, softness, capsules):
    """Lay the shadows and contact shades of N capsules on the ground.

    planes: of shadows and of contact shades (H * S) 0..1. canvas: all of `stroke`'s but the plane. sun: (3,) unit
    vector towards the sun, rising; softness: tangent of the sun's apparent radius. capsules: starts, ends (N, 3)
    and radii (N,) [m].
    """
    spans, size, lens, rows = canvas
    starts, ends, radii = capsules
    on_sun, on_contact = (planes[0], spans, size, lens, rows), (planes[1], spans, size, lens, rows)
    flat = math.sqrt(sun[0] * sun[0] + sun[2] * sun[2])
    hx, hz = (sun[0] / flat, sun[2] / flat) if flat > 1e-9 else (1.0, 0.0)
    per_rise, slide = 1.0 / sun[1], flat / sun[1]
    # Seen along the sun every ball is a circle: measure shadows in the plane that faces it.
    sunward = (-hz, hx, sun[1] * hx, sun[1] * hz)
    plain = (1.0, 0.0, 0.0, 1.0)
    for i in range(len(radii)):
        radius = radii[i]
        ax, ay, az, bx, by, bz = starts[i, 0], starts[i, 1], starts[i, 2], ends[i, 0], ends[i, 1], ends[i, 2]
        if max(ay, by) + radius < 0.0:
            continue
        blur = 0.6 * footprint(lens, 0.5 * (ax + bx), 0.5 * (az + bz))
        sharp = 0.012 + blur
        soft = sharp + softness * per_rise * max(ay, 0.0), sharp + softness * per_rise * max(by, 0.0)
        a = ax - hx * slide * ay, az - hz * slide * ay
        b = bx - hx * slide * by, bz - hz * slide * by
        ink = min(1.0, radius / soft[0]), min(1.0, radius / soft[1])
        stroke(on_sun, sunward, a, b, (radius, soft, ink))
        gap = min(ay, by) - radius
        if gap < CONTACT_HEIGHT:
            ink = contact_ink(ay - radius), contact_ink(by - radius)
            near = 0.06 + 0.6 * max(gap, 0.0) + blur
            stroke(on_contact, plain, (ax, az), (bx, bz), (radius, (near, near), ink))


@pixel_kernel
def contact_ink(gap):
    """How dark a body part this far above the ground [m] makes the ground below, 0..1."""
    near = 1.0 - min(max(gap, 0.0) / CONTACT_HEIGHT, 1.0)
    return near * near


@pixel_kernel
def footprint(lens, x, z):
    """Width [m] of a pixel at the ground point (x, z)."""
    if lens[15] == 0:
        return 1.0 / lens[12]
    depth = lens[9] * (x - lens[0]) - lens[10] * lens[1] + lens[11] * (z - lens[2])
    return max(depth, NEAR_PLANE) / lens[12]


@pixel_kernel
def stroke(canvas, metric, a, b, pen):
    """Raise a plane to the ink of a soft thick segment between ground points a and b.

    canvas: the plane (H * S) 0..1; spans (H, 2), the first and last touched column of each row, widened here;
    size; lens; rows of `survey_ground`. metric: (m00, m01, m10, m11), linear map of (x, z) to the plane where
    distances are taken; there the ink falls from full at radius - soft to none at radius + soft [m]. pen: radius,
    then soft and ink, each with its values at a and at b.
    """
    plane, spans, size, lens, rows = canvas
    radius, soft, _ = pen
    width, _, stride = size
    reach = radius + max(soft[0], soft[1])
    top, bottom = _rows_of(lens, size, metric, a, b, reach)
    along, across, length = _stroke_frame(metric, b[0] - a[0], b[1] - a[1])
    brush = brush_of(pen, length)
    # Image rows are parallel lines on the ground: how they run across the stroke is known before the loop.
    right_along = _not_zero(along[0] * lens[3] + along[1] * lens[5])
    right_across = _not_zero(across[0] * lens[3] + across[1] * lens[5])
    per_along, per_across = 1.0 / right_along, 1.0 / right_across
    for y in range(top, bottom + 1):
        x, z = rows[y, 1] - a[0], rows[y, 2] - a[1]
        here, beside = along[0] * x + along[1] * z, across[0] * x + across[1] * z
        low, high = _between(here, rows[y, 4] * per_along, -reach, length + reach)
        low_2, high_2 = _between(beside, rows[y, 4] * per_across, -reach, reach)
        first = math.ceil(max(0.0, low, low_2))
        last = math.floor(min(width - 1.0, high, high_2))
        if first > last or rows[y, 0] <= 0.0:
            continue
        spans[y, 0], spans[y, 1] = min(spans[y, 0], first), max(spans[y, 1], last)
        step_here, step_beside = right_along * rows[y, 3], right_across * rows[y, 3]
        line = (
            (float32(here + first * step_here), float32(step_here)),
            (float32(beside + first * step_beside), float32(step_beside)),
        )
        _stroke_row(plane, y * stride + first, ((last - first + 8) >> 3) << 3, line, brush)


@pixel_kernel
def _stroke_frame(metric, x, z):
    """Ground vectors whose products give the place along and across a stroke (x, z), and its length.

    A point has any direction, and a length that can be divided by.
    """
    u, v = metric[0] * x + metric[1] * z, metric[2] * x + metric[3] * z
    length = math.sqrt(u * u + v * v)
    if length < 1e-6:
        u, v, length = 1.0, 0.0, 1e-6
    else:
        u, v = u / length, v / length
    along = (u * metric[0] + v * metric[2], u * metric[1] + v * metric[3])
    across = (u * metric[2] - v * metric[0], u * metric[3] - v * metric[1])
    return along, across, length


@pixel_inlined
def brush_of(pen, length):
    """What `ink_at` needs of a pen, for a stroke of this length [m]."""
    radius, soft, ink = pen
    per_length = 1.0 / length
    return (
        float32(length),
        _ramp(radius + soft[0], radius + soft[1], per_length),
        _ramp(_fall(radius, soft[0]), _fall(radius, soft[1]), per_length),
        _ramp(ink[0], ink[1], per_length),
    )


@pixel_inlined
def ink_at(at, off, brush):
    """Ink 0..1 of a stroke at a place `at` [m] along it and `off` [m] beside it."""
    length, outer, fall, ink = brush
    zero, one = float32(0), float32(1)
    t = min(max(at, zero), length)
    past, edge = at - t, outer[0] + t * outer[1]
    # Squares all the way: a root and a quotient a pixel would double the cost of a crowd's shadows.
    inside = (edge * edge - off * off - past * past) * (fall[0] + t * fall[1])
    inside = min(max(inside, zero), one)
    return inside * inside * (float32(3) - inside - inside) * (ink[0] + t * ink[1])


@pixel_inlined
def _ramp(begin, end, per_length):
    """Value at the begin of a stroke, and what each metre adds."""
    return float32(begin), float32((end - begin) * per_length)


@pixel_inlined
def _fall(radius, soft):
    """How fast ink falls with the square of the distance, to reach from radius - soft to radius + soft."""
    outer, inner = radius + soft, max(radius - soft, 0.0)
    return 1.0 / (outer * outer - inner * inner)


@pixel_inlined
def _not_zero(value):
    return value if abs(value) > 1e-9 else 1e-9


@pixel_inlined
def _between(at, columns, low, high):
    """Columns where a value that is `at` in column 0 and grows by 1 every `columns` lies from low to high."""
    one, two = (low - at) * columns, (high - at) * columns
    return min(one, two), max(one, two)


@pixel_inlined
def _stroke_row(plane, first, count, line, brush):
    """Ink `count` pixels of one row; line: place along and across the stroke, each with its step a column."""
    here, beside = line
    for j in range(count):
        i = uint64(first + j)
        x = float32(int32(j))
        plane[i] = max(plane[i], ink_at(here[0] + x * here[1], beside[0] + x * beside[1], brush))


@pixel_kernel
def _rows_of(lens, size, metric, a, b, reach):
    """First and last image row whose centre a stroke may touch."""
    forward_x, forward_z = lens[5], -lens[3]
    # Extent along the view of a disc of the metric plane, seen on the ground: |M^-T forward| * reach.
    u, v = metric[3] * forward_x - metric[2] * forward_z, metric[0] * forward_z - metric[1] * forward_x
    extent = reach * math.sqrt(u * u + v * v) / abs(metric[0] * metric[3] - metric[1] * metric[2])
    ahead_a = (a[0] - lens[0]) * forward_x + (a[1] - lens[2]) * forward_z
    ahead_b = (b[0] - lens[0]) * forward_x + (b[1] - lens[2]) * forward_z
    near_row = _row_at(lens, min(ahead_a, ahead_b) - extent)
    far_row = _row_at(lens, max(ahead_a, ahead_b) + extent)
    return int(max(far_row, 0.0) + 0.5), int(min(near_row, float(size[1])) + 0.5) - 1


@pixel_kernel
def _row_at(lens, ahead):
    """Image row [px] of the ground this far ahead of the camera [m]; far below the picture if it is behind."""
    forward_x, forward_z = lens[5], -lens[3]
    down = ahead * (lens[6] * forward_x + lens[8] * forward_z) - lens[1] * lens[7]
    if lens[15] == 0:
        return min(max(lens[14] + lens[12] * down, -1e6), 1e6)
    depth = ahead * (lens[9] * forward_x + lens[11] * forward_z) - lens[1] * lens[10]
    if depth < NEAR_PLANE:
        return 1e6
    return min(max(lens[14] + lens[12] * down / depth, -1e6), 1e6)
