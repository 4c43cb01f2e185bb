"""What a scene file says of an obstacle to a shape and to where its frame is: on the ground, turned, tilted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.rotations import from_axis_angle, multiply, rotation_about_y
from walkon.world.document_obstacles import (
    BoxTable,
    CapsuleTable,
    CylinderTable,
    ObstacleTable,
    PolygonTable,
    SphereTable,
)
from walkon.world.meshes import read_mesh
from walkon.world.scene import HeightField
from walkon.world.shapes import Box, Capsule, Cylinder, Mesh, Polygon, Shape, Sphere

X_AXIS = (1.0, 0.0, 0.0)


def make_shape(table: ObstacleTable, folder: Path) -> Shape:
    """The shape in its own frame."""
    match table:
        case BoxTable():
            return Box(table.width, table.height, table.depth)
        case CylinderTable():
            return Cylinder(table.radius, table.height)
        case SphereTable():
            return Sphere(table.radius)
        case CapsuleTable():
            return Capsule(table.radius, table.length)
        case PolygonTable():
            corners = np.array(table.corners)
            check_simple(corners)
            return Polygon(corners, table.height)
    return read_mesh(folder, table.file, scale=table.scale, up=table.up)  # pyright: ignore[reportAttributeAccessIssue]


def make_poses(
    shape: Shape,
    terrain: HeightField,
    x: ArrayLike,
    z: ArrayLike,
    bottom: ArrayLike,
    heading: ArrayLike,
    tilt: ArrayLike,
) -> tuple[Array, Array]:
    """Positions (T, 3) and rotations (T, 4) of a shape's frame.

    x, z (T,) [m] on the ground, bottom (T,) [m] of its lowest point when upright above the ground there, heading
    and tilt (T,) [rad]: it leans towards its heading.
    """
    x, z, bottom, heading, tilt = np.broadcast_arrays(*map(np.atleast_1d, (x, z, bottom, heading, tilt)))
    rotations = np.atleast_2d(multiply(rotation_about_y(heading), from_axis_angle(X_AXIS, tilt)))
    u, v = _middle(shape)
    sine, cosine = np.sin(heading), np.cos(heading)
    ground = terrain.at(x + u * cosine + v * sine, z - u * sine + v * cosine)
    return np.column_stack([x, ground + bottom + lift(shape), z]), rotations


def lift(shape: Shape) -> float:
    """How far the frame of an upright shape is above its lowest point [m]."""
    return shape.radius if isinstance(shape, Sphere | Capsule) else 0.0


def _middle(shape: Shape) -> tuple[float, float]:
    """Where, in its own frame, a shape asks for the height of the ground: not all contain their origin."""
    if isinstance(shape, Polygon):
        return float(shape.corners[:, 0].mean()), float(shape.corners[:, 1].mean())
    if isinstance(shape, Mesh):
        used = shape.vertices[np.unique(shape.faces)]
        return float(used[:, 0].min() + used[:, 0].max()) / 2.0, float(used[:, 2].min() + used[:, 2].max()) / 2.0
    return 0.0, 0.0


def check_simple(corners: Array) -> None:
    """Raise unless the polygon (K, 2) has area and no two of its edges touch, but neighbours at their corner."""
    following = np.roll(corners, -1, axis=0)
    count = len(corners)
    lengths = np.hypot(*(following - corners).T)
    if (lengths < 1e-6).any():
        where = corners[int(np.argmin(lengths))]
        raise SceneError(f"corners: two in a row at ({where[0]:g}, {where[1]:g})")
    for i in range(count):
        others = np.arange(i + 2, count if i else count - 1)
        hit = _edges_meet(corners[i], following[i], corners[others], following[others])
        if hit.any():
            j = int(others[np.argmax(hit)])
            raise SceneError(f"corners: the polygon crosses itself: edges {i} and {j} meet, counted from 0")
    area = 0.5 * abs(np.sum(corners[:, 0] * following[:, 1] - following[:, 0] * corners[:, 1]))
    turns = following - corners
    back = _cross(turns, np.roll(turns, -1, axis=0))
    folded = (np.abs(back) < 1e-12) & (np.sum(turns * np.roll(turns, -1, axis=0), axis=1) < 0.0)
    if area < 1e-6 or folded.any():
        raise SceneError("corners: the polygon has no area, or folds back on itself")


def _edges_meet(a: Array, b: Array, c: Array, d: Array) -> NDArray[np.bool_]:
    """Whether the segment a-b touches the segments c-d (N, 2)."""
    ab, cd = b - a, d - c
    first, second = _cross(ab, c - a), _cross(ab, d - a)
    third, fourth = _cross(cd, a - c), _cross(cd, b - c)
    overlap = np.all((np.minimum(c, d) <= np.maximum(a, b)) & (np.maximum(c, d) >= np.minimum(a, b)), axis=1)
    return (first * second <= 0.0) & (third * fourth <= 0.0) & overlap


def _cross(a: Array, b: Array) -> Array:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
