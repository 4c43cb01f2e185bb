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
    BOX,
    CYLINDER,
    POLE,
    PRISM,
    TRIANGLE,
    between,
    is_inside,
    point_distance,
    rotate_back,
    segment_distance,
    slab_distance,
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
def height_range(things, thing, pose):
    """Heights [m] of the lowest and the highest point of an obstacle."""
    # What is up for the world, as the obstacle sees it.
    ux, uy, uz = rotate_back(pose[3:7], 0.0, 1.0, 0.0)
    low, high = math.inf, -math.inf
    for p in range(things.piece_starts[thing], things.piece_starts[thing + 1]):
        piece, kind = things.pieces[p], things.kinds[p]
        if kind <= POLE:
            middle = 0.5 * uy * piece[1]
            if kind == BOX:
                reach = abs(ux) * piece[0] + 0.5 * abs(uy) * piece[1] + abs(uz) * piece[2]
            elif kind == CYLINDER:
                reach = 0.5 * abs(uy) * piece[1] + piece[0] * math.hypot(ux, uz)
            else:
                reach = 0.5 * abs(uy) * piece[1] + piece[0]
            low, high = min(low, middle - reach), max(high, middle + reach)
            continue
        for c in range(3):
            if kind == PRISM:
                base = ux * piece[2 * c] + uz * piece[2 * c + 1]
                top = base + uy * piece[6]
                low, high = min(low, base, top), max(high, base, top)
            else:
                at = ux * piece[3 * c] + uy * piece[3 * c + 1] + uz * piece[3 * c + 2]
                low, high = min(low, at), max(high, at)
    return low + pose[1], high + pose[1]


@kernel
def _faces_outline_gap(things, thing, pose, x, z, low, high, room):
    """Distance [m] on the ground from (x, z) to what of an obstacle's faces lies between two heights.

    Negative inside: an upright line that meets no face between the heights is inside all the way or not at all.
    """
    least = math.inf
    corners = room[2]
    for p in range(things.face_starts[thing], things.face_starts[thing + 1]):
        face = things.faces[p]
        for c in range(3):
            wx, wy, wz = _world(pose, face[3 * c], face[3 * c + 1], face[3 * c + 2])
            corners[3 * c], corners[3 * c + 1], corners[3 * c + 2] = wx, wy, wz
        if min(corners[1], corners[4], corners[7]) <= high and max(corners[1], corners[4], corners[7]) >= low:
            least = min(least, slab_distance(corners, low, high, x, z, room[0], room[1]))
    if least <= 0.0:
        return least
    y = 0.5 * (low + high)
    lx, ly, lz = _local(pose, x, y, z)
    solid = things.kinds[things.piece_starts[thing]] != TRIANGLE
    if is_in_mesh(things, thing, lx, ly, lz) or (solid and point_gap(things, thing, pose, x, y, z) < 0.0):
        return -least if least < math.inf else -1.0
    return least


@kernel
def _pole_outline_gap(piece, pose, x, z, low, high):
    """The same for a pole or a ball: along its axis, the distance less what its roundness leaves between the
    heights; convex where anything is left."""
    tx, ty, tz = _world(pose, 0.0, piece[1], 0.0)
    dx, dy, dz = tx - pose[0], ty - pose[1], tz - pose[2]
    first, last = 0.0, 1.0
    if abs(dy) > 1e-12:
        s, t = (low - piece[0] - pose[1]) / dy, (high + piece[0] - pose[1]) / dy
        first, last = max(first, min(s, t)), min(last, max(s, t))
    elif pose[1] < low - piece[0] or pose[1] > high + piece[0]:
        return math.inf
    if first > last:
        return math.inf
    least = math.inf
    for step in range(62):
        s, t = first + (last - first) / 3.0, last - (last - first) / 3.0
        if step == 0:
            s, t = first, last
        gaps = (math.inf, math.inf)
        for way in range(2):
            at = s if way == 0 else t
            y = pose[1] + at * dy
            outside = max(low - y, y - high, 0.0)
            left = math.sqrt(max(piece[0] * piece[0] - outside * outside, 0.0))
            gap = math.hypot(x - pose[0] - at * dx, z - pose[2] - at * dz) - left
            gaps = (gap, gaps[1]) if way == 0 else (gaps[0], gap)
        least = min(least, gaps[0], gaps[1])
        if step > 0:
            if gaps[0] <= gaps[1]:
                last = t
            else:
                first = s
    return least


@kernel
def outline_gap(things, thing, pose, x, z, low, high, room):
    """Distance [m] on the ground from (x, z) to what of an obstacle lies between two heights, seen from above.

    Negative inside; inf where nothing of it lies there. An upright solid looks the same at all heights: the
    distance is that to an upright line through all of it.
    """
    first = things.piece_starts[thing]
    kind = things.kinds[first]
    bottom, top = height_range(things, thing, pose)
    if top <= low or bottom >= high:
        return math.inf
    if kind == POLE:
        return _pole_outline_gap(things.pieces[first], pose, x, z, low, high)
    _, up, _ = rotate_back(pose[3:7], 0.0, 1.0, 0.0)
    if kind == TRIANGLE or abs(up) < 1.0 - 1e-12:
        return _faces_outline_gap(things, thing, pose, x, z, low, high, room)
    ends = room[2]
    ends[0], ends[1], ends[2], ends[3], ends[4], ends[5] = x, bottom - 1.0, z, x, top + 1.0, z
    return thing_gap(things, thing, pose, ends)


