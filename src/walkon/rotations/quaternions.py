"""Unit quaternions (w, x, y, z) as arrays of shape (..., 4); every function broadcasts over the front axes.

A quaternion turns vectors from the local frame into the parent frame: `rotate(q, v_local)` is in the parent.
`multiply(a, b)` applies `b` first, as matrices do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.flags.writeable = False

AXES = {"X": np.array([1.0, 0, 0]), "Y": np.array([0, 1.0, 0]), "Z": np.array([0, 0, 1.0])}

_NEARLY_PARALLEL = 1.0 - 1e-10
_GIMBAL_LOCK = 1e-12


def normalize(quaternions: ArrayLike) -> Array:
    """Scale to unit length (..., 4); a zero quaternion becomes the identity."""
    q = np.asarray(quaternions, dtype=np.float64)
    # Divided by the largest part first: squares of very small or very large numbers leave the range of floats.
    largest = np.abs(q).max(axis=-1, keepdims=True)
    q = np.where(largest > 0, q / np.where(largest > 0, largest, 1.0), IDENTITY)
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """Hamilton product a·b (..., 4): the rotation b followed by a."""
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def conjugate(quaternions: ArrayLike) -> Array:
    """The inverse rotation (..., 4)."""
    return np.asarray(quaternions, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(quaternions: ArrayLike, vectors: ArrayLike) -> Array:
    """Turn vectors (..., 3) by quaternions (..., 4)."""
    q = np.asarray(quaternions, dtype=np.float64)
    v = np.asarray(vectors, dtype=np.float64)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    vx, vy, vz = v[..., 0], v[..., 1], v[..., 2]
    # v + w t + u x t with t = 2 u x v, written out: np.cross takes several times as long.
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return np.stack(
        [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx], axis=-1
    )


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Rotation by `angle` (...) [rad] about the unit `axis` (..., 3)."""
    half = 0.5 * np.asarray(angle, dtype=np.float64)[..., None]
    axis = np.asarray(axis, dtype=np.float64)
    xyz = np.sin(half) * axis
    w = np.broadcast_to(np.cos(half), (*xyz.shape[:-1], 1))
    return np.concatenate([w, xyz], axis=-1)


def rotation_about_y(angle: ArrayLike) -> Array:
    """Rotation by `angle` (...) [rad] about the up axis: a heading as a quaternion."""
    return from_axis_angle(AXES["Y"], angle)


def from_euler(angles: ArrayLike, order: str) -> Array:
    """Rotation from `angles` (..., n) [rad] about the axes named in `order` ("ZYX", n letters).

    Intrinsic, as BVH channels are: "ZYX" is the matrix product Rz·Ry·Rx.
    """
    angles = np.asarray(angles, dtype=np.float64)
    result = np.broadcast_to(IDENTITY, (*angles.shape[:-1], 4))
    for i, letter in enumerate(order.upper()):
        result = multiply(result, from_axis_angle(AXES[letter], angles[..., i]))
    return np.ascontiguousarray(result)


def to_euler(quaternions: ArrayLike, order: str) -> Array:
    """Angles (..., 3) [rad] such that `from_euler(angles, order)` is the same rotation.

    `order` names three different axes. The middle angle lies in [-π/2, π/2]; in gimbal lock the last angle is 0.
    """
    i, j, k = ("XYZ".index(letter) for letter in order.upper())
    parity = 1.0 if (j - i) % 3 == 1 else -1.0
    q = np.asarray(quaternions, dtype=np.float64)
    w, qi, qj, qk = q[..., 0], q[..., 1 + i], parity * q[..., 1 + j], q[..., 1 + k]
    # Half the sum and half the difference of the outer angles are read off separately: next to gimbal lock
    # each stays exact, and in it the one that means nothing is chosen to make the last angle 0.
    length_sum, length_difference = np.hypot(qi + qk, w + qj), np.hypot(qi - qk, w - qj)
    half_sum, half_difference = np.arctan2(qi + qk, w + qj), np.arctan2(qi - qk, w - qj)
    half_sum = np.where(length_sum > _GIMBAL_LOCK, half_sum, half_difference)
    half_difference = np.where(length_difference > _GIMBAL_LOCK, half_difference, half_sum)
    middle = parity * (2.0 * np.arctan2(length_sum, length_difference) - 0.5 * np.pi)
    outer = np.stack([half_sum + half_difference, half_sum - half_difference], axis=-1)
    outer = np.arctan2(np.sin(outer), np.cos(outer))
    return np.stack([outer[..., 0], middle, outer[..., 1]], axis=-1)


