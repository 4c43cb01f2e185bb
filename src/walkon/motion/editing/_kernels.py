"""Kernels of the editing room: bare arrays in and out, no raising."""

from __future__ import annotations

import math

from walkon.kernels import kernel
from walkon.rotations.kernels import quaternion_product, slerp_into


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
