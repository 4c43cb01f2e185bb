"""Kernels: does anybody touch an obstacle? At every frame and at all times between.

As between people: gaps change no faster than the two sides move, so intervals of time are proven free or
halved. An obstacle goes straight and turns at a steady pace from frame to frame.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.metrics.audit._kernels_bodies import capsule_at
from walkon.metrics.audit._kernels_people import FINDING_COLUMNS, GAP_ACCURACY, TOUCH_DEPTH, add_row, boxes_apart
from walkon.metrics.audit._kernels_shapes import (
    between,
    is_inside,
    point_distance,
    rotate_back,
    segment_distance,
    turned,
)

STRETCH_FRAMES = 32
"""Frames that are passed over at once where a body and an obstacle are apart. With more, fewer stretches are; with
fewer, more boxes are compared."""


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
def _is_far(things, thing, pose, after, box, near):
    """Whether a body is farther than `near` [m] from an obstacle from one frame to the next.

    box: (6,) that holds the body all the while.
    """
    hull = things.hulls[thing]
    half, moved = 0.0, 0.0
    for c in range(3):
        half += (0.5 * (box[3 + c] - box[c])) ** 2
        moved += (after[c] - pose[c]) ** 2
    margin = near + math.sqrt(moved) + _motion(pose, after, hull) + math.sqrt(half)
    hx, hy, hz = _world(pose, hull[0], hull[1], hull[2])
    x, y, z = 0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5])
    if math.sqrt((x - hx) ** 2 + (y - hy) ** 2 + (z - hz) ** 2) - hull[3] > margin:
        return True
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
def _hold(boxes, first, last, out):
    """Fill out (6,) with a box around boxes (·, 6) first to last."""
    for c in range(3):
        out[c], out[3 + c] = math.inf, -math.inf
    for row in range(first, last + 1):
        for c in range(3):
            out[c] = min(out[c], boxes[row, c])
            out[3 + c] = max(out[3 + c], boxes[row, 3 + c])


@kernel
def hold_thing(things, thing, first, last, out):
    """Fill out (6,) with a box around an obstacle from pose first to last of all poses, and on the way."""
    box, hull = things.boxes[thing], things.hulls[thing]
    for c in range(3):
        out[c], out[3 + c] = math.inf, -math.inf
    turning = 0.0
    for row in range(first, last + 1):
        pose = things.poses[row]
        middle = _world(pose, box[0], box[1], box[2])
        for c in range(3):
            # How far the box reaches along an axis of the world, as the obstacle sees that axis.
            ux, uy, uz = rotate_back(pose[3:7], 1.0 * (c == 0), 1.0 * (c == 1), 1.0 * (c == 2))
            half = abs(ux) * box[3] + abs(uy) * box[4] + abs(uz) * box[5]
            out[c] = min(out[c], middle[c] - half)
            out[3 + c] = max(out[3 + c], middle[c] + half)
        if row > first:
            turning = max(turning, _motion(things.poses[row - 1], pose, hull))
    for c in range(3):
        out[c] -= turning
        out[3 + c] += turning


@kernel
def bump(bodies, things, person, near, best):
    """Every obstacle that one person touches: findings, of which the second is an obstacle without a capsule.

    Also how often something came within `near` [m]. best: (5,) the least gap so far, and frame, person, obstacle
    and moment of it. Stretches of frames in which boxes are apart are passed over.
    """
    rows, count, pairs = np.empty((64, FINDING_COLUMNS)), 0, 0
    work, ours, theirs = (_room(), np.empty((64, 4)), np.empty((2, 6))), np.empty(6), np.empty(6)
    for thing in range(len(things.hulls)):
        start, last = things.pose_starts[thing], things.pose_starts[thing + 1] - 1
        for begun in range(0, bodies.frames[person], STRETCH_FRAMES):
            until = min(begun + STRETCH_FRAMES, bodies.frames[person] - 1)
            first = bodies.frame_starts[person]
            _hold(bodies.boxes, first + begun, first + until, ours)
            first = start + bodies.first[person]
            hold_thing(things, thing, min(first + begun, last), min(first + until, last), theirs)
            if boxes_apart(ours, theirs) > near:
                continue
            for f in range(begun, min(begun + STRETCH_FRAMES, bodies.frames[person])):
                g = min(f + 1, bodies.frames[person] - 1)
                pose, after = things.poses[min(first + f, last)], things.poses[min(first + g, last)]
                row = bodies.frame_starts[person]
                _hold(bodies.boxes, row + f, row + g, ours)
                if _is_far(things, thing, pose, after, ours, near):
                    continue
                pairs += 1
                gap, when, bone = _least_gap(bodies, things, person, thing, (f, g), (pose, after), near, work)
                frame = f + bodies.first[person]
                if bone >= 0 and gap < best[0]:
                    best[0], best[1], best[2], best[3], best[4] = gap, frame, person, thing, when
                if bone >= 0 and gap < -0.5 * TOUCH_DEPTH:
                    capsule_at(bodies, person, f, bone, work[2][0])
                    rows = add_row(rows, count, (frame, person, thing, gap, when, bone, 0), work[2][0])
                    count += 1
    return rows[:count], pairs


@kernel
def _least_gap(bodies, things, person, thing, frames, poses, near, work):
    """Least gap [m] between a body and an obstacle from one frame to the next, when, and of which capsule; -1 if
    none comes within `near` [m]. frames: of the person. poses: (7,) of the obstacle."""
    room, stack, ends = work
    least, at, bone = near, 0.0, -1
    turning = _motion(poses[0], poses[1], things.hulls[thing])
    first = bodies.capsule_starts[person]
    for k in range(bodies.capsule_starts[person + 1] - first):
        capsule_at(bodies, person, frames[0], k, ends[0])
        capsule_at(bodies, person, frames[1], k, ends[1])
        radius = bodies.radii[first + k]
        margin = radius + turning + max(least, 0.0)
        if _is_capsule_far(things, thing, poses[0], poses[1], ends[0], ends[1], margin):
            continue
        journey = (poses[0], poses[1], ends[0], ends[1])
        gap, when = least_thing_gap(things, thing, journey, radius, least, stack, room)
        if gap < least:
            least, at, bone = gap, when, k
    return least, at, bone


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
