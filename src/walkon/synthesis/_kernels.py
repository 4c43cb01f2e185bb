"""Kernels of stitching, pieces of motion laid on the frames of a role, and of knees on slopes."""

from __future__ import annotations

import math

from walkon.kernels import kernel
from walkon.motion.features.outlines import COMPASS
from walkon.rotations.kernels import quaternion_product, turned
from walkon.skeleton.kernels import cross, scaled_to_unit


@kernel
def lay_pieces(begins, counts, places, turns, pieces, role):
    """Lay pieces on the frames of a role, the later over the earlier, and flip signs so that rotations go on from
    frame to frame.

    begins, counts: (P,) first frame and length of each piece. places: (P, 4) x, z [m], sine and cosine of the
    heading where a piece is put. turns: (P, 2) w and y of that heading as a quaternion. pieces, and role which is
    filled: roots (M, 3), rotations (M, J, 4), planted (M, K) and offsets (M, J, 3), one piece after another; there
    are no offsets if no bone stretches.
    """
    roots, rotations, planted, offsets = pieces
    out_roots, out_rotations, out_planted, out_offsets = role
    row = 0
    for p in range(len(begins)):
        x, z, sine, cosine = places[p]
        w, y = turns[p]
        for f in range(begins[p], begins[p] + counts[p]):
            along_x, along_z = turned(roots[row, 0], roots[row, 2], sine, cosine)
            out_roots[f, 0], out_roots[f, 1], out_roots[f, 2] = along_x + x, roots[row, 1], along_z + z
            out_rotations[f] = rotations[row]
            root = rotations[row, 0]
            out_rotations[f, 0] = quaternion_product(w, 0.0, y, 0.0, root[0], root[1], root[2], root[3])
            out_planted[f] = planted[row]
            if len(offsets):
                out_offsets[f] = offsets[row]
            row += 1
    for f in range(1, len(out_rotations)):
        for j in range(out_rotations.shape[1]):
            before, here = out_rotations[f - 1, j], out_rotations[f, j]
            if before[0] * here[0] + before[1] * here[1] + before[2] * here[2] + before[3] * here[3] < 0.0:
                for k in range(4):
                    here[k] = -here[k]


@kernel
def best_swivels(hips, knees, ankles, others, radius, outline, angles, dullness, found):
    """Fill found (F,) with those of the angles (A,) [rad] by which knees, turned about the lines from hips to
    ankles, leave an outline (F, DIRECTIONS) [m] least; all (F, 3) [m]. dullness: [m/rad²] that an angle counts
    besides. radius: [m] around the knees, which take no more than half of the room between them and the others
    (F, 3)."""
    for f in range(len(found)):
        ax, ay, az, _ = scaled_to_unit(
            ankles[f, 0] - hips[f, 0], ankles[f, 1] - hips[f, 1], ankles[f, 2] - hips[f, 2]
        )
        rx, ry, rz = knees[f, 0] - hips[f, 0], knees[f, 1] - hips[f, 1], knees[f, 2] - hips[f, 2]
        along = rx * ax + ry * ay + rz * az
        ox, oy, oz = rx - along * ax, ry - along * ay, rz - along * az
        sx, _, sz = cross(ax, ay, az, ox, oy, oz)
        middle_x, middle_z = hips[f, 0] + along * ax, hips[f, 2] + along * az
        apart = math.hypot(others[f, 0] - knees[f, 0], others[f, 2] - knees[f, 2])
        least, found[f] = math.inf, 0.0
        for angle in angles:
            x = middle_x + math.cos(angle) * ox + math.sin(angle) * sx
            z = middle_z + math.cos(angle) * oz + math.sin(angle) * sz
            if math.hypot(others[f, 0] - x, others[f, 2] - z) < min(apart, 0.5 * apart + radius) - 1e-9:
                continue
            out = 0.0
            for k in range(len(COMPASS)):
                out = max(out, x * COMPASS[k, 0] + z * COMPASS[k, 1] + radius - outline[f, k])
            if out + dullness * angle * angle < least:
                least, found[f] = out + dullness * angle * angle, angle
