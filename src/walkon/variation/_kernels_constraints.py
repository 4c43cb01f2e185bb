"""Sequential quadratic programming for one limb over a stretch of frames (Lau 2009, equation 5.7, summed).

A frame's unknowns d (n,) are rotation vectors, in parts, of the limb's three joints about their sampled rotations.
The objective is quadratic, the positions are linearised: every round writes d = y + N z, with y a step that meets
the linearised positions and N a basis of what they leave free, and solves the banded normal equations for z.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.rotations.kernels import quaternion_product, quaternion_rotated
from walkon.variation._kernels_programs import differences, free_motion, gradient, split, step

NEARER = 0.2
"""Share of the way to its limit that a hinge keeps in a round: it may come near in time, not be thrown there."""


@kernel(inline="always")
def _turn(x, y, z):
    """Quaternion of a rotation vector."""
    angle = math.sqrt(x * x + y * y + z * z)
    scale = 0.5 if angle < 1e-9 else math.sin(0.5 * angle) / angle
    return math.cos(0.5 * angle), scale * x, scale * y, scale * z


@kernel
def _turning_axis(vx, vy, vz, ax, ay, az):
    """How the frame turned by exp(v) turns, in itself, when v grows along a: the right Jacobian of v times a."""
    square = vx * vx + vy * vy + vz * vz
    if square < 1e-12:
        first, second = 0.5, 1.0 / 6.0
    else:
        angle = math.sqrt(square)
        first, second = (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)
    cx, cy, cz = vy * az - vz * ay, vz * ax - vx * az, vx * ay - vy * ax
    ex, ey, ez = vy * cz - vz * cy, vz * cx - vx * cz, vx * cy - vy * cx
    return ax - first * cx + second * ex, ay - first * cy + second * ey, az - first * cz + second * ez


@kernel
def place_limb(pose, offsets, turns, dof_joints, dof_axes, d, places, frames):
    """Fill places (5, 3): the three joints, then both ends; and frames (3, 4): the joints' world rotations.

    pose (3,): the first joint. offsets (4, 3): the second joint in the first's frame, the third in the second's,
    both ends in the third's. turns (3, 4): every joint's sampled rotation in the frame of the one before it, the
    first's in the world. d (n,): by how much dof i turns joint dof_joints[i] about dof_axes[i], in its own frame.
    """
    w, x, y, z = 1.0, 0.0, 0.0, 0.0
    for k in range(3):
        places[0, k] = pose[k]
    for j in range(3):
        w, x, y, z = quaternion_product(w, x, y, z, turns[j, 0], turns[j, 1], turns[j, 2], turns[j, 3])
        vx, vy, vz = 0.0, 0.0, 0.0
        for i in range(d.shape[0]):
            if dof_joints[i] == j:
                vx += d[i] * dof_axes[i, 0]
                vy += d[i] * dof_axes[i, 1]
                vz += d[i] * dof_axes[i, 2]
        aw, ax, ay, az = _turn(vx, vy, vz)
        w, x, y, z = quaternion_product(w, x, y, z, aw, ax, ay, az)
        frames[j, 0], frames[j, 1], frames[j, 2], frames[j, 3] = w, x, y, z
        last = j + 2 if j < 2 else 5
        for e in range(j + 1, last):
            ox, oy, oz = quaternion_rotated(w, x, y, z, offsets[e - 1, 0], offsets[e - 1, 1], offsets[e - 1, 2])
            places[e, 0], places[e, 1], places[e, 2] = places[j, 0] + ox, places[j, 1] + oy, places[j, 2] + oz


@kernel
def _columns(places, frames, dof_joints, dof_axes, d, columns):
    """Fill columns (2, 3, n): how both ends move with every dof."""
    for i in range(d.shape[0]):
        j = dof_joints[i]
        vx, vy, vz = 0.0, 0.0, 0.0
        for o in range(d.shape[0]):
            if dof_joints[o] == j:
                vx += d[o] * dof_axes[o, 0]
                vy += d[o] * dof_axes[o, 1]
                vz += d[o] * dof_axes[o, 2]
        ax, ay, az = _turning_axis(vx, vy, vz, dof_axes[i, 0], dof_axes[i, 1], dof_axes[i, 2])
        ax, ay, az = quaternion_rotated(frames[j, 0], frames[j, 1], frames[j, 2], frames[j, 3], ax, ay, az)
        for e in range(2):
            rx = places[3 + e, 0] - places[j, 0]
            ry = places[3 + e, 1] - places[j, 1]
            rz = places[3 + e, 2] - places[j, 2]
            columns[e, 0, i] = ay * rz - az * ry
            columns[e, 1, i] = az * rx - ax * rz
            columns[e, 2, i] = ax * ry - ay * rx


@kernel
def _linearise(places, columns, goals, both, slope, misses):
    """Fill the transposed slope (n, m) and misses (m,) of a frame's positions; returns m and the largest miss [m].

    The first end gives three rows. The second, at a fixed distance from it, gives two: square to the bone between.
    """
    n = columns.shape[2]
    worst = 0.0
    for k in range(3):
        misses[k] = goals[0, k] - places[3, k]
        worst = max(worst, abs(misses[k]))
        for i in range(n):
            slope[i, k] = columns[0, k, i]
    if not both:
        return 3, worst
    bx, by, bz = goals[1, 0] - goals[0, 0], goals[1, 1] - goals[0, 1], goals[1, 2] - goals[0, 2]
    length = math.sqrt(bx * bx + by * by + bz * bz)
    bx, by, bz = bx / length, by / length, bz / length
    # Two directions square to the bone: the one square to its smallest part as well, and the third.
    if abs(bx) <= abs(by) and abs(bx) <= abs(bz):
        ux, uy, uz = 0.0, bz, -by
    elif abs(by) <= abs(bz):
        ux, uy, uz = -bz, 0.0, bx
    else:
        ux, uy, uz = by, -bx, 0.0
    length = math.sqrt(ux * ux + uy * uy + uz * uz)
    ux, uy, uz = ux / length, uy / length, uz / length
    wx, wy, wz = by * uz - bz * uy, bz * ux - bx * uz, bx * uy - by * ux
    mx, my, mz = goals[1, 0] - places[4, 0], goals[1, 1] - places[4, 1], goals[1, 2] - places[4, 2]
    misses[3] = ux * mx + uy * my + uz * mz
    misses[4] = wx * mx + wy * my + wz * mz
    worst = max(worst, abs(misses[3]), abs(misses[4]))
    for i in range(n):
        slope[i, 3] = ux * columns[1, 0, i] + uy * columns[1, 1, i] + uz * columns[1, 2, i]
        slope[i, 4] = wx * columns[1, 0, i] + wy * columns[1, 1, i] + wz * columns[1, 2, i]
    return 5, worst


@kernel
def hold_limb(limb, goals, both, wanted, hinge, around, weights, settled, d, left):
    """Solve for d (F, n), given a first guess; left (F,) becomes how far [m] the ends stay from their goals.

    limb: (poses (F, 3), offsets (F, 4, 3), turns (F, 3, 4), dof_joints (n,), dof_axes (n, 3)), see `place_limb`.
    goals (F, 2, 3): where its ends go; the second counts if `both`. wanted (F, n): q-bar. hinge: (dof, least), the
    dof that may not fall below least (F,). around: (earlier (2, n), before, after), d of the two frames before the
    stretch and how many frames, 0 to 2, there are beyond it, those after it unchanged. weights: w1 and w2.
    settled: (rounds, angle, place): rounds end when no angle changes by `angle` [rad] and all places are met to
    `place` [m], and after `rounds` in any case. Returns their number.
    """
    poses, offsets, turns, dof_joints, dof_axes = limb
    hinge_dof, least = hinge
    earlier, before, after = around
    w1, w2 = weights
    rounds, settled_angle, settled_place = settled
    count, n = d.shape
    places, frames, columns = np.empty((5, 3)), np.empty((3, 4)), np.empty((2, 3, n))
    slope, misses, u, v = np.empty((n, 5)), np.empty(5), np.empty(5), np.empty(n)
    bases, rows = np.empty((count, n, n)), np.empty(count, np.int64)
    y, slopes, diagonals = np.empty((count, n)), np.empty((count, n)), np.empty((count, 3))
    differences(count, before, after, diagonals)
    done, change = 0, np.inf
    for done in range(rounds + 1):
        worst = 0.0
        for t in range(count):
            place_limb(poses[t], offsets[t], turns[t], dof_joints, dof_axes, d[t], places, frames)
            _columns(places, frames, dof_joints, dof_axes, d[t], columns)
            m, left[t] = _linearise(places, columns, goals[t], both, slope, misses)
            worst = max(worst, left[t])
            rows[t] = m
            split(slope, m, bases[t], v)
            for i in range(n):
                y[t, i] = d[t, i]
            step(slope, m, misses, bases[t], u, y[t])
        if done == rounds or (change < settled_angle and worst < settled_place):
            break
        gradient(y, wanted, earlier, before, after, w1, w2, slopes)
        free_motion(y, bases, rows, slopes, diagonals, w1, w2)
        change = 0.0
        for t in range(count):
            y[t, hinge_dof] = max(y[t, hinge_dof], least[t] + NEARER * max(d[t, hinge_dof] - least[t], 0.0))
            for i in range(n):
                change = max(change, abs(y[t, i] - d[t, i]))
                d[t, i] = y[t, i]
    return done
