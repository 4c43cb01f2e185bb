"""Scalar quaternion arithmetic for numba kernels: tuples in, tuples out, inlined by the compiler."""

from __future__ import annotations

from numba import njit


@njit(cache=True, inline="always")
def quaternion_product(aw, ax, ay, az, bw, bx, by, bz):
    """Components of a·b: the rotation b followed by a."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@njit(cache=True, inline="always")
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
