"""Kernels: does anybody touch an obstacle? At every frame and at all times between.

As between people: gaps change no faster than the two sides move, so intervals of time are proven free or
halved. An obstacle goes straight and turns at a steady pace from frame to frame.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.metrics.audit._kernels_bodies import capsule_at
from walkon.metrics.audit._kernels_people import FINDING_COLUMNS, GAP_ACCURACY, TOUCH_DEPTH, add_row
from walkon.metrics.audit._kernels_shapes import (
    between,
    is_inside,
    point_distance,
    rotate_back,
    segment_distance,
    turned,
)


@kernel
def _local(pose, x, y, z):
    return rotate_back(pose[3:7], x - pose[0], y - pose[1], z - pose[2])


@kernel
def _world(pose, x, y, z):
    w, i, j, k = pose[3], pose[4], pose[5], pose[6]
    tx, ty, tz = 2.0 * (j * z - k * y), 2.0 * (k * x - i * z), 2.0 * (i * y - j * x)
    return (
        x + w * tx + j * tz - k * ty + pose[0],
        y + w * ty + k * tx - i * tz + pose[1],
        z + w * tz + i * ty - j * tx + pose[2],
    )


@kernel
def point_gap(things, thing, pose, x, y, z):
    """Least distance [m] from a point to an obstacle's pieces, negative inside a piece."""
    x, y, z = _local(pose, x, y, z)
    least = math.inf
    for p in range(things.piece_starts[thing], things.piece_starts[thing + 1]):
        ball = things.balls[p]
        far = math.sqrt((x - ball[0]) ** 2 + (y - ball[1]) ** 2 + (z - ball[2]) ** 2) - ball[3]
        if far < least:
            least = min(least, point_distance(things.kinds[p], things.pieces[p], x, y, z))
    return least


@kernel
def is_in_mesh(things, thing, x, y, z):
    """Whether a point of an obstacle's own frame lies inside it, if it is a closed mesh."""
    hull = things.hulls[thing]
    if not things.closed[thing] or (x - hull[0]) ** 2 + (y - hull[1]) ** 2 + (z - hull[2]) ** 2 > hull[3] ** 2:
        return False
    return is_inside(things.pieces, things.piece_starts[thing], things.piece_starts[thing + 1], x, y, z)


@kernel
def thing_gap(things, thing, pose, ends):
    """Signed distance [m] from the segment with ends (6,) to an obstacle; how deep it is, at least, if
    negative."""
    ax, ay, az = _local(pose, ends[0], ends[1], ends[2])
    bx, by, bz = _local(pose, ends[3], ends[4], ends[5])
    mx, my, mz = 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)
    half = 0.5 * math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
    first, last = things.piece_starts[thing], things.piece_starts[thing + 1]
    least = math.inf
    for p in range(first, last):
        ball = things.balls[p]
        if math.sqrt((mx - ball[0]) ** 2 + (my - ball[1]) ** 2 + (mz - ball[2]) ** 2) - ball[3] - half < least:
            distance = segment_distance(things.kinds[p], things.pieces[p], ax, ay, az, bx, by, bz)
            least = min(least, distance)
    if least > 0.0 and is_in_mesh(things, thing, ax, ay, az):
        return -least
    return least


@kernel
def _motion(pose, after, hull):
    """How far [m] any point of an obstacle moves at most from one pose to the next because it turns."""
    reach = math.sqrt(hull[0] ** 2 + hull[1] ** 2 + hull[2] ** 2) + hull[3]
    return turned(pose, after) * reach


@kernel
def _relative_speed(a, b, pose, after, turning):
    """The most [m] that the gap between a capsule, on its way from a (6,) to b, and an obstacle can change."""
    most = 0.0
    for end in range(2):
        total = 0.0
        for c in range(3):
            total += (b[3 * end + c] - a[3 * end + c] - after[c] + pose[c]) ** 2
        most = max(most, total)
    return math.sqrt(most) + turning


@kernel
def least_thing_gap(things, thing, journey, radius, known, stack, room):
    """Least gap between a capsule on its way and an obstacle, and when; as for two capsules.

    journey: poses (7,) of the obstacle and ends (6,) of the capsule, each in this frame and in the next. known: a
    gap that is known already; larger ones do not matter.
    """
    pose, after, a, b = journey
    way, ends = room
    speed = _relative_speed(a, b, pose, after, _motion(pose, after, things.hulls[thing]))
    at_0, at_1 = thing_gap(things, thing, pose, a) - radius, thing_gap(things, thing, after, b) - radius
    least, when = (at_0, 0.0) if at_0 <= at_1 else (at_1, 1.0)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0.0, at_0, 1.0, at_1
    size = 1
    while size > 0 and least >= -0.5 * TOUCH_DEPTH:
        size -= 1
        s, at_s, t, at_t = stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3]
        if 0.5 * (at_s + at_t - speed * (t - s)) >= max(-TOUCH_DEPTH, min(known, least) - GAP_ACCURACY):
            continue
        middle = 0.5 * (s + t)
        between(pose, after, middle, way)
        for c in range(6):
            ends[c] = a[c] + middle * (b[c] - a[c])
        gap = thing_gap(things, thing, way, ends) - radius
        if gap < least:
            least, when = gap, middle
        stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3] = s, at_s, middle, gap
        stack[size + 1, 0], stack[size + 1, 1], stack[size + 1, 2], stack[size + 1, 3] = middle, gap, t, at_t
        size += 2
    return least, when


