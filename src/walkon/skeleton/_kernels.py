"""Kernels of the skeleton room: bare arrays in and out, no raising."""

from __future__ import annotations

from numba import njit

from walkon.rotations._kernels import quaternion_product, quaternion_rotated


@njit(cache=True, nogil=True)
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
