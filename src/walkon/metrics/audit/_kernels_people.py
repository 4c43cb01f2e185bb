"""Kernels: do people meet? At every frame and at all times between, circles first, then capsule by capsule.

From one frame to the next every capsule's ends go straight. The gap between two capsules then changes no faster
than the largest difference between the ways of their ends, so an interval whose ends are far enough apart for
its length is proven free; any other is halved, until it is proven or a place is found where the two overlap.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.metrics.audit._kernels_bodies import capsule_at
from walkon.metrics.audit._kernels_shapes import segment_gap

TOUCH_DEPTH = 1e-4
"""Overlaps deeper than this [m] are always found; overlaps of less than half of it are never reported."""

GAP_ACCURACY = 1e-3
"""Accuracy [m] to which the least gap of a pair is searched for. Finer takes longer and tells nobody more."""

FINDING_COLUMNS = 10
"""Numbers of a finding: frame, first, second, gap [m], share of the way to the next frame, the capsules of both,
and x, y, z [m] of the middle of the first one's capsule at that frame."""


@kernel
def add_row(rows, count, finding, ends):
    """The findings with one more, in twice the room when there is none left.

    finding: the first seven numbers. ends: (6,) of the first one's capsule.
    """
    if count == len(rows):
        larger = np.empty((2 * len(rows), FINDING_COLUMNS))
        for i in range(count):
            for j in range(FINDING_COLUMNS):
                larger[i, j] = rows[i, j]
        rows = larger
    a, b, c, d, e, f, g = finding
    rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = a, b, c, d
    rows[count, 4], rows[count, 5], rows[count, 6] = e, f, g
    for axis in range(3):
        rows[count, 7 + axis] = 0.5 * (ends[axis] + ends[3 + axis])
    return rows


@kernel
def _circle_gap(c0, c1, d0, d1, share):
    x = c0[0] - d0[0] + share * (c1[0] - c0[0] - d1[0] + d0[0])
    z = c0[1] - d0[1] + share * (c1[1] - c0[1] - d1[1] + d0[1])
    return math.hypot(x, z) - c0[2] - d0[2] - share * (c1[2] - c0[2] + d1[2] - d0[2])


@kernel
def least_circle_gap(c0, c1, d0, d1):
    """Least gap of two circles on their ways from c0 to c1 and d0 to d1, and when.

    It is the root of a quadratic less a line, convex in time: least at an end, or where its slope is none.
    """
    at_0, at_1 = _circle_gap(c0, c1, d0, d1, 0.0), _circle_gap(c0, c1, d0, d1, 1.0)
    least, when = (at_0, 0.0) if at_0 <= at_1 else (at_1, 1.0)
    x, z = c0[0] - d0[0], c0[1] - d0[1]
    vx, vz = c1[0] - c0[0] - d1[0] + d0[0], c1[1] - c0[1] - d1[1] + d0[1]
    grows = c1[2] - c0[2] + d1[2] - d0[2]
    square = vx * vx + vz * vz
    if square > grows * grows:
        aside = x * vz - z * vx
        share = (grows * abs(aside) / math.sqrt(square - grows * grows) - x * vx - z * vz) / square
        if 0.0 < share < 1.0:
            gap = _circle_gap(c0, c1, d0, d1, share)
            if gap < least:
                least, when = gap, share
    return least, when


@kernel
def _on_the_way(a, b, share):
    """The ends of a segment on its way from a (6,) to b, as six numbers."""
    return (
        a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]),
        a[3] + share * (b[3] - a[3]), a[4] + share * (b[4] - a[4]), a[5] + share * (b[5] - a[5]),
    )  # fmt: skip


@kernel
def _gap_at(a0, a1, b0, b1, share):
    return segment_gap(_on_the_way(a0, a1, share), _on_the_way(b0, b1, share))


@kernel
def _fastest(a0, a1, b0, b1):
    """The most [m] that the gap of two capsules can change from one frame to the next."""
    most = 0.0
    for i in range(2):
        for j in range(2):
            total = 0.0
            for c in range(3):
                total += (a1[3 * i + c] - a0[3 * i + c] - b1[3 * j + c] + b0[3 * j + c]) ** 2
            most = max(most, total)
    return math.sqrt(most)


