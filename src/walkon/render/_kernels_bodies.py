"""Kernels that draw capsules: an exact ray-capsule intersection, solved eight pixels at a time.

Camera space has x right, y down, z forward. A pixel's ray is  o + s d  with d_z = 1, so s measures depth:
a perspective camera has o = 0 and d = (X, Y, 1); an orthographic one has o = (X, Y, 0) and d = (0, 0, 1).
`lens` is the flat camera of `camera.Camera.lens`:
    0:3 position, 3:6 right, 6:9 down, 9:12 forward, 12 focal [px], 13:15 centre [px], 15 one if perspective.

Every quantity of the intersection is a polynomial, of degree two at most, in the pixel's column and row.
`_capsule_terms` finds the coefficients in float64, about the capsule's own centre so that nothing large cancels;
`_at_row` fixes the row; `_fill_row` runs along the columns in float32. Its loop has no branch, an index that
cannot be negative, and a length that is a multiple of eight: that is what lets LLVM vectorise it. Rows are
padded, so that a last block may overrun the picture.
"""

from __future__ import annotations

import math

import numpy as np
from numba import float32, int32, uint32, uint64

from walkon.render._jit import BYTE, NEAR_PLANE, pixel_inlined, pixel_kernel

THINNEST = 0.6
"""Least radius [px] of what is drawn."""

SOFT_EDGE = 0.55
"""How far [px] beyond its outline a capsule still tints pixels."""

DEPTH_BINS = 4096
"""Depths that the sort tells apart between the nearest capsule and the farthest; within one, any order will do."""


@pixel_kernel
def draw_capsules(canvas, lens, capsules, light, order):
    """Draw N capsules on a canvas, far ones first so that soft edges lie over what is behind.

    canvas: packed colour 0x00BBGGRR (H * S); depth (H * S) [m]; spans (H, 2), the first and last touched column of
    each row, widened here; size (width, height H, stride S >= width + 8).
    capsules: starts, ends (N, 3) in the world [m]; radii (N,) [m]; tints (N, 3) 0..255; sunlight (N,), the share
    of the sun that comes through, 0..1.
    light: lighting (10,), directions of the sun (3) and of up (3) in camera space, then ambient, hemisphere, key
    and rim weights; fog (5,), its colour (3), its reach [m], and the depth [m] where it begins.
    order: (N,) scratch. Returns the number of pixels that were evaluated.
    """
    colour, depth, spans, size = canvas
    starts, ends, radii, tints, sunlight = capsules
    lighting, fog = light
    sort_far_to_near(lens, starts, ends, order)
    evaluated = 0
    for k in range(len(order)):
        i = order[k]
        a = _to_camera(lens, starts[i, 0], starts[i, 1], starts[i, 2])
        b = _to_camera(lens, ends[i, 0], ends[i, 1], ends[i, 2])
        surface = radii[i], tints[i, 0], tints[i, 1], tints[i, 2], sunlight[i]
        evaluated += _draw_capsule(colour, depth, spans, size, lens, a, b, surface, lighting, fog)
    return evaluated


@pixel_kernel
def sort_far_to_near(lens, starts, ends, order):
    """Fill `order` (N,) by a counting sort on the depth of each capsule's centre."""
    count = len(order)
    lowest, highest = 1e30, -1e30
    depths = np.empty(count)
    for i in range(count):
        z = 0.0
        for c in range(3):
            z += lens[9 + c] * (0.5 * (starts[i, c] + ends[i, c]) - lens[c])
        depths[i] = z
        lowest, highest = min(lowest, z), max(highest, z)
    scale = (DEPTH_BINS - 1) / max(highest - lowest, 1e-9)
    begins = np.zeros(DEPTH_BINS + 1, np.int64)
    for i in range(count):
        begins[_depth_bin(depths[i], highest, scale) + 1] += 1
    for b in range(DEPTH_BINS):
        begins[b + 1] += begins[b]
    for i in range(count):
        b = _depth_bin(depths[i], highest, scale)
        order[begins[b]] = i
        begins[b] += 1


@pixel_inlined
def _depth_bin(depth, highest, scale):
    return min(max(int((highest - depth) * scale), 0), DEPTH_BINS - 1)


