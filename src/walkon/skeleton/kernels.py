"""Kernels of the skeleton room: bare arrays in and out, no raising."""

from __future__ import annotations

import math

from walkon.kernels import inlined, kernel
from walkon.rotations.kernels import quaternion_product, quaternion_rotated


@kernel
def pose_chain(parents, offsets, root_positions, rotations, positions, world_rotations):
    """Fill positions (F, J, 3) and world_rotations (F, J, 4) from parents to children.

    offsets is (1, J, 3) when bones keep their length, else (F, J, 3).
    """
    stretching = offsets.shape[0] > 1
    for f in range(rotations.shape[0]):
        o = f if stretching else 0
        for k in range(3):
            positions[f, 0, k] = root_positions[f, k]
        for k in range(4):
            world_rotations[f, 0, k] = rotations[f, 0, k]
        for j in range(1, rotations.shape[1]):
            p = parents[j]
            pw = world_rotations[f, p, 0]
            px = world_rotations[f, p, 1]
            py = world_rotations[f, p, 2]
            pz = world_rotations[f, p, 3]
            x, y, z = quaternion_rotated(pw, px, py, pz, offsets[o, j, 0], offsets[o, j, 1], offsets[o, j, 2])
            positions[f, j, 0] = positions[f, p, 0] + x
            positions[f, j, 1] = positions[f, p, 1] + y
            positions[f, j, 2] = positions[f, p, 2] + z
            w, x, y, z = quaternion_product(
                pw,
                px,
                py,
                pz,
                rotations[f, j, 0],
                rotations[f, j, 1],
                rotations[f, j, 2],
                rotations[f, j, 3],
            )
            world_rotations[f, j, 0] = w
            world_rotations[f, j, 1] = x
            world_rotations[f, j, 2] = y
            world_rotations[f, j, 3] = z


