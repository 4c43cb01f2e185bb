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


@kernel
def capsules_apart(place, row, bodies, other_place, other_row, others, kept):
    """Whether two bodies, by their capsules, surely keep a gap [m] until the next frame; no if nobody knows them.

    place, other_place: x, z, radius [m] of the circle around each body, and its heading.
    """
    if row >= len(bodies.spans) or other_row >= len(others.spans):
        return False
    first, after, count = bodies.spans[row]
    if count == 0 or others.spans[other_row, 2] == 0:
        return False
    seen, near = _seen(place, row, bodies, other_place, other_row, others, kept)
    own = np.empty(19)
    for k in range(count):
        _lay(bodies.ends[first + k], bodies.ends[after + k], kept, own)
        for other in range(near):
            if _boxes_meet(own, seen[other]) and not _pair_apart(own, seen[other], kept):
                return False
    return True


@kernel
def _seen(place, row, bodies, other_place, other_row, others, kept):
    """The capsules of another body (K, 19) as `_lay` describes them, as one's own entry pose sees them; and how
    many of them come near to one's circle: those are at the front."""
    first, after, count = others.spans[other_row]
    seen = np.empty((count, 19))
    middle_x, middle_z = bodies.middles[row]
    there_x, there_z = others.middles[other_row]
    sine, cosine = math.sin(place[3]), math.cos(place[3])
    away_x, away_z = turned_back(other_place[0] - place[0], other_place[1] - place[1], sine, cosine)
    away_x, away_z = away_x + middle_x, away_z + middle_z
    turn = other_place[3] - place[3]
    sine, cosine = math.sin(turn), math.cos(turn)
    now, then = np.empty(7), np.empty(7)
    near, reach = 0, place[2] + kept
    for k in range(count):
        for ends, into in ((others.ends[first + k], now), (others.ends[after + k], then)):
            for end in (0, 3):
                x, z = turned(ends[end] - there_x, ends[end + 2] - there_z, sine, cosine)
                into[end], into[end + 1], into[end + 2] = x + away_x, ends[end + 1], z + away_z
            into[6] = ends[6]
        _lay(now, then, 0.0, seen[near])
        box = seen[near]
        apart_x = max(box[13] - middle_x, middle_x - box[16])
        apart_z = max(box[15] - middle_z, middle_z - box[18])
        if apart_x < reach and apart_z < reach:
            near += 1
    return seen, near


@inlined
def _lay(now, then, more, into):
    """Describe a capsule (19,): its ends in a frame (6) and in the next (6), the radius, and the least and the
    greatest x, y, z of all it does, with `more` [m] around it."""
    radius = max(now[6], then[6])
    into[12] = radius
    for axis in range(6):
        into[axis], into[6 + axis] = now[axis], then[axis]
    for axis in range(3):
        low = min(now[axis], now[axis + 3], then[axis], then[axis + 3])
        high = max(now[axis], now[axis + 3], then[axis], then[axis + 3])
        into[13 + axis], into[16 + axis] = low - radius - more, high + radius + more


@inlined
def _boxes_meet(one, two):
    return (
        one[13] < two[16] and two[13] < one[16]
        and one[14] < two[17] and two[14] < one[17]
        and one[15] < two[18] and two[15] < one[18]
    )  # fmt: skip


@kernel
def _pair_apart(one, two, kept):
    """Whether two capsules, as `_lay` describes them, surely keep a gap [m] until the next frame."""
    kept = kept + one[12] + two[12]
    begins, ends = _distance_at(one, two, 0.0) - kept, _distance_at(one, two, 1.0) - kept
    if begins < 0.0 or ends < 0.0:
        return False
    change, pieces = _change(one, two), 1
    proven = begins + ends >= change
    while not proven and pieces < PIECES:
        pieces *= 2
        before, proven = begins, True
        for piece in range(1, pieces + 1):
            gap = _distance_at(one, two, piece / pieces) - kept
            if gap < 0.0:
                return False
            proven = proven and before + gap >= change / pieces
            before = gap
    return proven


@inlined
def _change(one, two):
    """The most [m] that an end of one capsule moves as seen from an end of the other."""
    most = 0.0
    for i in (0, 3):
        for j in (0, 3):
            squared = 0.0
            for axis in range(3):
                moved = one[6 + i + axis] - one[i + axis] - two[6 + j + axis] + two[j + axis]
                squared += moved * moved
            most = max(most, squared)
    return math.sqrt(most)


@kernel
def _distance_at(one, two, share):
    """The distance [m] between the axes of two capsules at a share of the way to the next frame."""
    ax, ay, az = _at(one, 0, share), _at(one, 1, share), _at(one, 2, share)
    px, py, pz = _at(one, 3, share) - ax, _at(one, 4, share) - ay, _at(one, 5, share) - az
    bx, by, bz = _at(two, 0, share), _at(two, 1, share), _at(two, 2, share)
    qx, qy, qz = _at(two, 3, share) - bx, _at(two, 4, share) - by, _at(two, 5, share) - bz
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
def _at(capsule, number, share):
    return capsule[number] + share * (capsule[6 + number] - capsule[number])


@inlined
def _share(along, squared):
    """Where on a segment its nearest point to something is: 0 to 1."""
    return min(max(along / squared, 0.0), 1.0) if squared > 1e-18 else 0.0
