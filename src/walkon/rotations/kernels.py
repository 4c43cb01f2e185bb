"""Arithmetic of turns for the kernels of any room: scalars in, tuples out, inlined by the compiler.

On the ground a heading turns (x, z) so that 0 looks along +z and π/2 along +x; its sine and cosine are passed in,
because whoever carries one point usually carries many.
"""

from __future__ import annotations

import math

from walkon.kernels import inlined, kernel

NEARLY_EQUAL = 1e-6
"""Sine of the half angle between two rotations below which they are mixed along a straight line. Along the arc the
sine is divided by; at 1e-6 both ways agree to twelve digits. Larger: a visible kink in slow turns."""


@inlined
def turned(x, z, sine, cosine):
    """A ground vector (x, z) of a frame, in the world: turned by the frame's heading."""
    return x * cosine + z * sine, -x * sine + z * cosine


@inlined
def turned_back(x, z, sine, cosine):
    """A ground vector (x, z) of the world, in a frame with this heading."""
    return x * cosine - z * sine, x * sine + z * cosine


@inlined
def carried(x, z, sine, cosine, local_x, local_z):
    """A ground point of the frame that stands at (x, z), in the world."""
    return x + local_x * cosine + local_z * sine, z - local_x * sine + local_z * cosine


@inlined
def wrapped(angle):
    """An angle [rad] that is at most a turn off, brought into (-π, π]."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    if angle <= -math.pi:
        return angle + 2.0 * math.pi
    return angle


@kernel(inline="always")
def quaternion_product(aw, ax, ay, az, bw, bx, by, bz):
    """Components of a·b: the rotation b followed by a."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@kernel(inline="always")
def quaternion_rotated(w, x, y, z, vx, vy, vz):
    """Components of the vector v turned by the unit quaternion."""
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


@kernel
def slerp_into(a, b, weight, result):
    """Fill result (4,) with the rotation between a (4,) and b (4,), the short way round: 0 is a, 1 is b.

    Its sign is that of a.
    """
    dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    half = math.acos(min(abs(dot), 1.0))
    sine = math.sin(half)
    if sine < NEARLY_EQUAL:
        ours, theirs = 1.0 - weight, weight
    else:
        ours, theirs = math.sin((1.0 - weight) * half) / sine, math.sin(weight * half) / sine
    if dot < 0.0:
        theirs = -theirs
    squared = 0.0
    for k in range(4):
        result[k] = ours * a[k] + theirs * b[k]
        squared += result[k] * result[k]
    length = math.sqrt(squared)
    for k in range(4):
        result[k] /= length