@pixel_kernel
def _to_camera(lens, x, y, z):
    x, y, z = x - lens[0], y - lens[1], z - lens[2]
    return (
        lens[3] * x + lens[4] * y + lens[5] * z,
        lens[6] * x + lens[7] * y + lens[8] * z,
        lens[9] * x + lens[10] * y + lens[11] * z,
    )


@pixel_kernel
def _draw_capsule(colour, depth, spans, size, lens, a, b, surface, lighting, fog):
    """Draw one capsule with camera-space ends a and b; returns the number of pixels evaluated."""
    width, height, stride = size
    if lens[15] > 0 and min(a[2], b[2]) - surface[0] < NEAR_PLANE:
        return 0
    centre, axis, half_length = _centre_and_axis(a, b)
    pixels_per_metre = lens[12] / centre[2] if lens[15] > 0 else lens[12]
    # What is thinner than a pixel is drawn a pixel thick, and as much fainter.
    radius = max(surface[0], THINNEST / pixels_per_metre)
    screen_a, screen_b, reach = _outline(lens, a, b, radius)
    top = max(0.0, min(screen_a[1], screen_b[1]) - reach)
    bottom = min(float(height), max(screen_a[1], screen_b[1]) + reach)
    left = max(0.0, min(screen_a[0], screen_b[0]) - reach)
    right = min(float(width), max(screen_a[0], screen_b[0]) + reach)
    if left > right or top > bottom:
        return 0
    shape = (
        float32(radius * radius),
        float32(half_length),
        float32(centre[2]),
        float32(0.5 * pixels_per_metre / radius),
        float32(surface[0] / radius),
        float32(1.0 / radius),
        float32(0.7 * pixels_per_metre),
    )
    paint = _paint(surface, lighting, fog, centre[2])
    pivot_x = math.floor(0.5 * (left + right))
    pivot_y = math.floor(0.5 * (top + bottom))
    terms = _capsule_terms(lens, pivot_x + 0.5, pivot_y + 0.5, centre, axis, radius, lighting)
    slope, half_width = _band(screen_a, screen_b, reach)
    evaluated = 0
    # Pixels whose centres lie within the bounds; a centre is half a pixel from its pixel's number.
    for y in range(int(top + 0.5), int(bottom - 0.5) + 1):
        middle = screen_a[0] + (y + 0.5 - screen_a[1]) * slope
        first = int(max(left, middle - half_width) + 0.5)
        last = int(min(right, middle + half_width) - 0.5)
        if first <= last:
            spans[y, 0], spans[y, 1] = min(spans[y, 0], first), max(spans[y, 1], last)
            count = ((last - first + 8) >> 3) << 3
            row = _at_row(terms, float32(y - pivot_y))
            _fill_row(colour, depth, y * stride + first, count, float32(first - pivot_x), row, shape, paint)
            evaluated += count
    return evaluated


@pixel_kernel
def _outline(lens, a, b, radius):
    """Image points (px) of both ends, and a radius [px] around them that holds the capsule and its soft edge."""
    focal = lens[12]
    if lens[15] == 0:
        scale_a, scale_b, reach = focal, focal, focal * radius
    else:
        # A ball's image is an ellipse; (|c| + r) r / (z² - r²) bounds its long half axis plus the shift of its
        # centre.
        scale_a, scale_b = focal / a[2], focal / b[2]
        square = radius * radius
        reach_a = (math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) + radius) / (a[2] * a[2] - square)
        reach_b = (math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]) + radius) / (b[2] * b[2] - square)
        reach = focal * radius * max(reach_a, reach_b)
    screen_a = (lens[13] + a[0] * scale_a, lens[14] + a[1] * scale_a)
    screen_b = (lens[13] + b[0] * scale_b, lens[14] + b[1] * scale_b)
    return screen_a, screen_b, reach + SOFT_EDGE


@pixel_kernel
def _band(screen_a, screen_b, reach):
    """Columns a slanted capsule covers in a row lie within `half_width` of a line of this slope (dx/dy)."""
    across, down = screen_b[0] - screen_a[0], screen_b[1] - screen_a[1]
    if abs(down) < 1e-3:
        return 0.0, 1e9
    return across / down, reach * math.sqrt(across * across + down * down) / abs(down)


