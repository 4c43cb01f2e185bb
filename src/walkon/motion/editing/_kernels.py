"""Kernels of the editing room: bare arrays in and out, no raising."""

from __future__ import annotations

import math

from walkon.kernels import kernel
from walkon.rotations.kernels import quaternion_product, slerp_into
from walkon.skeleton.kernels import cross, scaled_to_unit, shortest_turn


@kernel
def sample_rotations(rotations, frames, fractions, result):
    """Fill result (G, J, 4) with rotations (F, J, 4) slerped between frame and frame + 1 by fraction.

    A fraction of exactly 0 copies the frame, bit for bit, and never reads the next one.
    """
    for g in range(frames.shape[0]):
        f = frames[g]
        t = fractions[g]
        for j in range(rotations.shape[1]):
            if t == 0.0:
                for k in range(4):
                    result[g, j, k] = rotations[f, j, k]
                continue
            slerp_into(rotations[f, j], rotations[f + 1, j], t, result[g, j])


@kernel
def mirror_rotations(rotations, before, after, twins, result):
    """Fill result (F, J, 4): each twin's rotation is the joint's, reflected in x = 0, between two fixed turns.

    before, after: (J, 4), multiplied on from the left and from the right. Reflection turns the sense of
    rotation about y and z.
    """
    for f in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            t = twins[j]
            w, x, y, z = quaternion_product(
                before[j, 0],
                before[j, 1],
                before[j, 2],
                before[j, 3],
                rotations[f, j, 0],
                rotations[f, j, 1],
                -rotations[f, j, 2],
                -rotations[f, j, 3],
            )
            w, x, y, z = quaternion_product(w, x, y, z, after[j, 0], after[j, 1], after[j, 2], after[j, 3])
            result[f, t, 0] = w
            result[f, t, 1] = x
            result[f, t, 2] = y
            result[f, t, 3] = z


@kernel
def turns_between(sources, targets, result):
    """Fill result (F, 4) with the shortest turns that take the directions sources (F, 3) to targets (F, 3)."""
    for f in range(sources.shape[0]):
        ax, ay, az, _ = scaled_to_unit(sources[f, 0], sources[f, 1], sources[f, 2])
        bx, by, bz, _ = scaled_to_unit(targets[f, 0], targets[f, 1], targets[f, 2])
        # Opposite directions leave the axis open: take any perpendicular one.
        if abs(ax) < 0.9:
            nx, ny, nz = cross(ax, ay, az, 1.0, 0.0, 0.0)
        else:
            nx, ny, nz = cross(ax, ay, az, 0.0, 1.0, 0.0)
        nx, ny, nz, _ = scaled_to_unit(nx, ny, nz)
        result[f] = shortest_turn(ax, ay, az, bx, by, bz, nx, ny, nz)


@kernel
def turn_in_world(turns, world, rotations):
    """Turn a joint in the world by turns (F, 4): change its local rotations (F, 4), given its world ones."""
    for f in range(turns.shape[0]):
        w, x, y, z = world[f, 0], world[f, 1], world[f, 2], world[f, 3]
        tw, tx, ty, tz = quaternion_product(turns[f, 0], turns[f, 1], turns[f, 2], turns[f, 3], w, x, y, z)
        tw, tx, ty, tz = quaternion_product(w, -x, -y, -z, tw, tx, ty, tz)
        tw, tx, ty, tz = quaternion_product(
            rotations[f, 0], rotations[f, 1], rotations[f, 2], rotations[f, 3], tw, tx, ty, tz
        )
        # The world rotation is there twice: without this, joining clip after clip triples every rounding error.
        length = math.sqrt(tw * tw + tx * tx + ty * ty + tz * tz)
        rotations[f, 0] = tw / length
        rotations[f, 1] = tx / length
        rotations[f, 2] = ty / length
        rotations[f, 3] = tz / length


@kernel
def local_rotations(parents, world, result):
    """Fill result (F, J, 4) with local rotations from world ones, each of unit length, continuous in sign."""
    for f in range(world.shape[0]):
        for j in range(world.shape[1]):
            w, x, y, z = world[f, j, 0], world[f, j, 1], world[f, j, 2], world[f, j, 3]
            p = parents[j]
            if p >= 0:
                w, x, y, z = quaternion_product(
                    world[f, p, 0], -world[f, p, 1], -world[f, p, 2], -world[f, p, 3], w, x, y, z
                )
            length = math.sqrt(w * w + x * x + y * y + z * z)
            if f > 0:
                before = result[f - 1, j]
                if before[0] * w + before[1] * x + before[2] * y + before[3] * z < 0.0:
                    length = -length
            result[f, j, 0] = w / length
            result[f, j, 1] = x / length
            result[f, j, 2] = y / length
            result[f, j, 3] = z / length