@kernel
def _motion(pose, after, hull):
    """How far [m] any point of an obstacle moves at most from one pose to the next because it turns."""
    reach = math.sqrt(hull[0] ** 2 + hull[1] ** 2 + hull[2] ** 2) + hull[3]
    return turned(pose, after) * reach


@kernel
def _gap_on_the_way(things, thing, journey, share, low, high, room):
    """Gap [m] at a share of the way; see `least_circle_gap`."""
    pose, after, c, d = journey
    way = room[3]
    between(pose, after, share, way)
    x, z = c[0] + share * (d[0] - c[0]), c[1] + share * (d[1] - c[1])
    return outline_gap(things, thing, way, x, z, low, high, room) - c[2] - share * (d[2] - c[2])


@kernel
def least_circle_gap(things, thing, journey, low, high, stack, room):
    """Least gap between a circle on its way and an obstacle's outline between two heights, and when.

    journey: poses (7,) of the obstacle and circles (3,) of the body, each in this frame and in the next. An
    obstacle may come in between the heights from above or below, and its outline appear all at once: an interval
    is proven with heights that hold whatever can come in while it lasts. stack, room: to work in, see `_room`.
    """
    pose, after, c, d = journey
    turning = _motion(pose, after, things.hulls[thing])
    upward = abs(after[1] - pose[1]) + turning
    speed = math.hypot(d[0] - c[0] - after[0] + pose[0], d[1] - c[1] - after[2] + pose[2])
    speed += abs(d[2] - c[2]) + turning
    at_0 = _gap_on_the_way(things, thing, journey, 0.0, low, high, room)
    at_1 = _gap_on_the_way(things, thing, journey, 1.0, low, high, room)
    least, when = (at_0, 0.0) if at_0 <= at_1 else (at_1, 1.0)
    stack[0, 0], stack[0, 1] = 0.0, 1.0
    size = 1
    while size > 0 and least >= -0.5 * TOUCH_DEPTH:
        size -= 1
        s, t = stack[size, 0], stack[size, 1]
        slack = upward * (t - s)
        at_s = _gap_on_the_way(things, thing, journey, s, low - slack, high + slack, room)
        at_t = _gap_on_the_way(things, thing, journey, t, low - slack, high + slack, room)
        enough = max(-TOUCH_DEPTH, least - GAP_ACCURACY) if least < math.inf else -TOUCH_DEPTH
        if 0.5 * (at_s + at_t - speed * (t - s)) >= enough or (speed + upward) * (t - s) <= TOUCH_DEPTH:
            continue
        middle = 0.5 * (s + t)
        gap = _gap_on_the_way(things, thing, journey, middle, low, high, room)
        if gap < least:
            least, when = gap, middle
        stack[size, 0], stack[size, 1] = s, middle
        stack[size + 1, 0], stack[size + 1, 1] = middle, t
        size += 2
    return least, when


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
    way, ends = room[3], room[4]
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
    """Room to work in: two polygons (8, 3), corners (9,) of a face, a pose (7,), ends (6,) of a capsule."""
    return np.empty((8, 3)), np.empty((8, 3)), np.empty(9), np.empty(7), np.empty(6)


@kernel
def bump(bodies, things, person, near, best):
    """Every obstacle that one person touches: findings (·, 7) of frame, person, obstacle, gap, when, capsule, 0.

    Also how often something came within `near` [m]. best: (2, 5) least gaps so far of circles and of bodies.
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
            if not things.special[thing]:
                # What only touches the soles or the hair from outside is not in the way.
                journey = (pose, after, c, d)
                gap, when = least_circle_gap(
                    things, thing, journey, low + TOUCH_DEPTH, high - TOUCH_DEPTH, stack, room
                )
                if gap < best[0, 0]:
                    best[0, 0], best[0, 1], best[0, 2], best[0, 3], best[0, 4] = gap, frame, person, thing, when
                if gap < -0.5 * TOUCH_DEPTH:
                    rows = add_row(rows, count, frame, person, thing, gap, when, -1, 0)
                    count += 1
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
            if bone >= 0 and least < best[1, 0]:
                best[1, 0], best[1, 1], best[1, 2], best[1, 3], best[1, 4] = least, frame, person, thing, at
            if bone >= 0 and least < -0.5 * TOUCH_DEPTH:
                rows = add_row(rows, count, frame, person, thing, least, at, bone, 0)
                count += 1
    return rows[:count], pairs


@kernel
def nearest(bodies, things, person, thing, first, last):
    """Least gap [m] on the ground between a person's circle and an obstacle at their frames first to last."""
    least = math.inf
    room = _room()
    start, stop = things.pose_starts[thing], things.pose_starts[thing + 1] - 1
    for f in range(max(first, 0), last + 1):
        c = bodies.circles[bodies.frame_starts[person] + f]
        pose = things.poses[min(start + f + bodies.first[person], stop)]
        least = min(least, outline_gap(things, thing, pose, c[0], c[1], -1e3, 1e3, room) - c[2])
    return least