@kernel
def least_capsule_gap(a0, a1, b0, b1, thickness, known, stack):
    """Least gap of two capsules between two frames, and when; overlaps count as soon as one is found.

    a0, a1, b0, b1: (6,) their ends at both frames. thickness: both radii. known: a gap that need not be
    bettered by less than GAP_ACCURACY. stack: (64, 4) room to work in.
    """
    speed = _fastest(a0, a1, b0, b1)
    at_0, at_1 = _gap_at(a0, a1, b0, b1, 0.0) - thickness, _gap_at(a0, a1, b0, b1, 1.0) - thickness
    least, when = (at_0, 0.0) if at_0 <= at_1 else (at_1, 1.0)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0.0, at_0, 1.0, at_1
    size = 1
    while size > 0 and least >= -0.5 * TOUCH_DEPTH:
        size -= 1
        s, at_s, t, at_t = stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3]
        if 0.5 * (at_s + at_t - speed * (t - s)) >= max(-TOUCH_DEPTH, min(known, least) - GAP_ACCURACY):
            continue
        middle = 0.5 * (s + t)
        gap = _gap_at(a0, a1, b0, b1, middle) - thickness
        if gap < least:
            least, when = gap, middle
        stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3] = s, at_s, middle, gap
        stack[size + 1, 0], stack[size + 1, 1], stack[size + 1, 2], stack[size + 1, 3] = middle, gap, t, at_t
        size += 2
    return least, when


@kernel
def _sweep(bodies, person, frame, after, boxes):
    """Fill boxes (K, 6) around a person's capsules from one frame to the next; gives their number."""
    first = bodies.capsule_starts[person]
    count = bodies.capsule_starts[person + 1] - first
    ends = np.empty(6)
    for k in range(count):
        for c in range(3):
            boxes[k, c], boxes[k, 3 + c] = math.inf, -math.inf
        for f in (frame, after):
            capsule_at(bodies, person, f, k, ends)
            for c in range(6):
                boxes[k, c % 3] = min(boxes[k, c % 3], ends[c] - bodies.radii[first + k])
                boxes[k, 3 + c % 3] = max(boxes[k, 3 + c % 3], ends[c] + bodies.radii[first + k])
    return count


@kernel
def boxes_apart(one, two):
    """How far two boxes (6,) are apart at least; 0 where they overlap."""
    total = 0.0
    for c in range(3):
        gap = max(one[c] - two[3 + c], two[c] - one[3 + c], 0.0)
        total += gap * gap
    return math.sqrt(total)


@kernel
def least_body_gap(bodies, i, j, f, g, f_after, g_after, known, room):
    """Least gap of two bodies between two frames: gap, when, capsules; `known` where all are farther apart.

    f, g: frames of either person, and the next ones. room: (boxes, boxes, stack, four (6,) ends).
    """
    ours, theirs, stack, ends = room
    count, others = _sweep(bodies, i, f, f_after, ours), _sweep(bodies, j, g, g_after, theirs)
    least, when, our_bone, their_bone = known, 0.0, -1, -1
    for k in range(count):
        for m in range(others):
            if boxes_apart(ours[k], theirs[m]) > max(least, 0.0):
                continue
            capsule_at(bodies, i, f, k, ends[0])
            capsule_at(bodies, i, f_after, k, ends[1])
            capsule_at(bodies, j, g, m, ends[2])
            capsule_at(bodies, j, g_after, m, ends[3])
            thickness = bodies.radii[bodies.capsule_starts[i] + k] + bodies.radii[bodies.capsule_starts[j] + m]
            gap, share = least_capsule_gap(ends[0], ends[1], ends[2], ends[3], thickness, least, stack)
            if gap < least:
                least, when, our_bone, their_bone = gap, share, k, m
    return least, when, our_bone, their_bone


@kernel
def _sort_by_left(reach, order, count):
    """Fill order (count,) with the rows of reach from the least left edge on; by insertion, which is quick for
    rows that are sorted already, but for the first frame."""
    for i in range(count):
        j = i
        while j > 0 and reach[order[j - 1], 0] > reach[i, 0]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