def to_matrix(quaternions: ArrayLike) -> Array:
    """Rotation matrices (..., 3, 3) whose columns are the turned axes."""
    q = np.asarray(quaternions, dtype=np.float64)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(matrices: ArrayLike) -> Array:
    """Quaternions (..., 4) with w >= 0 from proper rotation matrices (..., 3, 3).

    Each of the four squared components is formed and the largest chosen, which never divides by little.
    """
    m = np.asarray(matrices, dtype=np.float64)
    m00, m11, m22 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    products = np.empty((*m.shape[:-2], 4, 4))
    products[..., 0, 0] = 1 + m00 + m11 + m22
    products[..., 1, 1] = 1 + m00 - m11 - m22
    products[..., 2, 2] = 1 - m00 + m11 - m22
    products[..., 3, 3] = 1 - m00 - m11 + m22
    products[..., 0, 1] = products[..., 1, 0] = m[..., 2, 1] - m[..., 1, 2]
    products[..., 0, 2] = products[..., 2, 0] = m[..., 0, 2] - m[..., 2, 0]
    products[..., 0, 3] = products[..., 3, 0] = m[..., 1, 0] - m[..., 0, 1]
    products[..., 1, 2] = products[..., 2, 1] = m[..., 1, 0] + m[..., 0, 1]
    products[..., 1, 3] = products[..., 3, 1] = m[..., 0, 2] + m[..., 2, 0]
    products[..., 2, 3] = products[..., 3, 2] = m[..., 2, 1] + m[..., 1, 2]
    largest = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(products, largest[..., None, None], axis=-2)[..., 0, :]
    q = normalize(row)
    return np.where(q[..., :1] < 0, -q, q)


def from_two_vectors(source: ArrayLike, target: ArrayLike) -> Array:
    """The shortest rotation (..., 4) that turns direction `source` (..., 3) into direction `target` (..., 3)."""
    a = np.asarray(source, dtype=np.float64)
    b = np.asarray(target, dtype=np.float64)
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    dot = np.sum(a * b, axis=-1, keepdims=True)
    # Opposite directions leave the axis open: take any perpendicular one.
    helper = np.where(np.abs(a[..., :1]) < 0.9, AXES["X"], AXES["Y"])
    opposite = np.concatenate([np.zeros_like(dot), np.cross(a, helper)], axis=-1)
    q = np.concatenate([1.0 + dot, np.cross(a, b)], axis=-1)
    return normalize(np.where(dot < -_NEARLY_PARALLEL, opposite, q))


def heading_of(quaternions: ArrayLike) -> Array:
    """Twist (...) [rad] of a rotation about the up axis: the heading left when its tilt is removed."""
    q = np.asarray(quaternions, dtype=np.float64)
    angle = 2.0 * np.arctan2(q[..., 2], q[..., 0])
    return np.arctan2(np.sin(angle), np.cos(angle))


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Smallest rotation angle (...) [rad], 0 to π, that takes `a` to `b`."""
    relative = multiply(conjugate(a), b)
    return 2.0 * np.arctan2(np.linalg.norm(relative[..., 1:], axis=-1), np.abs(relative[..., 0]))


def logarithm(quaternions: ArrayLike) -> Array:
    """Rotation vectors (..., 3) [rad], axis × angle, of length at most π."""
    q = np.asarray(quaternions, dtype=np.float64)
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    scale = np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)
    return scale * q[..., 1:]


def exponential(vectors: ArrayLike) -> Array:
    """Quaternions (..., 4) of rotation vectors (..., 3) [rad]; the inverse of `logarithm`."""
    v = np.asarray(vectors, dtype=np.float64)
    half = 0.5 * np.linalg.norm(v, axis=-1, keepdims=True)
    # np.sinc(x) is sin(πx)/(πx), smooth through zero.
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * v], axis=-1)


def slerp(a: ArrayLike, b: ArrayLike, weight: ArrayLike) -> Array:
    """Spherical interpolation (..., 4) the short way round: weight 0 is `a`, 1 is `b`."""
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    w = np.asarray(weight, dtype=np.float64)[..., None]
    dot = np.sum(a * b, axis=-1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    half = np.arccos(np.clip(np.abs(dot), 0.0, 1.0))
    sine = np.sin(half)
    near = sine < 1e-6
    safe = np.where(near, 1.0, sine)
    weight_a = np.where(near, 1.0 - w, np.sin((1.0 - w) * half) / safe)
    weight_b = np.where(near, w, np.sin(w * half) / safe)
    return normalize(weight_a * a + weight_b * b)


def continuous(quaternions: ArrayLike) -> Array:
    """Flip signs along the first axis (F, ..., 4) so that neighbours never point apart; same rotations."""
    q = np.asarray(quaternions, dtype=np.float64)
    if len(q) < 2:
        return q.copy()
    apart = np.sum(q[1:] * q[:-1], axis=-1) < 0
    flips = np.cumsum(apart, axis=0) % 2 == 1
    signs = np.ones(q.shape[:-1])
    signs[1:][flips] = -1.0
    return q * signs[..., None]
