"""Do the capsules of two bodies come nearer than the gap, at a frame or on the way to the next?

From one frame to the next every capsule's ends go straight. The gap between two capsules then changes no more
than the ends of one move as seen from the ends of the other. What is left at the beginning and at the end of a
while is so, on average and less half of that, left all the while. Where this proves nothing, the while is halved.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel
from walkon.rotations.kernels import turned, turned_back

PIECES = 16
"""Parts of the way to the next frame that are looked at before two capsules count as too near. With more, they may
come nearer to each other while they move fast (here all but 4 mm, at 4 m/s), and that takes longer."""


class BodyCapsules(NamedTuple):
    """The capsules of R bodies, as their entry poses see them.

    ends: (N, 7) both centres x, y, z and the radius [m]. spans: (R, 3) the first capsule of a row, the first of
    what it goes over to until the next frame, and how many there are; none where nobody knows. middles: (R, 2) x,
    z [m] of the middle of a row's circle. Rows beyond those that there are have none.
    """

    ends: NDArray[np.float32]
    spans: NDArray[np.int32]
    middles: NDArray[np.float64]


NO_CAPSULES = BodyCapsules(np.zeros((0, 7), dtype=np.float32), np.zeros((0, 3), dtype=np.int32), np.zeros((0, 2)))
"""Nobody knows more than outlines."""


_AS_IT_IS = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def capsules_apart(place, row, bodies, other_place, other_row, others, kept):
    """Whether two bodies, by their capsules, surely keep a gap [m] until the next frame; no if nobody knows them.

    place, other_place: x, z, radius [m] of the circle around each body, and its heading.
    """
    if row >= len(bodies.spans) or other_row >= len(others.spans):
        return False
    count, other_count = bodies.spans[row, 2], others.spans[other_row, 2]
    if count == 0 or other_count == 0:
        return False
    # Capsules are described in own and seen, as `_lay` does it, as one's own entry pose sees them.
    own, seen = np.empty((count, 19)), np.empty((other_count, 19))
    frame = _seen_from(place, row, bodies, other_place, other_row, others)
    _lay(bodies, row, 0, _AS_IT_IS, kept, own, 0)
    _lay(others, other_row, 0, frame, 0.0, seen, 0)
    if not _pair_apart(own, 0, seen, 0, kept):
        return False  # the thickest parts of both: mostly that tells
    middle_x, middle_z = frame[4], frame[5]
    there_x, there_z = bodies.middles[row]
    near = _lay_near(bodies, row, _AS_IT_IS, kept, middle_x, middle_z, other_place[2] + kept, own)
    other_near = _lay_near(others, other_row, frame, 0.0, there_x, there_z, place[2] + kept, seen)
    for k in range(near):
        for other in range(other_near):
            if _boxes_meet(own, k, seen, other) and not _pair_apart(own, k, seen, other, kept):
                return False
    return True


@inlined
def _seen_from(place, row, bodies, other_place, other_row, others):
    """How one's own entry pose sees the other's: sine and cosine of its heading, x, z [m] of its place; and of the
    middle of the other's circle."""
    sine, cosine = math.sin(place[3]), math.cos(place[3])
    away_x, away_z = turned_back(other_place[0] - place[0], other_place[1] - place[1], sine, cosine)
    middle_x, middle_z = bodies.middles[row, 0] + away_x, bodies.middles[row, 1] + away_z
    turn = other_place[3] - place[3]
    sine, cosine = math.sin(turn), math.cos(turn)
    x, z = turned(others.middles[other_row, 0], others.middles[other_row, 1], sine, cosine)
    return sine, cosine, middle_x - x, middle_z - z, middle_x, middle_z


@kernel
def _lay_near(bodies, row, frame, more, x, z, reach, into):
    """Describe the capsules of a body that come into a square around x, z; returns how many do."""
    near = 0
    for k in range(bodies.spans[row, 2]):
        _lay(bodies, row, k, frame, more, into, near)
        beside = max(into[near, 13] - x, x - into[near, 16]) < reach
        if beside and max(into[near, 15] - z, z - into[near, 18]) < reach:
            near += 1
    return near


