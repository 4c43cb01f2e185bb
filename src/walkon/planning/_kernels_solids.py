"""Points, circles and capsules against upright prisms with rounded convex outlines."""

from __future__ import annotations

import math

from walkon.kernels import inlined, kernel
from walkon.rotations.kernels_ground import laid
from walkon.world.kernels import outline_distance

SPECIAL_MARGIN = 0.02
"""Gap [m] between a body and what it passes over or under, at frames and halfway between them."""

SECTIONS = 32
"""Steps of the search for the nearest point of a capsule: its axis is narrowed to 1e-6 of its length."""


@inlined
def distance_beside(x, z, row, solids):
    """Signed distance [m] on the ground from a point to the outline of a solid at one of its frames."""
    return outline_distance(solids.corners[row], solids.sizes[row], solids.rounding[row], x, z)


@inlined
def prism_distance(x, y, z, row, solids):
    """Distance [m] from a point to a solid at one of its frames; 0 inside. y is above the ground it stands on."""
    beside = max(distance_beside(x, z, row, solids), 0.0)
    above = max(solids.bottom[row] - y, y - solids.top[row], 0.0)
    return math.sqrt(beside * beside + above * above)


@inlined
def capsule_hits(ax, ay, az, bx, by, bz, radius, row, solids):
    """Whether a capsule comes closer than `radius` to a solid: the distance along its axis is convex."""
    if min(ay, by) - radius >= solids.top[row] or max(ay, by) + radius <= solids.bottom[row]:
        return False
    disc = solids.discs[row]
    reach = disc[2] + radius + 0.5 * math.hypot(bx - ax, bz - az)
    if math.hypot(0.5 * (ax + bx) - disc[0], 0.5 * (az + bz) - disc[1]) >= reach:
        return False
    low, high = 0.0, 1.0
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
    for _ in range(SECTIONS):
        s, t = low + (high - low) / 3.0, high - (high - low) / 3.0
        at_s = prism_distance(ax + s * (bx - ax), ay + s * (by - ay), az + s * (bz - az), row, solids)
        at_t = prism_distance(ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az), row, solids)
        if at_s < radius or at_t < radius:
            return True
        # Distances change no faster than the point moves: what is far enough at both is far enough between.
        if min(at_s, at_t) - (high - low) * length / 3.0 >= radius:
            return False
        if at_s <= at_t:
            high = t
        if at_t <= at_s:
            low = s
    return False


@kernel
def capsules_hit(stand, lift, clip, frame, row, next_row, moves, solids):
    """Whether the body of a special clip, begun at a stand, touches a solid at a frame or halfway to the next."""
    own = moves.capsule_starts[clip] + frame
    after = min(own + 1, moves.capsule_starts[clip + 1] - 1)
    for half in range(2):
        for capsule in range(moves.capsules.shape[1]):
            a, b = moves.capsules[own, capsule], moves.capsules[after, capsule]
            weight = 0.5 * half
            px, pz = laid(stand, a[0] + weight * (b[0] - a[0]), a[2] + weight * (b[2] - a[2]))
            qx, qz = laid(stand, a[3] + weight * (b[3] - a[3]), a[5] + weight * (b[5] - a[5]))
            py, qy = a[1] + weight * (b[1] - a[1]), a[4] + weight * (b[4] - a[4])
            radius = a[6] + SPECIAL_MARGIN
            if capsule_hits(px, py + lift, pz, qx, qy + lift, qz, radius, row, solids):
                return True
            moved = half == 1 and next_row != row
            if moved and capsule_hits(px, py + lift, pz, qx, qy + lift, qz, radius, next_row, solids):
                return True
    return False
