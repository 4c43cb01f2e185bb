"""Distances from points and segments to the shapes of obstacles, in the shape's own frame.

Every piece of an obstacle is convex, so the signed distance to it is a convex function of the point, and its least
value along a segment is found by golden section: one method for all shapes, and no case to forget. Inside a
solid the distance is negative; a triangle of a mesh has no inside.

A piece is a kind and nine numbers:
    BOX        half width, height, half depth
    CYLINDER   radius, height
    POLE       radius, length (0: a ball)
    PRISM      x, z of three corners, height
    TRIANGLE   x, y, z of three corners
"""

from __future__ import annotations

import math

from walkon.kernels import kernel

BOX, CYLINDER, POLE, PRISM, TRIANGLE = 0, 1, 2, 3, 4

GOLDEN = 0.6180339887498949
GOLDEN_STOP = 1e-9
"""Golden section stops when less than this [m] of the segment is left."""


@kernel
def _to_edge(x, z, ax, az, bx, bz):
    """Squared distance in the plane from a point to the segment ab."""
    dx, dz = bx - ax, bz - az
    length = dx * dx + dz * dz
    share = 0.0
    if length > 0.0:
        share = min(max(((x - ax) * dx + (z - az) * dz) / length, 0.0), 1.0)
    return (x - ax - share * dx) ** 2 + (z - az - share * dz) ** 2


@kernel
def _to_flat_triangle(x, z, piece):
    """Signed distance in the plane from a point to the triangle whose corners lead the piece, either way round."""
    ax, az, bx, bz, cx, cz = piece[0], piece[1], piece[2], piece[3], piece[4], piece[5]
    squared = min(_to_edge(x, z, ax, az, bx, bz), _to_edge(x, z, bx, bz, cx, cz), _to_edge(x, z, cx, cz, ax, az))
    one = (bx - ax) * (z - az) - (bz - az) * (x - ax)
    two = (cx - bx) * (z - bz) - (cz - bz) * (x - bx)
    three = (ax - cx) * (z - cz) - (az - cz) * (x - cx)
    inside = (one >= 0.0 and two >= 0.0 and three >= 0.0) or (one <= 0.0 and two <= 0.0 and three <= 0.0)
    return -math.sqrt(squared) if inside else math.sqrt(squared)


@kernel
def _upright(across, y, height):
    """Signed distance to a solid that stands upright from 0 to height, from that to its outline."""
    along = max(-y, y - height)
    if across <= 0.0 or along <= 0.0:
        return max(across, along)
    return math.hypot(across, along)