@inlined
def _lay(bodies, row, k, frame, more, into, at):
    """Describe a capsule of a body in a row of into (·, 19): its ends in a frame (6) and in the next (6), the
    radius, and the least and the greatest x, y, z of all it does, with `more` [m] around it."""
    sine, cosine, away_x, away_z = frame[0], frame[1], frame[2], frame[3]
    for then in range(2):
        number = bodies.spans[row, then] + k
        for end in range(0, 6, 3):
            x, z = turned(bodies.ends[number, end], bodies.ends[number, end + 2], sine, cosine)
            to = 6 * then + end
            into[at, to], into[at, to + 1], into[at, to + 2] = x + away_x, bodies.ends[number, end + 1], z + away_z
    radius = bodies.ends[bodies.spans[row, 0] + k, 6]
    into[at, 12] = radius
    for axis in range(3):
        one, two, three, four = into[at, axis], into[at, axis + 3], into[at, axis + 6], into[at, axis + 9]
        into[at, 13 + axis] = min(one, two, three, four) - radius - more
        into[at, 16 + axis] = max(one, two, three, four) + radius + more


@inlined
def _boxes_meet(one, i, two, j):
    return (
        one[i, 13] < two[j, 16] and two[j, 13] < one[i, 16]
        and one[i, 15] < two[j, 18] and two[j, 15] < one[i, 18]
        and one[i, 14] < two[j, 17] and two[j, 14] < one[i, 17]
    )  # fmt: skip


@kernel
def _pair_apart(one, i, two, j, kept):
    """Whether two capsules, as `_lay` describes them, surely keep a gap [m] until the next frame."""
    kept = kept + one[i, 12] + two[j, 12]
    begins = _distance_at(one, i, two, j, 0.0) - kept
    if begins < 0.0:
        return False
    ends = _distance_at(one, i, two, j, 1.0) - kept
    if ends < 0.0:
        return False
    change, pieces = _change(one, i, two, j), 1
    proven = begins + ends >= change
    while not proven and pieces < PIECES:
        pieces *= 2
        before, proven = begins, True
        for piece in range(1, pieces + 1):
            gap = _distance_at(one, i, two, j, piece / pieces) - kept
            if gap < 0.0:
                return False
            proven = proven and before + gap >= change / pieces
            before = gap
    return proven


@inlined
def _change(one, i, two, j):
    """The most [m] that an end of one capsule moves as seen from an end of the other."""
    most = 0.0
    for end in range(0, 6, 3):
        for other in range(0, 6, 3):
            squared = 0.0
            for axis in range(3):
                moved = one[i, 6 + end + axis] - one[i, end + axis]
                moved -= two[j, 6 + other + axis] - two[j, other + axis]
                squared += moved * moved
            most = max(most, squared)
    return math.sqrt(most)


@kernel
def _distance_at(one, i, two, j, share):
    """The distance [m] between the axes of two capsules at a share of the way to the next frame."""
    ax, ay, az = _at(one, i, 0, share), _at(one, i, 1, share), _at(one, i, 2, share)
    px, py, pz = _at(one, i, 3, share) - ax, _at(one, i, 4, share) - ay, _at(one, i, 5, share) - az
    bx, by, bz = _at(two, j, 0, share), _at(two, j, 1, share), _at(two, j, 2, share)
    qx, qy, qz = _at(two, j, 3, share) - bx, _at(two, j, 4, share) - by, _at(two, j, 5, share) - bz
    rx, ry, rz = bx - ax, by - ay, bz - az
    pp, qq, pq = px * px + py * py + pz * pz, qx * qx + qy * qy + qz * qz, px * qx + py * qy + pz * qz
    pr, qr = px * rx + py * ry + pz * rz, qx * rx + qy * ry + qz * rz
    # Inside of both, or from an end of one to the other: the least of these is the distance.
    least, across = math.inf, pp * qq - pq * pq
    if across > 1e-12 * pp * qq:
        s, t = (pr * qq - pq * qr) / across, (pr * pq - pp * qr) / across
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            x, y, z = rx + t * qx - s * px, ry + t * qy - s * py, rz + t * qz - s * pz
            least = x * x + y * y + z * z
    for end in range(2):
        s = _share(pr + end * pq, pp)
        x, y, z = rx + end * qx - s * px, ry + end * qy - s * py, rz + end * qz - s * pz
        least = min(least, x * x + y * y + z * z)
        t = _share(end * pq - qr, qq)
        x, y, z = rx + t * qx - end * px, ry + t * qy - end * py, rz + t * qz - end * pz
        least = min(least, x * x + y * y + z * z)
    return math.sqrt(least)


@inlined
def _at(capsules, k, number, share):
    return capsules[k, number] + share * (capsules[k, 6 + number] - capsules[k, number])


@inlined
def _share(along, squared):
    """Where on a segment its nearest point to something is: 0 to 1."""
    return min(max(along / squared, 0.0), 1.0) if squared > 1e-18 else 0.0