@kernel
def _is_far(things, thing, pose, after, c, d, low, high, near):
    """Whether a body is farther than `near` [m] from an obstacle from one frame to the next.

    c, d: its circles. low, high: heights between which it stays.
    """
    hull = things.hulls[thing]
    turning = _motion(pose, after, hull)
    half = 0.5 * (high - low)
    speed = math.sqrt(
        (d[0] - c[0] - after[0] + pose[0]) ** 2
        + (after[1] - pose[1]) ** 2
        + (d[1] - c[1] - after[2] + pose[2]) ** 2
    )
    margin = near + speed + turning + half + max(c[2], d[2])
    hx, hy, hz = _world(pose, hull[0], hull[1], hull[2])
    y = low + half
    if math.sqrt((c[0] - hx) ** 2 + (y - hy) ** 2 + (c[1] - hz) ** 2) - hull[3] > margin:
        return True
    x, z = c[0], c[1]
    if point_gap(things, thing, pose, x, y, z) <= margin:
        return False
    lx, ly, lz = _local(pose, x, y, z)
    return not is_in_mesh(things, thing, lx, ly, lz)


@kernel
def _is_capsule_far(things, thing, pose, after, a, b, margin):
    """Whether a capsule's axis, on its way from a (6,) to b, stays farther than `margin` [m] from an obstacle."""
    half = 0.5 * math.sqrt((a[3] - a[0]) ** 2 + (a[4] - a[1]) ** 2 + (a[5] - a[2]) ** 2)
    x, y, z = 0.5 * (a[0] + a[3]), 0.5 * (a[1] + a[4]), 0.5 * (a[2] + a[5])
    gap = point_gap(things, thing, pose, x, y, z)
    if gap - half - _relative_speed(a, b, pose, after, 0.0) <= margin:
        return False
    x, y, z = _local(pose, x, y, z)
    return not is_in_mesh(things, thing, x, y, z)


@kernel
def _room():
    """Room to work in: a pose (7,), ends (6,) of a capsule."""
    return np.empty(7), np.empty(6)


@kernel
def bump(bodies, things, person, near, best):
    """Every obstacle that one person touches: findings (·, 7) of frame, person, obstacle, gap, when, capsule, 0.

    Also how often something came within `near` [m]. best: (5,) the least gap so far, and frame, person, obstacle
    and moment of it.
    """
    rows, count, pairs = np.empty((64, FINDING_COLUMNS)), 0, 0
    room, stack, a, b = _room(), np.empty((64, 4)), np.empty(6), np.empty(6)
    capsules = bodies.capsule_starts[person + 1] - bodies.capsule_starts[person]
    for thing in range(len(things.hulls)):
        first, last = things.pose_starts[thing], things.pose_starts[thing + 1] - 1
        for f in range(bodies.frames[person]):
            g = min(f + 1, bodies.frames[person] - 1)
            frame = f + bodies.first[person]
            pose, after = things.poses[min(first + frame, last)], things.poses[min(first + frame + g - f, last)]
            row = bodies.frame_starts[person]
            c, d = bodies.circles[row + f], bodies.circles[row + g]
            low = min(bodies.lows[row + f], bodies.lows[row + g])
            high = max(bodies.highs[row + f], bodies.highs[row + g])
            if _is_far(things, thing, pose, after, c, d, low, high, near):
                continue
            pairs += 1
            least, at, bone = near, 0.0, -1
            turning = _motion(pose, after, things.hulls[thing])
            for k in range(capsules):
                capsule_at(bodies, person, f, k, a)
                capsule_at(bodies, person, g, k, b)
                radius = bodies.radii[bodies.capsule_starts[person] + k]
                if _is_capsule_far(things, thing, pose, after, a, b, radius + turning + max(least, 0.0)):
                    continue
                gap, when = least_thing_gap(things, thing, (pose, after, a, b), radius, least, stack, room)
                if gap < least:
                    least, at, bone = gap, when, k
            if bone >= 0 and least < best[0]:
                best[0], best[1], best[2], best[3], best[4] = least, frame, person, thing, at
            if bone >= 0 and least < -0.5 * TOUCH_DEPTH:
                rows = add_row(rows, count, frame, person, thing, least, at, bone, 0)
                count += 1
    return rows[:count], pairs


@kernel
def nearest(bodies, things, person, thing, first, last):
    """Least gap [m] between a person's body and an obstacle at their frames first to last."""
    least = math.inf
    ends = np.empty(6)
    capsules = bodies.capsule_starts[person + 1] - bodies.capsule_starts[person]
    start, stop = things.pose_starts[thing], things.pose_starts[thing + 1] - 1
    for f in range(max(first, 0), last + 1):
        pose = things.poses[min(start + f + bodies.first[person], stop)]
        for k in range(capsules):
            capsule_at(bodies, person, f, k, ends)
            radius = bodies.radii[bodies.capsule_starts[person] + k]
            if not _is_capsule_far(things, thing, pose, pose, ends, ends, radius + least):
                least = min(least, thing_gap(things, thing, pose, ends) - radius)
    return least