@kernel
def _to_triangle(x, y, z, piece):
    """Distance from a point to a triangle in space: to its plane where the foot lies inside, else to an edge."""
    ax, ay, az = piece[0], piece[1], piece[2]
    ux, uy, uz = piece[3] - ax, piece[4] - ay, piece[5] - az
    vx, vy, vz = piece[6] - ax, piece[7] - ay, piece[8] - az
    px, py, pz = x - ax, y - ay, z - az
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    area = nx * nx + ny * ny + nz * nz
    if area > 1e-24:
        # Barycentric coordinates of the foot, by volumes.
        b = ((py * vz - pz * vy) * nx + (pz * vx - px * vz) * ny + (px * vy - py * vx) * nz) / area
        c = ((uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz) / area
        if b >= 0.0 and c >= 0.0 and b + c <= 1.0:
            return abs(px * nx + py * ny + pz * nz) / math.sqrt(area)
    least = math.inf
    for i in range(3):
        j = 3 * ((i + 1) % 3)
        ex, ey, ez = piece[j] - piece[3 * i], piece[j + 1] - piece[3 * i + 1], piece[j + 2] - piece[3 * i + 2]
        qx, qy, qz = x - piece[3 * i], y - piece[3 * i + 1], z - piece[3 * i + 2]
        length = ex * ex + ey * ey + ez * ez
        share = 0.0
        if length > 0.0:
            share = min(max((qx * ex + qy * ey + qz * ez) / length, 0.0), 1.0)
        least = min(least, (qx - share * ex) ** 2 + (qy - share * ey) ** 2 + (qz - share * ez) ** 2)
    return math.sqrt(least)


@kernel
def point_distance(kind, piece, x, y, z):
    """Signed distance [m] from a point to a piece."""
    if kind == BOX:
        dx, dz = abs(x) - piece[0], abs(z) - piece[2]
        across = max(dx, dz) if dx <= 0.0 or dz <= 0.0 else math.hypot(dx, dz)
        return _upright(across, y, piece[1])
    if kind == CYLINDER:
        return _upright(math.hypot(x, z) - piece[0], y, piece[1])
    if kind == POLE:
        above = y - min(max(y, 0.0), piece[1])
        return math.sqrt(x * x + above * above + z * z) - piece[0]
    if kind == PRISM:
        return _upright(_to_flat_triangle(x, z, piece), y, piece[6])
    return _to_triangle(x, y, z, piece)


@kernel
def segment_distance(kind, piece, ax, ay, az, bx, by, bz):
    """Least signed distance [m] from the segment ab to a piece."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    low, high = 0.0, 1.0
    s, t = 1.0 - GOLDEN, GOLDEN
    at_s, at_t, least = 0.0, 0.0, math.inf
    share, step, left = 0.0, 0, False
    while step < 4 or (high - low) * length > GOLDEN_STOP:
        # Both ends first, then two places between, then always the one that the last comparison asks for.
        if step < 4:
            share = (0.0, 1.0, s, t)[step]
        elif left:
            s = share = high - GOLDEN * (high - low)
        else:
            t = share = low + GOLDEN * (high - low)
        distance = point_distance(kind, piece, ax + share * dx, ay + share * dy, az + share * dz)
        least = min(least, distance)
        if step == 2 or (step >= 4 and left):
            at_s = distance
        else:
            at_t = distance
        step += 1
        if step >= 4:
            left = at_s <= at_t
            if left:
                high, t, at_t = t, s, at_s
            else:
                low, s, at_s = s, t, at_t
    return least


@kernel
def is_inside(pieces, first, last, x, y, z):
    """Whether a point lies inside the closed mesh of triangles first to last, by the angles they fill around
    it."""
    total = 0.0
    for i in range(first, last):
        ax, ay, az = pieces[i, 0] - x, pieces[i, 1] - y, pieces[i, 2] - z
        bx, by, bz = pieces[i, 3] - x, pieces[i, 4] - y, pieces[i, 5] - z
        cx, cy, cz = pieces[i, 6] - x, pieces[i, 7] - y, pieces[i, 8] - z
        a, b, c = math.sqrt(ax * ax + ay * ay + az * az), math.sqrt(bx * bx + by * by + bz * bz), 0.0
        c = math.sqrt(cx * cx + cy * cy + cz * cz)
        volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        ab, bc, ca = ax * bx + ay * by + az * bz, bx * cx + by * cy + bz * cz, cx * ax + cy * ay + cz * az
        total += math.atan2(volume, a * b * c + ab * c + bc * a + ca * b)
    return abs(total) > math.pi


@kernel
def segment_gap(one, other):
    """Distance [m] between two segments, each a tuple of six numbers: x, y, z of both ends."""
    ax, ay, az, bx, by, bz = one
    cx, cy, cz, dx, dy, dz = other
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = dx - cx, dy - cy, dz - cz
    wx, wy, wz = ax - cx, ay - cy, az - cz
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    uv = ux * vx + uy * vy + uz * vz
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    least = math.inf
    det = uu * vv - uv * uv
    if det > 1e-12 * uu * vv:
        s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            least = (wx + s * ux - t * vx) ** 2 + (wy + s * uy - t * vy) ** 2 + (wz + s * uz - t * vz) ** 2
    # Otherwise, and for parallel ones, the nearest place is at an end of one of the two.
    for end in range(2):
        t = 0.0
        if vv > 0.0:
            t = min(max((vw + end * uv) / vv, 0.0), 1.0)
        least = min(
            least,
            (wx + end * ux - t * vx) ** 2 + (wy + end * uy - t * vy) ** 2 + (wz + end * uz - t * vz) ** 2,
        )
        s = 0.0
        if uu > 0.0:
            s = min(max((end * uv - uw) / uu, 0.0), 1.0)
        least = min(
            least,
            (wx + s * ux - end * vx) ** 2 + (wy + s * uy - end * vy) ** 2 + (wz + s * uz - end * vz) ** 2,
        )
    return math.sqrt(least)


@kernel
def rotate_back(q, x, y, z):
    """A vector as seen from the frame whose rotation is the quaternion q (4,) wxyz."""
    w, i, j, k = q[0], -q[1], -q[2], -q[3]
    tx, ty, tz = 2.0 * (j * z - k * y), 2.0 * (k * x - i * z), 2.0 * (i * y - j * x)
    return (
        x + w * tx + j * tz - k * ty,
        y + w * ty + k * tx - i * tz,
        z + w * tz + i * ty - j * tx,
    )


@kernel
def between(first, second, share, out):
    """Fill out (7,) with a pose on the way from first to second, each x, y, z and a quaternion: places go
    straight, rotations take the shorter arc at a steady pace."""
    dot = 0.0
    for c in range(3):
        out[c] = first[c] + share * (second[c] - first[c])
    for c in range(3, 7):
        dot += first[c] * second[c]
    sign = -1.0 if dot < 0.0 else 1.0
    angle = math.acos(min(abs(dot), 1.0))
    if angle < 1e-9:
        a, b = 1.0 - share, share
    else:
        a, b = math.sin((1.0 - share) * angle) / math.sin(angle), math.sin(share * angle) / math.sin(angle)
    norm = 0.0
    for c in range(3, 7):
        out[c] = a * first[c] + sign * b * second[c]
        norm += out[c] * out[c]
    norm = math.sqrt(norm)
    for c in range(3, 7):
        out[c] /= norm


@kernel
def turned(first, second):
    """Angle [rad] between the rotations of two poses (7,)."""
    dot = 0.0
    for c in range(3, 7):
        dot += first[c] * second[c]
    return 2.0 * math.acos(min(abs(dot), 1.0))
