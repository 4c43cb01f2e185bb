"""Kernels of support tables, and of discs that cover what they stand for."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.motion.features._bounding_kernels import enclosing_circle


@kernel
def supports(positions, starts, ends, spans, radii, compass, low, high, found):
    """Raise found (F, 2, K) to the supports of capsules between joints (F, J, 3): of what is below the height
    `low`, and of what is above `high`, at a frame or on the way to it or from it. What goes up or down by so much
    counts on both sides, so that the larger of two frames holds all that is between them."""
    for frame in range(len(positions)):
        for capsule in range(len(starts)):
            a, b = positions[frame, starts[capsule]], positions[frame, ends[capsule]]
            s, t, radius = spans[capsule, 0], spans[capsule, 1], radii[capsule]
            y, rise = a[1] + s * (b[1] - a[1]), (t - s) * (b[1] - a[1])
            travel = _travel(positions, frame, starts[capsule], ends[capsule])
            for band in range(2):
                height = low + travel if band == 0 else high - travel
                first, last = _clipped(y, rise, radius, height, band == 0)
                if first > last:
                    continue
                for share in (s + first * (t - s), s + last * (t - s)):
                    x, z = a[0] + share * (b[0] - a[0]), a[2] + share * (b[2] - a[2])
                    for k in range(len(compass)):
                        reach = x * compass[k, 0] + z * compass[k, 1] + radius
                        found[frame, band, k] = max(found[frame, band, k], reach)


@kernel
def _travel(positions, frame, start, end):
    """How far up or down either joint moves at most, to the frame before or after."""
    most = 0.0
    for other in (max(frame - 1, 0), min(frame + 1, len(positions) - 1)):
        for joint in (start, end):
            most = max(most, abs(positions[other, joint, 1] - positions[frame, joint, 1]))
    return most


@kernel
def _clipped(y, rise, radius, height, below):
    """The shares from and to of a capsule's axis, which begins at height y and rises, around which anything can be
    below a height, or above it; 1, 0 if nothing is."""
    limit = height + radius if below else height - radius
    begins = y <= limit if below else y >= limit
    ends = y + rise <= limit if below else y + rise >= limit
    if begins and ends:
        return 0.0, 1.0
    if not begins and not ends:
        return 1.0, 0.0
    share = (limit - y) / rise
    return (0.0, share) if begins else (share, 1.0)


@kernel
def cover(corners, discs):
    """Discs (N, 3) x, z, radius that cover a convex polygon (K, 2): it is cut across its long axis."""
    size, count = len(corners), len(discs)
    along_x, along_z = _long_axis(corners)
    low, high = math.inf, -math.inf
    for k in range(size):
        along = corners[k, 0] * along_x + corners[k, 1] * along_z
        low, high = min(low, along), max(high, along)
    points = np.empty((2 * size, 3))
    chosen, support = np.empty(4, dtype=np.int64), np.empty(3, dtype=np.int64)
    for slice_ in range(count):
        begin, end = low + (high - low) * slice_ / count, low + (high - low) * (slice_ + 1) / count
        used = _slice(corners, along_x, along_z, begin, end, points)
        support[0] = 0
        x, z, radius, _ = enclosing_circle(points[:used], chosen, support, 1)
        discs[slice_, 0], discs[slice_, 1], discs[slice_, 2] = x, z, radius


@kernel
def cover_all(corners, discs):
    """The discs (F, N, 3) of many polygons (F, K, 2)."""
    for row in range(len(corners)):
        cover(corners[row], discs[row])


@kernel
def _long_axis(corners):
    """The direction x, z across which a convex polygon (K, 2) is narrowest."""
    size, least, found = len(corners), math.inf, 0.0
    for k in range(size // 2):
        turn = math.pi * k / (size // 2)
        low, high = math.inf, -math.inf
        for i in range(size):
            across = corners[i, 0] * math.cos(turn) - corners[i, 1] * math.sin(turn)
            low, high = min(low, across), max(high, across)
        if high - low < least:
            least, found = high - low, turn
    return math.sin(found), math.cos(found)


@kernel
def _slice(corners, along_x, along_z, begin, end, points):
    """The corners (·, 3) of a convex polygon between two lines across a direction, with radius 0; their number."""
    used, size = 0, len(corners)
    for k in range(size):
        x, z = corners[k, 0], corners[k, 1]
        then_x, then_z = corners[(k + 1) % size, 0], corners[(k + 1) % size, 1]
        here, there = x * along_x + z * along_z, then_x * along_x + then_z * along_z
        if begin - 1e-9 <= here <= end + 1e-9:
            points[used, 0], points[used, 1], points[used, 2] = x, z, 0.0
            used += 1
        for limit in (begin, end):
            if (here - limit) * (there - limit) < 0.0 and used < len(points):
                share = (limit - here) / (there - here)
                points[used, 0], points[used, 1] = x + share * (then_x - x), z + share * (then_z - z)
                points[used, 2] = 0.0
                used += 1
    return used
