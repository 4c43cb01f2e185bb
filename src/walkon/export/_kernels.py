"""Kernels of the export room: bare arrays in and out, no raising."""

from __future__ import annotations

import math

from walkon.kernels import kernel

GIMBAL_LOCK = 1e-12
"""Below this, one of the two angle sums carries no information and is taken from the frame before."""


@kernel(inline="always")
def _nearest_turn(angle, reference):
    """The angle plus whole turns that lies closest to the reference [rad]."""
    return angle - 2.0 * math.pi * math.floor((angle - reference) / (2.0 * math.pi) + 0.5)


@kernel
def continuous_euler(rotations, i, j, k, parity, angles):
    """Fill angles (F, J, 3) [rad], intrinsic about axes i, j, k, so that no curve jumps where it need not.

    parity is 1 when (i, j, k) is a cyclic order of the axes, else -1. The half sum and half difference of the
    outer angles are read off the quaternion separately: both stay exact next to gimbal lock, and in it the one
    that is undefined keeps its last value. Of the two sets of angles for one rotation, the nearer to the
    previous frame is taken, with whole turns added; the first frame takes the nearer to zero.
    """
    for joint in range(rotations.shape[1]):
        a0, b0, c0 = 0.0, 0.0, 0.0
        for f in range(rotations.shape[0]):
            w = rotations[f, joint, 0]
            qi = rotations[f, joint, 1 + i]
            qj = rotations[f, joint, 1 + j] * parity
            qk = rotations[f, joint, 1 + k]
            length_sum = math.hypot(qi + qk, w + qj)
            length_difference = math.hypot(qi - qk, w - qj)
            half_sum = 0.5 * (a0 + c0)
            half_difference = 0.5 * (a0 - c0)
            if length_sum > GIMBAL_LOCK:
                half_sum = math.atan2(qi + qk, w + qj)
            if length_difference > GIMBAL_LOCK:
                half_difference = math.atan2(qi - qk, w - qj)
            a = half_sum + half_difference
            b = parity * (2.0 * math.atan2(length_sum, length_difference) - 0.5 * math.pi)
            c = half_sum - half_difference
            a1, b1, c1 = _nearest_turn(a, a0), _nearest_turn(b, b0), _nearest_turn(c, c0)
            a2 = _nearest_turn(a + math.pi, a0)
            b2 = _nearest_turn(math.pi - b, b0)
            c2 = _nearest_turn(c + math.pi, c0)
            first = abs(a1 - a0) + abs(b1 - b0) + abs(c1 - c0)
            second = abs(a2 - a0) + abs(b2 - b0) + abs(c2 - c0)
            if second < first:
                a0, b0, c0 = a2, b2, c2
            else:
                a0, b0, c0 = a1, b1, c1
            angles[f, joint, 0] = a0
            angles[f, joint, 1] = b0
            angles[f, joint, 2] = c0