@kernel(inline="always")
def cross(ax, ay, az, bx, by, bz):
    """Components of the cross product a × b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel(inline="always")
def scaled_to_unit(x, y, z):
    """The direction of a vector, and its length; the zero vector stays zero."""
    length = math.sqrt(x * x + y * y + z * z)
    inverse = 1.0 / length if length > 0.0 else 0.0
    return x * inverse, y * inverse, z * inverse, length


@kernel
def shortest_turn(ax, ay, az, bx, by, bz, nx, ny, nz):
    """Quaternion that turns the unit vector a into the unit vector b; about the unit n when they are opposite."""
    w = 1.0 + ax * bx + ay * by + az * bz
    if w < 1e-9:
        return 0.0, nx, ny, nz
    x, y, z = cross(ax, ay, az, bx, by, bz)
    inverse = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * inverse, x * inverse, y * inverse, z * inverse


@kernel
def bend_direction(ux, uy, uz, kx, ky, kz, px, py, pz):
    """Unit direction, square to the unit vector u, to which a limb bends.

    u points from the limb's start to its end and k to its middle joint; p is the pole. The limb bends to where
    it is bent now, but never to the side opposite the pole; a straight limb bends to the pole.
    """
    along = kx * ux + ky * uy + kz * uz
    bx, by, bz = kx - along * ux, ky - along * uy, kz - along * uz
    along = px * ux + py * uy + pz * uz
    qx, qy, qz, pole_length = scaled_to_unit(px - along * ux, py - along * uy, pz - along * uz)
    against = bx * qx + by * qy + bz * qz
    nudge = 1e-3 * math.sqrt(kx * kx + ky * ky + kz * kz) - min(against, 0.0)
    bx, by, bz, bend = scaled_to_unit(bx + nudge * qx, by + nudge * qy, bz + nudge * qz)
    if bend < 1e-12 or (pole_length < 1e-12 and bend < 1e-6 * abs(along)):
        # Straight, and the pole lies along the limb: any direction square to it will do.
        if abs(ux) < 0.9:
            bx, by, bz = cross(ux, uy, uz, 1.0, 0.0, 0.0)
        else:
            bx, by, bz = cross(ux, uy, uz, 0.0, 1.0, 0.0)
        bx, by, bz, bend = scaled_to_unit(bx, by, bz)
    return bx, by, bz


@kernel
def soft_reach(wanted, current, upper, lower, softness):
    """Distance [m] a limb of two bones goes for a target at distance `wanted`.

    Up to the current reach, or the last `softness` of the whole length, it is the distance itself; beyond that it
    nears the whole length without ever getting there, so the limb never snaps straight.
    """
    whole = upper + lower
    shortest = abs(upper - lower) + 1e-4 * whole
    soft_from = max((1.0 - softness) * whole, min(current, whole))
    room = whole - soft_from
    if wanted > soft_from:
        wanted = (
            soft_from + room * (1.0 - math.exp(-(wanted - soft_from) / room)) if room > 1e-9 * whole else soft_from
        )
    return max(wanted, shortest)


@inlined
def two_bone_turns(start, middle, end, target, pole, softness):
    """World turns of the upper and of the lower bone, (w, x, y, z, w, x, y, z), that take the end to the target.

    start, middle, end: (3,) [m] such as hip, knee and ankle; target: (3,) [m]; pole: (3,) a direction; all in the
    world. Left-multiply a bone's world rotation by its turn.
    """
    hx, hy, hz = start[0], start[1], start[2]
    kx, ky, kz = middle[0] - hx, middle[1] - hy, middle[2] - hz
    ex, ey, ez = end[0] - hx, end[1] - hy, end[2] - hz
    upper = math.sqrt(kx * kx + ky * ky + kz * kz)
    lower = math.sqrt((ex - kx) ** 2 + (ey - ky) ** 2 + (ez - kz) ** 2)
    ux, uy, uz, current = scaled_to_unit(ex, ey, ez)
    vx, vy, vz, wanted = scaled_to_unit(target[0] - hx, target[1] - hy, target[2] - hz)
    if upper < 1e-9 or lower < 1e-9 or current < 1e-9:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    if wanted < 1e-9:
        vx, vy, vz = ux, uy, uz
    bx, by, bz = bend_direction(ux, uy, uz, kx, ky, kz, pole[0], pole[1], pole[2])
    nx, ny, nz = cross(ux, uy, uz, bx, by, bz)

    # Swing the limb as it is to point at the target; what it bends to swings with it.
    sw, sx, sy, sz = shortest_turn(ux, uy, uz, vx, vy, vz, nx, ny, nz)
    bx, by, bz = quaternion_rotated(sw, sx, sy, sz, bx, by, bz)
    nx, ny, nz = quaternion_rotated(sw, sx, sy, sz, nx, ny, nz)
    ix, iy, iz = quaternion_rotated(sw, sx, sy, sz, kx / upper, ky / upper, kz / upper)
    jx, jy, jz = quaternion_rotated(sw, sx, sy, sz, (ex - kx) / lower, (ey - ky) / lower, (ez - kz) / lower)

    # Then bend the knee until the ankle is at the right distance: the law of cosines.
    reach = soft_reach(wanted, current, upper, lower, softness)
    cosine = min(max((upper * upper + reach * reach - lower * lower) / (2.0 * upper * reach), -1.0), 1.0)
    sine = math.sqrt(1.0 - cosine * cosine)
    mx, my, mz = cosine * vx + sine * bx, cosine * vy + sine * by, cosine * vz + sine * bz
    ox, oy, oz, _ = scaled_to_unit(reach * vx - upper * mx, reach * vy - upper * my, reach * vz - upper * mz)
    iw, ix, iy, iz = shortest_turn(ix, iy, iz, mx, my, mz, nx, ny, nz)
    jw, jx, jy, jz = shortest_turn(jx, jy, jz, ox, oy, oz, nx, ny, nz)
    iw, ix, iy, iz = quaternion_product(iw, ix, iy, iz, sw, sx, sy, sz)
    jw, jx, jy, jz = quaternion_product(jw, jx, jy, jz, sw, sx, sy, sz)
    return iw, ix, iy, iz, jw, jx, jy, jz


@kernel
def two_bone_batch(starts, middles, ends, targets, poles, softness, upper_turns, lower_turns):
    """Fill upper_turns and lower_turns (F, 4) with the turns of `two_bone_turns` for every frame."""
    for f in range(starts.shape[0]):
        turns = two_bone_turns(starts[f], middles[f], ends[f], targets[f], poles[f], softness)
        for k in range(4):
            upper_turns[f, k] = turns[k]
            lower_turns[f, k] = turns[4 + k]


@kernel
def bend_poles(starts, middles, ends, rotations, poles):
    """Fill poles (F, 3): the mean direction the middle joint bends to, as the upper bone carries it along.

    rotations is (F, 4): the upper bone's in the world. A knee is a hinge, so in the frame of the thigh it bends
    to one direction; frames weigh by how far they are bent, and straight ones say nothing.
    """
    sx, sy, sz = 0.0, 0.0, 0.0
    for f in range(starts.shape[0]):
        ux, uy, uz, _ = scaled_to_unit(
            ends[f, 0] - starts[f, 0], ends[f, 1] - starts[f, 1], ends[f, 2] - starts[f, 2]
        )
        kx, ky, kz = middles[f, 0] - starts[f, 0], middles[f, 1] - starts[f, 1], middles[f, 2] - starts[f, 2]
        along = kx * ux + ky * uy + kz * uz
        w, x, y, z = rotations[f, 0], rotations[f, 1], rotations[f, 2], rotations[f, 3]
        bx, by, bz = quaternion_rotated(w, -x, -y, -z, kx - along * ux, ky - along * uy, kz - along * uz)
        sx, sy, sz = sx + bx, sy + by, sz + bz
    sx, sy, sz, _ = scaled_to_unit(sx, sy, sz)
    for f in range(starts.shape[0]):
        w, x, y, z = rotations[f, 0], rotations[f, 1], rotations[f, 2], rotations[f, 3]
        poles[f, 0], poles[f, 1], poles[f, 2] = quaternion_rotated(w, x, y, z, sx, sy, sz)


@kernel(inline="always")
def local_rotation(parent, child):
    """Rotation of `child` (4,) in the frame of `parent` (4,), both given in the world."""
    return quaternion_product(
        parent[0], -parent[1], -parent[2], -parent[3], child[0], child[1], child[2], child[3]
    )


@kernel(inline="always")
def turned(turn, rotation):
    """The world rotation (4,) after the world turn (4,), as a tuple."""
    return quaternion_product(
        turn[0], turn[1], turn[2], turn[3], rotation[0], rotation[1], rotation[2], rotation[3]
    )


@kernel
def turn_limb(parents, limb, upper_turns, lower_turns, keep_end, world_rotations, rotations):
    """Write the limb's new local rotations (F, J, 4) for the world turns of its two bones.

    limb holds the joints (start, middle, end); world_rotations (F, J, 4) are those before the turns.
    """
    start, middle, end = limb
    for f in range(rotations.shape[0]):
        world = world_rotations[f]
        new_upper = turned(upper_turns[f], world[start])
        new_lower = turned(lower_turns[f], world[middle])
        local = new_upper if parents[start] < 0 else local_rotation(world[parents[start]], new_upper)
        for k in range(4):
            rotations[f, start, k] = local[k]
        local = local_rotation(turned(upper_turns[f], world[parents[middle]]), new_lower)
        for k in range(4):
            rotations[f, middle, k] = local[k]
        if keep_end:
            local = local_rotation(turned(lower_turns[f], world[parents[end]]), world[end])
            for k in range(4):
                rotations[f, end, k] = local[k]