@pixel_kernel
def _centre_and_axis(a, b):
    """Centre, unit axis and half length of the segment; a ball's axis may be any."""
    centre = (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]))
    x, y, z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-9:
        return centre, (1.0, 0.0, 0.0), 0.0
    return centre, (x / length, y / length, z / length), 0.5 * length


@pixel_kernel
def _paint(surface, lighting, fog, depth):
    """Light weights, and for each channel the colour of the air before it and what each unit of light adds."""
    _, red, green, blue, sunlight = surface
    beyond = max(0.0, depth - fog[4]) / fog[3]
    clear = math.exp(-beyond * beyond)
    weights = (float32(lighting[6]), float32(lighting[7]), float32(lighting[8] * sunlight), float32(lighting[9]))
    return (
        weights,
        (float32((1.0 - clear) * fog[0]), float32(clear * red)),
        (float32((1.0 - clear) * fog[1]), float32(clear * green)),
        (float32((1.0 - clear) * fog[2]), float32(clear * blue)),
    )


@pixel_kernel
def _capsule_terms(lens, x, y, centre, axis, radius, lighting):
    """Coefficients, about the image point (x, y) [px], of everything `_fill_row` needs.

    With the ray as q + s d, q on the plane z = centre_z and relative to the centre, and the unit axis a, in order:
    d·d,  d·a,  q·a,  q·d,  A = d·d - (d·a)²,  B = q·d - (q·a)(d·a),  T = q·(d × a),  q·sun, d·sun, a·sun, and the
    same for up. A linear one is (1, x, y), a quadratic one (1, x, y, xx, xy, yy).
    """
    step = 1.0 / lens[12]
    x, y = (x - lens[13]) * step, (y - lens[14]) * step
    scale = centre[2] if lens[15] > 0 else 1.0
    dx, dy, ds = lens[15] * x, lens[15] * y, lens[15] * step
    qx, qy, qs = scale * x - centre[0], scale * y - centre[1], scale * step
    ax, ay, az = axis
    dd = (dx * dx + dy * dy + 1.0, 2.0 * dx * ds, 2.0 * dy * ds, ds * ds, 0.0, ds * ds)
    da = (dx * ax + dy * ay + az, ds * ax, ds * ay)
    qa = (qx * ax + qy * ay, qs * ax, qs * ay)
    qd = (qx * dx + qy * dy, qx * ds + qs * dx, qy * ds + qs * dy, qs * ds, 0.0, qs * ds)
    triple = (
        qx * (dy * az - ay) + qy * (ax - dx * az),
        qs * (dy * az - ay) - ds * qy * az,
        qs * (ax - dx * az) + ds * qx * az,
    )
    return (
        _quadratic(dd),
        _linear(da),
        _linear(qa),
        _quadratic(qd),
        _quadratic(_less_product(dd, da, da)),
        _quadratic(_less_product(qd, qa, da)),
        _linear(triple),
        _light_terms(lighting[0], lighting[1], lighting[2], (qx, qy, qs), (dx, dy, ds), axis, 1.0 / radius),
        _light_terms(lighting[3], lighting[4], lighting[5], (qx, qy, qs), (dx, dy, ds), axis, 1.0 / radius),
    )


@pixel_inlined
def _less_product(quadratic, one, two):
    """The quadratic minus the product of two linear polynomials."""
    return (
        quadratic[0] - one[0] * two[0],
        quadratic[1] - one[0] * two[1] - one[1] * two[0],
        quadratic[2] - one[0] * two[2] - one[2] * two[0],
        quadratic[3] - one[1] * two[1],
        quadratic[4] - one[1] * two[2] - one[2] * two[1],
        quadratic[5] - one[2] * two[2],
    )


@pixel_inlined
def _light_terms(light_x, light_y, light_z, q, d, axis, scale):
    """Coefficients of  n·light = (q + s d - t a)·light / r,  of q, d and a in turn."""
    light_x, light_y, light_z = light_x * scale, light_y * scale, light_z * scale
    return (
        _linear((q[0] * light_x + q[1] * light_y, q[2] * light_x, q[2] * light_y)),
        _linear((d[0] * light_x + d[1] * light_y + light_z, d[2] * light_x, d[2] * light_y)),
        float32(axis[0] * light_x + axis[1] * light_y + axis[2] * light_z),
    )


