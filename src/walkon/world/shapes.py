"""The shapes of obstacles: plain data in their own frame, Y up. Whoever collides or draws brings the geometry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import SceneError


def _positive(what: str, *values: float) -> None:
    if not all(np.isfinite(value) and value > 0.0 for value in values):
        raise SceneError(f"{what} must be positive, not {', '.join(f'{value:g}' for value in values)}")


@dataclass(frozen=True)
class Box:
    """A box standing on its origin: x in ±width/2, y from 0 to height, z in ±depth/2 [m]."""

    width: float
    height: float
    depth: float

    def __post_init__(self) -> None:
        _positive("the width, height and depth of a box", self.width, self.height, self.depth)


@dataclass(frozen=True)
class Cylinder:
    """A cylinder along y, standing on its origin [m]."""

    radius: float
    height: float

    def __post_init__(self) -> None:
        _positive("the radius and height of a cylinder", self.radius, self.height)


@dataclass(frozen=True)
class Sphere:
    """A ball around its origin [m]."""

    radius: float

    def __post_init__(self) -> None:
        _positive("the radius of a sphere", self.radius)


@dataclass(frozen=True)
class Capsule:
    """A rounded pole: all points within `radius` of the segment from the origin to (0, length, 0) [m]."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        _positive("the radius and length of a capsule", self.radius, self.length)


@dataclass(frozen=True, eq=False)
class Polygon:
    """A vertical prism over a simple polygon: corners (K, 2) of (x, z) [m], y from 0 to height."""

    corners: Array
    height: float

    def __post_init__(self) -> None:
        corners = frozen(self.corners)
        if corners.ndim != 2 or corners.shape[0] < 3 or corners.shape[1] != 2 or not np.isfinite(corners).all():
            raise SceneError(f"a polygon needs three or more corners (x, z), not an array {corners.shape}")
        _positive("the height of a polygon", self.height)
        object.__setattr__(self, "corners", corners)


@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh: vertices (V, 3) [m], faces (T, 3) indices, counter-clockwise seen from outside."""

    vertices: Array
    faces: NDArray[np.int64]

    def __post_init__(self) -> None:
        vertices, faces = frozen(self.vertices), frozen(self.faces, np.int64)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or not np.isfinite(vertices).all():
            raise SceneError(f"mesh vertices are finite points (V, 3), not an array {vertices.shape}")
        if faces.ndim != 2 or faces.shape[1] != 3 or not len(faces):
            raise SceneError(f"mesh faces are triangles (T, 3), at least one, not an array {faces.shape}")
        if faces.min() < 0 or faces.max() >= len(vertices):
            raise SceneError(f"mesh faces name vertices {faces.min()} to {faces.max()}; there are {len(vertices)}")
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "faces", faces)


Shape = Box | Cylinder | Sphere | Capsule | Polygon | Mesh


def frozen(values: object, dtype: type = np.float64) -> NDArray:
    """A read-only copy."""
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array