@kernel
def _present(bodies, circles, frame, here, reach):
    """Fill here (N,) with whoever is there at a frame, and reach (N, 4) with the least and greatest x and z of
    their circles until the next one; gives their number."""
    present = 0
    for person in range(len(bodies.frames)):
        f = frame - bodies.first[person]
        if 0 <= f < bodies.frames[person]:
            row = bodies.frame_starts[person] + f
            after = row + 1 if f + 1 < bodies.frames[person] else row
            c, d = circles[row], circles[after]
            for axis in range(2):
                reach[present, 2 * axis] = min(c[axis] - c[2], d[axis] - d[2])
                reach[present, 2 * axis + 1] = max(c[axis] + c[2], d[axis] + d[2])
            here[present] = person
            present += 1
    return present


@kernel
def _add_key(keys, count, key):
    """The numbers (·,) with one more, in twice the room when there is none left."""
    if count == len(keys):
        larger = np.empty(2 * len(keys), dtype=np.int64)
        larger[:count] = keys
        keys = larger
    keys[count] = key
    return keys


@kernel
def meet(bodies, circles, first_frame, last_frame, near, best, overlapped):
    """Everybody who meets from first_frame of the take up to, not including, last_frame.

    Gives findings of bodies that touch, how many pairs came near, and pairs (·,) whose circles overlap, as
    first · people + second, once for every frame. circles: (F, 3) of all people. best: (2, 5) the least gaps so
    far of circles and of bodies (gap, frame, persons, share of the way; bodies only within `near` [m]); updated.
    overlapped: (F,) of all people; set where a circle overlaps another on its way to the next frame.
    """
    people = len(bodies.frames)
    most = 1
    for person in range(people):
        most = max(most, bodies.capsule_starts[person + 1] - bodies.capsule_starts[person])
    room = (np.empty((most, 6)), np.empty((most, 6)), np.empty((64, 4)), np.empty((4, 6)))
    rows, count, pairs = np.empty((64, FINDING_COLUMNS)), 0, 0
    here, order = np.empty(people, dtype=np.int64), np.empty(people, dtype=np.int64)
    reach = np.empty((people, 4))
    keys, overlaps = np.empty(64, dtype=np.int64), 0
    for frame in range(first_frame, last_frame):
        present = _present(bodies, circles, frame, here, reach)
        _sort_by_left(reach, order, present)
        for p in range(present):
            u = order[p]
            for q in range(p + 1, present):
                v = order[q]
                if reach[v, 0] > reach[u, 1] + near:
                    break
                if reach[v, 2] > reach[u, 3] + near or reach[u, 2] > reach[v, 3] + near:
                    continue
                i, j = min(here[u], here[v]), max(here[u], here[v])
                f, g = frame - bodies.first[i], frame - bodies.first[j]
                both = f + 1 < bodies.frames[i] and g + 1 < bodies.frames[j]
                step = 1 if both else 0
                a, b = bodies.frame_starts[i] + f, bodies.frame_starts[j] + g
                gap, when = least_circle_gap(circles[a], circles[a + step], circles[b], circles[b + step])
                if gap < best[0, 0]:
                    best[0, 0], best[0, 1], best[0, 2], best[0, 3], best[0, 4] = gap, frame, i, j, when
                if gap < -TOUCH_DEPTH:
                    overlapped[a] = overlapped[b] = True
                    keys = _add_key(keys, overlaps, i * people + j)
                    overlaps += 1
                # Circles hold bodies: these are no nearer to each other than their circles.
                if gap > min(near, max(best[1, 0], 0.0)):
                    continue
                pairs += 1
                known = max(min(near, best[1, 0]), 0.0)
                gap, when, k, m = least_body_gap(bodies, i, j, f, g, f + step, g + step, known, room)
                if k >= 0 and gap < best[1, 0]:
                    best[1, 0], best[1, 1], best[1, 2], best[1, 3], best[1, 4] = gap, frame, i, j, when
                if k >= 0 and gap < -0.5 * TOUCH_DEPTH:
                    capsule_at(bodies, i, f, k, room[3][0])
                    rows = add_row(rows, count, (frame, i, j, gap, when, k, m), room[3][0])
                    count += 1
    return rows[:count], pairs, keys[:overlaps]