@pixel_inlined
def _linear(p):
    return float32(p[0]), float32(p[1]), float32(p[2])


@pixel_inlined
def _quadratic(q):
    return float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3]), float32(q[4]), float32(q[5])


@pixel_inlined
def _at_row(terms, y):
    """The terms as polynomials in the column alone, along row y from the pivot."""
    dd, da, qa, qd, a, b, triple, sun, up = terms
    return (
        _quadratic_at(dd, y),
        _linear_at(da, y),
        _linear_at(qa, y),
        _quadratic_at(qd, y),
        _quadratic_at(a, y),
        _quadratic_at(b, y),
        _linear_at(triple, y),
        (_linear_at(sun[0], y), _linear_at(sun[1], y), sun[2]),
        (_linear_at(up[0], y), _linear_at(up[1], y), up[2]),
    )


@pixel_inlined
def _linear_at(terms, y):
    return terms[0] + y * terms[2], terms[1]


@pixel_inlined
def _quadratic_at(terms, y):
    return terms[0] + y * (terms[2] + y * terms[5]), terms[1] + y * terms[4], terms[3]


@pixel_inlined
def _fill_row(colour, depth, first, count, begin, row, shape, paint):
    """Blend `count` pixels of one row, from flat index `first` and column `begin` from the pivot on.

    The ray meets the endless cylinder around the axis at `entry`, or comes closest to it at `closest`, both
    measured along the axis. Clamped to the capsule, `entry` is the centre of the one ball of the capsule that the
    ray hits first; clamped, `closest` gives the distance of ray and segment, hence how much of the pixel is
    covered.
    """
    (d0, d1, d2), (e0, e1), (p0, p1), (g0, g1, g2), (a0, a1, a2), (b0, b1, b2), (t0, t1), sun, up = row
    square, half_length, middle, edge, thickest, inverse, sharp = shape
    (ambient, hemisphere, key, rim), red, green, blue = paint
    zero, half, one, white = float32(0), float32(0.5), float32(1), float32(255)
    for j in range(count):
        i = uint64(first + j)
        x = begin + float32(int32(j))
        dd = d0 + x * (d1 + x * d2)
        aa = max(a0 + x * (a1 + x * a2), float32(1e-7))
        both = one / (aa * dd)
        inverse_aa, inverse_dd = dd * both, aa * both
        da = e0 + x * e1
        triple = t0 + x * t1
        across = triple * triple * inverse_aa
        sine = aa * inverse_dd
        closest = p0 + x * p1 - (b0 + x * (b1 + x * b2)) * inverse_aa * da
        entry = closest - math.sqrt(max(square - across, zero) * inverse_aa) * da
        ball = min(max(entry, -half_length), half_length)
        beyond = closest - min(max(closest, -half_length), half_length)
        covered = min(max((square - across - beyond * beyond * sine) * edge + half, zero), thickest)
        along = closest - ball
        chord = math.sqrt(max(square - across - along * along * sine, zero) * inverse_dd)
        s = (ball * da - (g0 + x * (g1 + x * g2))) * inverse_dd - chord
        z = middle + s
        behind = depth[i]
        # Where two bodies cross, depths meet: let one fade into the other over about a pixel.
        weight = covered * min(max((behind - z) * sharp + half, zero), one)
        facing = sun[0][0] + x * sun[0][1] + s * (sun[1][0] + x * sun[1][1]) - ball * sun[2]
        upward = up[0][0] + x * up[0][1] + s * (up[1][0] + x * up[1][1]) - ball * up[2]
        light = ambient + hemisphere * upward + key * max(facing, zero) + rim * chord * inverse
        old = colour[i]
        r = float32(int32(old & BYTE))
        g = float32(int32((old >> uint32(8)) & BYTE))
        b = float32(int32((old >> uint32(16)) & BYTE))
        r += weight * (min(red[0] + red[1] * light, white) - r) + half
        g += weight * (min(green[0] + green[1] * light, white) - g) + half
        b += weight * (min(blue[0] + blue[1] * light, white) - b) + half
        colour[i] = uint32(int32(r)) | (uint32(int32(g)) << uint32(8)) | (uint32(int32(b)) << uint32(16))
        depth[i] = z if weight > half else behind
