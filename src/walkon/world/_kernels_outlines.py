"""Kernels that draw outlines on the ground: the layer that counts, its hull, and fewer corners around that."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel

FLAT = 1e-14  # [m²] twice the area of three points that count as one line


@kernel
def layer_points(points, edges, low, high, found):
    """Ground points of the part of a convex hull that lies between two heights.

    points (N, 3): its corners. edges (E, 2): pairs of them, with all edges of the hull among them. found (>= N +
    2 E, 2): receives x, z. Returns how many: the corners in the layer, and where edges cross its limits.
    """
    count = 0
    for a in range(len(points)):
        if low <= points[a, 1] <= high:
            found[count, 0] = points[a, 0]
            found[count, 1] = points[a, 2]
            count += 1
    for e in range(len(edges)):
        a, b = edges[e, 0], edges[e, 1]
        below, above = points[a, 1], points[b, 1]
        for side in range(2):
            level = low if side == 0 else high
            if (below < level) == (above < level) or level in (below, above):
                continue
            t = (level - below) / (above - below)
            found[count, 0] = points[a, 0] + t * (points[b, 0] - points[a, 0])
            found[count, 1] = points[a, 2] + t * (points[b, 2] - points[a, 2])
            count += 1
    return count


@kernel
def _turn(ax, az, bx, bz, cx, cz):
    return (bx - ax) * (cz - az) - (bz - az) * (cx - ax)


@kernel
def _extend(hull, size, floor, x, z):
    """Add a point to a chain that starts at hull[floor], dropping corners that do not turn left. Returns its
    size."""
    while size >= floor + 2 and (
        _turn(hull[size - 2, 0], hull[size - 2, 1], hull[size - 1, 0], hull[size - 1, 1], x, z) <= FLAT
    ):
        size -= 1
    hull[size, 0] = x
    hull[size, 1] = z
    return size + 1


@kernel
def _sort(points):
    """Sort points (N, 2) by x, then z, in place. Shell's way: there are few, and it compiles in no time."""
    gap = len(points) // 2
    while gap > 0:
        for k in range(gap, len(points)):
            x, z = points[k, 0], points[k, 1]
            j = k - gap
            while j >= 0 and (points[j, 0] > x or (points[j, 0] == x and points[j, 1] > z)):
                points[j + gap, 0], points[j + gap, 1] = points[j, 0], points[j, 1]
                j -= gap
            points[j + gap, 0], points[j + gap, 1] = x, z
        gap = 1 if gap == 2 else int(gap / 2.2)


@kernel
def convex_hull(points, hull):
    """Convex hull of points (N, 2), N >= 1, which it sorts, into hull (>= 2 N, 2), counter-clockwise from x to
    z. Returns its size: 1 when all points are the same, 2 when they are on a line."""
    _sort(points)
    last = len(points) - 1
    if points[0, 0] == points[last, 0] and points[0, 1] == points[last, 1]:
        hull[0, 0], hull[0, 1] = points[0, 0], points[0, 1]
        return 1
    size = 0
    for k in range(last + 1):
        size = _extend(hull, size, 0, points[k, 0], points[k, 1])
    floor = size - 1
    for k in range(last - 1, -1, -1):
        size = _extend(hull, size, floor, points[k, 0], points[k, 1])
    return size - 1


@kernel
def _overlap_without(hull, size, k):
    """Area [m²] added when the edge from corner k is dropped and its neighbours are lengthened until they meet,
    and where they meet; infinite area where they do not."""
    p, q, r = (k - 1) % size, (k + 1) % size, (k + 2) % size
    ux, uz = hull[k, 0] - hull[p, 0], hull[k, 1] - hull[p, 1]
    vx, vz = hull[r, 0] - hull[q, 0], hull[r, 1] - hull[q, 1]
    wx, wz = hull[q, 0] - hull[k, 0], hull[q, 1] - hull[k, 1]
    cross = ux * vz - uz * vx
    if cross <= 1e-9 * math.hypot(ux, uz) * math.hypot(vx, vz):
        return math.inf, 0.0, 0.0
    t = (wx * vz - wz * vx) / cross
    x, z = hull[k, 0] + t * ux, hull[k, 1] + t * uz
    return 0.5 * abs(_turn(hull[k, 0], hull[k, 1], hull[q, 0], hull[q, 1], x, z)), x, z


@kernel
def fewer_corners(hull, size, most):
    """Draw a convex hull with at most `most` (>= 4) corners around one with more, in place. Returns its size."""
    while size > most:
        least, best, best_x, best_z = math.inf, -1, 0.0, 0.0
        for k in range(size):
            area, x, z = _overlap_without(hull, size, k)
            if area < least:
                least, best, best_x, best_z = area, k, x, z
        if best < 0:  # only when corners coincide: then one of them is no corner
            best, best_x, best_z = 0, hull[1, 0], hull[1, 1]
        hull[best, 0], hull[best, 1] = best_x, best_z
        for k in range((best + 1) % size, size - 1):
            hull[k, 0], hull[k, 1] = hull[k + 1, 0], hull[k + 1, 1]
        size -= 1
    return size


@kernel
def draw_outlines(points, edges, low, high, corners, sizes, discs):
    """Outlines on the ground of a moving convex hull, where it is between low and high (T,).

    points (T, N, 3), edges (E, 2): as for `layer_points`. Fills corners (T, HULL, 2), sizes (T,): 0 where
    nothing of it is in the layer; discs (T, 3): a circle around the corners.
    """
    frames, n, _ = points.shape
    most = corners.shape[1]
    found = np.empty((n + 2 * len(edges), 2))
    hull = np.empty((2 * len(found) + 2, 2))
    for t in range(frames):
        count = layer_points(points[t], edges, low[t], high[t], found)
        if count == 0:
            sizes[t] = 0
            continue
        size = fewer_corners(hull, convex_hull(found[:count], hull), most)
        sizes[t] = size
        left, right, near, far = math.inf, -math.inf, math.inf, -math.inf
        for k in range(size):
            left, right = min(left, hull[k, 0]), max(right, hull[k, 0])
            near, far = min(near, hull[k, 1]), max(far, hull[k, 1])
        x, z, radius = 0.5 * (left + right), 0.5 * (near + far), 0.0
        for k in range(most):
            last = min(k, size - 1)
            corners[t, k, 0], corners[t, k, 1] = hull[last, 0], hull[last, 1]
            radius = max(radius, math.hypot(hull[last, 0] - x, hull[last, 1] - z))
        discs[t, 0], discs[t, 1], discs[t, 2] = x, z, radius


@kernel
def ground_ranges(origin_x, origin_z, cell, heights, boxes, lowest, highest):
    """Least and greatest height of the ground over boxes (T, 4) x0, z0, x1, z1, into lowest and highest (T,): of
    all vertices of the cells that a box touches, so never too narrow."""
    rows, columns = heights.shape
    for t in range(len(boxes)):
        i0 = int(min(max(math.floor((boxes[t, 0] - origin_x) / cell), 0.0), columns - 1.0))
        j0 = int(min(max(math.floor((boxes[t, 1] - origin_z) / cell), 0.0), rows - 1.0))
        i1 = int(min(max(math.ceil((boxes[t, 2] - origin_x) / cell), 0.0), columns - 1.0))
        j1 = int(min(max(math.ceil((boxes[t, 3] - origin_z) / cell), 0.0), rows - 1.0))
        lowest[t] = highest[t] = heights[j0, i0]
        for j in range(j0, j1 + 1):
            for i in range(i0, i1 + 1):
                lowest[t] = min(lowest[t], heights[j, i])
                highest[t] = max(highest[t], heights[j, i])
